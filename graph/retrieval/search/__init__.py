"""Search over a whole workspace: memories, entities, chunks, artifacts and episodes in one ranked list."""
