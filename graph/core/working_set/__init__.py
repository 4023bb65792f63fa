"""Temporary data of agents, for the duration of a conversation."""
