"""The reader of each file format."""

import pytest

from app.adapters.documents.html import read_html
from app.adapters.documents.markdown import read_markdown
from app.adapters.documents.outline import UnreadableError, read_plain_text
from app.adapters.documents.pdf import read_pdf
from graph.knowledge.documents.parsed import ParsedDocument
from tests.fixtures.document_files import encrypted, pdf

Shown = list[tuple[tuple[str, ...], int | None, list[tuple[str, str]]]]

MARKDOWN = """\
---
title: "Run book"
---
# Guide *to* [tea](http://tea.test)

Boil water.
Wait.

## Brew
- one
- two

  still two

| leaf | °C |
|---|---|
| oolong | 90 |

```sh
# no heading
brew
```
[ref]: http://tea.test/ref
> quoted

Serve
=====
done
"""

HTML = """\
<html><head><title> Tea &amp; more </title><style>p {color: red}</style></head>
<body><script>alert("script")</script><noscript>noscript</noscript>
<h1>Guide <em>to</em> tea</h1>
Boil <b>wa</b>ter.<br>Wait.
<p>First<p>Second <!-- comment -->part
<ul><li>one<li>two <ul><li>nested</li></ul></ul>
<table><tr><th>leaf<th>°C<tr><td>oolong<td>90</table>
<pre>
  brew
    --hot
</pre>
<h2>Serve</h2>
<div>done <span hidden>hidden</span><template>template</template></div>
<table><tr><td><h3>Laid out</h3>left<td>right</table>
</body></html>
"""


def shown(parsed: ParsedDocument) -> Shown:
    return [
        (
            tuple(section.headings),
            section.page,
            [(block.kind.value, parsed.text[block.start : block.end]) for block in section.blocks],
        )
        for section in parsed.sections
    ]


def test_markdown_is_its_outermost_blocks_under_their_headings() -> None:
    parsed = read_markdown(MARKDOWN.encode())

    assert parsed.title == "Run book"
    assert parsed.text == MARKDOWN
    assert shown(parsed) == [
        ((), None, [("CODE", '---\ntitle: "Run book"\n---')]),
        (
            ("Guide to tea",),
            None,
            [("HEADING", "# Guide *to* [tea](http://tea.test)"), ("PARAGRAPH", "Boil water.\nWait.")],
        ),
        (
            ("Guide to tea", "Brew"),
            None,
            [
                ("HEADING", "## Brew"),
                ("LIST", "- one\n- two\n\n  still two"),
                ("TABLE", "| leaf | °C |\n|---|---|\n| oolong | 90 |"),
                ("CODE", "```sh\n# no heading\nbrew\n```"),
                ("PARAGRAPH", "[ref]: http://tea.test/ref"),
                ("PARAGRAPH", "> quoted"),
            ],
        ),
        (("Serve",), None, [("HEADING", "Serve\n====="), ("PARAGRAPH", "done")]),
    ]


def test_markdown_without_front_matter_is_called_by_its_first_heading() -> None:
    assert read_markdown(b"intro\n\n## Second level\n\n# First level").title == "Second level"
    assert read_markdown(b"no heading").title is None
    assert read_markdown(b"---\nno end of front matter\n").text == "---\nno end of front matter\n"


def test_html_becomes_its_visible_text() -> None:
    parsed = read_html(HTML.encode())

    assert parsed.title == "Tea & more"
    assert shown(parsed) == [
        (
            ("Guide to tea",),
            None,
            [
                ("HEADING", "Guide to tea"),
                ("PARAGRAPH", "Boil water.\nWait."),
                ("PARAGRAPH", "First"),
                ("PARAGRAPH", "Second part"),
                ("LIST", "- one\n- two\n- nested"),
                ("TABLE", "leaf | °C\noolong | 90"),
                ("CODE", "  brew\n    --hot"),
            ],
        ),
        (("Guide to tea", "Serve"), None, [("HEADING", "Serve"), ("PARAGRAPH", "done")]),
        (
            ("Guide to tea", "Serve", "Laid out"),
            None,
            [("HEADING", "Laid out"), ("PARAGRAPH", "left"), ("PARAGRAPH", "right")],
        ),
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<html><head><title>A</title><body><h1>Hi</h1><p>Text", "Hi\n\nText"),
        ("<head><meta charset=utf-8><style>p {}</style><p>Text", "Text"),
        ("<head><title>A</title>\nText", "Text"),
        ("<p>one<p hidden>x<p>two", "one\n\ntwo"),
        ("<p hidden>x<div>one</div>", "one"),
        ("<ul><li hidden>x<li>y</ul>", "- y"),
        ("<ul><li>a<ul><li hidden>x<li>b</ul><li>c</ul>", "- a\n- b\n- c"),
        ("<dl><dt hidden>x<dd>y<dt>z</dl>", "y\nz"),
        ("<table><tr><td hidden>x<td>a<tr hidden><td>x<tr><td>b</table>", "a\nb"),
        ("<table><tr><td><table><tr hidden><td>x</table><td>a</table>", "a"),
        ("<table><thead hidden><tr><th>x<tbody><tr><td>a</table>", "a"),
        ("<p>" + "<p>a" * 600, "\n\n".join(["a"] * 600)),
        ("<ul>" + "<li>a" * 600 + "</ul>", "\n".join(["- a"] * 600)),
        ("<dl>" + "<dt>a<dd>b" * 300 + "</dl>", "\n".join(["a\nb"] * 300)),
        ("<table>" + "<tr><td>a<td>b" * 300 + "</table>", "\n".join(["a | b"] * 300)),
        ("<table>" + "<tbody><tr><td>a" * 300 + "</table>", "\n".join(["a"] * 300)),
        ("<datalist>" + "<option>a" * 600 + "</datalist>", "a" * 600),
    ],
)  # fmt: skip
def test_html_without_optional_end_tags_is_read(content, text) -> None:
    assert read_html(content.encode()).text == text


def test_a_pdf_is_read_page_by_page() -> None:
    parsed = read_pdf(pdf("Boil water.\nWait.", "", "Serve hot.", title="Tea"), max_pages=3)

    assert parsed.title == "Tea"
    assert shown(parsed) == [
        ((), 1, [("PARAGRAPH", "Boil water.\nWait.")]),
        ((), 3, [("PARAGRAPH", "Serve hot.")]),
    ]


def test_plain_text_is_paragraphs_between_blank_lines() -> None:
    parsed = read_plain_text("\ufeffone\r\nstill one\r\n \t\r\n\r\n  two\n".encode())

    assert parsed.text == "one\nstill one\n \t\n\n  two\n"
    assert shown(parsed) == [((), None, [("PARAGRAPH", "one\nstill one"), ("PARAGRAPH", "two")])]


@pytest.mark.parametrize(
    ("read", "content", "said"),
    [
        (read_plain_text, b"caf\xe9", "must be text in UTF-8; byte 3 is not"),
        (read_plain_text, bytes(range(256)), "must be text in UTF-8; byte 128 is not"),
        (read_markdown, b"a\x00b", "must be text; it holds NUL characters"),
        (read_html, "é".encode("utf-16"), "must be text in UTF-8; byte 0 is not"),
        (read_html, b"<div>" * 600 + b"deep", "must nest at most 500 elements"),
    ],
    ids=["latin-1", "garbage", "nul", "utf-16", "deep"],
)
def test_text_that_cannot_be_read_is_refused_with_the_reason(read, content, said) -> None:
    with pytest.raises(UnreadableError, match=f"^{said}$"):
        read(content)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"hello", "it does not begin like one"),
        (b"%PDF-1.7\n" + bytes(range(256)) * 8, "must be a PDF that can be read"),
        (pdf("x")[:200], "must be a PDF that can be read"),
        (pdf("x").replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"), "must be a PDF that can be read"),
        (encrypted(pdf("x"), "open sesame"), "must be a PDF without encryption"),
        (pdf(*["x"] * 4), "must have at most 3 pages, got 4"),
    ],
    ids=["text", "garbage", "cut off", "a tree that bites its tail", "encrypted", "long"],
)
def test_a_pdf_that_cannot_be_read_is_refused_with_the_reason(content, said) -> None:
    with pytest.raises(UnreadableError, match=said):
        read_pdf(content, max_pages=3)


def test_a_pdf_without_a_password_is_read() -> None:
    """Such files restrict printing or editing, not reading."""
    assert read_pdf(encrypted(pdf("Boil water."), ""), max_pages=1).text == "Boil water."
