"""Reading a language model's answer."""

from structlog.testing import capture_logs

from graph.conversations.extraction.prompting import ExtractedMemories


def item(**fields: object) -> dict[str, object]:
    return {"type": "preference", "text": "Likes tea", "confidence": 0.9, "action": "ADD", **fields}


def test_malformed_but_clear_items_are_kept() -> None:
    """D23."""
    words = [f"word {number}" for number in range(17)]

    (found,) = ExtractedMemories.model_validate(
        {"memories": [item(action="add", tags=None, keywords=words)]}
    ).memories

    assert (found.action, found.tags, found.keywords) == ("ADD", [], words[:16])


def test_the_number_of_dropped_items_is_logged_without_their_text() -> None:
    """D23, D20."""
    with capture_logs() as logs:
        answer = ExtractedMemories.model_validate(
            {"memories": [item(), item(type="mood"), item(text="  "), 7]}
        )

    assert [each.text for each in answer.memories] == ["Likes tea"]
    assert logs == [{"event": "extraction.model_items_dropped", "count": 3, "log_level": "warning"}]
