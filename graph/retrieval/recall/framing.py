"""Subject of a request, without phrases that only request an answer.

"Can you remind me what my dentist is called?" is about the dentist's name. An embedder would treat the request phrase
as part of the meaning, and return other requests with the same phrase.
"""

import re

from graph.core.text.language import QUESTION_WORDS, STOP_WORDS, sentences, words

_FEWEST_WORDS = 2  # of what is left, words that say something
_TELL = (
    r"(?:remind|tell|show|give|walk|take|list|provide|write|summari[sz]e|recap|explain|describe|recall|remember|"
    r"look up|find|check)"
)
_MEMORY = r"(?:conversations?|chats?|discussions?|sessions?|messages?|talks?)"
_POLITE = r"(?:(?:hi|hey|hello|ok|okay|so|well|thanks|please|and|also|now)\b[,!. ]*)*"
_BEGINS = re.compile(
    rf"\A{_POLITE}(?:"
    rf"(?:(?:can|could|would|will) you (?:please |maybe |quickly )?|please |"
    rf"i(?:'d| would)? (?:like|want|need) (?:you to )?)(?:help me (?:to )?)?"
    rf"{_TELL}(?: (?:me|us|through|again|to me|for me))*(?: (?:about|on|of|that))? |"
    rf"{_TELL} (?:me|us)(?: (?:through|again))?(?: (?:about|on|of|that))? |"
    r"do you (?:still )?(?:remember|recall|know)(?: (?:when|that|if))? |"
    r"i(?:'m| am| was) (?:just )?wondering(?: (?:if|whether|about))? |"
    r"(?:what|anything|everything) (?:do|did) (?:you know|i (?:tell|say to) you) about )",
    re.IGNORECASE,
)
_GENRE = re.compile(
    r"\A(?:(?:a|an|the) )?(?:(?:comprehensive|complete|clear|brief|short|detailed|quick|full|ordered|concise) )*"
    r"(?:(?:summary|overview|recap|list|order|timeline|history|sequence)"
    r"(?: (?:of|in which|on|about|for|how))+|in order) ",
    re.IGNORECASE,
)
_I_TOLD = (
    r"(?:(?:that|what|everything|how|as) )?(?:i|we)(?:'ve| have| had)? (?:(?:also|already|just|once) )?"
    r"(?:brought up|mentioned|discussed|talked about|told you|covered)\b(?: (?:about|that|so far))*"
)
_PARTS = (
    r"(?:(?:different|various|several|key|main) (?:aspects|concepts|topics|points|parts|things)"
    r"(?: (?:of|in|about|related to))? )?"
)
_TOLD = re.compile(rf"\A{_I_TOLD} {_PARTS}| {_I_TOLD}(?=\W*\Z)", re.IGNORECASE)
# "in our last chat I said", but not "in the chat service".
_NO_NOUN = (
    r"(?=\W*\Z|[^\w\s]|\s+(?:about|on|regarding|concerning|with|and|i|we|you|that|when|where|what|which|how|did|do|have|"
    r"has|had|was|were|is|are|in|for|to|of|so|from|by|without|including)\b)"
)
_WHERE = re.compile(
    rf" (?:throughout|through|across|during|in|over|from) (?:(?:all|any) (?:of )?)?(?:our|my|these|this|the) "
    rf"(?:(?:previous|past|earlier|last|whole|entire) )*{_MEMORY}(?: so far)?{_NO_NOUN}|"
    r",? in (?:chronological )?order(?=\W*\Z)",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"\A(?:please )?(?:mention|list|give|answer|reply|respond|keep|limit|use|write|name|include)\b.*\b"
    r"(?:only|briefly|at most|bullet points?|short(?=\W*\Z)|"
    r"(?:in|to|under) (?:\w+ ){1,3}?(?:words?|sentences?|items?|bullets?|points?)|"
    r"(?:as|in) (?:a )?(?:table|json|markdown|list))\b",
    re.IGNORECASE,
)


def subject_of(request: str) -> str:
    """Return what a request is about; the request itself where nothing or too little would be left.

    >>> subject_of("Can you remind me what my dentist is called?")
    'what my dentist is called?'
    >>> subject_of("Who is my dentist?")
    'Who is my dentist?'
    """
    told = [" ".join(sentence.split()) for sentence in sentences(request.replace("\u2019", "'"))]
    asked = [sentence for sentence in told if not _FORM.match(sentence)] or told
    left = " ".join(_without_frame(sentence) for sentence in asked)
    changed = left != " ".join(told)
    says = {word for word in words(left) if word not in STOP_WORDS | QUESTION_WORDS}
    return left if changed and len(says) >= _FEWEST_WORDS else request


def _without_frame(sentence: str) -> str:
    left = _GENRE.sub("", _BEGINS.sub("", sentence))
    for pattern in (_WHERE, _TOLD):
        left = pattern.sub("", left)
    return left.strip(" ,")
