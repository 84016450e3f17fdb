"""A folder of pools: every file in it, with the files that lie beside it by their names.

``NAME.npz`` or ``NAME.npy`` beside ``NAME.jsonl`` holds its vectors, ``NAME.queries.npz`` or
``.npy`` the vectors of its questions, ``NAME.qrels`` or ``NAME.qrels.txt`` its judgements. The name
of a pool is the same whether it is compressed (``NAME.jsonl.gz``) or not.
"""

from collections.abc import Iterator
from pathlib import Path

from poolscope import formats
from poolscope.errors import FormatError, Place
from poolscope.formats import Load
from poolscope.formats.unpacking import SUFFIX

VECTORS = (".npz", ".npy")
BESIDE = {
    "query_vectors": (".queries.npz", ".queries.npy"),
    "judgements": (".qrels", ".qrels.txt"),
    "vectors": VECTORS,
}
"""Endings of the files beside a pool, by what ``Beside`` calls them."""
PASSED_OVER = (".md", ".toml", ".py", ".sh", ".log", ".lock", ".yml", ".yaml")
"""Endings of what lies in a folder of pools and is none."""


def read(path: Path) -> Iterator[Load]:
    """Read a file of pools, or every one of a folder in the order of their names.

    Raises:
        FormatError: A file cannot be read, or a folder holds none.
    """
    if not path.is_dir():
        yield formats.read_path(path)
        return
    try:
        files = sorted(item for item in path.iterdir() if _is_meant(item))
    except OSError as error:
        remedy = "Give yourself the right to read it."
        raise FormatError("This folder cannot be read.", remedy, Place(str(path))) from error
    names = {item.name for item in files}
    pools = [item for item in files if not _lies_beside(item.name, names)]
    if not pools:
        raise FormatError(
            "There is no file of pools in this folder.",
            "Put a JSON, JSONL, CSV or Parquet file of questions with candidates there.",
            Place(str(path)),
        )
    for item in pools:
        yield formats.read_path(item, beside=_beside(item, names))


def _is_meant(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".") and path.suffix not in PASSED_OVER


def _stem(name: str, ending: str) -> str | None:
    return name.removesuffix(ending) if name.endswith(ending) and name != ending else None


def _lies_beside(name: str, names: set[str]) -> bool:
    """Whether a file belongs to another one of the folder."""
    for endings in BESIDE.values():
        for ending in endings:
            stem = _stem(name, ending)
            if stem is not None:
                return any(_is_pool_of(other, stem) for other in names - {name})
    return False


def _is_pool_of(name: str, stem: str) -> bool:
    """Whether a file is the pool of a stem: the stem and one ending that is no vectors'."""
    path = _unpacked(name)
    return path.stem == stem and path.suffix not in (*VECTORS, ".qrels")


def _unpacked(name: str) -> Path:
    """Return a file's name as it is once it is unpacked."""
    return Path(name[: -len(SUFFIX)] if name.lower().endswith(SUFFIX) else name)


def _beside(path: Path, names: set[str]) -> dict[str, Path | None]:
    found: dict[str, Path | None] = {}
    stem = _unpacked(path.name).stem
    for role, endings in BESIDE.items():
        met = [stem + ending for ending in endings if stem + ending in names]
        found[role] = path.with_name(met[0]) if met and met[0] != path.name else None
    return found
