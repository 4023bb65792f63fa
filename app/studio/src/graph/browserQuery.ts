import { type Drawing } from "./drawing";
import { LOOKS } from "./style";

const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** Return the conversation and the own id of a message, which is known by a global one. */
function namesOf(id: string): string {
  const [, , ownId, conversationId] = JSON.parse(atob(id.replaceAll("-", "+").replaceAll("_", "/"))) as [
    string,
    string,
    string,
    string,
  ];
  return `[${quoted(conversationId)}, ${quoted(ownId)}]`;
}

/**
 * Return the query that shows the same nodes, with the edges between them, in Neo4j Browser.
 *
 * It stands here and not in `cypher/`, because no service runs it: a person does, in Neo4j Browser and with the rights of
 * a user of the database. It is made of what is drawn, since a link carries no parameters.
 */
export function browserQuery(drawing: Drawing, workspaceId: string): string {
  const nodes = [...drawing.nodes.values()];
  const labels = [...new Set(nodes.map(({ kind }) => LOOKS[kind].label))].sort().join("|");
  const messages = nodes.filter(({ kind }) => kind === "MESSAGE").map(({ id }) => namesOf(id));
  const ids = nodes.filter(({ kind }) => kind !== "MESSAGE").map(({ id }) => quoted(id));
  return [
    "CYPHER 25",
    `MATCH (node:${labels} {workspace_id: ${quoted(workspaceId)}})`,
    `WHERE node.id IN [${ids.join(", ")}]`,
    ...(messages.length > 0 ? [`OR [node.conversation_id, node.id] IN [${messages.join(", ")}]`] : []),
    "WITH collect(node) AS nodes",
    "UNWIND nodes AS node",
    "OPTIONAL MATCH path = (node)-->(other)",
    "WHERE other IN nodes",
    "RETURN node, path",
  ].join("\n");
}
