// name: ping
// mode: read
// returns: one
// unscoped: checks whether the server answers
// column: ok boolean
CYPHER 25
RETURN true AS ok
