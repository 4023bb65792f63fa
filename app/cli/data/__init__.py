"""Commands that save, find and bring in."""
