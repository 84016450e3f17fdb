"""Where a golden set is kept."""

from pathlib import Path

import pytest

from poolscope.errors import StoreError
from poolscope.golden import place


@pytest.fixture(autouse=True)
def _nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(place.VARIABLE, raising=False)


def test_without_a_name_it_is_a_file_in_the_folder_for_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert place.address() == str(tmp_path / "poolscope" / "golden.sqlite")
    assert (tmp_path / "poolscope").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("platform", "variable", "folder"),
    [
        ("win32", "LOCALAPPDATA", "poolscope"),
        ("darwin", "HOME", "Library/Application Support/poolscope"),
        ("linux", "HOME", ".local/share/poolscope"),
    ],
)
def test_the_folder_is_the_platforms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variable: str, folder: str
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    assert place.folder() == tmp_path / folder


def test_the_variable_goes_before_what_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert place.address(str(tmp_path / "given" / "g.sqlite")) == str(tmp_path / "given/g.sqlite")
    monkeypatch.setenv(place.VARIABLE, str(tmp_path / "named" / "g.sqlite"))
    assert place.address("given.sqlite") == str(tmp_path / "named" / "g.sqlite")
    assert (tmp_path / "named").is_dir()


def test_an_address_of_a_server_is_left_as_it_is() -> None:
    address = "postgresql://ann:secret@db:5432/golden"
    assert place.address(address) == address


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be made") as caught:
        place.address(str(tmp_path / "file" / "golden.sqlite"))
    assert place.VARIABLE in caught.value.remedy


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("postgresql://ann:secret@db:5432/golden", "postgresql://ann:***@db:5432/golden"),
        ("postgresql://ann:se cret@db:port/x", "postgresql://…"),
        ("/data/golden.sqlite", "/data/golden.sqlite"),
    ],
)
def test_a_password_is_never_shown(address: str, wanted: str) -> None:
    assert place.shown(address) == wanted
