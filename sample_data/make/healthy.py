"""Make ``sample_data/healthy.json``: a pool in which nothing should be changed.

One question with four parts over an internal handbook. Plain top-5 comes from four documents and
covers every part; a two-pass cap of any size and MMR at 0.6 cover fewer and cost relevance.
"""

from embedding import cosine_pool

if __name__ == "__main__":
    cosine_pool("healthy")
