"""What of a message are its author's own words about himself: nothing quoted, pasted, linked or asked for."""

import re
from collections.abc import Iterator

from graph.conversations.capture.injected import without_injected
from graph.core.text.language import sentences

_LONGEST_SENTENCE = 400
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"`([^`\n]{1,80})`")
_BLOCK_QUOTE = re.compile(r"^[ \t]*(?:>|&gt;).*$", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_BROUGHT_MARKUP = re.compile(r"<(pre|code|blockquote)\b[^<>]*+>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_MAIL_FIELD = r"(?:from|to|sent|date|subject|cc|发件人|发送时间|日期|主题|收件人)[ \t]*[:\uff1a]"
# Where a mail or a message of somebody else begins that is pasted as it came.
_MAIL_BEGINS = re.compile(
    rf"^[ \t]*(?:{_MAIL_FIELD}[^\n]*(?:@|\n[ \t]*{_MAIL_FIELD})"
    r"|-{2,}[ \t]*(?:original|forwarded|begin forwarded)[ \t]+(?:message|mail)|begin forwarded message"
    r"|[^\n]{1,80}[ \t](?:wrote|writes|schrieb)[ \t]*:[ \t]*$|[^\n]{1,40}写道[:\uff1a][ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
_LINK = re.compile(r"\[([^\[\]\n]*+)\]\((?:[^()\n]|\([^()\n]*+\))*+\)|(?:https?://|www\.)\S+")
# What stands in quotation marks is somebody's words: a name, a title or a term is not.
_QUOTED = re.compile(
    r"\"([^\"\n]+)\"|\u201c([^\u201c\u201d]++)\u201d|\u2018([^\u2018\u2019]{12,}+)\u2019|\u300c([^\u300c\u300d]++)\u300d"
)
_TERM_WORDS = 8
_PERSON = re.compile(r"\b(?:I|my|me|we|our|us|you|your|he|she|they)\b|[我你他她]", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)")
_BULLET = re.compile(r"^(?:[-+*\u2022\u00b7#]+|\(?\d{1,3}[.)\u3001])\s+")

# What asks for something to be done to a text that comes with it.
_WORK = (
    r"\b(?:translate|re-?write|rephrase|paraphrase|reword|summari[sz]e|proof-?read|polish|correct|edit|improve|shorten|"
    r"expand|analy[sz]e|classify|annotate|transcribe|continue|fix|check|review|explain|format|convert|extract|parse)\b"
)
_TEXT = (
    r"(?:text|e-?mail|letter|article|draft|paragraph|passage|sentence|essay|post|quote|message|transcript|log|output|"
    r"story|script|poem|lyrics|bio|abstract|review|code|prompt|r[e\u00e9]sum[e\u00e9]|cover letter)s?\b"
)
_BRINGS_TEXT = re.compile(
    rf"{_WORK}[^.!?:\n]{{0,80}}(?:\bfollowing\b|\bbelow\b|:\s*(?:$|\S))"
    rf"|{_WORK}[^.!?:\n]{{0,40}}\b(?:this|these|my)\s+(?:\w+\s+)?{_TEXT}\s*(?:[.!?,:]|$|(?:for|to|into|in|and|so|from)\b)"
    rf"|\b(?:here(?:['\u2019]s|\s+is|\s+are)|this\s+is|see|read)\b[^.!?:\n]{{0,60}}\b{_TEXT}[^.!?:\n]{{0,40}}:",
    re.IGNORECASE,
)
_BRINGS_TEXT_ZH = re.compile(
    r"(?:翻译|改写|润色|总结|概括|摘要|校对|修改|续写|解释|分析|缩写|扩写)[^\u3002\uff01\uff1f\n]{0,20}"
    r"(?:[\uff1a:]|以下|下面|下列|这段|这句|这篇|这封)"
    r"|(?:以下|下面|下列)[^\u3002\uff01\uff1f\n]{0,20}[\uff1a:]"
)
_ROLE_PLAY = re.compile(
    r"^(?:please\s+)?(?:act|behave|respond|answer|speak|write)\s+(?:as|like)\b"
    r"|^(?:you\s+are|pretend|imagine|let['\u2019]?s\s+pretend|suppose|assume)\b|\brole-?play\b"
    r"|^(?:假装|假设|假如|扮演|想象|你是|你现在是)",
    re.IGNORECASE,
)


def own_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a message that its author says himself, without Markdown, in their order.

    A text that the author brings along ends the message: whatever follows "translate this:" or stands in the voice of
    a role is not about him. A link is left out, its caption stays.
    """
    cleaned = without_injected(text)
    for pattern in (_CODE, _BROUGHT_MARKUP, _BLOCK_QUOTE, _TABLE_ROW):
        cleaned = pattern.sub("\n", cleaned)
    if mail := _MAIL_BEGINS.search(cleaned):
        cleaned = cleaned[: mail.start()]
    cleaned = _LINK.sub(lambda match: match[1] or "", _INLINE_CODE.sub(r"\1", cleaned))
    cleaned = _QUOTED.sub(_without_speech, _EMPHASIS.sub("", cleaned))
    for line in cleaned.split("\n"):
        for sentence in sentences(_BULLET.sub("", line.strip())):
            before, brought = _before_a_brought_text(sentence)
            if before and len(before) <= _LONGEST_SENTENCE and not _ROLE_PLAY.search(before):
                yield before
            if brought or _ROLE_PLAY.search(sentence):
                return


def _before_a_brought_text(sentence: str) -> tuple[str, bool]:
    """Return what of a sentence is the author's, and whether what follows is a text that he brings along."""
    match = _BRINGS_TEXT.search(sentence) or _BRINGS_TEXT_ZH.search(sentence)
    return (sentence[: match.start()].strip(), True) if match else (sentence, False)


def _without_speech(match: re.Match[str]) -> str:
    """Return a quoted term as it is, and nothing for words that somebody says."""
    said = next(group for group in match.groups() if group is not None)
    is_term = len(said.split()) <= _TERM_WORDS and not _PERSON.search(said)
    return match[0] if is_term else " "
