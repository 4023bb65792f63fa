// name: note_clearing
// mode: write
// returns: none
// unscoped: one vector index serves all workspaces
// param: slot string
// param: cursor string? — "<id> <workspace>" of the last cleared node; null: all nodes are cleared
CYPHER 25
MATCH (meta:VectorIndexMeta {name: 'memory'})
// include: lock of meta
WITH meta
FOREACH (_ IN CASE WHEN meta.building_slot = $slot AND $cursor IS NOT NULL THEN [1] ELSE [] END |
  SET meta.building_cursor = $cursor)
FOREACH (_ IN CASE WHEN meta.retiring_slot = $slot THEN [1] ELSE [] END |
  SET meta.retiring_cursor = $cursor, meta.retiring_slot = CASE WHEN $cursor IS NULL THEN null ELSE $slot END)
