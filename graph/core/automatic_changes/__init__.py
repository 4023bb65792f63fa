"""List of the engine's automatic changes: former state, reason, time and job."""
