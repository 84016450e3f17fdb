"""Healthy claims what was measured, and says in its sentence what could not be."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.diagnosis import Finding, Kind, Verdict, diagnose
from poolscope.model import SUPPORTS, Direction, Facet, Policy, Pool, ScoreKind

MakePool: TypeAlias = Callable[..., Pool]

N = 12
SCORES = [round(0.9 - 0.03 * rank, 3) for rank in range(N)]
TOPICS = (
    *("audit", "cache", "disk", "fence", "guard", "hash"),
    *("index", "join", "key", "lock", "merge", "node"),
)
APART = "nothing left out is both as relevant and different"
NOT_COMPARED = "whether passages say the same is not known without vectors"
ORDER = ScoreKind("unknown", Direction.ORDER, "drawn", is_cosine=False)


def sound(make_pool: MakePool, n: int = N, **rest: Any) -> Pool:  # noqa: ANN401
    parts = {
        "scores": SCORES[:n],
        "sources": [f"s{i % 7}" for i in range(n)],
        "texts": tuple(f"The {topic} of the {topic} is a {topic}" for topic in TOPICS[:n]),
        **rest,
    }
    return make_pool(n, **parts)


def apart(n: int = N) -> dict[str, Any]:
    """Vectors of passages that share nothing but the question."""
    scores = np.array(SCORES[:n])
    rows = np.hstack([scores[:, None], np.diag(np.sqrt(1.0 - scores**2))])
    return {"vectors": rows, "query_vector": np.eye(n + 1)[0]}


def verdict(pool: Pool, policy: Policy | None = None) -> Verdict:
    return diagnose(pool, policy or Policy())


def healthy(pool: Pool, policy: Policy | None = None) -> Finding:
    found = verdict(pool, policy).first
    assert found.kind is Kind.HEALTHY, found.sentence
    assert not found.is_alarm
    return found


def test_with_vectors_all_was_measured(make_pool: MakePool) -> None:
    found = healthy(sound(make_pool, **apart()))
    assert found.sentence == f"Healthy. 5 slots from 5 sources, and {APART}."
    assert found.remedy == "Leave it: plain relevance serves this question."


def test_without_vectors_it_says_what_is_not_known(make_pool: MakePool) -> None:
    found = healthy(sound(make_pool))
    assert found.sentence == (
        "Healthy. 5 slots from 5 sources: no source crowds out others that are as relevant, no "
        f"slot's worth of text stands there twice; {NOT_COMPARED}."
    )
    assert found.remedy == (
        "Leave it as far as that tells; vectors, or marked facets, would tell the rest."
    )


def test_vectors_that_some_lack_are_named_with_their_number(make_pool: MakePool) -> None:
    parts = apart()
    parts["vectors"][[4, 5, 6]] = 0.0
    found = healthy(sound(make_pool, has_vector=~np.isin(np.arange(N), [4, 5, 6]), **parts))
    assert NOT_COMPARED not in found.sentence
    assert "nothing left out that has a vector is both" in found.sentence
    assert "without one were not compared" in found.sentence


def test_without_sources_or_texts_nothing_is_said_of_them(make_pool: MakePool) -> None:
    found = healthy(sound(make_pool, sources=[None] * N))
    assert found.sentence.startswith("Healthy. 5 slots without a source: no slot's worth of text")
    assert "whether one document fills the slots is not known" in found.sentence
    assert "vectors and a source field, or marked facets," in found.remedy
    assert "of text" not in healthy(sound(make_pool, texts=("",) * N)).sentence


def test_an_order_alone_does_not_say_what_is_as_relevant(make_pool: MakePool) -> None:
    known = apart()
    pool = sound(make_pool, scores=None, vectors=known["vectors"])
    found = healthy(pool)
    assert APART not in found.sentence
    assert "not known from the order alone" in found.sentence


def test_facets_covered_as_well_as_can_be_are_measured_without_vectors(
    make_pool: MakePool,
) -> None:
    judgements = np.zeros((N, 1), dtype=np.int8)
    judgements[0] = SUPPORTS
    found = healthy(sound(make_pool, facets=(Facet("f", "why"),), judgements=judgements))
    assert found.sentence == (
        "Healthy. 5 slots from 5 sources cover 1 of 1 facet, as many as any could."
    )
    assert found.remedy == "Leave it: plain relevance serves this question."


def test_few_slots_are_not_called_free_of_crowding(make_pool: MakePool) -> None:
    found = healthy(sound(make_pool, **apart()), Policy(k=2))
    assert found.sentence == (
        "Healthy. 2 slots from 2 sources, too few to be crowded: 3 slots or more could be."
    )


@pytest.mark.parametrize("vectors", [True, False])
@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 3), (3, 5)])
def test_a_pool_that_is_all_in_the_context_is_too_shallow(
    make_pool: MakePool, n: int, k: int, *, vectors: bool
) -> None:
    found = verdict(sound(make_pool, n, **(apart(n) if vectors else {})), Policy(k=k)).first
    what = "Its only passage is" if n == 1 else "All its 3 passages are"
    assert found.kind is Kind.SHALLOW
    assert found.is_alarm
    assert found.sentence == (
        f"Pool too shallow. {what} in the context: nothing is left to choose."
    )


def test_a_depth_that_leaves_nothing_to_choose_is_said(make_pool: MakePool) -> None:
    found = healthy(sound(make_pool, **apart()), Policy(depth=5))
    assert "the depth of 5 leaves nothing else to choose" in found.sentence


def test_one_passage_that_is_nearly_all_of_the_context(make_pool: MakePool) -> None:
    tokens = [17, 17, 1_317_500, *[18] * (N - 3)]
    found = verdict(sound(make_pool, tokens=tokens)).first
    assert found.kind is Kind.ONE_PASSAGE
    assert not found.is_alarm
    assert found.sentence == (
        "Filled by one passage. Rank 3 has 1,317,500 of the context's 1,317,570 tokens, 99.9 %; "
        "the median passage of the pool has 18."
    )
    assert "cut that document" in found.remedy.lower()
    tame = sound(make_pool, tokens=[17, 17, 160, *[18] * (N - 3)])
    assert verdict(tame).first.kind is Kind.HEALTHY


def close(make_pool: MakePool, texts: tuple[str, ...], toward: float = 1.0) -> Verdict:
    """The verdict where the vector of rank 5 is nearly that of rank 4."""
    parts = apart()
    parts["vectors"][4] = toward * parts["vectors"][3] + 0.1 * parts["vectors"][4]
    return verdict(sound(make_pool, texts=texts, **parts))


def test_close_vectors_with_other_words_are_said_to_be_no_copies(make_pool: MakePool) -> None:
    texts = tuple(
        f"{topic} runs before {other} while {topic} waits for {other} at night"
        for topic, other in zip(TOPICS, reversed(TOPICS), strict=True)
    )
    found = close(make_pool, texts)
    assert found.first.kind is Kind.HEALTHY
    [remark] = [one for one in found.findings if one.kind is Kind.COPIES]
    assert not remark.is_alarm
    assert "By its vector 1 of 5 slots is near an earlier one" in remark.sentence
    assert remark.sentence.endswith("ranks 4 and 5 are the first pair) and not counted as a "
                                    "copy: their words differ.")  # fmt: skip
    assert "copies have 50% or more" in remark.evidence[0]


def test_close_vectors_without_texts_are_copies(make_pool: MakePool) -> None:
    found = close(make_pool, ("",) * N).first
    assert found.kind is Kind.COPIES
    assert found.is_alarm


def test_copies_that_are_no_alarm_are_said_all_the_same(make_pool: MakePool) -> None:
    n = 30
    texts = [" ".join(f"word{i}x{j}" for j in range(8)) for i in range(n)]
    texts[7] = texts[2]
    pool = make_pool(
        n,
        scores=np.linspace(0.9, 0.5, n),
        sources=[f"s{i}" for i in range(n)],
        texts=tuple(texts),
    )
    found = verdict(pool, Policy(k=20))
    remarks = [one for one in found.findings if one.kind is Kind.COPIES]
    assert [one.is_alarm for one in remarks] == [False]
    assert "ranks 3 and 8 are the first pair" in remarks[0].sentence
