"""The arguments of the x_ tools, in the chat proxy and over MCP."""

import pytest
from pydantic import ValidationError

from app.surfaces.mcp import recalling
from app.surfaces.tools import RecallArguments, SaveArguments


@pytest.mark.parametrize("limit", ["5", '"5"', "5.0", "null", '""'])
def test_a_model_may_write_numbers_as_text_and_null_for_omitted_arguments(limit: str) -> None:
    """K12, K13: in the chat proxy and over MCP."""
    asked = RecallArguments.model_validate_json(f'{{"query": "tea", "limit": {limit}, "offset": null}}')

    assert asked == RecallArguments(query="tea", limit=5, offset=0)


@pytest.mark.parametrize("limit", ["true", '"true"', "5.5", '"few"', "[5]"])
def test_an_invalid_number_is_refused(limit: str) -> None:
    """K12, K20."""
    with pytest.raises(ValidationError, match="must be an integer") as refusal:
        RecallArguments.model_validate_json(f'{{"query": "tea", "limit": {limit}}}')

    assert [error["loc"] for error in refusal.value.errors()] == [("limit",)]


def test_null_is_refused_for_a_required_text() -> None:
    """K12."""
    with pytest.raises(ValidationError, match="Field required"):
        SaveArguments.model_validate_json('{"content": null, "category": null}')


def test_mcp_reads_the_same_arguments() -> None:
    """K13."""
    recall = next(tool for tool in recalling.CHAT_TOOLS if tool.name == "x_recall_memory")

    assert recall.read({"query": "tea", "limit": "5", "offset": None}) == RecallArguments(query="tea")
