"""Every format: its good files read to one known pool, every bad file to the sentence expected."""

import contextlib
import io
import json
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from poolscope import formats
from poolscope.errors import FormatError, PoolscopeError
from poolscope.formats.base import MAX_UNPACKED

HERE = Path(__file__).resolve().parent
BESIDE = ("corpus", "earlier")
"""A good file may have such a file beside it, under its own name and this ending."""
ENDINGS = {f".{ending}" for ending in (*BESIDE, "lacks")}
GOOD = sorted(path for path in (HERE / "good").glob("*/*") if path.suffix not in ENDINGS)
BAD = sorted(path for path in (HERE / "bad").iterdir() if path.suffix != ".expected")

IDS = ("g1", "g2", "g3")
SOURCES = ("a.md", "a.md", "b.md")
TEXTS = (
    "Keys rotate every 90 days.",
    "Old keys stay valid for a day.",
    "The vault logs every rotation; see “audit”.",
)
NO_POOL = {"npy", "trec-qrels", "ranx-qrels", "qrels-table"}
"""Formats that hold vectors or judgements alone: there is no good file of theirs."""
BY_HAND = {"deepeval-sources"}
"""Formats that are never recognised, only chosen: their reading is one of two."""


def _lacks(path: Path) -> set[str]:
    """Return what a good file cannot carry: ids, sources, scores, in a file beside it."""
    beside = path.with_name(path.name + ".lacks")
    return set(beside.read_text("utf-8").split()) if beside.is_file() else set()


def _beside(path: Path) -> formats.Beside:
    found = {role: path.with_name(f"{path.name}.{role}") for role in BESIDE}
    files = {
        role: formats.File(other.read_bytes(), other.name)
        for role, other in found.items()
        if other.is_file()
    }
    return formats.Beside(**files)


def _label(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", GOOD, ids=_label)
def test_good_file(path: Path) -> None:
    chosen = path.parent.name if path.parent.name in BY_HAND else None
    load = formats.read(path.read_bytes(), path.name, format_name=chosen, beside=_beside(path))
    loaded = load.question(0)
    assert load.format.name == path.parent.name
    assert load.reason
    assert loaded.report.format_label == load.format.label
    assert loaded.pool.texts == TEXTS
    assert _lacks(path) == {
        part
        for part, found in (
            ("ids", loaded.pool.ids == IDS),
            ("sources", loaded.pool.sources == SOURCES),
            ("scores", loaded.pool.raw_scores is not None),
        )
        if not found
    }
    if loaded.pool.raw_scores is not None:
        assert loaded.pool.raw_scores.tolist() == [0.9, 0.8, 0.5]
    assert loaded.report.set_aside == ()
    if loaded.pool.vectors is not None:
        assert loaded.pool.vectors[1] == pytest.approx([0.8, 0.6, 0, 0], abs=1e-7)


@pytest.mark.parametrize("path", [p for p in GOOD if "vectors" in p.name], ids=_label)
def test_vectors_in_text_are_read(path: Path) -> None:
    report = formats.read(path.read_bytes(), path.name).question(0).report
    assert report.vectors is not None
    assert (report.vectors.dimension, report.vectors.missing) == (4, 0)


@pytest.mark.parametrize("path", GOOD, ids=_label)
def test_format_chosen_by_hand_wins(path: Path) -> None:
    load = formats.read(
        path.read_bytes(), "no extension", format_name=path.parent.name, beside=_beside(path)
    )
    assert load.reason == "chosen by hand"
    assert load.question(0).pool.texts == TEXTS


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_bad_file(path: Path) -> None:
    expected = path.with_name(path.name + ".expected").read_text("utf-8").strip()
    with pytest.raises(PoolscopeError) as refusal:
        formats.read(path.read_bytes(), path.name).question(0)
    assert expected in str(refusal.value)
    assert refusal.value.problem.endswith(".")
    assert refusal.value.remedy.endswith(".")
    assert refusal.value.place.file == path.name


def test_every_format_has_good_files() -> None:
    assert {path.parent.name for path in GOOD} | NO_POOL == {
        known.name for known in formats.FORMATS
    }


def test_names_and_labels_are_distinct() -> None:
    assert len({known.name for known in formats.FORMATS}) == len(formats.FORMATS)
    assert len({known.label for known in formats.FORMATS}) == len(formats.FORMATS)


@pytest.mark.parametrize("path", [*GOOD, *BAD], ids=_label)
def test_any_file_by_any_format_reads_or_is_refused(path: Path) -> None:
    data = path.read_bytes()
    for known in formats.FORMATS:
        _read_or_refuse(data, path.name, known.name)


def _read_or_refuse(data: bytes, name: str, format_name: str | None = None) -> None:
    """Let any exception through that is not a refusal."""
    with contextlib.suppress(PoolscopeError):
        load = formats.read(data, name, format_name=format_name)
        for outline in load.outlines:
            with contextlib.suppress(PoolscopeError):
                pool = load.question(outline.index).pool
                assert len(pool) <= outline.candidates
                assert pool.digest


SMALL = [path for path in GOOD if path.stat().st_size < 20_000]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_files_read_or_are_refused(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(SMALL))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        stop = data.draw(st.integers(start, min(start + 12, len(content))))
        content[start:stop] = data.draw(st.binary(max_size=12))
    _read_or_refuse(bytes(content), path.name)


DOCUMENTS = [path for path in GOOD if path.suffix == ".json" and path.stem != "windows"]
PARTS: tuple[object, ...] = (
    None,
    True,
    0,
    -1,
    10**400,
    0.5,
    float("nan"),
    float("inf"),
    "",
    "x",
    "[1",
    [],
    {},
)
OTHERS: tuple[object, ...] = ([None], [[1]], [{}], {"id": 1}, {"text": ["t"]}, "\ud800", [1, "x"])


@settings(max_examples=600, deadline=None)
@given(data=st.data())
def test_documents_with_a_part_of_another_kind_read_or_are_refused(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(DOCUMENTS))
    document = json.loads(path.read_text("utf-8-sig"))
    for _ in range(data.draw(st.integers(1, 3))):
        document = _with_another_part(data, document)
    content = json.dumps(document).encode()
    _read_or_refuse(content, path.name)
    _read_or_refuse(content, path.name, path.parent.name)


def _with_another_part(data: st.DataObject, document: object) -> object:
    """Replace or drop one value somewhere in a document."""
    step = data.draw(st.integers(0, 6))
    if isinstance(document, dict) and document and step:
        name = data.draw(st.sampled_from(sorted(document)))
        if step == 1:
            return {key: value for key, value in document.items() if key != name}
        return {**document, name: _with_another_part(data, document[name])}
    if isinstance(document, list) and document and step:
        place = data.draw(st.integers(0, len(document) - 1))
        return [
            _with_another_part(data, value) if index == place else value
            for index, value in enumerate(document)
        ]
    return data.draw(st.sampled_from((*PARTS, *OTHERS)))


NAMES = (
    "id",
    "text",
    "score",
    "vector",
    "facets",
    "source",
    "rank",
    "candidates",
    "query",
    "query_id",
    "metadata",
    "index",
    "start",
    "end",
    "n_tokens",
    "data",
    "columns",
    "questions",
    "doc_id",
    "query_vector",
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(NAMES),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=400, deadline=None)
@given(document=JSON)
def test_any_json_reads_or_is_refused(document: object) -> None:
    _read_or_refuse(json.dumps(document).encode(), formats.PASTED)


def test_zip_bomb_is_refused_before_unpacking() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(10):
            archive.writestr(f"{number}.npy", b"")
        for entry in archive.infolist():  # what the archive says of itself: it is not unpacked
            entry.file_size = MAX_UNPACKED // 10 + 1
    with pytest.raises(FormatError, match=r"unpacks to 1,000,000,010 bytes"):
        formats.read(stream.getvalue(), "bomb.npz")


def test_too_large_file_is_refused() -> None:
    with pytest.raises(FormatError, match="the limit is 200,000,000"):
        formats.read(bytes([32]) * 10 + bytes([120]) * formats.MAX_BYTES, "large.csv")


def test_a_question_of_too_many_candidates_is_refused_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules["poolscope.formats.assemble"], "MAX_CANDIDATES", 3)
    lines = [f'{{"query_id": "{q}", "text": "{q}{i}"}}' for q in "ab" for i in range(3)]
    load = formats.read("\n".join([*lines, '{"query_id": "b", "text": "b3"}']).encode(), "x.jsonl")
    assert len(load.question(0).pool) == 3
    with pytest.raises(FormatError, match=r"has 4 candidates; at most 3 are read\..*best ranked"):
        load.question(1)


def test_unknown_format_name_is_refused() -> None:
    with pytest.raises(FormatError, match=r"There is no format “xlsx”.*parquet, npz"):
        formats.read(b"[]", "x.json", format_name="xlsx")
