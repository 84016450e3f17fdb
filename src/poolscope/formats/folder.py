"""What lies beside a file of pools by its name, and a folder of pools: every file with those.

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
        yield formats.read_path(path, beside=beside(path))
        return
    try:
        files = _files(path)
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


def beside(path: Path) -> dict[str, Path]:
    """Return what lies beside a file of pools by its name, as ``formats.read_path`` takes it.

    A file in a folder that may not be listed has nothing beside it.
    """
    try:
        names = {item.name for item in _files(path.parent)}
    except OSError:
        return {}
    return _beside(path, names)


def _files(folder: Path) -> list[Path]:
    return sorted(item for item in folder.iterdir() if _is_meant(item))


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


def _beside(path: Path, names: set[str]) -> dict[str, Path]:
    stem = _unpacked(path.name).stem
    if not _is_pool_of(path.name, stem):
        return {}
    found: dict[str, Path] = {}
    for role, endings in BESIDE.items():
        met = [stem + ending for ending in endings if stem + ending in names]
        if met:
            found[role] = path.with_name(met[0])
    return found
