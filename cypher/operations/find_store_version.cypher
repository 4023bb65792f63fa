// name: find_store_version
// mode: read
// returns: optional
// unscoped: the whole store has one version
// column: number integer
CYPHER 25
MATCH (version:SchemaVersion {name: 'store'})
RETURN version.number AS number
