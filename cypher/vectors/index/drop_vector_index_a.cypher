// name: drop_vector_index_a
// mode: schema
// why: an index has one dimension and one quantisation for life
CYPHER 25
DROP INDEX vectors_a IF EXISTS
