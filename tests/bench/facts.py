"""What is known of four people as extraction tells it, and what they ask an assistant: written by hand in ``sets``.

Questions are such as a person asks without thinking of the words of what is known: "What pets do I have?" of somebody
with two cats, and requests that something known bears on.
"""

import json
from pathlib import Path

from graph.conversations.extraction.facts import keywords_of
from graph.memories.models import MemoryDraft
from tests.bench.script import Ask, Save, Script

_FILE = Path(__file__).with_name("sets") / "facts" / "facts.json"


def load_facts(file: Path = _FILE) -> list[Script]:
    """Return a script for each person; a fact's label is its number, counted from 1."""
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
