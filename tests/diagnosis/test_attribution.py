import pytest

from poolscope.diagnosis.attribution import STOP_WORDS, Context, words_of

PASSAGES = (
    "Every checkout pod had all 20 of its connections to the orders database in use.",
    "The card provider answered slowly; a retry held the worker thread for twenty seconds.",
    "A new node has an empty TLS session cache, so returning customers need full handshakes.",
)
CONTEXT = Context(PASSAGES, "Why did the checkout page time out?")


@pytest.mark.parametrize(("place", "passage"), list(enumerate(PASSAGES)))
def test_a_copied_passage_is_found_whole(place: int, passage: str) -> None:
    (match,) = CONTEXT.matches(passage)
    assert match.place == place
    assert match.share == pytest.approx(1.0)
    assert match.is_use
    assert all(run in passage for run in match.shared)


def test_other_words_around_a_shared_run_leave_it_found() -> None:
    sentence = "Most likely, customers need full handshakes whenever somebody scales anything up."
    (match,) = CONTEXT.matches(sentence)
    assert match.place == 2
    assert match.shared == ("customers need full handshakes",)


def test_shared_words_without_a_run_are_found_and_listed() -> None:
    (match,) = CONTEXT.matches("Database connections of each pod: all in use for orders.")
    assert match.place == 0
    assert {"Database", "connections", "pod", "orders"} <= set(match.shared)


def test_grammatical_words_are_no_evidence() -> None:
    assert CONTEXT.matches("It is all of the things that had to be in use for this.") == ()
    assert CONTEXT.matches("the of and to") == ()
    assert CONTEXT.matches("") == ()


def test_words_of_the_question_alone_are_no_evidence() -> None:
    assert CONTEXT.matches("The checkout page timed out.") == ()


def test_a_paraphrase_is_not_found() -> None:
    assert CONTEXT.matches("The pool of sockets towards Postgres was exhausted.") == ()


def test_copies_are_found_together_and_the_rest_is_not() -> None:
    context = Context((PASSAGES[0], PASSAGES[1], PASSAGES[0]))
    assert [match.place for match in context.matches(PASSAGES[0])] == [0, 2]


def test_no_passages_no_match() -> None:
    assert Context(()).matches("Anything at all was said here.") == ()
    assert Context(("", "  ")).matches("Anything at all was said here.") == ()


def test_words_lose_case_and_plural_and_possessive() -> None:
    assert words_of("The Pools' nodes, the node\u2019s class").compared == (
        "the",
        "pool",
        "node",
        "the",
        "node",
        "class",
    )
    assert words_of("status 3.5 x-ray").compared == ("status", "3.5", "x-ray")


def test_scripts_without_spaces_are_compared_sign_by_sign() -> None:
    context = Context(("接続プールが枯渇した", "再試行がスレッドを占有した"))
    (match,) = context.matches("原因は接続プールが枯渇したこと。")
    assert match.place == 0
    assert match.shared == ("接続プールが枯渇した",)


def test_the_stop_words_are_lower_case_words() -> None:
    assert all(word == word.casefold() and word.isalpha() for word in STOP_WORDS)
