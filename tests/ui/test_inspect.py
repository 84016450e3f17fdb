"""Inspect, as a person reads it: three columns, their numbers, the strip and the map."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poolscope import selection

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

SMALL = {"cause": "The cause", "fix": "The fix"}


@pytest.fixture
def monograph(open_app: Callable[..., Screen]) -> Screen:
    return open_app()


def test_the_monograph_opens_first_with_three_columns(monograph: Screen) -> None:
    assert [column.title for column in monograph.columns] == ["○ Top-k", "◇ Capped", "□ MMR"]
    assert [column.setting for column in monograph.columns] == [
        "the baseline",
        "cap 2 per source",
        "lambda 0.6",
    ]
    assert "Product monograph" in monograph.says
    assert "54 candidates · 21 sources by section · 384-d vectors · score: cosine" in monograph.says
    assert "6 facets, 54 of 54 judged" in monograph.says


def test_a_card_names_slot_source_rank_score_text_and_facets(monograph: Screen) -> None:
    top = monograph.columns[0]
    assert [card.slot for card in top.cards] == [1, 2, 3, 4, 5]
    assert top.ranks == [1, 2, 3, 4, 5]
    assert {card.source for card in top.cards} == {"4.8 Undesirable effects"}
    first = top.cards[0]
    assert first.score.startswith("0.")
    assert len(first.text) > 100
    assert any(card.facets for card in top.cards)


def test_kept_entered_and_left_are_said_in_words(monograph: Screen) -> None:
    top, *others = monograph.columns
    for column in others:
        for card in column.cards:
            assert card.state == ("kept" if card.rank in top.ranks else "entered")
        gone = sorted(set(top.ranks) - set(column.ranks))
        assert [line.partition(":")[0] for line in column.left] == [f"rank {r} left" for r in gone]
        said_once = " ".join(column.notes).count(" left: ")
        assert all(said_once or len(line.partition(":")[2]) > 10 for line in column.left)
    for card in top.cards:
        losers = [c.title[2:] for c in others if card.rank not in c.ranks]
        whole = "both" if len(losers) == len(others) else " and ".join(losers)
        assert card.state == (f"left by {whole}" if losers else "kept")


def test_numbers_stand_with_signed_differences_to_top_k(monograph: Screen) -> None:
    top, capped, mmr = monograph.columns
    assert top.coverage == "2 of 6"
    assert mmr.coverage == "5 of 6"
    assert {change for _, change in top.numbers.values()} == {""}
    for column in (capped, mmr):
        for label, (value, change) in column.numbers.items():
            base = top.numbers[label][0]
            if label == "Facet coverage":
                difference = int(value.split()[0]) - int(base.split()[0])
                assert change == ("same" if difference == 0 else f"+{difference}")
                continue
            after, before = float(value.replace(",", "")), float(base.replace(",", ""))
            expected = "same" if after == before else "+" if after > before else "−"  # noqa: RUF001
            # Values are rounded one by one: only the sign of a clear difference is certain.
            if abs(after - before) > 0.005:
                assert change.startswith(expected)


def verdict(screen: Screen) -> str:
    """The verdict as it is read."""
    boxes = [part for block in screen.elements for part in block.findall("div[@role='note']")]
    return " ".join("".join(boxes[0].itertext()).split())


def test_the_verdict_stands_on_top_in_whole_sentences(monograph: Screen) -> None:
    said = verdict(monograph)
    assert "4.8 Undesirable effects" in said
    assert "5 of" in said
    assert said.endswith(
        "try MMR at lambda 0.6. Coverage 2 → 5 of 6, mean relevance 0.777 → 0.649."
    )


def test_a_healthy_pool_is_left_alone(open_app: Callable[..., Screen]) -> None:
    said = verdict(open_app(sample="healthy"))
    assert "Leave" in said


def test_moving_lambda_changes_coverage_and_one_equals_top_k(monograph: Screen) -> None:
    at_end = monograph.slide("Lambda", 1.0)
    assert at_end.columns[2].ranks == at_end.columns[0].ranks
    assert at_end.columns[2].coverage == "2 of 6"
    assert {change for _, change in at_end.columns[2].numbers.values()} == {"same"}
    assert at_end.columns[2].left == ()
    lower = monograph.slide("Lambda", 0.3)
    assert lower.columns[2].setting == "lambda 0.3"
    assert lower.columns[2].coverage != "2 of 6"


def test_k_cap_and_depth_move_the_columns(monograph: Screen) -> None:
    monograph.slide("k in context", 3)
    assert [len(column.cards) for column in monograph.columns] == [3, 3, 3]
    monograph.slide("Cap per value", 1)
    assert len({card.source for card in monograph.columns[1].cards}) == 3
    monograph.slide("Pool depth", 4)
    assert max(rank for column in monograph.columns for rank in column.ranks) <= 4
    assert "beyond the pool depth is faded" in monograph.says


def test_depth_below_k_says_that_slots_stay_empty(monograph: Screen) -> None:
    monograph.slide("Pool depth", 2)
    assert [len(column.cards) for column in monograph.columns] == [2, 2, 2]
    for column in monograph.columns:
        assert "3 of 5 slots stayed empty" in " ".join(column.notes)


def test_a_reason_beyond_the_depth_or_cap_is_worded(open_app: Callable[..., Screen]) -> None:
    screen = open_app(sample="deploy-guide-8")
    capped = screen.columns[1]
    assert capped.left
    said = [*capped.left, *capped.notes]
    assert any("guide" in line or "slots" in line for line in said)
    mmr = screen.columns[2]
    assert mmr.cards == ()
    assert "Nothing is selected." in mmr.notes
    assert mmr.left == tuple(f"rank {rank} left" for rank in screen.columns[0].ranks)
    assert "All 5 left: it has no vector, and this rule weighs similarity." in mmr.notes


def test_the_map_shows_every_candidate_the_question_and_the_picks(monograph: Screen) -> None:
    (figure,) = monograph.figures
    ids = [name for trace in figure["data"] for name in trace.get("customdata", ())]
    assert len(ids) == len(set(ids)) == 54
    names = [trace["name"] for trace in figure["data"]]
    assert names[-4:] == ["Top-k", "Capped", "MMR", "question"]
    assert "4.8 Undesirable effects" in names
    assert "of 54 candidates, coloured by source" in monograph.says


def test_without_vectors_the_map_says_so_and_nothing_else(open_app: Callable[..., Screen]) -> None:
    screen = open_app(sample="deploy-guide-8")
    assert screen.figures == []
    assert "The map needs vectors, and this pool has none." in screen.says


def test_the_other_selectors_can_be_put_into_the_columns(monograph: Screen) -> None:
    monograph.choose("Column 2", "two_pass_cap").choose("Column 3", "mmr_cap")
    assert [column.title for column in monograph.columns] == [
        "○ Top-k",
        f"◇ {selection.named('two_pass_cap').label}",
        "□ MMR with a cap",
    ]
    assert monograph.columns[1].setting == "cap 2 per source"
    assert monograph.columns[2].setting == "lambda 0.6, cap 2 per source"


def test_the_cap_counts_by_another_key_and_cards_and_strip_follow(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app(sample="agent-memory")
    before = screen.columns[1].ranks
    screen.choose("Cap's key", "category").slide("Cap per value", 1)
    assert screen.columns[1].setting == "cap 1 per category"
    assert screen.columns[1].ranks != before
    assert len({card.source for card in screen.columns[1].cards}) == 5
    assert "coloured by category" in screen.says


def test_one_source_in_the_legend_has_the_colour_of_its_card(monograph: Screen) -> None:
    colours = monograph.colours()
    assert len(set(colours.values())) == len(colours)
    card = next(part for block in monograph.elements for part in block.iter("article"))
    assert card.get("style") == f"--source:{colours['4.8 Undesirable effects']}"


def test_a_pool_without_source_is_not_called_crowded(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    screen = open_app("data")
    screen.upload("bare.json", pool_file(sources=(None,) * 4, vectors=False)).page("inspect")
    assert "0 sources by" not in screen.says
    assert "no sources" in screen.says


@pytest.mark.parametrize("case", ["bare", "unmarked", "one", "none"])
def test_the_verdict_on_a_poor_pool_reads_as_sentences(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes], case: str
) -> None:
    data = {
        "bare": pool_file(sources=(None,) * 4, vectors=False),
        "unmarked": pool_file().replace(b'"query": ', b'"facets": {"a": "One"}, "query": ', 1),
        "one": pool_file(("alone",)),
        "none": b'{"query": "q", "candidates": []}',
    }[case]
    said = verdict(open_app("data").upload(f"{case}.json", data).page("inspect"))
    assert said.endswith(".")
    assert not any(wrong in said for wrong in ("..", " .", "nan", "1 candidates", "1 passages"))


def test_one_candidate_makes_a_sensible_page(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    screen = open_app("data").upload("one.json", pool_file(("alone",))).page("inspect")
    assert [column.ranks for column in screen.columns] == [[1], [1], [1]]
    assert "1 candidate · 1 source" in screen.says


def test_the_large_charts_stand_below_the_live_board_even_of_one_rule_twice(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app().choose("Column 2", "mmr")
    screen.named("toggle", "Plain sliders").set_value(False)
    screen.run()
    assert screen.columns == []
    screen.named("toggle", "Large map").set_value(True)
    screen.run()
    assert len(screen.figures) == 3
    assert screen.says.count("MMR (lambda 0.6)") == 2
