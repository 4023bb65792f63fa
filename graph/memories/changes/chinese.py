"""Reads Chinese texts for statements about slots, by the wordings of ``chinese.toml``."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.normal_forms import simplified
from graph.memories.changes.slots import SELF, SlotStatement, canonical_value, known_place, last_day

TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.changes", "chinese.toml")
_PART = re.compile(r"<([A-Z_]+)>")
_SENTENCES = re.compile(r"[^\u3002\uff01!\uff1f?\n]+[\u3002\uff01!\uff1f?]?")
_CLAUSES = re.compile(r"[^\uff0c,\uff1b;]+")
_QUOTES = re.compile(r"[“”\"「」《》『』]")
OF_PEOPLE = frozenset(("home", "employer", "role", "manager", "spouse", "project", "phone", "e-mail"))
_NAMED_PRODUCT = re.compile(r"(.*[\u4e00-\u9fff])([a-z][\w.+#-]*)$")
_MENTIONED = re.compile(r"(?:把|帮|给|替|让|跟|和)([^，,]{1,8})")
_BEFORE_VERB = re.compile(
    r"([^，,。]{2,12}?)(?:发布|升级|更新|的|监听|用|跑|由|换|改|现在|已|冲突|太|老是|被|从|是|在|归|有)"
)
_THIS = re.compile(
    r"^[这那](?!个?(?:月|周|星期|礼拜|季度|学期|年))(?:一)?[辆套台个只部本条艘架座间块份栋家]?(?=.)"
)
_TYPE = re.compile(r"(?<=.)(?:的)?(?:版本号?|端口号?)$")
_LOOK = re.compile(r"^(?:[^的]{1,3}色|崭?新|旧|二手)的?(?=..)|(?<=..)(?:里面?|中|上|内)$")
_GENERIC = re.compile(r"(?<=..)(?:服务|模块|系统|应用|组件|仓库|平台)$")
TO_PLAIN = str.maketrans({"\uff08": "(", "\uff09": ")", "\uff20": "@", "\u3000": " ", "\t": " "})


def written_out(wording: str) -> str:
    """Return a wording with its named parts expanded."""
    return _PART.sub(lambda found: f"(?:{written_out(str(TABLE['parts'][found[1]]))})", wording)


def cue(name: str) -> re.Pattern[str]:
    """Return the pattern of a cue of the table."""
    return re.compile(written_out(str(TABLE[name])))


def _of_subjects(name: str) -> re.Pattern[str]:
    return re.compile(written_out(str(TABLE["subjects"][name])))


def lasting_beside(text: str, stated: Collection[str]) -> bool:
    """Tell whether a clause without any of the given words states something lasting.

    >>> lasting_beside("我住在慕尼黑，对青霉素过敏", ["住在慕尼黑"])
    True
    >>> lasting_beside("我住在慕尼黑，很冷", ["住在慕尼黑"])
    False
    """
    return any(
        _LASTING.search(clause) and not any(each in clause or clause in each for each in stated)
        for sentence in _SENTENCES.findall(simplified(text))
        for clause in _CLAUSES.findall(sentence)
    )


@dataclass(frozen=True)
class _Frame:
    """A wording of a slot; see ``chinese.toml``."""

    pattern: re.Pattern[str]
    slot: str
    says: str
    kind: str
    constant: str
    value_is_subject: bool
    beside: str
    is_weak: bool
    has_possessor: bool


_FRAMES = tuple(
    _Frame(
        re.compile(written_out(wording)),
        entry["slot"],
        entry["says"],
        entry.get("kind", ""),
        entry.get("constant", ""),
        entry.get("value") == "subject",
        entry.get("beside", ""),
        entry.get("weak", False),
        entry.get("possessor", False),
    )
    for entry in TABLE["frames"]
    for wording in entry["words"]
)
ENVIRONMENT, LEAVES_FOR_NOW, OTHERS = cue("environment"), cue("leaves_for_now"), cue("others")
_FICTION, _UNREAL, _LASTING = cue("fiction"), cue("unreal"), cue("lasting")
_PLAN, _NOT_PLAN, _UNMADE, _STAY, _SECOND = (
    cue("plan"), cue("not_plan"), cue("unmade"), cue("stay"), cue("second"),
)  # fmt: skip
_ONE_MORE, _PAST, _NOT_PAST, _MEASURED = cue("one_more"), cue("past"), cue("not_past"), cue("measured")
_BESIDE = {name: cue(name) for name in ("done", "left", "moved", "renewed", "turned")}
LEAD = re.compile(f"^{TABLE['subjects']['lead']}")
_TRAIL, _CUT = _of_subjects("trail"), _of_subjects("cut")
_MYSELF, _OF_MINE = _of_subjects("myself"), _of_subjects("of_mine")
_KIN = re.compile(rf"(?:我们?的?|用户的?|咱们?)?({TABLE['parts']['KIN']})")
_PERSON = _of_subjects("person")
_SURNAME = re.compile(
    rf"{TABLE['parts']['SURNAME']}[\u4e00-\u9fff](?:[\u4e00-\u9fff](?=[{TABLE['subjects']['after_name']}])"
    rf"(?<![{TABLE['subjects']['after_name']}])|(?=[{TABLE['subjects']['after_name']}]|$))"
)
_BEGINS_WITH_MYSELF = re.compile(r"(?:我|用户|咱|俺|本人)(?:们)?(?![的家妈爸哥弟姐妹老])")
_DENIED = re.compile(
    r"(?:(?<!不得)不|没有?|未|并非|未曾|从未)(?:是|再|怎么|太|都|常|一直|喜欢|习惯|爱|愿意?|打算){0,3}$"
)
_EXPERIENCED = re.compile(r"过(?!年|日子|去|来|节|得)")
# "I have a friend who …": what follows is about the friend.
_INTRODUCED = re.compile(
    r"(?:有|认识|遇到|遇见|碰到|见到)了?(?:[一两几三]|好几)?[个位名](?P<person>(?:(?!我|用户)[^：:，,]){1,12})$"
)
# Whose number one calls: 找我老婆打…, 我的会计叫小王，电话…
_HELPER = re.compile(written_out("(?:我|用户)们?的?(<HELPER>)"))
_REACHED = re.compile("(?:找|联系|打给|打电话给|致电)(?P<person>[^，,]{1,12})")
_OWNED = re.compile(written_out("(?:我|用户)?们?的?(?P<person><KIN>)的(?:是|为|：|:)"))
_PRESENTED = re.compile(written_out("(?:<HELPER>|<KIN>)(?:叫|是|为)(?P<person>[^，,]{1,12})$"))
_DAY = re.compile(r"(?<!\d)(?:(?P<year>20\d\d)年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]")
_DONE = re.compile("[了过]")
_HALF_A_YEAR = timedelta(days=183)
BY_THEN = re.compile(
    "[以之]?前(?![门海进台端面线])|时(?![代间])|的时候|那(?:[几些]?年|段|会|时)|期间|的人(?!民)"
)
_AT_HAND = re.compile(r"(?:给|我)?(?:手上|手头)?")
_SEVERAL = frozenset(
    "哥 弟 姐 妹 儿子 女儿 朋友 同事 同学 室友 邻居 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹".split()
)
_VERSION_WORDS = frozenset("版本 新版本 版本号".split())
_REASONS = ("为了", "因为", "由于")
_FAMILY = frozenset(("全家", "家", "家里"))
_PRONOUNS = frozenset("他 她 他们 她们".split())
_OF_OBJECT = re.compile(r"把(?!家)")
# Somebody moves a thing, or takes somebody along.
_OF_MOVED = re.compile(
    rf"把(?!我|他|她|你|咱|用户|{_KIN.pattern}|{_PERSON.pattern})|(?:送|陪|载|接)(?:{_KIN.pattern})"
)
_NO_EMPLOYER = cue("no_employer")
_NO_OWNER = re.compile(r"(?:旧|原来?|老|新|qq|QQ|手机|请)*")
_OF_A_NUMBER = re.compile(
    r"(?:的|新|换了?|改了?|换过|有了|最新|现在|[一二三四五六七八九十\d]{1,4}小时|工作上?|启用了?|常用|办公|家里|私人|平时|收[^的，]{1,4}?)+$"
)
_EXTENSION = re.compile(r"分机|总机")
_ENDED_LINE = re.compile(r"[^，,]{0,8}(?:拆|停|注销|销|退|不用)了")
_FEWEST_DIGITS = 5
_MOST_CHARS_OF_A_PERSON = 4
_ENDS_WITH_MYSELF = re.compile(r"(?:我|用户)(?:自己|已经|刚|就|也|都|现在|又|被|终于|正式)*$")
_IS_MYSELF = re.compile(
    rf"(?<![跟和与同给向对被把让帮请])(?:我|用户)(?!们?的?(?:{_KIN.pattern}|{_PERSON.pattern}|[\u4e00-\u9fff]{{0,3}}的))(?!们(?!都|俩|两))"
)
ONE_FORM = {
    "爸爸": "爸", "老爸": "爸", "父亲": "爸", "妈妈": "妈", "老妈": "妈", "母亲": "妈", "父母": "爸妈",
    "哥哥": "哥", "弟弟": "弟", "姐姐": "姐", "妹妹": "妹", "老弟": "弟", "老姐": "姐", "老妹": "妹", "老哥": "哥",
    "丈夫": "老公", "先生": "老公", "妻子": "老婆", "太太": "老婆", "媳妇": "老婆",
    "男友": "男朋友", "女友": "女朋友", "姑妈": "姑姑", "舍友": "室友", "闺女": "女儿",
    "毕业设计": "毕设",
}  # fmt: skip
_CONTACTS = {
    slot: {name: re.compile(written_out(pattern)) for name, pattern in entry.items()}
    for slot, entry in TABLE["contacts"].items()
}


@dataclass(frozen=True)
class _Found:
    """A statement, and the place of its clause and of its words in a text."""

    statement: SlotStatement
    clause: int
    start: int

    @property
    def rank(self) -> int:
        """Precedence: a change, then an end, then a state."""
        if self.statement.is_change:
            return 1 if self.statement.value is None else 2
        return 0


def statements_in_chinese(text: str, stated_on: date | None) -> Iterator[SlotStatement]:
    """Yield the statements of a text about slots, the last one for each subject and slot."""
    plain = simplified(text).translate(TO_PLAIN)
    if _FICTION.search(plain):
        return
    best: dict[tuple[str, str], tuple[tuple[int, ...], SlotStatement]] = {}
    parts: dict[tuple[int, int], int] = {}
    reader = _Reader(stated_on)
    for number, sentence in enumerate(_SENTENCES.findall(plain)):
        for found in reader.read(sentence):
            stated = found.statement
            key = (stated.subject, stated.slot)
            order = (found.rank, not stated.is_weak, number, found.clause, found.start)
            known = best.get(key)
            if known is None or order > known[0]:
                part = parts.setdefault((number, found.clause), len(parts))
                ended = stated.ended or (known[1].ended if known is not None else None)
                best[key] = (order, replace(stated, part=part, ended=ended))
            elif stated.ended and not known[1].ended:
                best[key] = (known[0], replace(known[1], ended=stated.ended))
    yield from (statement for _, statement in best.values())


class _Reader:
    """Reads the sentences of one text; a clause without a subject has that of the clause before it."""

    def __init__(self, stated_on: date | None) -> None:
        self._stated_on = stated_on
        self._person: str | None = None
        self._thing: str | None = None
        self._mentioned: str | None = None

    def read(self, sentence: str) -> Iterator[_Found]:
        """Yield the statements of a sentence about slots."""
        if _UNREAL.search(sentence):
            self._remember(sentence)
            return
        sentence = sentence.rstrip("\u3002\uff01! ")
        for clause in _CLAUSES.finditer(sentence):
            words = clause[0]
            for frame in _FRAMES:
                for match in frame.pattern.finditer(words):
                    found = self._stated(sentence, words, match, frame)
                    if found is not None:
                        yield _Found(found, clause.start(), match.start())
            for slot in _CONTACTS:
                stated = self._contact(sentence, clause, slot)
                if stated is not None:
                    yield _Found(stated, clause.start(), 0)
            self._remember(words)

    def _remember(self, clause: str) -> None:
        """Remember the subject of a clause for later clauses without one."""
        bare = "" if clause.startswith(_REASONS) else LEAD.sub("", clause.strip())
        told = _INTRODUCED.search(bare)
        if told and len(told["person"]) > _MOST_CHARS_OF_A_PERSON:
            self._person, self._thing = person_at_start(told["person"]), None
            return
        if _BEGINS_WITH_MYSELF.match(bare) and not _KIN.match(bare):
            self._person, self._thing = SELF, None
            return
        person = person_at_start(bare)
        if person:
            self._person, self._thing = person, None
            self._mentioned = person
            return
        mentioned = _MENTIONED.search(clause)
        if mentioned:
            self._mentioned = person_at_start(mentioned[1])
        thing = _BEFORE_VERB.match(bare)
        if thing:
            self._thing = thing_of(thing[1])

    def _stated(
        self, sentence: str, clause: str, match: re.Match[str], frame: _Frame
    ) -> SlotStatement | None:
        groups = {name: found for name, found in match.groupdict().items() if found is not None}
        if _is_void(sentence, clause, frame.slot, is_weak=frame.is_weak) or not _is_of_slot(
            sentence, clause, match, frame
        ):
            return None
        value = groups.get("value") or frame.constant or None
        if not _holds(clause, match, frame) or is_ahead(clause, self._stated_on):
            return None
        is_turned = frame.slot == "role" and _BESIDE["turned"].search(sentence) is not None
        if frame.value_is_subject and "thing" in groups:
            value = self._subject(clause[: match.start()], "owner") or SELF
        subject, of = self._about(clause[: match.start()], match, frame, groups)
        if not subject:
            return None
        ended = _value(frame.slot, groups["ended"]) if "ended" in groups else None
        if (frame.slot, frame.says) == ("owner", "end") and "thing" in groups:
            # who sells a thing sells his own
            ended = person_at_start(LEAD.sub("", clause[: match.start()].strip()))
        return SlotStatement(
            slot=frame.slot,
            subject=subject,
            value=None if value is None else _value(frame.slot, value),
            words=clause.strip(),
            is_change=frame.says != "state" or is_turned,
            of=frame.kind or ("" if frame.slot == "project" else str(TABLE["kinds"].get(of, of))),
            ended=ended,
            until=last_day(clause, self._stated_on),
            is_weak=(frame.is_weak and not is_turned) or (frame.says == "state" and subject in _SEVERAL),
        )

    def _about(
        self, prefix: str, match: re.Match[str], frame: _Frame, groups: Mapping[str, str]
    ) -> tuple[str | None, str]:
        """Return the subject of a wording, and the kind of its value."""
        of = groups.get("of", "").casefold()
        if "thing" in groups:
            subject: str | None = thing_of(groups["thing"])
        elif _names_the_user(prefix, match, frame, groups):
            subject = SELF
        else:
            subject = self._subject(prefix, frame.slot)
        if frame.slot in OF_PEOPLE:
            return subject, of
        if frame.slot != "version":
            return (None if subject == SELF else subject), of
        if subject is None or subject == SELF:
            return of or None, of
        named = None if of else _NAMED_PRODUCT.match(subject)
        return (named[1], named[2]) if named else (subject, of)

    def _subject(self, prefix: str, slot: str) -> str | None:
        """Return the subject of a clause from the words before its verb; None if unclear."""
        is_of_people = slot in OF_PEOPLE
        if is_of_people and not _ENDS_WITH_MYSELF.search(prefix):
            person = _introduced(prefix) or _person_after_lead(prefix)
            if person:
                return person
        bare = _before_verb(prefix.rstrip().removesuffix("现"))
        if (
            bare.endswith(("我", "用户"))
            or _MYSELF.match(bare)
            or (is_of_people and _IS_MYSELF.search(prefix))
        ):
            return self._person or SELF if bare in _FAMILY else SELF
        if not bare or _CUT.match(bare) or (slot == "version" and bare in _VERSION_WORDS):
            return (self._person or SELF) if is_of_people else self._thing or self._person
        if bare in _PRONOUNS:
            return self._mentioned
        if slot == "project" and _AT_HAND.fullmatch(bare):
            return SELF
        return (person_at_start(bare) or _bare(bare)) if is_of_people else thing_of(bare)

    def _contact(self, sentence: str, clause: re.Match[str], slot: str) -> SlotStatement | None:
        """Return the telephone number or address that a clause states for a person."""
        cues = _CONTACTS[slot]
        words = clause[0]
        values = [
            found
            for found in cues["value"].finditer(words)
            if not cues["former"].search(words[: found.start()])
        ]
        before = sentence[: clause.end()]
        if not values or not cues["cue"].search(before) or cues["sent"].search(words):
            return None
        value = values[-1]
        fewest = 0 if slot == "e-mail" or _EXTENSION.search(words) else _FEWEST_DIGITS
        if len(canonical_value(slot, value[0])) < fewest or _is_void(sentence, words, slot):
            return None
        subject = self._contacted(sentence[: clause.start()], words[: value.start()], cues["noun"], slot)
        if subject is None:
            return None
        kind = cues["kind"].search(_ENDED_LINE.sub("", before))
        return SlotStatement(
            slot=slot,
            subject=subject,
            value=canonical_value(slot, value[0]),
            words=sentence.strip(),
            is_change=cues["change"].search(before) is not None,
            of=(kind.lastgroup or "") if kind else "",
            until=last_day(sentence, self._stated_on),
        )

    def _contacted(self, earlier: str, before: str, noun: re.Pattern[str], slot: str) -> str | None:
        """Return the owner of a number or address: the owner of its noun, or the last person."""
        if owned := _OWNED.match(before.strip()):
            return person_at_start(owned["person"])
        clauses = [before, *(() if self._person else reversed(_CLAUSES.findall(earlier)))]
        named = next(((each, found) for each in clauses if (found := noun.search(each))), None)
        prefix = named[0][: named[1].start()] if named else ""
        prefix = _OF_A_NUMBER.sub("", "" if _NO_OWNER.fullmatch(prefix) else prefix)
        if prefix:
            helper = _HELPER.fullmatch(prefix)
            return helper[1] if helper else self._subject(prefix.removeprefix("把"), slot)
        reached = _REACHED.search(before) or _PRESENTED.search(earlier.rstrip("，, "))
        person = person_at_start(reached["person"]) if reached else None
        if person:
            return person
        return SELF if "我" in before else person_at_start(before.strip()) or self._person or SELF


def _before_verb(prefix: str) -> str:
    """Return the noun phrase before a verb, without adverbials of time and manner."""
    bare = _TRAIL.sub("", LEAD.sub("", _THIS.sub("", prefix.strip()))).strip()
    cut = _CUT.search(bare, 1)
    if cut and not _MYSELF.match(bare[cut.end() :]):
        bare = bare[: cut.start()]
    return _TRAIL.sub("", bare)


def _names_the_user(prefix: str, match: re.Match[str], frame: _Frame, groups: Mapping[str, str]) -> bool:
    """Return whether a wording itself names the user as its subject."""
    words = match[0].removesuffix(groups.get("value", ""))
    return (
        "who" in groups
        or (
            frame.slot in OF_PEOPLE
            and "我" in words
            and not (frame.slot == "role" and person_at_start(prefix))
        )
        or (frame.has_possessor and not prefix.rstrip().endswith("的"))
    )


def _holds(clause: str, match: re.Match[str], frame: _Frame) -> bool:
    """Return whether the words before and behind a wording leave it true: 没有住在北京 and 在北京住过 do not."""
    if BY_THEN.match(clause, match.end()):
        return False
    value = match.groupdict().get("value") or ""
    if frame.says == "state" and (
        value[:1] == "过" or value[-1:] == "过" or _EXPERIENCED.match(clause, match.end())
    ):
        return False
    return frame.says == "end" or not _DENIED.search(clause[: match.start()])


def is_ahead(clause: str, stated_on: date | None) -> bool:
    """Return whether a clause names a day within half a year after the statement, and nothing done."""
    found = _DAY.search(clause) if stated_on and not _DONE.search(clause) else None
    if found is None or stated_on is None:
        return False
    day = last_day(f"{found['year'] or stated_on.year}年{found['month']}月{found['day']}日", None)
    return day is not None and timedelta() < day - stated_on < _HALF_A_YEAR


def _is_of_slot(sentence: str, clause: str, match: re.Match[str], frame: _Frame) -> bool:
    """Return whether a wording states its slot, not a moved object or a measurement."""
    if frame.beside and not _BESIDE[frame.beside].search(sentence.replace(match[0], "", 1)):
        return False
    if frame.slot in {"version", "port"}:
        return _MEASURED.search(clause[: match.start()]) is None
    if frame.slot == "employer" and not _is_of_work(clause[: match.start()], match, frame):
        return False
    is_of_object = frame.slot in {"home", "owner"} and "thing" not in match.groupdict()
    return not (is_of_object and _OF_OBJECT.search(clause[: match.start()]))


def _is_of_work(prefix: str, match: re.Match[str], frame: _Frame) -> bool:
    """Return whether a wording names an employer, not a place, a time, a project or a thing that one moves."""
    value = (match.groupdict().get("value") or "").removeprefix("了")
    if frame.says == "change" and (_NO_EMPLOYER.fullmatch(value) or _OF_MOVED.search(prefix)):
        return False
    return not known_place(value)


def _is_void(sentence: str, clause: str, slot: str, *, is_weak: bool = False) -> bool:
    """Return whether a clause changes no slot: a plan, a trip, an addition, the past, or a negated event."""
    if _PLAN.search(_NOT_PLAN.sub("", clause)) or _PAST.search(_NOT_PAST.sub("", clause)):
        return True
    if _UNMADE.search(sentence) or _ONE_MORE.search(clause):
        return True
    return (
        slot in OF_PEOPLE and not is_weak and (_STAY.search(sentence) or _SECOND.search(sentence)) is not None
    )


def _introduced(prefix: str) -> str | None:
    """Return whom words introduce, if they do: 我有个朋友."""
    found = _INTRODUCED.search(prefix)
    return (person_at_start(found["person"]) or _bare(found["person"])) if found else None


def _person_after_lead(prefix: str) -> str | None:
    bare = prefix.strip()
    return person_at_start(bare) or person_at_start(LEAD.sub("", bare))


def person_at_start(text: str) -> str | None:
    """Return the person that a text begins with, in canonical form, if it begins with one."""
    for pattern in () if text.startswith("全家") else (_KIN, _PERSON, _SURNAME):
        found = pattern.match(text)
        if found is None:
            continue
        rest = text[found.end() :]
        if rest.startswith("的") and len(rest) > 1:
            return _bare(text)
        name = found[1] if pattern is _KIN else found[0]
        return ONE_FORM.get(name, name)
    return None


def _bare(text: str) -> str:
    """Return the canonical form of a person or thing, without "my"."""
    bare = _OF_MINE.sub("", text).strip() or text.strip()
    bare = _QUOTES.sub("", bare).replace(" ", "").replace("的", "")
    return ONE_FORM.get(bare, bare).casefold()


def thing_of(text: str) -> str:
    """Return the canonical form of a thing: without articles and the word for its type."""
    bare = _TYPE.sub("", _TRAIL.sub("", LEAD.sub("", _THIS.sub("", text.strip()))))
    return _GENERIC.sub("", _bare(_LOOK.sub("", bare)))


def _value(slot: str, raw: str) -> str:
    if raw == SELF:
        return raw
    bare = _QUOTES.sub("", raw).strip().removeprefix("了")
    if bare in TABLE["values"]:
        return str(TABLE["values"][bare])
    if slot == "owner":
        bare = re.sub(r"(?<=.)(?:团队|小组|组|部门)$", "", bare)
        return SELF if bare in {"我", "我们", "用户"} else canonical_value(slot, bare)
    return canonical_value(slot, bare)
