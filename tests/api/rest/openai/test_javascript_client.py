"""OpenAI's client for JavaScript, from npm, which lists models and embeds texts (issue 16)."""

import asyncio
import json
import shutil
import subprocess
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from filelock import FileLock
from numpy.testing import assert_allclose

VERSION = "7.57.0"
FOLDER = Path(sys.prefix) / f"openai-javascript-{VERSION}"
SCRIPT = Path(__file__).with_name("client.mjs")


@pytest.fixture(scope="module")
def script() -> Path:
    """Return the script beside the client, which is installed on first use."""
    with FileLock(f"{FOLDER}.lock"):
        if not (FOLDER / "node_modules" / "openai" / "package.json").exists():
            command = [
                "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(FOLDER),
                f"openai@{VERSION}",
            ]  # fmt: skip
            subprocess.run(command, check=True, capture_output=True)
        shutil.copy(SCRIPT, FOLDER / SCRIPT.name)
    return FOLDER / SCRIPT.name


@pytest.mark.timeout(900)
async def test_it_lists_models_and_embeds_texts(script, served, services) -> None:
    """K12: vectors as base64, the client's default, and as numbers."""
    process = await asyncio.create_subprocess_exec(
        "node", script, served.base_url, served.key, stdout=PIPE, stderr=PIPE
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()

    seen = json.loads(output)
    own = await services.vectors.embeddings.embed(["Bees fly in May", "Tea is green"])
    signature = services.vectors.embeddings.active.signature
    assert seen["models"] == [seen["retrieved"]] == [signature]
    assert_allclose(seen["embedded"], own, rtol=1e-6)
    assert_allclose(seen["plain"], own, rtol=1e-6)
    assert seen["refused"] == ["BadRequestError", 400, "dimensions"]
