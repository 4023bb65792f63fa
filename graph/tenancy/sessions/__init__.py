"""Sessions: people who signed in with a key, and are known by a cookie from then on."""
