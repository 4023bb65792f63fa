"""What was said, and what is made of it."""
