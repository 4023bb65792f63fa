"""What every surface over HTTP shares: who calls, how large and how slow a request may be, and how JSON is read."""
