"""``poolscope`` is installed, and ``poolscope formats`` lists every format."""

import tomllib
from pathlib import Path

import pytest

from poolscope import formats
from poolscope.formats import Tried
from tests.cli.commands import run

REPO = Path(__file__).resolve().parents[2]


def test_the_command_is_installed_under_its_name() -> None:
    settings = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["scripts"] == {"poolscope": "poolscope.cli:main"}


def test_formats_lists_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("formats") == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["name", "format", "tried", "on"]
    for line, item in zip(lines, formats.FORMATS, strict=True):
        assert line.split()[0] == item.name
        assert item.label in line
        assert line.endswith(item.tried)
    assert {item.tried for item in formats.FORMATS} == set(Tried)
