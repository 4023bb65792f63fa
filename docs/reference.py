"""Writes the reference pages from the code: ``python docs/reference.py`` (part of ``make docs``)."""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphql import GraphQLObjectType, build_schema, print_type

from app.cli.commands import COMMANDS, load
from app.client.generated import RecollectClient
from app.main import create_app
from app.settings import env_example
from app.surfaces.dialects import TOOLS
from app.surfaces.mcp.tool import input_schema
from app.surfaces.rest.openapi import document
from graph.core import errors

DOCS = Path(__file__).parent
SDL = DOCS.parent / "app" / "surfaces" / "graphql" / "schema.graphql"
CLIENT = DOCS.parent / "app" / "client"
TYPESCRIPT = CLIENT / "typescript"
ADAPTERS = (
    "shared",
    "langgraph_store/store",
    "langchain_retriever",
    "langchain_history",
    "llama_index_retriever",
    "llama_index_memory",
)
ROOTS = ("Query", "Mutation", "Subscription")


def graphql() -> Iterator[str]:
    """Yield the page of the schema: the operations with their descriptions, then every type."""
    schema = build_schema(SDL.read_text(encoding="utf-8"))
    yield "# GraphQL\n\n`POST /graphql`; `recollect schema` prints the same as one file.\n"
    for root in ROOTS:
        type_ = schema.get_type(root)
        if not isinstance(type_, GraphQLObjectType):
            continue
        yield f"## {root}\n"
        for name, field in sorted(type_.fields.items()):
            arguments = ", ".join(f"{argument}: {value.type}" for argument, value in field.args.items())
            yield f"### {name}\n\n```text\n{name}({arguments}): {field.type}\n```\n\n{field.description or ''}\n"
    yield "## Types\n"
    for name, each in sorted(schema.type_map.items()):
        if not name.startswith("__") and name not in ROOTS:
            yield f"### {name}\n\n```text\n{print_type(each)}\n```\n"


def rest() -> Iterator[str]:
    """Yield the page of the routes in ``/openapi.json``."""
    yield "# REST\n\nThe same document is served at `/openapi.json`, and shown at `/docs`.\n"
    described = document(create_app(services=None))
    for path, methods in sorted(described["paths"].items()):
        for method, route in methods.items():
            yield f"## {method.upper()} {path}\n\n{route.get('summary', '')}\n\n{route.get('description', '')}\n"
            rows = [f"| {code} | {answer['description']} |" for code, answer in route["responses"].items()]
            yield "\n".join(["| status | meaning |", "|---|---|", *rows]) + "\n"


def command_line() -> Iterator[str]:
    """Yield the page of the commands with their help."""
    yield "# Command line\n"
    for name in sorted(COMMANDS):
        yield from _commands(load(name), f"recollect {name}")


def _commands(command: Any, path: str) -> Iterator[str]:
    """Yield a command, or all commands of a group; Typer has its own copy of Click."""
    if hasattr(command, "commands"):
        for name, inner in sorted(command.commands.items()):
            yield from _commands(inner, f"{path} {name}")
        return
    yield f"## {path}\n\n{command.help or ''}\n"
    rows = [
        f"| `{' '.join(each.opts)}` | {getattr(each, 'help', None) or ''} |"
        for each in command.params
        if each.name != "help"
    ]
    if rows:
        yield "\n".join(["| parameter | meaning |", "|---|---|", *rows]) + "\n"


def settings() -> Iterator[str]:
    """Yield the page of the settings."""
    yield "# Settings\n\nEnvironment variables, or lines of a `.env` file.\n"
    yield f"```text\n{env_example.render()}\n```\n"


def tools() -> Iterator[str]:
    """Yield the page of MCP's tools with their schemas."""
    yield "# MCP tools\n"
    for tool in sorted(TOOLS, key=lambda each: each.name):
        schema = json.dumps(input_schema(tool.arguments), indent=2, ensure_ascii=False)
        yield f"## {tool.name}\n\n{tool.description}\n\n```json\n{schema}\n```\n"


def clients() -> Iterator[str]:
    """Yield the page of the Python client: its methods with their signatures, then the adapters for libraries."""
    yield "# Python client\n"
    yield "`from app.client.generated import RecollectClient`; [how to use it](../how-to/clients.md).\n"
    for name, method in sorted(vars(RecollectClient).items()):
        if not name.startswith("_") and callable(method):
            shown = inspect.formatannotation(inspect.signature(method).return_annotation)
            arguments = [
                each for each in inspect.signature(method).parameters if each not in {"self", "kwargs"}
            ]
            result = shown.rpartition(".")[2].rstrip("]")
            yield f"## {name}\n\n```text\n{name}({', '.join(arguments)}) -> {result}\n```\n"
    for module in ADAPTERS:
        yield from _classes(CLIENT / f"{module}.py", module.partition("/")[0])


def _classes(path: Path, module: str) -> Iterator[str]:
    """Yield the public classes of a module with their docstrings, without importing it, because it needs an extra."""
    for each in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(each, ast.ClassDef) or each.name.startswith("_"):
            continue
        yield f"## {module}.{each.name}\n\n{ast.get_docstring(each) or ''}\n"
        for member in each.body:
            if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef) and not member.name.startswith("_"):
                text = (ast.get_docstring(member) or "").replace("\n\n", "\n")
                yield f"```text\n{member.name}({ast.unparse(member.args)})\n\n{text}\n```\n"
            elif isinstance(member, ast.FunctionDef) and member.name == "__init__":
                yield f"```text\n{each.name}({ast.unparse(member.args)})\n\n{ast.get_docstring(member) or ''}\n```\n"


def typescript() -> Iterator[str]:
    """Yield the page of the npm package: its README, then the exports of each module."""
    readme = (TYPESCRIPT / "README.md").read_text(encoding="utf-8")
    yield readme.replace("../../../README.md", "../index.md")
    for name in ("recollect", "react"):
        source = (TYPESCRIPT / "src" / f"{name}.ts").read_text(encoding="utf-8")
        yield f"## {name}.ts\n"
        for doc, head in re.findall(r"/\*\*((?:(?!\*/).)*)\*/\n(export .*?)(?: \{|;)\n", source, re.DOTALL):
            text = " ".join(line.strip(" *") for line in doc.splitlines()).strip()
            yield f"```text\n{head.strip()}\n```\n\n{text}\n"


def codes() -> Iterator[str]:
    """Yield the page of the errors."""
    yield "# Errors\n\nEvery surface maps the same errors. GraphQL answers the code in `extensions.code`.\n"
    kinds = [
        each
        for each in vars(errors).values()
        if isinstance(each, type)
        and issubclass(each, errors.RecollectError)
        and each is not errors.RecollectError
    ]
    rows = [f"| `{kind.code}` | {(kind.__doc__ or '').strip().splitlines()[0]} |" for kind in kinds]
    yield "\n".join(["| code | meaning |", "|---|---|", *rows]) + "\n"


PAGES = {
    "graphql": graphql,
    "rest": rest,
    "command-line": command_line,
    "settings": settings,
    "mcp-tools": tools,
    "errors": codes,
    "python-client": clients,
    "typescript-client": typescript,
}


def write(folder: Path = DOCS / "reference") -> None:
    """Write every page."""
    folder.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (folder / f"{name}.md").write_text("\n".join(page()), encoding="utf-8")


if __name__ == "__main__":
    write()
