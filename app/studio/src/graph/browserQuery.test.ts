import { expect, it } from "vitest";
import { browserQuery } from "./browserQuery";
import { NOTHING, withFound } from "./drawing";

it("asks for the same nodes of the workspace, and nothing that an id could smuggle in", () => {
  const node = (id: string, kind: "MEMORY" | "ENTITY") => ({
    nodeId: id,
    kind,
    type: null,
    caption: null,
    node: null,
  });
  const drawing = withFound(NOTHING, [
    { nodes: [node("mem_1", "MEMORY"), node('ent"] RETURN 1 //', "ENTITY")], edges: [] },
  ]);

  expect(browserQuery(drawing, "ws_1")).toBe(
    [
      "CYPHER 25",
      'MATCH (node:Entity|Memory {workspace_id: "ws_1"})',
      'WHERE node.id IN ["mem_1", "ent\\"] RETURN 1 //"]',
      "WITH collect(node) AS nodes",
      "UNWIND nodes AS node",
      "OPTIONAL MATCH path = (node)-->(other)",
      "WHERE other IN nodes",
      "RETURN node, path",
    ].join("\n"),
  );
});

it("names a message by its conversation and its own id", () => {
  const id = btoa('["Message", "ws_1", "#0", "chat \\u00e9"]');
  const message = { nodeId: id, kind: "MESSAGE" as const, type: null, caption: "hello", node: null };
  const conversation = { ...message, nodeId: "chat", kind: "CONVERSATION" as const };

  const query = browserQuery(withFound(NOTHING, [{ nodes: [message, conversation], edges: [] }]), "ws_1");

  expect(query.split("\n").slice(1, 4)).toEqual([
    'MATCH (node:Conversation|Message {workspace_id: "ws_1"})',
    'WHERE node.id IN ["chat"]',
    'OR [node.conversation_id, node.id] IN [["chat é", "#0"]]',
  ]);
});
