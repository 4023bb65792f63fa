"""The GraphQL surface."""
