import json

import pytest

from poolscope import formats
from poolscope.errors import FormatError

DOCUMENTS = [{"page_content": "a", "metadata": {"source": "a.md"}}]


def _load(**attributes: object) -> formats.Load:
    fields = {name.replace("__", "."): value for name, value in attributes.items()}
    span = {"name": "GET /", "context": {"span_id": "1"}, "attributes": fields}
    return formats.read(json.dumps([span]).encode(), "x.json")


def test_known_documents_in_any_attribute() -> None:
    load = _load(app__query="q", app__found=json.dumps(DOCUMENTS))
    pool = load.question().pool
    assert load.format.name == "trace"
    assert (pool.query, pool.texts) == ("q", ("a",))


def test_plain_texts_in_any_attribute_are_no_passages() -> None:
    with pytest.raises(FormatError, match=r"None of 1 span .* met: “GET /”\."):
        _load(app__tags=["a", "b"]).question()
