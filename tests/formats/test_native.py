import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from poolscope import formats
from poolscope.errors import FormatError, PoolscopeError
from poolscope.formats import native
from poolscope.model import Direction, Pool, Stratum

REPO = Path(__file__).resolve().parents[2]
CASES = REPO.parent / "shared" / "cases" / "formats"
FILES = [
    *sorted((REPO / "sample_data").glob("*.json")),
    *sorted(path for path in (REPO / "tests" / "formats" / "good").glob("*/*")),
    *(sorted(path for path in CASES.rglob("*") if path.is_file()) if CASES.is_dir() else ()),
]


def pools(path: Path) -> Iterator[Pool]:
    """Yield the pools of a file; none where it is no pool."""
    try:
        load = formats.read_path(path)
    except PoolscopeError:
        return
    for index in range(len(load)):
        try:
            yield load.question(index).pool
        except PoolscopeError:
            continue


def back(value: object, name: str = "x.json") -> Pool:
    """Read one question back from what was written of it."""
    load = formats.read(json.dumps(value).encode(), name)
    assert load.format is native.FORMAT
    return load.question(0).pool


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_pool_is_read_back_whole(path: Path) -> None:
    """The digest is of everything: ids, texts, scores and their kind, vectors to the last bit."""
    for pool in pools(path):
        assert back(native.question(pool)).digest == pool.digest
        assert back(native.rows(pool)).digest == pool.digest


def test_enough_files_are_pools() -> None:
    assert sum(1 for path in FILES for _ in pools(path)) > 60


def test_a_direction_chosen_by_hand_is_kept_and_can_be_changed() -> None:
    load = formats.read(b'[{"text": "a", "score": 1}, {"text": "b", "score": 3}]')
    pool = load.question(direction=Direction.HIGHER).pool
    again = formats.read(json.dumps(native.question(pool)).encode())
    assert again.question().pool.score_kind == pool.score_kind
    lower = again.question(direction=Direction.LOWER).pool
    assert lower.scores is not None
    assert lower.scores.tolist() == [-1.0, -3.0]


def test_a_source_field_chosen_by_hand_is_kept_and_can_be_changed() -> None:
    load = formats.read(b'[{"text": "a", "source": "s", "team": "t"}]')
    pool = load.question(source_field="team").pool
    again = formats.read(json.dumps(native.question(pool)).encode())
    assert again.source_field == "team"
    assert again.question().pool.sources == ("t",)
    assert again.question(source_field="").pool.sources == (None,)


@pytest.mark.parametrize("stratum", [None, *Stratum])
def test_what_kind_of_question_it_is_is_kept(stratum: Stratum | None) -> None:
    path = REPO / "sample_data" / "healthy.json"
    pool = dataclasses.replace(formats.read_path(path).question().pool, stratum=stratum)
    written = json.dumps(native.question(pool)).encode()
    again = formats.read(written, "x.json").question().pool
    assert again.stratum is stratum
    assert again.digest == pool.digest
    plain = {"query": "q", "stratum": stratum, "candidates": [{"text": "x"}]}
    assert formats.read(json.dumps(plain).encode(), "y.json").question().pool.stratum is stratum


def test_a_newer_version_is_refused() -> None:
    with pytest.raises(FormatError, match=r"of version 2, this app reads up to version 1"):
        formats.read(b'{"poolscope": 2, "candidates": [{"text": "a"}]}')


def test_a_question_without_candidates_is_refused_and_hides_no_other() -> None:
    load = formats.read(b'{"poolscope": 1, "questions": [{"candidates": [{"text": "a"}]}, {}, 3]}')
    assert load.question(0).pool.texts == ("a",)
    for index in (1, 2):
        with pytest.raises(FormatError, match="no list of “candidates”"):
            load.question(index)


def test_parts_of_another_kind_are_said() -> None:
    loaded = formats.read(
        b'{"poolscope": 1, "score_kind": {"name": 1}, "source_field": [], "facets": 7,'
        b' "candidates": [{"text": "a", "score": 2},'
        b' {"text": "b", "score": 1, "fields": [], "vector": "x"}, 5]}'
    ).question()
    assert loaded.pool.texts == ("a", "b")
    assert "an object with fields" in loaded.report.set_aside[-1].reason
    assert loaded.pool.score_kind is not None
    assert loaded.pool.score_kind.direction is not Direction.LOWER


def test_rows_of_a_question_whose_first_row_was_taken_out_are_a_question_of_their_own() -> None:
    first = native.rows(formats.read(b'[{"text": "a", "query_id": "1"}]').question().pool)
    second = native.rows(
        formats.read(b'[{"text": "b", "query_id": "2"}, {"text": "c", "query_id": "2"}]')
        .question()
        .pool
    )
    load = formats.read(json.dumps([*first, second[1]]).encode())
    assert [load.question(index).pool.texts for index in range(len(load))] == [("a",), ("c",)]


def test_what_is_not_ours_is_not_read_as_it() -> None:
    assert formats.read(b'{"poolscope": "x", "candidates": [{"text": "a"}]}').format.name == "json"
    with pytest.raises(FormatError, match="no mark “poolscope”"):
        formats.read(b'[{"text": "a"}]', format_name="poolscope")
