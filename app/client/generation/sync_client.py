"""Adds to the generated client one whose methods wait for their answers: a plugin of ariadne-codegen."""

import re

from ariadne_codegen.plugins.base import Plugin

_WORDS = {"async def": "def", "async for": "for", "await ": "", "AsyncIterator": "Iterator"}
_ASYNC = re.compile("|".join(_WORDS))


class SyncClientPlugin(Plugin):  # type: ignore[misc]  # installed in an environment of its own
    """Copies the class of the client, without what is asynchronous of it."""

    def generate_client_code(self, generated_code: str) -> str:
        """Return the module with ``SyncRecollectClient`` behind ``RecollectClient``."""
        imports, _, methods = generated_code.partition("class RecollectClient(TypedTransport):")
        waiting = _ASYNC.sub(lambda word: _WORDS[word[0]], methods)
        imports = imports.replace("AsyncIterator", "AsyncIterator, Iterator", 1).replace(
            "import TypedTransport", "import SyncTypedTransport, TypedTransport"
        )
        return (
            f"{imports}class RecollectClient(TypedTransport):{methods.rstrip()}\n\n\n"
            f"class SyncRecollectClient(SyncTypedTransport):{waiting}"
        )

    def generate_init_code(self, generated_code: str) -> str:
        """Return the package's module with both clients among its names."""
        return generated_code.replace(
            "import RecollectClient\n", "import RecollectClient, SyncRecollectClient\n"
        ).replace('    "RecollectClient",\n', '    "RecollectClient",\n    "SyncRecollectClient",\n')
