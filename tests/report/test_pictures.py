"""The pictures are well-formed SVG that shows the picks where they are, and runs nothing."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from poolscope import analysis, projection
from poolscope.analysis import Comparison
from poolscope.charts.theme import LIGHT, palette
from poolscope.model import Policy, Pool
from poolscope.report import pictures
from poolscope.selection.paths import Axis

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert(1)</script>"&\x00'


@pytest.fixture
def compared(make_pool: Callable[..., Pool]) -> Comparison:
    """Eight passages of hostile sources, two columns."""
    pool = make_pool(
        8, scores=np.linspace(0.9, 0.2, 8), sources=[f"{HOSTILE}{i % 3}" for i in range(8)],
        vectors=np.eye(8) + 0.2,
    )  # fmt: skip
    return analysis.compare(pool, Policy(k=3, depth=6), ("mmr",))


def parsed(svg: str) -> ET.Element:
    """Read a picture as XML; it holds shapes and text alone."""
    root = ET.fromstring(svg)  # noqa: S314 - written by this project
    tags = {item.tag.removeprefix(SVG) for item in root.iter()}
    assert tags <= {"svg", "title", "rect", "path", "text", "line"}
    for item in root.iter():
        assert not any(name.startswith("on") or name.endswith("href") for name in item.attrib)
    return root


def test_the_strip_has_a_bar_a_candidate_and_a_ring_a_pick(compared: Comparison) -> None:
    root = parsed(pictures.strip(compared, palette(compared.pool, "source", LIGHT)))
    bars = [item for item in root.iter(f"{SVG}rect") if item.get("height") == "34"]
    rings = [item for item in root.iter(f"{SVG}path") if item.get("fill") == "none"]
    assert len(bars) == 8
    assert [bar.get("opacity") for bar in bars] == [None] * 6 + ["0.25"] * 2
    assert len(rings) == 6
    entered = [ring for ring in rings if ring.get("stroke") == LIGHT.accent]
    assert len(entered) == len(compared.columns[1].entered)
    said = " ".join(item.text or "" for item in root.iter(f"{SVG}text"))
    assert "<script>" in said  # as text


def test_the_map_places_every_candidate_within_the_picture(compared: Comparison) -> None:
    colours = palette(compared.pool, "source", LIGHT)
    root = parsed(pictures.pool_map(compared, projection.pca(compared.pool), colours))
    rings = [item for item in root.iter(f"{SVG}path") if item.get("fill") == "none"]
    assert len(rings) == 6
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for item in root.iter(f"{SVG}path"):
        x, y = map(float, item.get("d", "M0 0").lstrip("M").split("L")[0].split("a")[0].split())
        assert 0 <= x <= width
        assert 0 <= y <= height


def test_a_pool_without_places_has_a_map_all_the_same(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(3, scores=[3, 2, 1])
    compared = analysis.compare(pool, Policy(k=2), ("grouped_cap",))
    root = parsed(pictures.pool_map(compared, projection.pca(pool), palette(pool, "source", LIGHT)))
    assert not [item for item in root.iter(f"{SVG}path") if item.get("fill") == "none"]


@pytest.mark.parametrize("axis", [Axis.LAMBDA, Axis.DEPTH, Axis.K])
def test_the_curve_draws_both_lines_and_the_setting(compared: Comparison, axis: Axis) -> None:
    found = analysis.trade_off(compared.pool, Policy(selector="mmr", k=3), axis)
    root = parsed(pictures.curve(found, palette(compared.pool, "source", LIGHT), 0))
    lines = [item for item in root.iter(f"{SVG}path") if item.get("fill") == "none"]
    assert len(lines) == 2
    defined = sum(not np.isnan(step.kept) for step in found.steps)
    assert lines[0].get("d", "").count("L") >= defined
    assert "nan" not in "".join(line.get("d", "") for line in lines)


def test_a_curve_over_whole_numbers_has_no_slope(compared: Comparison) -> None:
    found = analysis.trade_off(compared.pool, Policy(selector="grouped_cap", k=6), Axis.CAP)
    assert len(found.steps) > 1
    root = parsed(pictures.curve(found, palette(compared.pool, "source", LIGHT), 0))
    for line in root.iter(f"{SVG}path"):
        if line.get("fill") == "none":
            points = [part.split() for part in re.split("[ML]", line.get("d", ""))[1:]]
            assert all(x0 == x1 or y0 == y1 for (x0, y0), (x1, y1) in pairwise(points))
