import io
import json
from typing import Any

import numpy as np
import pytest

from poolscope import formats
from poolscope.errors import FormatError

POOL = "\n".join(
    json.dumps(
        {
            "query_id": q,
            "query": q,
            "candidates": [{"id": f"{q}{i}", "text": "t"} for i in range(n)],
        }
    )
    for q, n in (("a", 2), ("b", 3))
).encode()


def _arrays(given: dict[str, object]) -> dict[str, Any]:
    return {name: np.asarray(array) for name, array in given.items()}


def _npz(**arrays: object) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **_arrays(arrays))
    return stream.getvalue()


def _npy(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array))
    return stream.getvalue()


def _beside(**files: bytes) -> formats.Beside:
    return formats.Beside(**{role: formats.File(data, role) for role, data in files.items()})


def _vectors(load: formats.Load, index: int) -> list[list[float]]:
    vectors = load.question(index).pool.vectors
    assert vectors is not None
    rows: list[list[float]] = vectors.tolist()
    return rows


def test_by_question_id_in_list_order() -> None:
    load = formats.read(
        POOL, "x.jsonl", beside=_beside(vectors=_npz(a=np.eye(2), b=np.eye(3)[::-1]))
    )
    assert _vectors(load, 0) == [[1, 0], [0, 1]]
    assert _vectors(load, 1)[0] == [0, 0, 1]
    assert "joined in list order" in load.question(0).report.notes[0]


def test_by_candidate_id() -> None:
    beside = _npz(ids=["b1", "a1", "a0"], vectors=np.eye(3))
    load = formats.read(POOL, "x.jsonl", beside=_beside(vectors=beside))
    assert _vectors(load, 0) == [[0, 0, 1], [0, 1, 0]]
    assert load.question(1).pool.vector_mask.tolist() == [False, True, False]


def test_a_lone_array_for_a_file_of_one_question() -> None:
    text = b'[{"text": "a"}, {"text": "b"}]'
    load = formats.read(
        text, "x.json", beside=_beside(vectors=_npy(np.eye(2)), query_vectors=_npy([0.0, 1.0]))
    )
    pool = load.question().pool
    assert pool.vectors is not None
    assert pool.query_vector is not None
    assert pool.query_vector.tolist() == [0, 1]


def test_another_number_of_vectors_is_refused_for_that_question_only() -> None:
    load = formats.read(POOL, "x.jsonl", beside=_beside(vectors=_npz(a=np.eye(2), b=np.eye(2))))
    assert len(load.question(0).pool) == 2
    with pytest.raises(FormatError, match=r"vectors.*Question “b” has 3 candidates.*\(2, 2\)"):
        load.question(1)


def test_a_question_without_vectors_is_noted() -> None:
    load = formats.read(POOL, "x.jsonl", beside=_beside(vectors=_npz(a=np.eye(2))))
    assert load.question(1).pool.vectors is None
    assert load.question(1).report.notes == ("vectors has no vectors for this question.",)


def test_ids_and_vectors_of_other_lengths_are_refused() -> None:
    with pytest.raises(FormatError, match="2 ids and 3 vectors do not go together"):
        formats.read(
            POOL, "x.jsonl", beside=_beside(vectors=_npz(ids=["a0", "a1"], vectors=np.eye(3)))
        )


@pytest.mark.parametrize("beside", [_npz(other=np.eye(2)), _npy(np.eye(5))])
def test_a_file_of_other_questions_is_refused(beside: bytes) -> None:
    with pytest.raises(FormatError, match="No question's vectors are in the file"):
        formats.read(POOL, "x.jsonl", beside=_beside(vectors=beside))


def test_a_file_of_another_kind_is_refused() -> None:
    with pytest.raises(FormatError, match=r"vectors: This is not a file of vectors"):
        formats.read(POOL, "x.jsonl", beside=_beside(vectors=b"1,2"))


@pytest.mark.parametrize(
    "beside", [_npz(ids=["b", "a"], vectors=np.eye(2)), _npy(np.eye(2)[::-1])], ids=["ids", "order"]
)
def test_vectors_of_questions(beside: bytes) -> None:
    vectors = _npz(a=np.ones((2, 2)), b=np.ones((3, 2)))
    load = formats.read(POOL, "x.jsonl", beside=_beside(vectors=vectors, query_vectors=beside))
    asked = load.question(0).pool.query_vector
    assert asked is not None
    assert asked.tolist() == [0, 1]


def test_another_number_of_question_vectors_is_refused() -> None:
    load = formats.read(POOL, "x.jsonl", beside=_beside(query_vectors=_npy(np.eye(3))))
    with pytest.raises(FormatError, match="holds 3 vectors for 2 questions"):
        load.question(0)
