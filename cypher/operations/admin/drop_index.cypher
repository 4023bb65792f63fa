// name: drop_index
// mode: schema
// param: name string
// why: an index that is to hold further properties is made again
CYPHER 25
DROP INDEX $name IF EXISTS
