"""Adapters that implement the ports of ``graph/core/ports.py``; only ``app/bootstrap`` imports them."""
