"""Numbers of things agree with what they count."""

import re
from pathlib import Path

import pytest

import poolscope
from poolscope.counts import agreed, counted

SOURCE = Path(poolscope.__file__).parent
NOUNS = "rows|candidates|questions|passages|facets|values|vectors|ids|sources|slots|hits|spans"


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1_000, "1,000 rows")]
)
def test_a_noun_agrees_with_its_number(number: int, said: str) -> None:
    assert counted(number, "row") == said


def test_a_verb_agrees_with_its_number() -> None:
    assert [agreed(number, "is", "are") for number in (0, 1, 2)] == ["are", "is", "are"]


def test_no_sentence_puts_a_bare_number_before_a_plural() -> None:
    """A count that opens a sentence's part is said by ``counted``, whatever its size."""
    bare = re.compile(rf"f\"(?:\*\*)?\{{(?:len\([^}}]*\)|n|count|total)\}} (?:{NOUNS})\b")
    met = {
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for path in SOURCE.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if bare.search(line)
    }
    assert met == set()
