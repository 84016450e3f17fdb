"""What follows a passage when its document was renamed, moved, cut anew or put in order anew."""

import pytest

from poolscope.golden.carrying import Carried, Changed, How, Matches, chosen, match
from poolscope.golden.model import Passage
from poolscope.model.identity import passage_key

TEXTS = (
    "Refunds are issued within 14 days of purchase to the original card.",
    "To ask for a refund, open the order and choose Refund from the menu.",
    "A refund for a gift goes back to the person who paid for the order.",
)


def passage(source: str | None, text: str) -> Passage:
    return Passage(passage_key(source, text), text, source)


def document(source: str, *texts: str) -> list[Passage]:
    return [passage(source, text) for text in texts]


OLD = document("docs/refunds.md", *TEXTS)


def carried(old: list[Passage], new: list[Passage], how: How) -> Matches:
    """What is said where every old passage is one new one, in the order of both."""
    pairs = zip(old, new, strict=True)
    return Matches(tuple(Carried(one.key, two.key, how) for one, two in pairs), (), ())


def test_a_document_in_another_order_stays_as_it_was() -> None:
    found = match(OLD, OLD[::-1])
    assert found == carried(OLD, OLD, How.SAME)
    assert found.is_as_it_was


@pytest.mark.parametrize("source", ["docs/refund policy.md", "legal/refunds.md", None])
def test_a_renamed_and_a_moved_document_is_carried(source: str | None) -> None:
    new = [passage(source, text) for text in TEXTS]
    found = match(OLD, new)
    assert found == carried(OLD, new, How.MOVED)
    assert not found.is_as_it_was


def test_the_way_a_path_is_written_is_no_move() -> None:
    new = document(".\\docs\\refunds.md", *(text.upper() for text in TEXTS))
    assert [each.key for each in new] == [each.key for each in OLD]
    assert match(OLD, new).is_as_it_was


def test_chunks_that_were_joined_are_carried_as_part_of_a_longer_one() -> None:
    new = document("docs/refunds.md", " ".join(TEXTS[:2]), TEXTS[2])
    assert match(OLD, new).carried == (
        Carried(OLD[0].key, new[0].key, How.WITHIN),
        Carried(OLD[1].key, new[0].key, How.WITHIN),
        Carried(OLD[2].key, new[1].key, How.SAME),
    )


def test_a_chunk_that_was_cut_offers_its_pieces() -> None:
    whole = document("docs/refunds.md", " ".join(TEXTS))
    found = match(whole, OLD)
    assert (found.carried, found.lost) == ((), ())
    (changed,) = found.changed
    assert set(changed.near) == {each.key for each in OLD}
    assert 0.8 < changed.likeness < 1


def test_another_number_is_offered_and_carried_only_by_hand() -> None:
    edited = passage("docs/refunds.md", TEXTS[0].replace("14", "30"))
    found = match(OLD, [edited, *OLD[1:]])
    # 12 words and a full stop make 11 shingles; the number stands in 3 of them.
    assert found.changed == (Changed(OLD[0].key, (edited.key,), 8 / 14),)
    assert chosen(found, {}) == found.carried
    by_hand = chosen(found, {OLD[0].key: edited.key, "unknown": edited.key})
    assert by_hand == (*found.carried, Carried(OLD[0].key, edited.key, How.CHOSEN))


def test_what_is_gone_is_lost() -> None:
    assert match(OLD, OLD[:1]).lost == (OLD[1].key, OLD[2].key)
    assert match(OLD, []) == Matches((), (), tuple(each.key for each in OLD))
    assert match([], OLD) == Matches((), (), ())


def test_a_short_text_is_not_carried_to_another_document_by_guess() -> None:
    old = passage("a.md", "All rights reserved.")
    found = match([old], document("b.md", "All rights reserved."))
    assert found == Matches((), (), (old.key,))


def test_a_passage_that_is_known_by_an_id_alone_is_told_by_its_id() -> None:
    old = [Passage("id:d1", "", id="d1"), Passage("id:d2", "", id="d2"), Passage("x", "", id="")]
    new = [Passage(passage_key("s", TEXTS[0]), TEXTS[0], "s", "d1"), Passage("id:d3", "", id="d3")]
    assert match(old, new) == Matches(
        (Carried("id:d1", new[0].key, How.BY_ID),), (), ("id:d2", "x")
    )
    assert match(old[:1], old).carried == (Carried("id:d1", "id:d1"),)


def test_an_id_is_not_trusted_where_the_text_is_known() -> None:
    old = Passage(OLD[0].key, TEXTS[0], "docs/refunds.md", "d1")
    other = Passage(OLD[2].key, TEXTS[2], "docs/refunds.md", "d1")
    assert match([old], [other]).lost == (old.key,)
