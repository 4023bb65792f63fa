"""Splitting a stream into server-sent events without changing a byte."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.surfaces.proxy.event_stream import EventReader, error_event

LINE = st.sampled_from(
    [
        b'data: {"a": 1}',
        b"data:x",
        b"data",
        b"event: done",
        b": comment",
        b"id: 7",
        b"data: \xe2\x80\xa8\xff",
        b"",
    ]
)
END = st.sampled_from([b"\n", b"\r\n"])
STREAMS = st.lists(st.tuples(LINE, END)).map(lambda lines: b"".join(line + end for line, end in lines))


def read(chunks: list[bytes]) -> tuple[list, bytes]:
    reader = EventReader()
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    return events, reader.rest


@given(STREAMS, st.lists(st.integers(min_value=0, max_value=200)))
def test_events_do_not_depend_on_how_the_bytes_arrive(stream: bytes, cuts: list[int]) -> None:
    """K12: together they are the whole stream."""
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    chunks = [stream[start:end] for start, end in pairwise(places)]

    events, rest = read(chunks)
    at_once, rest_at_once = read([stream])

    assert b"".join(event.raw for event in events) + rest == stream
    assert [(event.name, event.data) for event in events if event.data or event.name] == [
        (event.name, event.data) for event in at_once if event.data or event.name
    ]
    assert rest.strip() == rest_at_once.strip()


def test_an_event_is_parsed_as_the_standard_requires() -> None:
    raw = b'event: message\nid: 3\ndata: {"text":\ndata:  "a\xe2\x80\xa8b"}\n\n'
    (event,), rest = read([raw])

    assert (event.name, event.data, rest) == ("message", '{"text":\n "a\u2028b"}', b"")
    assert event.json() == {"text": "a\u2028b"}
    assert event.with_data({"text": "ä"}).raw == 'event: message\ndata: {"text":"ä"}\n\n'.encode()


def test_an_event_without_an_object_is_skipped() -> None:
    (done, broken, list_, comment), _ = read([b"data: [DONE]\n\ndata: {\n\ndata: [1]\n\n: hi\n\n"])

    assert done.is_done
    assert [event.json() for event in (done, broken, list_, comment)] == [None] * 4


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_stream_may_end_without_a_blank_line(end) -> None:
    reader = EventReader()
    events = reader.feed(b"data: 1\n\ndata: [DONE]" + end)

    assert [event.data for event in events] == ["1"]
    assert (reader.last.is_done, reader.last.raw) == (True, b"data: [DONE]" + end)


def test_an_error_is_an_event() -> None:
    ((event,), _) = read([error_event({"message": "no"})])

    assert event.json() == {"error": {"message": "no"}}


def test_an_endless_event_is_forwarded_unparsed() -> None:
    """K12: the proxy does not collect a stream in memory."""
    stream = b"data: " + b"x" * (9 * 1024 * 1024)
    events, rest = read([stream])

    assert (b"".join(event.raw for event in events), rest) == (stream, b"")
