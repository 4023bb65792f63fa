// name: 0014_vector_tier
// mode: schema
// why: one node says which external store mirrors the deployment's vectors, so that all processes agree
CYPHER 25
CREATE CONSTRAINT vector_tier_meta_unique IF NOT EXISTS FOR (n:VectorTierMeta) REQUIRE n.name IS UNIQUE
