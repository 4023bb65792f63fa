// name: list_texts_without_language
// mode: read
// returns: many
// unscoped: what every workspace stored before; each row says its own
// param: after string — "<id> <workspace>" of the last memory before; ids have no blanks
// param: limit integer
// column: workspace_id string
// column: id string
// column: place string — as after
// column: revision integer
// column: content string
// column: searched string — all that it is searched by
CYPHER 25
MATCH (memory:Searchable)
WHERE memory.id >= split($after, ' ')[0] AND memory.id + ' ' + memory.workspace_id > $after
  AND memory:Memory AND memory.language IS NULL AND memory.content IS NOT NULL
RETURN memory.workspace_id AS workspace_id, memory.id AS id, memory.id + ' ' + memory.workspace_id AS place,
       coalesce(memory.revision, 0) AS revision, memory.content AS content,
       coalesce(memory.search_text, memory.content) + ' ' + coalesce(memory.search_keys, '') AS searched
ORDER BY memory.id, memory.workspace_id
LIMIT $limit
