"""Foundation of every room: the database, rows, errors, ids and pages."""
