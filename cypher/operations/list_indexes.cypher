// name: list_indexes
// mode: read
// returns: many
// column: name string
// column: kind string
// column: state string
// column: percent float — progress of building it
// unscoped: indexes belong to the whole store
CYPHER 25
SHOW INDEXES YIELD name, type, state, populationPercent
RETURN name, type AS kind, state, populationPercent AS percent
ORDER BY name
