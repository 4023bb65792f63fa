"""The default embedder against the real sentence-transformers and a numpy encoder, over the same weights."""

import asyncio
import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sentence_transformers import SentenceTransformer

from app.adapters.embedding.minilm import MiniLmEmbedder
from app.adapters.embedding.minilm_files import packaged_folder
from tests.fixtures.numpy_minilm import NumpyMiniLm

TOLERANCE = 1e-5
TEXTS = {
    "a sentence": "Ada prefers tabs over spaces in Python",
    "its paraphrase": "indentation style",
    "empty": "",
    "blanks": " \t\n ",
    "a full stop": ".",
    "one letter": "a",
    "a NUL": "a\x00b",
    "Chinese": "我喜欢喝茶,不喜欢喝咖啡。",
    "Japanese": "彼女は毎朝コーヒーを飲みます。",
    "Korean": "그녀는 매일 아침 커피를 마신다.",
    "Arabic": "هي تفضل الشاي على القهوة.",
    "Hindi": "उसे कॉफ़ी से ज़्यादा चाय पसंद है।",
    "Russian": "Она предпочитает чай кофе.",
    "accents": "Café crème, naïve façade, e\u0301te\u0301",
    "emoji": "Party tonight 🎉🥳👩‍👩‍👧‍👦 see you!",
    "emoji alone": "🙂",
    "300 words": " ".join(f"word{number % 97}" for number in range(300)),
    "long English": "When did Caroline go to the LGBTQ support group? " * 40,
    "a word of 3,000 characters": "pneumono" * 375,
    "special tokens": "before [SEP] after [PAD] and [CLS] with [MASK] [UNK]",
    "254 tokens": "the " * 254,
    "255 tokens": "the " * 255,
    "code": "def f(x: int) -> int:\n    return x ** 2  # squared",
    "mixed scripts": "GPT-4 说 hello 世界 & café №5 ½",
    "a URL": "https://example.org/a/b?c=d&e=%20f#g",
    "upper case": "SHOUTING IN CAPITALS",
}


@pytest.fixture(scope="module")
def reference():
    library_model = SentenceTransformer(str(packaged_folder()), device="cpu", local_files_only=True)
    rows = library_model.encode(list(TEXTS.values()), show_progress_bar=False)
    return dict(zip(TEXTS, rows, strict=True))


@pytest.fixture(scope="module")
async def together(minilm):
    return dict(zip(TEXTS, await minilm.embed(list(TEXTS.values())), strict=True))


@pytest.mark.parametrize("name", TEXTS)
def test_vectors_equal_those_of_sentence_transformers(name, together, reference):
    """B5: stored vectors stay valid whichever of the two runs the model."""
    np.testing.assert_allclose(together[name], reference[name], atol=TOLERANCE, rtol=0)


@pytest.fixture(scope="module")
def formulas():
    return NumpyMiniLm(packaged_folder())


@pytest.mark.parametrize("name", ["a sentence", "empty", "Chinese", "emoji", "special tokens", "300 words"])
def test_vectors_equal_those_of_the_formulas(name, formulas, minilm, together):
    ids = minilm.tokenizer.token_ids([TEXTS[name]])[0]

    np.testing.assert_allclose(together[name], formulas.embed(ids), atol=TOLERANCE, rtol=0)


async def test_a_vector_does_not_depend_on_its_neighbours(minilm, together):
    for name, text in TEXTS.items():
        alone = (await minilm.embed([text]))[0]
        np.testing.assert_allclose(alone, together[name], atol=1e-6, rtol=0, err_msg=name)


async def test_padding_up_to_the_longest_text_changes_nothing(minilm):
    short, longest = TEXTS["a sentence"], "the " * 300
    rows = minilm.tokenizer.token_ids([short, longest])

    padded = minilm._run(rows)[0]

    np.testing.assert_allclose(padded, (await minilm.embed([short]))[0], atol=1e-6, rtol=0)


async def test_the_order_of_the_texts_is_kept(minilm, together):
    names = list(TEXTS) * 8  # more than are tokenised together
    random.Random(7).shuffle(names)

    rows = await minilm.embed([TEXTS[name] for name in names])

    np.testing.assert_allclose(rows, [together[name] for name in names], atol=1e-6, rtol=0)


async def test_what_follows_256_tokens_does_not_count(minilm):
    one, other = await minilm.embed(["the " * 254 + "cat", "the " * 254 + "dog sat down"])

    np.testing.assert_allclose(one, other, atol=1e-6, rtol=0)


async def test_a_lone_surrogate_is_read_as_an_unknown_character(minilm):
    broken, replaced = await minilm.embed(["tea \ud83d time", "tea \ufffd time"])

    np.testing.assert_allclose(broken, replaced, atol=1e-6, rtol=0)


async def test_a_text_of_a_million_characters_costs_no_more_than_a_long_one(minilm):
    long, longer = await minilm.embed(["tea time " * 3_600, "tea time " * 110_000])

    np.testing.assert_allclose(long, longer, atol=1e-6, rtol=0)


async def test_a_paraphrase_is_nearer_than_another_matter(minilm):
    tabs, indentation, weather = await minilm.embed(
        ["Ada prefers tabs over spaces in Python", "indentation style", "weather in Paris"]
    )

    assert tabs @ indentation == pytest.approx(0.24, abs=0.01)
    assert tabs @ weather == pytest.approx(-0.10, abs=0.01)


async def test_a_query_does_not_wait_for_all_of_a_bulk_call(minilm):
    bulk = asyncio.create_task(minilm.embed(["the " * 250] * 200))
    await asyncio.sleep(0)

    await minilm.embed(["short"])

    assert not bulk.done()
    bulk.cancel()
    await asyncio.gather(bulk, return_exceptions=True)


async def test_the_loop_is_free_while_the_model_runs(minilm):
    turns = 0
    running = asyncio.create_task(minilm.embed(["the " * 250] * 8))
    while not running.done():
        turns += 1
        await asyncio.sleep(0)

    assert turns > 100


async def test_many_tasks_at_once_get_what_each_alone_would(minilm, together):
    names = list(TEXTS)

    answers = await asyncio.gather(*(minilm.embed([TEXTS[name]]) for name in names))

    for name, answer in zip(names, answers, strict=True):
        np.testing.assert_allclose(answer[0], together[name], atol=1e-6, rtol=0, err_msg=name)


async def test_one_thread_computes_the_same_vectors(together):
    rows = await MiniLmEmbedder(threads=1).embed(list(TEXTS.values()))

    np.testing.assert_allclose(rows, list(together.values()), atol=1e-6, rtol=0)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(), max_size=300), max_size=6))
async def test_any_texts_have_unit_vectors(minilm, texts):
    rows = await minilm.embed(texts)

    assert (rows.shape, rows.dtype) == ((len(texts), 384), np.float32)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), np.ones(len(texts)), atol=1e-5)
