"""The Neo4j server itself: its version and the state of its indexes."""
