"""Variables of the environment and of ``.env`` that no setting knows."""

import pytest

from app.settings import Settings
from app.settings.names import UnknownSetting


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("RECOLLECT_NEO4J_TIMEOUT_SECOND", "RECOLLECT_NEO4J_TIMEOUT_SECONDS"),
        ("RECOLLECT_ADMINKEY", "RECOLLECT_ADMIN_KEY"),
        ("RECOLLECT_QDRANT", None),
        ("recollect_port", None),
        ("OTHER_PROGRAMS_KEY", None),
        ("RECOLLECTION", None),
    ],
)
def test_a_misspelt_variable_is_refused_with_the_nearest_name(monkeypatch, tmp_path, name, nearest) -> None:
    """C21: in the environment and in the file alike."""
    value = "{}" if name.endswith("QDRANT") else "1"
    file = tmp_path / ".env"
    file.write_text(f"{name}={value}\n")

    if nearest is None:
        Settings(_env_file=file)
        return
    with pytest.raises(UnknownSetting, match=f"{name} is no setting; the nearest is {nearest}$"):
        Settings(_env_file=file)
    monkeypatch.setenv(name, value)
    with pytest.raises(UnknownSetting, match=f"the nearest is {nearest}$"):
        Settings(_env_file=None)
