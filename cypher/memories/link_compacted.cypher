// name: link_compacted
// mode: write
// returns: none
// param: workspace_id string
// param: summary_id string
// param: originals list<map> — {id, association_id}
// param: now datetime
CYPHER 25
MATCH (summary:Memory {workspace_id: $workspace_id, id: $summary_id})
USING INDEX summary:Memory(workspace_id, id)
UNWIND $originals AS row
MATCH (original:Memory {workspace_id: $workspace_id, id: row.id})
USING INDEX original:Memory(workspace_id, id)
CREATE (summary)-[:DERIVED_FROM {id: row.association_id, strength: 1.0, created_at: $now}]->(original)
