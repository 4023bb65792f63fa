"""Saving memories: preparing them, writing them, and what is told of them afterwards."""
