"""Names that linking finds in any text: whole words, the same every time, and no common words."""

import itertools
import string

from hypothesis import given
from hypothesis import strategies as st

from graph.knowledge.linking.kinds import COMMON_WORDS, NO_NAMES
from graph.knowledge.linking.models import NamedEntity
from graph.knowledge.linking.occurrences import by_name, mentions_in, possible_names, spans
from graph.knowledge.linking.recognition import MOST_RECOGNISED, recognise
from graph.knowledge.ontology.names import normalized

TEXTS = st.text(max_size=300)
NAMES = st.text(string.ascii_letters, min_size=3, max_size=12).filter(
    lambda name: name.lower() not in NO_NAMES
)


@given(TEXTS)
def test_recognised_names_lie_in_the_text_in_order_without_overlaps(text: str) -> None:
    found = recognise(text)

    assert found == recognise(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    named = [each for each in found if each.type is not None]
    assert len({each.name.lower() for each in named}) == len(named) <= MOST_RECOGNISED


@given(st.lists(st.sampled_from(sorted(NO_NAMES)), min_size=1, max_size=12), st.booleans())
def test_common_words_are_never_names(words: list[str], capital: bool) -> None:
    """The issue's "no junk nodes"."""
    text = " ".join(word.capitalize() if capital else word for word in words)

    assert [each for each in recognise(text) if each.type in {"Thing", "Person", "Organization"}] == []


@given(
    NAMES, st.sampled_from(["", " ", "(", "\u201c", "the "]), st.sampled_from(["", ".", "'s", ")", ", and"])
)
def test_a_name_is_found_as_a_whole_word_in_any_case(name: str, before: str, after: str) -> None:
    entities = by_name([NamedEntity(id="e", type="Thing", name=name, name_keys=(normalized(name),))])

    for written in (name, name.lower(), name.upper()):
        text = f"{before}{written}{after}"
        ((span, mention),) = mentions_in(text, spans(text), entities)
        assert text[span.start : span.end] == mention.surface == written
    inside = f"x{name}x"
    assert mentions_in(inside, spans(inside), entities) == []


@given(st.lists(st.sampled_from(sorted(COMMON_WORDS)), min_size=1, max_size=8))
def test_common_words_in_lower_case_name_nothing(words: list[str]) -> None:
    assert not {word for word in words if " " not in word} & set(possible_names(" ".join(words)))


@given(TEXTS)
def test_spans_match_their_keys(text: str) -> None:
    found = spans(text)

    assert len(found) == len(set(found))
    assert all(normalized(text[span.start : span.end]) == span.key for span in found)
