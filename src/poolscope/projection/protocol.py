"""What server and worker say to each other: a kind, a length, and arrays in numpy's own format.

Nothing here is pickled, and nothing is read that was not written by the other end.
"""

import io
import struct
from dataclasses import dataclass
from enum import Enum
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

_HEAD = struct.Struct(">cQ")


class Kind(Enum):
    """What a frame carries."""

    JOB = b"J"
    PLACES = b"P"
    ERROR = b"E"


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    kind: Kind
    payload: bytes


def send(stream: BinaryIO, frame: Frame) -> None:
    """Write a frame and flush.

    Raises:
        OSError: The other end is gone.
    """
    stream.write(_HEAD.pack(frame.kind.value, len(frame.payload)))
    stream.write(frame.payload)
    stream.flush()


def receive(stream: BinaryIO) -> Frame | None:
    """Read a frame; ``None`` when the other end has closed, be it in the middle of one."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, length = _HEAD.unpack(head)
    payload = stream.read(length)
    return Frame(Kind(kind), payload) if len(payload) == length else None


def pack(*arrays: npt.NDArray[np.generic]) -> bytes:
    """Put arrays one after the other."""
    buffer = io.BytesIO()
    for array in arrays:
        np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def unpack(payload: bytes, count: int) -> tuple[npt.NDArray[np.generic], ...]:
    """Take ``count`` arrays back out.

    Raises:
        ValueError: They are not there.
        EOFError: The same.
    """
    buffer = io.BytesIO(payload)
    return tuple(np.load(buffer, allow_pickle=False) for _ in range(count))
