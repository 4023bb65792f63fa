"""What every feature shares: the database, rows, errors, ids and pages."""
