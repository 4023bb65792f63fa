"""MCP: the tools, resources and prompts that agents use, over HTTP at ``/mcp`` and over stdio.

Each family of tools is a module; ``server`` puts them together, ``endpoint`` opens them to HTTP, ``bridge`` to stdio.
"""
