from poolscope.golden.model import Change
from poolscope.golden.rows import Row, changed, changes_as_json, changes_of
from poolscope.golden.schema import FACET, NOTES


def test_a_change_is_made_only_where_something_changes() -> None:
    row = Row({"notes": "x"}, 3, "t1", "t0")
    assert changed(NOTES, ("q",), row, {"notes": "x"}) == ()
    assert changed(NOTES, ("q",), row, {"notes": "y"}) == (
        Change("notes", ("q",), {"notes": "x"}, {"notes": "y"}, 4, "t0", None),
    )
    assert changed(NOTES, ("q",), None, {"notes": ""}) == (
        Change("notes", ("q",), None, {"notes": ""}, 1),
    )


def test_what_is_not_named_stays() -> None:
    row = Row({"label": "a", "description": "", "weight": "vital", "gone": 0}, 1, "t", "t")
    (change,) = changed(FACET, ("q", "a"), row, {"gone": 1}, "t9")
    assert change.after == {"label": "a", "description": "", "weight": "vital", "gone": 1}
    assert change.stands == "t9"


def test_changes_come_back_from_the_log() -> None:
    changes = (
        Change("mark", ("q", "a", "p", ""), None, {"mark": None, "made_at": "é\u2028"}, 1, "", "t"),
        Change("attendance", ("q", "A"), {"seconds": 0.1}, {"seconds": 0.1 + 0.2}, 2, "t", "u"),
    )
    assert changes_of(changes_as_json(changes)) == changes


def test_values_by_kind() -> None:
    row = Row({"text": None, "gone": 1, "score": None}, 1, "t", "t")
    assert (row.text("text"), row.whole("gone"), row.real("score"), row.is_gone) == (
        "",
        1,
        0.0,
        True,
    )
