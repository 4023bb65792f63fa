"""What was said: conversations and their messages."""
