"""The image and the compose file, checked without a Docker engine."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.settings import Settings
from tests.fixtures.timeouts import scaled_timeout

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()
COMPOSE = ROOT / "docker" / "compose.yaml"
QDRANT_LOCK = (ROOT / "docker" / "qdrant.lock").read_text()
FINAL_STAGE = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text())["services"]


def test_the_compose_file_follows_the_compose_specification() -> None:
    """With the specification's own JSON schema, which check-jsonschema includes."""
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


def test_the_four_services_exist_and_wait_for_their_dependencies(services) -> None:
    """M13: Neo4j, Redis, the API and the worker, without a profile."""
    started = {name for name, service in services.items() if not service.get("profiles")}
    assert started == {"api", "worker", "neo4j", "redis"}
    for name in ("api", "worker"):
        needed = services[name]["depends_on"]
        assert {needed[server]["condition"] for server in ("neo4j", "redis")} == {"service_healthy"}
        assert needed.keys() <= started
    assert all("test" in services[server]["healthcheck"] for server in ("neo4j", "redis"))


def test_qdrant_and_its_volume_come_with_the_profile_only(services) -> None:
    """M13: Qdrant is optional; with its profile it has a volume and a health check."""
    qdrant = services["qdrant"]
    (client,) = re.findall(r"^qdrant-client==(\d+\.\d+)\.", QDRANT_LOCK, re.MULTILINE)

    assert qdrant["profiles"] == ["qdrant"]
    assert [volume.partition(":")[0] for volume in qdrant["volumes"]] == ["qdrant"]
    assert "qdrant" in yaml.safe_load(COMPOSE.read_text())["volumes"]
    assert "/readyz" in qdrant["healthcheck"]["test"][-1]
    assert qdrant["image"].startswith(f"qdrant/qdrant:v{client}."), "client and server of one minor release"
    for name in ("api", "worker"):
        environment = services[name]["environment"]
        assert environment["RECOLLECT_QDRANT_ENABLED"] == "${RECOLLECT_QDRANT_ENABLED:-false}"
        assert environment["RECOLLECT_QDRANT_HOST"] == "qdrant"


@pytest.mark.parametrize(("ready", "code"), [(200, 0), (503, 1)])
def test_the_qdrant_health_check_uses_the_readiness_probe(services, qdrant_server, ready, code) -> None:
    """M13: with the image's own tools, against a server with Qdrant's protocol."""
    qdrant_server.ready_status = ready
    kind, *command = services["qdrant"]["healthcheck"]["test"]

    command[-1] = command[-1].replace("127.0.0.1/6333", f"127.0.0.1/{qdrant_server.port}")
    checked = subprocess.run(command, check=False, timeout=scaled_timeout(60))

    assert (kind, checked.returncode) == ("CMD", code)


def test_the_service_understands_the_settings_of_the_containers(services, monkeypatch) -> None:
    """M13: with Qdrant enabled."""
    for variable, value in services["api"]["environment"].items():
        monkeypatch.setenv(variable, re.sub(r"\$\{(\w+):-(\w+)\}", "true", value))

    settings = Settings(_env_file=None)

    assert (settings.qdrant.enabled, settings.qdrant.host, settings.qdrant.port) == (True, "qdrant", 6333)
    assert settings.worker.inline is False


def test_the_environment_of_the_containers_consists_of_settings(services) -> None:
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


def test_the_compose_file_contains_no_secret() -> None:
    secrets = re.findall(r"(?:PASSWORD|ADMIN_KEY|NEO4J_AUTH): (.+)", COMPOSE.read_text())

    assert secrets
    assert all("${" in secret and ":?" in secret for secret in secrets)


def test_the_image_is_built_in_stages_and_does_not_run_as_root() -> None:
    users = re.findall(r"^USER (\S+)$", FINAL_STAGE, re.MULTILINE)

    assert DOCKERFILE.count("\nFROM ") == 3
    assert users == ["recollect"]
    assert "HEALTHCHECK" in FINAL_STAGE
    assert ":latest" not in DOCKERFILE


def test_the_image_installs_with_the_pinned_uv_from_the_lock() -> None:
    (version,) = re.findall(r"^UV_VERSION := (\S+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert f"uv=={version}" in DOCKERFILE
    assert "--require-hashes --no-deps -r requirements.lock -r qdrant.lock" in DOCKERFILE


def test_the_image_has_the_extra_qdrant_as_it_is_tested() -> None:
    """M13: the same packages, versions and hashes as in the tests of the tier."""

    def pins(lock: str) -> dict[str, str]:
        return {pin.partition(" ")[0]: pin for pin in re.split(r"\n(?=\S)", lock.strip())}

    tested, base = (
        pins((ROOT / "tests" / "requirements.lock").read_text()),
        (ROOT / "requirements.lock").read_text(),
    )
    shipped = pins(QDRANT_LOCK)
    (declared,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][
        "qdrant"
    ]

    assert shipped == {name: pin for name, pin in tested.items() if name in shipped}
    assert {name.partition("==")[0] for name in shipped if f"\n{name} " not in f"\n{base}"} == {
        "qdrant-client",
        "grpcio",
        "portalocker",
        "h2",
        "hpack",
        "hyperframe",
    }
    assert f"printf '{declared}\\n'" in (ROOT / "Makefile").read_text()


def test_the_image_carries_the_studio_built_from_its_lock_without_node() -> None:
    """L1: a container builds nothing at start, and the image has no build tools."""
    assert "npm ci --ignore-scripts && node build.mjs" in DOCKERFILE
    assert "COPY --from=studio /build/app/studio/dist ./app/studio/dist" in DOCKERFILE
    assert "node" not in FINAL_STAGE


def test_every_copied_path_exists_in_the_build_context() -> None:
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
