"""Reads what other stores, programs and files hold, and brings it to a running service."""
