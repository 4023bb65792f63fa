"""Telemetry: agents' actions, their sequences and failures, and patterns that warn the next agent."""
