"""The Studio: the pages on which people see and correct what agents remember, built from ``app/studio``."""
