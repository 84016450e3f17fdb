"""What a passage and a source are known by after documents were read in anew."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.model import Pool, identity
from poolscope.model.identity import Carried, How, Match, match

PASSAGES = (
    "Refunds are issued within 14 days of purchase to the original card.",
    "To ask for a refund, open the order and choose Refund from the menu.",
    "A refund for a gift goes back to the person who paid for the order.",
    "Invoices are sent on the first day of the month, credits as negative lines.",
)


def pool(texts: Sequence[str], sources: Sequence[str | None] | str = "refunds.md") -> Pool:
    n = len(texts)
    labels = (sources,) * n if isinstance(sources, str) else tuple(sources)
    return Pool(
        query="q",
        ids=tuple(f"new {index}" for index in range(n)),
        texts=tuple(texts),
        sources=labels,
        tokens=np.ones(n, dtype=np.intp),
        tokenizer="words",
    )


def moves(found: Match) -> dict[int, int]:
    assert all(item.how is How.SAME for item in found.carried)
    assert not found.changed
    return dict(found.successor)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Refunds  are\nissued.", "refunds are issued."),
        ("ﬁne caf\u00e9", "fine cafe\u0301"),
        ("soft\u00adhyphen", "softhyphen"),
    ],
)
def test_a_fingerprint_is_of_the_words(first: str, second: str) -> None:
    assert identity.fingerprint(first) == identity.fingerprint(second)


@pytest.mark.parametrize(
    ("first", "second"), [("within 14 days", "within 30 days"), ("a < b", "a > b"), ("-5", "5")]
)
def test_another_number_or_sign_is_another_text(first: str, second: str) -> None:
    assert identity.fingerprint(first).digest != identity.fingerprint(second).digest


def test_likeness_counts_runs_of_words() -> None:
    one = identity.fingerprint("a b c d e")
    other = identity.fingerprint("a b c d f")
    assert one.likeness(one) == 1.0
    assert one.likeness(other) == 0.5  # abc, bcd of abc, bcd, cde, cdf
    assert one.likeness(identity.fingerprint("e d c b a")) == 0.0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("./docs/a.md", "docs/a.md"),
        ("docs\\a.md", "docs//a.md"),
        (" docs/x/../a.md ", "docs/a.md"),
        ("HTTPS://A.example/Docs", "https://a.example/Docs"),
    ],
)
def test_one_source_has_one_key(first: str, second: str) -> None:
    assert identity.source_key(first) == identity.source_key(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("docs/a.md", "legal/a.md"),
        ("docs/a.md", "docs/A.md"),
        ("/docs/a.md", "docs/a.md"),
        ("../docs/a.md", "docs/a.md"),
        ("https://a.example/Docs", "https://a.example/docs"),
        ("this / that", "this/that"),
        ("a.md#1", "a.md#2"),
    ],
)
def test_other_sources_have_other_keys(first: str, second: str) -> None:
    assert identity.source_key(first) != identity.source_key(second)


@given(st.text("ab./\\ :#?A", max_size=14))
def test_a_key_is_its_own_key(label: str) -> None:
    key = identity.source_key(label)
    assert identity.source_key(key) == key


def test_a_passages_key_stays_where_only_the_way_of_writing_changes() -> None:
    key = identity.passage_key("docs/a.md", "The office is open.")
    assert len(key) == 32
    assert key == identity.passage_key("./docs//a.md", "  the o\ufb03ce\u00a0is\nOPEN. ")
    assert key != identity.passage_key("docs/b.md", "The office is open.")
    assert key != identity.passage_key("docs/a.md", "The office is shut.")
    # The text's part is the same in another source: its fingerprint.
    assert key[16:] == identity.passage_key("docs/b.md", "The office is open.")[16:]
    assert key[16:] == identity.fingerprint("The office is open.").digest


def test_a_source_and_a_text_do_not_run_into_each_other() -> None:
    assert identity.passage_key("a", "b c") != identity.passage_key("a b", "c")
    assert identity.passage_key(None, "x") == identity.passage_key("", "x")


def test_the_same_pool_in_another_order() -> None:
    found = match(pool(PASSAGES), pool(PASSAGES[::-1]))
    assert moves(found) == {0: 3, 1: 2, 2: 1, 3: 0}
    assert found.lost == ()


def test_a_renamed_and_moved_document_is_carried() -> None:
    old = pool(PASSAGES, ["refunds.md"] * 3 + ["billing.md"])
    new = pool(PASSAGES, ["help/Refund policy.md"] * 3 + ["help/billing.md"])
    assert moves(match(old, new)) == {0: 0, 1: 1, 2: 2, 3: 3}


def test_a_short_text_is_carried_with_its_renamed_document_only() -> None:
    short = ("See above.", *PASSAGES[:2])
    new = pool(
        ("See above.", "See above.", *PASSAGES[:2]), ["other.md", "new.md", "new.md", "new.md"]
    )
    assert moves(match(pool(short, "old.md"), new)) == {0: 1, 1: 2, 2: 3}
    assert match(pool(["See above."], "old.md"), pool(["See above."], "other.md")).lost == (0,)
    assert moves(match(pool(["See above."]), pool(["See above."]))) == {0: 0}


def test_equal_texts_of_two_files_stay_with_their_files() -> None:
    old = pool(PASSAGES[:1] * 2, ["a.md", "b.md"])
    new = pool(PASSAGES[:1] * 2, ["b.md", "a.md"])
    assert moves(match(old, new)) == {0: 1, 1: 0}


def test_copies_that_were_removed_share_what_is_left() -> None:
    assert moves(match(pool(PASSAGES[:1] * 3), pool(PASSAGES[:1]))) == {0: 0, 1: 0, 2: 0}
    assert moves(match(pool(PASSAGES[:1] * 2), pool(PASSAGES[:1] * 3))) == {0: 0, 1: 1}


def test_chunks_that_were_joined_are_carried_as_part_of_a_longer_one() -> None:
    new = pool([" ".join(PASSAGES[:2]), " ".join(PASSAGES[2:])])
    found = match(pool(PASSAGES), new)
    assert found.carried == tuple(
        Carried(old, place, How.WITHIN) for old, place in ((0, 0), (1, 0), (2, 1), (3, 1))
    )
    assert (found.changed, found.lost) == ((), ())


def test_a_chunk_that_was_cut_names_its_pieces_and_is_not_carried() -> None:
    found = match(pool([" ".join(PASSAGES)]), pool(PASSAGES))
    assert found.carried == ()
    (changed,) = found.changed
    assert sorted(changed.new) == [0, 1, 2, 3]
    assert 0.8 < changed.likeness < 1.0


def test_a_changed_number_is_never_carried_in_silence() -> None:
    edited = PASSAGES[0].replace("14", "30")
    found = match(pool(PASSAGES), pool([*PASSAGES[1:], edited]))
    assert found.successor == {1: 0, 2: 1, 3: 2}
    (changed,) = found.changed
    assert (changed.old, changed.new) == (0, (3,))
    assert 0.5 <= changed.likeness < 1.0


def test_what_is_gone_is_lost() -> None:
    found = match(pool(PASSAGES), pool(PASSAGES[2:]))
    assert found.successor == {2: 0, 3: 1}
    assert (found.changed, found.lost) == ((), (0, 1))
    assert match(pool(PASSAGES), pool([])).lost == (0, 1, 2, 3)
    assert match(pool([]), pool(PASSAGES)) == Match((), (), ())


def test_rows_of_a_table_that_share_a_header_are_not_one_another() -> None:
    head = (
        "Region | Quarter | Revenue in thousands | Costs in thousands | Staff at the end of it | "
    )
    rows = [
        f"{head}{town} | Q{number} | {100 + 7 * number} | {50 + number} | {number}"
        for number, town in enumerate(("Oslo", "Bergen", "Hamar", "Bodo"), start=1)
    ]
    found = match(pool(rows[:3]), pool(rows[1:]))
    assert moves(found) == {1: 0, 2: 1}
    assert found.lost == (0,)


def test_chunks_that_overlap_are_not_one_another() -> None:
    words = [f"word{number}" for number in range(60)]
    chunks = [" ".join(words[start : start + 20]) for start in range(0, 41, 10)]
    found = match(pool(chunks[:4]), pool(chunks[1:]))
    assert moves(found) == {1: 0, 2: 1, 3: 2}
    assert found.lost == (0,)


def test_an_utterance_is_not_the_window_around_it() -> None:
    said = [f"speaker {n % 2}: this is what was said as number {n} of the talk" for n in range(9)]
    windows = [" ".join(said[max(0, n - 2) : n + 3]) for n in range(9)]
    found = match(pool([said[4], windows[4]]), pool([windows[4], said[4], windows[5]]))
    assert moves(found) == {0: 1, 1: 0}


def test_a_passage_without_text_is_not_recognised() -> None:
    assert match(pool(["", "  "]), pool(["", ""])).lost == (0, 1)


WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "14", "30"]), max_size=14).map(" ".join)
SIDE = st.lists(st.tuples(WORDS, st.sampled_from(["a.md", "b.md", None])), max_size=6)


@given(SIDE, SIDE)
def test_every_old_passage_is_accounted_for_once(
    old: list[tuple[str, str | None]], new: list[tuple[str, str | None]]
) -> None:
    before = pool([text for text, _ in old], [label for _, label in old])
    after = pool([text for text, _ in new], [label for _, label in new])
    found = match(before, after)
    told = [item.old for item in found.carried] + [item.old for item in found.changed]
    assert sorted([*told, *found.lost]) == list(range(len(old)))
    for item in found.carried:
        first, second = (
            identity.fingerprint(text) for text in (old[item.old][0], new[item.new][0])
        )
        assert first.is_within(second)
        assert (first.digest == second.digest) == (item.how is How.SAME)
    for part in found.changed:
        assert 0.0 < part.likeness <= 1.0
        assert part.new


@given(SIDE)
def test_a_pool_is_carried_to_itself(side: list[tuple[str, str | None]]) -> None:
    same = pool([text for text, _ in side], [label for _, label in side])
    found = match(same, same)
    assert set(found.lost) == {index for index, (text, _) in enumerate(side) if not text}
    assert found.changed == ()
    assert all(side[item.old] == side[item.new] for item in found.carried)
