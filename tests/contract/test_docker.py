"""The image and the compose file, as far as they can be checked without a Docker engine."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()
COMPOSE = ROOT / "docker" / "compose.yaml"
FINAL_STAGE = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text())["services"]


def test_the_compose_file_follows_the_compose_specification() -> None:
    """Against the specification's own JSON schema, which check-jsonschema carries."""
    subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE],
        check=True,
    )


def test_the_schema_refuses_a_mistake(tmp_path) -> None:
    mistaken = tmp_path / "compose.yaml"
    mistaken.write_text(COMPOSE.read_text().replace("depends_on:", "depend_on:", 1))
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", mistaken],
        capture_output=True,
        check=False,
    )

    assert checked.returncode == 1
    assert b"depend_on" in checked.stdout


def test_the_four_services_are_there_and_wait_for_what_they_need(services) -> None:
    assert set(services) == {"api", "worker", "neo4j", "redis"}
    for name in ("api", "worker"):
        needed = services[name]["depends_on"]
        assert {needed[server]["condition"] for server in ("neo4j", "redis")} == {"service_healthy"}
    assert all("test" in services[server]["healthcheck"] for server in ("neo4j", "redis"))


def test_the_environment_of_the_containers_is_made_of_settings(services) -> None:
    fields = Settings.model_fields
    for name in ("api", "worker"):
        for variable in services[name]["environment"]:
            path = variable.removeprefix("RECOLLECT_").lower()
            group, _, rest = path.partition("_")
            assert path in fields or rest in fields[group].annotation.model_fields


def test_the_neo4j_image_is_the_release_that_is_embedded(services) -> None:
    (release,) = re.findall(
        r'"org\.neo4j:neo4j:([^"]+)"', (ROOT / "app" / "embedded" / "jars.py").read_text()
    )

    assert services["neo4j"]["image"] == f"neo4j:{release}"


def test_ports_are_published_on_loopback_only(services) -> None:
    published = [port for service in services.values() for port in service.get("ports", [])]

    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)


def test_no_secret_is_written_down() -> None:
    secrets = re.findall(r"(?:PASSWORD|ADMIN_KEY|NEO4J_AUTH): (.+)", COMPOSE.read_text())

    assert secrets
    assert all("${" in secret and ":?" in secret for secret in secrets)


def test_the_image_is_built_in_stages_and_does_not_run_as_root() -> None:
    users = re.findall(r"^USER (\S+)$", FINAL_STAGE, re.MULTILINE)

    assert DOCKERFILE.count("\nFROM ") == 2
    assert users == ["recollect"]
    assert "HEALTHCHECK" in FINAL_STAGE
    assert ":latest" not in DOCKERFILE


def test_the_image_installs_with_the_pinned_uv_from_the_lock() -> None:
    (version,) = re.findall(r"^UV_VERSION := (\S+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert f"uv=={version}" in DOCKERFILE
    assert "--require-hashes --no-deps -r requirements.lock" in DOCKERFILE


def test_everything_that_is_copied_into_the_image_exists_and_is_sent_to_the_builder() -> None:
    copied = {
        source
        for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
        for source in line.split()
    }
    sent = {
        line.removeprefix("!")
        for line in (ROOT / "docker" / "Dockerfile.dockerignore").read_text().split()
        if line.startswith("!")
    }

    assert copied == sent
    assert all((ROOT / source).exists() for source in copied)
