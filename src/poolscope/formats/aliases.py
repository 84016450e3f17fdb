"""The names under which exports carry the parts of a candidate, most telling first.

Names are compared in lower case, with dashes and spaces as underscores. A name here says what a
field may be read as, never what its values mean: no score is a distance because it is called so.
"""

from functools import lru_cache

TEXT = (
    "text",
    "content",
    "page_content",
    "pagecontent",
    "passage",
    "body",
    "chunk_text",
    "chunk_content",
    "passage_text",
    "contents",
    "snippet",
    "document",
    "chunk",
)
ID = (
    "id",
    "chunk_id",
    "_id",
    "id_",
    "node_id",
    "passage_id",
    "candidate_id",
    "point_id",
    "chunkid",
    "uuid",
)
CHUNK_ID = (
    "chunk_id",
    "chunkid",
    "passage_id",
    "node_id",
    "candidate_id",
    "custom_id",
)
"""Names under which a passage's own id stands beside the one that a store gave the record."""
DOCUMENT_ID = ("doc_id", "document_id", "docid", "docno", "pid")
"""Ids of candidates where they are all distinct, else of documents."""
SCORE = (
    "score",
    "relevance_score",
    "_relevance_score",
    "similarity",
    "similarity_score",
    "relevance",
    "cosine",
    "cosine_similarity",
    "_score",
    "@search.score",
    "certainty",
    "distance",
    "_distance",
    "dist",
    "vector_distance",
    "vector_score",
    "similarityscore",
    "_rankingscore",
    "rerank_score",
    "rrf_score",
    "$dist",
    "?column?",
)
VECTOR = (
    "vector",
    "embedding",
    "embeddings",
    "vectors",
    "dense_vector",
    "dense",
    "text_vector",
    "content_vector",
    "emb",
    "values",
)
RANK = ("rank", "ranking", "rank_position")
FACETS = ("facets", "facet_ids")
QUERY = ("query", "question", "query_text", "user_input")
QUERY_ID = ("query_id", "qid", "q_id", "question_id")
QUERY_VECTOR = ("query_vector", "query_embedding", "query_vec", "question_embedding")
CANDIDATES = (
    "candidates",
    "results",
    "documents",
    "passages",
    "chunks",
    "contexts",
    "hits",
    "matches",
    "nodes",
)
QUESTIONS = ("questions", "queries", "pools")
CONTAINERS = ("metadata", "meta", "payload", "cmetadata", "metadata_", "properties", "attributes")
"""Mappings whose entries are lifted to the top, unless a name there is taken."""
SPARSE = ("sparse_vector", "sparse_values", "sparse_embedding", "sparse")
NOISE = ("", "unnamed:_0", "__index_level_0__")
"""Row labels of a data frame: never a field."""

SOURCE = (
    "source",
    "file_path",
    "doc_uri",
    "source_uri",
    "uri",
    "url",
    "ref_doc_id",
    "document_id",
    "doc_id",
    "source_id",
    "parent_id",
    "parent_document_id",
    "session_id",
    "conversation_id",
    "thread_id",
    "file_id",
    "file_name",
    "filename",
    "file",
    "title",
    "name",
)
"""Fields that may say what a candidate belongs to, in order of precedence."""
PATHS = ("source", "file_path", "doc_uri", "source_uri", "uri", "url")
TOKENS = ("n_tokens", "token_count", "tokens", "num_tokens")
POSITION = (
    "position",
    "chunk_index",
    "chunk",
    "chunk_number",
    "chunk_no",
    "split_id",
    "index",
    "seq",
)
SPANS = (
    ("start", "end"),
    ("start_char_idx", "end_char_idx"),
    ("start_index", "end_index"),
    ("char_start", "char_end"),
    ("start_char", "end_char"),
    ("span_start", "span_end"),
    ("start_offset", "end_offset"),
)
LABEL = ("label", "name", "text", "title", "description")

ROLES = {
    "id": ID,
    "text": TEXT,
    "score": SCORE,
    "vector": VECTOR,
    "rank": RANK,
    "facets": FACETS,
    "query": QUERY,
    "query_id": QUERY_ID,
    "query_vector": QUERY_VECTOR,
}


@lru_cache(maxsize=4096)
def normal(name: str) -> str:
    """Return the form in which names are compared."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def first(names: tuple[str, ...], wanted: tuple[str, ...]) -> str | None:
    """Return the first of the names met, in the order of the aliases wanted."""
    met: dict[str, str] = {}
    for name in names:
        met.setdefault(normal(name), name)
    return next((met[alias] for alias in wanted if alias in met), None)
