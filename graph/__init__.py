"""The knowledge engine: models, rules and storage of memories; depends only on Neo4j."""
