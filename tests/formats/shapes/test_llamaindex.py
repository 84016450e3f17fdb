import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known

FILES = (
    "llamaindex_nodewithscore_model_dump.json",
    "llamaindex_nodewithscore_to_dict.json",
    "llamaindex_nodewithscore_to_json.json",
    "llamaindex_response_source_nodes.json",
)


@pytest.mark.parametrize("name", FILES)
def test_sample(known: "Known", name: str) -> None:
    loaded = known.loads(name).question()
    known.check(loaded, scores=known.cosines(known.ranked), query="")
    assert loaded.pool.fields["ref_doc_id"][0] == "doc-refunds.md"
    assert loaded.pool.fields["page_label"][0] == "0"
    assert loaded.report.sources.chosen.field == "file_path"


def _read(value: object) -> formats.Loaded:
    return formats.read(json.dumps(value).encode(), "x.json").question()


def _scored(**node: object) -> list[object]:
    return [{"node": {"id_": "n", "text": "a", "metadata": {}, **node}, "score": 0.5}]


def test_bare_id_as_relation() -> None:
    loaded = _read(_scored(relationships={"1": "doc-7"}))
    assert loaded.pool.sources == ("doc-7",)


def test_the_word_none_is_no_source() -> None:
    loaded = _read(_scored(relationships={"1": {"node_id": "None"}}))
    assert loaded.pool.sources == (None,)


def test_relations_and_place_are_kept() -> None:
    relations = {"2": {"node_id": "before"}, "3": {"node_id": "after"}, "4": {"node_id": "up"}}
    loaded = _read(_scored(relationships=relations, start_char_idx=3, end_char_idx=9))
    assert loaded.pool.fields["previous_node_id"] == ("before",)
    assert loaded.pool.fields["next_node_id"] == ("after",)
    assert loaded.pool.spans == ((3, 9),)


def test_metadata_of_the_source_document_counts_where_the_node_has_none() -> None:
    relation = {"node_id": "d", "metadata": {"file_path": "a.md"}}
    assert _read(_scored(relationships={"1": relation})).pool.sources == ("a.md",)


def test_text_resource() -> None:
    node = {"id_": "n", "text_resource": {"text": "from the resource"}, "metadata": {}}
    loaded = _read([{"node": node, "score": None}])
    assert loaded.pool.texts == ("from the resource",)
    assert loaded.pool.raw_scores is None


def test_oldest_names() -> None:
    node = {
        "doc_id": "n",
        "text": "a",
        "extra_info": {"file_path": "a.md"},
        "node_info": {"start": 1, "end": 5},
        "relationships": {"1": "d"},
    }
    pool = _read([{"node": node, "score": 0.4}]).pool
    assert (pool.ids, pool.sources, pool.spans) == (("n",), ("a.md",), ((1, 5),))


def test_embedding() -> None:
    loaded = _read(_scored(embedding=[0.6, 0.8], relationships={}))
    assert loaded.pool.vectors is not None
    assert loaded.pool.vectors[0] == pytest.approx([0.6, 0.8])


def test_texts_that_hold_nodes() -> None:
    loaded = _read([json.dumps(entry) for entry in _scored(relationships={})])
    assert loaded.pool.ids == ("n",)


def test_several_responses() -> None:
    response = {"response": "r", "source_nodes": _scored()}
    load = formats.read(json.dumps([{**response, "query": "q1"}, response]).encode(), "x.json")
    assert [load.question(index).pool.query for index in range(2)] == ["q1", ""]


def test_pasted_with_enumerations() -> None:
    pasted = (
        "[NodeWithScore(node=TextNode(id_='n', embedding=None, relationships="
        "{<NodeRelationship.SOURCE: '1'>: RelatedNodeInfo(node_id='d', "
        "node_type=<ObjectType.DOCUMENT: '4'>)}, text=\"it's <A.B: 'c'> text\"), score=0.25)]"
    )
    pool = formats.read(pasted.encode()).question().pool
    assert pool.texts == ("it's <A.B: 'c'> text",)
    assert pool.sources == ("d",)


def test_what_a_store_leaves_out_is_said() -> None:
    node = {"id_": "a", "text": "t", "relationships": {}}
    answer = {"nodes": [node], "similarities": [0.5, 0.4], "ids": ["a", "b"]}
    notes = formats.read(json.dumps(answer).encode(), "x.json").question().report.notes
    assert "The scores were left out: there is not one a node, but 2 scores for 1 node." in notes
    store = {"docstore/data": {"a": {"__data__": node}, "b": {"__data__": {"id_": "b"}}}}
    notes = formats.read(json.dumps(store).encode(), "x.json").question().report.notes
    assert "Left out: 1 node without a text." in notes
