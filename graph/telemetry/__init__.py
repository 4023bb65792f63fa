"""Telemetry: actions of agents, their sequences and failures, and patterns that warn the next agent."""
