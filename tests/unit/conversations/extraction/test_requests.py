"""Requests to remember something or to do something every time (D21, D22, D26)."""

from datetime import UTC, datetime

import pytest

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.extraction.facts import EXPLICIT, INFERRED, Polarity
from graph.conversations.extraction.found_facts import found_in
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
def test_an_explicit_request_to_remember_is_kept(text: str, content: str) -> None:
    """D21, D26."""
    assert [(fact.content, fact.confidence) for fact in read(text)] == [(content, EXPLICIT)]


@pytest.mark.parametrize(
    ("asked", "speaker", "kept"),
    [
        ("Remember that the cats need my attention.", None, "The user said: the cats need my attention"),
        ("Remember that the blue pills give me hives.", None, "The blue pills give the user hives"),
        ("Remember that the cats need my attention.", "Ada", "Ada said: the cats need my attention"),
        ("请记住服务器的密码归我管。", "小王", "服务器的密码归小王管"),
    ],
)
def test_a_statement_to_remember_names_its_speaker(asked, speaker, kept) -> None:
    """D2, issue 35: formerly kept as "the cats need their attention", or as said by the user."""
    assert [fact.content for fact in facts_in_message(asked, role=None, speaker=speaker)] == [kept]


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
def test_reminders_and_present_tasks_are_not_kept(text: str) -> None:
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
        ("以後請用繁體中文回答", "用户要求用繁體中文回答", "positive", EXPLICIT),
        ("不要再给我推荐辣的菜", "用户要求不要再给自己推荐辣的菜", "negative", INFERRED),
        ("别叫我小王，叫我老王", "用户要求别叫自己小王，叫自己老王", "negative", INFERRED),
        ("你可以叫我阿杰", "用户要求叫自己阿杰", "positive", INFERRED),
        ("叫我老李就行", "用户要求叫自己老李", "positive", INFERRED),
        ("请叫我小李吧", "用户要求叫自己小李", "positive", INFERRED),
        ("称呼我为李博士就可以了", "用户要求称呼自己为李博士", "positive", INFERRED),
    ],
)  # fmt: skip
def test_a_standing_request_is_a_preference(
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
        ("我问你菜谱的时候，给我克数", "用户要求自己问助手菜谱的时候，都给自己克数"),
        ("回答我的时候请用繁体中文", "用户要求回答自己的时候，都用繁体中文"),
    ],
)
def test_a_request_for_every_time_is_a_standing_preference(text: str, content: str) -> None:
    """D21: it is part of every context, like "from now on"."""
    assert [(fact.content, fact.is_standing) for fact in read(text)] == [(content, True)]


def test_a_request_after_a_statement_is_separate() -> None:
    """D21."""
    found = read("I live in Ghent, and never use unwrap() in examples please.")

    assert [fact.content for fact in found] == [
        "The user lives in Ghent",
        "The user asked never to use unwrap() in examples",
    ]
    assert {fact.content for fact in read("我对花生过敏，以后别给我推荐花生酱")} == {
        "用户对花生过敏",
        "用户要求别给自己推荐花生酱",
    }


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("以后请用中文回答我，我住在北京", ["用户要求用中文回答自己", "用户住在北京"]),
        (
            "我对花生过敏，以后别给我推荐花生酱，我住在北京",
            ["用户对花生过敏", "用户要求别给自己推荐花生酱", "用户住在北京"],
        ),
        ("以后请用中文回答我，不要用英文", ["用户要求用中文回答自己，不要用英文"]),
    ],
)
def test_a_statement_after_a_request_is_a_fact(text: str, contents: list[str]) -> None:
    """D21."""
    assert [fact.content for fact in read(text)] == contents


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
        "以后的事以后再说",
        "以后不知道会怎样",
        "从现在开始你是猫娘",
        "别再说了",
        "不要再道歉了",
        "叫我起床",
        "叫我妈来",
        "叫我女儿吃饭",
        "我问客服，说不能退款",
        "别叫我去",
        "叫我怎么办",
        "When I ask for help, nobody answers.",
        "Whenever I ask my boss for a raise, he laughs.",
        "If I mention Paris, Anna cries.",
        "Could you give me the list whenever I ask for it?",
        "In the future, cars fly themselves.",
        "From now on nothing works.",
        "Sales rise in the future.",
        "Never use eval in Python?",
        "以后就好了。",
        "今后一切顺利。",
        "以后见。",
        "往后余生都是你。",
        "从现在起只剩三天了。",
    ],
)
def test_advice_roles_and_momentary_requests_are_not_standing(text: str) -> None:
    """D22."""
    assert read(text) == []


def test_an_opposite_request_has_the_same_key() -> None:
    """D21: the later request therefore replaces the earlier."""
    keys = {read(f"{often} use tabs.")[0].key for often in ("Always", "Never")}

    assert keys == {"preference:use_tabs"}


@pytest.mark.parametrize(
    ("asked", "taken_back", "content"),
    [
        ("From now on, use metric units.", "Don't use metric units anymore.", "The user asked not to use metric units"),
        ("From now on, use metric units.", "No longer use metric units.", "The user asked not to use metric units"),
        ("From now on, use metric units.", "Stop using metric units.", "The user asked not to use metric units"),
        ("From now on, put code in boxes.", "Stop putting code in boxes", "The user asked not to put code in boxes"),
        ("From now on, answer in French.", "Please stop answering in French", "The user asked not to answer in French"),
        ("From now on, call me Sam.", "Please don't call me Sam any more.", "The user asked not to call them Sam"),
        ("Never use emojis.", "You can use emojis again.", "The user said that the assistant may use emojis again"),
        ("以后用公制单位", "别再用公制单位了", "用户要求别再用公制单位了"),
        ("以后请用中文回答", "不要再用中文回答我了", "用户要求不要再用中文回答自己了"),
    ],
)  # fmt: skip
def test_a_retracted_request_has_the_same_key(asked: str, taken_back: str, content: str) -> None:
    """D21: it therefore replaces the pinned request."""
    (before,), (after,) = read(asked), read(taken_back)

    assert (after.key, after.object) == (before.key, before.object)
    assert (after.content, after.is_standing) == (content, False)
    assert after.polarity is not before.polarity


@pytest.mark.parametrize(
    ("first", "second", "key"),
    [
        ("From now on call me Sam.", "Please call me Alex from now on.", "preference:call_me"),
        ("From now on, answer in French.", "Always reply in German.", "preference:answer_in"),
        ("From now on, answer in French.", "You can go back to English now.", "preference:answer_in"),
        ("以后叫我小王", "以后叫我老王", "preference:call_me"),
        ("以后请用中文回答", "以后用英文回答", "preference:answer_in"),
    ],
)
def test_an_exclusive_attribute_has_one_key(first: str, second: str, key: str) -> None:
    """D21: the later name replaces the earlier one."""
    (before,), (after,) = read(first), read(second)

    assert before.key == after.key == key
    assert after.is_of_another_value(before.value)


def test_being_called_for_something_is_not_a_name() -> None:
    """D21: "call me to get up" asks for a wake-up call."""
    (fact,) = read("以后叫我起床")

    assert (fact.key == "preference:call_me", fact.value) == (False, None)


def test_denying_another_value_retracts_nothing() -> None:
    """D21."""
    texts = ("From now on, answer in English.", "Stop answering in French.")
    messages = [
        Message(
            id=text, workspace_id="w", conversation_id="c", role=MessageRole.USER, content=text,
            created_at=datetime(2026, 3, 4, tzinfo=UTC),
        )
        for text in texts
    ]  # fmt: skip

    for found in (read(" ".join(texts)), [each.fact for each in found_in(messages, INFERRED)]):
        assert [fact.content for fact in found] == ["The user asked to answer in English"]


@pytest.mark.parametrize(
    "text",
    [
        "Don't ask me again.",
        "You can use that again.",
        "Don't show me that anymore.",
        "You can go back to bed.",
        "Stop writing the essay.",
        "Don't write the file again.",
        "You can use port 8080 again.",
        "You can use my credit card again.",
    ],
)
def test_a_momentary_wish_retracts_nothing(text: str) -> None:
    """D22."""
    assert read(text) == []


def test_requests_between_people_are_not_preferences() -> None:
    """D24."""
    assert read("From now on, use the back door.", speaker="Ada") == []
