import json

import pytest

from poolscope import formats
from poolscope.errors import FormatError
from poolscope.formats import judgements
from poolscope.formats.base import Probe
from poolscope.model import DOES_NOT, SUPPORTS, UNJUDGED

POOL = [{"id": name, "text": f"text {name}", "query_id": "q"} for name in "abc"]


def _judged(text: str, name: str = "qrels.txt", pool: object = POOL) -> formats.Loaded:
    file = formats.File(text.encode(), name)
    data = json.dumps(pool).encode()
    return formats.read(data, "x.json", beside=formats.Beside(judgements=file)).question()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("q 0 a 2\nq 0 b 0\nother 0 c 1\n", "qrels.txt"),
        ("q Q0 a 1\nq Q0 b -2\n", "qrels.txt"),
        ('{"q": {"a": 1, "b": 0}}', "qrels.json"),
        ("query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\t0\n", "test.tsv"),
        ("query,docid,rating\nq,a,3\nq,b,0\nq,c,\n", "quepid.csv"),
    ],
)
def test_one_facet_without_subtopics(text: str, name: str) -> None:
    loaded = _judged(text, name)
    assert [facet.id for facet in loaded.pool.facets] == ["relevant"]
    assert loaded.pool.marks.ravel().tolist() == [SUPPORTS, DOES_NOT, UNJUDGED]
    assert f"2 of 3 rows are judged in {name}" in loaded.report.notes[0]


def test_subtopics_are_facets() -> None:
    pool = _judged("q 1 a 1\nq 2 a 0\nq 2 b 1\n").pool
    assert [(facet.id, facet.label) for facet in pool.facets] == [
        ("1", "subtopic 1"),
        ("2", "subtopic 2"),
    ]
    assert pool.marks.tolist() == [[SUPPORTS, DOES_NOT], [UNJUDGED, SUPPORTS], [UNJUDGED] * 2]


def test_the_one_question_of_both_files_is_assumed_and_said() -> None:
    rows = [{"id": "a", "text": "t"}]
    notes = _judged("7 0 a 1\n", pool=rows).report.notes
    assert "qrels.txt names one question, “7”: taken for this one." in notes


def test_another_question_is_said() -> None:
    loaded = _judged("7 0 a 1\n8 0 a 1\n")
    assert loaded.pool.facets == ()
    assert loaded.report.notes == ("qrels.txt has no judgements of this question.",)


def test_they_replace_the_files_own() -> None:
    rows = [{"id": "a", "text": "t", "facets": ["x"]}]
    loaded = _judged("7 0 a 1\n", pool=rows)
    assert [facet.id for facet in loaded.pool.facets] == ["relevant"]
    assert "They replace the judgements in the file itself." in loaded.report.notes


@pytest.mark.parametrize("data", [b"words only", b'[{"text": "t"}]', b"{}"])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="This is not a file of judgements"):
        judgements.read(Probe(data, "x"))


def test_a_broken_line_is_refused_with_its_number() -> None:
    lines = "\n".join(["q 0 a 1"] * 20 + ["q 0 a"])
    with pytest.raises(FormatError, match="line 21"):
        judgements.read(Probe(lines.encode(), "x"))
