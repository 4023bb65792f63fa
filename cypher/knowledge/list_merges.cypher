// name: list_merges
// mode: read
// returns: many
// param: workspace_id string
// param: after_created datetime? — page start: the last row's created_at
// param: after_id string?
// param: limit integer
// column: entity_merge map — newest first
CYPHER 25
MATCH (note:EntityMerge {workspace_id: $workspace_id})
WHERE note.created_at <= coalesce($after_created, datetime('9999-12-31T00:00:00Z'))
  AND ($after_created IS NULL OR note.created_at < $after_created OR note.id < $after_id)
WITH note
ORDER BY note.workspace_id DESC, note.created_at DESC, note.id DESC
LIMIT $limit
OPTIONAL MATCH (source:Entity {workspace_id: $workspace_id, id: note.from_id})
OPTIONAL MATCH (target:Entity {workspace_id: $workspace_id, id: note.into_id})
RETURN note {
    .id, .from_id, .into_id, .copied, .created_at, .undone_at, from_name: source.name, into_name: target.name
  } AS entity_merge
ORDER BY note.created_at DESC, note.id DESC
