"""What a message tells of its author, read by rules alone: precise rather than greedy."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.capture.statements import third_person
from graph.conversations.extraction.facts import (
    BROAD,
    EXPLICIT,
    HEDGED,
    INFERRED,
    Category,
    Fact,
    Polarity,
    Subject,
    collapsed,
    distinct,
    statement_of,
    trimmed,
)
from graph.conversations.extraction.keywords import keywords_of
from graph.conversations.extraction.own_words import own_sentences
from graph.conversations.extraction.patterns import MAX_EXTRACTION_TEXT_LENGTH, extract_facts
from graph.conversations.extraction.phrasing import USER, render_about, render_about_zh
from graph.conversations.extraction.requests import kept_statement, standing_request, standing_request_zh
from graph.conversations.extraction.rules import CHINESE, ENGLISH, Grammar, Rule, grammar

MOST_FACTS = 5
"""How many facts one message gives at most, the surest first: a few good ones are wanted, not ten fragments."""
_HAN = re.compile(r"[\u4e00-\u9fff]")
_CLAUSE = re.compile(
    r"(?:[,;]\s{0,9}|\s{1,9})(?:and|but|so|because|although|though|since|while)\s+(?=(?:I|my|we|our)\b)"
    r"|;\s+|\s{1,9}[\u2013\u2014-]\s+|,\s+(?=(?:I|my|we|our)\b)",
    re.IGNORECASE,
)
_AND_PLEASE = re.compile(
    r",\s{1,9}(?:and|but)\s{1,9}(?P<request>(?:please\b|(?:always|never)\b(?=.{0,200}\bplease\b)).+)",
    re.IGNORECASE,
)
_CLAUSE_ZH = re.compile(r"[\uff0c,\uff1b;]\s*")
_OBJECT_ENDS = re.compile(
    r"[,;:]\s+(?:but|so|because|since|as|though|although|which|who|even|especially|thanks|thank you|please|not|"
    r"rather|if|when|while|whereas|unless|and|or|okay|ok|right)\b(?s:.*)|\sbecause\b(?s:.*)",
    re.IGNORECASE,
)
_YOU = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
_REPORTS = (
    r"(?:said|says|say|told \w+|tells \w+|wrote|writes|replied|replies|answered|asked|asks|thinks|thought|claims|"
    r"claimed|insists|insisted|joked|jokes|added|shouted|whispered|goes|went on)"
)
# A clause that ends so is followed by what another one says, unless the speaker says so of himself.
_SAYS = re.compile(rf"^(?!(?:as )?(?:I|we)\b).*\b{_REPORTS}\s*:?$", re.IGNORECASE)
_SAYS_ZH = re.compile(
    r"^(?!我们?(?:刚|之前|已经)?说).*(?:说|说道|问|问道|告诉我|写道|回答|认为|觉得|表示|回复)\s*[\uff1a:]?$"
)
# Words whose speaker is named behind them: "…, said Bob".
_SAID_BY = re.compile(
    rf",\s+(?:{_REPORTS}\s+(?!I\b|we\b)[\w .'\u2019-]{{1,40}}"
    rf"|(?!I\b|we\b)[\w'\u2019-]{{1,30}}(?: [\w'\u2019-]{{1,30}})?\s+{_REPORTS})[.!]?$",
    re.IGNORECASE,
)
_IF = re.compile(r"\bif (?!not\b)", re.IGNORECASE)
_WOULD = re.compile(r"(?:I|we)(?:\u2019d|\s+(?:would|could|might))\b", re.IGNORECASE)
# How an assistant begins to say what the user is like; what it advises, assumes or offers is none of that.
_OF_YOU = re.compile(
    r"(?!.*\b(?:if|when|whether|unless|should|suppose|in case)\b)"
    r"(?:[^,;:]{0,60}[,;:]\s+)?(?:(?:so|and|as|I\s+see|I\s+know|I\u2019ll\s+remember|noted)\s+(?:that\s+)?)?"
    r"(?:you\s+(?:told\s+me|mentioned|said)\s+(?:that\s+)?)?"
    r"(?=you\s+(?:really\s+|also\s+|still\s+)?(?:prefer|like|love|enjoy|dislike|hate|avoid|live|work|(?:don\u2019?t|do\s+not)\s+"
    r"(?:like|enjoy|eat|drink))\b|you(?:\s+are|\u2019re)\s+(?:not\s+)?(?:allergic|vegan|vegetarian|married|based|an?\s)|"
    r"your\s+(?:name|birthday|favou?rite)\b)",
    re.IGNORECASE,
)
_OF_YOU_ENDS = re.compile(r",\s+(?:so|and|but|which|I)\b|\s+(?:so|but)\s+(?=I\b)", re.IGNORECASE)
_AS_SAID_BY_YOU = [
    (re.compile(rf"\b{old}\b", re.IGNORECASE), new)
    for old, new in (
        (r"you\u2019re", "I\u2019m"),
        (r"you\s+are", "I am"),
        (r"your", "my"),
        (r"yours", "mine"),
        (r"yourself", "myself"),
        (r"you", "I"),
    )
]
_MOST_LEAD_INS = 4


@dataclass(frozen=True)
class FoundFacts:
    """A fact, and the message that tells it."""

    fact: Fact
    message: Message

    @property
    def is_concluded(self) -> bool:
        """Whether it is an assistant that says it of the user."""
        return self.fact.subject is Subject.USER and self.message.role is MessageRole.ASSISTANT

    @property
    def teller_id(self) -> str | None:
        """The user who tells it of themselves; None: nobody who is known by an id."""
        is_own = self.fact.subject is Subject.USER and not self.is_concluded
        return self.message.author_id if is_own else None


def found_in(messages: Iterable[Message], least: float) -> list[FoundFacts]:
    """Return what messages tell that is sure enough, each fact of each author once, as it was told last."""
    found: dict[tuple[str | None, str], FoundFacts] = {}
    for message in messages:
        for fact in facts_in_message(message.content or "", role=message.role, speaker=message.speaker):
            if fact.confidence >= least:
                new = FoundFacts(fact, message)
                name = (new.teller_id, fact.key)
                if name not in found or found[name].is_concluded or not new.is_concluded:
                    found[name] = new
    return list(found.values())


def facts_in_message(text: str, *, role: MessageRole | None, speaker: str | None) -> list[Fact]:
    """Return what a message tells of whoever wrote it, the surest first.

    Of a person all that the rules know is looked for; of an assistant only what the reference does, told of it and not
    of the user, and what it says of him, both as less sure. What the system and tools say tells nothing of anybody.

    Args:
        text: Markdown, as it was said; injected memory is passed over.
        role: None for a person among persons.
        speaker: Whom the facts are about by name; None or a role: the user.
    """
    if role in (MessageRole.SYSTEM, MessageRole.TOOL):
        return []
    read = text[-MAX_EXTRACTION_TEXT_LENGTH:]
    found = _of_assistant(read) if role is MessageRole.ASSISTANT else _of_person(read, _subject(speaker))
    kept = sorted(distinct(found), key=lambda fact: -fact.confidence)[:MOST_FACTS]
    return [replace(fact, keywords=keywords_of(fact.content)) for fact in kept]


def _subject(speaker: str | None) -> str | None:
    """Return a speaker's name; None for one who is only known by his part."""
    return None if speaker is None or speaker.lower() in set(MessageRole) else speaker


def _of_person(text: str, subject: str | None) -> Iterator[Fact]:
    for sentence in own_sentences(text):
        if _HAN.search(sentence):
            yield from _chinese(sentence, subject)
        else:
            yield from _english(sentence.replace("'", "\u2019"), subject)


def _of_assistant(text: str) -> Iterator[Fact]:
    """Yield what the reference finds in an assistant's own words, as the assistant's, and what it says of the user."""
    english = grammar(ENGLISH)
    for sentence in own_sentences(text):
        if sentence.endswith(("?", "\uff1f")):
            continue
        if _YOU.search(sentence):
            yield from _concluded(sentence.replace("'", "\u2019"))
            continue
        for fact in extract_facts(sentence, subject=Subject.ASSISTANT):
            if not english.vague.match(fact.object or "") and not english.passing.search(sentence):
                yield replace(fact, confidence=INFERRED)


def _concluded(sentence: str) -> Iterator[Fact]:
    """Yield what an assistant says of the user, "you prefer tea": read as if he had said it, and less sure."""
    match = _OF_YOU.match(sentence)
    if match is None:
        return
    said = _OF_YOU_ENDS.split(sentence[match.end() :])[0]
    for old, new in _AS_SAID_BY_YOU:
        said = old.sub(new, said)
    if _YOU.search(said) is None:
        yield from (replace(fact, confidence=min(fact.confidence, INFERRED)) for fact in _english(said, None))


def _english(sentence: str, subject: str | None) -> Iterator[Fact]:
    rules = grammar(ENGLISH)
    stated = _without_lead_ins(sentence, rules)
    if _SAID_BY.search(stated):
        return
    if keep := rules.requests.keep.match(stated):
        asked = stated[keep.end() :]
        yield from _kept(asked.rstrip("?") if _YOU.search(keep[0]) else asked, rules, subject)
        return
    if subject is None and (request := standing_request(stated, rules.requests)):
        yield request
        return
    if subject is None and (also := _AND_PLEASE.search(stated)):
        yield from _english(stated[: also.start()], subject)
        yield from _english(also["request"], subject)
        return
    if rules.together and (both := rules.together.match(stated)):
        other = third_person(both["first"] or both["second"])
        yield from _of_two(f"we {stated[both.end() :]}", subject, other)
        return
    if stated.endswith("?"):
        yield from _asked_about(stated, rules, subject)
        before = rules.request.sub("", stated)
        stated = before if before != stated else ""
    clauses = (
        trimmed(rules.request.sub("", _without_lead_ins(part, rules)))
        for part in _asserted(_CLAUSE.split(stated))
    )
    is_conditional = _IF.search(stated) is not None
    read = (
        _read(clause, rules, subject)
        for clause in clauses
        if clause and not rules.unreal.match(clause) and not (is_conditional and _WOULD.match(clause))
    )
    yield from _joined([fact for fact in read if fact is not None], subject or USER)


def _of_two(sentence: str, subject: str | None, other: str) -> Iterator[Fact]:
    """Yield what two people do as a fact of the one who says so: "The user (and their wife) lives in Oslo"."""
    who = subject or USER
    for fact in _english(sentence, subject):
        yield replace(fact, content=fact.content.replace(f"{who} ", f"{who} (and {other}) ", 1))


def _kept(sentence: str, rules: Grammar, subject: str | None) -> Iterator[Fact]:
    """Yield what somebody asks to be remembered, surely, whatever it is about."""
    read = _chinese if _HAN.search(sentence) else _english
    found = [replace(fact, confidence=max(fact.confidence, EXPLICIT)) for fact in read(sentence, subject)]
    yield from found
    says_no_more = (
        sentence.endswith(("?", "\uff1f"))
        or rules.dangling.search(trimmed(sentence))
        or rules.passing.search(sentence)
    )
    statement = None if found or says_no_more else kept_statement(sentence, subject)
    if statement is not None and statement.is_bearable:
        yield statement


def _asserted(clauses: Sequence[str]) -> Iterator[str]:
    """Yield the clauses up to one after which somebody else is speaking: "my sister said, I love tea"."""
    for clause in clauses:
        yield clause
        if _SAYS.search(clause):
            return


def _joined(facts: Sequence[Fact], subject: str) -> list[Fact]:
    """Make one fact of neighbouring clauses of a sentence that are about the same."""
    joined: list[Fact] = []
    for fact in facts:
        last = joined[-1] if joined else None
        if last and _are_about_the_same(last, fact):
            also = fact.content.removeprefix(f"{subject} ").replace(f"{subject}'s", "their", 1)
            confidence = min(last.confidence, fact.confidence)
            whole = f"{last.content} and {also}"
            joined[-1] = statement_of(fact.category, whole, fact.polarity, confidence=confidence)
        else:
            joined.append(fact)
    return joined


def _are_about_the_same(one: Fact, other: Fact) -> bool:
    return (
        one.category is other.category
        and one.polarity is other.polarity
        and one.object is None
        and other.object is None
    )


def _asked_about(question: str, rules: Grammar, subject: str | None) -> Iterator[Fact]:
    """Yield what somebody works with who asks how to do something with it."""
    match = rules.asked_about.search(question) if rules.asked_about else None
    if match is not None:
        predicate = rules.asked_about_told.format(object=match["object"])
        yield statement_of(Category.CAREER, f"{subject or USER} {predicate}", confidence=INFERRED)


def _read(clause: str, rules: Grammar, subject: str | None) -> Fact | None:
    """Return what the first rule that a clause begins with makes of it, unless what it is about is vague."""
    hedge = rules.hedged.search(clause)
    bare = trimmed(clause[hedge.end() :]) if hedge and hedge.start() == 0 else clause
    if rules.dangling.search(bare) or rules.passing.search(bare):
        return None
    for rule in rules.rules:
        if match := rule.begins.match(bare):
            about = match.groupdict().get("object")
            if about is not None and rules.vague.match(about.strip()):
                return None
            doubts = [HEDGED] * (hedge is not None) + [BROAD] * (_YOU.search(bare) is not None)
            is_negated = rules.negated.match(bare) is not None
            fact = _fact(
                bare, about, _denied(rule, is_negated=is_negated), subject, min([rule.confidence, *doubts])
            )
            return fact if fact.is_bearable else None
    return None


def _denied(rule: Rule, *, is_negated: bool) -> Rule:
    """Return a rule as it reads a clause that denies what it says."""
    return replace(rule, polarity=Polarity.NEGATIVE) if is_negated else rule


def _fact(clause: str, about: str | None, rule: Rule, subject: str | None, confidence: float) -> Fact:
    sentence = collapsed(render_about(clause.replace("\u2019", "'"), subject or USER))
    if not rule.is_captured or about is None or subject is not None:
        return statement_of(rule.category, sentence, rule.polarity, confidence=confidence)
    about = collapsed(trimmed(_OBJECT_ENDS.sub("", about))).replace("\u2019", "'")
    return Fact(rule.category, sentence, rule.polarity, confidence, about)


def _chinese(sentence: str, subject: str | None) -> Iterator[Fact]:
    rules = grammar(CHINESE)
    rest = _without_lead_ins(sentence.strip(), rules)
    if keep := rules.requests.keep.match(rest):
        yield from _kept(rest[keep.end() :], rules, subject)
        return
    if subject is None and (request := standing_request_zh(rest, rules.requests)):
        yield request
        return
    if rules.unreal.search(rest.rstrip("\u3002")):
        return
    while rest:
        stated = trimmed(rules.request.sub("", rest))
        if stated.endswith(("?", "\uff1f")):
            return
        if found := _read_chinese(stated, rules, subject):
            yield found
            return
        parts = _CLAUSE_ZH.split(rest, maxsplit=1)
        if _SAYS_ZH.search(parts[0]):
            return
        rest = parts[1] if len(parts) > 1 else ""


def _read_chinese(stated: str, rules: Grammar, subject: str | None) -> Fact | None:
    if rules.dangling.search(stated):
        return None
    for rule in rules.rules:
        match = rule.begins.match(stated)
        if match is None:
            continue
        about = match.groupdict().get("object")
        if about is not None and rules.vague.match(about):
            return None
        is_sure = not rules.hedged.search(stated) and not rules.passing.search(stated)
        confidence = rule.confidence if is_sure else min(rule.confidence, HEDGED)
        polarity = Polarity.NEGATIVE if rules.negated.search(stated) else rule.polarity
        fact = statement_of(rule.category, render_about_zh(stated, subject), polarity, confidence=confidence)
        return fact if fact.is_bearable else None
    return None


def _without_lead_ins(sentence: str, rules: Grammar) -> str:
    """Return a sentence without what people begin with before they say something: "Okay, so, by the way,"."""
    for _ in range(_MOST_LEAD_INS):
        match = rules.lead_in.match(sentence)
        if match is None or match.end() == len(sentence):
            break
        sentence = sentence[match.end() :].lstrip()
    return sentence
