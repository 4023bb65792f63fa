// name: get_server
// mode: read
// returns: one
// column: version string
// column: edition string
// unscoped: describes the server, not a workspace
CYPHER 25
CALL dbms.components() YIELD name, versions, edition
WITH name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
