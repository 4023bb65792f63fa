"""Words of a question that a fact contains in another form, and words that only look alike."""

import numpy as np
import pytest

from graph.retrieval.answering.coverage import Kinship, held, required
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.fixtures.local_models import word_specificity
from tests.fixtures.support import fact, supporting


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Where does Alice's brother live?", "Alice's brother-in-law lives in Rome."),
        ("Where does my sister live?", "My half-sister lives in Rome."),
        ("Where does my wife live?", "My ex-wife lives in Rome."),
        ("Where does my mother live?", "My mother in law lives in Rome."),
        ("Where does my mother-in-law live?", "My mother lives in Rome."),
        ("Where does my grandmother live?", "My great-grandmother lives in Rome."),
        ("Does Alice have a brother?", "Alice has a brother-in-law."),
        ("Where do I live?", "My brother-in-law lives in Rome."),
        ("When did Ana move?", "Ana postponed her trip to June."),
        ("Where is the house?", "Alice lives in Bergen."),
        ("When is the meeting?", "Ana met Bob in Rome on Monday."),
        ("Who founded Acme?", "Alice found a job at Acme."),
        ("What is in room 12?", "A printer is in room 13."),
        ("Which port does service 3 use?", "Service 4 uses port 80."),
        ("How old is Max?", "Max's jersey number is 7."),
        ("How old is Anna?", "Anna's salary is about 50."),
        ("When is the delivery of the beds?", "The beds broke on Monday."),
        ("When did Ada Lind leave?", "Ada Lind was hired in March."),
        ("How do I remove a carrier from the tracker?", "Adding a carrier to the tracker: create a file."),
        ("How can a shelf be deleted in the depot?", "To create a shelf in the depot, scan two labels."),
        ("How do I uninstall the scanner?", "To install the scanner, run setup with sudo."),
        ("Where does Ada sell her honey?", "Ada buys her honey at the market."),
    ],
)
async def test_similar_looking_words_are_distinct(minilm, question, statement) -> None:
    """A5, E12."""
    assert await supporting(minilm, question, [fact(statement)]) == []


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Where does my mother-in-law live?", "My mother in law lives in Rome."),
        ("What is Alice's email?", "Alice Smith's email is alice@example.com."),
        ("When is my mom's birthday?", "The user's mother's birthday is May 5."),
        ("What is today's plan?", "The plan for today is to fix the build."),
        ("What is our deadline?", "The team's deadline is March 5."),
        ("Where does my step-mother live?", "My stepmother lives in Rome."),
        ("Where does my ex live?", "My ex-wife lives in Rome."),
        ("What is my grandmother's name?", "The user's grandma is called Ruth."),
        ("Who is my partner?", "The user is married to Tom."),
        ("When was Ana's meeting postponed to?", "Ana's meeting was moved to Thursday."),
        ("Where does Alice live?", "Alice's apartment is in Bergen."),
        ("When do I meet Bob?", "The user has a meeting with Bob on Monday."),
        ("When do I fly to Rome?", "The user's flight to Rome is on Monday."),
        ("Who is the founder of Acme?", "Alice founded Acme."),
        ("When did Ada's father die?", "Ada's father died in 2019."),
        ("Who led the project?", "Erik leads the project."),
        ("What did Ana forget?", "Ana forgot her keys."),
        ("Who has 2 kids?", "Bob has two kids."),
        ("When is the delivery of the beds?", "The beds are delivered on Monday."),
        ("When is Ada's departure?", "Ada departs on Monday."),
        ("Where do we keep the prod logs?", "We keep the production logs in S3."),
        ("What is Ada's salary?", "Ada earns 4,000 euros."),
        ("Who chairs the board?", "Erik leads the board."),
        ("What is Ada afraid of?", "Ada has a fear of spiders."),
        ("When did Ada Lind join?", "Ada Lind was hired in March."),
        ("What happened on March 5?", "The launch happened on the fifth of March."),
    ],
)
async def test_another_form_or_word_for_the_same_answers(minilm, question, statement) -> None:
    """E12."""
    assert await supporting(minilm, question, [fact(statement)]) == [statement]


def test_different_relatives_are_distinct() -> None:
    """A5, E12: the cosine of "wife" and "husband" is 0.87."""
    vector = np.array([1.0, 0.0], dtype=np.float32)
    asked = required(ParsedQuery("Who is the wife of Ada?", word_specificity))

    assert held(asked, "Ada's husband", Kinship({"wife": vector, "husband": vector})).share < 0.95


@pytest.mark.parametrize("text", ["我的" + "哥" * 60 + "，我喜欢你", "用户" + "妈妈" * 40 + "我"])
async def test_ambiguous_relatives_take_linear_time(minilm, text) -> None:
    """C16: otherwise each would multiply the time."""
    assert await supporting(minilm, "我住在哪里？", [fact(text)]) == []
