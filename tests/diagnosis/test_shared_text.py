from poolscope.diagnosis.shared_text import (
    chained,
    common_runs,
    continued,
    overlap,
    resemblance,
    without,
    words,
)

LONG = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"


def test_a_changed_word_leaves_a_copy_and_other_words_do_not() -> None:
    first = words(LONG)
    assert resemblance(first, first) == 1.0
    assert resemblance(first, words(LONG.replace("seven", "seventy"))) == 11 / 15
    assert resemblance(first, words("")) == 0.0
    assert resemblance(words(""), words("")) == 0.0


def test_the_same_words_in_another_order_are_no_copy() -> None:
    shuffled = " ".join(LONG.split()[::2] + LONG.split()[1::2])
    assert resemblance(words(LONG), words(shuffled)) < 0.05


def test_a_chunk_that_starts_with_the_end_of_another_continues_it() -> None:
    head, tail = words(f"alpha beta {LONG}"), words(f"{LONG} omega psi")
    assert continued(head, tail) == 14
    assert continued(tail, head) == 0
    assert overlap(head, tail) == 14 / 16
    assert chained([head, tail]) == ()
    assert chained([words(f"alpha beta {LONG}"), words(f"{LONG} {'omega psi ' * 3}")]) == ()
    more = words(f"{LONG} " + " ".join(f"w{i}" for i in range(20)))
    before = words(" ".join(f"v{i}" for i in range(20)) + f" {LONG}")
    assert chained([before, more]) == ((0, 1),)


def test_copies_continue_nothing() -> None:
    text = " ".join(f"w{i}" for i in range(40))
    assert chained([words(text)] * 3) == ()


def test_what_most_passages_hold_is_left_out_and_the_rest_is_kept() -> None:
    passages = [words(f"{LONG} " + " ".join(f"p{p}w{i}" for i in range(8))) for p in range(9)]
    common = common_runs(passages)
    assert [without(passage, common).row[0] for passage in passages[:2]] == ["p0w0", "p1w0"]
    assert len(without(passages[0], common).row) == 8
    assert without(words(LONG), common) == words(LONG)
    assert without(words("nothing of the kind"), common) == words("nothing of the kind")
    assert common_runs(passages[:7]) == frozenset()
    assert common_runs([*passages[:4], *(words(f"q{p}") for p in range(4))]) == frozenset()
