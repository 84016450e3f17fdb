"""Numbers of things agree with what they count."""

import re
from pathlib import Path

import pytest

import poolscope
from poolscope.counts import agreed, counted

SOURCE = Path(poolscope.__file__).parent
NOUNS = (
    "rows|candidates|questions|passages|facets|values|vectors|ids|sources|slots|hits|spans|picks|"
    "columns|rules|marks|pairs|settings|pieces|annotators|documents|presets|tokens|words|lines|"
    "cells|fields|arms|items|copies|steps|judgements|pools|files|ranks|clusters|names|texts"
)


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1_000, "1,000 rows")]
)
def test_a_noun_agrees_with_its_number(number: int, said: str) -> None:
    assert counted(number, "row") == said


def test_a_verb_agrees_with_its_number() -> None:
    assert [agreed(number, "is", "are") for number in (0, 1, 2)] == ["are", "is", "are"]


SEVERAL = {
    "cli/convert.py": {"{n} questions"},
    "cli/report.py": {"{len(chosen):,} questions"},
    "diagnosis/identity.py": {"{n} passages", "{len(paths)} files"},
    "formats/assemble.py": {"{len(raw.rows):,} candidates"},
    "formats/rows.py": {"{len(rows)} rows"},
    "formats/shapes/openai_search.py": {"{len(queries)} questions"},
    "formats/shapes/steps.py": {"{number} steps"},
    "formats/sources.py": {"{len(paths)} files"},
    "projection/points.py": {"{n} candidates"},
    "selection/facility_location.py": {"{len(task.order):,} candidates"},
    "ui/evaluate_run.py": {"{total:,} questions"},
    "ui/questions_panel.py": {"{len(load):,} questions"},
    "ui/taking_in_panel.py": {"{len(load):,} questions"},
}
"""What is said only where there are several, or some of more than that: looked at one by one."""


def test_no_sentence_puts_a_bare_number_before_a_plural() -> None:
    """A count is said by ``counted``, whatever its size, wherever in a sentence it stands."""
    bare = re.compile(
        r"\{(?:len\([^{}]*\)|sum\([^{}]*\)|(?:\w+\.)*(?:n|k|count|total|number|size))(?::,)?\} "
        rf"(?:[a-z-]+ )?(?:{NOUNS})\b"
    )
    met: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        found = set(bare.findall(path.read_text("utf-8")))
        if found:
            met[path.relative_to(SOURCE).as_posix()] = found
    assert met == SEVERAL
