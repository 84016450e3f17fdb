import io
import subprocess
import sys

from poolscope.projection import cache
from poolscope.projection.protocol import Frame, Kind, receive, send


def test_a_job_it_cannot_read_is_answered_with_a_sentence() -> None:
    request = io.BytesIO()
    send(request, Frame(Kind.JOB, b"no array"))
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "poolscope.projection.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"NUMBA_CACHE_DIR": str(cache.compiled_folder()), "NUMBA_NUM_THREADS": "1"},
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(request.getvalue())
        worker.stdin.flush()
        answer = receive(worker.stdout)  # type: ignore[arg-type]  # IO[bytes] is one
        worker.stdin.close()
        assert worker.wait(timeout=20) == 0
    assert answer is not None
    assert answer.kind is Kind.ERROR
    assert answer.payload.startswith(b"ValueError: ")
    assert b"\n" not in answer.payload
