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
        ("Had lunch with Will Smith and Mark Smith", ["Thing Will Smith", "Thing Mark Smith"]),
        ("Mark Zuckerberg left. I know Mark Zuckerberg", ["Thing Mark Zuckerberg"]),
        ("She moved from New York to York, uses New Relic and pays by American Express", [
            "Thing New York", "Thing York", "Thing New Relic", "Thing American Express"]),
        ("Our Spring Boot service runs in Great Britain and The Hague", [
            "Thing Spring Boot", "Thing Great Britain", "Thing Hague"]),
        ("We met Dr. Will Smith on Friday Alice was there", ["Person Will Smith", "Thing Alice"]),
        ("Use PostgreSQL", ["Thing PostgreSQL"]),
        ("I met Alice & Bob, we told Peter And Paul, then Carol AND Dave", [
            "Thing Alice", "Thing Bob", "Thing Peter", "Thing Paul", "Thing Carol", "Thing Dave"]),
        ("We use Google's Gemini and Anthropic\u2019s Claude and met the Jones' Rex", [
            "Thing Google", "Thing Gemini", "Thing Anthropic", "Thing Claude", "Thing Jones", "Thing Rex"]),
        ("He flew to Washington D.C. and met J.P. Morgan at 10 P.M. near main.c and plot.R", [
            "Thing Washington D.C", "Thing J.P. Morgan", "File main.c", "File plot.R"]),
        ("We talk on MS Teams, MS Word and MS SQL Server", ["Thing MS Teams", "Thing MS Word", "Thing MS SQL Server"]),
        ("The DR Congo project is new. Please ask Ms Smith, MS. Jones or Dr Brown about it", [
            "Thing DR Congo", "Person Smith", "Person Jones", "Person Brown"]),
        ("Watched Apple TV, moved to Azure AD and Entra ID, like the VS Code's terminal and Vertex AI", [
            "Thing Apple TV", "Thing Azure AD", "Thing Entra ID", "Thing VS Code", "Thing Vertex AI"]),
        ("In St. Louis, at the University of St. Andrews and on Mt. Everest", [
            "Thing St. Louis", "Thing University of St. Andrews", "Thing Mt. Everest"]),
        ("He lives on Main St. Alice does too", ["Thing Main St"]),
        ("It works, as they all said to us when we came. DR BROWN IS OUT. I SEE APPLE TV", [
            "Person BROWN", "Thing APPLE"]),
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
        "New York is large. Mark Zuckerberg left. Will Alice come?",
        "The place opens at 10 A.M. and closes at 5 P.M. in the U.S.",
        "Watching TV is fun. Broken TV again. We use MS and AI on my PC",
    ],
)
def test_junk_is_not(text) -> None:
    """The issue's "no junk nodes"."""
    assert names(text) == []


def test_who_speaks_is_a_person() -> None:
    assert names("Thanks, Caroline!", "Caroline", "user") == [("Person", "Caroline")]
    assert names("I told Caroline AI is great", "Caroline") == [("Person", "Caroline")]


@pytest.mark.parametrize(
    "text", ["Will Caroline come?", "Great Caroline!", "in May Caroline moved", "Hope & Caroline"]
)
def test_who_speaks_is_told_apart_from_the_word_before(text) -> None:
    assert ("Person", "Caroline") in names(text, "Caroline", "Melanie")


def test_dates_and_amounts_are_worth_no_node() -> None:
    found = recognise("The plan of 7 May 2023 costs $20 million")

    assert [(each.type, each.name) for each in found] == [(None, "7 May 2023"), (None, "$20 million")]
