// name: ping
// mode: read
// returns: one
// unscoped: asks whether the server answers
// column: ok boolean
CYPHER 25
RETURN true AS ok
