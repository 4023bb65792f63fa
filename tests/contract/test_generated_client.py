"""The generated client: it equals the output of the locked tool for the SDL and the operations."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "app" / "client"
CODEGEN = Path(sys.prefix) / "codegen" / "bin" / "ariadne-codegen"


def files_of(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.suffix == ".py"}


def test_generating_it_again_changes_nothing(tmp_path) -> None:
    """Run `make client` after a change of the SDL or of app/client/operations."""
    there, here = 'target_package_path = "app/client"', f'target_package_path = "{tmp_path}"'
    settings = (CLIENT / "codegen.toml").read_text()
    assert there in settings
    (tmp_path / "codegen.toml").write_text(settings.replace(there, here))

    subprocess.run(
        [str(CODEGEN), "--config", str(tmp_path / "codegen.toml")],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
    )

    made, committed = files_of(tmp_path / "generated"), files_of(CLIENT / "generated")
    assert made.keys() == committed.keys()
    assert [name for name in made if made[name] != committed[name]] == []


def test_the_client_needs_only_httpx_pydantic_and_tenacity() -> None:
    program = """
import sys

server = {"graph", "cypher", "litestar", "strawberry", "graphql", "neo4j", "redis", "websockets"}

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in server:
            raise ImportError(f"the client imports {name}")

sys.meta_path.insert(0, Refuse())
import app.client.generated, app.client.shared
assert not {name for name in sys.modules if name.startswith("app.") and not name.startswith("app.client")}
"""

    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
