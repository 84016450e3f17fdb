import io
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.projection import cache
from poolscope.projection.cache import Store

PLACES = np.arange(6.0).reshape(3, 2)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    Store(tmp_path / "new").write("a", PLACES)
    found = Store(tmp_path / "new").read("a", 3)
    assert found is not None
    np.testing.assert_array_equal(found, PLACES)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.npz"]


def test_nothing_is_made_by_reading(tmp_path: Path) -> None:
    assert Store(tmp_path / "none").read("a", 3) is None
    assert not (tmp_path / "none").exists()


def _npz(**arrays: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]  # its stub reads a flag into **
    return buffer.getvalue()


def _npy() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, PLACES)
    return buffer.getvalue()


def _flip(whole: bytes, at: int) -> bytes:
    return whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]


KEY = np.array("a")


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda _: b"hello", id="text"),
        pytest.param(lambda whole: whole[: len(whole) // 2], id="cut"),
        pytest.param(lambda whole: _flip(whole, whole.index(PLACES[2].tobytes())), id="flipped"),
        pytest.param(lambda _: _npz(key=np.array("b"), places=PLACES), id="another key"),
        pytest.param(lambda _: _npz(key=KEY), id="no places"),
        pytest.param(lambda _: _npz(key=KEY, places=PLACES[:2]), id="another shape"),
        pytest.param(lambda _: _npz(key=KEY, places=PLACES * np.nan), id="nan"),
        pytest.param(lambda _: _npz(key=KEY, places=np.array([[{}, 1]])), id="objects"),
        pytest.param(lambda _: _npy(), id="npy"),
    ],
)
def test_a_broken_entry_is_a_miss(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    store, path = Store(tmp_path), tmp_path / "a.npz"
    store.write("a", PLACES)
    path.write_bytes(damage(path.read_bytes()))
    assert store.read("a", 3) is None
    store.write("a", PLACES)
    assert store.read("a", 3) is not None


@given(at=st.integers(0, 10_000), length=st.integers(0, 600))
def test_no_damage_raises(tmp_path_factory: pytest.TempPathFactory, at: int, length: int) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    Store(folder).write("a", PLACES)
    path = folder / "a.npz"
    whole = path.read_bytes()
    path.write_bytes(_flip(whole, at % len(whole))[: max(length, 1)])
    Store(folder).read("a", 3)


def test_many_writers_leave_one_whole_entry(tmp_path: Path) -> None:
    def write(value: float) -> None:
        for _ in range(20):
            Store(tmp_path).write("a", np.full((500, 2), value))
            found = Store(tmp_path).read("a", 500)
            assert found is not None
            assert len(np.unique(found)) == 1

    threads = [threading.Thread(target=write, args=(float(i),)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_the_least_used_go_first(tmp_path: Path) -> None:
    store, now = Store(tmp_path, limit=3), time.time()
    (tmp_path / "left.tmp").touch()
    for age, name in enumerate("abc"):
        store.write(name, PLACES)
        os.utime(tmp_path / f"{name}.npz", (now - 9000 + age, now - 9000 + age))
    os.utime(tmp_path / "left.tmp", (now - 9000, now - 9000))
    assert store.read("a", 3) is not None
    store.write("d", PLACES)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "c.npz", "d.npz"]


def test_a_disk_that_refuses_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    Store(tmp_path / "file" / "sub").write("a", PLACES)
    assert "could not be stored" in caplog.text


def test_the_folder_is_the_one_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "here"))
    assert cache.folder() == tmp_path / "here"
    assert (tmp_path / "here").is_dir()


@pytest.mark.parametrize(
    ("platform", "variable", "below"),
    [
        ("linux", "XDG_CACHE_HOME", "poolscope"),
        ("linux", "", ".cache/poolscope"),
        ("darwin", "", "Library/Caches/poolscope"),
        ("win32", "LOCALAPPDATA", "poolscope"),
    ],
)
def test_else_it_is_the_platforms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variable: str, below: str
) -> None:
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", platform)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path))
    assert cache.folder() == tmp_path / below


def test_a_folder_that_cannot_be_made_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file"))
    found = cache.folder()
    assert found.is_dir()
    assert found == cache.folder()
    assert "caching in" in caplog.text


def test_the_versions_are_known_without_an_import() -> None:
    assert "umap-learn=0" in cache.versions()
    assert "absent" not in cache.versions()
