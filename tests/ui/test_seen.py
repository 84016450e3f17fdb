"""The pools that were seen: the last ones, by digest."""

from poolscope.formats import File, Load, read
from poolscope.ui.figures import Choices
from poolscope.ui.seen import MOST_LOADS, MOST_POOLS, Seen, Shelf


def load() -> Load:
    file = File(b'[{"id": "a", "text": "x"}]', "a.json")
    return read(file.data, file.name)


def seen(number: int, question: int = 0) -> Seen:
    return Seen(load(), f"load {number}", "a.json", question, Choices())


def test_the_last_loads_are_kept_and_the_oldest_goes() -> None:
    shelf = Shelf()
    for number in range(MOST_LOADS):
        shelf.keep(f"pool {number}", seen(number))
    shelf.keep("pool 0", seen(0))  # looked at again
    shelf.keep("one more", seen(99))
    assert shelf.find("pool 1") is None
    assert shelf.find("pool 0") is not None
    assert shelf.find("one more") is not None


def test_a_load_of_many_questions_does_not_fill_the_shelf() -> None:
    shelf = Shelf()
    for number in range(MOST_POOLS + 5):
        shelf.keep(f"pool {number}", seen(0, number))
    assert shelf.find("pool 0") is None
    found = shelf.find(f"pool {MOST_POOLS + 4}")
    assert found is not None
    assert found.question == MOST_POOLS + 4
