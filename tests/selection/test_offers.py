"""Selectors and presets by one name: how they are named, what they lack, how they answer."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest

from poolscope import selection, wording
from poolscope.errors import PolicyError
from poolscope.model import MissingVector, Policy, Pool
from poolscope.selection import SELECTORS, offers, paths, presets
from poolscope.selection.offers import MARK, OFFERS, Offer
from poolscope.selection.paths import GRID, Axis
from poolscope.selection.presets import PRESETS, Need, Preset, Request

MakePool = Callable[..., Pool]
KINDS = ("events", "entities", "preferences", "experiences", "resources", "skills")
FIELDS = ("session", "category", "section", "arm", "priority")

every = pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.name)
every_preset = pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)


def asked(name: str) -> str:
    """The name of a preset, with what it asks for."""
    return f"{MARK}{name}:stored=40" if name == "swafra" else f"{MARK}{name}"


@pytest.fixture(scope="module")
def draw(make_pool: MakePool) -> Callable[..., Pool]:
    """Draw a pool that lacks nothing, with ties, copies and one missing vector."""

    def drawn(n: int, seed: int, *, scores: Sequence[float] | None = None) -> Pool:
        random = np.random.default_rng(seed)
        rows = random.normal(size=(n, 4)) + np.array([1.5, 0.0, 0.0, 0.0])
        rows[n // 2] = rows[n // 3]
        rows[n - 1] = 0.0
        return make_pool(
            n,
            vectors=rows,
            query_vector=[1.0, 0.1, 0.0, 0.0],
            scores=np.sort(np.round(random.random(n), 2))[::-1] if scores is None else scores,
            sources=[f"s{number}" for number in random.integers(0, n // 3, n)],
            texts=tuple(" ".join(random.choice(list("abcdefgh"), 4)) * 2 for _ in range(n)),
            tokens=random.integers(50, 900, n).tolist(),
            fields={
                "session": [f"t{number}" for number in random.integers(0, 4, n)],
                "category": random.choice(KINDS, n).tolist(),
                "section": [f"h{number}" for number in random.integers(0, 5, n)],
                "arm": random.choice(["graph", "dense", "dense, lexical"], n).tolist(),
                "priority": [str(number) for number in random.integers(0, 4, n)],
            },
        )

    return drawn


def test_every_selector_and_every_preset_is_offered_once() -> None:
    assert [offer.rule for offer in OFFERS] == [*SELECTORS, *PRESETS]
    assert len({offer.name for offer in OFFERS}) == len(OFFERS)
    assert len({offer.label for offer in OFFERS}) == len(OFFERS)


@every
def test_it_is_found_by_its_name_and_says_what_it_does(offer: Offer) -> None:
    assert offers.named(offer.name) == offer
    for text in (offer.rule.summary, offer.rule.differs, offer.rule.prefix.why):
        assert text.endswith(".")


def test_the_preset_and_the_selector_of_one_label_are_told_apart() -> None:
    assert [offers.named(name).label for name in ("mmr", "preset:mmr")] == ["MMR", "MMR (preset)"]


def test_the_number_of_stored_sources_is_part_of_the_name() -> None:
    found = offers.named("preset:swafra:stored=40")
    assert (found.stored, found.name) == (40, "preset:swafra:stored=40")
    assert found.asks_stored
    assert not offers.named("preset:hippo").asks_stored


@pytest.mark.parametrize("field", ["section", "Abschnitt, 2: a=b", "100 %", "种类", "a+b/c?&#"])
def test_a_field_that_plays_a_part_is_part_of_the_name(make_pool: MakePool, field: str) -> None:
    offer = Offer(presets.named("openviking_chat"), field=field)
    assert offers.named(offer.name) == offer
    assert not set(offer.name.removeprefix(MARK)) & set(",& #?+")
    kinds = ["events", "events", "other", "skills"]
    pool = make_pool(4, scores=[0.9, 0.8, 0.7, 0.6], fields={field: kinds})
    policy = Policy(selector=offer.name, k=9)
    assert offers.select(pool, policy).ordered == (0, 1, 3)
    bare = offer.plain
    assert bare.missing(pool) == (Need.CATEGORY,)
    assert bare.barred(pool) == ()
    assert offer.missing(make_pool(4, scores=[0.9, 0.8, 0.7, 0.6])) == (Need.CATEGORY,)
    assert wording.own(offer, offers.select(pool, policy)) == [f"“{field}” as its category"]


def test_a_field_and_a_number_may_both_be_given(make_pool: MakePool) -> None:
    offer = offers.named("preset:swafra:field=chapter:stored=40")
    assert (offer.stored, offer.field) == (40, "chapter")
    assert offer.name == "preset:swafra:stored=40:field=chapter"
    pool = make_pool(4, fields={"chapter": list("xxyz")})
    assert offers.select(pool, Policy(selector=offer.name)).ordered == (0, 2, 3)
    assert offer.plain.usual_field(pool) is None


def test_nobody_can_name_a_field_where_there_is_none(make_pool: MakePool) -> None:
    bare = make_pool(2, scores=[0.9, 0.8], sources=[None, None])
    sourced = make_pool(2, scores=[0.9, 0.8], sources=["a", "b"])
    offer = offers.named("preset:openviking_chat")
    assert offers.fields(bare) == ()
    assert offer.barred(bare) == (Need.CATEGORY,)
    assert offers.fields(sourced) == ("source",)
    assert offer.barred(sourced) == ()
    assert offers.named("preset:hippo").barred(sourced) == (Need.VECTORS,)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("best", "no selector “best”"),
        ("preset:best", "no preset “best”"),
        ("preset:hippo:stored=3", "no setting of the preset “Hippo”"),
        ("preset:swafra:stored=", "“stored=” is no setting"),
        ("preset:swafra:stored=-3", "“stored=-3” is no setting"),
        ("preset:swafra:stored=1e3", "no setting"),
        ("preset:swafra:40", "“40” is no setting"),
        ("preset:swafra:stored=9999999999", "no setting"),
        ("preset:hippo:field=x", "no setting of the preset “Hippo”"),
        ("preset:hindsight:field=", "“field=” is no setting"),
        ("preset:hindsight:field=a:field=b", "no setting"),
        ("preset:hindsight:field=a:what=b", "no setting"),
        ("preset:swafra:stored=4:field", "no setting"),
        ("<b>", "no selector “<b>”"),
    ],
)
def test_a_name_that_says_nothing_is_refused_in_words(name: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said) as caught:
        offers.named(name)
    assert caught.value.remedy


@every_preset
@pytest.mark.parametrize("k", [1, 4, 9])
def test_a_preset_by_name_is_the_preset(draw: Callable[..., Pool], preset: Preset, k: int) -> None:
    pool = draw(24, 1)
    policy = Policy(selector=asked(preset.name), k=k, lambda_=0.3, cap=1, best=2)
    own = Request(
        k=k,
        stored=40,
        cap=1 if Axis.CAP in preset.reads else None,
        lambda_=0.3 if Axis.LAMBDA in preset.reads else None,
    )
    found = offers.select(pool, policy)
    assert found.ordered == preset.select(pool, own).ordered
    assert found.preset == preset.name


@every
def test_a_selector_by_name_is_the_selector(draw: Callable[..., Pool], offer: Offer) -> None:
    if isinstance(offer.rule, Preset):
        return
    pool, policy = draw(24, 2), Policy(selector=offer.name, k=6)
    found = offers.select(pool, policy)
    assert found.indices.tolist() == selection.select(pool, policy).indices.tolist()
    assert found.preset == ""


def test_what_a_preset_lacks_selects_nothing_and_is_said(make_pool: MakePool) -> None:
    bare = make_pool(4)
    found = offers.select(bare, Policy(selector="preset:agentmemory", k=3))
    assert len(found) == 0
    assert found.notes == ("Nothing is selected: it needs a field “session”.",)
    path = offers.path(bare, Policy(selector="preset:agentmemory", k=3), Axis.K)
    assert [part.indices for part in path.intervals] == [()]
    assert offers.named("preset:swafra").missing(bare) == (Need.STORED,)
    assert offers.named("preset:swafra:stored=0").missing(bare) == ()


def test_a_selector_is_greyed_where_it_would_have_nothing_to_read(make_pool: MakePool) -> None:
    bare = make_pool(4)
    assert offers.named("mmr").missing(bare) == (Need.VECTORS,)
    reads_none = Policy(missing_vector=MissingVector.NO_REDUNDANCY)
    assert offers.named("mmr").missing(bare, reads_none) == ()
    assert offers.named("facet_oracle").missing(bare) == (Need.FACETS,)
    assert offers.named("two_pass_cap").missing(bare) == ()


@every_preset
@pytest.mark.parametrize("seed", [1, 2])
def test_the_paths_of_a_preset_are_its_selections(
    draw: Callable[..., Pool], preset: Preset, seed: int
) -> None:
    pool = draw(18 + 9 * seed, seed)
    policy = Policy(
        selector=asked(preset.name),
        k=3 + 2 * seed,
        cap=1 + seed % 3,
        depth=None if seed % 2 else 17,
        budget=2_000 if seed == 1 else None,
        pinned=("d20",) if seed == 2 else (),
        banned=("d1",) if seed == 2 else (),
    )
    for axis in Axis:
        found = offers.path(pool, policy, axis)
        values = {
            Axis.LAMBDA: np.linspace(0.0, 1.0, GRID)[::8].tolist(),
            Axis.CAP: range(1, policy.k + 1),
            Axis.DEPTH: range(len(pool) + 1),
            Axis.K: range(int(found.high) + 1),
        }[axis]
        for value in values:
            direct = offers.select(pool, policy.changed(**{axis.value: value}))
            assert found.at(value).indices == tuple(direct.indices.tolist()), (axis, value)
        assert found.exact == (axis is not Axis.LAMBDA or axis not in preset.reads)


@every_preset
def test_a_prefix_that_is_said_to_hold_holds(draw: Callable[..., Pool], preset: Preset) -> None:
    if not preset.prefix.holds:
        return
    for seed in range(3):
        pool = draw(30, 40 + seed)
        policy = Policy(selector=asked(preset.name))
        by_k = [offers.select(pool, policy.changed(k=k)).members for k in range(1, 20)]
        assert all(one <= other for one, other in pairwise(by_k))


def test_a_path_over_a_deep_pool_is_named_approximate_only_where_it_was_sampled(
    draw: Callable[..., Pool],
) -> None:
    pool = draw(320, 5)
    exact = offers.path(pool, Policy(selector="preset:hippo"), Axis.DEPTH)
    sampled = offers.path(pool, Policy(selector="preset:second_brain"), Axis.DEPTH)
    assert exact.exact
    assert not sampled.exact
    assert "Approximate" in sampled.note
    assert paths.ends(pool, Policy(), Axis.DEPTH) == (0, 320)


@pytest.mark.parametrize("name", ["arm", "Doc_ID", "heading"])
def test_of_many_fields_those_with_a_usual_name_can_always_be_named(
    make_pool: MakePool, name: str
) -> None:
    columns = {f"column {number}": ["x", "y"] for number in range(70)}
    pool = make_pool(2, fields={**columns, name: ["x", "y"]})
    listed = offers.fields(pool)
    assert len(listed) == offers.MOST_FIELDS
    assert listed[1:3] == (name, "column 0")
    few = make_pool(2, fields={"z": ["x", "y"], name: ["x", "y"]})
    assert offers.fields(few)[1:] == ("z", name)


@pytest.mark.parametrize("preset", [item for item in PRESETS if item.part], ids=lambda p: p.name)
def test_a_named_field_that_the_pool_lacks_is_missing(make_pool: MakePool, preset: Preset) -> None:
    pool = make_pool(
        vectors=np.eye(2),
        query_vector=[1, 0],
        scores=[0.9, 0.8],
        fields={"title": ["x", "y"], "mine": ["1", "2"]},
    )
    stored = ":stored=40" if preset.name == "swafra" else ""
    absent = Policy(selector=f"preset:{preset.name}{stored}:field=chapter", k=2)
    offer = offers.named(absent.selector)
    (need,) = offer.missing(pool, absent)
    assert need == f"a field “{preset.part}”"
    chosen = offers.select(pool, absent)
    assert len(chosen) == 0
    assert chosen.notes == (f"Nothing is selected: it needs {need}.",)
    there = absent.selector.replace("chapter", "mine")
    assert offers.named(there).missing(pool) == ()


def test_without_a_named_field_the_source_stands_in_for_a_title(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8], sources=["a", "b"])
    chosen = offers.select(pool, Policy(selector="preset:swafra:stored=40", k=2))
    assert chosen.policy.key == "source"
    assert chosen.ordered == (0, 1)


def test_a_rule_over_arms_needs_a_field_that_names_them(make_pool: MakePool) -> None:
    offer = offers.named("arm_caps")
    scores = [0.9, 0.8, 0.7, 0.6]
    bare = make_pool(4, scores=scores, sources=list("abab"))
    assert offer.missing(bare) == (Need.ARM,)
    assert offer.barred(bare) == (Need.ARM,)
    for name in ("arm", "retriever"):
        armed = make_pool(4, scores=scores, fields={name: ["dense", "dense", "graph", "graph"]})
        assert offer.missing(armed) == ()
    other = make_pool(4, scores=scores, fields={"channel": ["dense", "dense", "graph", "graph"]})
    assert offer.missing(other) == (Need.ARM,)
    assert offer.missing(other, Policy(selector="arm_caps", key="channel")) == ()
