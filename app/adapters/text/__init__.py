"""What reads and measures texts."""
