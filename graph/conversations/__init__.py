"""Conversations: their capture, and the data derived from their messages."""
