import json

from poolscope import formats


def _read(value: object) -> formats.Loaded:
    load = formats.read(json.dumps(value).encode(), "x.json")
    assert load.format.name == "kendra"
    return load.question()


def _item(name: str, uri: str, **more: object) -> dict[str, object]:
    excerpt = {"Text": f"text {name}", "Highlights": []}
    title = {"Text": f"title {uri}", "Highlights": []}
    return {"Id": name, "DocumentURI": uri, "DocumentTitle": title, "DocumentExcerpt": excerpt,
            **more}  # fmt: skip


def test_sources_are_the_addresses_else_the_titles() -> None:
    items = [_item("a", "x"), _item("b", "x"), _item("c", "y")]
    loaded = _read({"ResultItems": items})
    assert loaded.pool.sources == ("x", "x", "y")
    assert loaded.report.sources.chosen.field == "uri"
    for item in items:
        del item["DocumentURI"]
    assert _read({"ResultItems": items}).pool.sources == ("title x", "title x", "title y")


def test_collapsed_results_are_candidates_and_featured_ones_are_named() -> None:
    hidden = {"ExpandedResults": [_item("b", "x"), _item("c", "x")]}
    loaded = _read(
        {
            "ResultItems": [_item("a", "x", CollapsedResultDetail=hidden), _item("d", "y")],
            "FeaturedResultsItems": [_item("e", "z")],
        }
    )
    assert loaded.pool.ids == ("a", "b", "c", "d")
    assert loaded.report.notes[1:] == (
        "Opened: 2 results into 4 rows, those that were collapsed among them.",
        "1 featured result is no part of the ranked list.",
    )


def test_attributes_are_fields() -> None:
    attributes = [{"Key": "team", "Value": {"StringValue": "billing"}}]
    loaded = _read([_item("a", "x", DocumentAttributes=attributes), _item("b", "y")])
    assert loaded.pool.fields["team"] == ("billing", None)
