import json
from typing import TYPE_CHECKING

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known

LISTED = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")


def test_prediction(known: "Known") -> None:
    loaded = known.loads("dspy_embeddings_prediction.json").question()
    known.check(loaded, ids=None, sources=None, query="")
    assert loaded.pool.fields["corpus_index"] == ("0", "1", "3", "2", "4", "5")


def test_example(known: "Known") -> None:
    known.check(known.loads("dspy_example.json").question(), LISTED, ids=None, sources=None)


def _read(value: object) -> formats.Loaded:
    return formats.read(json.dumps(value).encode(), "x.json").question()


def test_long_texts() -> None:
    loaded = _read(
        [{"long_text": "a", "pid": 7, "prob": 0.5}, {"long_text": "b", "pid": 8, "prob": 0.4}]
    )
    assert loaded.pool.ids == ("7", "8")
    assert loaded.pool.raw_scores is not None
    assert loaded.pool.raw_scores.tolist() == [0.5, 0.4]


def test_long_texts_as_passages_of_a_prediction() -> None:
    assert _read({"passages": [{"long_text": "a", "pid": "p"}]}).pool.ids == ("p",)


def test_example_out_of_its_store() -> None:
    loaded = _read({"_store": {"question": "q", "context": ["a", "b"]}, "_demos": []})
    assert (loaded.pool.query, loaded.pool.texts) == ("q", ("a", "b"))


def test_indices_of_another_length_are_left_out() -> None:
    loaded = _read({"passages": ["a", "b"], "indices": [1]})
    assert "corpus_index" not in loaded.pool.fields


def test_pasted_prediction() -> None:
    pasted = "Prediction(\n    passages=['a', 'b'],\n    indices=[3, 1]\n)"
    assert formats.read(pasted.encode()).question().pool.texts == ("a", "b")
