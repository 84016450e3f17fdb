import json

from poolscope import formats


def _read(value: object) -> formats.Load:
    load = formats.read(json.dumps(value).encode(), "x.json")
    assert load.format.name == "solr"
    return load


def _doc(name: str, score: float, *texts: str, **more: object) -> dict[str, object]:
    return {"id": name, "text": list(texts or [f"text {name}"]), "score": score, **more}


def _response(*docs: object, **more: object) -> dict[str, object]:
    held = {"numFound": 9, "start": 0, "docs": list(docs)}
    return {"responseHeader": {"params": {"q": "refund"}}, "response": held, **more}


def test_texts_that_are_lists_are_joined() -> None:
    loaded = _read(_response(_doc("a", 2, "one"), _doc("b", 1, "one", "two"))).question()
    assert loaded.pool.query == "refund"
    assert loaded.pool.texts == ("one", "one\ntwo")
    assert loaded.report.notes == (
        "“text” holds several texts in 1 row; they were joined, a line each.",
    )


def test_a_field_is_found_behind_the_ending_of_its_type() -> None:
    docs = [{"id": str(n), "content_txt_en": [f"t{n}"], "_version_": n} for n in range(2)]
    assert _read(docs).question().pool.texts == ("t0", "t1")
    assert _read(_response(*docs)).question().report.columns["text"] == "content_txt_en"


def test_what_a_collapse_hid_follows_its_head() -> None:
    more = {"x": {"numFound": 4, "docs": [_doc("b", 1.5, url=["x"])]}}
    heads = (_doc("a", 2, url=["x"]), _doc("c", 1, url=["y"]))
    loaded = _read(_response(*heads, expanded=more)).question()
    assert loaded.pool.ids == ("a", "b", "c")
    assert loaded.pool.sources == ("x", "x", "y")
    assert loaded.report.notes[:2] == (
        "1 document that a collapse hid was read after the head of the group.",
        "The groups count 4 documents; 3 are not in it.",
    )


def test_groups_say_what_they_leave_out() -> None:
    groups = [
        {"groupValue": "x", "doclist": {"numFound": 3, "docs": [_doc("a", 2), _doc("b", 1)]}},
        {"groupValue": "y", "doclist": {"numFound": 1, "docs": [_doc("c", 1.5)]}},
    ]
    loaded = _read({"grouped": {"url": {"matches": 4, "groups": groups}}}).question()
    assert loaded.pool.ids == ("a", "b", "c")
    assert loaded.pool.fields["group"] == ("x", "x", "y")
    assert "The groups count 4 documents; 1 is not in it." in loaded.report.notes
    simple = {"grouped": {"url": {"matches": 1, "doclist": {"docs": [_doc("a", 2)]}}}}
    assert _read(simple).question().pool.ids == ("a",)


def test_child_documents_are_the_candidates() -> None:
    parent = {"id": "p", "url": "x", "score": 1, "_childDocuments_": [_doc("a", 2), _doc("b", 1)]}
    loaded = _read(_response(parent, _doc("c", 1, url="y"))).question()
    assert loaded.pool.ids == ("a", "b", "c")
    assert loaded.pool.sources == ("x", "x", "y")
    assert loaded.pool.fields["parent_id"] == ("p", "p", None)


def test_highlights_stand_in_for_a_text_that_is_not_stored() -> None:
    docs = [{"id": "a", "score": 2}, {"id": "b", "score": 1}]
    lit = {"a": {"body": ["one", "two"]}, "b": {"body": ["three"]}}
    loaded = _read(_response(*docs, highlighting=lit)).question()
    assert loaded.pool.texts == ("one\ntwo", "three")
    assert any("highlighted pieces" in note for note in loaded.report.notes)
