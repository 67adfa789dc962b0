"""The strategy as a whole: from a question to the ledger of each of its parts."""

import pytest
from fakes import FakeCatalog, FakeEmbedder

from local_rag.adapters.memory_index import MemorySearchIndex
from local_rag.model.document import Chunk, Document, Extraction, Page
from local_rag.model.evidence import Scope
from local_rag.ports import Point
from local_rag.retrieve.hybrid import Hybrid, HybridOptions
from local_rag.retrieve.space import Space
from local_rag.retrieve.understand import understand
from local_rag.text.tokens import tokenize


def finder(*texts, language="en", covered=None, reranker=None, **options):
    catalog, index, embedder = FakeCatalog(), MemorySearchIndex(), FakeEmbedder(covered)
    for number, text in enumerate(texts):
        id_ = f"{number:032x}"
        document = Document(
            id_, f"{number}.txt", "text/plain", id_ * 2, 1, 1, 1, None, "2026", language
        )
        chunk = Chunk(id_, id_, 0, 1, 0, len(text), text, "0", ())
        catalog.stage(document, Extraction((Page(1, text),), ()), [chunk])
        catalog.publish(id_)
        (vector,) = embedder.embed_passages([text])
        index.upsert([Point(id_, id_, vector, tokenize(text, language))])
    space = Space(index, embedder.info, embedder)
    hybrid = Hybrid(catalog, lambda: space, HybridOptions(**options), reranker)
    return lambda question: hybrid(understand(question), Scope(), [language])


def texts_of(ledger, *, kept=True):
    return [row.evidence.chunk.text for row in ledger.rows if row.kept is kept]


LIGHTHOUSE = "The lighthouse was built in 1873 on the northern cape."
FERRY = "The ferry leaves the harbour at seven in the morning."
ROOF = "The roof of the hall is covered with tin."


def test_each_part_of_a_question_has_its_own_ledger():
    found = finder(LIGHTHOUSE, FERRY, ROOF, top_k=1)(
        "When was the lighthouse built, and when does the ferry leave?"
    )
    assert [texts_of(ledger) for ledger in found.ledgers] == [[LIGHTHOUSE], [FERRY]]
    assert [row.chunk.text for row in found.evidence] == [LIGHTHOUSE, FERRY]


def test_a_request_for_everything_gets_twice_the_passages():
    doors = [f"Door {word} is painted green." for word in ("north", "south", "east", "west", "top")]
    find = finder(*doors, top_k=2)
    assert len(find("Which door is green?").ledgers[0].rows) == 2
    assert len(find("List all the green doors.").ledgers[0].rows) == 4


def test_a_quoted_phrase_must_stand_in_the_passage():
    near = "The boat is made of tin. A tin roof covers the boat house."
    exact = "She named her first ship the Tin Boat, after the song."
    find = finder(near, near + " Boat tin.", exact, top_k=2)
    assert texts_of(find('Who named the "tin boat"?').ledgers[0]) == [exact]
    (ledger,) = find('Who named the "tin ship"?').ledgers
    assert ledger.kept == ()
    assert {row.verdict for row in ledger.rows} == {"lacks-phrase"}


def test_duplicates_leave_their_places_to_other_passages():
    twin = LIGHTHOUSE + " It is white."
    found = finder(twin, twin, twin, FERRY + " It passes the lighthouse.", top_k=2)(
        "When was the lighthouse built?"
    )
    (ledger,) = found.ledgers
    assert texts_of(ledger) == [twin, FERRY + " It passes the lighthouse."]
    assert [row.duplicate_of for row in ledger.rows] == [None, f"{0:032x}", f"{0:032x}", None]


def test_many_copies_of_one_passage_do_not_hide_the_others():
    notice = "The lighthouse is closed to visitors, says the lighthouse keeper of the harbour."
    found = finder(*[notice] * 120, LIGHTHOUSE, top_k=2)("Is the lighthouse closed?")
    first, second = (row for row in found.ledgers[0].rows if row.verdict != "duplicate")
    assert first.evidence.chunk.text == notice
    assert second.evidence.chunk.text == LIGHTHOUSE
    assert len(found.ledgers[0].rows) == 102  # a hundred copies are enough to see


def test_a_ranking_without_weight_is_not_asked():
    found = finder("灯塔建于1873年。", language="zh", covered=frozenset({"en"}))("灯塔何时建成？")
    (ledger,) = found.ledgers
    assert ledger.weights.dense == 0
    assert "dense" not in found.timings_ms
    assert [row.evidence.fused.dense_rank for row in ledger.rows] == [None]


def test_weights_and_fusion_can_be_chosen():
    find = finder(LIGHTHOUSE, FERRY, dense_weight=0.0, lexical_weight=2.0, fusion="rank")
    (ledger,) = find("When was the lighthouse built?").ledgers
    assert (ledger.weights.dense, ledger.weights.lexical) == (0.0, 2.0)
    assert ledger.rows[0].evidence.fused.rrf == 2 / 61


def test_a_question_of_function_words_finds_nothing():
    assert finder(LIGHTHOUSE)("What is it?").evidence == ()
    assert finder()("When was the lighthouse built?").evidence == ()


@pytest.mark.parametrize(("threshold", "ranked"), [(0.0, True), (1.0, False)])
def test_a_cosine_below_the_threshold_does_not_count(threshold, ranked):
    (ledger,) = finder(LIGHTHOUSE, FERRY, score_threshold=threshold)("the lighthouse").ledgers
    assert (ledger.rows[0].evidence.fused.dense_rank is not None) is ranked
    assert texts_of(ledger)[0] == LIGHTHOUSE


def test_where_no_ranking_has_weight_nothing_is_found():
    find = finder(LIGHTHOUSE, dense_weight=0.0, lexical_weight=0.0)
    assert find("When was the lighthouse built?").evidence == ()


def test_the_first_passages_do_not_depend_on_how_many_are_asked_for():
    texts = [f"Door {n} of the {n % 7} halls is green and {n % 5} metres wide." for n in range(120)]
    orders = [
        [row.evidence.chunk.chunk_id for row in ledger.rows]
        for k in (1, 4, 50)
        for ledger in finder(*texts, top_k=k)("How wide is door 3?").ledgers
    ]
    assert [len(order) for order in orders] == [1, 4, 50]
    assert orders[1] == orders[2][:4]
    assert orders[0] == orders[1][:1]
