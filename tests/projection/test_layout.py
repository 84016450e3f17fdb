import numpy as np
import pytest

from poolscope.projection import Layout, Method


def test_arrays_are_read_only() -> None:
    layout = Layout(np.zeros((1, 2)), np.array([True]), np.zeros(2), Method.PCA)
    assert layout.query is not None
    for array in (layout.coordinates, layout.placed, layout.query):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_method_is_a_word_for_the_screen() -> None:
    assert f"{Method.UMAP}, {Method.PCA}, {Method.LINE}" == "UMAP, PCA, line"
