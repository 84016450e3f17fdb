"""From bytes to text: byte order marks, UTF-8, UTF-16, and Windows-1252 as the last guess."""

import codecs
from dataclasses import dataclass

from poolscope.errors import FormatError, Place

SAMPLE = 4096
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and the encoding it was read in."""

    text: str
    encoding: str

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence where the encoding was a guess."""
        if self.encoding != "cp1252":
            return ()
        return ("It is not UTF-8; it was read as Windows-1252.",)


def decode(data: bytes, name: str) -> Decoded:
    """Decode a text file.

    Raises:
        FormatError: The bytes are no text in any of the encodings tried.
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding, name)
    guess = _utf16_without_mark(data[:SAMPLE])
    if guess:
        return _strictly(data, guess, name)
    if b"\x00" in data:
        raise FormatError(
            f"This is not a text file: byte {data.index(0) + 1} is zero.",
            "Give CSV, JSON, JSON Lines, Parquet or NPZ.",
            Place(name),
        )
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        if _is_cut(data, error):
            return Decoded(data[: error.start].decode("utf-8"), "utf-8")
        return _windows(data, error.start, name)


def _is_cut(data: bytes, error: UnicodeDecodeError) -> bool:
    """Whether a text that is UTF-8 breaks off inside a character: others of it are whole."""
    before = data[: error.start]
    return error.reason == "unexpected end of data" and not before.isascii()


def _windows(data: bytes, bad: int, name: str) -> Decoded:
    try:
        return Decoded(data.decode("cp1252"), "cp1252")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"The text is neither UTF-8 (byte {bad + 1} is 0x{data[bad]:02x}) nor Windows-1252 "
            f"(byte {error.start + 1} is 0x{data[error.start]:02x}).",
            "Save it as UTF-8.",
            Place(name, line=data.count(b"\n", 0, bad) + 1),
        ) from error


def _strictly(data: bytes, encoding: str, name: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        raise FormatError(
            f"It starts as {encoding.upper()} but byte {error.start + 1} does not fit it.",
            "Save it as UTF-8.",
            Place(name),
        ) from error


def _utf16_without_mark(sample: bytes) -> str:
    """Name the UTF-16 that mostly plain characters give away by zeros in every second byte."""
    if len(sample) < 4:
        return ""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > 0.7 * half and even == 0:
        return "utf-16-le"
    if even > 0.7 * half and odd == 0:
        return "utf-16-be"
    return ""
