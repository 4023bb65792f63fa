"""Search over entities by name, words and meaning, with a filter."""
