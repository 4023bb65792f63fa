"""What the rules take for a name, and what not."""

import pytest

from graph.knowledge.linking.recognition import recognise


def names(text: str, *speakers: str) -> list[tuple[str | None, str]]:
    return [(each.type, each.name) for each in recognise(text, speakers=speakers) if each.type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday I met Ada Lovelace and Dr. Smith in Paris.", ["Thing Ada Lovelace", "Person Smith", "Thing Paris"]),
        ("We bought it from Johnson & Johnson Inc. and Bank of America", [
            "Organization Johnson & Johnson Inc", "Thing Bank of America"]),
        ("Fixed by Ludwig van Beethoven", ["Thing Ludwig van Beethoven"]),
        ("Python is nice. I like Python's syntax", ["Thing Python"]),
        ("Uses PostgreSQL, Node.js and GitHub Actions", ["Thing PostgreSQL", "Thing Node.js", "Thing GitHub Actions"]),
        ("Chose PostgreSQL over MongoDB", ["Thing PostgreSQL", "Thing MongoDB"]),
        ("the bug is in auth.service.ts and src/app/main.py", ["File auth.service.ts", "File src/app/main.py"]),
        ("call refreshToken() before `validate_session`, see MAX_RETRIES", [
            "CodeSymbol refreshToken", "CodeSymbol validate_session", "CodeSymbol MAX_RETRIES"]),
        ("see https://example.com/docs/a?token=secret#part.", ["WebPage example.com/docs/a"]),
        ("Hey Mel! Let's go", ["Thing Mel"]),
    ],
)  # fmt: skip
def test_names_are_recognised(text, expected) -> None:
    """The issue's "names, code identifiers, files, URLs"."""
    assert [f"{type_} {name}" for type_, name in names(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "It was great. She said that the user likes it.",
        "On Monday we meet, on 7 May 2023 at 10:30, for $20 million or 5 km.",
        "How To Write Good Software In Ten Days And Nights",
        "I AM SO HAPPY TO SEE THIS WORK WITH THE BIG FISH",
        "and/or he/she, 24/7, n/a, 1/2, e.g. this one etc.",
        "Great idea. Wow, OK! Thanks. Mom and Dad say hi.",
        "Painting is fun. Swimming too.",
        "write to ada.lovelace@example.com or ring 555-1234",
    ],
)
def test_junk_is_not(text) -> None:
    """The issue's "no junk nodes"."""
    assert names(text) == []


def test_who_speaks_is_a_person() -> None:
    assert names("Thanks, Caroline!", "Caroline", "user") == [("Person", "Caroline")]


def test_dates_and_amounts_are_worth_no_node() -> None:
    found = recognise("The plan of 7 May 2023 costs $20 million")

    assert [(each.type, each.name) for each in found] == [(None, "7 May 2023"), (None, "$20 million")]
