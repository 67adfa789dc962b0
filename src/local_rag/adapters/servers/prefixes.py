"""What embedding models want to be told before a text: their cards say, servers do not do it.

The wordings are those of the models' own cards. A model that is not listed gets none.
"""

from __future__ import annotations

from dataclasses import dataclass

_ENGLISH = frozenset({"en"})
_SEARCH_SENTENCE = "Represent this sentence for searching relevant passages: "
_INSTRUCT = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
)


@dataclass(frozen=True, slots=True)
class Prefixes:
    """How a family of models is addressed.

    Attributes:
        query, passage: put before a question, before a passage.
        languages: ISO 639-1 codes of the languages that it was trained for; ``None``: many.
    """

    query: str = ""
    passage: str = ""
    languages: frozenset[str] | None = None


_FAMILIES: tuple[tuple[str, Prefixes], ...] = (
    ("embeddinggemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    ("multilingual-e5-large-instruct", Prefixes(_INSTRUCT)),
    ("e5-mistral", Prefixes(_INSTRUCT, "", _ENGLISH)),
    ("multilingual-e5", Prefixes("query: ", "passage: ")),
    ("e5-", Prefixes("query: ", "passage: ", _ENGLISH)),
    ("qwen3-embedding", Prefixes(_INSTRUCT)),
    ("bge-m3", Prefixes()),
    ("bge-multilingual", Prefixes()),
    ("bge-small-zh", Prefixes("为这个句子生成表示以用于检索相关文章：", "", frozenset({"zh"}))),
    ("bge-base-zh", Prefixes("为这个句子生成表示以用于检索相关文章：", "", frozenset({"zh"}))),
    ("bge-large-zh", Prefixes("为这个句子生成表示以用于检索相关文章：", "", frozenset({"zh"}))),
    ("bge-", Prefixes(_SEARCH_SENTENCE, "", _ENGLISH)),
    ("nomic-embed-text-v2", Prefixes("search_query: ", "search_document: ")),
    ("nomic-embed-text", Prefixes("search_query: ", "search_document: ", _ENGLISH)),
    ("mxbai-embed", Prefixes(_SEARCH_SENTENCE, "", _ENGLISH)),
    ("arctic-embed2", Prefixes("query: ")),
    ("arctic-embed-m-v2", Prefixes("query: ")),
    ("arctic-embed-l-v2", Prefixes("query: ")),
    ("arctic-embed", Prefixes(_SEARCH_SENTENCE, "", _ENGLISH)),
    ("all-minilm", Prefixes("", "", _ENGLISH)),
)
"""By a part of the model's name; the first that fits counts."""


def prefixes_of(model: str) -> Prefixes:
    """The prefixes of a model, however its server spells the name."""
    name = model.lower()
    return next((prefixes for part, prefixes in _FAMILIES if part in name), Prefixes())
