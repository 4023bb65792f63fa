"""The chat proxy: OpenAI's protocol to any upstream, with memory put in before and kept afterwards."""
