"""Usage: how often memories were recalled and used, counted in the background."""
