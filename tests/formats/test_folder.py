"""A folder of pools: which files are pools, and which lie beside them."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from poolscope.errors import FormatError
from poolscope.formats import folder

LINE = '{{"query_id": "{0}", "query": "?", "candidates": [{{"id": "a", "text": "t"}}]}}'


def test_every_pool_is_read_in_order_with_what_lies_beside_it(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.jsonl").write_text(LINE.format(name), encoding="utf-8")
    np.savez(tmp_path / "a.npz", a=np.array([[3.0, 4.0]]))
    np.savez(tmp_path / "a.queries.npz", ids=np.array(["a"]), vectors=np.array([[1.0, 0.0]]))
    (tmp_path / "b.qrels").write_text("b f1 a 1\nb f2 zz 1\n", encoding="utf-8")
    for name in ("README.md", "policy.toml", ".hidden.json"):
        (tmp_path / name).write_text("nothing", encoding="utf-8")
    first, second = (load.question().pool for load in folder.read(tmp_path))
    assert (first.query_id, second.query_id) == ("a", "b")
    assert first.vectors is not None
    assert first.vectors[0].tolist() == pytest.approx([0.6, 0.8])
    assert first.query_vector is not None
    assert {facet.id for facet in second.facets} >= {"f1"}


def test_a_compressed_pool_has_its_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(LINE.format("a").encode()))
    np.savez(tmp_path / "a.npz", a=np.array([[3.0, 4.0]]))
    np.savez(tmp_path / "a.queries.npz", ids=np.array(["a"]), vectors=np.array([[1.0, 0.0]]))
    (tmp_path / "a.qrels").write_text("a f1 a 1\n", encoding="utf-8")
    (pool,) = (load.question().pool for load in folder.read(tmp_path))
    assert pool.vectors is not None
    assert pool.query_vector is not None
    assert [facet.id for facet in pool.facets] == ["f1"]


def test_vectors_without_their_pool_are_not_passed_over(tmp_path: Path) -> None:
    np.save(tmp_path / "alone.npy", np.eye(3))
    with pytest.raises(FormatError, match="vectors, not a pool"):
        list(folder.read(tmp_path))


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
def test_one_file_is_read_with_what_lies_beside_it_and_without_others(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"x{ending}"
    line = LINE.format("x").encode()
    path.write_bytes(gzip.compress(line) if ending.endswith("gz") else line)
    np.savez(tmp_path / "x.npz", x=np.array([[3.0, 4.0]]))
    np.savez(tmp_path / "x.queries.npz", ids=np.array(["x"]), vectors=np.array([[1.0, 0.0]]))
    (tmp_path / "x.qrels").write_text("x f1 a 1\n", encoding="utf-8")
    np.savez(tmp_path / "xy.npz", other=np.eye(2))
    (tmp_path / "y.jsonl").write_text(LINE.format("y"), encoding="utf-8")
    (pool,) = (load.question().pool for load in folder.read(path))
    assert pool.query_id == "x"
    assert pool.vectors is not None
    assert pool.query_vector is not None
    assert [facet.id for facet in pool.facets] == ["f1"]
    names = {role: other.name for role, other in folder.beside(path).items()}
    assert names == {
        "vectors": "x.npz", "query_vectors": "x.queries.npz", "judgements": "x.qrels",
    }  # fmt: skip


def test_vectors_and_judgements_have_nothing_beside_them(tmp_path: Path) -> None:
    for name in ("x.npz", "x.qrels", "x.queries.npz"):
        (tmp_path / name).write_bytes(b"x")
    assert folder.beside(tmp_path / "x.npz") == {}
    assert folder.beside(tmp_path / "x.qrels") == {}
    assert folder.beside(tmp_path / "none" / "x.jsonl") == {}


def test_a_folder_without_pools_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("nothing", encoding="utf-8")
    with pytest.raises(FormatError, match="no file of pools"):
        list(folder.read(tmp_path))
    with pytest.raises(FormatError, match="no such file"):
        list(folder.read(tmp_path / "none"))
