// name: set_password
// mode: schema
// returns: none
// param: old_password string
// param: new_password string
// unscoped: it is about the server's own user; run on the system database
CYPHER 25
ALTER CURRENT USER SET PASSWORD FROM $old_password TO $new_password
