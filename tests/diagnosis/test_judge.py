"""The judge against a server on this machine, one reply a test."""

import json
import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from poolscope.diagnosis.judge import MOST_BYTES, propose_marks
from poolscope.errors import JudgeError
from poolscope.model import Facet

KEY = "sk-very-secret-4711"
FACETS = (Facet("pool", "All connections are in use"), Facet("cache", "The cache is cold"))


@dataclass
class Stub:
    """What the server will reply, and what it was sent."""

    address: str = ""
    status: int = 200
    body: bytes = b""
    delay: float = 0.0
    location: str = ""
    drips: bool = False
    seen: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def says(self, content: object) -> None:
        """Reply with a chat completion of a text."""
        text = content if isinstance(content, str) else json.dumps(content)
        self.body = json.dumps({"choices": [{"message": {"content": text}}]}).encode()


@pytest.fixture
def stub() -> Iterator[Stub]:
    """Run a server on a free port of this machine; it stops with the test."""
    state = Stub()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            state.seen.append((self.path, dict(self.headers), self.rfile.read(length)))
            state.stopped.wait(state.delay)
            self.send_response(state.status)
            if state.location:
                self.send_header("Location", state.location)
            self.send_header("Content-Length", str(len(state.body)))
            self.end_headers()
            if not state.drips:
                self.wfile.write(state.body)
                return
            for number in range(len(state.body)):
                self.wfile.write(state.body[number : number + 1])
                self.wfile.flush()
                if state.stopped.wait(0.05):
                    return

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except ConnectionError:
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        state.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join(60.0)


def ask(stub: Stub, timeout: float = 60.0) -> dict[str, bool]:
    return dict(
        propose_marks(
            "It is the pool. [1]",
            FACETS,
            endpoint=stub.address,
            model="some-model",
            key=KEY,
            timeout=timeout,
        )
    )


def refused(stub: Stub, timeout: float = 60.0) -> JudgeError:
    with pytest.raises(JudgeError) as caught:
        ask(stub, timeout)
    assert KEY not in str(caught.value)
    assert KEY not in repr(caught.value.__cause__)
    return caught.value


def test_it_sends_the_answer_and_the_facets_and_reads_the_marks(
    stub: Stub, caplog: pytest.LogCaptureFixture
) -> None:
    stub.says({"marks": {"pool": True, "cache": False}})
    with caplog.at_level(logging.DEBUG):
        assert ask(stub) == {"pool": True, "cache": False}
    ((path, headers, sent),) = stub.seen
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    body = json.loads(sent)
    assert body["model"] == "some-model"
    asked = json.loads(body["messages"][1]["content"])
    assert asked == {
        "answer": "It is the pool. [1]",
        "facets": {"pool": "All connections are in use", "cache": "The cache is cold"},
    }
    assert KEY not in sent.decode()
    assert KEY not in caplog.text


def test_a_code_fence_and_a_facet_left_out_are_fine(stub: Stub) -> None:
    stub.says('```json\n{"marks": {"pool": true}}\n```')
    assert ask(stub) == {"pool": True}


def test_without_a_key_none_is_sent_and_a_whole_address_is_kept(stub: Stub) -> None:
    stub.says({"marks": {}})
    endpoint = f"{stub.address}/chat/completions?api-version=1"
    assert propose_marks("x", FACETS, endpoint=endpoint, model="m") == {}
    ((path, headers, _),) = stub.seen
    assert path == "/v1/chat/completions?api-version=1"
    assert "Authorization" not in headers


def test_without_facets_nothing_is_sent(stub: Stub) -> None:
    assert propose_marks("x", (), endpoint=stub.address, model="m", key=KEY) == {}
    assert stub.seen == []


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("The answer makes the first facet.", "is not JSON"),
        ('{"marks": {"pool": tru', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ({"facets": {"pool": True}}, "no object “marks”"),
        (["pool"], "no object “marks”"),
        ({"marks": ["pool"]}, "no object “marks”"),
        ({"marks": {"pool": "yes"}}, 'mark for “pool” is "yes", wanted true or false'),
        ({"marks": {"pool": 1}}, "mark for “pool” is 1, wanted true or false"),
        ({"marks": {"pool": True, "dose": True}}, "not asked for: “dose”"),
    ],
)
def test_a_reply_of_another_form_is_refused(stub: Stub, content: object, problem: str) -> None:
    stub.says(content)
    assert problem in refused(stub).problem


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"<html>hello</html>", "is not a chat completion"),
        (b"", "is not a chat completion"),
        (b'{"choices": []}', "is not a chat completion"),
        (b'{"choices": [{"message": {"content": null}}]}', "has no text"),
        (b"\xff\xfe\x00", "is not a chat completion"),
        (b" " * (MOST_BYTES + 1), "more than 1,000,000 bytes"),
    ],
)
def test_a_body_of_another_form_is_refused(stub: Stub, body: bytes, problem: str) -> None:
    stub.body = body
    assert problem in refused(stub).problem


@pytest.mark.parametrize(
    ("status", "remedy"), [(401, "Check the key."), (429, "limit"), (500, "later"), (404, "model")]
)
def test_a_refusal_names_its_code_and_a_remedy(stub: Stub, status: int, remedy: str) -> None:
    stub.status, stub.body = status, b"no"
    error = refused(stub)
    assert error.problem == f"The judge at 127.0.0.1 answered with HTTP {status}."
    assert remedy in error.remedy


def test_the_servers_own_message_is_shown_unless_it_may_hold_the_key(stub: Stub) -> None:
    stub.status = 400
    stub.body = json.dumps({"error": {"message": "No such model.\nSorry."}}).encode()
    assert refused(stub).problem.endswith("HTTP 400: No such model. Sorry.")
    stub.body = json.dumps({"error": {"message": "x" * 500}}).encode()
    assert refused(stub).problem.endswith("x….")
    stub.body = json.dumps({"error": {"message": f"You sent {KEY}."}}).encode()
    assert refused(stub).problem.endswith("HTTP 400.")
    stub.status = 401
    stub.body = json.dumps({"error": {"message": "Bad key: sk-very-…711"}}).encode()
    assert refused(stub).problem.endswith("HTTP 401.")


def test_a_redirect_is_not_followed(stub: Stub) -> None:
    stub.status, stub.location = 302, f"{stub.address}/elsewhere"
    assert "redirects" in refused(stub).problem
    assert len(stub.seen) == 1


def test_a_late_reply_is_not_waited_for(stub: Stub) -> None:
    stub.delay = 120.0
    assert refused(stub, timeout=0.2).problem == (
        "The judge at 127.0.0.1 did not reply within 0.2 seconds."
    )


def test_a_dripping_reply_is_not_waited_for_either(stub: Stub) -> None:
    stub.says({"marks": {}})
    stub.drips = True
    assert "did not reply within 0.3 seconds" in refused(stub, timeout=0.3).problem


def test_nobody_there(stub: Stub) -> None:
    with pytest.raises(JudgeError, match="cannot be reached"):
        propose_marks("x", FACETS, endpoint="http://127.0.0.1:9/v1", model="m", timeout=60.0)
    assert stub.seen == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "file:///etc/passwd",
        "ftp://127.0.0.1/v1",
        "127.0.0.1/v1",
        "https://",
        "https://name:secret@host/v1",
        "https://host:99999/v1",
        "https://host:x/v1",
        "https://[host/v1",
        "https://ho st/v1",
        "https://host/v1\r\nX: y",
    ],
)
def test_only_web_addresses_are_asked(endpoint: str) -> None:
    with pytest.raises(JudgeError, match="not a web address") as caught:
        propose_marks("x", FACETS, endpoint=endpoint, model="m", key=KEY)
    assert "secret" not in str(caught.value)


def test_a_key_is_not_sent_in_the_clear_to_another_machine() -> None:
    with pytest.raises(JudgeError, match=r"example\.com unencrypted"):
        propose_marks("x", FACETS, endpoint="http://example.com/v1", model="m", key=KEY)


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY}\r\nX-Other: y", "schlüssel"])
def test_a_key_that_is_no_header_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(JudgeError, match="header cannot carry") as caught:
        propose_marks("x", FACETS, endpoint="https://127.0.0.1/v1", model="m", key=key)
    assert key not in str(caught.value)
