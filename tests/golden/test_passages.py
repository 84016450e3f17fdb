from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from poolscope.golden.passages import keys_of, passages_of, shuffled
from poolscope.model import Pool
from poolscope.model.identity import passage_key


def test_passages_of_a_pool(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7],
        texts=("one", "two", "ONE "),
        sources=("s", None, "s"),
        ids=("x", "y\x00", "z"),
    )
    first, second = passages_of(pool)
    assert (first.id, first.rank, first.score, first.source) == ("x", 1, 0.9, "s")
    assert (second.id, second.rank, second.source) == ("y\ufffd", 2, None)
    assert keys_of(pool) == (first.key, second.key, first.key)
    assert first.key == passage_key("s", "one")


@given(st.sets(st.text()), st.integers(), st.text(), st.text(), st.text())
def test_an_order_is_kept_when_a_passage_is_added(
    keys: set[str], seed: int, question: str, annotator: str, added: str
) -> None:
    before = shuffled(keys, seed, question, annotator)
    assert set(before) == keys
    after = shuffled({*keys, added}, seed, question, annotator)
    assert [key for key in after if key in keys] == list(before)


def test_orders_differ_between_annotators_questions_and_seeds() -> None:
    keys = [f"p{number}" for number in range(20)]
    orders = {
        shuffled(keys, seed, question, annotator)
        for seed in (0, 1)
        for question in ("q1", "q2")
        for annotator in ("Ann", "Ben")
    }
    assert len(orders) == 8
    assert tuple(keys) not in orders
