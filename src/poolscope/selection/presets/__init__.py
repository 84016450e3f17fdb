"""Presets: named systems and rules as they behave, their traps included.

Each is a value: what it does, where it differs from plain MMR, its known trap, what the pool must
have, and the function from a pool to a selection with its trace and reasons.
"""

from poolscope.errors import PolicyError
from poolscope.selection.base import Prefix
from poolscope.selection.paths.values import Axis
from poolscope.selection.presets import memories, policies, stores
from poolscope.selection.presets.base import Need, Preset
from poolscope.selection.presets.request import FIELDS, Request, field_of

_STEPWISE = Prefix(holds=True, why="Each pick stands on the picks before it, over one fixed pool.")
_BY_RANK = Prefix(holds=True, why="One fixed order, of which k takes the first.")
_COSINE = (Need.VECTORS, Need.QUESTION)
_SCORED = (Need.VECTORS, Need.SCORES)
_BUCKETS = "An under-filled bucket loses its slots: nobody else gets them."
_NO_CONTENT = "It counts identities and never looks at what passages say."


def _growing(rule: str) -> Prefix:
    return Prefix(holds=False, why=f"Its pool depends on k ({rule}), and so do the picks.")


def _openviking(name: str, quotas: dict[str, int], gate: float | None = None) -> Preset:
    listed = ", ".join(f"{kind} {slots}" for kind, slots in quotas.items())
    least = "" if gate is None else f"; scores below {gate} are out"
    return Preset(
        name=f"openviking_{name}",
        label=f"OpenViking {name}",
        summary=f"Slots by category ({listed}), each filled by score and merged{least}.",
        differs="Breadth is fixed by kind of memory, not found by likeness.",
        trap=_BUCKETS,
        needs=(Need.CATEGORY, Need.SCORES),
        part="category",
        prefix=_BY_RANK,
        function=memories.openviking(tuple(quotas.items()), gate),
    )


PRESETS: tuple[Preset, ...] = (
    Preset(
        name="two_pass",
        label="Two-pass",
        summary="The best of each source by rank, then by rank, at most the cap for one source.",
        differs=_NO_CONTENT,
        trap="With at least k sources the second pass never runs, and depth is not bought back.",
        prefix=_BY_RANK,
        reads=(Axis.CAP, Axis.DEPTH, Axis.K),
        is_policy=True,
        function=policies.two_pass,
    ),
    Preset(
        name="grouped",
        label="Grouped",
        summary="The two best of each source, merged by score and cut to five.",
        differs=_NO_CONTENT,
        trap="Breadth is not guaranteed, and slots that the cap leaves empty are not refilled.",
        prefix=_BY_RANK,
        is_policy=True,
        function=policies.grouped,
    ),
    Preset(
        name="mmr",
        label="MMR",
        summary="Lambda 0.6 over a pool of 50, cosine on both sides, negative ones kept.",
        differs="It is plain MMR: the yardstick of the others.",
        needs=_COSINE,
        prefix=_STEPWISE,
        is_policy=True,
        function=policies.mmr,
    ),
    Preset(
        name="section_cap_mmr",
        label="Cap 2 per section + MMR",
        summary="MMR at 0.6 among the candidates whose section has fewer than two picks.",
        differs="A full section is closed whatever its passages say.",
        needs=(Need.SECTION, *_COSINE),
        part="section",
        prefix=_STEPWISE,
        is_policy=True,
        function=policies.section,
    ),
    Preset(
        name="swafra",
        label="Swafra",
        summary="The best passage of each title, as many titles as 15 % of the stored sources, "
        "between 1 and k.",
        differs="One passage a source and no second: depth is never bought back.",
        trap="With 13 or fewer stored sources it returns a single result, whatever k is.",
        needs=(Need.STORED,),
        part="title",
        prefix=_BY_RANK,
        is_policy=True,
        function=policies.swafra,
    ),
    Preset(
        name="agentmemory",
        label="agentmemory",
        summary="At most three of one session by rank, then whoever was over, by rank.",
        differs="The cap is soft: it only moves a session's fourth passage behind the others.",
        trap="Explicitly remembered items share one synthetic session and crowd each other out.",
        needs=(Need.SESSION,),
        part="session",
        prefix=_growing("the first max(k, 20)"),
        function=memories.agentmemory,
    ),
    _openviking(
        "coding",
        {
            "events": 1,
            "entities": 2,
            "preferences": 1,
            "experiences": 1,
            "resources": 3,
            "skills": 2,
        },
    ),
    _openviking(
        "chat",
        {
            "events": 3,
            "entities": 3,
            "preferences": 1,
            "experiences": 1,
            "resources": 1,
            "skills": 1,
        },
    ),
    _openviking(
        "recall",
        {"events": 10, "entities": 10, "preferences": 3, "experiences": 0},
        memories.RECALL_GATE,
    ),
    Preset(
        name="hindsight",
        label="Hindsight",
        summary="Each retrieval arm is cut at a cap, the arms are fused by reciprocal rank "
        "(k = 60), the first 300 stay; the token budget ends the list.",
        differs="It limits who proposes passages, not which are alike.",
        trap="The cap is off by default (0), and then one arm may fill the pool.",
        needs=(Need.ARM,),
        part="arm",
        prefix=_BY_RANK,
        reads=(Axis.CAP, Axis.DEPTH, Axis.K),
        is_policy=True,
        cut_is_free=False,
        function=policies.hindsight,
    ),
    Preset(
        name="clawmem",
        label="ClawMem",
        summary="By rank; whoever shares more than 0.6 of its words and word pairs with a passage "
        "kept goes behind all that are kept.",
        differs="Nothing is weighed or dropped: a passage is alike or it is not.",
        trap="It reads ASCII words alone: of texts wholly outside ASCII every one after the first "
        "is put behind.",
        prefix=_BY_RANK,
        function=memories.clawmem,
    ),
    Preset(
        name="second_brain",
        label="Second Brain",
        summary="The best passage of each parent among min(3k, 50) fetched, 50 where the best "
        "cosine is below 0.85; then MMR at 0.7 with score / max, handed out by score.",
        differs="Negative cosines count as 0, and a passage without a vector resembles nothing.",
        needs=(*_SCORED, Need.QUESTION),
        part="parent",
        prefix=_growing("min(3k, 50)"),
        cut_is_free=False,
        function=memories.second_brain,
    ),
    Preset(
        name="open_second_brain",
        label="Open Second Brain",
        summary="MMR at 0.7 over the Jaccard index of words, with the raw score.",
        differs="Likeness is shared words, so paraphrases count as different.",
        trap="The raw score is not brought to the scale of the Jaccard index: where scores are "
        "large, lambda does nothing.",
        needs=(Need.SCORES,),
        prefix=_STEPWISE,
        function=memories.open_second_brain,
    ),
    Preset(
        name="sonder",
        label="Sonder Runtime",
        summary="MMR at 0.5 over max(10, 4k) behind a gate: cosine 0.62, or 0.70 with fewer than "
        "two content words shared with the question.",
        differs="What does not pass the gate leaves slots empty.",
        trap="The first pick is not chosen by relevance: at lambda 0 it is the pool's first.",
        needs=_COSINE,
        prefix=_growing("max(10, 4k)"),
        function=memories.sonder,
    ),
    Preset(
        name="total_agent_memory",
        label="total-agent-memory",
        summary="MMR at 0.9 over the first k, only where their mean pairwise cosine is at least "
        "0.85.",
        differs="Its pool is k itself.",
        trap="It can only reorder the first k, never exchange one.",
        needs=_SCORED,
        prefix=_growing("the first k"),
        function=memories.total_agent_memory,
    ),
    Preset(
        name="hippo",
        label="Hippo",
        summary="MMR at 0.7 over 100 with score / first score, within 4,000 tokens.",
        differs="Negative cosines count as 0; at least one result, and the first may exceed the "
        "budget.",
        trap="Its default paths sort the result by score again, so the order chosen is lost.",
        needs=_SCORED,
        prefix=_STEPWISE,
        function=memories.hippo,
    ),
    Preset(
        name="memory_blocks",
        label="LlamaIndex memory blocks",
        summary="All blocks as declared; above 30,000 tokens whole blocks are dropped, the largest "
        "priority number first.",
        differs="No relevance and no likeness: priorities and tokens alone.",
        trap="Priority 0, the default, is never dropped: default blocks are not cut at all.",
        needs=(Need.PRIORITY,),
        part="priority",
        prefix=Prefix(holds=True, why="It reads no k."),
        reads=(Axis.DEPTH,),
        cut_is_free=False,
        function=memories.memory_blocks,
    ),
    Preset(
        name="langchain_mmr",
        label="LangChain MMR",
        summary="MMR at 0.5 over the first 20, k = 4, cosine on both sides.",
        differs="Only its defaults differ: a smaller pool, a smaller lambda.",
        trap="What stands beyond rank 20 cannot be reached by any lambda.",
        needs=_COSINE,
        prefix=_STEPWISE,
        is_policy=True,
        function=policies.langchain,
    ),
    Preset(
        name="llamaindex_mmr",
        label="LlamaIndex MMR",
        summary="MMR at 0.5 over the whole pool, the likeness taken to the last pick only (0.14).",
        differs="A passage pays for its likeness to the last pick, not to all of them.",
        trap="A copy of the pick before the last one comes in freely: picks alternate.",
        needs=_COSINE,
        prefix=_STEPWISE,
        function=stores.llamaindex_mmr,
    ),
    Preset(
        name="pyversity_mmr",
        label="pyversity MMR",
        summary="MMR with diversity 0.5 over the whole pool, the score as given.",
        differs="Negative cosines count as 0, and diversity is 1 - lambda.",
        trap="A score that is not on the scale of a cosine is weighed against one as it is.",
        needs=_SCORED,
        prefix=_STEPWISE,
        is_policy=True,
        function=policies.pyversity,
    ),
    Preset(
        name="qdrant_mmr",
        label="Qdrant MMR",
        summary="MMR with diversity 0.5 over candidates_limit, which is the limit by default.",
        differs="Diversity is 1 - lambda, and equal candidates go to the last one.",
        trap="At its default depth it can only reorder the first k.",
        needs=_COSINE,
        prefix=_growing("the limit"),
        cut_is_free=False,
        function=stores.qdrant,
    ),
    Preset(
        name="elasticsearch_diversify",
        label="Elasticsearch diversify",
        summary="MMR over the first 10 at a lambda that must be given, handed out in the inner "
        "retriever's order.",
        differs="Both sides are dot + 1, or 1 / (1 - dot) where that is negative.",
        trap="The order says nothing of what was chosen when, and the window of 10 is narrow.",
        needs=(*_COSINE, Need.LAMBDA),
        prefix=Prefix(
            holds=False, why="Handed out by rank, a further pick may come before others."
        ),
        reads=(Axis.LAMBDA, Axis.DEPTH, Axis.K),
        function=stores.elasticsearch,
    ),
    Preset(
        name="opensearch_mmr",
        label="OpenSearch MMR",
        summary="MMR with diversity 0.5 over three times the size, with the hit's score.",
        differs="Similarities below 0 count as 0, and diversity is 1 - lambda.",
        trap="A hit's score is not on the scale of the similarity it is weighed against.",
        needs=_SCORED,
        prefix=_growing("3k"),
        is_policy=True,
        function=policies.opensearch,
    ),
)
"""Every preset, in display order."""

__all__ = ["FIELDS", "PRESETS", "Need", "Preset", "Request", "field_of", "named"]


def named(name: str) -> Preset:
    """Return the preset of a name.

    Raises:
        PolicyError: There is none.
    """
    found = {preset.name: preset for preset in PRESETS}
    if name not in found:
        raise PolicyError(f"There is no preset “{name}”.", f"Use one of: {', '.join(found)}.")
    return found[name]
