"""NumPy's own files, read without pickle and never larger than announced.

Every array's header is read before its content: the type, and the size against the limit.
"""

import io
import math
import tokenize
import warnings
import zipfile
import zlib
from typing import IO

import numpy as np
import numpy.typing as npt

from poolscope.counts import counted
from poolscope.errors import FormatError, Place
from poolscope.formats import values
from poolscope.formats.base import MAX_UNPACKED
from poolscope.formats.ending import COMPLETE

Array = npt.NDArray[np.generic]

NPY_MAGIC = b"\x93NUMPY"
ZIP_MAGIC = b"PK\x03\x04"
LONGEST_REASON = 120
MAX_MEMBERS = 100_000
PLAIN = "fiubUS"
"""Kinds of arrays that are read: floats, whole numbers, yes or no, texts."""
DAMAGE = (
    ValueError,
    OSError,
    EOFError,
    KeyError,
    TypeError,
    SyntaxError,
    MemoryError,
    OverflowError,
    RuntimeError,
    NotImplementedError,
    UserWarning,
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
)
"""What numpy and zipfile raise on damaged files."""


def is_npy(data: bytes) -> bool:
    """Whether the bytes start as one NumPy array."""
    return data.startswith(NPY_MAGIC)


def is_npz(data: bytes) -> bool:
    """Whether the bytes are a zip file whose members are NumPy arrays."""
    if not data.startswith(ZIP_MAGIC):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return any(name.endswith(".npy") for name in archive.namelist())
    except DAMAGE:
        return True  # a zip file all the same: opening it says what is wrong


class Archive:
    """The arrays of an NPZ file, each read when it is asked for.

    Args:
        data: The whole file.
        name: Its name, for messages.

    Raises:
        FormatError: The file is damaged, or would unpack to more than the limit.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.place = Place(name)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except DAMAGE as error:
            if zipfile.is_zipfile(io.BytesIO(data)):
                raise _damaged(self.place, error) from error
            raise FormatError(
                "The NumPy file ends before it is complete: the list at its end is missing.",
                COMPLETE,
                self.place,
            ) from error
        members = self._archive.infolist()
        unpacked = sum(member.file_size for member in members)
        if unpacked > MAX_UNPACKED or len(members) > MAX_MEMBERS:
            raise FormatError(
                f"The file unpacks to {unpacked:,} bytes in "
                f"{counted(len(members), 'array')}; the limits "
                f"are {MAX_UNPACKED:,} and {MAX_MEMBERS:,}.",
                "Save fewer questions in one file.",
                self.place,
            )
        self._members = {
            member.filename.removesuffix(".npy"): member
            for member in members
            if member.filename.endswith(".npy")
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the arrays, in the order of the file."""
        return tuple(self._members)

    def read(self, name: str) -> Array:
        """Read one array.

        Raises:
            FormatError: It is damaged, holds Python objects, or is larger than announced.
        """
        member = self._members[name]
        place = Place(self.place.file, column=name)
        try:
            with self._archive.open(member) as stream:
                return _array(stream, member.file_size, place)
        except DAMAGE as error:
            raise _damaged(place, error) from error


def read_npy(data: bytes, name: str) -> Array:
    """Read the array of an NPY file.

    Raises:
        FormatError: As for ``Archive.read``.
    """
    try:
        return _array(io.BytesIO(data), len(data), Place(name))
    except DAMAGE as error:
        raise _damaged(Place(name), error) from error


def _array(stream: IO[bytes], size: int, place: Place) -> Array:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shape, fortran, dtype = _header(stream)
    if dtype.kind not in PLAIN:
        raise _not_plain(dtype, place)
    count = math.prod(shape)
    announced = count * dtype.itemsize
    # The announced size is held against the member's before anything is allocated for it.
    content = stream.read(announced) if 0 <= announced <= size else b""
    if count < 0 or len(content) < announced:
        raise ValueError(f"the header announces {counted(count, 'value')}, the file holds fewer")
    array = np.frombuffer(content, dtype=dtype, count=count)
    return array.reshape(shape, order="F" if fortran else "C")


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(stream)
    return np.lib.format.read_array_header_2_0(stream)


def _not_plain(dtype: np.dtype[np.generic], place: Place) -> FormatError:
    if dtype.kind == "O":
        return FormatError(
            "The array holds Python objects, which are never unpickled.",
            "Save texts as unicode arrays: numpy.array(texts, dtype=str).",
            place,
        )
    return FormatError(
        f"The array is of type {dtype}.", "Save numbers or texts, without structure.", place
    )


def _damaged(place: Place, error: BaseException) -> FormatError:
    reason = values.shown((str(error).splitlines() or [type(error).__name__])[0], LONGEST_REASON)
    return FormatError(
        f"The NumPy file cannot be read: {reason.rstrip('.')}.", "Save it again.", place
    )
