"""Routes that are not GraphQL."""
