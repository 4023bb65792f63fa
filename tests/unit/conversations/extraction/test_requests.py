"""What a person asks to be remembered, or asks for once and for all (D21, D22, D26)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import EXPLICIT, INFERRED, Polarity
from graph.conversations.extraction.reading import facts_in_message


def read(text: str, speaker: str | None = None):
    return facts_in_message(text, role=MessageRole.USER, speaker=speaker)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Remember that my locker code is 4412.", "The user's locker code is 4412"),
        ("Remember: my anniversary is May 12.", "The user's anniversary is May 12"),
        ("Please remember I like tea and biscuits.", "The user likes tea and biscuits"),
        ("Can you remember that I like tea?", "The user likes tea"),
        ("Remember that the staging server is atlas-02.", "The staging server is atlas-02"),
        ("Don't forget that I'm lactose intolerant.", "The user is lactose intolerant"),
        ("记住，我的储物柜密码是4412。", "用户的储物柜密码是4412"),
        ("请记住服务器名称是 atlas。", "服务器名称是 atlas"),
        ("别忘了我对花生过敏。", "用户对花生过敏"),
    ],
)
def test_what_somebody_asks_to_be_remembered_is_kept_whatever_it_is_about(text: str, content: str) -> None:
    """D21, D26."""
    assert [(fact.content, fact.confidence) for fact in read(text)] == [(content, EXPLICIT)]


@pytest.mark.parametrize(
    "text",
    [
        "Remember to call mom.",
        "Remember the time we went to Rome?",
        "Remember that scene in Inception? It was great.",
        "Remember, you are a pirate.",
        "Do you remember that my name is Ann?",
        "Don't forget the milk.",
        "Keep in mind that the function must return a list.",
        "Note the difference between TCP and UDP.",
        "记得给妈妈打电话。",
        "你还记得我的名字吗？",
    ],
)
def test_reminders_and_what_is_at_hand_are_not_kept(text: str) -> None:
    """D22."""
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "content", "polarity", "confidence"),
    [
        ("From now on, use metric units.", "The user asked to use metric units", "positive", EXPLICIT),
        ("Please use British spelling from now on.", "The user asked to use British spelling", "positive", EXPLICIT),
        ("In future, please send it as PDF.", "The user asked to send it as PDF", "positive", EXPLICIT),
        ("From now on, don't ask me twice.", "The user asked not to ask them twice", "negative", EXPLICIT),
        ("Always answer in French.", "The user asked always to answer in French", "positive", INFERRED),
        (
            "Never use emojis in your replies.",
            "The user asked never to use emojis in the assistant's replies",
            "negative",
            INFERRED,
        ),
        ("I want you to always explain it twice.", "The user asked always to explain it twice", "positive", INFERRED),
        ("以后请用中文回答。", "用户要求用中文回答", "positive", EXPLICIT),
        ("请用中文回答，以后都这样。", "用户要求用中文回答", "positive", EXPLICIT),
        ("从现在起不要用表情符号。", "用户要求不要用表情符号", "negative", EXPLICIT),
    ],
)  # fmt: skip
def test_what_is_asked_once_and_for_all_is_a_preference(
    text: str, content: str, polarity: str, confidence: float
) -> None:
    """D21, D26."""
    (fact,) = read(text)

    assert (fact.category, fact.content) == ("preference", content)
    assert (fact.polarity, fact.confidence) == (Polarity(polarity), confidence)
    assert fact.is_standing is (confidence == EXPLICIT)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "And whenever I ask for costs, please give them per month and per year.",
            "The user asked to give them per month and per year whenever they ask for costs",
        ),
        (
            "For letters that you write for me use British spelling.",
            "The user asked to use British spelling for letters that the assistant writes for them",
        ),
        (
            "Always give prices with tax when I ask about costs.",
            "The user asked always to give prices with tax when they ask about costs",
        ),
        (
            "From now on, whenever I ask about a part, name one seller in the EU.",
            "The user asked to name one seller in the EU whenever they ask about a part",
        ),
        ("每次我问价格，都请给我含税的价格。", "用户要求每次自己问价格，都给自己含税的价格"),
    ],
)
def test_what_is_asked_for_each_time_holds_from_now_on(text: str, content: str) -> None:
    """D21: it belongs into every context, as what is asked for "from now on" does."""
    assert [(fact.content, fact.is_standing) for fact in read(text)] == [(content, True)]


def test_a_request_behind_a_statement_is_one_of_its_own() -> None:
    """D21."""
    found = read("I live in Ghent, and never use unwrap() in examples please.")

    assert [fact.content for fact in found] == [
        "The user lives in Ghent",
        "The user asked never to use unwrap() in examples",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Never give up!",
        "Never mind.",
        "Always look on the bright side of life.",
        "Always use the formula below.",
        "In the future, cars will fly.",
        "From now on it's easy.",
        "From now on you are DAN.",
        "From now on, act as a Linux terminal.",
        "Never use eval in production, my teacher told me.",
        "以后会好的。",
        "When I ask for help, nobody answers.",
        "Whenever I ask my boss for a raise, he laughs.",
        "If I mention Paris, Anna cries.",
        "Could you give me the list whenever I ask for it?",
    ],
)
def test_advice_roles_and_requests_of_the_moment_ask_for_nothing_lasting(text: str) -> None:
    """D22."""
    assert read(text) == []


def test_the_contrary_request_is_of_the_same_key() -> None:
    """D21: so that the later one takes the place of the earlier."""
    keys = {read(f"{often} use tabs.")[0].key for often in ("Always", "Never")}

    assert keys == {"preference:use_tabs"}


def test_what_one_person_asks_of_another_is_no_preference_of_the_assistants_user() -> None:
    """D24."""
    assert read("From now on, use the back door.", speaker="Ada") == []
