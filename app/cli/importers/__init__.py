"""Imports data of other stores, programs and files into a running service."""
