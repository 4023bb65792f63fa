"""A language model that classifies memories no rule recognises, if the deployment enables it."""

import json

import pytest

from graph.memories.models import MemoryDraft
from tests.fixtures.memories import ScriptedModel

PLAIN = "The office is in Oslo"
NAMED = json.dumps({"type": "Insight", "confidence": 0.65})


async def test_a_model_names_the_type_that_no_rule_recognises(workspace_id, memories_under) -> None:
    """D35, D37: the model's confidence applies unless the caller gave one; the type sets kind and facet."""
    model = ScriptedModel(NAMED)
    memories = memories_under(language_model=model, classify_with_model=True)

    memory = (await memories.save(workspace_id, MemoryDraft(content=PLAIN))).memory
    surer = (await memories.save(workspace_id, MemoryDraft(content="The lift is out", confidence=0.9))).memory
    stated = (
        await memories.save(workspace_id, MemoryDraft(content="The door is red", type="Insight"))
    ).memory

    assert (memory.type, memory.confidence) == ("Insight", 0.65)
    assert (surer.type, surer.confidence) == ("Insight", 0.9)
    assert (memory.kind, memory.facet) == (stated.kind, stated.facet)
    assert model.prompts == [PLAIN, "The lift is out"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"content": "We decided to use PostgreSQL"}, ("Decision", 0.8)),
        ({"content": PLAIN, "type": "Habit"}, ("Habit", 0.9)),
        ({"content": PLAIN, "source_conversation_id": "c"}, ("Context", 0.3)),
        ({"content": PLAIN, "key": "office"}, ("Context", 0.3)),
    ],
)
async def test_a_model_does_not_classify_turns_or_memories_with_a_type(
    workspace_id, memories_under, fields, expected
) -> None:
    """D35, D36: a stated type comes first, then the rules; turns and keyed memories never use the model."""
    model = ScriptedModel(NAMED)
    memories = memories_under(language_model=model, classify_with_model=True)

    memory = (await memories.save(workspace_id, MemoryDraft(**fields))).memory

    assert (memory.type, memory.confidence) == expected
    assert model.prompts == []


@pytest.mark.parametrize(
    "answer", [None, "", '{"type": "Poem", "confidence": 0.9}', '{"type": "Habit", "confidence": 7}']
)
async def test_a_failing_model_leaves_the_type_context(workspace_id, memories_under, answer) -> None:
    """D35: if it is unavailable, or its answer is empty, an unknown type or above full confidence."""
    memories = memories_under(language_model=ScriptedModel(answer), classify_with_model=True)

    memory = (await memories.save(workspace_id, MemoryDraft(content=PLAIN))).memory

    assert (memory.type, memory.confidence) == ("Context", 0.3)


async def test_a_model_classifies_only_if_enabled(workspace_id, memories_under) -> None:
    """D35: by default a save does not wait for a model."""
    model = ScriptedModel(NAMED)

    memory = (
        await memories_under(language_model=model).save(workspace_id, MemoryDraft(content=PLAIN))
    ).memory

    assert (memory.type, model.prompts) == ("Context", [])
