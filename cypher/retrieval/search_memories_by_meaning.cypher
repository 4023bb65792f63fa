// name: search_memories_by_meaning
// mode: read
// returns: many
// index: vectors_a
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: vector list<float>
// param: vector_property string
// param: vector_limit integer — rows of the vector search, including spare ones for the filter
// param: filter map — in the form that the fragment memory_filter reads
// param: now datetime
// param: limit integer — maximum memories returned
// column: id string
// column: cosine float — highest cosine of the vector with the memory or a passage, -1..1
// why: the index rounds vectors, differently per segment; exact cosines give the same order in a restored store
CYPHER 25
MATCH (found:Memory|Passage)
SEARCH found IN (
  VECTOR INDEX vectors_a FOR $vector
  WHERE found.workspace_id = $workspace_id AND found.active = true AND found.search_kind IN ['memory', 'passage']
    AND found.user_id IN $scope.users
  LIMIT $vector_limit
) SCORE AS rough
WITH found, 1 - vector_distance(vector(found[$vector_property], size($vector), FLOAT32),
                                vector($vector, size($vector), FLOAT32), COSINE) AS cosine
OPTIONAL MATCH (found:Passage)-[:PART_OF]->(whole:Memory {workspace_id: $workspace_id})
WITH CASE WHEN found:Memory THEN found ELSE whole END AS memory, max(cosine) AS cosine
WHERE memory.active
  AND coalesce(memory.expires_at > $now, true)
  // include: in_scope
  AND CASE WHEN $filter.admits_all THEN true ELSE true
    // include: memory_filter
  END
RETURN memory.id AS id, cosine
ORDER BY cosine DESC, id
LIMIT $limit
