"""The managed local servers of ``recollect up`` and of the tests: Neo4j and Redis."""
