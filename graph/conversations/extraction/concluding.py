"""What an assistant says of the user, "you prefer tea", put into the user's own words."""

import re

# How an assistant begins to say what the user is like; what it advises, assumes or offers is none of that.
_OF_YOU = re.compile(
    r"(?!.*\b(?:if|when|whether|unless|should|suppose|in case|by\s+\w+ing)\b)"
    r"(?:(?:got\s+it|noted|understood|ok(?:ay)?|to\s+recap|recap):\s+|(?!(?:in|on|for|during)\s+(?!short\b|summary\b)|e\.g|say\b|imagin|pretend|"
    r"suppos|hypothe|once\b)[^,;:]{0,60}[,;]\s+)?(?:(?:so|and|as|I\s+see|I\s+know|I\u2019ll\s+remember|noted)\s+(?:that\s+)?)?"
    r"(?:you\s+(?:told\s+me|mentioned|said)\s+(?:that\s+)?)?"
    r"(?=you\s+(?:really\s+|also\s+|still\s+)?(?:prefer|like|love|enjoy(?!\s+(?:an?|the|free|full|unlimited|exclusive|access|all|up\s+to|\d+%?)\b)|dislike|hate|avoid|"
    r"live(?!\s+(?:and|only|once|longer)\b)|work|(?:don\u2019?t|do\s+not)\s+"
    r"(?:like|enjoy|eat|drink))\b|you(?:\s+are|\u2019re)\s+(?:not\s+)?(?:allergic|vegan|vegetarian|married|based|an?\s)|"
    r"your\s+(?:name\s+is\s+(?=(?-i:[A-Z]))|(?:birthday|favou?rite)\b)(?!.{0,80}\b(?:not|unknown|unclear|too|required|needed|missing|empty|invalid|optional|mandatory|stored|displayed|"
    r"shown|used|visible|public|important|safe)\b))",
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


def as_said_by_user(sentence: str) -> str | None:
    """Return what an assistant says the user is like as the user would say it; None where it says no such thing.

    >>> as_said_by_user("Got it, you prefer quiet hotels, so I left it out.")
    'I prefer quiet hotels'
    """
    match = _OF_YOU.match(sentence)
    if match is None:
        return None
    said = _OF_YOU_ENDS.split(sentence[match.end() :])[0]
    for old, new in _AS_SAID_BY_YOU:
        said = old.sub(new, said)
    return said
