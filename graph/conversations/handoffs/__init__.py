"""Handoff summaries: what whoever goes on with a conversation elsewhere must know."""
