"""Makes a store with mem0 and writes what its users export of it; runs in the environment of ``requirements.lock``.

Arguments: the folder to write to, and the base URL of an embedding endpoint. It leaves ``alice.json`` and ``bob.json``,
the answers of ``get_all``, and mem0's own ``history.db``.
"""

import json
import os
import sys
from pathlib import Path

os.environ["MEM0_TELEMETRY"] = "False"  # noqa: TID251 - mem0 reads it when it is imported

from mem0 import Memory

DIMENSION = 32


def main(folder: Path, base_url: str) -> None:
    endpoint = {"api_key": "none", "openai_base_url": base_url}
    vectors = {"path": str(folder / "qdrant"), "embedding_model_dims": DIMENSION, "on_disk": True}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": vectors},
            "llm": {"provider": "openai", "config": endpoint},
            "embedder": {"provider": "openai", "config": {**endpoint, "embedding_dims": DIMENSION}},
            "history_db_path": str(folder / "history.db"),
        }
    )

    def add(text: str, user: str, **more: str) -> str:
        (added,) = memory.add(text, user_id=user, infer=False, **more)["results"]
        return str(added["id"])

    add("I like Python", "alice", agent_id="helper", run_id="run-1")
    moved = add("I work in Bergen", "alice")
    memory.update(moved, text="I work in Trondheim")
    memory.delete(add("I own a boat", "alice"))
    add("I dislike Python", "bob")
    for user in ("alice", "bob"):
        found = memory.get_all(filters={"user_id": user}, top_k=1000)
        (folder / f"{user}.json").write_text(json.dumps(found))


main(Path(sys.argv[1]), sys.argv[2])
