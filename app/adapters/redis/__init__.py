"""State that processes share through Redis."""
