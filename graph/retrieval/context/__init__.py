"""What an agent fetches before it acts: layers found side by side, put into words within a budget."""
