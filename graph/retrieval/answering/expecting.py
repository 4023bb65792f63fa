"""Recognises the kind of answer that a question asks for, and texts with such an answer, in English and Chinese.

Question words and the form of texts decide: "who" asks for a person, "where" for a place, "when" for a time, "how many"
for a number. Any text may answer a question of kind OPEN.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from graph.core.text.language import HAN, contains_cjk
from graph.core.text.normal_forms import simplified


class Expected(StrEnum):
    """Kind of the expected answer."""

    PERSON = "person"
    PLACE = "place"
    TIME = "time"
    AGE = "age"
    NUMBER = "number"
    DURATION = "duration"
    PHONE = "phone"
    MAIL = "mail"
    REASON = "reason"
    NAME = "name"
    THING = "thing"
    OPEN = "open"


def _of(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# Text before a question word that asks: "What do I do when the build fails?" does not ask for a time.
_LEAD = (
    r"(?:^\W*|[.:;!?] |\b(?:and|so|but|since|until|till|from|to|by|know|remember|recall|wonder|wondering|say"
    r"|(?:tell|show|remind) (?:me|us)),? )"
)
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|might|shall|am)\b"
)
_FIRST_CLAUSE = rf"(?!.*, (?:who|whom|whose|what|which|where|why|how|{_AUXILIARY}))"
_WHAT = r"\b(?:what|which) "
_WHAT_IS = r"\bwhat(?:'s| is| was| are| were)\b"
_AMOUNTS = r"(?:number|price|amount|cost|salary|rent|fee|weight|height)\b"
_IS_WHAT = r"[是为]?(?:多少|几|(?:什么|哪个|哪些)\W*$)"
_ASKS = (
    (
        Expected.DURATION,
        _of(
            r"\bhow long\b(?! ago)(?! (?:must|should|may|can|do|does) .{1,60} be\b)|\bwhat .{0,40}\bduration\b|"
            r"多久(?!.{0,8}一次)|多长时间|多少时间|时间(?:是|有)?多长|(?:多少|(?<!哪)几)(?:天|小时|分钟|秒|个月|年(?!级))"
        ),
    ),
    (
        Expected.TIME,
        _of(
            rf"\bhow long ago\b|{_LEAD}when\b{_FIRST_CLAUSE}|, when (?={_AUXILIARY})|"
            rf"{_WHAT}(?:dates?|days?|weekdays?|times?(?! zones?\b)|months?|years?|weeks?|periods?)\b|"
            r"什么时候|几点|哪几?天|哪年|何时|"
            r"几月|(?<!号是)(?<!码是)几号(?!端口|线|楼|门)|(?:星期|周|礼拜)几"
        ),
    ),
    (
        Expected.PLACE,
        _of(
            rf"{_LEAD}where\b{_FIRST_CLAUSE}|, where (?={_AUXILIARY})|"
            rf"{_WHAT}(?:city|cities|country|countries|town|place|places|street|area|venue)\b|"
            rf"{_WHAT_IS} (?:the )?(?:venue|location)\b|"
            "哪里|哪儿|什么地方|何处"
        ),
    ),
    (
        Expected.PERSON,
        _of(r"^\W*(?:\w+ ){0,2}\b(?:who|whom|whose|who's|(?:which|what) (?:person|people))\b|谁|哪[位名]"),
    ),
    (
        Expected.REASON,
        _of(
            rf"{_LEAD}why\b|\b(?:what|which|the) (?:\w+ )?(?:reasons?|causes?)\b|\bwhat (?:has )?(?:caused|makes)\b|"
            r"\bwhat (?:led to|triggered|(?:is|was) behind)\b|\bhow come\b|"
            r"\bwhat(?:'s| is| was| went) (?:wrong|the (?:matter|problem|trouble)) with\b|"
            "为什么|为何|原因"
        ),
    ),
    (
        Expected.PHONE,
        _of(
            r"^(?!\W*how\b).*\b(?:phone|telephone|mobile|cell)(?: phone)? number\b|"
            rf"{_WHAT_IS}.{{0,40}}\bphone\W*$|(?:电话|手机)号?码?{_IS_WHAT}"
        ),
    ),
    (
        Expected.MAIL,
        _of(
            rf"^(?!\W*how\b).*\be-?mail address\b|{_WHAT_IS}.{{0,40}}\be-?mail(?:\W*$| (?:of|for)\b)|"
            rf"(?:邮箱|邮件)(?:地址)?{_IS_WHAT}"
        ),
    ),
    (
        Expected.AGE,
        _of(
            rf"\bhow old\b|{_WHAT_IS} .{{0,40}}\bage\b|{_WHAT}(?:\w{{1,20}} )?age\b|"
            rf"多大|几岁|多少岁|(?:年龄|年纪|岁数){_IS_WHAT}"
        ),
    ),
    (
        Expected.NUMBER,
        _of(
            rf"\bhow (?:many|much|old|far|tall|big|large|high|heavy|often|long)\b|{_WHAT_IS} .{{0,40}}\b{_AMOUNTS}|"
            rf"{_WHAT}(?:\w{{1,20}} )?{_AMOUNTS}|"
            r"\bwhat (?:do|does|did|will|would) .{1,60}\b(?:cost|weigh|earn|charge|pay)\b(?! (?:with|by|via|in)\b)|"
            r"\bhow frequently\b|(?<!频率)(?<!频率是)多少|几[个只岁次]"
        ),
    ),
    (Expected.NAME, _of("叫什么|什么名字|姓什么")),
)
_WHO_DOES = _of(r"^\W*(?:and |so |but )?who (?!(?:is|are|was|were|do|does|did) )|^谁(?!是)")
_WHICH = _of(
    r"^\W*(?:and |so |but )?(?:(?:in|at|on|for|from|to|by|with|of) )?(?:who|whom|whose|which|wer|welche\w?)\b|"
    "谁|哪[个些]"
)
_HOW_TO = _of(
    r"\bhow (?:do|does|did|can|could|should|would|must|shall|to|is|are|was|were)\b|"
    r"\bwhat (?:do|does|can|should|must|shall) (?:I|we|you|one|somebody)\b.*\b(?:do|run|type|enter|use)\b|"
    r"\b(?:which|what) commands?\b|\bsteps\b|\bprocedure\b|怎么|如何|怎样|步骤|哪[个条]命令|什么命令|命令是什么"
)
_PROCEDURE = _of(
    r"\bhow (?:do|can|could|should|would|must|shall) (?:I|we|you|one|people)\b|\bhow to\b|"
    r"\bhow (?:can|should|must) .{1,60} be\b|"
    r"\bwhat (?:do|must|should|can) (?:I|we|you|one) (?:have to |need to )?do to\b|"
    r"\b(?:what|which|tell|show|give|list)\b.{0,40}\b(?:steps|procedure|(?:process|instructions?) (?:for|of|to))\b|"
    r"怎么(?!样|了|回事)|如何|怎样|(?:步骤|流程|方法)(?:是|有|\W*$)"
)
_HAN_RUN = re.compile(f"[{HAN}]+")
# Interrogative parts of Chinese questions; the rest is the subject.
_HAN_INTERROGATIVE = re.compile(
    "叫什么名字?(?!称)|什么名字|叫什么|[做干]些?什么|找(?=谁[^\\W\\d_]{2})|出了?问题了?(?=应?该?要?(?:找|联系|问))|[交付缴花](?=多少|几)|[读念上](?=几年级)|打(?=.{0,8}(?:电话|分机|号码|热线))|有人|哪几[天个位种门条]?|(?<=怎么)给|(?<=如何)给|让|"
    "什么时候|什么地方|为什么|为何|什么原因|怎么样|怎么办|是不是|有没有|哪里|哪儿|哪天|哪年|哪[个些种门款位家支条台间辆部本首只座层把张]"
    "(?:领导|同事|老师|师傅|朋友|经理|医生|人)?|(?:星期|周|礼拜)几|几(?=年级)|几(?:[月号天点分周]|年(?!级))|(?:多少|几)(?:天|个月|小时|分钟)以?[后内]|多少(?:钱|天|个月|小时|分钟|时间)|"
    "被(?![子告])|(?<![功性智可不才])能(?![力源够])|平时|通常|一般|可以|应该|(?:怎么|如何|怎样)(?:做|处理|办)|时先|"
    "我家的?(?![在住是离有])|(?<![需重主只必紧])要(?![求点素闻])|(?<![机社协工年晚大聚宴例开站班峰展学])会(?![议员])|如何|怎样|(?<![理自])由(?!于)|什么|怎么|多少|几点|几个|一次|原因(?=是?什么|$)|造成|出(?=故障|问题|错)|"
    "几[只岁次秒]|多久|时间(?=是?多长)|多长(?:时间)?|多大(?:年纪|岁数)?|(?:年龄|年纪|岁数)(?=是?多少)|何时|何处|是谁|(?<!申)请(?!求|假)|[谁吗呢吧的了是在我你她它们和与去也都有个]|(?<![吉其])他|问(?!题)|用户"
)
# Of which time it is asked for: "now" and "before" are no words of the answer.
_HAN_WHEN = re.compile(
    "现在|目前|如今|今年|当前|眼下|以前|之前|从前|原来|原先|先前|此前|曾经|当时|当初|起初|过去|最早|最初"
)
_NO_AUXILIARY = r"(?!(?:is|are|was|were|do|does|did|has)\b)"
# The verb that a question asks by: "do we retain", "are they given", "who chairs".
_MAIN_VERB = re.compile(
    r"\b(?:do|does|did|can|could|should|must|may|might|will|would) (?:I|we|you|they|he|she|it|one) "
    r"(?!(?:do|have)\b)(\w+)|"
    r"\b(?:do|does|did) (?:the |our |my )?(?-i:(?:[A-Z][\w\u2019'-]*|[a-z0-9]+(?:[-_][a-z0-9]+)+) ){1,3}"
    r"(?!(?:do|have)\b)([a-z]+)\b|"
    r"\b(?:how|steps|procedure|(?:do|have)(?: to do)?) to (?!do\b)(\w+)|"
    r"\b(?:steps|procedure|process|instructions?) (?:for|of) (\w+ing)\b|"
    r"\bhow (?:can|could|should|must|may|do|does) .{1,60}? be (\w+(?:ed|en|n))\b|"
    r"\b(?:is|are|was|were|been|be) (?:[\w'\u2019-]+ ){0,6}?(\w+(?:ed|en|n|wn))\W*$|"
    rf"^\W*(?:who|(?:what|which) (?:person|people|colleague)) {_NO_AUXILIARY}(\w+)\b|"
    rf"^\W*(?:what|which (?:\w+ ){{1,2}}?){_NO_AUXILIARY}(\w+ed)\b",
    re.IGNORECASE,
)
_PHONE = re.compile(r"(?<![a-zA-Z\d_.])\+?\(?\d[\d ()/.-]{4,}\d")
_MAIL = re.compile(r"\w@\w")
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_WEEKDAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_TIME = _of(
    rf"\b(?:{_MONTHS}|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b{_WEEKDAYS}\b|\b(?:1[89]|20)\d\d\b|\b\d{{1,2}}[:.]\d\d\b|"
    r"\bat \d{1,2}(?=\.?\W*$|[,;]|\. | (?:on|every|in the|sharp|and)\b)|"
    r"\b\d{1,2} ?[ap]\.?m\b|"
    r"\b(?:before|after|until|till|by) \d{1,2}(?=\.?\W*$|[,;]|\. | and\b)|"
    r"\b\d{1,2}(?:st|nd|rd|th)\b|\bo'?clock\b|\b(?:half|quarter) (?:past|to)\b|"
    r"\b(?:today|tonight|yesterday|tomorrow|now|recently|lately|soon|already|just|noon|midnight|mornings?|afternoons?|evenings?|"
    r"nights?|weekends?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|decades?|summer|autumn|fall|winter|christmas|"
    r"easter|thanksgiving|halloween|ago|until|since|when(?:ever)?|while|"
    r"(?:after|before) (?:the|an?|I|we|he|she|it|they|breakfast|lunch|dinner|work|school|bed)|"
    r"last|next|ever since|always|daily|weekly|monthly|yearly|once|twice)\b|"
    r"[年月日号点周]|工作日|星期|今天|明天|昨天|早上|晚上|下午|上午|去年|明年|每"
)
_YEARS = (
    r"(?:\d{1,3}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen)"
)
_AGE = _of(
    rf"\b(?:is|am|are|was|were|be|turn(?:s|ed|ing)?|aged?(?: of)?|now|about|around|almost|nearly|over) {_YEARS}"
    r"(?= ?[,;!?)]|\.?\W*$|\. | (?:and|but|or|now|today|this|last|next|on|in|when|years? of age)\b)|"
    rf"[,(] ?{_YEARS}[,)]|\b{_YEARS}(?: and a half)? (?:years?|months?|weeks?|days?) old\b|"
    rf"\b(?:is|am|are|was|were) an? {_YEARS}[ -](?:year|month|week|day)s?[ -]old\b|"
    r"\bin (?:his|her|their|my) (?:early |mid[ -]?|late )?(?:\d0s|\w{3,6}ties|teens)\b|"
    r"\b(?:born|birth|birthday)\b.*\b(?:1[89]|20)\d\d\b|"
    r"[\d一二三四五六七八九十百半几] ?(?:多|周)?(?:岁|个月|平|英?寸|码)|\d.{0,9}出生|(?:出生|生于).{0,6}\d"
)
_OF_AGE = _of(r"[ -](?:year|month|week|day)s?[ -]old ([a-z]+)")  # "has a 5-year-old son"
_NUMBER = _of(
    r"\d|\b(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|"
    r"fifty|sixty|hundred|thousand|million|dozen|couple|both|half|once|twice|several|few|many|every|daily|weekly|always|"
    r"never|all|long|years?|months?|weeks?|days?)\b|[一二两三四五六七八九十百千万半几]"
)
# Questions for measures, with the units of their answers.
_MEASURES = (
    (
        _of(r"\bhow tall\b"),
        _of(
            r"\d ?(?:c?m|ft|in)\b|\b(?:feet|foot|inch(?:es)?|met(?:er|re)s?|floors?|stor(?:e?ys?|ies))\b|\d[.,]\d"
        ),
    ),
    (
        _of(r"\bhow heavy\b|\bhow much .{1,60}\bweigh"),
        _of(r"\d ?(?:k?g|lbs?|t)\b|\b(?:kilos?|(?:kilo)?grams?|pounds?|tons?|tonnes?|stones?|ounces?)\b"),
    ),
)
_OF_AMOUNT = _of(
    rf"\bhow (?:big|high)\b|\bhow much (?:is|are|was|were)\b|\b{_AMOUNTS}|\b(?:cost|earn|charge)\b"
)
# Periods: "for 12 years" is not an amount.
_SPAN = _of(
    rf"\b(?:{_YEARS} |\d+[- ])?(?:years?|months?|weeks?|days?|decades?)\b|"
    r"\b(?:in|since|from|until|by) (?:1[89]|20)\d\d\b"
)
_NUMBER_OF_DAYS = _of(r"\bnumber of (?:\w+ ){0,3}?(?:minutes|hours|days|weeks|months|years)\b")
_HOW_MANY = _of(r"\bhow many\b")
# "Cantonese, English and a little Dutch" also tells how many.
_LIST = re.compile(r"\w, (?:\w+ ){0,2}\w+,? (?:and|or) (?:\w+ ){0,3}\w")
# "When do I call …?", "Why does it crash?": a condition answers.
_OF_CONDITION = _of(r"\b(?:when|why) (?:do|does|should|must|can)\b|\bwhat makes\b")
_CONDITION = _of(r"\b(?:if|when(?:ever)?|once|as soon as)\b")
# "Where is my key?", "Ada has it".
_WHERE_IS = _of(r"\bwhere(?:'s| is| are) ")
_KEEPER = _of(r"\b(?:keeps?|kept|has|have|holds?|borrowed|took)\b")
# "Which city did I visit?", "I visited Rome".
_OF_PLACE_OBJECT = _of(
    rf"{_WHAT}(?:\w+ ){{1,3}}?(?:do|does|did|has|have|had) .{{1,60}}\b(?:visit|see|tour|leave|love|like|prefer)"
)
_PLACE_OBJECT = _of(
    r"\b(?:visit\w*|see[ns]?|saw|tour(?:s|ed|ing)?|leaves?|leaving|left|lov(?:es?|ed)|lik(?:es?|ed)|prefer\w*) "
    r"(?:the )?(?-i:[A-Z])"
)
# Other forms of answers to some questions.
_OTHER_FORMS = (
    ((Expected.PLACE,), _OF_PLACE_OBJECT, _PLACE_OBJECT),
    ((Expected.TIME, Expected.REASON), _OF_CONDITION, _CONDITION),
    ((Expected.PLACE,), _WHERE_IS, _KEEPER),
)
_WHOSE = _of(r"^\W*whose\b")
_OWNER = re.compile(r"\w['\u2019]s \w|\b(?:of|belongs? to) (?:the|our|my) \w")
_OF_MONEY = _of(r"\b(?:price|cost|salary|rent|fee|pay|paid|earn|charge)\b|多少钱|价格|[费租]用?是?多少")
_NO_MONEY = _of(
    r"(?<![\d.,])\d[\d.,]*+\s?(?:[kcm]?m|k?g|ms|%|(?:kilo|centi|milli)?met(?:er|re)s?|kilos?|(?:kilo)?grams?|miles?|percent|minutes?|"
    r"seconds?|items?|attempts?|times)(?!\w)|[\d一二两三四五六七八九十百]{1,9}(?:[年月日号点岁天周]|个月|小时|分钟)"
)
_DURATION = _of(
    r"\b(?:\d[\d.,]{0,12}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|several|"
    r"few|many|couple of|whole|all|half an?)[ -](?:more )?(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|"
    r"months?|years?|decades?|summer|winter)\b|"
    r"\b(?:since|until|for (?:ages|a while|long|years|months|weeks|life)|forever|always|all (?:day|night|week|year))\b|"
    r"(?<!\d)\d{1,6} ?[年月天周秒]|[一二两三四五六七八九十百半几](?:个(?=月))?[年月天周秒](?!级)|小时|分钟"
)
_NO_PLACE = (
    rf"(?!(?:\d|{_MONTHS}\b|{_WEEKDAYS}\b|time\b|holidays?\b|vacation\b|leave\b|call\b|duty\b|hold\b|fire\b|purpose\b|"
    r"general\b|fact\b|order\b|love\b|case\b|part\b|it\b|that\b|this\b|least\b|all\b|first\b|last\b|next\b|once\b|me\b|"
    r"you\b|them\b|him\b|us\b(?!-)|be\b|do\b|get\b|have\b|make\b|see\b|go\b))"
)
_PLACE = _of(
    rf"\b(?:in|at|on|near|from|to|into|inside|outside|behind|under|between|beside|opposite|around|through|across) "
    rf"{_NO_PLACE}[#@`]?[^\W_]|"
    r"\b(?:here|there|home|abroad|upstairs|downstairs|outside|inside|city|country|town|village|street|park|beach|school|"
    r"university|college|church|hospital|museum|gym|studio|shop|store|restaurant|cafe|library|garden|lake|mountains?)\b|"
    r"[在到从去来住]"
)
_REASON = _of(
    r"\b(?:because|caus\w+|cuz|since|so that|so|due to|thanks to|reasons?|why|"
    r"as (?:he|she|they|it|we|I|the)|in order to|"
    r"for|therefore|after|inspir\w+|motivat\w+|want(?:s|ed)?|need(?:s|ed)?|help(?:s|ed|ing)?|mak(?:es?|ing)|made|lov(?:es?|ed)|"
    r"feel(?:s|ing)?|remind\w*|important|passion\w*|lost|dream\w*)\b|因为|所以|由于|为了|造成|导致|引起|是为"
)
KIN: Final = (
    r"(?:(?:step|half|ex|god|foster)[- ]?|great-?){0,3}"
    r"(?:mother|mom|mum|father|dad|parents?|brothers?|sisters?|sons?|daughters?|kids?|child(?:ren)?|wife|husband|partner|"
    r"girlfriend|boyfriend|friends?|uncle|aunt|cousins?|nephew|niece|grand\w+|neighbou?rs?|boss|colleagues?|roommate|"
    r"flatmate|landlord|manager|teacher|doctor|dentist)(?:[- ]?in[- ]?law)?"
)
"""Pattern of words for relatives and other relations of a person."""
_PERSON_NOUN = _of(
    rf"\b(?:I|me|my|we|our|{KIN}|family|coworkers?|team|coach|mentors?|customers?|clients?|people|man|woman|guys?|"
    r"everyone|someone|user|assistant|group)\b|[他她我]|用户|妻子|丈夫|朋友|先生|女士|老师"
)
_NAME = re.compile(
    r"(?:(?<![.!?] )(?<!^)|(?<=Dr\. )|(?<=Mr\. )|(?<=Ms\. )|(?<=Mrs\. )|(?<=Prof\. ))\b[A-Z][a-z]+\b|"
    r"(?<=\bby )[A-Z]\w+"
)
_FIRST = re.compile(r"^[\"'(]*([A-Z][a-z]+)\b(?:'s)?:? +[a-z]")
_IN_NAME = re.compile(r"\b[Ii]n [A-Z]\w*")  # "written in Rust", "lives in Rome": no person
_NO_NAMES = _of(
    rf"(?:{_MONTHS}|{_WEEKDAYS}|the|an?|our|my|their|his|her|its|this|that|these|those|there|it|in|on|at|"
    r"all|every|no|one|some|i|we|you|they|he|she|if|when|while|after|before|and|but|so|as|for|with)"
)


# Characters of possible Chinese names; there is no better sign of one.
_HAN_OR_CAPITAL = re.compile(f"(?![的了是在由就都也很])[{HAN}]|[A-Z][a-z]+")
_PATTERNS: Mapping[Expected, re.Pattern[str]] = {
    Expected.PHONE: _of(
        rf"{_PHONE.pattern}|\b(?:extension|phone)\D{{1,12}}\d{{3,}}|(?:电话|分机|号码)\D{{0,4}}\d{{3,}}"
    ),
    Expected.MAIL: _MAIL,
    Expected.TIME: _TIME,
    Expected.PLACE: _PLACE,
    Expected.AGE: _AGE,
    Expected.DURATION: _DURATION,
    Expected.REASON: _REASON,
    Expected.NAME: _of(
        rf"[叫姓]|(?<![一两三几多])名(?!词)|\b(?:names?|named|called)\b|^(?![我你他她它这那])[{HAN}]{{2,3}}是(?:我|用户|公司)"
    ),
}
# What surrounds a question: "So, can you tell me who owns it?", "What was her name again?"
_OPENING = _of(r"^\W*(?:(?:hi|hey|hello|ok|okay|so|and|but|well|sorry|please|also|then)\b[\s,:.!]+)+")
_REQUEST = _of(
    r"^\W*(?:(?:please |kindly )?(?:(?:can|could|would|will) you (?:please |kindly |quickly |just )?)?"
    r"(?:tell|remind|show|give) (?:me|us)(?: again| once more| please)?|let me know|any idea|"
    r"(?:do|can|could) you (?:still |happen to |please )?(?:know|remember|recall|say|check|find out|look up)|"
    r"I(?: would|'d)? (?:like|want|need) to know|"
    r"I(?:'m| am| was)? (?:wonder(?:ing)?|forgot|forget|(?:can't|cannot|don't|do not) (?:know|remember|recall)))"
    r"[,:]? (?=\w)"
)
_CLOSING = _of(
    r"[\s,]{1,3}(?:again|please|by the way|do you (?:know|remember)|if you (?:know|remember))(?=\W*$)"
)
_INTERROGATIVE = _of(
    r"(?:(?:in|at|on|for|from|to|by|with|of|since|until) )?(?:who|whom|whose|what|which|when|where|why|how)\b"
)
_WHETHER = _of(r"(?:if|whether) ")
_THE_NAMED = _of(r"(?:the|my|our|your|their|his|her|its|[\w-]{1,40}['\u2019]s) \w")
_REQUEST_IN_CHINESE = re.compile(
    "^(?:请问|那么?|你好|麻烦|[，,]){0,6}请?[你您]?(?:(?:能不?能|能否|可以)?再?(?:告诉|提醒)(?:一下)?我(?:一下)?|还?(?:知道|记得)|知不知道|记不记得|"
    "帮我[查看找](?:一?下)?|我[想要](?:知道|问|确认)(?:一?下)?|我(?:忘了|忘记了|不记得))?[，,]?"
    "(?=.*(?:[谁哪几]|什么|多[少久大长]|怎么|如何|怎样|为何|何[时处]))"
)
# Measure words after "哪", which then asks for one of several things ("在哪家公司") and not for a place ("在哪工作").
_MEASURE_WORDS = (
    "个個些位天年种種门門款家支条條台臺只隻本部辆輛层層座所名间間项項份件张張场場次国國省市州县縣区區楼樓号號路级級届屆班组組科院校系月周週"
    "季期方边邊面头頭处處类類样樣首篇句段瓶杯道匹艘架双雙套颗顆棵朵幅把盒块塊片袋碗桶批轮輪节節章页頁行列档檔群对對集版笔筆顿頓趟站城村镇鎮"
    "怕吒一二两兩三四五六七八九十几幾"
)
# Short and colloquial interrogatives in either script, and the standard ones.
_COLLOQUIAL_CHINESE = tuple(
    (re.compile(pattern), standard)
    for pattern, standard in (
        ("(?:啥|[几幾])[时時]候?(?![间間])|[多哪啥][会會][儿兒]", "什么时候"),
        ("(?<![没沒])啥", "什么"),
        ("咋", "怎么"),
        (
            f"哪[儿兒]|哪(?=[了呢啊呀吗嗎的]{{0,2}}\\W*$)|(?<=[在从從到往去])哪(?![里裡裏{_MEASURE_WORDS}])",
            "哪里",
        ),
    )
)
_YES_OR_NO = _of(
    r"^\W*(?:and |so |but )?(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may)\b"
    r"(?!.*\bor\b)|[吗嗎]|([^\W\d_])[不没]\1|是否|有没有"
)


def direct(question: str) -> str:
    """Return the question inside a request, or the question itself, with standard Chinese interrogatives.

    >>> direct("Can you tell me who owns the importer?"), direct("Remind me of the importer's port, please.")
    ('Who owns the importer?', "What is the importer's port.")
    >>> direct("我住哪"), direct("我的猫叫啥"), direct("我在哪家公司上班")
    ('我住哪里', '我的猫叫什么', '我在哪家公司上班')
    """
    if contains_cjk(question):
        question = _in_standard_chinese(question)
        found = _REQUEST_IN_CHINESE.sub("", question, count=1)
        return question if found == question else found.replace("吗", "")
    text = _CLOSING.sub("", _OPENING.sub("", question))
    asked = _REQUEST.sub("", text.replace("\u2019", "'"), count=1).removeprefix("of ")
    if _INTERROGATIVE.match(asked):
        return asked[0].upper() + asked[1:]
    if asked == text or not (_WHETHER.match(asked) or _THE_NAMED.match(asked)):
        return text or question
    return f"What is {asked}" if _THE_NAMED.match(asked) else _WHETHER.sub("Is it that ", asked, count=1)


def _in_standard_chinese(question: str) -> str:
    for colloquial, standard in _COLLOQUIAL_CHINESE:
        question = colloquial.sub(standard, question)
    return question


def asks_whether(question: str) -> bool:
    """Tell whether a question asks for yes or no; the opposite of its statement then answers it, too."""
    return _YES_OR_NO.search(question) is not None


def asks_which(question: str) -> bool:
    """Tell whether a question asks who or which one."""
    return _WHICH.search(question) is not None


def asks_how(question: str) -> bool:
    """Tell whether a question asks how to do something: for steps, a procedure or a command."""
    return _HOW_TO.search(simplified(question)) is not None


def asks_for_procedure(question: str) -> bool:
    """Tell whether a question asks for all steps of a procedure, and not for one command.

    >>> asks_for_procedure("How do I restart it?"), asks_for_procedure("Which command restarts it?")
    (True, False)
    """
    return _PROCEDURE.search(simplified(question)) is not None


def main_verb(question: str) -> str | None:
    """Return the main verb of a question in lower case, or None if its form does not show it."""
    found = _MAIN_VERB.search(question)
    return next(filter(None, found.groups())).lower() if found else None


def chinese_parts(question: str) -> list[str]:
    """Return the parts of a Chinese question in Simplified characters, without its interrogative words."""
    runs = _HAN_RUN.findall(_HAN_WHEN.sub(" ", simplified(question)))
    return [part for run in runs for part in _HAN_INTERROGATIVE.split(run) if part]


def asks_who_does(question: str) -> bool:
    """Tell whether a question asks who does something, so that its answer may be about anybody."""
    return _WHO_DOES.search(question) is not None


def expected(question: str) -> Expected:
    """Return the kind of answer that a question asks for."""
    plain = simplified(question).replace("\u2019", "'")
    return next((kind for kind, asks in _ASKS if asks.search(plain)), Expected.OPEN)


def holds(kind: Expected, text: str, question: str) -> bool:
    """Tell whether a text has an answer of a kind; people that the question names do not count."""
    plain = simplified(text)
    if kind is Expected.PERSON:
        is_owner = _WHOSE.search(question) is not None and _OWNER.search(plain) is not None
        return is_owner or _holds_person(plain, simplified(question))
    if any(
        kind in kinds and asks.search(question) and form.search(plain) for kinds, asks, form in _OTHER_FORMS
    ):
        return True
    if kind is Expected.NUMBER:
        return _holds_number(plain, question)
    if kind is Expected.THING:
        return bool(_names_beside(plain, simplified(question)))
    if kind is Expected.AGE and any(noun in question.lower() for noun in _OF_AGE.findall(plain)):
        return True
    return kind not in _PATTERNS or _PATTERNS[kind].search(plain) is not None


def _holds_number(text: str, question: str) -> bool:
    for asks, unit in _MEASURES:
        if asks.search(question):
            return unit.search(text) is not None
    if _OF_MONEY.search(question):
        text = _NO_MONEY.sub(" ", text)
    if _HOW_MANY.search(question) and _LIST.search(text):
        return True
    is_amount = _OF_AMOUNT.search(question) and not _NUMBER_OF_DAYS.search(question)
    without_spans = _SPAN.sub(" ", text) if is_amount else text
    return _NUMBER.search(without_spans) is not None


def _holds_person(text: str, question: str) -> bool:
    if contains_cjk(question):
        return any(character not in question for character in _HAN_OR_CAPITAL.findall(text))
    if _names_beside(_IN_NAME.sub("", text), question):
        return True
    lowered = question.lower()
    return any(found[0].lower() not in lowered for found in _PERSON_NOUN.finditer(text))


def _names_beside(text: str, question: str) -> list[str]:
    """Return the names in a text that are not in the question."""
    lowered = question.lower()
    names = [*_NAME.findall(text), *_FIRST.findall(text)]
    return [name for name in names if not _NO_NAMES.fullmatch(name) and name.lower() not in lowered]
