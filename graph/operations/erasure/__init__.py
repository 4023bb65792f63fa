"""Taking away all that is kept of one user, so that nothing of it can be found any more."""
