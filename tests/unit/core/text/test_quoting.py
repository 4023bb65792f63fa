"""Quotations of a longer text: whole sentences, with its rarest words or around the question's words."""

import pytest

from graph.core.text.language import sentences, stems, words
from graph.core.text.summaries import around, rarest_sentences

COMMON = {"the", "tea", "is", "a", "of", "and", "it", "was", "in", "we", "made", "day", "good", "that"}
TEXT = (
    "The tea is good. It was a good day. The samovar of Yerevan holds eleven litres.\n"
    "We made the tea of the day. And that was that. It is good that it was tea."
)


def rarity(word: str) -> float:
    return 0.1 if word in COMMON else 1.0


def test_the_sentences_with_the_rarest_words_are_kept_rather_than_the_beginning() -> None:
    """Issue 35, point 16."""
    kept = rarest_sentences(TEXT, rarity, most_chars=len(TEXT) // 2)

    assert "The samovar of Yerevan holds eleven litres." in kept
    assert not kept.startswith("The tea is good.")
    assert len(kept) <= len(TEXT) // 2


@pytest.mark.parametrize(
    ("text", "most_chars", "kept"),
    [
        ("One sentence alone, which is too long to be kept.", 24, ""),
        ("Kvass? The tea is good. Kefir!", 20, "Kvass?\nKefir!"),
        ("The tea is good.\nKvass.\nKefir.", 16, "Kvass.\nKefir."),
        ("The tea is good. Kvass. Kefir.", 15, "Kvass. Kefir."),
        ("那天我们喝茶。撒马尔罕的铜壶装十一升。", 9, "那天我们喝茶。"),
        ("茶好。水热。铜壶装十一升的水。", 7, "茶好。水热。"),
        ("他说：“壶装十一升。”大家都笑了，又笑了。", 11, "他说：“壶装十一升。”"),
        ("", 10, ""),
        ("... --- ...", 10, ""),
    ],
)
def test_sentences_are_kept_whole_and_in_order(text, most_chars, kept) -> None:
    """Issue 35, point 16."""
    assert rarest_sentences(text, rarity, most_chars=most_chars) == kept


def test_a_quotation_surrounds_the_matched_words() -> None:
    """Issue 35, point 16: marks show the cuts."""
    filling = "Nothing is said here about anything at all. " * 20
    text = f"{filling}The kettle holds two litres. It is made of copper. {filling.strip()}"

    quoted = around(text, {"copper": 1.0, "kettl": 0.5}, most_chars=200)

    assert len(quoted) <= 200
    assert "It is made of copper." in quoted
    assert "The kettle holds two litres." in quoted
    assert quoted.startswith("…Nothing is said")
    assert quoted.endswith("at all.…")


@pytest.mark.parametrize(
    ("before", "match", "behind"),
    [
        ("word ", "samovar", " word"),
        ("天气很好", "铜壶装十一升", "大家回家"),
        ("a;", "samovar;", "b;"),
        ('"k":1,', '"samovar":11', ',"m":2'),
        ("อากาศดีมาก", "ทองแดง", "กลับบ้าน"),
        ("| svc | 80 ", "| samovar | 11 |", " 90 | end"),
        ("x", " samovar ", "y"),
        ("한국어문장", "사모바르", "집으로"),
    ],
)
def test_a_quotation_of_a_text_without_sentence_ends_has_the_match(before, match, behind) -> None:
    """Issue 35, point 16: tables, code, JSON and scripts without spaces; a cut may divide the word."""
    weights = dict.fromkeys(stems(words(match)), 1.0)
    for times in range(100, 110):
        quoted = around(before * times + match + behind * 200, weights, most_chars=200)

        assert match.strip() in quoted
        assert len(quoted) <= 200
        assert quoted.endswith("…")


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Short. It stays.", "Short. It stays."),
        ("First comes this one. Then comes that one.", "First comes this one.…"),
        ("word " * 20, "word word word word…"),
        ("", ""),
    ],
)
def test_a_quotation_without_a_match_is_the_beginning(text, quoted) -> None:
    """Issue 35, point 16."""
    assert around(text, {"absent": 1.0}, most_chars=24) == quoted


@pytest.mark.parametrize(
    "found",
    [
        ["他说：“好的。”", "然后走了。"],
        ["什么？！", "走吧！！", "好。"],
        ["彼は「行く。」", "と言った。"],
        ["（见附录。）", "完。"],
        ["他说：“‘好。’”"],
    ],
)
def test_closing_marks_end_chinese_and_japanese_sentences(found) -> None:
    """Issue 35, point 16: a quotation would begin with the closing mark of the sentence before."""
    assert sentences("".join(found)) == found
