"""Saves that are refused, produce warnings or are shortened."""

import pytest

from graph.core.errors import InvalidInput
from graph.memories.models import MemoryChange, MemoryDraft, SaveOutcome
from graph.memories.policy import SecretPolicy
from tests.fixtures.memories import ScriptedModel

SECRET = "the key is AKIAIOSFODNN7EXAMPLE"
LONG = " ".join(f"Detail {number} of the plan." for number in range(40))


@pytest.mark.parametrize(
    ("field", "draft"),
    [
        ("content", {"content": SECRET}),
        ("metadata", {"content": "harmless", "metadata": {"deep": [{"er": SECRET}]}}),
        ("key", {"content": "harmless", "key": "AKIAIOSFODNN7EXAMPLE"}),
    ],
)
async def test_a_credential_is_refused_and_nothing_stored(services, workspace_id, field, draft) -> None:
    """A43: this is the default policy; the error names the kind of credential but does not quote it."""
    with pytest.raises(InvalidInput) as refused:
        await services.memories.store.save_all(
            workspace_id, [MemoryDraft(content="beside it"), MemoryDraft(**draft)]
        )

    assert refused.value.field == field
    assert "AWS Access Key" in refused.value.message
    assert "AKIA" not in refused.value.message
    assert await services.memories.store.count(workspace_id) == 0


@pytest.mark.parametrize("field", ["content", "summary", "key"])
async def test_a_credential_is_refused_in_a_change_too(services, workspace_id, field) -> None:
    """A43."""
    saved = await services.memories.store.save(workspace_id, MemoryDraft(content="harmless"))

    with pytest.raises(InvalidInput) as refused:
        await services.memories.store.update(
            workspace_id, saved.memory.id, MemoryChange(**{field: "AKIAIOSFODNN7EXAMPLE"})
        )

    assert refused.value.field == field
    stored = await services.memories.store.get(workspace_id, saved.memory.id)
    assert (stored.content, stored.summary, stored.key, stored.version) == ("harmless", None, None, 1)


async def test_the_policy_can_make_a_credential_a_warning(workspace_id, memories_under) -> None:
    """A43."""
    memories = memories_under(secret_policy=SecretPolicy.WARN)

    saved = await memories.save(workspace_id, MemoryDraft(content=SECRET))

    assert saved.outcome is SaveOutcome.CREATED
    assert saved.warnings == ("content seems to hold a credential (AWS Access Key)",)


async def test_the_policy_can_ignore_credentials(workspace_id, memories_under) -> None:
    """A43."""
    memories = memories_under(secret_policy=SecretPolicy.OFF)

    saved = await memories.save(workspace_id, MemoryDraft(content=SECRET))

    assert (saved.memory.content, saved.warnings) == (SECRET, ())


@pytest.mark.parametrize(
    ("draft", "beginning"),
    [
        ({"content": "ok then"}, "content is very short"),
        ({"content": "Fixed a typo in the README"}, "content looks like a trivial edit"),
        ({"content": "[DECISION] We use PostgreSQL for orders"}, "content begins with a type prefix"),
        ({"content": "Preference: tabs over spaces"}, "content begins with a type prefix"),
        (
            {"content": 'Traceback (most recent call last)\n  File "a.py", line 3'},
            "content looks like debug output",
        ),
        ({"content": LONG}, f"content has {len(LONG)} characters"),
        (
            {"content": "We use PostgreSQL for orders", "type": "Decision", "importance": 0.1},
            "importance 0.1 is unusual for type Decision",
        ),
    ],
)
async def test_a_poor_memory_is_saved_with_a_warning(services, workspace_id, draft, beginning) -> None:
    """A4, A13, A43."""
    saved = await services.memories.store.save(workspace_id, MemoryDraft(**draft))

    assert saved.outcome is SaveOutcome.CREATED
    (warning,) = saved.warnings
    assert warning.startswith(beginning)


async def test_a_good_memory_has_no_warning(services, workspace_id) -> None:
    """A13, A43: a missing importance becomes 0.5 without a warning."""
    draft = MemoryDraft(content="We use PostgreSQL for orders, since they need transactions", type="Decision")
    saved = await services.memories.store.save(workspace_id, draft)

    assert (saved.warnings, saved.memory.importance) == ((), 0.5)
    assert saved.suggested_associations == ("PREFERS_OVER",)


async def test_a_long_memory_is_shortened_by_a_language_model(workspace_id, memories_under) -> None:
    """A4, A5, A33, D40: the receipt has both lengths; the original is version 1."""
    model = ScriptedModel("The plan has forty details.")
    memories = memories_under(language_model=model)

    saved = await memories.save(workspace_id, MemoryDraft(content=LONG))

    assert model.prompts == [LONG]
    assert (saved.summarized, saved.original_length, saved.summarized_length) == (True, len(LONG), 27)
    memory = await memories.get(workspace_id, saved.memory.id)
    assert (memory.content, memory.version, memory.old_text) == (model.answer, 2, LONG)
    (version,) = (await memories.versions(workspace_id, [memory.id], first=5))[memory.id]
    assert (version.version, version.content) == (1, LONG)
    assert (await memories.restore(workspace_id, memory.id, version=1)).content == LONG


async def test_equal_long_memories_are_saved_once(workspace_id, memories_under) -> None:
    """A5, A21: the original text decides, because models answer differently each time."""
    first = await memories_under(language_model=ScriptedModel("Forty details.")).save(
        workspace_id, MemoryDraft(content=LONG)
    )
    second = await memories_under(language_model=ScriptedModel("A plan in detail.")).save(
        workspace_id, MemoryDraft(content=LONG)
    )

    assert (second.outcome, second.memory.id) == (SaveOutcome.DEDUPLICATED, first.memory.id)
    assert (second.summarized, second.memory.content) == (False, "Forty details.")


@pytest.mark.parametrize("answer", [None, "", "x" * 501, SECRET])
async def test_a_failing_model_leaves_the_text_unchanged(workspace_id, memories_under, answer) -> None:
    """A4, A5: if it is unavailable, or its answer is empty, too long or contains a credential."""
    saved = await memories_under(language_model=ScriptedModel(answer)).save(
        workspace_id, MemoryDraft(content=LONG)
    )

    assert (saved.memory.content, saved.summarized, saved.original_length) == (LONG, False, None)
    assert saved.warnings[-1] == "content was not shortened: the model failed"


@pytest.mark.parametrize(
    "fields", [{"key": "k"}, {"source_conversation_id": "c"}, {"content": "short enough to stay"}]
)
async def test_keyed_turns_and_short_texts_are_not_shortened(workspace_id, memories_under, fields) -> None:
    """A4."""
    model = ScriptedModel("shorter")

    saved = await memories_under(language_model=model).save(
        workspace_id, MemoryDraft(**{"content": LONG, **fields})
    )

    assert (model.prompts, saved.summarized) == ([], False)


async def test_the_setting_can_disable_shortening(workspace_id, memories_under) -> None:
    """A4, D40."""
    model = ScriptedModel("shorter")
    memories = memories_under(language_model=model, auto_summarize=False)

    assert (await memories.save(workspace_id, MemoryDraft(content=LONG))).memory.content == LONG
    assert model.prompts == []
