"""Selects an author's own statements in a message: no quoted, pasted or linked text, and no requested fiction."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from graph.conversations.capture.statements import without_injected
from graph.conversations.extraction.rules import CHINESE, ENGLISH, Fiction, grammar
from graph.core.text.language import sentences
from graph.core.text.normal_forms import simplified
from graph.memories.changes.voices import is_of_a_named_person

_LONGEST_SENTENCE = 400
# Places at which an overlong sentence may be split.
_RUNS_ON = re.compile(r"[,;]?\s{1,9}(?:and|but|so)\s{1,9}(?=(?:I|my|we|our)\b)", re.IGNORECASE)
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"`([^`\n]{1,80})`")
_BLOCK_QUOTE = re.compile(r"^[ \t]*(?:>|&gt;).*$", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_BROUGHT_MARKUP = re.compile(r"<(pre|code|blockquote)\b[^<>]*+>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_MAIL_FIELD = r"(?:from|to|sent|date|subject|cc|发件人|发送时间|日期|主题|收件人)[ \t]*[:\uff1a]"
# Beginning of somebody else's mail or message, pasted as received.
_MAIL_BEGINS = re.compile(
    rf"^[ \t]*(?:{_MAIL_FIELD}[^\n]*(?:@|\n[ \t]*{_MAIL_FIELD})"
    r"|-{2,}[ \t]*(?:original|forwarded|begin forwarded)[ \t]+(?:message|mail)|begin forwarded message"
    r"|[^\n]{1,80}[ \t](?:wrote|writes|schrieb)[ \t]*:[ \t]*$|[^\n]{1,40}写道[:\uff1a][ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
_LINK = re.compile(r"\[([^\[\]\n]*+)\]\((?:[^()\n]|\([^()\n]*+\))*+\)|(?:https?://|www\.)\S+")
# Quoted text; a short one without a pronoun counts as a name, title or term rather than as speech.
_QUOTED = re.compile(
    r"\"([^\"\n]+)\"|\u201c([^\u201c\u201d]++)\u201d|\u2018([^\u2018\u2019]{12,}+)\u2019|\u300c([^\u300c\u300d]++)\u300d"
)
_TERM_WORDS = 8
_PERSON = re.compile(r"\b(?:I|my|me|we|our|us|you|your|he|she|they)\b|[我你他她]", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)")
_BULLET = re.compile(r"^(?:[-+*\u2022\u00b7#]+|\(?\d{1,3}[.)\u3001])\s+")

# Verbs of requests to process a text that the message contains.
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
    rf"|\b(?:here(?:['\u2019]s|\s+is|\s+are)|this\s+is|see|read)\b[^.!?:\n]{{0,60}}\b{_TEXT}[^.!?:\n]{{0,40}}:"
    r"|\bmake\s+(?:this|that|the\s+following|my\s+\w+)\s+(?:\w+\s+){0,2}?(?:sound|more|less|shorter|longer|better|clearer|"
    r"professional|formal|polite|concise|friendlier|nicer)\b",
    re.IGNORECASE,
)
# "Got this text from my ex: I miss you": text after a colon may be another person's words or a role to play.
_ANNOUNCED = re.compile(
    r":\s{0,9}(?=(?:I(?:['\u2019]\w+)?|my|we(?:['\u2019]\w+)?|our|hi|hello|hey|dear)\b(?![-:/]))",
    re.IGNORECASE,
)
# Labels before the colon that introduce the author's own words: "Context: I live in Oslo".
_OWN_NOTE = re.compile(
    r"(?:\b(?:notes?|context|updates?|tl;?dr|p\.?p?\.?s\.?|background|(?:about|of)\s+(?:me|myself|us)|btw|fyi|questions?|facts?|"
    r"remember(?:\s+(?:this|that))?|edit|reminder|correction|things?|point|truth|problem|issue|situation|case|info|details|"
    r"information|preferences?|restrictions?|requirements?|rules?|plans?|goals?|reasons?|disclaimer|heads[ -]?up|news|"
    r"important(?:ly)?|warning|clear|honest|short|clarity|also|(?:to|should|must)\s+know|to\s+consider|in\s+mind|keep\s+(?:in\s+mind|this)|intro(?:duction)?|"
    r"summary|confession|answer\s+to\s+your\s+questions?|conclusion|result|first(?:ly)?|second(?:ly)?|thirdly?|finally|example\s+of\s+me|"
    r"diet|allergies|health|work|job|hobbies|family|home|location|budget|which\s+is|here)|\d|^)[\s)*\"\u201d]*$",
    re.IGNORECASE,
)
_LABEL_CHARS = 160
# Conjunction or punctuation between a statement and the request after it.
_JOINT = re.compile(r"[\s,;:\uff0c\uff1b]{1,9}(?:and|but|so|then)?[\s,]{0,9}$", re.IGNORECASE)
_BROUGHT = (
    rf"(?:{_TEXT}|\b(?:reply|respond|(?<!to\s)answer|cv|profile|caption|tweet|comment|dm|sms|speech|toast|says?|said|wrote|from|"
    r"texted|messaged|emailed|sent|got|received|found|saw|reads|goes|told)\b)"
)
_BROUGHT_WORD = re.compile(_BROUGHT, re.IGNORECASE)
# End of a line that announces somebody else's text on the next line.
_ANNOUNCES_TEXT = re.compile(
    rf"{_BROUGHT}"
    r"[^.!?:\n]{0,60}:$",
    re.IGNORECASE,
)
_GREETING = re.compile(r"(?:hi|hello|hey|dear)\b", re.IGNORECASE)
_BEGINS_OWN = re.compile(r"(?:I|my|we|our)\b", re.IGNORECASE)
_BEGINS_WITH_I = re.compile(r"(?:(?:so|and|but|well|okay|ok|yes|no),?\s{1,9})?(?:I|we)\b", re.IGNORECASE)
_LETTER_BEGINS = re.compile(
    r"^(?:dear|hi|hello|hey)\b(?!,?\s+(?:there|all|everyone|guys|chat|gpt|claude|gemini|copilot|assistant|ai|bot)\b|,?$)[^\n.!?]{1,60}[,:]?$",
    re.IGNORECASE,
)
_FORMAL = re.compile(
    r"dear\s+(?:sir|madam|hiring\s+manager|(?:mr|mrs|ms|dr|prof)\b|editor|team\b)[^\n]{0,200}|(?:尊敬|敬爱)的[^\n]{1,20}[\uff1a:\uff0c,][^\n]{0,200}",
    re.IGNORECASE,
)
_LETTER_ENDS = re.compile(
    r"^(?:(?:all\s+the\s+|very\s+)?best(?:\s+(?:regards|wishes))?|(?:kind|warm|best)?\s*regards|(?:yours\s+)?(?:sincerely|faithfully|truly)"
    r"(?:\s+yours)?|yours)(?:,.{0,60}|)$|^(?:此致|敬礼|祝好|顺颂)",
    re.IGNORECASE,
)
_BRINGS_TEXT_ZH = re.compile(
    r"(?:翻译|改写|润色|总结|概括|摘要|校对|修改|续写|解释|分析|缩写|扩写)[^\u3002\uff01\uff1f\n]{0,20}"
    r"(?:[\uff1a:]|以下|下面|下列|这段|这句|这篇|这封)"
    r"|(?:以下|下面|下列)[^\u3002\uff01\uff1f\n]{0,20}[\uff1a:]"
    r"|(?:写(?:一?[封篇段条个份首句则]|[^\u3002\uff01\uff1f\uff0c\n\uff1a:]{0,8}(?:评|信|稿|文))|起草|草拟|代写|仿写|造句|例句|台词|歌词"
    r"|发一?[条个]|回复|文案|作文|邮件(?!地址)|短信|日记|朋友圈|微博|小红书|演讲稿|求职信|辞职信|检讨书|情书|差评|好评|剧本|对白)"
    r"[^\u3002\uff01\uff1f\n\uff1a:]{0,20}[\uff1a:](?!//)"
)


def own_sentences(text: str) -> Iterator[str]:
    """Yield the author's own sentences of a message, without Markdown, in order.

    Stops at a pasted text: nothing after "translate this" or in the voice of a role is about the author. Omits what
    follows an invented situation ("let's say I …") up to a blank line, and lines of other speakers. Removes links but
    keeps their captions.
    """
    cleaned = without_injected(text)
    for pattern in (_CODE, _BROUGHT_MARKUP, _BLOCK_QUOTE, _TABLE_ROW):
        cleaned = pattern.sub("\n", cleaned)
    if mail := _MAIL_BEGINS.search(cleaned):
        cleaned = cleaned[: mail.start()]
    cleaned = _LINK.sub(lambda match: match[1] or "", _INLINE_CODE.sub(r"\1", cleaned))
    cleaned = _QUOTED.sub(_without_speech, _EMPHASIS.sub("", cleaned))
    announced = in_fiction = False
    for line in _without_letters([line.strip() for line in _with_whom_it_is_for(cleaned).split("\n")]):
        if is_of_a_named_person(line):
            continue
        in_fiction = in_fiction and line != ""
        bare = _BULLET.sub("", line)
        is_announced = announced and (_GREETING.match(bare) or _BEGINS_OWN.match(line))
        if is_announced or _is_about_a_text(bare):
            return
        announced = _ANNOUNCES_TEXT.search(bare[-_LABEL_CHARS:]) is not None if bare else announced
        for sentence in sentences(bare):
            before, brought = _before_a_brought_text(sentence, is_item=bare != line)
            fiction = _Fiction.requested_in(sentence)
            if fiction.is_requested:
                before = _JOINT.sub("", before[: fiction.begins])
            in_fiction = in_fiction and not any(each.returns.search(fiction.read) for each in _fictions())
            if before and not (in_fiction or fiction.is_imagined):
                yield from _of_bearable_length(before)
            if brought or fiction.is_voice:
                return
            in_fiction = in_fiction or fiction.is_requested or fiction.is_imagined


def asks_for_fiction(text: str) -> bool:
    """Tell whether a message requests fiction, a text in somebody else's voice, or role play."""
    lines = without_injected(text).split("\n")
    return any(_Fiction.requested_in(each).is_requested for line in lines for each in sentences(line.strip()))


def _is_about_a_text(line: str) -> bool:
    """Tell whether a line only requests work on a text, asks about one or tells who sent it; the text follows it."""
    read = simplified(line).replace("'", "\u2019")
    return any(each.about_text.fullmatch(read) for each in _fictions())


def _without_letters(lines: list[str]) -> list[str]:
    """Return the lines without a letter: from "Dear …" to "Best, …" and the name below.

    A formal letter ("Dear Sir", 尊敬的领导) without an end goes to the next blank line.
    """
    begins = (place for place, line in enumerate(lines) if _LETTER_BEGINS.match(line) or _FORMAL.match(line))
    begin = next(begins, None)
    if begin is None:
        return lines
    ends = (place for place in range(len(lines) - 1, begin, -1) if _LETTER_ENDS.match(lines[place]))
    end = next(ends, None)
    if end is None and _FORMAL.match(lines[begin]):
        blank = (place for place in range(begin + 1, len(lines)) if not lines[place])
        end = next(blank, len(lines)) - 1
        return [*lines[:begin], *lines[end + 1 :]]
    return lines if end is None else [*lines[:begin], *lines[end + 2 :]]


@dataclass(frozen=True)
class _Fiction:
    """A request in a sentence for fiction or for a text in somebody else's voice.

    Attributes:
        read: Normalized sentence, in the form that the rules match.
        begins: Index at which the request begins; None: the sentence has none.
        is_voice: Whether everything after the request is in somebody else's voice; otherwise a tale may follow.
    """

    read: str
    begins: int | None
    is_voice: bool

    @property
    def is_requested(self) -> bool:
        """True if the sentence contains such a request."""
        return self.begins is not None

    @property
    def is_imagined(self) -> bool:
        """True if the sentence begins an invented situation: "let's say I have two kids"."""
        return any(each.imagined.match(self.read) for each in _fictions())

    @classmethod
    def requested_in(cls, sentence: str) -> "_Fiction":
        """Return the request in a sentence of any language."""
        read = simplified(sentence).replace("'", "\u2019")
        if any(each.role.search(read) for each in _fictions()):
            return cls(read, 0, is_voice=True)
        voices = [found.start() for each in _fictions() if (found := each.voice.search(read))]
        tales = [found.start() for each in _fictions() if (found := each.tale.search(read))]
        return cls(read, min(voices + tales, default=None), is_voice=bool(voices))


def _fictions() -> list[Fiction]:
    return [grammar(language).fiction for language in (ENGLISH, CHINESE)]


def _with_whom_it_is_for(text: str) -> str:
    """Replace a pronoun that refers to the recipient of a requested text: "a poem for my wife. She is a nurse"."""
    for each in _fictions():
        read = simplified(text).replace("'", "\u2019")
        for found in reversed(list(each.for_whom.finditer(read))):
            start, end = found.span("pronoun")
            whom = text[slice(*found.span("whom"))]
            named = whom[:1].upper() + whom[1:] if text[start].isupper() else whom
            text = f"{text[:start]}{named}{text[end:]}"
    return text


def _of_bearable_length(sentence: str) -> Iterator[str]:
    """Yield a sentence if it is short enough; otherwise split it before "and I …" and yield the short parts."""
    parts = [sentence] if len(sentence) <= _LONGEST_SENTENCE else _RUNS_ON.split(sentence)
    yield from (part for part in parts if len(part) <= _LONGEST_SENTENCE)


def _before_a_brought_text(sentence: str, *, is_item: bool) -> tuple[str, bool]:
    """Return the author's own part of a sentence, and whether a pasted text follows it."""
    found = (_BRINGS_TEXT.search(sentence), _BRINGS_TEXT_ZH.search(simplified(sentence)))
    begins = [match.start() for match in found if match]
    begins += [
        colon.start()
        for colon in islice(_ANNOUNCED.finditer(sentence), 1)
        if _is_anothers(colon, is_item=is_item)
    ]
    return (sentence[: min(begins)].strip(), True) if begins else (sentence, False)


def _is_anothers(colon: re.Match[str], *, is_item: bool) -> bool:
    """Tell whether the label before a colon announces another person's words."""
    label = colon.string[max(0, colon.start() - _LABEL_CHARS) : colon.start()]
    is_of_the_author = is_item or _BEGINS_WITH_I.match(label)
    return not _OWN_NOTE.search(label) and not (is_of_the_author and not _BROUGHT_WORD.search(label))


def _without_speech(match: re.Match[str]) -> str:
    """Return a quoted term unchanged, and a space for quoted speech."""
    quoted = next(group for group in match.groups() if group is not None)
    is_term = len(quoted.split()) <= _TERM_WORDS and not _PERSON.search(quoted)
    return match[0] if is_term else " "
