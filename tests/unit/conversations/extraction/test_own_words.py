"""What of a message its author says of himself, and what he quotes, pastes or was given as memory (D22)."""

import pytest

from graph.conversations.extraction.own_words import own_sentences

OWN = "I like tea."


@pytest.mark.parametrize(
    "text",
    [
        f"> I like coffee\n{OWN}",
        f"```\nI like coffee\n```\n{OWN}",
        f"~~~\nI like coffee\n~~~\n{OWN}",
        f"| I like | coffee |\n{OWN}",
        f"{OWN}\nTranslate this paragraph: I like coffee. I hate rain.",
        f"{OWN}\nPlease summarize the following:\nI like coffee.",
        f"{OWN}\nCould you proofread my cover letter?\nI like coffee.",
        f"{OWN}\nHere is the email: I like coffee.",
        f"{OWN}\nrewrite this:I like coffee.",
        f"{OWN}\nAct as a chef. I like coffee.",
        f"{OWN}\nImagine you live on a ship. I like coffee.",
        f"{OWN} Memory context: I like coffee".replace(" Memory", "\nMemory"),
        f"{OWN}\n```python\nI like coffee",
    ],
)
def test_what_is_quoted_pasted_or_played_is_left_out(text: str) -> None:
    sentences = list(own_sentences(text))

    assert OWN in sentences
    assert not [sentence for sentence in sentences if "coffee" in sentence]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ('She said "I like coffee" and left.', ["She said   and left."]),
        ("My boss said: \u201cI always win\u201d", ["My boss said:"]),
        ('I prefer "dark mode".', ['I prefer "dark mode".']),
        ("I prefer `ruff`, **really**.", ["I prefer ruff, really."]),
        ("I like [jazz](https://example.org/jazz) https://example.org", ["I like jazz"]),
        ("- I like tea\n2. I hate rain", ["I like tea", "I hate rain"]),
        ("I want to improve my review process.", ["I want to improve my review process."]),
        ("Let's check the script next. I like tea.", ["Let's check the script next.", "I like tea."]),
        ("\u6211\u4f4f\u5728\u5317\u4eac。翻译这段话：我喜欢咖啡。我讨厌下雨。", ["我住在北京。"]),
        ("以下是文章：我喜欢咖啡。", []),
    ],
)
def test_what_somebody_says_himself_stays_without_markdown(text: str, own: list[str]) -> None:
    assert list(own_sentences(text)) == own
