"""MCP: tools, resources and prompts for agents, over HTTP at ``/mcp`` and over stdio.

Each family of tools is a module. ``server`` combines them, ``endpoint`` serves them over HTTP, ``bridge`` over stdio.
"""
