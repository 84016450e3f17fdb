import io

import numpy as np
import pandas as pd
import pytest

from poolscope import formats
from poolscope.errors import FormatError
from poolscope.formats.base import MAX_VALUES


def _file(frame: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.to_parquet(stream, index=False)
    return stream.getvalue()


def test_missing_vectors_scores_and_fields() -> None:
    frame = pd.DataFrame(
        {
            "text": ["a", "b", "c"],
            "score": [0.9, np.nan, 0.5],
            "year": [2024, None, 2023],
            "vector": [[1.0, 0.0], [0.0, 1.0], None],
        }
    )
    loaded = formats.read(_file(frame), "x.parquet").question()
    assert loaded.pool.texts == ("a", "c")
    assert loaded.report.set_aside[0].row == 2
    assert loaded.pool.vector_mask.tolist() == [True, False]
    assert loaded.pool.fields["year"] == ("2024", "2023")


def test_binary_vectors() -> None:
    raw = np.array([1, 0], dtype="<f4").tobytes()
    loaded = formats.read(_file(pd.DataFrame({"text": ["a"], "vector": [raw]}))).question()
    assert loaded.pool.vectors is not None
    assert loaded.pool.vectors.tolist() == [[1.0, 0.0]]


def test_too_many_rows_are_refused_from_the_metadata() -> None:
    frame = pd.DataFrame({"text": np.full(MAX_VALUES + 1, 0, dtype=np.int8)})
    with pytest.raises(FormatError, match="The table is too large: 50,000,001 rows"):
        formats.read(_file(frame), "x.parquet")
