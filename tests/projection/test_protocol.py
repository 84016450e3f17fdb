import io

import numpy as np
import pytest

from poolscope.projection.protocol import Frame, Kind, pack, receive, send, unpack


def test_frames_and_arrays_come_back_whole() -> None:
    rows, start = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((2, 2), np.float32)
    stream = io.BytesIO()
    send(stream, Frame(Kind.JOB, pack(rows, start)))
    send(stream, Frame(Kind.ERROR, b"schief"))
    stream.seek(0)
    first, second = receive(stream), receive(stream)
    assert first is not None
    for wanted, found in zip((rows, start), unpack(first.payload, 2), strict=True):
        np.testing.assert_array_equal(wanted, found)
    assert second == Frame(Kind.ERROR, b"schief")
    assert receive(stream) is None


@pytest.mark.parametrize("length", range(1, 14))
def test_a_frame_cut_short_is_the_end(length: int) -> None:
    stream = io.BytesIO()
    send(stream, Frame(Kind.ERROR, b"12345"))
    assert receive(io.BytesIO(stream.getvalue()[:length])) is None


def test_objects_are_not_read() -> None:
    buffer = io.BytesIO()
    np.save(buffer, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle"):
        unpack(buffer.getvalue(), 1)
