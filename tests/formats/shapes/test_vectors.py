import numpy as np

from poolscope.formats.shapes import vectors


def test_the_first_name_that_holds_a_dense_vector_counts_in_every_row() -> None:
    given = [
        {"sparse": {"indices": [1], "values": [0.5]}, "dense": [0.1, 0.2], "other": [1.0]},
        {"other": [2.0]},
        [0.3, 0.4],
        None,
    ]
    found = vectors.dense(given)
    assert found.vectors == [[0.1, 0.2], None, [0.3, 0.4], None]
    assert found.notes == (
        "The vectors are those named “dense”; there are also “other”.",
        "“sparse” holds sparse or multiple vectors, which were left out.",
    )


def test_several_vectors_a_row_are_left_out_and_said() -> None:
    found = vectors.dense([[[0.1], [0.2]], [0.5]])
    assert found.vectors == [None, [0.5]]
    assert found.notes == ("1 row with several vectors each: those were left out.",)


def test_what_looks_like_one_vector() -> None:
    assert vectors.is_one(np.zeros(2))
    assert vectors.is_one("[0.1, ..., 0.2]")
    assert not vectors.is_one([True])
    assert not vectors.is_one([])
    assert not vectors.is_one("a name")
