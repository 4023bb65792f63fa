"""Hand-written facts about four people, in the form of extracted facts, and their questions to an assistant.

The questions are worded independently of the facts: "What pets do I have?" from the owner of two cats. Some
are requests to which a fact is relevant.
"""

import json
from pathlib import Path

from graph.conversations.extraction.facts import keywords_of
from graph.memories.models import MemoryDraft
from tests.bench.script import Ask, Save, Script

_FILE = Path(__file__).with_name("sets") / "facts" / "facts.json"


def load_facts(file: Path = _FILE) -> list[Script]:
    """Return one script per person; a fact's label is its number, from 1."""
    return [
        Script(
            person["name"],
            [
                Save(
                    [
                        MemoryDraft(content=fact, source_type="extracted", keywords=keywords_of(fact))
                        for fact in person["facts"]
                    ],
                    [str(number) for number, _ in enumerate(person["facts"], start=1)],
                ),
                *(
                    Ask(asked["q"], frozenset(map(str, asked["gold"])), person["name"])
                    for asked in person["questions"]
                ),
            ],
        )
        for person in json.loads(file.read_text(encoding="utf-8"))
    ]
