"""Handoff summaries, for the person or agent that continues a conversation elsewhere."""
