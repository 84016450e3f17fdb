import json

import pytest

from poolscope import formats


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


def _hit(name: str, relevance: float, source: str = "s") -> dict[str, object]:
    fields = {"documentid": f"id:n:doc::{name}", "body": f"text {name}", "url": source}
    return {
        "id": f"id:n:doc::{name}",
        "relevance": relevance,
        "source": "cluster",
        "fields": fields,
    }


def test_hits_in_groups_and_the_cluster_is_no_source() -> None:
    groups = [
        {"id": "group:string:a", "relevance": 1.0, "children": [_hit("a", 0.9)]},
        {"id": "group:string:b", "relevance": 0.5, "children": [_hit("b", 0.5, "t")]},
    ]
    root = {"fields": {"totalCount": 2}, "children": [{"id": "group:root", "children": groups}]}
    pool = _read({"root": root}).question().pool
    assert pool.ids == ("a", "b")
    assert pool.texts == ("text a", "text b")
    assert pool.sources == ("s", "t")
    assert pool.fields["content_cluster"] == ("cluster", "cluster")
    assert pool.score_kind is not None
    assert pool.score_kind.direction == "higher is better"


def test_ids_that_repeat_across_types_stay_whole() -> None:
    first, second = _hit("a", 0.9), _hit("a", 0.5)
    second["fields"] = {"documentid": "id:n:other::a", "body": "another"}
    pool = _read({"root": {"children": [first, second]}}).question().pool
    assert pool.ids == ("id:n:doc::a", "id:n:other::a")


@pytest.mark.parametrize("cells", [[{"address": {"x": str(n)}, "value": n} for n in (1, 2)]])
def test_tensor_of_cells(cells: object) -> None:
    hit = _hit("a", 1.0)
    hit["fields"] = {"text": "t", "embedding": {"type": "tensor<float>(x[2])", "cells": cells}}
    pool = _read({"root": {"children": [hit]}}).question().pool
    assert pool.vectors is not None
    assert pool.vectors[0] == pytest.approx([0.4472136, 0.8944272])


def test_errors_are_said() -> None:
    errors = [{"code": 12, "summary": "Timeout", "message": "out of time"}]
    root = {"fields": {"totalCount": 0}, "errors": errors, "children": [_hit("a", 1.0)]}
    assert _read({"root": root}).question().report.notes == ("Vespa reports: out of time.",)


def test_a_hit_without_fields_is_set_aside_not_passed_over() -> None:
    children = [_hit("a", 0.9), {"id": "x", "relevance": 0.5}, None, _hit("b", 0.4)]
    loaded = _read({"root": {"children": children}}).question()
    assert loaded.pool.ids == ("a", "b")
    assert [item.row for item in loaded.report.set_aside] == [2, 3]
