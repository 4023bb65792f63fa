"""Job events, for subscribers who may see them."""
