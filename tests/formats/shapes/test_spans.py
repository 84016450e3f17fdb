from poolscope.formats.shapes import spans

TYPED = {
    "arrayValue": {"values": [{"stringValue": "a"}, {"intValue": "7"}]},
}


def test_typed_values() -> None:
    assert spans.typed({"intValue": "12"}, 8) == 12
    assert spans.typed({"doubleValue": 0.5}, 8) == 0.5
    assert spans.typed({"boolValue": True}, 8) is True
    assert spans.typed(TYPED, 8) == ["a", 7]
    listed = {"values": [{"key": "k", "value": {"string_value": "v"}}]}
    assert spans.typed({"kvlistValue": listed}, 8) == {"k": "v"}


def test_spans_of_otlp_in_either_case() -> None:
    span = {"name": "s", "spanId": "1", "attributes": [{"key": "k", "value": {"intValue": 1}}]}
    for outer, inner in (("resourceSpans", "scopeSpans"), ("resource_spans", "scope_spans")):
        (found,) = spans.spans([{outer: [{inner: [{"spans": [span]}]}]}])
        assert (found.id, found.attributes) == ("1", {"k": 1})


def test_rows_of_a_data_frame() -> None:
    row = {"name": "s", "context.span_id": "1", "attributes.a.b": "c", "attributes.d": None}
    (found,) = spans.spans([row])
    assert found.attributes == {"a.b": "c"}


def test_tree_gives_one_value_for_each_way_of_writing() -> None:
    wanted = [{"document": {"id": "1"}}]
    assert spans.tree({"r.d.0.document.id": "1"}, "r.d") == wanted
    assert spans.tree({"r.d": [{"document.id": "1"}]}, "r.d") == wanted
    assert spans.tree({"r.d": '[{"document": {"id": "1"}}]'}, "r.d") == wanted
    assert spans.tree({"r": {"d": wanted}}, "r.d") == wanted
    assert spans.tree({}, "r.d") is None


def test_a_value_without_spans() -> None:
    for value in (None, [], {"name": "a"}, {"name": "a", "attributes": "x"}, [[["a"]]]):
        assert not spans.first(value)
