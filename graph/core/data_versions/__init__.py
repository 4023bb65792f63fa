"""Changes of stored data that each store goes through once."""
