"""The context that an agent fetches before it acts: concurrent layers, formatted within a budget."""
