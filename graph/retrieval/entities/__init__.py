"""Search over entities: by their names, by words and by meaning, cut to a filter."""
