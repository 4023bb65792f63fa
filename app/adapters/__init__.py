"""The adapters that fulfil the ports of ``graph/ports.py``; named by ``app/bootstrap.py`` only."""
