"""The chat proxy: forwards OpenAI requests to any upstream, adds memory to them and captures the turns."""
