"""Texts that count as equal without comparing vectors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.text.normal_forms import plain
from graph.memories.deduplication.claims import is_one_text
from graph.memories.deduplication.sameness import say_the_same
from graph.memories.rules import content_hash, message_hash

ONE_TEXT = [
    (
        "PocketBase runs on port 8090",
        [
            "PocketBase runs on port 8090.",
            "- PocketBase runs on port 8090",
            "* PocketBase runs on port 8090",
            "\u2022\tPocketBase runs on port 8090!",
            '"PocketBase runs on port 8090"',
            "\u201cPocketBase runs on port 8090.\u201d",
            "'PocketBase runs on port 8090.'",
            "\u00abPocketBase runs on port 8090\u00bb",
            "**PocketBase** runs on port 8090",
            "***PocketBase runs on port 8090.***",
            "__PocketBase__ runs on port `8090`",
            "PocketBase runs on port 8,090",
            "PocketBase runs on\u00a0port \uff18\uff10\uff19\uff10\uff01",
            "- **PocketBase** runs on \u201cport 8,090\u201d \u2026",
            "Pocket\u00adBase runs on port 8090\u200b",
            "\u2013 PocketBase runs on port 8090",
            "\u27a4 PocketBase runs on port 8090;",
            "2) PocketBase runs on port 8090",
            "\u201ePocketBase runs on port 8090\u201c",
            "\u300cPocketBase runs on port 8090\u300d",
            "\u300cPocketBase runs on port 8090\u3002\u300d",
            "\u300ePocketBase runs on port 8090\u300f\u3002",
            "\u300aPocketBase runs on port 8090\u300b",
            "- \u3008PocketBase runs on port 8090\u3009",
            "PocketBase\u300cruns\u300don \u300aport\u300b8090",
            "PocketBase\u201cruns\u201don port\u300e\u201c8090\u201d\u300f",
            "\u2039PocketBase\u203a runs on\u202fport 8090",
            "\ufeffPocketBase runs\n on port 8090...",
            "\U0001d5e3\U0001d5fc\U0001d5f0\U0001d5f8\U0001d5f2\U0001d601Base runs on port 8090",
            "\u200ePocketBase runs on port 8090\u200e \u06d4",
            "_PocketBase_ runs on ``port 8090``",
        ],
    ),
    (
        "The limit is 5000 and 1234567",
        ["The limit is 5,000 and 1,234,567.", "The limit is 5,000, and 1,234,567"],
    ),
    ("The offset is -5000.5", ["The offset is -5,000.5.", "The offset is \u22125,000.5"]),
    (
        "我喜欢喝茶",
        [
            "我喜欢喝茶。",
            "我喜欢喝茶！",
            "我喜欢，喝茶",
            "「我喜欢喝茶」。",
            "我喜欢「喝茶」",
            "《我喜欢〈喝茶〉》",
            "我 喜欢 喝茶",
            "- 我喜欢**喝茶**",
        ],
    ),
    ("你住在哪里", ["你住在哪里？", "你住在哪里?"]),
    ("我有5000本书、两只猫", ["我有5,000本书两只猫。", "我有５，０００本书 两只猫"]),
    ("Dónde vive Ana?", ["¿Dónde vive Ana?", "Dónde vive Ana", "«¿Dónde vive Ana?»"]),
    ("Viva el te verde", ["¡Viva el te verde!"]),
    ("मीनू को चाय पसंद है", ["मीनू को चाय पसंद है।", "- मीनू को चाय पसंद है॥"]),
    ("ليلى تحب الشاي", ["ليلى تحب الشاي.", "ليلى، تحب الشاي"]),
    ("André lives in Liège", ["Andre\u0301 lives in Lie\u0300ge."]),
    ("データが好き", ["ﾃﾞｰﾀが好き｡", "｢データが好き｣"]),
    ("محمد يحب الشاي", ["ﻣﺤﻤﺪ يحب الشاي؛"]),
    ("Henry IV reads", ["Henry Ⅳ reads"]),
    ("Ça va", ["Ça va !", "« Ça va. »"]),
    ("- milk\n- eggs", ["milk\neggs", "* milk\n* eggs"]),
    ("Don't call before 10:30", ["Don\u2019t call before 10:30.", "**Don't** call, before 10:30"]),
]
TWO_TEXTS = [
    ("The offset is -5", "The offset is 5"),
    ("-5", "5"),
    ("The factor is 1.5", "The factor is 15"),
    ("The factor is 1,5", "The factor is 15"),
    ("The price is 5.000", "The price is 5000"),
    ("The code is 12,34,567", "The code is 1234567"),
    ("The code is 5,0001", "The code is 50001"),
    ("The tax is 5%", "The tax is 5"),
    ("It costs $5", "It costs 5"),
    ("Ada writes C++", "Ada writes C"),
    ("Ada writes C#", "Ada writes C"),
    ('The screen has 27"', "The screen has 27'"),
    ("Call __init__", "Call init"),
    ("Delete *.py", "Delete .py"),
    ("The function takes **kwargs", "The function takes kwargs"),
    ("The result is 2**3", "The result is 23"),
    ("Copy the .env file", "Copy the env file"),
    ("Run cd ..", "Run cd"),
    ("Ada likes tea?", "Ada likes tea."),
    ("你喜欢喝茶？", "你喜欢喝茶。"),
    ("Set x != 5", "Set x = 5"),
    ("git branch -d old", "git branch -D old"),
    ("Juan habló", "Juan hablo"),
    ("がく", "かく"),
    ("- [ ] buy milk", "- [x] buy milk"),
    ("~~The server is up~~", "The server is up"),
    ("It is \u22125 degrees", "It is 5 degrees"),
    ("The price is $5", "The price is €5"),
    ("Set x ≥ 5", "Set x ≤ 5"),
    ("The area is 10² m", "The area is 102 m"),
    ("Use the flag -v", "Use the flag v"),
    ("The ports are 80,90", "The ports are 8090"),
    ("It closes at 1:30", "It closes at 130"),
    ("1. FC Köln wins", "FC Köln wins"),
    ("There are > 5 people", "There are 5 people"),
    ("The rate is ½", "The rate is 12"),
]


@pytest.mark.parametrize(("text", "other"), [(text, other) for text, others in ONE_TEXT for other in others])
def test_punctuation_and_emphasis_are_ignored(text: str, other: str) -> None:
    """Issue 35, 11."""
    assert plain(other).casefold() == plain(text).casefold()
    assert content_hash(other) == content_hash(text)
    assert is_one_text(text, other)
    assert is_one_text(other, text)


@pytest.mark.parametrize(("one", "other"), TWO_TEXTS)
def test_signs_decimal_points_and_question_marks_are_significant(one: str, other: str) -> None:
    """Issue 35, 11."""
    assert not is_one_text(one, other)
    assert not is_one_text(other, one)


def test_commas_between_thousands_do_not_keep_paraphrases_apart() -> None:
    """Issue 35, 11: the comparison of similar texts ignores them."""
    assert say_the_same("The user has 5,000 books", "User has 5000 books")
    assert say_the_same("- The user **uses** TypeScript", "the user uses typescript")


def test_punctuation_distinguishes_messages() -> None:
    """Issue 35, 11: a conversation may contain both "Yes" and "Yes!"."""
    assert message_hash("Yes") != message_hash("Yes!")
    assert message_hash("Yes ") == message_hash("yes")


@given(st.text(max_size=60))
def test_a_plain_text_is_its_own_plain_text_and_is_empty_only_for_white_space(text: str) -> None:
    assert bool(plain(text)) is bool(text.split())


@given(st.lists(st.from_regex(r"[a-z]{1,8}|[1-9][0-9]{0,6}", fullmatch=True), min_size=1, max_size=8))
def test_any_words_may_be_quoted_listed_and_ended(found: list[str]) -> None:
    text = " ".join(found)
    for dressed in (f"- {text}.", f'"{text}"', f"**{text}**!", f"\u201c{text}\u2026\u201d", f"`{text}`"):
        assert plain(dressed) == text
