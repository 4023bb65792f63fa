// name: compare_memories
// mode: read
// returns: many
// param: workspace_id string
// param: ids list<string>
// param: vector_property string
// column: first string
// column: second string
// column: similarity float — cosine, -1..1
// why: reads similarities only, so that no vectors leave the store
CYPHER 25
UNWIND range(0, size($ids) - 2) AS i
UNWIND range(i + 1, size($ids) - 1) AS j
MATCH (first:Memory {workspace_id: $workspace_id, id: $ids[i]})
MATCH (second:Memory {workspace_id: $workspace_id, id: $ids[j]})
WITH first, second, vector.similarity.cosine(first[$vector_property], second[$vector_property]) AS similarity
WHERE similarity IS NOT NULL
RETURN first.id AS first, second.id AS second, 2 * similarity - 1 AS similarity
