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


def test_a_chosen_row_of_the_table_is_looked_at_and_next_still_works(data: Screen) -> None:
    data.upload("many.jsonl", two_questions())
    digest = data.app.session_state[state.SLOT].digest
    table = data.app.dataframe[0]
    assert table.proto.id.endswith(state.key(state.Key.QUESTION, digest))
