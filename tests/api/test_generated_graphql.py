"""Requests generated from the GraphQL schema."""

import pytest

from app.surfaces.graphql.schema import schema
from tests.fixtures.generated_requests import generated


@pytest.mark.timeout(7200)
async def test_generated_requests_of_graphql_are_answered_as_the_schema_says(
    generated_for, tmp_path, generated_count, generated_seed
) -> None:
    """K1: without 5xx and without violations of the schema."""
    graphql = schema._schema
    operations = len(graphql.query_type.fields) + len(graphql.mutation_type.fields)

    each = max(1, generated_count // operations)
    await generated(
        generated_for, tmp_path, "/graphql", each, "--seed", generated_seed,
        "--checks", "errors_are_told", "--phases", "fuzzing",
        "-H", f"Authorization: Bearer {generated_for[1]}", hooks="tests.fixtures.generated_graphql",
    )  # fmt: skip
