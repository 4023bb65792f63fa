AND ($types = [] OR entity.type IN $types)
AND ($name IS NULL OR any(key IN entity.name_keys WHERE key CONTAINS $name))
AND ($connection_id IS NULL OR EXISTS {
  (entity)-[:FROM]->(:Connection {workspace_id: $workspace_id, id: $connection_id})
})
