"""Checks of this machine: interpreter, installed packages, model, data folder and ports."""

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement

from app.bootstrap.embedders import ModelChoice, choose
from app.cli.doctor.findings import CheckState, Finding, without_credentials
from app.embedded.data_folder import Holder, data_folder
from app.embedded.errors import JavaNotFound
from app.embedded.jars import missing_jars, read_list
from app.embedded.java import VECTOR_MODULE, choose_java
from app.embedded.ports import LOOPBACK, is_free
from app.settings import MachineSettings, Settings

_OLDEST_PYTHON = (3, 11)
_EXTRAS = {"transformers": "sentence_transformers", "static": "model2vec"}
"""The package that each optional source of embeddings loads."""


def check_python() -> Finding:
    """Look at the interpreter."""
    found = platform.python_version()
    if sys.version_info < _OLDEST_PYTHON:
        return Finding("Python", CheckState.WRONG, found, "run it with Python 3.11 or later")
    return Finding("Python", CheckState.FOUND, found)


def check_packages() -> Finding:
    """Check the declared dependencies, without extras."""
    declared = [Requirement(text) for text in requires("recollect") or []]
    needed = [
        requirement for requirement in declared if requirement.marker is None or requirement.marker.evaluate()
    ]
    wrong = [text for requirement in needed if (text := _objection(requirement))]
    if wrong:
        return Finding(
            "Packages", CheckState.WRONG, ", ".join(wrong), "`make up` installs what requirements.lock names"
        )
    shown = ("litestar", "strawberry-graphql", "neo4j", "redis", "onnxruntime")
    return Finding("Packages", CheckState.FOUND, ", ".join(f"{name} {version(name)}" for name in shown))


def check_embedder(settings: Settings) -> Finding:
    """Check the configured model's files, and the checksum of a local one; calls no provider."""
    try:
        choice = choose(settings.embedding)
    except ValueError as error:
        return Finding(
            "Embedder", CheckState.WRONG, str(error), "correct the settings of the embedder (.env.example)"
        )
    if choice is None:
        return Finding("Embedder", CheckState.FOUND, "none: recall works from keywords")
    if choice.local_model is not None:
        sha256 = choice.local_model.artifact.sha256
        return _local_model(choice, sha256, settings.embedding.local_folder)
    package = _EXTRAS.get(choice.source)
    if package is not None and find_spec(package) is None:
        remedy = f"`make extra NAME={choice.source}` installs it"
        return Finding(
            "Embedder", CheckState.MISSING, f"{choice.name} needs {package}, which is not installed", remedy
        )
    return Finding("Embedder", CheckState.FOUND, f"{choice.source}: {choice.name}")


def check_language_model(settings: Settings) -> Finding:
    """Look for what the configured language model needs; it is not asked anything."""
    llm = settings.llm
    if llm.url is None:
        return Finding("Language model", CheckState.FOUND, "none: nothing needs one")
    if find_spec("pydantic_ai") is None:
        remedy = "`make extra NAME=llm` installs it"
        return Finding(
            "Language model",
            CheckState.MISSING,
            f"{llm.model} needs pydantic-ai, which is not installed",
            remedy,
        )
    return Finding("Language model", CheckState.FOUND, f"{llm.model} at {without_credentials(llm.url)}")


def check_data_folder(settings: Settings, holder: Holder | None) -> Finding:
    """Tell who uses the data folder."""
    folder = data_folder(settings.data_dir)
    if holder is not None:
        return Finding(
            "Data folder", CheckState.FOUND, f"{folder}, held by process {holder.pid} (port {holder.port})"
        )
    if not folder.exists():
        return Finding(
            "Data folder", CheckState.MISSING, str(folder), "`recollect up` makes it", needed=False
        )
    return Finding("Data folder", CheckState.FOUND, f"{folder}, held by nobody")


def check_ports(
    settings: Settings, holder: Holder | None, api_port: int, *, is_served: bool
) -> Iterator[Finding]:
    """Tell whether the ports that the settings name are free or ours.

    Args:
        settings: Of this machine.
        holder: Process that runs on its data folder.
        api_port: Configured port of the API.
        is_served: Whether a Recollect service answers at the API's port, such as ``recollect serve``.
    """
    if is_served:
        yield Finding("API port", CheckState.FOUND, f"{api_port} is in use by a service of Recollect")
    else:
        yield _port("API port", settings.host, api_port, holder, "RECOLLECT_PORT")
    if settings.neo4j.uri is None and settings.neo4j.bolt_port:
        yield _port("Bolt port", LOOPBACK, settings.neo4j.bolt_port, holder, "RECOLLECT_NEO4J_BOLT_PORT")
    if settings.neo4j.uri is None and settings.neo4j.http_port:
        yield _port("Browser port", LOOPBACK, settings.neo4j.http_port, holder, "RECOLLECT_NEO4J_HTTP_PORT")


def check_java() -> Finding:
    """Look for the Java that the embedded Neo4j would be started with."""
    try:
        java = choose_java(MachineSettings().java_home)
    except JavaNotFound as error:
        return Finding("Java", CheckState.WRONG, str(error), "set JAVA_HOME to a JDK of version 21 or later")
    found = f"{java.version} ({java.source}: {java.executable}), {VECTOR_MODULE} "
    if java.has_vector:
        return Finding("Java", CheckState.FOUND, found + "present")
    remedy = "vector search is faster on a full JDK of version 21 or later: install one"
    return Finding("Java", CheckState.FOUND, found + "absent", remedy)


def check_jars() -> Finding:
    """Look for the embedded Neo4j's jars and compare their checksums."""
    jars, missing = read_list(), missing_jars()
    if missing:
        found = f"{len(missing)} of {len(jars)} not there or damaged, such as {missing[0].coordinate}"
        return Finding("Neo4j jars", CheckState.MISSING, found, "`recollect up` fetches them", needed=False)
    return Finding(
        "Neo4j jars", CheckState.FOUND, f"{len(jars)} jars, {sum(jar.size for jar in jars) // 1_000_000} MB"
    )


def _local_model(choice: ModelChoice, sha256: str, folder: Path | None) -> Finding:
    place = choice.missing_file(folder)
    if place is None:
        return Finding("Embedder", CheckState.FOUND, f"{choice.name} on onnxruntime, sha256 {sha256[:12]}…")
    if folder is not None:
        remedy = "put the published file there, or correct RECOLLECT_EMBEDDING_LOCAL_FOLDER"
        return Finding("Embedder", CheckState.WRONG, f"{place} is missing or another file", remedy)
    found = f"{choice.name} is not there, or damaged"
    return Finding("Embedder", CheckState.MISSING, found, "`recollect up` fetches it", needed=False)


def _objection(requirement: Requirement) -> str | None:
    try:
        installed = version(requirement.name)
    except PackageNotFoundError:
        return f"{requirement.name} is not installed"
    if requirement.specifier.contains(installed, prereleases=True):
        return None
    return f"{requirement.name} is {installed}, not {requirement.specifier}"


def _port(check: str, host: str, port: int, holder: Holder | None, setting: str) -> Finding:
    if is_free(port, host):
        return Finding(check, CheckState.FOUND, f"{port} is free")
    if holder is not None:
        return Finding(check, CheckState.FOUND, f"{port} is in use while process {holder.pid} runs")
    return Finding(check, CheckState.WRONG, f"{port} is in use", f"stop what listens there, or set {setting}")
