import { expect, it } from "vitest";
import { browserQuery } from "./browserQuery";
import { NOTHING, withFound } from "./drawing";

it("asks for the same nodes of the workspace, and nothing that an id could smuggle in", () => {
  const node = (id: string, kind: "MEMORY" | "ENTITY") => ({
    id,
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
