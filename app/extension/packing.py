"""``make extension``: builds the browser extension as a folder to load and as an archive to share.

The scripts are copied unchanged; the manifest gets the version, and the pages of ``sites.json``.
"""

import json
import shutil
import sys
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

_SCRIPTS: Final = ("sites.js", "recollect-inject.js", "recollect-capture.js", "content.js")
_AS_THEY_ARE: Final = (
    "recollect-inject.js",
    "recollect-capture.js",
    "content.js",
    "background.js",
    "options.html",
    "options.js",
)
_HERE: Final = files("app.extension")


def pack(target: Path) -> Path:
    """Write the extension to a folder, replacing its contents, and to a ``.zip`` beside it; return the archive."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    sites = json.loads(_text("sites.json"))
    written = {
        **{name: _text(name) for name in _AS_THEY_ARE},
        "sites.js": f"const RECOLLECT_SITES = {json.dumps(sites, indent=2)};\n",
        "manifest.json": json.dumps(manifest(sites), indent=2),
    }
    for name, text in written.items():
        target.joinpath(name).write_text(text, encoding="utf-8")
    return Path(shutil.make_archive(str(target), "zip", target))


def manifest(sites: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest for the pages of these sites."""
    pages = [f"https://{host}/*" for site in sites.values() for host in site["hosts"]]
    scripts = {"matches": pages, "js": list(_SCRIPTS), "run_at": "document_idle"}
    return {
        **json.loads(_text("manifest.json")),
        "version": version("recollect"),
        "content_scripts": [scripts],
    }


def _text(name: str) -> str:
    return _HERE.joinpath(name).read_text(encoding="utf-8")


if __name__ == "__main__":
    archive = pack(Path(__file__).parent / "build" / "recollect-extension")
    sys.stdout.write(f"load the folder {archive.with_suffix('')}, or hand on {archive}\n")
