"""Tags and their prefixes."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graph.memories.tags import compute_tag_prefixes, expand_tag_prefixes, normalize_tag_list

TAGS = st.text(alphabet="aBcÄ :/,x ", max_size=12)
PARTS = st.lists(st.text(alphabet="aBcÄ1-", min_size=1, max_size=4), min_size=1, max_size=5)


@given(PARTS, st.data())
def test_the_prefixes_of_a_tag_are_its_beginnings(parts, data) -> None:
    """A16: one prefix per part, lower-cased, each the beginning of the next; the last is the whole tag."""
    tag = parts[0] + "".join(data.draw(st.sampled_from(":/")) + part for part in parts[1:])

    prefixes = expand_tag_prefixes(tag)

    assert len(prefixes) == len(parts)
    assert prefixes[0] == parts[0].lower()
    assert prefixes[-1] == tag.lower()
    assert all(longer.startswith(shorter) for shorter, longer in pairwise(prefixes))


@given(st.lists(TAGS, max_size=6))
def test_prefixes_are_distinct_lower_case_and_not_empty(tags) -> None:
    """A16: for any tags."""
    prefixes = compute_tag_prefixes(tags)

    assert len(set(prefixes)) == len(prefixes)
    assert all(prefix == prefix.lower() and prefix.strip(":/ ") for prefix in prefixes)


@given(st.lists(TAGS, max_size=6), st.lists(TAGS, max_size=6))
def test_adding_tags_removes_no_prefix(some, more) -> None:
    """A16."""
    assert set(compute_tag_prefixes([*some, *more])) == {
        *compute_tag_prefixes(some),
        *compute_tag_prefixes(more),
    }


@given(st.lists(TAGS, max_size=6))
def test_normal_tags_are_trimmed_distinct_and_stay_as_they_are(tags) -> None:
    """A15."""
    normal = normalize_tag_list(tags)

    assert normal == normalize_tag_list(normal)
    assert set(normal) == {tag.strip() for tag in tags} - {""}


@given(st.lists(st.text(alphabet="ab:/ ", max_size=6), max_size=6))
def test_a_string_of_tags_equals_its_list(tags) -> None:
    """A15."""
    assert normalize_tag_list(",".join(tags)) == normalize_tag_list(tags)
