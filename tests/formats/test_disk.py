import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import poolscope
from poolscope import formats
from poolscope.errors import FormatError
from poolscope.formats import disk


def test_a_file_with_its_vectors_beside(tmp_path: Path) -> None:
    pool, vectors = tmp_path / "pool.json", tmp_path / "vectors.npy"
    pool.write_text('[{"id": "a", "text": "x"}, {"id": "b", "text": "y"}]')
    np.save(vectors, np.eye(2))
    load = poolscope.read(pool, vectors=vectors)
    assert load.name == str(pool)
    found = load.question().pool
    assert found.vectors is not None
    assert found.vectors.tolist() == [[1, 0], [0, 1]]
    assert poolscope.read(str(pool), format_name="json").reason == "chosen by hand"


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"gone\.json: There is no such file\. Check"):
        poolscope.read(tmp_path / "gone.json")
    with pytest.raises(FormatError, match=r"This is a folder\. Name one file"):
        poolscope.read(tmp_path)
    with pytest.raises(FormatError, match=r"cannot be read: .*null"):
        poolscope.read("a\0b")
    pool = tmp_path / "pool.json"
    pool.write_text('[{"text": "x"}]')
    with pytest.raises(FormatError, match=r"corpus\.jsonl: There is no such file"):
        poolscope.read(pool, corpus=tmp_path / "corpus.jsonl")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_the_right_to_read_it(tmp_path: Path) -> None:
    closed = tmp_path / "closed.json"
    closed.write_text("[]")
    closed.chmod(0)
    with pytest.raises(FormatError, match="You may not read this file"):
        poolscope.read(closed)


def test_a_file_beyond_the_limit_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    with large.open("wb") as stream:
        stream.truncate(formats.MAX_BYTES + 5)
    with pytest.raises(FormatError, match=r"has 200,000,005 bytes, the limit is 200,000,000"):
        disk.file(large)


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, poolscope; print(sorted({'numpy', 'argparse'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert run.stdout.strip() == "[]"
