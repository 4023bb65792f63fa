"""Recognising names by rules."""

import pytest

from graph.knowledge.linking.recognition import recognise


def names(text: str, *speakers: str) -> list[tuple[str | None, str]]:
    return [(each.type, each.name) for each in recognise(text, speakers=speakers) if each.type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday I met Ada Lovelace and Dr. Smith in Paris.", [
            "Person Ada Lovelace", "Person Smith", "Place Paris"]),
        ("We bought it from Johnson & Johnson Inc. and Bank of America", [
            "Organization Johnson & Johnson Inc", "Organization Bank of America"]),
        ("Fixed by Ludwig van Beethoven", ["Person Ludwig van Beethoven"]),
        ("Python is nice. I like Python's syntax", ["Product Python"]),
        ("Uses PostgreSQL, Node.js and GitHub Actions", [
            "Product PostgreSQL", "Product Node.js", "Product GitHub Actions"]),
        ("Chose PostgreSQL over MongoDB", ["Product PostgreSQL", "Product MongoDB"]),
        ("the bug is in auth.service.ts and src/app/main.py", ["File auth.service.ts", "File src/app/main.py"]),
        ("call refreshToken() before `validate_session`, see MAX_RETRIES", [
            "CodeSymbol refreshToken", "CodeSymbol validate_session", "CodeSymbol MAX_RETRIES"]),
        ("see https://example.com/docs/a?token=secret#part.", ["WebPage example.com/docs/a"]),
        ("Hey Mel! Let's go", ["Thing Mel"]),
        ("Had lunch with Will Smith and Mark Smith", ["Person Will Smith", "Person Mark Smith"]),
        ("Mark Zuckerberg left. I know Mark Zuckerberg", ["Person Mark Zuckerberg"]),
        ("She moved from New York to York, uses New Relic and pays by American Express", [
            "Place New York", "Place York", "Product New Relic", "Thing American Express"]),
        ("Our Spring Boot service runs in Great Britain and The Hague", [
            "Thing Spring Boot", "Thing Great Britain", "Thing Hague"]),
        ("We met Dr. Will Smith on Friday Alice was there", ["Person Will Smith", "Person Alice"]),
        ("Use PostgreSQL", ["Product PostgreSQL"]),
        ("I met Alice & Bob, we told Peter And Paul, then Carol AND Dave", [
            "Person Alice", "Person Bob", "Person Peter", "Person Paul", "Thing Carol", "Person Dave"]),
        ("We use Google's Gemini and Anthropic\u2019s Claude and met the Jones' Rex", [
            "Organization Google", "Thing Gemini", "Organization Anthropic", "Thing Claude", "Thing Jones",
            "Thing Rex"]),
        ("He flew to Washington D.C. and met J.P. Morgan at 10 P.M. near main.c and plot.R", [
            "Place Washington D.C", "Organization J.P. Morgan", "File main.c", "File plot.R"]),
        ("We talk on MS Teams, MS Word and MS SQL Server", ["Thing MS Teams", "Thing MS Word", "Thing MS SQL Server"]),
        ("The DR Congo project is new. Please ask Ms Smith, MS. Jones or Dr Brown about it", [
            "Project DR Congo", "Person Smith", "Person Jones", "Person Brown"]),
        ("Watched Apple TV, moved to Azure AD and Entra ID, like the VS Code's terminal and Vertex AI", [
            "Thing Apple TV", "Product Azure AD", "Product Entra ID", "Thing VS Code", "Thing Vertex AI"]),
        ("In St. Louis, at the University of St. Andrews and on Mt. Everest", [
            "Thing St. Louis", "Organization University of St. Andrews", "Place Mt. Everest"]),
        ("He lives on Main St. Alice does too", ["Thing Main St", "Person Alice"]),
        ("It works, as they all said to us when we came. DR BROWN IS OUT. I SEE APPLE TV", [
            "Person BROWN", "Organization APPLE"]),
    ],
)  # fmt: skip
def test_names_are_recognised(text, expected) -> None:
    """The issue asks for "names, code identifiers, files, URLs"."""
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
def test_common_words_are_not_recognised(text) -> None:
    """The issue asks for "no junk nodes"."""
    assert names(text) == []


def test_speakers_are_people() -> None:
    assert names("Thanks, Caroline!", "Caroline", "user") == [("Person", "Caroline")]
    assert names("I told Caroline AI is great", "Caroline") == [("Person", "Caroline")]


@pytest.mark.parametrize(
    "text", ["Will Caroline come?", "Great Caroline!", "in May Caroline moved", "Hope & Caroline"]
)
def test_a_speaker_is_separated_from_the_word_before(text) -> None:
    assert ("Person", "Caroline") in names(text, "Caroline", "Melanie")


def test_dates_and_amounts_create_no_entity() -> None:
    found = recognise("The plan of 7 May 2023 costs $20 million")

    assert [(each.type, each.name) for each in found] == [(None, "7 May 2023"), (None, "$20 million")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My wife Xochitl met Priya Raman and Luca Okonkwo-Bright in Tallinn", [
            "Person Xochitl", "Person Priya Raman", "Person Luca Okonkwo-Bright", "Place Tallinn"]),
        ("Zalando hired Nadia Petrova. Roche has sold its plant in Basel", [
            "Organization Zalando", "Person Nadia Petrova", "Organization Roche", "Place Basel"]),
        ("Emily Tran flew to Oulunsalo and works at Brightmere", [
            "Person Emily Tran", "Place Oulunsalo", "Organization Brightmere"]),
        ("Project Aurora was shown at the Lisbon Web Summit", ["Project Project Aurora", "Event Lisbon Web Summit"]),
        ("auth-gateway calls the service tally and session-store", ["Service auth-gateway", "Service session-store"]),
        ("I bought a Kindle, a Pixel 9 and Windows 11", ["Product Kindle", "Product Pixel 9", "Product Windows 11"]),
        ("Meine Schwester Anna wohnt mit Herrn Zumbrunn in Leipzig bei der Deutschen Bahn", [
            "Person Anna", "Person Zumbrunn", "Place Leipzig", "Organization Deutsche Bahn"]),
        ("\u5f20\u4f1f\u5728\u963f\u91cc\u5df4\u5df4\u5de5\u4f5c\uff0c\u4f4f\u5728\u676d\u5dde\u3002", [
            "Person \u5f20\u4f1f", "Organization \u963f\u91cc\u5df4\u5df4", "Place \u676d\u5dde"]),
        ("\u738b\u82b3\u8d1f\u8d23\u94f6\u6cb3\u9879\u76ee\uff0c\u7528Docker\u90e8\u7f72\u3002", [
            "Person \u738b\u82b3", "Project \u94f6\u6cb3", "Product Docker"]),
        ("\u5317\u4eac\u5927\u5b66\u7684\u8d75\u6559\u6388\u4e0b\u5468\u6765\u3002", [
            "Organization \u5317\u4eac\u5927\u5b66", "Person \u8d75\u6559\u6388"]),
    ],
)  # fmt: skip
def test_people_organisations_and_places_are_distinguished(text, expected) -> None:
    """Issue 36, point 6: in English, German and Chinese, also at the beginning of a sentence."""
    assert [f"{type_} {name}" for type_, name in names(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I told Mirembe. Oluwaseun said so, and Kwadwo and I agreed", [
            "Person Mirembe", "Person Oluwaseun", "Person Kwadwo"]),
        ("Halinka's sister met Thandeka, Anna and Siddharth", [
            "Person Halinka", "Person Thandeka", "Person Anna", "Person Siddharth"]),
        ("We use Mattermost and Nextcloud; the service is written in Elixir", [
            "Product Mattermost", "Product Nextcloud", "Product Elixir"]),
        ("She moved to Bydgoszcz, we to BookStack. Our office in Chattanooga is small", [
            "Place Bydgoszcz", "Thing BookStack", "Place Chattanooga"]),
        ("The Payments service, the Search team and the Apollo project", [
            "Service Payments", "Organization Search", "Project Apollo"]),
        ("We use Google's Bard and Brightline's Rex", [
            "Organization Google", "Thing Bard", "Thing Brightline", "Thing Rex"]),
        ("Bought a Garmin Forerunner 265 from Velomarkt", ["Product Garmin Forerunner 265", "Organization Velomarkt"]),
        ("At St. Mary's Hospital, not at Anna's Desk", [
            "Organization St. Mary's Hospital", "Person Anna", "Thing Desk"]),
        ("\u5c0f\u660e\u628a\u624b\u673a\u6362\u6210\u4e86\u5c0f\u7c7314\uff0c\u53bb\u722c\u5929\u76ee\u5c71\u3002", [
            "Person \u5c0f\u660e", "Product \u5c0f\u7c7314", "Place \u5929\u76ee\u5c71"]),
    ],
)  # fmt: skip
def test_the_clause_classifies_an_unlisted_name(text, expected) -> None:
    """Issue 36, point 6: people are recognised as Person."""
    assert [f"{type_} {name}" for type_, name in names(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Invoices, Receipts and Orders are three tables.",
        "The CEO asked QA for KPIs: see PR 4412, RFC 7231 and the API's JSON.",
        "Deploys on Tuesdays are forbidden, and so are Mondays.",
        "Reviews take long. Hotfixes go out at once. Interviews start next week.",
        "Lunch is at noon. Rent is due. Marketing wants a page. Traffic was bad.",
        "This is a well-known, long-term check-in of state-of-the-art self-service.",
        "Wir haben das Ticket im System geschlossen, weil der Drucker kein Papier hat.",
        "Bitte Brot, Milch und Eier kaufen.",
        "## Rules\n| Copies | Estimate |",
        "\u6211\u4eec\u516c\u53f8\u7684\u670d\u52a1\u5668\u592a\u6162\u4e86\uff0c\u9a6c\u4e0a\u5b89\u6392\u6d4b\u8bd5\u3002",
        "\u8fd9\u4e2a\u9879\u76ee\u7684\u65f6\u95f4\u5b89\u6392\u4e0d\u5408\u7406\u3002",
    ],
)
def test_capitalised_common_nouns_are_not_names(text) -> None:
    """Issue 36, point 6: such as "Deploys", "Tuesdays" and the nouns of German."""
    assert names(text) == []


@pytest.mark.parametrize(
    ("text", "name", "acronym"),
    [
        ("The World Health Organization (WHO) is in Geneva", "World Health Organization", "WHO"),
        ("IBM (International Business Machines) is old", "International Business Machines", "IBM"),
        ("the North Atlantic Treaty Organization (NATO)", "North Atlantic Treaty Organization", "NATO"),
        ("Das Bundesministerium f\u00fcr Gesundheit (BMG) pr\u00fcft", "Bundesministerium f\u00fcr Gesundheit", "BMG"),
        ("\u4e16\u754c\u536b\u751f\u7ec4\u7ec7\uff08WHO\uff09", "\u4e16\u754c\u536b\u751f\u7ec4\u7ec7", "WHO"),
        ("WHO\uff08\u4e16\u754c\u536b\u751f\u7ec4\u7ec7\uff09", "\u4e16\u754c\u536b\u751f\u7ec4\u7ec7", "WHO"),
        ("Die Europ\u00e4ische Zentralbank (EZB) tagt", "Europ\u00e4ische Zentralbank", "EZB"),
        ("the Centers for Disease Control and Prevention (CDC)", "Centers for Disease Control and Prevention", "CDC"),
        ("CDC (Centers for Disease Control and Prevention)", "Centers for Disease Control and Prevention", "CDC"),
        ("OpenTelemetry (OTel) is new", "OpenTelemetry", "OTel"),
    ],
)  # fmt: skip
def test_an_acronym_in_brackets_is_an_alias(text, name, acronym) -> None:
    """Issue 36, point 6: it becomes an alias of the entity, not an entity of its own."""
    found = [(each.name, each.aliases) for each in recognise(text) if each.type]

    assert found[0] == (name, (acronym,))
    assert acronym not in [each[0] for each in found]


@pytest.mark.parametrize(
    "text", ["She asked Maya Chen (CEO)", "the whole team (QA)", "Paris (FR)", "Acme Corp (UK) and others"]
)
def test_other_capitals_in_brackets_are_not_aliases(text) -> None:
    """Issue 36, point 6: if they are not the initials of the words before them."""
    assert [each.aliases for each in recognise(text) if each.aliases] == []


def test_a_long_text_of_names_is_read_in_linear_time() -> None:
    """Issue 36, point 6: no rule looks back from brackets further than a sentence."""
    text = "The Big Red Dog (BRD) and \u738b\u82b3\uff08WF\uff09 met orders-api in Old (Town " * 2000

    assert len(names(text)) <= 20


def test_part_of_a_full_name_is_not_another_person() -> None:
    """Issue 36, point 6: one person is one name; a first name that two people share stays on its own."""
    assert names("Maya Chen presented. Maya was great, said Chen") == [("Person", "Maya Chen")]
    assert names("Maya Chen met Maya Ruiz, then Maya left") == [
        ("Person", "Maya Chen"),
        ("Person", "Maya Ruiz"),
        ("Person", "Maya"),
    ]
