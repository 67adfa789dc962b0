"""Scores of single cases, equal to values computed by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from local_rag.evaluation.bearing import is_borne_out, says_fact
from local_rag.evaluation.cases import Case
from local_rag.evaluation.claims import Stated, stated
from local_rag.evaluation.observed import Cited, Observed, Passage, observed_answer, observed_json
from local_rag.evaluation.proof import gains_of, ideal_gains, proves
from local_rag.evaluation.scoring import scored
from local_rag.model.answer import NO_DOCUMENTS, REFUSAL

_A, _B = "a" * 64, "b" * 64


def _passage(text: str, *, name: str = "fees.pdf", sha: str = _A, page: int | None = 3) -> Passage:
    return Passage(f"{name}{page}{text}", f"id of {name}", name, sha, page, text)


def _place(contains: str, group: str = "1", *, sha: str = _A, page: int | None = 3) -> dict:
    return {
        "source": "fees.pdf" if sha == _A else "other.pdf",
        "source_sha256": sha,
        "page": page,
        "contains": [contains],
        "evidence_group": group,
    }


def _case(*places: dict, facts: tuple[str, ...] = (), reference: str = "A reference.") -> Case:
    return Case(
        case_id="c",
        dataset_version="1",
        split="dev",
        corpus_id="x",
        corpus_version="1",
        question="What does the season ticket cost?",
        question_type="number",
        answerable=bool(places),
        expected_evidence=list(places),  # type: ignore[arg-type]
        required_facts=list(facts),
        reference_answer=reference if places else "",
        generation_method="hand",
        review_status="needs_review",
    )


def _observed(answer: str, cited: tuple[Cited, ...] = (), ranked: tuple = ()) -> Observed:
    return Observed(answer, not cited, ranked, cited)


_SEASON = _passage("The season ticket costs 120 euros for adults.")
_SINGLE = _passage("A single ticket costs 4 euros.")
_CLOSED = _passage("The bath is not open on Mondays.")
_NOISE = _passage("Towels hang beside the door.", name="other.pdf", sha=_B)


def test_ranking_scores_equal_those_computed_by_hand() -> None:
    case = _case(
        _place("season ticket costs 120"),
        _place("single ticket costs 4", "2"),
        _place("open on Mondays", "3"),
        _place("never printed", "3"),
    )
    ranked = (_NOISE, _SEASON, _SEASON_AGAIN, _SINGLE)
    scores = scored(case, _observed("x", (), ranked)).scores
    dcg = 1 / math.log2(3) + 1 / math.log2(5)
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert scores["hit"] == 1.0
    assert scores["mrr"] == 0.5
    assert scores["ndcg"] == pytest.approx(dcg / ideal)
    assert scores["recall"] == 2 / 4
    assert scores["coverage"] == pytest.approx(2 / 3)


_SEASON_AGAIN = _passage("Again: the season ticket costs 120 euros.")


def test_only_the_first_k_count() -> None:
    scores = scored(_case(_place("single")), _observed("x", (), (_NOISE, _SINGLE)), k=1).scores
    found = {name: scores[name] for name in ("hit", "mrr", "ndcg", "recall", "coverage")}
    assert found == dict.fromkeys(found, 0.0)


def test_one_passage_for_two_groups_is_a_perfect_ranking() -> None:
    both = _passage("The season ticket costs 120 euros. A single ticket costs 4 euros.")
    case = _case(_place("season ticket"), _place("single ticket", "2"))
    assert scored(case, _observed("x", (), (both, _NOISE))).scores["ndcg"] == 1.0
    assert scored(case, _observed("x", (), (_NOISE, both))).scores["ndcg"] == pytest.approx(
        1 / math.log2(3)
    )
    assert gains_of([("1", "2"), ("1",)]) == [2.0, 0.0]
    assert ideal_gains([("1", "2")], ["1", "2", "3"]) == [2.0, 1.0]


@pytest.mark.parametrize(
    ("passage", "is_proof"),
    [
        (_SEASON, True),
        (_passage("THE SEASON\n ticket  costs 120 euros"), True),
        (_passage("| season ticket | costs 120 |"), True),
        (_passage("The season ticket costs 120 euros.", page=4), False),
        (_passage("The season ticket costs 120 euros.", page=None), True),
        (_passage("The season ticket costs 120 euros.", name="other.pdf", sha=_B), False),
        (_passage("The season ticket costs 120 euros.", sha=_B), True),
        (_passage("The season ticket costs 120 euros.", name="docs › fees.pdf", sha=_B), True),
        (_passage("… and the season ticket co"), True),
        (_passage("icket costs 120 euros"), True),
        (_passage("and the season"), False),
        (_passage("The day ticket costs 120 euros."), False),
    ],
)
def test_a_passage_proves_what_stands_in_it_or_is_cut_by_its_border(passage, is_proof) -> None:
    place = _case(_place("season ticket costs 120")).expected_evidence[0]
    assert proves(passage, place) is is_proof


def test_statements_are_what_a_reader_sees() -> None:
    assert stated("It costs 4 euros. [1][2] It is shut. [1]") == [
        Stated("It costs 4 euros.", (1, 2)),
        Stated("It is shut.", (1,)),
    ]
    assert stated("- One [1]\n- Two [3]\nThree") == [
        Stated("One", (1,)),
        Stated("Two", (3,)),
        Stated("Three", ()),
    ]
    assert stated("1. Press row[ 1 ] [2].") == [Stated("Press row[ 1 ]", (2,))]


def _of_claims(answer: str, *passages: Passage) -> dict[str, float]:
    cited = tuple(Cited(n, p, p.text) for n, p in enumerate(passages, 1))
    return scored(_case(_place("season")), _observed(answer, cited)).scores


def test_claims_are_held_against_their_own_citations() -> None:
    said = "The season ticket costs 120 euros for adults. [1] A single ticket costs 4 euros. [2]"
    right = _of_claims(said, _SEASON, _SINGLE)
    assert (right["citation_precision"], right["claim_support"]) == (1.0, 1.0)
    swapped = _of_claims(said, _SINGLE, _SEASON)
    assert (swapped["citation_precision"], swapped["claim_support"]) == (0.0, 0.0)
    one_more = _of_claims("A single ticket costs 4 euros. [1][2]", _SINGLE, _NOISE)
    assert (one_more["citation_precision"], one_more["claim_support"]) == (0.5, 1.0)
    beyond = _of_claims("A single ticket costs 4 euros. [1][7]", _SINGLE)
    assert (beyond["citation_precision"], beyond["claim_support"]) == (0.5, 1.0)
    bare = _of_claims("A single ticket costs 4 euros. [1]\nThe lake is deep.", _SINGLE)
    assert (bare["citation_precision"], bare["claim_support"]) == (1.0, 0.5)


def test_two_citations_that_are_needed_together_are_both_precise() -> None:
    said = "The season ticket costs 120 euros and a single ticket costs 4 euros. [1][2]"
    assert _of_claims(said, _SEASON, _SINGLE)["citation_precision"] == 1.0


def test_a_claim_without_its_not_is_not_supported() -> None:
    cited = [Cited(1, _CLOSED, _CLOSED.text)]
    assert is_borne_out("The bath is not open on Mondays.", cited, "en")
    assert not is_borne_out("The bath is open on Mondays.", cited, "en")


@pytest.mark.parametrize(
    "told",
    [
        "Not only the dome but also the tower is open to members.",
        "It is unknown how many of them were members and not other guests.",
        "The price holds for adults, and not for members of the guild, as was said.",
    ],
)
def test_a_quote_from_which_only_the_not_is_gone_is_not_supported(told) -> None:
    cited = [Cited(1, _passage(told), told)]
    assert is_borne_out(told, cited, "en")
    assert not is_borne_out(told.replace("Not ", "").replace(" not ", " "), cited, "en")


_TABLE = """| Item | Tool | Price a day | Deposit |
| --- | --- | --- | --- |
| 10204 | Belt sander | 6.50 | 60 |
| 10207 | Orbital sander | 60 | 40 |
| 10305 | Circular saw | 7.00 | 65 |"""


@pytest.mark.parametrize(
    ("statement", "is_held"),
    [
        ("10204: Tool = Belt sander; Deposit = 60", True),
        ("Belt sander: Deposit = 60", True),
        ("10305: Tool = Circular saw; Price a day = 7.00; Deposit = 65", True),
        ("10204: Tool = Belt sander; Deposit = 65", False),
        ("10207: Tool = Orbital sander; Deposit = 60", False),
        ("10204: Tool = Circular saw; Deposit = 60", False),
    ],
)
def test_a_row_of_a_table_is_held_against_its_cells(statement, is_held) -> None:
    cited = [Cited(1, _passage(_TABLE), _TABLE.split("\n", 2)[2])]
    assert is_borne_out(statement, cited, "en") is is_held


def test_the_columns_of_a_row_may_stand_in_the_lead() -> None:
    row = "| Clearway Safety | CS-5561 | 25 |"
    passage = replace(_passage(row), over="| Name | Account | Minimum order |\n|---|---|---|")
    cited = [Cited(1, passage, row)]
    assert is_borne_out("Clearway Safety: Minimum order = 25", cited, "en")
    assert not is_borne_out("Clearway Safety: Account = 25", cited, "en")


def test_a_sentence_under_a_heading_is_a_whole_one_but_the_rest_of_one_is_not() -> None:
    said = "The meeting is on 18 June. Bring chairs. The chair will not stand again."
    cited = [Cited(1, _passage(f"5. Annual meeting\n{said}"), said)]
    assert is_borne_out(said, cited, "en")
    wrapped = _passage("It is not the case that\nSwimming is allowed at night in the lake.")
    cited = [Cited(1, wrapped, wrapped.text)]
    assert not is_borne_out("Swimming is allowed at night in the lake.", cited, "en")


@pytest.mark.parametrize(
    ("fact", "answer", "shown", "is_said"),
    [
        ("30 days", "Return it within thirty days.", "Return it within 30 days.", True),
        ("30 days", "It takes 130 days.", "It takes 30 days.", False),
        ("30 days", "It takes 30 weeks.", "It takes 30 days.", False),
        ("30 days", "It is not 30 days.", "It is 30 days.", False),
        ("1 March 2024", "It began on 2024-03-01.", "It began on 1 March 2024.", True),
        ("1 March 2024", "It began on 2 March 2024.", "It began on 1 March 2024.", False),
        ("2.5 million", "It cost 2,500,000 euros.", "It cost 2.5 million euros.", True),
        ("is allowed", "Swimming is not allowed.", "Swimming is allowed.", False),
        ("allowed", "Swimming is not allowed.", "Swimming is allowed.", False),
        ("not allowed", "Swimming is allowed.", "Swimming is not allowed.", False),
        ("not allowed", "Swimming is not allowed.", "Swimming is not allowed.", True),
        ("allowed", "Rowing is not allowed. Swimming is allowed.", "Swimming is allowed.", True),
        ("erlaubt", "Hunde sind nicht erlaubt.", "Hunde sind erlaubt.", False),
        ("at least 18", "They must be at most 18.", "They must be at least 18.", False),
        ("允许", "这里不允许游泳。", "这里允许游泳。", False),
        ("允许", "这里允许游泳。", "这里允许游泳。", True),
        ("Imelda Quist", "It was Otto Quist.", "It was Imelda Quist.", False),
    ],
)
def test_a_fact_is_said_in_its_words_or_others_but_not_denied(fact, answer, shown, is_said) -> None:
    assert says_fact(fact, answer, [shown], "en") is is_said


def test_facts_are_counted_one_by_one() -> None:
    place = _place("season ticket costs 120 euros; a single one 4 euros")
    case = _case(place, facts=("120 euros", "4 euros"), reference="120 euros; 4 euros")
    cited = (Cited(1, _SEASON, _SEASON.text),)
    said = "The season ticket costs 120 euros for adults. [1]"
    assert scored(case, _observed(said, cited)).scores["fact_coverage"] == 0.5


def test_refusals_are_scored_by_whether_there_is_an_answer() -> None:
    refused = Observed(REFUSAL, refused=True, ranked=(), cited=())
    rightly = scored(_case(), refused)
    assert rightly.scores == {"abstention": 1.0}
    assert rightly.unscored == {}
    wrongly = scored(_case(_place("x"), facts=("y",)), refused)
    assert wrongly.scores["false_abstention"] == 1.0
    assert wrongly.scores["fact_coverage"] == 0.0
    assert set(wrongly.unscored) == {"citation_precision", "claim_support"}


def test_an_answer_of_which_a_part_is_missing_is_no_abstention() -> None:
    partly = Observed(
        "A single ticket costs 4 euros. [1]",
        refused=False,
        ranked=(),
        cited=(Cited(1, _SINGLE, _SINGLE.text),),
        unsupported_parts=("and where are the towels?",),
    )
    assert scored(_case(_place("x")), partly).scores["false_abstention"] == 0.0
    assert scored(_case(), partly).scores["abstention"] == 0.0


def test_an_empty_library_is_a_failure_and_no_abstention() -> None:
    result = scored(_case(), Observed(NO_DOCUMENTS, refused=True, ranked=(), cited=()))
    assert (result.scores, result.failure) == ({}, NO_DOCUMENTS)


def test_the_answer_as_json_shows_what_the_answer_shows(tmp_path) -> None:
    from local_rag.api.schemas import answer_json
    from local_rag.composition import open_throwaway_services
    from local_rag.settings import load_settings

    (tmp_path / "bath.md").write_text("# Bath\n\nThe season ticket costs 120 euros.\n", "utf-8")
    settings = load_settings(data_dir=tmp_path / "data", chat_provider="extractive")
    with open_throwaway_services(settings) as services:
        services.library.add(tmp_path / "bath.md", "bath.md")
        answer = services.desk.answer("What does the season ticket cost?")
    seen, read = observed_answer(answer), observed_json(answer_json(answer))
    assert seen.ranked
    assert [p.text for p in seen.ranked] == [p.text for p in read.ranked]
    assert [(c.number, c.quote) for c in seen.cited] == [(c.number, c.quote) for c in read.cited]
    assert (seen.answer, seen.contexts, seen.writer) == (read.answer, read.contexts, read.writer)
    assert {p.page for p in (*seen.ranked, *read.ranked)} == {None}
