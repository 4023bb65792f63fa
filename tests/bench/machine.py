"""What a figure was measured with: machine, versions, date."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import psutil

from app.embedded.jars import ROOTS
from app.embedded.java import choose_java
from app.settings import MachineSettings

_PACKAGES = ("neo4j", "onnxruntime", "numpy", "litestar", "strawberry-graphql")


def described() -> list[str]:
    """Return lines on date, machine and versions."""
    now = datetime.now(UTC)
    memory = psutil.virtual_memory().total / 2**30
    load = os.getloadavg()[0]
    java = choose_java(MachineSettings().java_home)
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return [
        f"{now:%Y-%m-%d %H:%M} UTC, load {load:.1f} before the run's end",
        f"{_cpu()}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()} {platform.release()}",
        f"Python {platform.python_version()}, Java {java.version}, Neo4j {_neo4j()}, {packages}",
    ]


def _cpu() -> str:
    lines = (
        Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if Path("/proc/cpuinfo").exists()
        else []
    )
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def _neo4j() -> str:
    return ROOTS[0].rpartition(":")[2]
