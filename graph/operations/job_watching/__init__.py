"""Jobs as they go on, for whoever may be told of them."""
