"""Questions for slots (36): whose current value of which slot a text asks for, in English and Chinese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.memories.changes.questions import asked_slot
from graph.memories.changes.slots import SELF
from graph.memories.changes.statements import slot_statements


@pytest.mark.parametrize(
    ("text", "slot", "subject"),
    [
        ("Where do I live now?", "home", SELF),
        ("I forgot again. Do you know where I live?", "home", SELF),
        ("Which city am I based in at the moment?", "home", SELF),
        ("What's my address?", "home", SELF),
        ("Where does my sister live?", "home", "sister"),
        ("Where does Ada Lopez work these days?", "employer", "ada lopez"),
        ("Who do I work for?", "employer", SELF),
        ("What company am I at?", "employer", SELF),
        ("Which airline do I work for?", "employer", SELF),
        ("Who pays my salary?", "employer", SELF),
        ("What do I do for a living?", "role", SELF),
        ("What's my job title?", "role", SELF),
        ("What kind of work does the user do?", "role", SELF),
        ("Am I married, and to whom?", "spouse", SELF),
        ("What\u2019s my husband\u2019s name?", "spouse", SELF),
        ("How can people call me, what's my number?", "phone", SELF),
        ("What number should people call?", "phone", SELF),
        ("What is the user's wife's phone number?", "phone", "wife"),
        ("Where does the user's mother live?", "home", "mother"),
        ("What is the user's phone number?", "phone", SELF),
        ("Which number do I use?", "phone", SELF),
        ("What is Tom's phone number?", "phone", "tom"),
        ("What is my e-mail address?", "e-mail", SELF),
        ("Which project am I working on?", "project", SELF),
        ("我现在住哪儿？", "home", SELF),
        ("你还记得我现在住哪吗", "home", SELF),
        ("我現在住在哪裡", "home", SELF),
        ("我妈妈住在哪里？", "home", "妈"),
        ("我在哪家公司上班", "employer", SELF),
        ("王芳在哪上班？", "employer", "王芳"),
        ("我是做什么工作的", "role", SELF),
        ("我是做什么的", "role", SELF),
        ("我是干哪行的", "role", SELF),
        ("我结婚了吗", "spouse", SELF),
        ("我老婆叫什么", "spouse", SELF),
        ("我的手机号是多少", "phone", SELF),
        ("我的工作邮箱是哪个", "e-mail", SELF),
        ("我手头在做什么项目", "project", SELF),
        ("Whose payroll am I on?", "employer", SELF),
        ("How can I be reached by phone?", "phone", SELF),
        ("我担任什么职务", "role", SELF),
        ("我和谁领的证", "spouse", SELF),
        ("我新家在哪里", "home", SELF),
        ("My number, please?", "phone", SELF),
        ("My husband's first name is...?", "spouse", SELF),
        ("Renske's profession, do you recall?", "role", "renske"),
        ("What line of work is Idris in?", "role", "idris"),
        ("What's my current project called?", "project", SELF),
        ("I fill in a form: what goes under telephone?", "phone", SELF),
        ("Which organisation took me on?", "employer", SELF),
        ("Where's home for me now?", "home", SELF),
        ("跟我结婚的是谁？", "spouse", SELF),
        ("我妈在哪个城市", "home", "妈"),
        ("给我寄快递该寄到哪座城市？", "home", SELF),
        ("怎样打电话联系到我？", "phone", SELF),
        ("我手上有什么项目在做？", "project", SELF),
    ],
)
def test_a_question_asks_for_a_slot_of_a_person(text: str, slot: str, subject: str) -> None:
    asked = asked_slot(text)

    assert asked is not None
    assert (asked.slot, asked.subject) == (slot, subject)


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("Who is my husband?", "My husband is Callum", True),
        ("Who is my husband?", "Callum and I got married", True),
        ("Who is my husband?", "My wife is Ana", False),
        ("Am I married?", "My wife is Ana", True),
        ("我先生叫什么", "用户与高磊去年八月举行了婚礼", True),
        ("我先生叫什么", "用户的妻子叫李梅", False),
        ("Where do I live?", "我搬到柏林了", True),
        ("Where do I live?", "My sister lives in Rome", False),
        ("Where do I work?", "I quit my job at Bosch", False),
    ],
)
def test_only_a_value_of_the_slot_and_person_answers(question: str, text: str, *, expected: bool) -> None:
    asked = asked_slot(question)

    assert asked is not None
    assert any(map(asked.is_answered_by, slot_statements(text))) is expected


@pytest.mark.parametrize(
    "text",
    [
        "Where did I live before?", "Where was I born?", "Where does the train stop?", "I live in Oslo.",
        "What is the port of ledger?", "Which car do I drive?", "Where do I leave the key?", "What do I do now?",
        "Which floor do I work on?", "How do I get mail, what's my e-mail password?", "我儿子在哪个学校上学",
        "会议在哪里开", "服务跑在哪里", "他在哪家公司工作", "这个项目是什么", "我现在做什么",
        "What number should I call?", "我该做什么？", "我的手机是什么", "私はどこに住んでいますか", "",
    ],
)  # fmt: skip
def test_other_questions_ask_for_no_slot(text: str) -> None:
    assert asked_slot(text) is None


@given(st.text(alphabet=st.sampled_from("where do I live work my 's,?我住在哪里的 \n"), max_size=80))
def test_any_text_is_read(text: str) -> None:
    asked = asked_slot(text)

    assert asked is None or (asked.slot and asked.subject)
