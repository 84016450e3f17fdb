import io
from typing import Any

import numpy as np
import pytest

from poolscope import formats
from poolscope.errors import FormatError


def _arrays(given: dict[str, object]) -> dict[str, Any]:
    return {name: np.asarray(array) for name, array in given.items()}


def _npz(**arrays: object) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **_arrays(arrays))
    return stream.getvalue()


def test_arrays_by_name_and_shape() -> None:
    loaded = formats.read(
        _npz(
            texts=["a", "b", "c"],
            scores=[3, 2, 1],
            embeddings=np.eye(3, 4),
            asked=np.array([1.0, 0, 0, 0]),
            query_text="How?",
            pages=[7, 8, 9],
            spare=np.zeros(11),
        ),
        "x.npz",
    ).question()
    assert loaded.pool.query == "How?"
    assert loaded.pool.query_vector is not None
    assert loaded.pool.fields["pages"] == ("7", "8", "9")
    assert loaded.report.notes[0] == "The array “spare” was ignored: it has not 3 rows."


def test_as_many_candidates_as_dimensions_needs_the_name_for_the_question() -> None:
    arrays = {"texts": ["a", "b"], "vectors": np.eye(2), "scores": [0.5, 0.25]}
    loaded = formats.read(_npz(**arrays, query=[1.0, 0.0]), "x.npz").question()
    assert loaded.pool.query_vector is not None
    assert loaded.pool.raw_scores is not None
    assert loaded.pool.raw_scores.tolist() == [0.5, 0.25]


def test_byte_texts_are_decoded() -> None:
    loaded = formats.read(_npz(texts=np.array([b"a", b"b"])), "x.npz").question()
    assert loaded.pool.texts == ("a", "b")


def test_texts_that_are_numbers_are_refused() -> None:
    with pytest.raises(FormatError, match="The array “texts” is of type float64"):
        formats.read(_npz(texts=np.zeros(3)), "x.npz")
