"""Telemetry: what agents did, in what order it went wrong, and the patterns that warn the next one."""
