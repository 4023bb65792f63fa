"""The subject of a request, without the words that only ask for an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.text.language import content_words
from graph.retrieval.recall.parsed_query import ParsedQuery, subject_of

OPENINGS = (
    "Can you tell me ",
    "please remind me ",
    "do you remember when I told you about ",
    "Could you list ",
)
ENDINGS = (
    " throughout our conversations",
    " in our last chat?",
    ", in order?",
    " we discussed",
    ". Use two words only.",
)


@pytest.mark.parametrize(
    ("request_", "subject"),
    [
        ("Can you remind me what my dentist is called?", "what my dentist is called?"),
        ("hey, do you remember when I told you about my sister's wedding?", "my sister's wedding?"),
        ("Could you show me how to implement a login feature?", "how to implement a login feature?"),
        ("Can you give me a short overview of my move to Oslo so far?", "my move to Oslo so far?"),
        (
            "Can you list the order in which I brought up different aspects of the move to Oslo across our chats?",
            "the move to Oslo?",
        ),
        ("Give me a summary of the move to Oslo, in order. Mention ONLY three items.", "the move to Oslo."),
        ("Show me the order history of Anna", "the order history of Anna"),
        ("Give me the list price of the crate", "the list price of the crate"),
        ("What did I say about the lease in our last chat?", "What did I say about the lease?"),
        ("I need you to write a poem about the sea. Keep it short.", "a poem about the sea."),
        ("What did we agree on in our last chat about the lease?", "What did we agree on about the lease?"),
        ("Please write a note to Ms Loftus of the library.", "a note to Ms Loftus of the library."),
    ],
)
def test_a_request_is_read_without_its_frame(request_, subject):
    assert subject_of(request_) == subject


@pytest.mark.parametrize(
    "request_",
    [
        "Who is my dentist?",
        "What do you know about me?",
        "Can you tell me a joke?",
        "Tell me more",
        "Remember to buy milk",
        "How many sessions were there where I mentioned my progress?",
        "How do we store tokens in the session store?",
        "Which index is used in the messages table?",
        "What is stored in the message queue?",
        "Which port is used in the chat service?",
        "Name the items I packed. The trip was to Oslo with Ben.",
        "How should I organize the different parts of a web page?",
        "",
    ],
)
def test_a_query_without_a_frame_stays_unchanged(request_):
    assert subject_of(request_) == request_


@given(st.text(alphabet="abc ,.?!'\n", max_size=60), st.sampled_from(OPENINGS), st.sampled_from(ENDINGS))
def test_a_subject_says_nothing_new_and_is_never_empty(middle, opening, ending):
    request = f"{opening}{middle}{ending}"
    subject = subject_of(request)

    assert subject
    assert set(content_words(subject)) <= set(content_words(request))


def test_the_focus_of_a_framed_query_is_its_subject():
    assert ParsedQuery("Can you remind me what my dentist is called?").focus == "what my dentist is called?"
    assert ParsedQuery("Who is my dentist?").focus is None


def test_a_log_with_times_is_not_a_dialogue():
    log = "10:21:33 connection refused\n10:21:34 retry 1 of 3\n10:21:35 gave up on the billing database"

    assert ParsedQuery(log).focus is None


def test_the_focus_of_a_dialogue_is_the_subject_of_its_end():
    dialogue = "user: We moved.\nassistant: Where to?\nuser: Can you tell me who my new dentist is?"

    assert ParsedQuery(dialogue).focus == "Where to? who my new dentist is?"
