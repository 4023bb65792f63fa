// name: find_data_version
// mode: read
// returns: optional
// unscoped: of the deployment, whose data is one store
// param: name string
// column: name string
// why: what a release does once to what earlier ones stored is noted when it is done
CYPHER 25
MATCH (version:SchemaVersion {name: $name})
RETURN version.name AS name
