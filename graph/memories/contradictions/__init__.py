"""Which memories cannot both hold, for somebody to decide between them."""
