"""The type of a text (D35-D37), and how the three vocabularies complete each other (A8, A14)."""

import pytest

from graph.memories.models import MemoryDraft, MemoryFacet, MemoryKind, MemoryType
from graph.memories.rules import vocabularies
from graph.memories.saving.classification import classify


@pytest.mark.parametrize(
    ("content", "type_"),
    [
        ("We decided to use PostgreSQL", MemoryType.DECISION),
        ("The team chose Litestar because it is small", MemoryType.DECISION),
        ("I'll use uv from now on", MemoryType.DECISION),
        ("Ada prefers tabs over spaces", MemoryType.PREFERENCE),
        ("Bob doesn't like long meetings", MemoryType.PREFERENCE),
        ("My favourite editor is Helix", MemoryType.PREFERENCE),
        ("Commit style: imperative, lower case", MemoryType.STYLE),
        ("Functions are named in snake_case", MemoryType.STYLE),
        ("Ada usually reviews in the morning", MemoryType.HABIT),
        ("Bob runs every Sunday", MemoryType.HABIT),
        ("The root cause was a stale cache", MemoryType.INSIGHT),
        ("We learned that retries hide the fault", MemoryType.INSIGHT),
        ("Whenever the index is rebuilt, restart the worker", MemoryType.PATTERN),
        ("A common pattern is to wrap the driver", MemoryType.PATTERN),
        ("Chose PostgreSQL over MongoDB. Need ACID guarantees for transactions.", MemoryType.DECISION),
        ("Realized that the cache was never warm", MemoryType.INSIGHT),
        ("Login failing on special characters. Root: missing input sanitization.", MemoryType.INSIGHT),
        ("Always write docstrings in the imperative", MemoryType.STYLE),
        ("Reviewed today. Never use tabs.", MemoryType.STYLE),
        ("Bob always writes his tests first", MemoryType.HABIT),
        ("Using early returns for validation. Applied in all API routes.", MemoryType.PATTERN),
    ],
)
def test_a_pattern_determines_the_type_with_confidence_0_8(content, type_):
    assert classify(content) == (type_, 0.8)


@pytest.mark.parametrize(
    "content",
    [
        "Always include version numbers when I ask about libraries.",
        "Please never use emojis",
        "I want you to always cite your sources",
        "Whenever I ask for a recipe, give grams",
        "When I ask about costs please give prices with VAT",
        "Sent it yesterday. And from now on, name at least one shop in the EU.",
        "And for all letters that you write for me: under 120 words",
        "If you ever give me a change to the schema, give me the way back as well",
        "All times you show me should be in UTC",
        "The user asked never to use emojis",
    ],
)
def test_a_standing_request_is_style(content):
    """D35: it is neither a habit nor a pattern."""
    assert classify(content) == (MemoryType.STYLE, 0.8)


@pytest.mark.parametrize(
    ("content", "type_"),
    [
        ("Can you show me all the ways to sort a list?", MemoryType.CONTEXT),
        ("Show me all open invoices.", MemoryType.CONTEXT),
        ("Please delete all temporary files", MemoryType.CONTEXT),
        ("Tell me everything that happened in Oslo.", MemoryType.CONTEXT),
        ("Your plant looks great! Tell me all about it!", MemoryType.CONTEXT),
        ("That sign tells me to never give up", MemoryType.HABIT),
        ("I'd rather solder a joint than crimp it", MemoryType.PREFERENCE),
        ("I hate it when gadgets wake me at night", MemoryType.PREFERENCE),
        ("I'm not a fan of dark dashboards", MemoryType.PREFERENCE),
    ],
)
def test_a_single_request_or_feeling_is_not_style(content, type_):
    """D35."""
    assert classify(content)[0] is type_


@pytest.mark.parametrize(
    "content",
    [
        "I asked to use the bathroom",
        "He asked to write a letter",
        "Tell me every time zone in Brazil",
        "They picked me up at 8",
        "She has picked flowers",
        "He went with his wife to Rome",
        "The user is going with her sister to Rome",
        "She went with him to the cinema",
        "I learned Spanish in school",
        "The user learned to swim at 30",
        "Learned to swim at 30",
        "I found out I'm pregnant",
        "I never said that",
        "We always wanted a dog",
        "The user always wanted to visit Japan",
        "I have never been to Rome",
    ],
)
def test_a_single_event_is_not_style_decision_insight_or_habit(content):
    """D35."""
    assert classify(content)[0] is MemoryType.CONTEXT


@pytest.mark.parametrize(
    ("content", "type_"),
    [
        ("The user asked to use metric units", MemoryType.STYLE),
        ("I asked the assistant to use metric units", MemoryType.STYLE),
        ("Ada asked always to answer in French", MemoryType.STYLE),
        ("Every time I ask for a recipe, give grams", MemoryType.STYLE),
        ("She picked the blue one", MemoryType.DECISION),
        ("We went with Postgres", MemoryType.DECISION),
        ("We went with her proposal", MemoryType.DECISION),
        ("The team is going with Litestar", MemoryType.DECISION),
        ("I learned that retries hide the fault", MemoryType.INSIGHT),
        ("We learned from the outage", MemoryType.INSIGHT),
        ("We found out that retries hide the fault", MemoryType.INSIGHT),
        ("My wife never eats fish", MemoryType.HABIT),
        ("I always need a coffee first", MemoryType.HABIT),
        ("Every time a build fails, the cache is cleared", MemoryType.PATTERN),
        ("The user avoids caffeine", MemoryType.PREFERENCE),
        ("I usually avoid dairy", MemoryType.PREFERENCE),
        ("This avoids a deadlock", MemoryType.CONTEXT),
    ],
)
def test_similar_words_keep_their_types_in_their_own_sense(content, type_):
    """D35."""
    assert classify(content)[0] is type_


@pytest.mark.parametrize("content", ["The office is in Oslo", "42", "这个项目在奥斯陆"])
def test_other_texts_are_context_with_confidence_0_3(content):
    assert classify(content) == (MemoryType.CONTEXT, 0.3)


def test_a_stated_type_is_believed():
    """A14, D36."""
    draft = MemoryDraft(content="We decided to use PostgreSQL", type=MemoryType.INSIGHT)

    assert vocabularies(draft) == (MemoryKind.FACTUAL, MemoryFacet.CONTEXT, MemoryType.INSIGHT, 0.9)


@pytest.mark.parametrize(
    ("type_", "kind", "facet"),
    [
        (MemoryType.PREFERENCE, MemoryKind.FACTUAL, MemoryFacet.PREFERENCE),
        (MemoryType.STYLE, MemoryKind.FACTUAL, MemoryFacet.PREFERENCE),
        (MemoryType.HABIT, MemoryKind.FACTUAL, MemoryFacet.SKILL),
        (MemoryType.DECISION, MemoryKind.EPISODIC, MemoryFacet.CONTEXT),
        (MemoryType.PATTERN, MemoryKind.PROCEDURAL, MemoryFacet.SKILL),
        (MemoryType.INSIGHT, MemoryKind.FACTUAL, MemoryFacet.CONTEXT),
        (MemoryType.CONTEXT, MemoryKind.FACTUAL, MemoryFacet.CONTEXT),
    ],
)
def test_kind_and_facet_follow_from_the_type(type_, kind, facet):
    """A8."""
    assert vocabularies(MemoryDraft(content="x", type=type_))[:2] == (kind, facet)


def test_an_objective_is_episodic_context():
    """A8: MemoryX's objective has no type of its own."""
    draft = MemoryDraft(content="Learn to sail", facet=MemoryFacet.OBJECTIVE)

    assert vocabularies(draft) == (MemoryKind.EPISODIC, MemoryFacet.OBJECTIVE, MemoryType.CONTEXT, 0.9)


def test_a_given_vocabulary_is_kept_beside_the_others():
    draft = MemoryDraft(
        content="x", type=MemoryType.HABIT, kind=MemoryKind.SEMANTIC, facet=MemoryFacet.CONTEXT
    )

    assert vocabularies(draft)[:3] == (MemoryKind.SEMANTIC, MemoryFacet.CONTEXT, MemoryType.HABIT)


@pytest.mark.parametrize(
    ("content", "type_"),
    [
        ("Use 4-space indentation in Python files", MemoryType.STYLE),
        ("Prefer single quotes over double quotes", MemoryType.STYLE),
        ("Write docstrings in Google style", MemoryType.STYLE),
        ("No trailing commas in JSON.", MemoryType.STYLE),
        ("Keep lines under 100 characters", MemoryType.STYLE),
        ("Use tabs, not spaces", MemoryType.STYLE),
        ("Keep the tabs open", MemoryType.CONTEXT),
        ("Use PostgreSQL for billing", MemoryType.CONTEXT),
        ("I like tabs", MemoryType.PREFERENCE),
    ],
)
def test_conventions_of_code_and_texts_are_style(content, type_) -> None:
    """Issue 35.25: also an instruction that does not mention style."""
    assert classify(content)[0] is type_


@pytest.mark.parametrize(
    ("content", "type_"),
    [
        ("From now on always use metric units", MemoryType.STYLE),
        ("From now on, please never use emojis", MemoryType.STYLE),
        ("In future always answer in German", MemoryType.STYLE),
        ("Going forward, you should always cite sources", MemoryType.STYLE),
        ("请始终用公制单位", MemoryType.STYLE),
        ("以后都用公制单位", MemoryType.STYLE),
        ("从现在起总是用中文回答", MemoryType.STYLE),
        ("回答时不要用表情符号", MemoryType.STYLE),
        ("每次回答都附上来源", MemoryType.STYLE),
        ("我希望你的回答简短一些", MemoryType.STYLE),
        ("我喜欢简短的回答", MemoryType.PREFERENCE),
        ("我喜歡簡短的回答", MemoryType.PREFERENCE),
        ("用户不喜欢长会议", MemoryType.PREFERENCE),
        ("我更喜欢用制表符", MemoryType.PREFERENCE),
        ("我个人比较偏爱红茶", MemoryType.PREFERENCE),
        ("我最喜欢的编辑器是Helix", MemoryType.PREFERENCE),
        ("我讨厌冗长的邮件", MemoryType.PREFERENCE),
    ],
)
def test_wishes_in_both_languages_have_a_type_of_profiles(content: str, type_: MemoryType) -> None:
    """36.8: the profile lists Preference and Style."""
    assert classify(content) == (type_, 0.8)


@pytest.mark.parametrize(
    "content",
    [
        "From now on we live in Berlin",
        "我喜欢这个，谢谢",
        "你喜欢什么颜色？",
        "他喜欢吗？",
        "打开系统偏好设置",
        "毕业以后用了两年Python",
        "以后我住上海了",
        "以后用新邮箱联系我",
        "总是用错密码",
        "始终用不了登录功能",
        "每次用Chrome打开都很慢",
        "这只猫很可爱",
        "我喜欢上她了",
    ],
)
def test_similar_words_are_no_wish(content: str) -> None:
    assert classify(content)[0] is MemoryType.CONTEXT
