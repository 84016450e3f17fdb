"""Write ``deploy-guide-6.json`` and ``deploy-guide-8.json``: one document fills the top.

Scores only, no vectors. Run by hand: ``python sample_data/make/deploy_guide.py``.
"""

from typing import Any

from embedding import write_pool

QUERY = "Why do cache nodes restart in a loop after a deploy?"
FACETS = {
    "probe": "The liveness probe kills a node that is still warming up",
    "memory": "Taking a snapshot pushes a node over its memory limit",
    "snapshot": "A node refuses a snapshot written by another version",
}
GUIDE: list[dict[str, Any]] = [
    {
        "id": "a1",
        "source": "deploy-guide",
        "position": 12,
        "text": (
            "After a rollout each cache node reads its snapshot from disk before it answers the "
            "health endpoint, which takes between forty and ninety seconds for a full shard. The "
            "liveness probe starts after fifteen seconds and gives up after three failures. The "
            "kubelet then kills the node while it is still loading, and the next start begins "
            "from zero."
        ),
        "facets": ["probe"],
        "section": "Health checks",
    },
    {
        "id": "a2",
        "source": "deploy-guide",
        "position": 14,
        "text": (
            "If cache pods restart again and again right after a deploy, compare two numbers "
            "first: the time a node needs to load its snapshot, logged as `warm-up finished in`, "
            "and the time the liveness probe allows, which is initialDelaySeconds plus "
            "periodSeconds times failureThreshold. When the first is larger the node is killed "
            "before it is ready, every time, and the loop does not end by itself."
        ),
        "facets": ["probe"],
        "section": "Health checks",
    },
    {
        "id": "a3",
        "source": "deploy-guide",
        "position": 13,
        "text": (
            "Do not use the liveness probe to find out whether a cache node has warmed up. That "
            "is what the startup probe is for: until it succeeds, liveness is not checked. Thirty "
            "attempts at ten-second intervals give a slow node five minutes. Without it, a node "
            "with a large shard is restarted in the middle of its warm-up and looks as though it "
            "had crashed."
        ),
        "facets": ["probe"],
        "section": "Health checks",
    },
    {
        "id": "a4",
        "source": "deploy-guide",
        "position": 21,
        "text": (
            "A restart loop from an impatient probe is easy to recognise. The pod's events say "
            "that the container failed its liveness probe, and the last line of the log is a "
            "loading percentage, not an error. Large shards loop while small ones come up. A "
            "longer delay stops it at once; more replicas do not, since each new node has the "
            "same warm-up ahead of it."
        ),
        "facets": ["probe"],
        "section": "Troubleshooting",
    },
    {
        "id": "a5",
        "source": "deploy-guide",
        "position": 6,
        "text": (
            "Before you deploy to the large shards, raise the probe delay in the values file. "
            "liveness.initialDelaySeconds is 15 by default and should be the longest warm-up seen "
            "on that shard and half of it again. Deploying with the default is the usual reason "
            "why nodes there restart until somebody steps in. Lower it only once the startup "
            "probe is in place."
        ),
        "facets": ["probe"],
        "section": "Before you deploy",
    },
]
MEMORY_CAUSE: dict[str, Any] = {
    "id": "b1",
    "source": "incident-2024-11",
    "position": 3,
    "text": (
        "Eleven minutes after the release four of twelve cache nodes were cycling. The probes "
        "were not at fault: the containers had ended with OOMKilled. The new version takes a "
        "snapshot as soon as it is up, and the forked process needs a copy of every page that is "
        "written meanwhile. A node with 5.1 GB of data went past its limit of 6, was killed, came "
        "back, took a snapshot and was killed again."
    ),
    "facets": ["memory"],
    "section": "Cause",
}
MEMORY_REMEDY: dict[str, Any] = {
    "id": "b2",
    "source": "incident-2024-11",
    "position": 6,
    "text": (
        "The memory limit of the cache pods went from 6 to 10 GB. Data may still fill only 5.5 of "
        "them, so that a snapshot has room for its copied pages, and no snapshot starts within "
        "ten minutes of boot. The nodes that had been restarting since the release stayed up on "
        "the next try. An alert fires when resident memory passes 80 per cent of the limit."
    ),
    "facets": ["memory"],
    "section": "What we changed",
}
RUNBOOK: dict[str, Any] = {
    "id": "c1",
    "source": "runbook-cache",
    "position": 7,
    "text": (
        "Does the node exit within two seconds, code 1, with `unsupported snapshot version` as "
        "its last line? Then the deploy went back to an older build, and the volume holds a file "
        "that the newer one wrote. The old binary refuses it and quits, is started again and "
        "meets the same file. Move the snapshot aside, start the node empty, and let it fill from "
        "its replica."
    ),
    "facets": ["snapshot"],
    "section": "Node exits right after start",
}
ROLLBACK_REVIEW: dict[str, Any] = {
    "id": "c1",
    "source": "incident-2025-02",
    "position": 2,
    "text": (
        "We deployed 7.4, disliked its latency and deployed 7.3 again, whereupon every cache node "
        "restarted in a loop. By then 7.4 had rewritten the snapshots in its own format, and 7.3 "
        "exits with `unsupported snapshot version` when it meets one. Probes and memory were "
        "normal throughout. We moved the files away and let the shards refill from the database, "
        "which took an hour."
    ),
    "facets": ["snapshot"],
    "section": "What happened",
}


def write(count: int, candidates: list[dict[str, Any]], scores: list[float]) -> None:
    """Write ``deploy-guide-<count>.json`` with ``scores`` given to ``candidates`` in rank order."""
    name = f"deploy-guide-{count}"
    scored = [
        {**candidate, "score": score} for candidate, score in zip(candidates, scores, strict=True)
    ]
    write_pool(name, {"query_id": name, "query": QUERY, "facets": FACETS}, scored)


def main() -> None:
    """Write both pools."""
    write(6, [*GUIDE[:4], MEMORY_CAUSE, RUNBOOK], [0.92, 0.91, 0.90, 0.89, 0.88, 0.87])
    write(
        8,
        [*GUIDE, MEMORY_CAUSE, ROLLBACK_REVIEW, MEMORY_REMEDY],
        [0.92, 0.91, 0.90, 0.89, 0.885, 0.88, 0.87, 0.86],
    )


if __name__ == "__main__":
    main()
