"""Own JSON: what is written loads back as it was; what is not, says where."""

import copy
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.errors import FormatError, PoolscopeError
from poolscope.golden.model import (
    Attendance,
    Cell,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Mark,
    Passage,
    Project,
    Question,
    Record,
    Role,
    Weight,
)
from poolscope.golden.own_json import as_json, from_json
from poolscope.model import Stratum

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)
number = st.floats(allow_nan=False, allow_infinity=False)
moments = st.integers(0, 10**15).map(
    lambda micros: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
)


@st.composite
def records(draw: st.DrawFn, id_: str) -> Record:
    passages = draw(
        st.lists(
            st.builds(
                Passage, text, text, st.none() | text, text, st.integers(0, 9), st.none() | number
            ),
            max_size=3,
            unique_by=lambda passage: passage.key,
        )
    )
    names = draw(st.lists(text, max_size=3, unique=True))
    facets = tuple(
        GoldenFacet(name, draw(text), draw(text), draw(st.sampled_from(Weight)), place)
        for place, name in enumerate(names)
    )
    marks = st.none() | st.sampled_from(Mark)
    judgements = tuple(
        Judgement(
            Cell(facet.id, passage.key),
            draw(text),
            draw(st.sampled_from(Role)),
            draw(marks),
            draw(marks),
            draw(moments),
            0,
        )
        for facet in facets
        for passage in passages
    )
    attendance = tuple(
        draw(st.lists(st.builds(Attendance, text, number, st.booleans()), max_size=2))
    )
    question = Question(id_, draw(text), draw(st.sampled_from(Stratum)), draw(text))
    return Record(question, tuple(passages), facets, judgements, attendance)


@st.composite
def golden_sets(draw: st.DrawFn) -> GoldenSet:
    flags = st.booleans()
    seed = draw(st.integers(-(2**62), 2**62))
    project = Project(draw(flags), draw(flags), draw(flags), seed, guidelines=draw(text))
    ids = draw(st.lists(text, max_size=2, unique=True))
    return GoldenSet(project, tuple(draw(records(id_)) for id_ in ids))


@given(golden_sets())
def test_what_is_written_loads_back_as_it_was(golden_set: GoldenSet) -> None:
    written = as_json(golden_set)
    assert from_json(written) == golden_set
    assert as_json(from_json(written)) == written


SMALL = json.loads(
    as_json(
        GoldenSet(
            records=(
                Record(
                    Question("q", "?"),
                    (Passage("p", "x", "s", "d", 1, 0.5),),
                    (GoldenFacet("a", "A"),),
                    (
                        Judgement(
                            Cell("a", "p"),
                            "Ann",
                            Role.ANNOTATOR,
                            Mark.SUPPORTS,
                            None,
                            datetime(2026, 1, 1, tzinfo=UTC),
                            0,
                        ),
                    ),
                    (Attendance("Ann", 1.0, is_done=False),),
                ),
            )
        )
    )
)


def _places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner: list[tuple[str | int, ...]] = []
    if isinstance(value, dict):
        inner = [place for key, item in value.items() for place in _places(item, (*path, key))]
    elif isinstance(value, list):
        inner = [place for at, item in enumerate(value) for place in _places(item, (*path, at))]
    return [path, *inner] if path else inner


@pytest.mark.parametrize("wrong", [{"x": 1}, [1], "\x00", -1e999, True, 7], ids=str)
@pytest.mark.parametrize("path", _places(SMALL), ids=lambda path: ".".join(map(str, path)))
def test_a_wrong_value_anywhere_is_refused_or_read(
    path: tuple[str | int, ...], wrong: object
) -> None:
    """No value in any place is more than an error of ours."""
    value: Any = copy.deepcopy(SMALL)
    at = value
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = wrong
    try:
        found = from_json(json.dumps(value), "set.json")
    except PoolscopeError as error:
        said = (error.problem, error.remedy)
    else:
        said = ("read", "back") if from_json(as_json(found)) == found else ("", "")
    assert all(said)


@pytest.mark.parametrize("path", _places(SMALL), ids=lambda path: ".".join(map(str, path)))
def test_what_is_missing_is_named(path: tuple[str | int, ...]) -> None:
    value: Any = copy.deepcopy(SMALL)
    at = value
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    # Files of the store's first version name no guidelines.
    may_be_missing = {"source", "score", "mark", "independent", "guidelines", 0}
    if (
        path[-1] in may_be_missing
        and path[1:] != (0, "facets", 0)
        and path[1:] != (0, "passages", 0)
    ):
        from_json(json.dumps(value))
        return
    with pytest.raises(FormatError, match="wanted") as caught:
        from_json(json.dumps(value), "set.json")
    assert caught.value.place.file == "set.json"


def test_files_that_are_none() -> None:
    for content, problem in (
        ("", "not JSON"),
        ("[]", "wanted “format”"),
        ('{"format": "other"}', "wanted “format”"),
        ("[" * 100_000, "not JSON"),
        (json.dumps(SMALL | {"version": 2}), "has version 2, this program reads version 1"),
        (json.dumps(SMALL | {"questions": SMALL["questions"] * 2}), "every id once"),
    ):
        with pytest.raises(FormatError, match=problem):
            from_json(content)


@pytest.mark.parametrize(
    ("role", "second", "is_refused"),
    [
        ("annotator", "Ann", True),
        ("annotator", "Ben", False),
        ("adjudicator", "Ann", False),
    ],
)
def test_nobody_says_two_things_of_a_cell(
    role: str,
    second: str,
    is_refused: bool,  # noqa: FBT001 - a case's value
) -> None:
    value: Any = copy.deepcopy(SMALL)
    (first,) = value["questions"][0]["judgements"]
    value["questions"][0]["judgements"].append({**first, "annotator": second, "role": role})
    if is_refused:
        with pytest.raises(FormatError, match="one judgement a cell of each annotator"):
            from_json(json.dumps(value), "set.json")
    else:
        assert len(from_json(json.dumps(value)).records[0].judgements) == 2


def test_a_cell_has_one_ruling_whoever_made_it() -> None:
    value: Any = copy.deepcopy(SMALL)
    (first,) = value["questions"][0]["judgements"]
    rulings = [{**first, "annotator": name, "role": "adjudicator"} for name in ("Eve", "Fay")]
    value["questions"][0]["judgements"] = rulings
    with pytest.raises(FormatError, match="one ruling"):
        from_json(json.dumps(value), "set.json")


def test_a_file_without_guidelines_is_read_as_it_was() -> None:
    value = json.loads(as_json(GoldenSet()))
    del value["project"]["guidelines"]
    assert from_json(json.dumps(value)) == GoldenSet()
    value["project"]["guidelines"] = 7
    with pytest.raises(FormatError, match="guidelines"):
        from_json(json.dumps(value))
