"""Facts from Chinese sentences: splits them into statements by subject, with conditions and corrections."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from graph.conversations.extraction.facts import (
    BROAD,
    HEDGED,
    Fact,
    Polarity,
    fact_key,
    statement_of,
    trimmed,
)
from graph.conversations.extraction.phrasing import END_ZH, render_fact_zh
from graph.conversations.extraction.requests import standing_request_zh
from graph.conversations.extraction.rules import CHINESE, ClausePatterns, Grammar, Rule, grammar
from graph.core.text.language import HAN
from graph.core.text.normal_forms import simplified

# Separators of clauses: commas, except between digits, and "我" after a space or a conjunction such as "但".
_MARK = re.compile(
    r"((?:[\uff0c\uff1b;]|(?<!\d),|,(?!\d))\s{0,9}|\s{1,9}(?=我|本人)|(?=(?:但是?|可是|不过|(?<![然因反从])而)(?:我|本人)))"
)
# What a question about oneself asks for: "我搬到哪里了?". Without a question mark, 什么 also means "anything".
_ASKS_FOR_A_VALUE = re.compile(
    r"哪(?!怕)|什么(?!都|也)|谁(?!都|也)|几[岁只个年月天次点号]|多[少久大长远高重]"
)
_ASKS_UNMARKED = re.compile(
    r"哪(?!怕|[里儿个些]?(?:都|也))|多[久大]|什么(?:时候|名字|牌子|颜色|型号|专业|公司)的?[了呢]?[。.]?$"
)
# Question words that mean "any" or "every" before 都 and 也: "我哪天都在公司", "我什么水果都吃".
_ANY = re.compile(
    r"哪(?P<each>一?(?:天|年|周|月|回|次|[个個]|家|[种種]|款|部|本|位|样|門|门|道|首|座|支|只|件|[条條]|[项項])"
    r"[^我你您他她它们們\uff0c,。\uff1b;\uff1f?\uff01!都也]{0,5})(?:都|也)"
    r"|(?P<place>哪[里裡儿兒])(?=都|也)|(?P<who>[谁誰])(?=都|也|的[^\uff0c,。\uff1f?\uff01!都也]{1,4}[都也])"
    r"|(?P<time>什[么麼][时時]候)(?=都|也)"
    r"|(?P<what>什[么麼])(?=(?!时|時|的)[^我你您他她它们們\uff0c,。\uff1b;\uff1f?\uff01!都也]{1,5}[都也])"
)
_ANY_WORDS = {"place": "任何地方", "who": "任何人", "time": "一直", "what": "任何"}
_ENDS_AS_QUESTION = re.compile(r"(?:[?\uff1f]|[吗嗎呢]|来着|來著)[。.!\uff01?\uff1f]*\s*$")
_QUESTION = re.compile(r"(?:[?\uff1f]|[吗呢])[?\uff1f]?$")
_SENTENCE_WITHIN = re.compile(rf"(?<=[?\uff1f!])(?=[{HAN}])")
# A subject that looks like a statement without one: "住在杭州的人真幸福", "会说话的狗".
_NOUN_PHRASE = re.compile(
    r"[^\uff0c,]{1,16}?的(?:人|家伙|朋友|同学|同事|学生|孩子|女生|男生|老板|公司|家庭|城市|地方)"
    r"(?=都|真|很|太|也|不|会|是|有|应|比|最|才|就|一般|通常|多|少|更|容易|压力|身体|怎)"
    r"|(?:会说(?:话|人话)|吃素|单身|离婚|怀孕|恐高)的"
)
_YOU = re.compile(r"[你您]")
_SELF = re.compile(r"(?:我们?|本人)")
_STATED = re.compile(r"是|叫|姓|在|到|自")
_COUNT = re.compile(r"([\d.,一二两三四五六七八九十百千万]+)\s?([个只条位名岁块元斤年月日号点楼次]?)")
_WEEKDAY = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天])")
# An apology followed by another value corrects the statement before it.
_SORRY = re.compile(
    r"(?:^|(?<=[\uff0c,。\uff1b;\s]))(?:抱歉|不好意思|对不起|等等|等一下)[\uff0c,]\s{0,9}(?=(?:应该)?(?:是(?!不是|[^\uff0c,。]{0,8}(?:忘|没|晚|输入))|叫(?!什么)|住?在(?![吗忙]|开会))(?![我你您他她这那])|[说打写搞记]错)"
)
# "不，不严重" is an answer rather than a correction.
_DECLINES = re.compile("不[\uff0c,].*[我别用没不它他她谢行可]")
_IS = re.compile(r"^(?:应该|應該)?(?:是|叫|在)?")
# Words of a complete statement; a correction with only a name or noun has none of them.
_SAYS_MORE = re.compile(
    r"[是叫姓在到自住去来有做当搬会想要养吃喝买用没不别请谢很真太的了过着我你您他她它]|现在|[以之]前|曾经|[今明后前]年|小时候|最近|目前"
)
_PRONOUN = re.compile("[我你您他她它谁]|本人|咱")
_NOW = re.compile(r"(?:现在|目前|如今|最近)[\uff0c,\s]*")
_OF_ANOTHER = re.compile(r"[我你您他她它]")
# Words of a complaint about the assistant's answer.
_TO_LISTENER = re.compile(r"[你您谢这那请别]|不要|答案|回答|刚才|上面")
_STATEMENT_AFTER = re.compile(r"[\uff0c,;\uff1b]\s{0,9}(?=(?:因为|毕竟|其实|另外|还有)?(?:我|本人))")


@dataclass
class _Statement:
    """The statements about one subject.

    Attributes:
        front: Text before the subject, such as a time or a condition.
        clauses: Clauses, each with the separator before it.
        is_own: Whether the subject is the speaker or something of theirs.
        is_over: Whether no further clause belongs to this subject.
    """

    front: str = ""
    clauses: list[tuple[str, str]] = field(default_factory=list)
    is_own: bool = False
    is_over: bool = False

    @property
    def is_statement(self) -> bool:
        """True if there is a statement about the speaker or something of theirs."""
        return self.is_own and bool(self.clauses)

    @property
    def text(self) -> str:
        """The clauses with the separators between them."""
        first = self.clauses[0][0] if self.clauses else ""
        return "".join(mark + clause for mark, clause in self.clauses).removeprefix(first)

    def add(self, mark: str, clause: str, request: re.Pattern[str]) -> None:
        """Add a clause up to a request in it; nothing after a request belongs to this subject."""
        if self.is_over:
            return
        if cut := request.search(simplified(clause)):
            self.is_over = True
            clause = clause[: cut.start()]
        if clause:
            self.clauses.append((mark, clause))


def facts_in_chinese(sentence: str, subject: str | None) -> Iterator[Fact]:
    """Yield the facts that a sentence states about its speaker.

    Args:
        sentence: Sentence without lead-ins.
        subject: Name of the speaker; None: the user.
    """
    rules = grammar(CHINESE)
    sentence = _SORRY.sub("不对\uff0c", sentence)
    for part in _SENTENCE_WITHIN.split(sentence):
        clauses = _clauses(part)
        request_begins = _request_at(clauses, rules) if subject is None else len(clauses)
        for statement in _statements(clauses[:request_begins], rules, _clause_patterns(rules)):
            fact = _read(statement, rules, subject)
            if fact is not None:
                yield fact
        requested = "".join(mark + clause for mark, clause in clauses[request_begins:])
        requested, after = split_request(requested)
        request = standing_request_zh(trimmed(requested), rules.requests) if requested else None
        if request is not None:
            yield request
        if after:
            yield from facts_in_chinese(after, subject)


def split_request(text: str) -> tuple[str, str]:
    """Split a request from the speaker's statement about themselves after it, which may be empty."""
    match = _STATEMENT_AFTER.search(simplified(text))
    return (text[: match.start()], text[match.end() :]) if match else (text, "")


def continues_correction(sentence: str) -> bool:
    """Tell whether a sentence corrects the previous one: "不对，是8000"."""
    plain = simplified(sentence)
    corrected = _clause_patterns(grammar(CHINESE)).corrected.match(_SORRY.sub("不对\uff0c", plain))
    return corrected is not None and _DECLINES.match(plain) is None


def _clause_patterns(rules: Grammar) -> ClausePatterns:
    assert rules.clauses is not None  # noqa: S101 - chinese.toml has them
    return rules.clauses


def _clauses(sentence: str) -> list[tuple[str, str]]:
    """Return the clauses of a sentence, each with the separator before it."""
    bare = END_ZH.sub("", sentence.strip())
    parts = ["", *_MARK.split(bare)]
    return [(mark, clause) for mark, clause in zip(parts[::2], parts[1::2], strict=True) if clause]


def _request_at(clauses: Sequence[tuple[str, str]], rules: Grammar) -> int:
    """Return the index of the clause that begins a standing request after a statement.

    Return the number of clauses if there is none.
    """
    for place, (_, clause) in enumerate(clauses):
        plain = simplified(clause)
        if place and (rules.requests.begins.match(plain) or rules.requests.habit.match(plain)):
            return place
    return len(clauses)


def _statements(
    parts: Sequence[tuple[str, str]], rules: Grammar, patterns: ClausePatterns
) -> Iterator[_Statement]:
    """Yield the statements by subject, up to a hypothesis or another person's words."""
    current = _Statement()
    rest = _without_question(parts, rules, patterns)
    while rest:
        mark, clause = rest.pop(0)
        plain = simplified(clause)
        if current.is_statement and (back := patterns.corrected.match(plain)):
            rest[:0] = [(mark, clause[back.end() :])] if back.end() < len(clause) else []
            current = _corrected(current, rest, patterns, is_meant=back["meant"] is not None)
            continue
        if rules.unreal.search(plain) or patterns.others.match(plain):
            break
        if begins := patterns.own.match(plain):
            front = clause[begins.start("front") : begins.end("front")]  # empty if the group is empty
            following = _Statement(_front(current, mark, patterns) + front, is_own=True)
            if current.is_statement:
                yield current
            current, clause = following, clause[begins.end() :]
        current.add(mark, clause, rules.request)
    if current.is_statement:
        yield current


def _front(statement: _Statement, mark: str, patterns: ClausePatterns) -> str:
    """Remove and return a last clause that states a condition of the next statement; empty if there is none."""
    if not statement.clauses or not patterns.condition.fullmatch(simplified(statement.clauses[-1][1])):
        return ""
    return statement.clauses.pop()[1] + (mark or "\uff0c")


def with_any(sentence: str) -> str:
    """Replace question words that mean "any" or "every" in a sentence.

    >>> with_any("我哪天都在公司上班"), with_any("我什么水果都吃")
    ('我每天都在公司上班', '我任何水果都吃')
    >>> with_any("我哪天都在公司吗?")
    '我哪天都在公司吗?'
    """
    if _ENDS_AS_QUESTION.search(sentence):
        return sentence
    return _ANY.sub(
        lambda found: f"每{found['each']}都" if found["each"] else _ANY_WORDS[found.lastgroup or "what"],
        sentence,
    )


def with_subject(sentence: str) -> str:
    """Put 我 before a sentence that leaves its speaker out.

    >>> with_subject("吃素七年了"), with_subject("他吃素"), with_subject("吃素好吗?")
    ('我吃素七年了', '他吃素', '吃素好吗?')
    """
    plain = simplified(sentence)
    first = _MARK.split(plain)[0]
    is_told = not (_PRONOUN.search(first) or _QUESTION.search(first) or _NOUN_PHRASE.match(first))
    return f"我{sentence}" if is_told and _clause_patterns(grammar(CHINESE)).unsaid.match(plain) else sentence


def _without_question(
    parts: Sequence[tuple[str, str]], rules: Grammar, patterns: ClausePatterns
) -> list[tuple[str, str]]:
    """Return the clauses without a question at the end; none if it is a tag question about all of them."""
    rest = list(parts)
    if rest and _ASKS_UNMARKED.search(simplified(rest[-1][1])):
        return rest[:-1]
    if not rest or not _QUESTION.search(rest[-1][1]):
        return rest
    mark, last = rest.pop()
    plain = simplified(last)
    if patterns.tag.search(plain):
        return []
    if _ASKS_FOR_A_VALUE.search(plain):
        return rest
    cut = rules.request.search(plain)
    if cut and cut.start() and patterns.own.match(plain):
        rest.append((mark, last[: cut.start()]))
    return rest


def _corrected(
    statement: _Statement, rest: list[tuple[str, str]], patterns: ClausePatterns, *, is_meant: bool
) -> _Statement:
    """Apply the correction at the beginning of ``rest``; drop the statement if the corrected value is unclear.

    A clarification, "我是说", and a complaint about an answer drop nothing.
    """
    while len(rest) > 1 and patterns.corrected.fullmatch(simplified(rest[0][1])):
        rest.pop(0)
    if not rest or patterns.own.match(simplified(rest[0][1])):
        return statement if is_meant else _Statement(front=statement.front)
    value = _IS.sub("", rest.pop(0)[1])
    right = [] if statement.is_over else _put_right(statement.clauses, value)
    if right:
        return _Statement(front=statement.front, clauses=right, is_own=True)
    if statement.is_over or is_meant or _TO_LISTENER.match(simplified(value)):
        statement.is_over = True
        return statement
    own = _SELF.match(statement.text)
    is_of_another = patterns.whose.match(simplified(statement.text)) or _OF_ANOTHER.search(simplified(value))
    if own is None or is_of_another or len(statement.clauses) > 1:
        return _Statement()
    return _Statement(clauses=[("", own[0] + value)], is_own=True)


def _put_right(clauses: Sequence[tuple[str, str]], value: str) -> list[tuple[str, str]]:
    """Return the clauses with a new value in the last one; an empty list if that has no such value."""
    mark, last = clauses[-1]
    if count := _COUNT.fullmatch(simplified(value)):
        alike = [
            each for each in _COUNT.finditer(simplified(last)) if not count[2] or each[2] in (count[2], "")
        ]
        if not alike:
            return []
        wrong = alike[-1]
        tail = last[wrong.end() if count[2] else wrong.start(2) :]
        return [*clauses[:-1], (mark, last[: wrong.start()] + value + tail)]
    days = list(_WEEKDAY.finditer(last))
    if (day := _WEEKDAY.fullmatch(value)) and len(days) == 1:
        return [*clauses[:-1], (mark, last[: days[0].start(1)] + day[1] + last[days[0].end() :])]
    stated = [match.end() for match in _STATED.finditer(last)]
    if not stated or len(clauses) > 1 or _SAYS_MORE.search(simplified(value)):
        return []
    return [(mark, last[: stated[-1]] + value)]


def _read(statement: _Statement, rules: Grammar, subject: str | None) -> Fact | None:
    patterns = _clause_patterns(rules)
    body = trimmed(END_ZH.sub("", statement.text))
    plain = simplified(body)
    if rules.dangling.search(plain) or not body:
        return None
    is_self = patterns.whose.match(plain) is None and _SELF.match(plain) is not None
    sentence = _with_front(statement.front, body) if is_self else statement.front + body
    for read in dict.fromkeys((plain, simplified(sentence), simplified(statement.front + body))):
        predicate = rules.together.sub(r"\g<first>", read, count=1) if rules.together else read
        for rule in rules.rules:
            if match := rule.begins.match(predicate):
                about = match.groupdict().get("object")
                if about is not None and rules.vague.match(about):
                    return None
                is_limited = statement.front and not _NOW.fullmatch(simplified(statement.front))
                known_by = about if rule.is_captured and subject is None and not is_limited else None
                return _fact(rule, predicate, sentence, rules, subject, about, known_by)
    return None


def _with_front(front: str, body: str) -> str:
    """Move the front after the subject: "小时候我喜欢糖" becomes "我小时候喜欢糖"."""
    match = _SELF.match(body)
    if match is None or _SELF.match(front):
        return front + body
    own = match[0]
    return own + front + body[len(own) :]


def _fact(
    rule: Rule,
    predicate: str,
    sentence: str,
    rules: Grammar,
    subject: str | None,
    about: str | None,
    known_by: str | None,
) -> Fact | None:
    first = _MARK.split(predicate)[0]
    is_sure = not any(
        doubt.search(predicate)
        for doubt in (rules.passing, rules.doubtful, rules.momentary)
        if doubt is not None
    ) and not (rules.hedged.search(first) or (about and rules.at_hand.match(about)))
    doubts = [HEDGED] * (not is_sure) + [BROAD] * (_YOU.search(first) is not None)
    polarity = Polarity.NEGATIVE if rules.negated.match(predicate) else rule.polarity
    confidence = min([rule.confidence, *doubts])
    fact = statement_of(rule.category, render_fact_zh(sentence, subject), polarity, confidence=confidence)
    if known_by is not None:
        fact = replace(fact, key=fact_key(rule.category, known_by))
    return fact if fact.is_bearable else None
