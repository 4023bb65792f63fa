"""Reads documents: one module for each format, run in a process of its own, and what starts that process."""
