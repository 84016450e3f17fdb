"""Files are written whole or not at all."""

import json
import stat
from pathlib import Path

import pytest

from poolscope import formats
from tests.cli.commands import run


def test_a_file_is_replaced_only_by_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "in.json", tmp_path / "out.json"
    path.write_text('[{"id": "a", "text": "x"}]')
    out.write_text("mine")
    assert run("convert", path, out) == 1
    assert "The file exists already.\nGive another name, or --force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert run("convert", path, out, "--force") == 0
    assert json.loads(out.read_text())["poolscope"] == 1
    assert stat.S_IMODE(out.stat().st_mode) & stat.S_IRUSR
    assert run("convert", path, path, "--force") == 0
    assert formats.read_path(path).question().pool.texts == ("x",)


def test_where_it_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.json"
    path.write_text('[{"text": "x"}]')
    (tmp_path / "folder.json").mkdir()
    assert run("convert", path, tmp_path / "folder.json") == 1
    assert "This is a folder." in capsys.readouterr().err
    assert run("convert", path, tmp_path / "none" / "x.json") == 1
    assert "Its folder does not exist." in capsys.readouterr().err
    assert run("convert", tmp_path / "gone.json", tmp_path / "x.json") == 1
    assert "There is no such file." in capsys.readouterr().err
