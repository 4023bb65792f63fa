// name: list_indexes
// mode: read
// returns: many
// column: name string
// column: kind string
// column: state string
// column: properties list<string>
// column: percent float — how much of it is built
// unscoped: indexes belong to the store
CYPHER 25
SHOW INDEXES YIELD name, type, state, properties, populationPercent
RETURN name, type AS kind, state, coalesce(properties, []) AS properties, populationPercent AS percent
ORDER BY name
