"""Conversations: capture, and the data derived from them."""
