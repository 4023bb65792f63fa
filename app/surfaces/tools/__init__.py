"""The tools that several surfaces offer to a model."""
