import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from poolscope import projection
from poolscope.model.pool import Pool
from poolscope.projection import Layout, Method, cache
from poolscope.projection.cache import Store
from poolscope.projection.service import Service

MakePool = Callable[..., Pool]
Clouds = Callable[..., npt.NDArray[np.float64]]

posix = pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One worker for the tests that do not harm it."""
    shared = Service(Store(tmp_path_factory.mktemp("layouts")))
    yield shared
    shared.close()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """A service with a worker and a folder of its own."""
    made: list[Service] = []

    def make(**options: float) -> Service:
        made.append(Service(Store(tmp_path), **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def wait(service: Service, pool: Pool) -> Layout:
    deadline = time.monotonic() + 600
    while (layout := service.request(pool)) is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return layout


def wait_for_pid(service: Service, *, other_than: int = 0) -> int:
    deadline = time.monotonic() + 300
    while (pid := service.pid) in (None, other_than):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    assert pid is not None
    return pid


def test_none_first_and_then_umap(service: Service, make_pool: MakePool, clouds: Clouds) -> None:
    pool = make_pool(clouds(60), clouds(1, seed=9)[0])
    assert service.request(pool) is None
    layout = wait(service, pool)
    assert layout.method is Method.UMAP
    assert layout.note == ""
    assert layout.coordinates.shape == (60, 2)
    assert np.isfinite(layout.coordinates).all()
    assert layout.query is not None
    again = service.request(pool)
    assert again is not None
    np.testing.assert_array_equal(again.coordinates, layout.coordinates)


def test_clusters_stay_together(service: Service, make_pool: MakePool, clouds: Clouds) -> None:
    found = wait(service, make_pool(clouds(120))).coordinates
    gaps = np.linalg.norm(found[:, None] - found[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    assert (gaps.argmin(axis=1) % 6 == np.arange(120) % 6).mean() > 0.95


def test_another_process_and_order_give_the_same_picture_over_a_broken_entry(
    service: Service, make_pool: MakePool, clouds: Clouds, own: Callable[..., Service]
) -> None:
    rows, query = np.concatenate([clouds(60), clouds(3)]), clouds(1, seed=9)[0]
    turn = np.random.default_rng(4).permutation(63)
    before = set(service.store.place.glob("*.npz"))
    layout = wait(service, make_pool(rows, query))
    (entry,) = set(service.store.place.glob("*.npz")) - before

    other = own()
    broken = other.store.place / entry.name
    broken.write_bytes(entry.read_bytes()[:100])
    assert other.request(make_pool(rows[turn], query)) is None
    turned = wait(other, make_pool(rows[turn], query))
    np.testing.assert_array_equal(layout.coordinates[turn], turned.coordinates)
    np.testing.assert_array_equal(layout.query, turned.query)
    np.testing.assert_array_equal(layout.coordinates[:3], layout.coordinates[60:])
    assert broken.stat().st_size == entry.stat().st_size


def test_missing_and_zero_vectors(service: Service, make_pool: MakePool, clouds: Clouds) -> None:
    rows = clouds(30)
    rows[:2] = 0
    layout = wait(service, make_pool(rows, has_vector=[False, *[True] * 29]))
    assert layout.method is Method.UMAP
    assert layout.placed.tolist() == [False, *[True] * 29]
    assert np.isnan(layout.coordinates[0]).all()
    assert np.isfinite(layout.coordinates[1:]).all()
    assert "1 of 30 candidates has no vector" in layout.note


@pytest.mark.parametrize("n", [15, 16])
def test_just_enough(service: Service, make_pool: MakePool, n: int) -> None:
    assert wait(service, make_pool(np.eye(n))).method is Method.UMAP


@pytest.mark.parametrize(
    ("n", "copies", "note"),
    [
        (0, 1, ""),
        (1, 1, "UMAP needs 15 different vectors and this pool has 1; this is PCA."),
        (14, 1, "UMAP needs 15 different vectors and this pool has 14; this is PCA."),
        (14, 9, "UMAP needs 15 different vectors and this pool has 14; this is PCA."),
    ],
)
def test_too_few_is_pca_at_once(make_pool: MakePool, n: int, copies: int, note: str) -> None:
    unstarted = Service()
    layout = unstarted.request(make_pool(np.repeat(np.eye(n, 20), copies, axis=0), np.ones(20)))
    assert layout is not None
    assert layout.method is not Method.UMAP
    assert layout.note.startswith(note)
    assert unstarted.pid is None


def test_a_stored_layout_needs_no_worker(
    service: Service, make_pool: MakePool, clouds: Clouds
) -> None:
    pool = make_pool(clouds(50))
    layout = wait(service, pool)
    second = Service(service.store)
    found = second.request(make_pool(clouds(50)))
    assert found is not None
    np.testing.assert_array_equal(found.coordinates, layout.coordinates)
    assert second.pid is None


def test_many_sessions_ask_at_once(service: Service, make_pool: MakePool, clouds: Clouds) -> None:
    layouts: dict[int, Layout] = {}
    worker = service.pid

    def session(number: int) -> None:
        layouts[number] = wait(service, make_pool(clouds(40, seed=100 + number % 3)))

    threads = [threading.Thread(target=session, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(layouts) == 12
    for number, layout in layouts.items():
        np.testing.assert_array_equal(layout.coordinates, layouts[number % 3].coordinates)
    assert worker in (None, service.pid)


@posix
def test_a_killed_worker_is_replaced_once(
    own: Callable[..., Service], make_pool: MakePool, clouds: Clouds
) -> None:
    service, pool = own(), make_pool(clouds(40))
    assert service.request(pool) is None
    first = wait_for_pid(service)
    os.kill(first, signal.SIGKILL)
    second = wait_for_pid(service, other_than=first)
    os.kill(second, signal.SIGKILL)
    layout = wait(service, pool)
    assert layout.method is Method.PCA
    assert layout.note == "UMAP failed (its process ended with code -9); this is PCA."
    assert service.request(pool) is not None
    assert service.pid is None

    service.retry(pool)
    assert service.request(pool) is None
    os.kill(wait_for_pid(service), signal.SIGKILL)
    assert wait(service, pool).method is Method.UMAP

    # One that is killed while it has nothing to do is not missed.
    os.kill(wait_for_pid(service), signal.SIGKILL)
    assert wait(service, make_pool(clouds(41))).method is Method.UMAP


def test_a_job_that_takes_too_long_is_not_tried_again(
    own: Callable[..., Service], make_pool: MakePool, clouds: Clouds
) -> None:
    service, pool = own(limit=0.3), make_pool(clouds(40))
    layout = wait(service, pool)
    assert layout.method is Method.PCA
    assert layout.note == "UMAP failed (it took longer than 0.3 s); this is PCA."
    assert layout.coordinates.tolist() == projection.pca(pool).coordinates.tolist()
    assert service.request(pool) is not None
    assert service.pid is None


def test_a_fit_that_fails_is_tried_once_more_without_the_compiled_code(
    own: Callable[..., Service],
    make_pool: MakePool,
    clouds: Clouds,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "umap.py").write_text("raise ImportError('no umap here')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    suspect = cache.compiled_folder() / "suspect.nbi"
    suspect.parent.mkdir(parents=True)
    suspect.touch()
    layout = wait(own(), make_pool(clouds(40)))
    assert layout.method is Method.PCA
    assert layout.note == "UMAP failed (ImportError: no umap here); this is PCA."
    assert not suspect.exists()


def test_a_worker_without_work_is_ended(own: Callable[..., Service]) -> None:
    service = own(idle=1.0)  # long enough to be seen
    service.warm()
    wait_for_pid(service)
    deadline = time.monotonic() + 300
    while service.pid is not None:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_closed_service_starts_again_when_asked(own: Callable[..., Service]) -> None:
    service = own()
    service.close()
    service.warm()
    first = wait_for_pid(service)
    service.close()
    assert service.pid is None
    service.warm()
    assert wait_for_pid(service) != first


def test_the_public_functions_use_one_service(make_pool: MakePool) -> None:
    pool = make_pool(np.eye(3))
    projection.retry(pool)
    layout = projection.request(pool)
    assert layout is not None
    assert layout.method is Method.PCA
    projection.warm()
    projection.close()
