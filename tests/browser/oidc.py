"""A provider of logins on this machine: whoever asks is let in, as one person."""

import hmac
import json
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

CLIENT, SECRET = "poolscope", "a secret of the tests"
MAIL = "ann@example.org"
SECONDS = 600
KEY = b"what tokens are signed with; here everybody may know it"


def encoded(part: bytes) -> str:
    """Write a part of a token, or a key."""
    return urlsafe_b64encode(part).rstrip(b"=").decode()


class Provider(ThreadingHTTPServer):
    """An OpenID provider: its own description, a login without a question, tokens, keys."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.nonces: dict[str, str] = {}

    def secrets(self, app: str) -> str:
        """Return what makes an app on an address ask here."""
        said = {
            "redirect_uri": f"{app}/oauth2callback",
            "cookie_secret": "another secret of the tests",
            "client_id": CLIENT,
            "client_secret": SECRET,
            "server_metadata_url": f"{self.address}/.well-known/openid-configuration",
        }
        return "\n".join(["[auth]", *(f'{name} = "{value}"' for name, value in said.items())])

    def token(self, code: str) -> str:
        """Sign who somebody is that was let in with a code."""
        now = int(time.time())
        claims = {
            "iss": self.address, "aud": CLIENT, "sub": "17", "iat": now, "exp": now + SECONDS,
            "nonce": self.nonces.pop(code), "email": MAIL, "name": "Ann",
        }  # fmt: skip
        head = {"alg": "HS256", "kid": "1", "typ": "JWT"}
        said = ".".join(encoded(json.dumps(part).encode()) for part in (head, claims))
        return f"{said}.{encoded(hmac.digest(KEY, said.encode(), 'sha256'))}"


class Handler(BaseHTTPRequestHandler):
    """One request to the provider."""

    server: Provider

    def do_GET(self) -> None:
        """Describe the provider, hand out its key, or let somebody in."""
        asked = urlsplit(self.path)
        here = self.server.address
        if asked.path == "/.well-known/openid-configuration":
            self._say({
                "issuer": here,
                "authorization_endpoint": f"{here}/in",
                "token_endpoint": f"{here}/token",
                "jwks_uri": f"{here}/keys",
                "id_token_signing_alg_values_supported": ["HS256"],
            })  # fmt: skip
        elif asked.path == "/keys":
            key = {"kty": "oct", "kid": "1", "use": "sig", "alg": "HS256", "k": encoded(KEY)}
            self._say({"keys": [key]})
        else:
            given = {name: values[0] for name, values in parse_qs(asked.query).items()}
            code = f"code {len(self.server.nonces)}"
            self.server.nonces[code] = given["nonce"]
            back = urlencode({"code": code, "state": given["state"]})
            self.send_response(302)
            self.send_header("Location", f"{given['redirect_uri']}?{back}")
            self.end_headers()

    def do_POST(self) -> None:
        """Change a code into a token, for the app that knows the secret alone."""
        sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
        given = b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode()
        if [unquote(part) for part in given.split(":")] != [CLIENT, SECRET]:
            self.send_error(401)
            return
        token = self.server.token(parse_qs(sent)["code"][0])
        self._say({"access_token": "x", "token_type": "Bearer", "id_token": token})

    def _say(self, what: object) -> None:
        body = json.dumps(what).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def provider() -> Iterator[Provider]:
    """Run a provider."""
    made = Provider()
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
        thread.join(10)
