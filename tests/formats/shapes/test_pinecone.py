import json
from typing import TYPE_CHECKING

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


ORDER = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")


def test_query(known: "Known") -> None:
    loaded = known.loads("pinecone_query_to_dict_stubserver.json").question()
    known.check(loaded, ORDER, scores=known.cosines(ORDER), vectors=True, query="")


def test_values_that_were_not_asked_for() -> None:
    match = {"id": "a", "score": 0.5, "values": [], "metadata": {"text": "t", "chunk": 0.0}}
    load = _read({"matches": [match], "namespace": "n"})
    pool = load.question().pool
    assert load.format.name == "pinecone"
    assert pool.vectors is None
    assert pool.fields["chunk"] == ("0",)
    assert pool.fields["namespace"] == ("n",)


def test_matches_without_metadata_ask_for_a_corpus() -> None:
    value = {"matches": [{"id": "a", "score": 0.5}, {"id": "b", "score": 0.4}], "namespace": ""}
    corpus = formats.File(b'{"a": "one", "b": "two"}', "corpus.json")
    loaded = _read(value).question()
    assert (loaded.pool.ids, loaded.pool.texts) == (("a", "b"), ("", ""))
    assert any("no texts. Give beside it the corpus" in note for note in loaded.report.notes)
    data = json.dumps(value).encode()
    load = formats.read(data, "x.json", beside=formats.Beside(corpus=corpus))
    assert load.question().pool.texts == ("one", "two")


def test_several_questions_and_fetch() -> None:
    match = {"id": "a", "score": 0.5, "metadata": {"text": "t"}}
    load = _read({"results": [{"matches": [match]}, {"matches": []}], "namespace": ""})
    assert [outline.candidates for outline in load.outlines] == [1, 0]
    fetched = {"a": {"id": "a", "values": [1.0, 0.0], "metadata": {"text": "t"}}}
    loaded = _read({"vectors": fetched, "namespace": ""}).question()
    assert loaded.pool.ids == ("a",)
    assert "“fetch” ranks nothing" in loaded.report.notes[0]


def test_results_beside_empty_matches_are_read() -> None:
    match = {"id": "a", "score": 0.5, "values": [], "metadata": {"text": "t"}}
    value = {"results": [{"matches": [match], "namespace": "n"}, {"matches": []}],
             "matches": [], "namespace": ""}  # fmt: skip
    load = _read(value)
    assert [outline.candidates for outline in load.outlines] == [1, 0]
    assert load.question().pool.fields["namespace"] == ("n",)
