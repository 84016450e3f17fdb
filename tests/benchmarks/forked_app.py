"""The app, loaded once and started often: ``python tests/benchmarks/forked_app.py PORT``.

It forks a whole server at every line that it is told, and says its id; it says ``ended`` when that
server has ended. The program itself opens no golden set, no port and no session: what a server
knows goes with it. Importing is nearly all that a start costs.
"""

import importlib
import os
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
"""A fork has none of the threads that a library made: no library is to make any."""

LOADED = ("pandas", "poolscope.ui.navigation", "poolscope.ui.views.annotate")
"""What the page needs."""


def main() -> None:
    """Fork a server for every line, and wait for its end before the next."""
    port = int(sys.argv[1])
    for name in THREADS:
        os.environ[name] = "1"
    os.chdir(REPO)
    from streamlit.web import bootstrap

    from poolscope import projection

    for name in LOADED:
        importlib.import_module(name)
    projection.warm = _no_map
    options = {
        "server_port": port,
        "server_headless": True,
        "server_fileWatcherType": "none",
        "logger_level": "error",
    }
    _say("ready")
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            sys.stdin.close()
            bootstrap.load_config_options(options)
            bootstrap.run(str(REPO / "app.py"), False, [], options)  # noqa: FBT003 - its order
            os._exit(0)
        _say(f"pid {pid}")
        os.waitpid(pid, 0)
        _say("ended")


def _no_map() -> None:
    """Start no worker for a map that no page asks for here: it costs more than all the rest."""


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    main()
