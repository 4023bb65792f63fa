import { type Drawing } from "./drawing";
import { LOOKS } from "./style";

const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** Return the query that shows the same nodes, with the edges between them, in Neo4j Browser. */
export function browserQuery(drawing: Drawing, workspaceId: string): string {
  const nodes = [...drawing.nodes.values()];
  const labels = [...new Set(nodes.map(({ kind }) => LOOKS[kind].label))].sort().join("|");
  const ids = nodes.map(({ id }) => quoted(id)).join(", ");
  return [
    "CYPHER 25",
    `MATCH (node:${labels} {workspace_id: ${quoted(workspaceId)}})`,
    `WHERE node.id IN [${ids}]`,
    "WITH collect(node) AS nodes",
    "UNWIND nodes AS node",
    "OPTIONAL MATCH path = (node)-->(other)",
    "WHERE other IN nodes",
    "RETURN node, path",
  ].join("\n");
}
