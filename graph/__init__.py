"""The knowledge engine: what a memory is how it is kept and how it is found; knows Neo4j only."""
