"""Loading: what is kept, what is refused, and what the digest of a load depends on."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from poolscope.ui import state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


def session(screen: Screen) -> state.Session:
    found = screen.app.session_state[state.SLOT]
    assert isinstance(found, state.Session)
    return found


def vectors(rows: int) -> bytes:
    file = io.BytesIO()
    np.save(file, np.eye(rows, 6))
    return file.getvalue()


def test_the_first_sample_is_open_at_the_start(open_app: Callable[..., Screen]) -> None:
    opened = session(open_app())
    assert (opened.sample, opened.origin) == ("monograph", "Product monograph")
    assert opened.source_field == "section"
    assert opened.problem is None


def test_the_address_names_the_question(open_app: Callable[..., Screen]) -> None:
    assert session(open_app(sample="checkout", question="1")).question == 0


def test_equal_files_have_one_digest_and_others_another(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    screen = open_app("data")
    first = session(screen.upload("a.json", pool_file())).digest
    again = session(screen.upload("a.json", pool_file())).digest
    other = session(screen.upload("a.json", pool_file(query="Another?"))).digest
    renamed = session(screen.upload("b.json", pool_file())).digest
    assert first == again
    assert len({first, other, renamed}) == 3


def test_the_same_file_beside_in_another_role_is_another_load(
    open_app: Callable[..., Screen],
) -> None:
    one = b'[{"id": "a", "source": "s", "text": "x"}]'
    first = open_app("data")
    first.upload("vectors.npy", vectors(1), where="Vectors of the candidates")
    second = open_app("data")
    second.upload("vectors.npy", vectors(1), where="Vectors of the questions")
    digests = [session(screen.upload("one.json", one)).digest for screen in (first, second)]
    assert len(set(digests)) == 2
    assert "6 dimensions" in first.says
    assert "6 dimensions" not in second.says


def test_a_failed_load_changes_nothing_but_the_problem(open_app: Callable[..., Screen]) -> None:
    screen = open_app("data", sample="checkout")
    before = session(screen)
    after = session(screen.upload("broken.json", b"{"))
    assert after.problem is not None
    assert after.problem.place.file == "broken.json"
    assert (after.load, after.digest, after.origin) == (before.load, before.digest, before.origin)


def test_taking_a_broken_file_away_takes_its_box_away(open_app: Callable[..., Screen]) -> None:
    screen = open_app("data").upload("broken.json", b"{")
    screen.named("file_uploader", "A pool").set_value(None)
    screen.run()
    assert "could not be read" not in screen.says
