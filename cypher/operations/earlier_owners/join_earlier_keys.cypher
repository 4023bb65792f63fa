// name: join_earlier_keys
// mode: write
// returns: none
// unscoped: every key is joined to the workspace that it names
// allow: NodeIndexScan — once in the life of a store, until it is noted as done
CYPHER 25
MATCH (key:ApiKey)
MATCH (workspace:Workspace {id: key.workspace_id})
MERGE (key)-[:KEY_OF]->(workspace)
