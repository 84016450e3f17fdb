import io
import zipfile
from typing import Any

import numpy as np
import pytest

from poolscope.errors import FormatError
from poolscope.formats.npy import Archive, is_npy, is_npz, read_npy


def _npy(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.float16).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.array(["a", "bc"]),
        np.array(3.5),
        np.zeros((0, 4)),
    ],
    ids=["f2", "fortran", "text", "scalar", "empty"],
)
def test_reads_what_numpy_writes(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    data = _npy(array)
    assert is_npy(data)
    read = read_npy(data, "x.npy")
    assert read.dtype == array.dtype
    assert np.array_equal(read, array)


def test_structured_arrays_are_refused() -> None:
    with pytest.raises(FormatError, match="The array is of type"):
        read_npy(_npy(np.zeros(2, dtype=[("a", "f4")])), "x.npy")


def test_short_content_is_refused() -> None:
    with pytest.raises(FormatError, match="announces 6 values, the file holds fewer"):
        read_npy(_npy(np.zeros(6))[:150], "x.npy")


def test_archive_reads_one_array_at_a_time() -> None:
    stream = io.BytesIO()
    arrays: dict[str, Any] = {"q/1": np.zeros((2, 3)), "q2": np.ones(1)}
    np.savez(stream, allow_pickle=False, **arrays)
    archive = Archive(stream.getvalue(), "x.npz")
    assert archive.names == ("q/1", "q2")
    assert archive.read("q2").tolist() == [1.0]


def test_other_zip_files_are_not_npz() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("xl/workbook.xml", "")
    assert not is_npz(stream.getvalue())
    assert not is_npz(b"text")


def test_a_name_that_runs_into_the_content_is_quoted_short() -> None:
    stream = io.BytesIO()
    np.savez(stream, vectors=np.zeros((3, 4)))
    data = bytearray(stream.getvalue())
    data[26] = 200  # the length of the name in the member's own header
    with pytest.raises(FormatError, match="cannot be read: File name in directory") as refusal:
        Archive(bytes(data), "x.npz").read("vectors")
    assert len(refusal.value.problem) < 200
