"""Who looks at which run: one that nobody looks at any more gives the cores to the next."""

import threading
from collections.abc import Callable

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from poolscope.evaluation.background import Run
from poolscope.evaluation.plans import Measured, Swept

AnyRun = Run[Swept] | Run[Measured]


class Looks:
    """The run that every session asked for last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, AnyRun] = {}

    def at(self, run: AnyRun, viewer: str, is_there: Callable[[str], bool]) -> None:
        """Look at a run; runs that were looked at only from here, or by who is gone, are left.

        Args:
            run: The run.
            viewer: The session that looks.
            is_there: Whether a session is still there.
        """
        with self._lock:
            gone = [name for name in self._runs if name == viewer or not is_there(name)]
            before = [self._runs.pop(name) for name in gone]
            self._runs[viewer] = run
            kept = [id(item) for item in self._runs.values()]
        for item in before:
            if id(item) not in kept:
                item.leave()


LOOKS = Looks()
"""Of all sessions of this server."""


def look(run: AnyRun) -> None:
    """Look at a run as this session."""
    context = get_script_run_ctx(suppress_warning=True)
    LOOKS.at(run, "" if context is None else context.session_id, _is_there)


def _is_there(session: str) -> bool:
    """Say whether a browser is connected as a session; a reload begins another one."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)
