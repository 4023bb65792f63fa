// name: 0094_merged_into
// mode: schema
// why: whoever deletes an entity finds the notes of what was merged into it
CYPHER 25
CREATE INDEX entity_merge_into IF NOT EXISTS FOR (n:EntityMerge) ON (n.workspace_id, n.into_id)
