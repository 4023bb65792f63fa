"""Search over all nodes of a workspace: memories, entities, chunks, artifacts and episodes in one ranked list."""
