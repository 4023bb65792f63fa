// name: memory_history
// mode: read
// returns: many
// param: workspace_id string
// param: id string — a memory
// column: story path
// why: shows the earlier texts, sources and successors of a memory
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, id: $id})
CALL (memory) {
  MATCH story = (memory)
  RETURN story
  UNION ALL
  MATCH story = (memory)
    (({workspace_id: $workspace_id})-[:PREVIOUS]->(:MemoryVersion {workspace_id: $workspace_id})){1,50}
    (:MemoryVersion {workspace_id: $workspace_id})
  RETURN story
  UNION ALL
  MATCH story = (memory)-[:FROM]->({workspace_id: $workspace_id})
  RETURN story
  UNION ALL
  MATCH story = (memory)-[:RELATES_TO|LEADS_TO|OCCURRED_BEFORE|PREFERS_OVER|EXEMPLIFIES|CONTRADICTS|REINFORCES|INVALIDATED_BY
    |EVOLVED_INTO|DERIVED_FROM|PART_OF]-(
    :Memory {workspace_id: $workspace_id})
  RETURN story
  LIMIT 100
}
RETURN story
