"""Reads data of other stores, programs and files, and sends it to a running service."""
