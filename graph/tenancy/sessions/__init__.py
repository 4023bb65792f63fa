"""Sessions: people who signed in with a key, identified by a cookie."""
