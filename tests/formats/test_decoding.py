import pytest

from poolscope.errors import FormatError
from poolscope.formats.decoding import decode

TEXT = "id,text\n1,Schlüssel\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_is_read_without_a_note(encoding: str) -> None:
    decoded = decode(TEXT.encode(encoding), "x.csv")
    assert decoded.text == TEXT
    assert decoded.notes == ()


def test_windows_is_read_with_a_note() -> None:
    decoded = decode(TEXT.encode("cp1252"), "x.csv")
    assert decoded.text == TEXT
    assert decoded.notes == ("It is not UTF-8; it was read as Windows-1252.",)


def test_zero_byte_is_no_text() -> None:
    with pytest.raises(FormatError, match=r"x\.bin: This is not a text file: byte 4 is zero\."):
        decode(b"abc\x00def", "x.bin")


def test_byte_outside_both_encodings_is_named() -> None:
    with pytest.raises(FormatError, match=r"line 2: .*byte 4 is 0xff.*byte 5 is 0x81"):
        decode(b"ab\n\xff\x81", "x.csv")


def test_odd_utf16_is_refused() -> None:
    with pytest.raises(FormatError, match="starts as UTF-16 but byte"):
        decode("abc".encode("utf-16") + b"\x00", "x.csv")
