"""Near copies: what each test calls one, who stays, and an oracle that compares all pairs."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope import wording
from poolscope.model import Cause, MissingVector, NearCopy, Policy, Pool, Selection
from poolscope.selection import near_copies, select

MakePool: TypeAlias = Callable[..., Pool]

LONG = "the probe fires before the cache is warm and the node restarts in a loop"


def chosen(pool: Pool, *tests: NearCopy, **settings: Any) -> Selection:  # noqa: ANN401
    return select(pool, Policy(k=len(pool), near_copies=tests).changed(**settings))


def copies(selection: Selection) -> dict[int, tuple[int, object]]:
    """Return who is out as a copy, of whom, and by which similarity."""
    found: dict[int, tuple[int, object]] = {}
    for index in range(len(selection.pool)):
        reason = selection.reason(index)
        if reason is not None and reason.cause is Cause.NEAR_COPY:
            assert reason.blocker is not None
            assert reason.similarity is not None
            found[index] = (reason.blocker, reason.similarity)
    return found


def test_the_same_text_word_for_word_and_nothing_less(make_pool: MakePool) -> None:
    texts = ("a b", "a  b", "a b", "A b", "", "", "a b")
    selection = chosen(make_pool(7, texts=texts), NearCopy.TEXT)
    assert copies(selection) == {2: (0, 1.0), 6: (0, 1.0)}
    assert selection.indices.tolist() == [0, 1, 3, 4, 5]
    assert wording.reason(selection, 2) == "near copy of rank 1 (s): the same text"
    assert selection.notes == (
        "2 of 7 slots stayed empty: 7 in the pool. Left out: near copies (2).",
    )


def test_a_cosine_from_the_threshold_on(make_pool: MakePool) -> None:
    rows = [[1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1]]  # neighbours: 0.8, 0.96, 0.8
    pool = make_pool(vectors=rows)
    assert copies(chosen(pool, NearCopy.COSINE)) == {2: (1, pytest.approx(0.96))}
    # At 0.8 the second goes for the first; the third is only like the second, which is out.
    at = chosen(pool, NearCopy.COSINE, copy_cosine=0.8)
    assert copies(at) == {1: (0, pytest.approx(0.8)), 3: (2, pytest.approx(0.8))}
    assert at.indices.tolist() == [0, 2]
    assert wording.reason(at, 1) == "near copy of rank 1 (s): cosine 0.800, where 0.8 is a copy"
    assert at.reason(1).limit == 0.8  # type: ignore[union-attr]
    assert copies(chosen(pool, NearCopy.COSINE, copy_cosine=0.97)) == {}


def test_rounding_does_not_save_an_exact_copy(make_pool: MakePool) -> None:
    row = np.random.default_rng(1).normal(size=301)
    pool = make_pool(vectors=[row * (1 + turn / 7) for turn in range(600)])
    found = chosen(pool, NearCopy.COSINE, copy_cosine=1.0)
    assert found.indices.tolist() == [0]
    assert {of for of, _ in copies(found).values()} == {0}


def test_no_vector_and_a_zero_vector_are_copies_of_nothing(make_pool: MakePool) -> None:
    rows = [[0, 0], [0, 0], [1, 0], [0, 0]]
    pool = make_pool(vectors=rows, has_vector=np.array([True, True, True, False]))
    assert copies(chosen(pool, NearCopy.COSINE, copy_cosine=0.01)) == {}


def test_without_vectors_the_cosine_test_says_that_it_cannot_tell(make_pool: MakePool) -> None:
    pool = make_pool(3, texts=("x", "x", "y"))
    selection = chosen(pool, NearCopy.COSINE, NearCopy.TEXT)
    assert selection.indices.tolist() == [0, 2]
    assert selection.notes[0] == "No near copies by cosine are removed: the pool has no vectors."


def test_runs_of_three_words_are_counted_by_jaccard(make_pool: MakePool) -> None:
    # Six words make four runs. One word changed at the end leaves three of five different ones.
    texts = ("one two three four five six", "One two, three four five SEVEN", "five six one two")
    pool = make_pool(3, texts=texts)
    assert copies(chosen(pool, NearCopy.WORDS, copy_words=0.6)) == {1: (0, pytest.approx(0.6))}
    assert copies(chosen(pool, NearCopy.WORDS, copy_words=0.61)) == {}


def test_texts_shorter_than_a_run_are_copies_when_their_words_are_the_same(
    make_pool: MakePool,
) -> None:
    pool = make_pool(4, texts=("yes, no", "Yes no.", "yes", "..."))
    assert copies(chosen(pool, NearCopy.WORDS)) == {1: (0, 1.0)}


def test_spans_overlap_within_one_source_only(make_pool: MakePool) -> None:
    spans = ((0, 100), (50, 150), (51, 151), (0, 100), (100, 130), None)
    pool = make_pool(6, spans=spans, sources="aaabaa", texts=tuple("uvwxyz"))
    # 50 of 100 is half; 49 is not; the fifth lies within the second, which is out.
    found = chosen(pool, NearCopy.SPANS)
    assert copies(found) == {1: (0, 0.5), 4: (2, 1.0)}


def test_without_offsets_shared_runs_tell_how_much_of_the_shorter_is_held(
    make_pool: MakePool,
) -> None:
    pool = make_pool(
        4,
        texts=(LONG, "before the cache is warm", "the cache is cold", LONG),
        sources=["a", "a", "a", None],
    )
    # Three of three runs; one of two.
    assert copies(chosen(pool, NearCopy.SPANS)) == {1: (0, 1.0), 2: (0, 0.5)}
    assert copies(chosen(pool, NearCopy.SPANS, copy_overlap=0.6)) == {1: (0, 1.0)}


def test_several_tests_name_the_first_that_found_it(make_pool: MakePool) -> None:
    pool = make_pool(vectors=[[1, 0], [1, 0], [1, 0]], texts=(LONG, LONG, "other words"))
    selection = chosen(pool, NearCopy.COSINE, NearCopy.TEXT)
    assert [selection.reason(index).measure for index in (1, 2)] == [  # type: ignore[union-attr]
        "same text",
        "cosine",
    ]


def test_the_best_ranked_stays_whatever_its_score(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.1, 0.9, 0.5], texts=("x", "x", "y"))
    assert chosen(pool, NearCopy.TEXT).indices.tolist() == [2, 0]


def test_a_pin_stays_and_its_copies_go_whatever_their_rank(make_pool: MakePool) -> None:
    pool = make_pool(4, texts=("x", "y", "x", "x"))
    pinned = chosen(pool, NearCopy.TEXT, pinned=("d3",), depth=2)
    assert pinned.indices.tolist() == [2, 1]
    assert copies(pinned) == {0: (2, 1.0)}
    both = chosen(pool, NearCopy.TEXT, pinned=("d1", "d3"))
    assert both.indices.tolist() == [0, 2, 1]


def test_who_is_out_already_takes_nobody_along(make_pool: MakePool) -> None:
    pool = make_pool(3, texts=("x", "x", "x"))
    banned = chosen(pool, NearCopy.TEXT, banned=("d1",))
    assert banned.indices.tolist() == [1]
    assert copies(banned) == {2: (1, 1.0)}
    bare = make_pool(vectors=[[0, 0], [1, 0]], texts=("x", "x"), has_vector=np.array([False, True]))
    assert chosen(bare, NearCopy.TEXT, selector="mmr").indices.tolist() == [1]
    let_in = MissingVector.NO_REDUNDANCY
    assert chosen(bare, NearCopy.TEXT, selector="mmr", missing_vector=let_in).indices.tolist() == [
        0
    ]


def test_a_copy_beyond_the_depth_is_beyond_the_depth(make_pool: MakePool) -> None:
    pool = make_pool(3, texts=("x", "x", "x"))
    chosen(pool, NearCopy.TEXT)
    cut = chosen(pool, NearCopy.TEXT, depth=2)
    assert copies(cut) == {1: (0, 1.0)}
    reason = cut.reason(2)
    assert reason is not None
    assert (reason.cause, reason.limit) == (Cause.BEYOND_DEPTH, 2)


def test_the_slots_of_copies_go_to_others(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.6], texts=("x", "x", "x", "y"))
    policy = Policy(k=2, near_copies=(NearCopy.TEXT,))
    assert select(pool, policy.changed(near_copies=())).indices.tolist() == [0, 1]
    assert select(pool, policy).indices.tolist() == [0, 3]


@settings(deadline=None, max_examples=100)
@given(
    kinds=st.lists(st.integers(0, 5), min_size=1, max_size=30),
    pins=st.sets(st.integers(0, 4), max_size=2),
    block=st.sampled_from([1, 2, 7, 256]),
    threshold=st.sampled_from([0.3, 0.7, 0.95]),
)
def test_the_walk_in_blocks_is_the_plain_walk(
    make_pool: MakePool, kinds: list[int], pins: set[int], block: int, threshold: float
) -> None:
    rows = np.random.default_rng(3).normal(size=(6, 3))[kinds]
    rows += 0.05 * np.random.default_rng(4).normal(size=rows.shape)
    pool = make_pool(vectors=rows)
    pinned = [pin for pin in sorted(pins) if pin < len(pool)]
    kept, expected = list(pinned), {}
    assert pool.vectors is not None
    for index in range(len(pool)):
        if index in pinned:
            continue
        near = [other for other in kept if pool.similarity(index, other) >= threshold]
        if near:
            expected[index] = near[0]
        else:
            kept.append(index)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(near_copies, "BLOCK", block)
        names = tuple(pool.ids[pin] for pin in pinned)
        found = chosen(pool, NearCopy.COSINE, copy_cosine=threshold, pinned=names)
    assert {index: of for index, (of, _) in copies(found).items()} == expected


@settings(deadline=None, max_examples=60)
@given(texts=st.lists(st.text("abc ", max_size=14), min_size=1, max_size=12))
def test_counting_in_an_inverted_index_is_jaccard(make_pool: MakePool, texts: list[str]) -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        row = text.split()
        return {tuple(row[i : i + 3]) for i in range(max(len(row) - 2, 1))} if row else set()

    kept: list[int] = []
    expected: dict[int, tuple[int, object]] = {}
    for index, text in enumerate(texts):
        for other in kept:
            together = runs(text) | runs(texts[other])
            share = len(runs(text) & runs(texts[other])) / len(together) if together else 0.0
            if share >= 0.5:
                expected[index] = (other, pytest.approx(share))
                break
        else:
            kept.append(index)
    pool = make_pool(len(texts), texts=tuple(texts))
    assert copies(chosen(pool, NearCopy.WORDS, copy_words=0.5)) == expected
