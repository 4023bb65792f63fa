// name: set_password
// mode: schema
// returns: none
// param: old_password string
// param: new_password string
// unscoped: changes the server's own user; runs on the system database
CYPHER 25
ALTER CURRENT USER SET PASSWORD FROM $old_password TO $new_password
