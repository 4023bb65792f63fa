// name: delete_edges_of_entities
// mode: write
// returns: one
// param: workspace_id string
// param: ids list<string>
// param: limit integer — maximum edges removed in one transaction
// column: deleted integer — edges; below the limit when none is left
// column: relations integer — those of them that were relations
// why: an entity may have more edges than one transaction should hold
CYPHER 25
UNWIND $ids AS id
MATCH (entity:Entity {workspace_id: $workspace_id, id: id})-[edge]-(other {workspace_id: $workspace_id})
WHERE NOT other:Connection
WITH DISTINCT edge, other:Entity AND type(edge) <> 'MERGED_INTO' AS is_relation
LIMIT $limit
DELETE edge
RETURN count(*) AS deleted, count(CASE WHEN is_relation THEN 1 END) AS relations
