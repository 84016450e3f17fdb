"""What the evaluating process and the one that started it say to each other.

A length and one value. Both ends are ours, and the values travel as they do between the processes
of ``run``; nothing is read that was not written by the other end.
"""

import struct
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from typing import BinaryIO

_HEAD = struct.Struct(">Q")


@dataclass(frozen=True, slots=True)
class End:
    """The last value: what comes after it, or in its place, is the end of a process."""


def send(stream: BinaryIO, value: object) -> None:
    """Write a value and flush.

    Raises:
        OSError: The other end is gone.
        ValueError: The stream was closed by this end.
    """
    payload = bytes(ForkingPickler.dumps(value))
    stream.write(_HEAD.pack(len(payload)))
    stream.write(payload)
    stream.flush()


def receive(stream: BinaryIO) -> object:
    """Read a value.

    Raises:
        EOFError: The other end has closed, be it in the middle of one.
    """
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        raise EOFError
    (length,) = _HEAD.unpack(head)
    payload = stream.read(length)
    if len(payload) < length:
        raise EOFError
    found: object = ForkingPickler.loads(payload)
    return found
