"""Data, as a person uses it: files, pasted text, samples, and what is said about each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from poolscope.ui import state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

BROKEN = {
    "cut.json": b'{"query": "q", "candidates": [{"id": "a", "text": "x"',
    "prose.txt": b"Dear all, the pool is attached.",
    "binary.txt": bytes(range(256)),
    "not_really.parquet": b"PAR1 this is no parquet file PAR1",
    "not_really.npz": b"PK\x03\x04 and then nothing of use",
    "numbers.json": b'{"candidates": [1, 2, 3]}',
    "deep.json": b"[" * 100_000,
}


@pytest.fixture
def data(open_app: Callable[..., Screen]) -> Screen:
    return open_app("data")


def two_questions() -> bytes:
    lines = [
        {
            "query_id": f"q{number}",
            "query": f"Question number {number}?",
            "candidates": [
                {
                    "id": f"{number}-{rank}",
                    "text": f"text {rank}",
                    "source": "s",
                    "team": f"t{rank}",
                }
                for rank in range(1, 2 + number)
            ],
        }
        for number in (1, 2, 3)
    ]
    return "\n".join(json.dumps(line) for line in lines).encode()


@pytest.mark.parametrize("name", BROKEN)
def test_a_malformed_upload_shows_a_box_and_keeps_the_pool(data: Screen, name: str) -> None:
    data.upload(name, BROKEN[name])
    assert "This could not be read" in data.says
    (line,) = [line for line in data.says.splitlines() if line.startswith(f"{name}")]
    problem, remedy = data.says.splitlines()[data.says.splitlines().index(line) :][:2]
    assert problem.endswith(".")
    assert remedy.endswith(".")
    assert "The pool loaded before is still here, unchanged." in data.says
    assert "Product monograph" in data.says
    assert "54 of 54 rows" in data.says
    data.page("inspect")
    assert data.columns[0].coverage == "2 of 6"


def test_a_good_upload_replaces_the_pool_and_clears_the_box(
    data: Screen, pool_file: Callable[..., bytes]
) -> None:
    data.upload("broken.json", b"{")
    data.upload("mine.json", pool_file())
    assert "could not be read" not in data.says
    assert "4 of 4 rows" in data.says
    assert "JSON: " in data.says
    assert "sample" not in data.app.query_params
    data.page("inspect")
    assert "Which one?" in data.says
    assert data.columns[0].ranks == [1, 2, 3, 4]
    assert data.columns[0].cards[0].text == "alpha"


def test_a_sample_replaces_an_uploaded_pool(data: Screen, pool_file: Callable[..., bytes]) -> None:
    data.upload("mine.json", pool_file()).open_sample("healthy")
    assert "45 of 45 rows" in data.says
    assert data.app.query_params["sample"] == "healthy"


def test_pasted_json_is_loaded(data: Screen, pool_file: Callable[..., bytes]) -> None:
    data.paste(pool_file().decode())
    assert "pasted text" in data.says
    assert "4 of 4 rows" in data.says


def test_a_pasted_table_is_loaded(data: Screen) -> None:
    data.paste("id,source,text,score\na,s,first,0.9\nb,t,second,0.8\n")
    assert "CSV" in data.says
    assert "2 of 2 rows" in data.says


def test_pasting_nothing_is_said_and_loses_nothing(data: Screen) -> None:
    data.paste("   \n ")
    assert "pasted text: Nothing was pasted." in data.says
    assert "54 of 54 rows" in data.says


def test_a_pasted_mistake_names_its_line(data: Screen) -> None:
    data.paste('{"query": "q",\n "candidates": oops}')
    assert "pasted text, line 2: This is not JSON" in data.says


def test_rows_set_aside_are_listed_with_row_and_reason(data: Screen) -> None:
    rows = [
        {"id": "a", "text": "fine", "score": 0.9},
        {"id": "b", "text": "bad score", "score": float("nan")},
        {"id": "a", "text": "an id again", "score": 0.7},
        {"id": "d", "text": "fine too", "score": 0.6},
    ]
    data.upload("rows.json", json.dumps(rows).encode())
    assert "2 of 4 rows" in data.says
    assert "2 rows set aside" in data.says
    table = data.app.dataframe[0].value
    assert list(table.columns) == ["row", "id", "reason"]  # JSON's rows stand on no line
    assert table["row"].tolist() == [2, 3]
    assert table["reason"].tolist() == ["The score is NaN.", "The id is already that of row 1."]
    data.page("inspect")
    assert "2 rows set aside" in data.says


def test_another_source_field_reads_the_pool_anew(
    data: Screen, pool_file: Callable[..., bytes]
) -> None:
    rows = json.loads(pool_file())
    for number, row in enumerate(rows["candidates"]):
        row["team"] = f"team {number}"
    data.upload("teams.json", json.dumps(rows).encode())
    data.choose("Field that says what", "team")
    assert data.named("selectbox", "Field that says what").value == "team"
    data.page("inspect")
    assert "4 sources by team" in data.says
    assert {card.source for card in data.columns[0].cards} == {f"team {n}" for n in range(4)}
    data.page("data")
    assert data.named("selectbox", "Field that says what").value == "team"


def test_a_fresh_file_is_not_read_by_the_field_chosen_for_another(
    data: Screen, pool_file: Callable[..., bytes]
) -> None:
    with_team = json.loads(pool_file())
    for row in with_team["candidates"]:
        row["team"] = "one team"
    data.upload("same name.json", json.dumps(with_team).encode())
    data.choose("Field that says what", "team")
    data.upload("same name.json", pool_file())
    assert "4 of 4 rows" in data.says
    assert "could not be read" not in data.says


def test_many_questions_make_a_table_and_previous_and_next(data: Screen) -> None:
    data.upload("many.jsonl", two_questions())
    table = data.app.dataframe[0].value
    assert table["question"].tolist() == [f"Question number {n}?" for n in (1, 2, 3)]
    assert table["candidates"].tolist() == [2, 3, 4]
    assert "Question 1 of 3" in data.says
    assert data.named("button", "Previous").disabled
    data.press("Next").page("inspect")
    assert "Question number 2?" in data.says
    assert data.app.query_params["question"] == "2"
    data.press("Next")
    assert "Question 3 of 3" in data.says
    assert data.named("button", "Next").disabled
    assert "4 candidates" in data.says
    data.press("Previous").press("Previous")
    assert "Question number 1?" in data.says
    assert "question" not in data.app.query_params


def test_a_source_field_that_another_question_lacks_is_no_dead_end(data: Screen) -> None:
    lines = two_questions().splitlines()
    bare = json.loads(lines[1])
    for row in bare["candidates"]:
        del row["team"]
    lines[1] = json.dumps(bare).encode()
    data.upload("some.jsonl", b"\n".join(lines))
    data.choose("Field that says what", "team").press("Next")
    assert "could not be read" not in data.says
    assert "3 of 3 rows" in data.says
    data.press("Next")
    assert data.named("selectbox", "Field that says what").value == "team"


def test_one_bad_question_hides_no_other(data: Screen) -> None:
    lines = two_questions().splitlines()
    lines[0] = json.dumps(
        {"query_id": "q1", "query": "Question number 1?", "candidates": [{"id": "a", "score": 1}]}
    ).encode()
    lines[0] = lines[0].replace(b'"score": 1', b'"text": "x", "vector": "[0.1 0.2 ... 0.9]"')
    data.upload("first bad.jsonl", b"\n".join(lines))
    assert "Question 2 of 3" in data.says
    assert "3 of 3 rows" in data.says
    data.press("Previous")
    assert "lost on export" in data.says
    assert len(data.app.dataframe[0].value) == 3
    assert "lost on export" in data.page("inspect").says
    assert data.press("Next").columns[0].ranks == [1, 2, 3]


def test_the_format_chosen_by_hand_wins(data: Screen, pool_file: Callable[..., bytes]) -> None:
    data.choose("Format", "jsonl").upload("pool.json", pool_file())
    assert "JSON Lines: chosen by hand" in data.says
    data.choose("Format", None)
    assert "chosen by hand" not in data.says
    assert "4 of 4 rows" in data.says


def test_vectors_in_a_file_of_their_own(data: Screen, pool_file: Callable[..., bytes]) -> None:
    import io

    beside = io.BytesIO()
    np.save(beside, np.eye(4, 6))
    data.upload("vectors.npy", beside.getvalue(), where="Vectors of the candidates")
    assert "without the pool" in data.says
    data.upload("pool.json", pool_file(vectors=False))
    assert "6 dimensions" in data.says
    assert "could not be read" not in data.says


def test_vectors_of_another_length_are_refused_and_the_pool_stays(
    data: Screen, pool_file: Callable[..., bytes]
) -> None:
    import io

    beside = io.BytesIO()
    np.save(beside, np.eye(3, 6))
    data.upload("vectors.npy", beside.getvalue(), where="Vectors of the candidates")
    data.upload("pool.json", pool_file(vectors=False))
    assert "could not be read" in data.says
    assert "54 of 54 rows" in data.says


def test_the_report_says_what_was_found(data: Screen) -> None:
    for told in (
        "Question",
        "cosine, higher is better",
        "384 dimensions; 0 missing, 0 zero",
        "with a query vector",
        "6; 54 of 54 candidates judged",
        "Source identity",
    ):
        assert told in data.says


def crowded_last(number: int = 3, *, vectors: bool = False) -> bytes:
    """Write questions of five passages, each more crowded than the one before."""
    lines = []
    for place in range(number):
        labels = ["a.md"] * min(place + 1, 5) + ["b.md", "c.md", "d.md", "e.md"]
        rows: list[dict[str, object]] = [
            {"id": f"{place}-{rank}", "text": f"text {rank}", "source": labels[rank]}
            for rank in range(5)
        ]
        for rank, row in enumerate(rows if vectors else []):
            row["vector"] = [float(rank == other) for other in range(5)]
        lines.append({"query_id": f"q{place}", "query": f"Matter {place}?", "candidates": rows})
    return "\n".join(json.dumps(line) for line in lines).encode()


def click(screen: Screen, row: int) -> Screen:
    """Choose a row of the table of questions."""
    states = screen.app._tree.get_widget_states()  # AppTest has no click on a table
    chosen = states.widgets.add()
    chosen.id = screen.app.dataframe[0].proto.id
    chosen.string_value = json.dumps({"selection": {"rows": [row], "columns": [], "cells": []}})
    screen.app._run(states)
    assert not screen.app.exception
    return screen


def test_the_most_crowded_question_comes_first_and_a_click_opens_it(data: Screen) -> None:
    data.upload("many.jsonl", crowded_last())
    table = data.app.dataframe[0].value
    assert table["question"].tolist() == ["Matter 2?", "Matter 1?", "Matter 0?"]
    assert table["largest share"].tolist() == pytest.approx([0.6, 0.4, 0.2])
    assert table["sources"].tolist() == [3, 4, 5]
    assert not {"near copies", "pairwise cosine"} & set(table.columns)  # they need vectors
    assert data.app.dataframe[0].proto.placeholder == "-"
    click(data, 0)
    assert "Question 3 of 3" in data.says


def test_figures_that_need_vectors(data: Screen) -> None:
    data.upload("many.jsonl", crowded_last(vectors=True))
    table = data.app.dataframe[0].value
    assert table["pairwise cosine"].tolist() == [0, 0, 0]
    assert table["near copies"].tolist() == [0, 0, 0]


def test_ten_thousand_questions(data: Screen) -> None:
    data.upload("many.jsonl", crowded_last(10_000))
    assert "10,000 questions, the most crowded first" in data.says
    table = data.app.dataframe[0].value
    assert len(table) == 10_000
    assert sorted(table["number"]) == list(range(1, 10_001))
    told = table["largest share"].dropna().tolist()
    assert told == sorted(told, reverse=True)
    assert table["largest share"].notna().tolist() == sorted(
        table["largest share"].notna(), reverse=True
    )
    last = table.iloc[-1]["number"]
    click(data, 9_999)
    assert f"Question {last:,} of 10,000" in data.says
    assert f"Matter {last - 1}?" in data.says


def test_a_question_that_cannot_be_read_is_in_the_table_with_its_reason(data: Screen) -> None:
    lines = crowded_last().splitlines()
    lines[1] = lines[1].replace(b'"source": "a.md"', b'"vector": "[0.1 0.2 ... 0.9]"')
    data.upload("many.jsonl", b"\n".join(lines))
    table = data.app.dataframe[0].value
    assert table["question"].tolist() == ["Matter 2?", "Matter 0?", "Matter 1?"]
    assert table["problem"].tolist()[:2] == ["", ""]
    assert "lost on export" in table["problem"].tolist()[2]


RUN = b"q1 Q0 a 1 0.9 t\nq1 Q0 b 2 0.8 t\nq2 Q0 b 1 0.7 t\nq2 Q0 a 2 0.6 t\n"
CORPUS = b'{"_id": "a", "text": "first text"}\n{"_id": "b", "text": "second text"}\n'


def test_a_run_asks_for_the_corpus_and_takes_it_beside(data: Screen) -> None:
    data.upload("run.trec", RUN)
    assert "Give beside it the corpus" in data.says
    before = data.app.session_state[state.SLOT].digest
    data.upload("corpus.jsonl", CORPUS, where="The corpus")
    assert "2 of 2 rows were joined by id with corpus.jsonl." in data.says
    assert data.app.session_state[state.SLOT].digest != before
    data.upload("queries.tsv", b"_id\ttext\nq1\tWhich one?\n", where="Texts of the questions")
    assert "Which one?" in data.app.dataframe[0].value["question"].tolist()
    data.upload("qrels.txt", b"q1 0 a 1\nq1 0 b 0\n", where="Judgements")
    assert "1; 2 of 2 candidates judged" in data.says
    data.page("inspect")
    assert {card.text for card in data.columns[0].cards} == {"first text", "second text"}


def test_a_reranker_s_results_take_the_pool_before_them(
    data: Screen, pool_file: Callable[..., bytes]
) -> None:
    results = [{"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.4}]
    data.upload("ranked.json", json.dumps({"results": results}).encode())
    assert "Give beside it the pool before the reranker" in data.says
    data.upload("before.json", pool_file(), where="The pool before the reranker")
    assert "could not be read" not in data.says
    data.page("inspect")
    assert [card.text for card in data.columns[0].cards] == ["gamma", "alpha"]


def test_a_corpus_that_does_not_fit_is_refused_and_the_pool_stays(data: Screen) -> None:
    data.upload("run.trec", RUN)
    before = data.app.session_state[state.SLOT].digest
    data.upload("corpus.json", b'{"x": "a text", "y": "another"}', where="The corpus")
    assert "None of 2 ids is in the corpus" in data.says
    assert "The pool loaded before is still here, unchanged." in data.says
    assert data.app.session_state[state.SLOT].digest == before


def test_a_file_beside_is_read_with_what_was_pasted(data: Screen) -> None:
    data.paste(RUN.decode())
    assert "Give beside it the corpus" in data.says
    data.upload("corpus.jsonl", CORPUS, where="The corpus")
    assert "2 of 2 rows were joined by id with corpus.jsonl." in data.says
    assert "pasted text" in data.says


def chunked() -> bytes:
    labels = ["docs/a.md#chunk-1", "./docs/a.md#chunk-2", "docs/a.md#chunk-3", "docs/b.md#chunk-1"]
    rows = [
        {"id": f"p{rank}", "text": f"text {rank}", "source": label, "score": 0.9 - rank / 10}
        for rank, label in enumerate(labels)
    ]
    return json.dumps({"query": "Which?", "candidates": rows}).encode()


def test_merging_is_shown_before_it_is_applied_and_said_afterwards(data: Screen) -> None:
    data.upload("chunked.json", chunked())
    assert "Every row is its own source" in data.says
    assert data.named("button", "Merge nothing").disabled
    data.named("checkbox", "Part numbers: 4 → 3").check()
    data.run()
    assert "4 sources would become 3." in data.says
    assert "docs/a.md#chunk-1, docs/a.md#chunk-3 → docs/a.md: 2 candidates" in data.says
    assert "Every row is its own source" in data.says
    data.named("checkbox", "Ways to write a path: joins nothing here").check()
    data.run()
    assert "4 sources would become 2." in data.says
    became = "docs/a.md#chunk-1, ./docs/a.md#chunk-2, docs/a.md#chunk-3 → docs/a.md: 3 candidates"
    assert became in data.says
    before = data.app.session_state[state.SLOT]
    assert before.merges == ()
    data.press("Apply")
    assert "Merged by part numbers, ways to write a path: 4 labels, 2 sources." in data.says
    assert "Every row is its own source" not in data.says
    assert data.named("button", "Apply").disabled
    data.page("inspect")
    assert "· 2 sources, 4 before merging by part numbers, ways to write a path" in data.says
    assert {card.source for card in data.columns[0].cards} == {"docs/a.md", "docs/b.md"}


def test_merging_is_taken_back_and_a_fresh_file_is_not_merged(data: Screen) -> None:
    data.upload("chunked.json", chunked())
    data.named("checkbox", "Part numbers").check()
    data.run().press("Apply")
    data.named("checkbox", "Part numbers").uncheck()
    data.run().press("Merge nothing")
    assert "Every row is its own source" in data.says
    data.named("checkbox", "Part numbers").check()
    data.run().press("Apply").upload("other.json", chunked().replace(b"Which?", b"What?"))
    assert "Every row is its own source" in data.says
    assert not data.named("checkbox", "Part numbers").value


def test_merging_holds_for_the_whole_table(data: Screen) -> None:
    lines = crowded_last().replace(b'"source": "b.md"', b'"source": "a.md#chunk-9"')
    data.upload("many.jsonl", lines)
    assert data.app.dataframe[0].value["largest share"].tolist() == pytest.approx([0.6, 0.4, 0.2])
    data.named("checkbox", "Part numbers").check()
    data.run().press("Apply")
    assert data.app.dataframe[0].value["largest share"].tolist() == pytest.approx([0.8, 0.6, 0.4])
