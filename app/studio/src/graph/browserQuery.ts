import { type Drawing } from "./drawing";
import { LOOKS } from "./style";

const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/**
 * Return the query that shows the same nodes, with the edges between them, in Neo4j Browser.
 *
 * It stands here and not in `cypher/`, because no service runs it: a person does, in Neo4j Browser and with the rights of
 * a user of the database. It is made of what is drawn, since a link carries no parameters.
 */
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
