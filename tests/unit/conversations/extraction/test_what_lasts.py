"""Lasting facts: no single events, no irony, and the last word of a changed mind (D13, D14, D15, D22)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import INFERRED, Polarity
from graph.conversations.extraction.reading import facts_in_message

KEPT = 0.6


def read(text: str, role: MessageRole = MessageRole.USER):
    return facts_in_message(text, role=role, speaker=None)


def kept(text: str) -> list[tuple[str, str]]:
    return [(fact.category.value, fact.content) for fact in read(text) if fact.confidence >= KEPT]


@pytest.mark.parametrize(
    "text",
    [
        "I never ordered this item.",
        "I never received the confirmation email.",
        "I never signed up for this newsletter.",
        "I went with my kids to the zoo.",
        "We went with our neighbours to Spain last year.",
        "I went with Anna to Rome.",
        "I went with the flow.",
        "We just went with it.",
        "We went with the crowd.",
        "I chose option B above.",
        "I got married to the idea of Rust.",
        "I have a feeling it's a race condition.",
        "I'll use the toilet.",
        "I'll use the stairs now.",
        "I chose the wrong size.",
    ],
)
def test_a_single_event_is_neither_a_habit_nor_a_decision(text: str) -> None:
    """D13, D14, D22: without a request, extraction keeps nothing of it."""
    assert kept(text) == []


@pytest.mark.parametrize(
    ("text", "category", "content"),
    [
        ("I never put sugar in tea.", "pattern", "The user never put sugar in tea"),
        ("I never feed the pigeons.", "pattern", "The user never feeds the pigeons"),
        ("I never learned to swim.", "personal", "The user never learned to swim"),
        ("I never smoked.", "health", "The user never smoked"),
        ("I never liked tea.", "preference", "The user never liked tea"),
        ("I went with Postgres.", "decision", "The user went with Postgres"),
        ("We went with the Sony headphones.", "decision", "The user went with the Sony headphones"),
        ("I'll use the metric system.", "decision", "The user will use the metric system"),
    ],
)
def test_a_lasting_statement_in_such_words_is_kept(text: str, category: str, content: str) -> None:
    """D13, D14, D24."""
    assert kept(text) == [(category, content)]


@pytest.mark.parametrize(
    "text",
    [
        "Great, I love getting charged twice.",
        "Oh great, I love paying extra fees.",
        "Yeah right, I just love waiting three hours for a technician.",
        "I love Mondays 🙄",
        "I love Mondays. 🙄",
        "I love Mondays /s",
        "我最爱加班了，呵呵",
        "According to my horoscope, I love adventure.",
    ],
)
def test_irony_is_not_a_preference(text: str) -> None:
    """D12, D22."""
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Great, I love hiking!", "The user loves hiking"),
        ("Oh great, I love sushi!", "The user loves sushi"),
        ("My landlord raised the rent 🙄", "The user's landlord raised the rent 🙄"),
        ("I hate Mondays 🙄", "The user hates Mondays 🙄"),
    ],
)
def test_delight_and_annoyance_are_not_irony(text: str, content: str) -> None:
    """D24."""
    assert [told for _, told in kept(text)] == [content]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("You enjoy a 20% discount this month.", []),
        ("You enjoy free shipping.", []),
        ("You live and learn.", []),
        ("You avoid many bugs by using types.", []),
        ("You enjoy hiking.", ["The user enjoys hiking"]),
        ("You live with your sister.", ["The user lives with their sister"]),
        ("You avoid gluten.", ["The user avoids gluten"]),
    ],
)
def test_an_assistants_offers_give_no_facts_about_the_user(text: str, contents: list[str]) -> None:
    """D24, D25: its conclusions about the user have less confidence."""
    assert [(fact.content, fact.confidence) for fact in read(text, MessageRole.ASSISTANT)] == [
        (content, INFERRED) for content in contents
    ]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("I don't like tea anymore.", "preference:tea"),
        ("I don't like tea any longer.", "preference:tea"),
        ("I don't like tea at all.", "preference:tea"),
        ("I hate tea now.", "preference:tea"),
        ("These days I hate tea.", "preference:tea"),
        ("I don't like tea that much.", "preference:tea"),
        ("我不喜欢喝茶了。", "preference:喝茶"),
        ("我现在不喜欢喝茶了。", "preference:喝茶"),
        ("现在我再也不喜欢喝茶了。", "preference:喝茶"),
        ("我讨厌喝茶。", "preference:喝茶"),
        ("我不喜歡喝茶。", "preference:喝茶"),
    ],
)
def test_a_change_of_mind_has_the_key_of_its_topic(text: str, key: str) -> None:
    """D15, D18: it therefore replaces the earlier preference."""
    (before,) = read("我喜欢喝茶。" if key.endswith("喝茶") else "I like tea.")
    (now,) = read(text)

    assert (before.key, before.polarity) == (key, Polarity.POSITIVE)
    assert (now.key, now.polarity) == (key, Polarity.NEGATIVE)


@pytest.mark.parametrize("text", ["小时候我喜欢喝茶。", "我以前喜欢喝茶。", "我早上喜欢喝茶。"])
def test_a_past_or_occasional_preference_is_another_fact(text: str) -> None:
    """D15."""
    assert read(text)[0].key != "preference:喝茶"


@pytest.mark.parametrize(
    "text",
    [
        "I really like the 'start small' and 'flexible' principles.",
        "We already established the route!",
        "We established the focus.",
        "I'm looking for a word for both.",
        "I'm looking for depth, not slogans.",
        "I need to move forward with the outline.",
        "I want to start writing ASAP.",
        "I'm committed to giving this new plan a try.",
        "As a clerk, I want to reduce the queue, so that people wait less.",
        "I'd prefer to talk it through.",
        "Stop asking me for details you already have.",
        "Stop telling me to look at maps.",
        "别再问我在哪里了。",
        "我想找一个描述心情的词。",
        "我拿 n 当循环变量。",
    ],
)
def test_likely_remarks_about_the_current_task_are_not_kept(text: str) -> None:
    """Issue 36, point 5."""
    assert kept(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Stop using emojis.", ("preference", "The user asked not to use emojis")),
        ("I'm looking for a flat in Graz.", ("plan", "The user is looking for a flat in Graz")),
        ("I work three days a week.", ("career", "The user works three days a week")),
        ("My granddaughter was born in May.", ("personal", "The user's granddaughter was born in May")),
        (
            'Our business name is "Northern Tiles, and I am a tiler.',
            ("personal", "The user's business name is Northern Tiles"),
        ),
        ("我从2019年起当电工。", ("career", "用户从2019年起当电工")),
        ("我收藏旧邮票。", ("activity", "用户收藏旧邮票")),
        ("叫我小林就行，别叫全名。", ("preference", "用户要求叫自己小林就行")),
    ],
)
def test_lasting_statements_beside_the_task_are_kept(text: str, fact: tuple[str, str]) -> None:
    """Issue 36, point 5."""
    assert fact in kept(text)


@pytest.mark.parametrize(
    "text",
    [
        "Of course I live on the moon, where else?",
        "I have seventeen children. Just kidding.",
        "I'm allergic to meetings.",
        "I got married to this architecture years ago.",
        "I bought myself some time.",
        "I decided to go with option B.",
        "I play devil's advocate here.",
        "I speak for everyone here.",
        "We live in a society.",
        "I run this every time.",
        "E.g. I live in X, my phone number is Y.",
        "Oh great, I adore it when the build breaks on a Friday.",
        "Play a doctor; I'm a patient who has asthma and lives in Leeds.",
    ],
)
def test_jokes_idioms_roles_and_placeholders_are_not_kept(text: str) -> None:
    """D24, issue 36."""
    assert kept(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I'm allergic to peanuts.", ("health", "The user is allergic to peanuts")),
        ("I usually get up at six.", ("pattern", "The user usually gets up at six")),
        (
            "I have a meeting with Lena every Tuesday.",
            ("pattern", "The user has a meeting with Lena every Tuesday"),
        ),
        ("I'm married to Jonas.", ("personal", "The user is married to Jonas")),
        ("We live in a village.", ("personal", "The user lives in a village")),
        (
            "I'm working on the Apollo project.",
            ("plan", "The user is working on the Apollo project"),
        ),
        ("I speak Polish.", ("personal", "The user speaks Polish")),
    ],
)
def test_facts_in_such_words_are_kept(text: str, fact: tuple[str, str]) -> None:
    """D24, issue 36."""
    assert kept(text) == [fact]
