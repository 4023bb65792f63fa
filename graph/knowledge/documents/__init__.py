"""Documents and the chunks they are cut into."""
