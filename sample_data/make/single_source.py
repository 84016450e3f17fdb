"""Make ``sample_data/single-source.json``: a question that one document answers in full.

The five facets are the five steps of one runbook and fill plain top-5. A per-source cap of 1 or 2
and MMR at 0.6 put passages of other documents in their place: here diversity costs coverage.
"""

from embedding import cosine_pool

if __name__ == "__main__":
    cosine_pool("single-source")
