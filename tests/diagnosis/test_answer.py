"""An answer against the checkout sample and small contexts: uses, facets, stages, the finding."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from poolscope.diagnosis.answer import (
    AnswerReport,
    Basis,
    Grade,
    Numbering,
    Stage,
    Use,
    examine,
    ignored,
    sentences,
)
from poolscope.diagnosis.base import Kind
from poolscope.model import Facet, Policy, Pool, Selection
from poolscope.selection import select

MakePool = Callable[..., Pool]
Sample = Callable[[str], Pool]

DIVERSE = Policy(selector="mmr", lambda_=0.9)  # ranks 1, 9, 14, 2, 3: all three causes


def stages(report: AnswerReport) -> list[Stage]:
    return [state.stage for state in report.facets]


def grades(report: AnswerReport) -> list[Grade]:
    return [state.evidence.grade for state in report.facets]


def test_a_cited_answer_uses_what_it_cites(sample: Sample) -> None:
    selection = select(sample("checkout"), DIVERSE)
    report = examine(selection, "All connections were busy [1]. Retries held the workers [2].")
    assert [(use.index, use.by, use.share) for use in report.uses] == [
        (0, Basis.CITATION, 0.5),
        (8, Basis.CITATION, 0.5),
    ]
    assert stages(report) == [Stage.USED, Stage.USED, Stage.IGNORED]
    assert report.unused == (13, 1, 2)
    assert report.unknown == ()
    assert report.coverage == pytest.approx(2 / 3)
    assert grades(report) == [Grade.CITED_AND_WORDED, Grade.CITED_AND_WORDED, Grade.NONE]
    assert report.verdict == (
        "Of 3 facets the answer makes 2 (cited with matching wording). Lost in retrieval: 0; in "
        "selection: 0; in generation: 1."
    )


def test_an_uncited_answer_is_read_by_its_wording(sample: Sample) -> None:
    pool = sample("checkout")
    selection = select(pool, DIVERSE)
    answer = (
        "In short, our adapter treats anything over 5 s as lost and tries again. "
        "Apart from that, a new node has an empty TLS session cache."
    )
    report = examine(selection, answer)
    assert [(use.index, use.by, use.share) for use in report.uses] == [
        (8, Basis.WORDING, 0.5),
        (13, Basis.WORDING, 0.5),
    ]
    assert report.uses[0].shared == (
        "our adapter treats anything over 5 s as lost and tries again",
    )
    assert stages(report) == [Stage.UNTOLD, Stage.USED, Stage.USED]
    assert grades(report) == [Grade.NONE, Grade.WORDED, Grade.WORDED]
    assert report.verdict == (
        "Of 3 facets the answer makes 2 (by wording only). Lost in retrieval: 0; in selection: 0; "
        "in generation: 0. Of 1 in the context its wording shows no sign."
    )


def test_a_sentence_without_a_citation_in_a_cited_answer_is_read_by_its_wording(
    sample: Sample,
) -> None:
    selection = select(sample("checkout"), DIVERSE)
    answer = "Connections ran out [1]. A new node has an empty TLS session cache."
    bases = {use.index: use.by for use in examine(selection, answer).uses}
    assert bases == {0: Basis.CITATION, 13: Basis.WORDING}


def test_a_cited_sentence_is_not_read_by_its_wording_too(sample: Sample) -> None:
    selection = select(sample("checkout"), DIVERSE)
    report = examine(selection, "A new node has an empty TLS session cache [1].")
    assert [use.index for use in report.uses] == [0]


def test_what_was_lost_before_generation_is_told_apart(make_pool: MakePool) -> None:
    facets = tuple(Facet(name, f"facet {name}") for name in "abcd")
    marks = np.zeros((5, 4), dtype=np.int8)
    marks[0, 0] = marks[2, 1] = marks[4, 2] = 1
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.6, 0.5], facets=facets, judgements=marks)
    report = examine(select(pool, Policy(k=2, depth=4)), "It is so [1].")
    assert stages(report) == [
        Stage.POSSIBLE,
        Stage.CROWDED_OUT,
        Stage.BELOW_DEPTH,
        Stage.NOT_RETRIEVED,
    ]
    assert [state.nearest for state in report.facets] == [0, 2, 4, None]
    assert report.verdict == (
        "Of 4 facets the answer makes 0. 1 more is possible, by signs that are no proof. Lost "
        "in retrieval: 1; in selection: 2 (1 below the pool depth); in generation: 0."
    )
    assert ignored(report) is None


def test_a_persons_marks_override_what_was_found(sample: Sample) -> None:
    pool = sample("checkout")
    first, second, third = (facet.id for facet in pool.facets)
    selection = select(pool, Policy())  # only the first cause
    marks = {first: False, second: True, "no such facet": True}
    report = examine(selection, "Connections ran out [1].", marks)
    assert stages(report) == [Stage.IGNORED, Stage.CROWDED_OUT, Stage.CROWDED_OUT]
    assert [state.is_made for state in report.facets] == [False, True, False]
    assert [state.is_marked for state in report.facets] == [True, True, False]
    assert report.facets[0].used == (0,)
    assert report.coverage == pytest.approx(1 / 3)
    assert report.verdict == (
        "Of 3 facets the answer makes 1 (marked by you). Lost in retrieval: 0; in selection: 1; "
        "in generation: 1. It makes 1 that no passage of its context supports."
    )
    made = examine(selection, "It is the pool.", {first: True})
    assert made.facets[0].stage is Stage.USED
    assert made.facets[0].used == ()
    assert third not in {s.facet.id for s in made.facets if s.is_marked}


def test_a_source_label_means_the_passage_whose_wording_is_shared(make_pool: MakePool) -> None:
    texts = (
        "Deploys flush the edge cache before the health check runs.",
        "Roll back by pinning the previous image digest.",
        "Ask the release manager on call.",
    )
    pool = make_pool(scores=[0.9, 0.8, 0.7], sources=["guide", "guide", "guide"], texts=texts)
    selection = select(pool, Policy(k=3))
    report = examine(selection, "Pin the previous image digest to roll back [guide].")
    assert [use.index for use in report.uses] == [1]
    assert len(report.citations) == 3
    unclear = examine(selection, "Everything is explained elsewhere [guide].")
    assert [use.index for use in unclear.uses] == [0, 1, 2]


def test_a_list_of_sources_at_the_end_is_use_of_no_single_sentence(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8], sources=["guide", "runbook"])
    report = examine(select(pool, Policy(k=2)), "It is so.\n\nSources: runbook")
    assert report.uses == (Use(1, Basis.CITATION, 0.0, ()),)


def test_a_citation_belongs_to_the_sentence_before_it(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7])
    selection = select(pool, Policy(k=3))
    shares = [use.share for use in examine(selection, "It is so. [1] It is not. [2]\n[3]").uses]
    assert shares == [0.5, 0.5, 0.5]
    first = examine(selection, "[1] says so. Nothing else does.")
    assert [use.share for use in first.uses] == [0.5]


def test_unknown_citations_are_reported(sample: Sample) -> None:
    selection = select(sample("checkout"), Policy())
    report = examine(selection, "So it was [9], and so [inc-1981], and so [1].")
    assert [(c.text, c.index) for c in report.unknown] == [("9", None), ("inc-1981", 8)]
    assert [use.index for use in report.uses] == [0]


def test_an_answer_that_ignores_its_context_is_found(sample: Sample) -> None:
    selection = select(sample("checkout"), DIVERSE)
    finding = ignored(examine(selection, "Connections ran out [1]."))
    assert finding is not None
    assert finding.kind is Kind.IGNORED
    assert finding.is_alarm
    assert finding.step is None
    assert finding.sentence.startswith(
        "By citation and by wording the answer shows no sign of 2 of the 3 facets"
    )
    assert "Retries to the payment provider" in finding.sentence
    assert "is supported by passage 2 of the 5 in the context." in finding.evidence[0]
    assert finding.evidence[-1] == (
        "The answer uses 1 of 5 passages: 1 known by citation, 0 by wording."
    )
    assert "the selection has what is missing" in finding.remedy


def test_by_wording_alone_it_is_a_remark_and_by_a_mark_an_alarm(sample: Sample) -> None:
    pool = sample("checkout")
    selection = select(pool, DIVERSE)
    answer = "In short, everything was busy and slow."
    remark = ignored(examine(selection, answer))
    assert remark is not None
    assert not remark.is_alarm
    assert "rests on wording only" in remark.sentence
    assert "shows no sign of 3 of the 3 facets" in remark.sentence
    assert "Mark the facets" in remark.remedy
    alarm = ignored(examine(selection, answer, {pool.facets[1].id: False}))
    assert alarm is not None
    assert alarm.is_alarm
    assert alarm.sentence.startswith("As you marked it, the answer leaves out 1 of the 3 facets")


@pytest.fixture
def interactions(make_pool: MakePool) -> Selection:
    """Passage 1 supports three facets at once, passage 2 the first of them alone."""
    facets = (
        Facet("azole", "Azole antifungals: level rises"),
        Facet("inducer", "Rifampicin or St John's wort: level falls"),
        Facet("warfarin", "Warfarin acts more strongly"),
    )
    texts = (
        "Ketoconazole and other azoles raise exposure fourfold. Herbal products with St John's "
        "wort make the tablets work less well. A blood thinner such as warfarin may act more "
        "strongly, and your clotting test will be repeated in the first two weeks.",
        "Posaconazole tablets must not be combined with the drug in any patient group.",
    )
    marks = np.array([[1, 1, 1], [1, 0, 0]], dtype=np.int8)
    pool = make_pool(scores=[0.9, 0.8], texts=texts, facets=facets, judgements=marks)
    return select(pool, Policy(k=2))


CITED, OTHER, MATCHED = Grade.CITED, Grade.CITED_FOR_ANOTHER, Grade.CITED_AND_WORDED
NONE, LABELLED = Grade.NONE, Grade.LABELLED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Warfarin acts more strongly [1].", [OTHER, OTHER, MATCHED]),
        ("With St John's wort the level falls [1].", [OTHER, MATCHED, OTHER]),
        # The label's words stand in the part of the passage that the sentence is taken from.
        ("The clotting test is repeated in the first weeks [1].", [OTHER, OTHER, MATCHED]),
        ("Take care with other medicines [1].", [CITED, CITED, CITED]),
        ("Sources: 1", [CITED, CITED, CITED]),
        # A passage that supports one facet: its own wording will do, a bare citation will not.
        ("Posaconazole must not be combined in any patient group [2].", [MATCHED, NONE, NONE]),
        ("Ask somebody [2].", [CITED, NONE, NONE]),
        # One sentence, two citations: each closes its own part.
        ("Warfarin acts strongly [1], azole antifungals too [2].", [MATCHED, OTHER, MATCHED]),
        # The label's words under a citation of a passage that does not support it.
        ("Warfarin acts more strongly [2].", [OTHER, NONE, LABELLED]),
        ("With rifampicin it falls.", [NONE, LABELLED, NONE]),
    ],
)
def test_a_citation_credits_the_facet_that_its_sentence_points_to(
    interactions: Selection, text: str, expected: list[Grade]
) -> None:
    report = examine(interactions, text)
    assert grades(report) == expected
    made = [state.stage is Stage.USED for state in report.facets]
    assert made == [grade is MATCHED for grade in expected] == [s.is_made for s in report.facets]
    assert report.coverage == pytest.approx(sum(made) / 3)


def test_wording_of_a_passage_with_several_facets_is_possible_use(interactions: Selection) -> None:
    report = examine(interactions, "Herbal products make the tablets work less well, I read.")
    assert grades(report) == [
        Grade.WORDED_AMONG_OTHERS,
        Grade.WORDED,
        Grade.WORDED_AMONG_OTHERS,
    ]
    assert stages(report) == [Stage.POSSIBLE, Stage.USED, Stage.POSSIBLE]
    assert report.facets[1].evidence.sentence.startswith("Herbal products make")


def test_evidence_shows_its_sentence_without_the_citation(interactions: Selection) -> None:
    report = examine(interactions, "All is well. Warfarin acts more strongly [1].")
    assert report.facets[2].evidence.sentence == "Warfarin acts more strongly."
    assert report.facets[2].evidence.index == 0


def test_a_mark_outranks_every_other_evidence(interactions: Selection) -> None:
    report = examine(interactions, "Warfarin acts more strongly [1].", {"warfarin": False})
    assert grades(report)[2] is Grade.MARKED
    assert report.facets[2].stage is Stage.IGNORED


def test_the_numbering_said_by_a_person_is_taken(sample: Sample) -> None:
    selection = select(sample("checkout"), DIVERSE)
    text = "Connections ran out [1]."
    assert [use.index for use in examine(selection, text).uses] == [0]
    zero = examine(selection, text, numbering=Numbering.FROM_ZERO)
    assert [use.index for use in zero.uses] == [8]
    assert zero.found.from_zero


def test_an_answer_that_makes_everything_has_no_finding(sample: Sample) -> None:
    selection = select(sample("checkout"), DIVERSE)
    report = examine(selection, "Connections [1], retries [2], caches [3].")
    assert ignored(report) is None
    assert report.coverage == 1.0


@pytest.mark.parametrize("text", ["", "  \n "])
def test_no_answer_is_no_finding(sample: Sample, text: str) -> None:
    report = examine(select(sample("checkout"), DIVERSE), text)
    assert report.uses == ()
    assert ignored(report) is None


def test_without_facets_only_the_uses_are_told(make_pool: MakePool) -> None:
    report = examine(select(make_pool(scores=[0.9, 0.8]), Policy(k=2)), "It is so [2].")
    assert math.isnan(report.coverage)
    assert report.verdict.startswith("The answer uses 1 of 2 passages in its context;")
    assert ignored(report) is None


def test_an_empty_selection_is_no_crash(make_pool: MakePool) -> None:
    report = examine(select(make_pool(0), Policy()), "It is so [1]. And so.")
    assert (report.uses, report.unused) == ((), ())
    assert len(report.unknown) == 1


@pytest.mark.parametrize("name", ["monograph", "healthy", "single-source", "deploy-guide-8"])
def test_an_answer_of_one_sentence_from_each_passage_uses_them_all(
    sample: Sample, name: str
) -> None:
    selection = select(sample(name), Policy())
    texts = [selection.pool.texts[index] for index in selection.ordered]
    longest = [max((text[slice(*span)] for span in sentences(text)), key=len) for text in texts]
    report = examine(selection, " ".join(longest))
    assert {use.index for use in report.uses} == selection.members


@pytest.mark.parametrize("name", ["monograph", "healthy", "checkout", "deploy-guide-8"])
def test_sentences_of_passages_not_selected_are_seldom_taken_for_use(
    sample: Sample, name: str
) -> None:
    """Passages of other documents share the topic but hardly the wording."""
    selection = select(sample(name), Policy())
    pool = selection.pool
    inside = {pool.sources[index] for index in selection.ordered}
    others = [
        pool.texts[index]
        for index in range(len(pool))
        if index not in selection.members and pool.sources[index] not in inside
    ]
    if not others:
        pytest.skip("every source is selected")
    found = [bool(uses_by_sentence(selection, text)) for text in others]
    assert np.mean(found) < 0.2


def uses_by_sentence(selection: Selection, text: str) -> set[int]:
    return {use.index for use in examine(selection, text).uses}


def test_sentences_are_cut_at_their_ends() -> None:
    text = "One is here. Two of 3.5 is e.g. this!\n- Three\n\n終わり。次"
    assert [text[slice(*span)] for span in sentences(text)] == [
        "One is here.",
        "Two of 3.5 is e.g. this!",
        "- Three",
        "終わり。",
        "次",
    ]
    assert sentences("  . ") == ()
