"""Handoff summaries without a language model: six sections of statements (F11, F12)."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.episodes.models import Episode
from graph.conversations.handoffs.extracting import HandoffSource, _is_same_content, extracted, language_of
from graph.conversations.handoffs.models import HandoffLanguage, HandoffTopic
from graph.conversations.handoffs.sentences import is_informative
from graph.conversations.handoffs.wording import primary_language
from graph.core.text.normal_forms import simplified
from graph.memories.models import Memory
from tests.fixtures.scripts import traditional

AT = datetime(2026, 1, 1, tzinfo=UTC)
ENGLISH, CHINESE = HandoffLanguage.ENGLISH, HandoffLanguage.CHINESE


def said(role: str | None, content: str, speaker: str | None = None) -> Message:
    return Message(
        id="1",
        workspace_id="w",
        conversation_id="c",
        created_at=AT,
        role=role,
        content=content,
        speaker=speaker,
    )


def remembered(content: str, type_: str, facet: str) -> Memory:
    return Memory(
        id="m", workspace_id="w", content=content, type=type_, kind="factual", facet=facet, importance=0.5,
        confidence=0.9, source_type="extracted", timestamp=AT, created_at=AT, updated_at=AT, state="STORED",
    )  # fmt: skip


def source(*messages: Message, title: str | None = None, episodes=(), memories=()) -> HandoffSource:
    return HandoffSource(title, messages, episodes, memories)


MOVE = (
    said("user", "I'm a nurse and I live in the south with my two cats. Can you help me plan my move?"),
    said("assistant", "Of course! A move abroad takes about three months. Which budget do you have?"),
    said(
        "user", "My budget is 5,000 euros. I prefer trains over planes. I need to cancel my lease by March."
    ),
    said("assistant", "The night train takes pets. Cats need a chip at the border."),
    said(
        "user",
        "I've decided to take the night train. The cats still need their vaccination. I cancelled the lease.",
    ),
    said("assistant", "Great. The vaccination lasts three years. Shall I draft a timeline?"),
)


def test_a_handoff_has_six_sections() -> None:
    """F11: the user, the topic, the last status, what to know, open items, and where to continue."""
    handoff = extracted(source(*MOVE, title="Moving"), ENGLISH)

    assert handoff.user_background == [
        "The user is a nurse and they live in the south with their two cats.",
        "The user's budget is 5,000 euros.",
    ]
    assert handoff.project_topic == "Moving (“Can you help me plan my move?”)"
    assert handoff.current_status == [
        "The user cancelled the lease.",
        (
            "The user said last: “I've decided to take the night train. The cats still need their vaccination. "
            "I cancelled the lease.”"
        ),
        "The assistant answered: “The vaccination lasts three years. Shall I draft a timeline?”",
    ]
    assert handoff.key_information == [
        HandoffTopic(topic="Decisions", points=["The user has decided to take the night train."]),
        HandoffTopic(topic="Preferences", points=["The user prefers trains over planes."]),
        HandoffTopic(
            topic="Facts",
            points=[
                "A move abroad takes about three months.",
                "The night train takes pets.",
                "Cats need a chip at the border.",
                "The vaccination lasts three years.",
            ],
        ),
    ]
    assert handoff.open_items == [
        "The cats still need their vaccination.",
        "Not answered yet: “Shall I draft a timeline?”",
    ]
    assert handoff.continuation_point == "The user has yet to answer: “Shall I draft a timeline?”"


@pytest.mark.parametrize("script", [str, traditional])
def test_a_handoff_of_a_chinese_conversation_is_in_chinese(script) -> None:
    """F12: in either script."""
    turns = (
        ("user", "我是一名护士，住在南方。我打算五月搬家。你能帮我做计划吗？"),
        ("assistant", "好的。搬家公司大约需要五千欧元。你的预算是多少？"),
        ("user", "我的预算是四千欧元。我喜欢坐火车。我决定坐夜班火车。还需要给猫打疫苗。"),
        ("assistant", "狂犬疫苗必须在入境前二十一天接种。要我写一个时间表吗？"),
    )

    talk = [said(role, script(text)) for role, text in turns]

    handoff = extracted(source(*talk), primary_language(message.content for message in talk))

    assert [*map(simplified, handoff.user_background)] == [
        "用户是一名护士，住在南方。",
        "用户的预算是四千欧元。",
    ]
    assert simplified(handoff.project_topic) == (
        "我是一名护士，住在南方。我打算五月搬家。你能帮我做计划吗？ (2026-01-01)"
    )
    assert [(each.topic, [*map(simplified, each.points)]) for each in handoff.key_information] == [
        ("决定", ["用户决定坐夜班火车。"]),
        ("偏好", ["用户喜欢坐火车。"]),
        ("计划", ["用户打算2026年5月搬家。"]),
        ("事实", ["搬家公司大约需要五千欧元。", "狂犬疫苗必须在入境前二十一天接种。"]),
    ]
    assert [*map(simplified, handoff.open_items)] == [
        "还需要给猫打疫苗。",
        "尚未回答：“要我写一个时间表吗？”",
    ]
    assert simplified(handoff.continuation_point) == "等待用户回答：“要我写一个时间表吗？”"


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (["我喜欢喝绿茶。"], CHINESE),
        (["用 React 写一个登录页面", "好的，我用 React 写。"], CHINESE),
        (["Please translate 我喜欢喝绿茶 into a language that my colleagues can read"], ENGLISH),
        (["緑茶が好きです。"], ENGLISH),
        (["東京", "緑茶が好きです。"], ENGLISH),
        (["我在学日语。今天学了“ありがとう”。我喜欢老师。"], CHINESE),
        (["녹차를 좋아해요"], ENGLISH),
        (["I like tea."], ENGLISH),
        ([], ENGLISH),
    ],
)
def test_the_summary_has_the_main_language(texts, language) -> None:
    """F12: the script decides; any language except Chinese gets an English summary."""
    assert primary_language(texts) is language


@pytest.mark.parametrize(
    "statements",
    [
        ["私は緑茶が好きです。", "京都市内に住んでいます。"],
        ["저는 녹차를 좋아해요.", "우리 家族은 서울에 살아요."],
    ],
)
def test_a_handoff_of_a_japanese_or_korean_conversation_is_in_english(statements) -> None:
    """F12: quotations stay in their language, between English words."""
    talk = source(said("user", " ".join(statements)))

    handoff = extracted(talk, language_of(talk))

    assert language_of(talk) is ENGLISH
    assert handoff.current_status[0].startswith(f"The user said last: “{statements[0]}")
    assert handoff.key_information == [HandoffTopic(topic="Facts", points=statements)]


def test_a_finished_task_is_not_open() -> None:
    talk = (
        said("user", "I still have to book the movers. I still have to sell the sofa."),
        said("user", "The movers are booked now."),
    )

    assert extracted(source(*talk), ENGLISH).open_items == ["The user still has to sell the sofa."]


@pytest.mark.parametrize(
    ("task", "later"),
    [
        ("I still have to book the movers.", "The movers can be booked tomorrow."),
        ("I still have to book the movers.", "I'll have the movers booked by Friday."),
        ("I still have to book the movers.", "Once the movers are booked, the rest is easy."),
        ("I still have to book the movers.", "The movers could be booked and paid tomorrow."),
        ("I still have to book the movers.", "The movers are fully booked."),
        ("I still have to sign the lease.", "The lease is being signed."),
        ("I still have to sign the lease.", "I have a copy of the signed lease."),
        ("I still have to sign the lease.", "None of the pages of the lease is signed."),
    ],
)
def test_a_task_stays_open_until_a_sentence_reports_it_as_done(task, later) -> None:
    """F11, issue 35: "can be booked tomorrow" must not close a task."""
    open_items = extracted(source(said("user", task), said("assistant", later)), ENGLISH).open_items

    assert len(open_items) == 1


@pytest.mark.parametrize(
    ("task", "later"),
    [
        ("I still have to book the movers.", "In May I booked the movers."),
        ("I still have to book the movers.", "I can confirm that the movers are booked."),
        ("I still have to book the movers.", "We can start: the movers are booked."),
        ("I still have to book the movers.", "When I got home I booked the movers."),
        ("I still have to book the movers.", "We got the movers booked."),
    ],
)
def test_a_condition_of_another_task_does_not_reopen_a_task(task, later) -> None:
    """F11."""
    assert extracted(source(said("user", task), said("user", later)), ENGLISH).open_items == []


@pytest.mark.parametrize(
    ("task", "later", "is_open"),
    [
        ("还需要签合同。", "合同签了。", False),
        ("还没订机票。", "机票已经订好了。", False),
        ("還沒訂機票。", "机票订好了。", False),
        ("还没完成登录页面。", "登录页面完成了。", False),
        ("还需要签合同。", "以后可以把合同签了。", True),
        ("还需要付房租。", "押金付了。", True),
        ("还需要买火车票。", "机票买好了。", True),
    ],
)
def test_a_later_report_closes_a_chinese_task(task, later, is_open) -> None:
    """F11, F12, issue 35: done tasks stayed open, since two sentences share few pairs of characters."""
    items = extracted(source(said("user", task), said("user", later)), CHINESE).open_items

    assert [*map(simplified, items)] == ([simplified(task)] if is_open else [])


@pytest.mark.parametrize(
    "undecided", ["If I decided to rent a van, it would cost 50.", "明天再决定用哪个数据库。"]
)
def test_a_possible_decision_is_not_a_decision(undecided) -> None:
    """F11, issue 35."""
    topics = [each.topic for each in extracted(source(said("user", undecided)), ENGLISH).key_information]

    assert "Decisions" not in topics


@pytest.mark.parametrize(
    ("sentence", "is_reported"),
    [
        ("合同签了。", True),
        ("可以放心，合同签了。", True),
        ("会议完成了。", True),
        ("以后可以把合同签了。", False),
        ("合同签了再付款。", False),
        ("如果完成了就好。", False),
    ],
)
def test_the_status_reports_only_past_events(sentence, is_reported) -> None:
    """F11, F12, issue 35."""
    talk = source(said("user", sentence), said("user", "你好。"))

    assert extracted(talk, CHINESE).current_status == [
        *([sentence] if is_reported else []),
        f"用户最后说：“{sentence}”",
    ]


def test_one_time_instructions_and_small_talk_are_not_facts() -> None:
    """D22: an assistant's general advice is no open item either."""
    talk = (
        said("user", "Write a poem about crates. Don't use long words. The crates are blue."),
        said(
            "assistant",
            "I'm really glad to do so. Here are the best three lines. A good poem must have rhythm.",
        ),
    )

    handoff = extracted(source(*talk), ENGLISH)

    points = [point for topic in handoff.key_information for point in topic.points]
    assert points == ["The crates are blue.", "A good poem must have rhythm."]
    assert handoff.open_items == []


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (
            said("user", "What does a crate cost?"),
            "Answer what the user asked last: “What does a crate cost?”",
        ),
        (said("assistant", "The crate is expensive."), "Go on with: The user still has to sell the sofa."),
        (said("assistant", "Which colour is it?"), "The user has yet to answer: “Which colour is it?”"),
        (said("user", "Thanks a lot!"), "Go on with: The user still has to sell the sofa."),
    ],
)
def test_the_continuation_point_comes_from_the_last_message(last, expected) -> None:
    """F11: a polite closing asks for nothing."""
    talk = (
        said("user", "I still have to sell the sofa."),
        said("assistant", "A sofa sells fast in spring."),
        last,
    )

    assert extracted(source(*talk), ENGLISH).continuation_point == expected


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Ok, let's go with Postgres for the ledger.", True),
        ("Hi my order 48213 never arrived.", True),
        ("Thank you so much for that, I deployed it to production.", True),
        ("Sure, got it working on staging.", True),
        ("Nice is the city where I live.", True),
        ("Hi-fi systems are what we sell.", True),
        ("好的，我已经登记了换货，还需要您提供照片。", True),
        ("明白了，我会尽快处理退款。", True),
        ("Thank you so much for your help!", False),
        ("Okay great, thanks a lot for everything.", False),
        ("You\u2019re welcome, happy to help you with that!", False),
        ("好的，谢谢你的耐心等待。", False),
    ],
)
def test_politeness_before_a_sentence_is_ignored(sentence: str, told: bool) -> None:
    """F11, F12: a greeting or thanks before a statement does not hide it."""
    assert is_informative(sentence) is told


def test_a_decision_after_an_assent_is_kept_and_a_request_there_is_not() -> None:
    """F11."""
    asked = said(
        "user", "Ok, let's go with Postgres for the ledger. Sure, write the migration of the ledger."
    )

    (decided, *_) = extracted(source(asked), ENGLISH).key_information

    assert decided == HandoffTopic(topic="Decisions", points=["Let's go with Postgres for the ledger."])


def test_roles_replace_names_and_speakers() -> None:
    """F3: the assistant's statements about itself do not become the user's."""
    talk = (
        said(None, "Bob and I decided to rent a van.", "Ada"),
        said("assistant", "I recommend the bigger van."),
    )

    points = [point for topic in extracted(source(*talk), ENGLISH).key_information for point in topic.points]

    assert points == [
        "A participant said: Bob and I decided to rent a van.",
        "The assistant recommends the bigger van.",
    ]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("I live in Oslo near the park.", "The user lives in Oslo near the park."),
        ("They live in Oslo near the park.", "They live in Oslo near the park."),
        ("My parents live in Oslo.", "The user's parents live in Oslo."),
        ("The cats need my attention.", "The user said: The cats need my attention."),
        ("If I move to Oslo, I need a visa.", "The user said: If I move to Oslo, I need a visa."),
        ("I'd booked the van already.", "The user had booked the van already."),
    ],
)
def test_a_statement_names_the_user(sentence, told) -> None:
    """F11, issue 35: "They live in Oslo" could mean anybody, such as the parents of the previous sentence."""
    handoff = extracted(source(said("user", sentence)), ENGLISH)

    points = [point for topic in handoff.key_information for point in topic.points]
    assert [*handoff.user_background, *handoff.current_status[:-1], *points] == [told]


def test_a_speaker_introduces_themselves_by_name() -> None:
    """F11, issue 35: replacing the speaker's name as well gave "They are a participant"."""
    talk = (said(None, "I'm Ada, a nurse.", "Ada"), said(None, "我是小王，护士。", "小王"))

    background = extracted(source(*talk), ENGLISH).user_background

    assert background == ["A participant is Ada, a nurse.", "参与者是小王，护士。"]


def test_memories_come_first_under_their_topic() -> None:
    memories = [
        remembered("Decided on the red van", "Decision", "context"),
        remembered("Likes early departures", "Preference", "preference"),
        remembered("Wants to arrive before winter", "Context", "objective"),
        remembered("The flat has four rooms", "Context", "context"),
    ]
    talk = said("user", "I decided to hire two helpers.")

    handoff = extracted(source(talk, memories=memories), ENGLISH)

    assert [(each.topic, each.points) for each in handoff.key_information] == [
        ("Decisions", ["Decided on the red van", "The user decided to hire two helpers."]),
        ("Preferences", ["Likes early departures"]),
        ("Plans", ["Wants to arrive before winter"]),
        ("Facts", ["The flat has four rooms"]),
    ]


def test_consolidated_turns_are_represented_by_their_episodes() -> None:
    """The oldest episode comes first."""
    episodes = [
        Episode(
            id=name, workspace_id="w", conversation_id="c", summary=f"The user spoke of {name}.",
            source_message_ids=["m"], turn_count=2, is_deleted=False, state="STORED", created_at=AT,
        )
        for name in ("crates", "vans")
    ]  # fmt: skip

    handoff = extracted(source(episodes=episodes), ENGLISH)

    assert handoff.key_information == [
        HandoffTopic(
            topic="Earlier in the conversation",
            points=["The user spoke of vans.", "The user spoke of crates."],
        )
    ]
    assert handoff.project_topic == "The user spoke of crates."
    assert (handoff.current_status, handoff.open_items, handoff.continuation_point) == ([], [], "")


def test_handoffs_omit_injected_memory_code_and_system_messages() -> None:
    """F11: injected memories are nobody's statements."""
    talk = (
        said("system", "Memory context: I prefer planes"),
        said("tool", "I decided to fail."),
        said("user", f"I decided to walk there.\n\n{INJECTED}"),
        said("assistant", "```\nI decided on code\n```\nWalking takes an hour."),
    )  # fmt: skip

    text = extracted(source(*talk), ENGLISH).model_dump_json()

    assert "decided to walk there" in text
    assert not [word for word in ("planes", "fail", "cars", "code") if word in text]


INJECTED = """---
[MemoryX Context · 1 memory]
- [preference·Mar] I like cars
(Above is user background info. Answer the question directly; refer to context only when relevant.)
---"""
ROLES = st.sampled_from([None, *MessageRole])
TEXTS = st.text() | st.lists(
    st.sampled_from(
        [
            "I decided to go.",
            "I still need tea!",
            "Is it done?",
            "Thanks.",
            "我决定了。",
            "- x",
            "\n",
            "It is done.",
        ]
    )
).map(" ".join)


@given(st.lists(st.tuples(ROLES, TEXTS), max_size=8), st.sampled_from(list(HandoffLanguage)))
def test_any_conversation_has_bounded_sections_of_single_lines(talk, language) -> None:
    handoff = extracted(source(*(said(role, text) for role, text in talk)), language)

    lines = [
        *handoff.user_background, handoff.project_topic, *handoff.current_status, *handoff.open_items,
        handoff.continuation_point, *(point for topic in handoff.key_information for point in topic.points),
    ]  # fmt: skip
    assert all(line == " ".join(line.split()) for line in lines)
    assert max(len(line) for line in lines) <= 400
    assert len(lines) <= 60


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "We decided to use Redis for the session store.",
            "We decided not to use Redis for the session store.",
        ),
        (
            "We decided to rent the flat in Oslo near the park.",
            "We decided to rent the flat in Bergen near the park.",
        ),
    ],
)
def test_a_correction_is_kept_beside_the_corrected_statement(before: str, after: str) -> None:
    """F11: formerly it counted as a repetition and was omitted."""
    told = extracted(source(said("user", before), said("user", after)), ENGLISH)

    points = [point for topic in told.key_information for point in topic.points]
    assert {before.replace("We", "The user"), after.replace("We", "The user")} <= set(points)


def test_two_open_tasks_are_two_items() -> None:
    """F11."""
    texts = [
        f"I still need to renew the certificate of the {name} server." for name in ("staging", "production")
    ]

    told = extracted(source(*(said("user", text) for text in texts)), ENGLISH)

    assert len([each for each in told.open_items if "certificate" in each]) == 2


def test_a_bullet_without_content_hides_no_other() -> None:
    """F11: otherwise all later statements would count as its repetitions."""
    told = extracted(
        source(
            said("user", "We will not."), said("user", "We decided to rent the flat in Oslo near the park.")
        ),
        ENGLISH,
    )

    points = [point for topic in told.key_information for point in topic.points]
    assert "The user decided to rent the flat in Oslo near the park." in points
    assert not _is_same_content((frozenset(), False), (frozenset({"flat"}), False))
