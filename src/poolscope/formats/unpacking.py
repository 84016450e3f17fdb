"""Files packed with gzip, as log stores and data sets hand them out: ``pool.jsonl.gz``."""

import gzip
import io
import zlib

from poolscope.errors import FormatError, Place
from poolscope.formats.base import MAX_BYTES
from poolscope.formats.ending import COMPLETE

MAGIC = b"\x1f\x8b"
SUFFIX = ".gz"


def unpacked(data: bytes, name: str) -> tuple[bytes, str]:
    """Return what a gzip file holds, and its name without the ending; any other file as it is.

    Raises:
        FormatError: It is damaged, empty, or unpacks to more than is read.
    """
    if not data.startswith(MAGIC):
        return data, name
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            found = stream.read(MAX_BYTES + 1)
    except EOFError as error:
        raise FormatError(
            "The gzip file ends before it is complete.", COMPLETE, Place(name)
        ) from error
    except (OSError, zlib.error) as error:
        raise FormatError(
            "The gzip file is damaged.", "Pack or download it again.", Place(name)
        ) from error
    if len(found) > MAX_BYTES:
        raise FormatError(
            f"The file unpacks to more than {MAX_BYTES:,} bytes, the limit.",
            "Export fewer questions, or put the vectors into a file of their own.",
            Place(name),
        )
    if not found.strip():
        raise FormatError("There is nothing in it.", "Give a file with candidates.", Place(name))
    return found, name[: -len(SUFFIX)] if name.lower().endswith(SUFFIX) else name
