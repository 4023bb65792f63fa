// name: get_hits
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string> — best first
// param: relation_limit integer — maximum relations per hit, the strongest first
// param: vector_property string
// param: now datetime
// param: merge_above float? — cosine above which a memory may repeat a better one; turns never do; null: never
// column: memory map — times as text, because the driver needs more time for datetimes than for the rest of the page
// column: relations list<map> — {id, type, direction, strength, created_at, other_id}
// column: superseded_by list<string> — ids of live memories that supersede it
// column: near list<string> — ids of better memories with the same text or a near vector, which this one may repeat
// why: reads the texts of returned memories only, not of every candidate; one may have been deleted since the search
CYPHER 25
UNWIND range(0, size($ids) - 1) AS place
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.id = $ids[place] AND memory.deleted_at IS NULL
  // include: in_scope
WITH memory ORDER BY place
WITH collect(memory) AS found
WITH found, [each IN found | CASE WHEN each.turn_scope IS NULL AND $merge_above IS NOT NULL
                             THEN vector(each[$vector_property], size(each[$vector_property]), FLOAT32) END] AS vectors
UNWIND range(0, size(found) - 1) AS place
WITH found, vectors, place, found[place] AS memory
// include: hit_relations
WITH memory, relations,
     CASE WHEN $merge_above IS NULL OR memory.turn_scope IS NOT NULL THEN []
          ELSE [better IN range(0, place - 1)
                WHERE found[better].turn_scope IS NULL
                  AND (memory.content_hash = found[better].content_hash
                       OR 1 - vector_distance(vectors[place], vectors[better], COSINE) > $merge_above)
                | found[better].id]
     END AS near
RETURN
  // include: hit_memory
  AS memory,
  relations,
  // include: successors
  AS superseded_by,
  near
