from poolscope.golden.carrying import Carried, Changed, How, Near, by_key
from poolscope.golden.model import Passage
from poolscope.golden.passages import passage_key


def passage(source: str, text: str) -> Passage:
    return Passage(passage_key(source, text), text, source)


def test_every_old_passage_is_carried_changed_or_lost() -> None:
    same = passage("a.md", "The pump stops when the valve is shut.")
    moved = passage("a.md", "Call the desk before nine.")
    changed = passage("a.md", "Open the valve by one turn to the left.")
    lost = passage("a.md", "Nothing of this is left anywhere.")
    new = [
        passage("a.md", "The pump stops  when the valve is SHUT."),
        passage("b.md", "Call the desk before nine."),
        passage("a.md", "Open the valve by two turns to the left."),
    ]
    found = by_key([same, moved, changed, lost], new)
    assert found.carried == (
        Carried(same.key, new[0].key),
        Carried(moved.key, new[1].key, How.MOVED),
    )
    # 7 words in common of 8 + 8 different ones less those 7: "one turn" against "two turns"
    assert found.changed == (Changed(changed.key, (Near(new[2].key, 6 / 10),)),)
    assert found.lost == (lost.key,)


def test_a_text_in_two_places_is_not_carried_by_guess() -> None:
    old = passage("a.md", "All rights reserved.")
    new = [passage("b.md", "All rights reserved."), passage("c.md", "All rights reserved.")]
    found = by_key([old], new)
    assert found.carried == ()
    assert {near.key for near in found.changed[0].near} == {each.key for each in new}


def test_two_copies_that_become_one_are_not_carried_by_guess() -> None:
    old = [passage("a.md", "All rights reserved."), passage("b.md", "All rights reserved.")]
    found = by_key(old, [passage("c.md", "All rights reserved.")])
    assert found.carried == ()
    assert len(found.changed) == 2


def test_empty_texts_and_empty_pools() -> None:
    assert by_key([], [passage("a", "x")]).lost == ()
    old = passage("a", "")
    assert by_key([old], []).lost == (old.key,)


def test_passages_that_are_known_by_an_id_alone() -> None:
    old = Passage("id:d1", "", id="d1")
    assert by_key([old], [Passage("id:d1", "now with text")]).carried == (
        Carried("id:d1", "id:d1"),
    )
    assert by_key([old], [Passage("id:d2", "")]).lost == ("id:d1",)
