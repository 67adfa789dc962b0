"""A small set of golden cases over documents that it writes itself."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from local_rag.evaluation.cases import Case, write_cases

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = {
    "allotment.md": """# Rules of the Hollow Lane allotments

## Plots

Each plot measures 200 square metres. A tenancy begins on 1 March and runs for one year.
The annual rent of a plot is 84 euros, payable by 15 February.

## Bees and poultry

Bees may be kept on plots along the northern hedge. Cockerels are not allowed on any plot.
Up to six hens may be kept on a plot.

## Fires

Bonfires are not permitted between 1 April and 30 September. Ash has to be buried.
""",
    "boathouse.md": """# The boathouse at Elder Mere

## Hiring a boat

A rowing boat costs 12 euros an hour. A canoe costs 9 euros an hour.
Life jackets are handed out free of charge at the jetty.

## Season

The boathouse opens on 20 May and closes on 4 October. Swimming from the jetty is not allowed.

## Staff

The keeper of the boathouse is Oda Brandvik. Repairs are done by Piet Varga.
""",
    "library.txt": """The reading room of Tarn Street

The reading room has 46 seats. It opens at 9:30 on weekdays and stays shut on Sundays.

Loans run for 21 days. A loan can be extended twice, unless another reader has reserved the book.

Bound newspapers may not be taken home. Photographs without flash are allowed everywhere.

The founder of the reading room was Imelda Quist, a printer, who opened it in 1907.
""",
    "tram.txt": """Tram line 7

Line 7 runs from Mill Gate to Quarry Park. The journey takes 38 minutes.

A single ticket costs 2.40 euros and is valid for 90 minutes. Dogs travel free of charge.

Bicycles are not carried before 9:00 on weekdays. Lost property is kept at the depot for 30 days.

The depot stands in Foundry Row. Its manager is Runa Castellan.
""",
    "observatory.md": """# Observatory on Crow Hill

## Visits

Guided visits take place on Fridays at 20:00. Children under six are not admitted to the dome.
A guided visit costs 7 euros.

## Instruments

The main telescope has a mirror of 1.2 metres. It was built in 1968 by the firm Halden Optics.

## Funding

The observatory is paid for by the county and by a foundation.
""",
}

_ANSWERABLE = (
    ("plot-rent", "What is the annual rent of a plot?", "number",
     [("allotment.md", "The annual rent of a plot is 84 euros")], ["84 euros"]),
    ("plot-size", "How large is each plot?", "number",
     [("allotment.md", "Each plot measures 200 square metres")], ["200 square metres"]),
    ("cockerels", "Are cockerels allowed on a plot?", "rule",
     [("allotment.md", "Cockerels are not allowed on any plot")], ["not allowed"]),
    ("bonfires", "When are bonfires not permitted?", "rule",
     [("allotment.md", "Bonfires are not permitted between 1 April and 30 September")],
     ["not permitted between 1 April and 30 September"]),
    ("rowing", "What does a rowing boat cost an hour?", "number",
     [("boathouse.md", "A rowing boat costs 12 euros an hour")], ["12 euros"]),
    ("swimming", "Is swimming from the jetty allowed?", "rule",
     [("boathouse.md", "Swimming from the jetty is not allowed")], ["not allowed"]),
    ("keeper", "Who is the keeper of the boathouse?", "name",
     [("boathouse.md", "The keeper of the boathouse is Oda Brandvik")], ["Oda Brandvik"]),
    ("seats", "How many seats does the reading room have?", "number",
     [("library.txt", "The reading room has 46 seats")], ["46 seats"]),
    ("newspapers", "May bound newspapers be taken home?", "rule",
     [("library.txt", "Bound newspapers may not be taken home")], ["may not be taken home"]),
    ("founder", "Who was the founder of the reading room?", "name",
     [("library.txt", "The founder of the reading room was Imelda Quist")], ["Imelda Quist"]),
    ("journey", "How long does the journey of line 7 take?", "number",
     [("tram.txt", "The journey takes 38 minutes")], ["38 minutes"]),
    ("bicycles", "Are bicycles carried before 9:00 on weekdays?", "rule",
     [("tram.txt", "Bicycles are not carried before 9:00 on weekdays")], ["not carried"]),
    ("depot", "Who is the manager of the depot in Foundry Row?", "name",
     [("tram.txt", "Its manager is Runa Castellan")], ["Runa Castellan"]),
    ("mirror", "What mirror does the main telescope have?", "number",
     [("observatory.md", "The main telescope has a mirror of 1.2 metres")], ["1.2 metres"]),
    ("children", "Are children under six admitted to the dome?", "rule",
     [("observatory.md", "Children under six are not admitted to the dome")], ["not admitted"]),
)  # fmt: skip
_TWO_PLACES = (
    ("prices", "What does a canoe cost an hour? What does a guided visit of the observatory cost?",
     "two places",
     [("boathouse.md", "A canoe costs 9 euros an hour"),
      ("observatory.md", "A guided visit costs 7 euros")], ["9 euros", "7 euros"]),
    ("free", "Which things are free of charge?", "two places",
     [("boathouse.md", "Life jackets are handed out free of charge"),
      ("tram.txt", "Dogs travel free of charge")], []),
    ("not-allowed", "What is not allowed on a plot and on the jetty?", "two places",
     [("allotment.md", "Cockerels are not allowed on any plot"),
      ("boathouse.md", "Swimming from the jetty is not allowed")], []),
    ("days", "How many days do loans of books run, and how many days is lost property kept?",
     "two places",
     [("library.txt", "Loans run for 21 days"),
      ("tram.txt", "Lost property is kept at the depot for 30 days")], ["21 days", "30 days"]),
    ("euros", "Which visits and tickets cost euros?", "two places",
     [("observatory.md", "A guided visit costs 7 euros"),
      ("tram.txt", "A single ticket costs 2.40 euros")], []),
    ("names", "Who is the manager of the depot, and who is the keeper of the boathouse?",
     "two places",
     [("tram.txt", "Its manager is Runa Castellan"),
      ("boathouse.md", "The keeper of the boathouse is Oda Brandvik")],
     ["Runa Castellan", "Oda Brandvik"]),
)  # fmt: skip
_UNANSWERABLE = (
    ("no-orbit", "What is the orbital period of Neptune?"),
    ("no-pension", "How is the pension of judges calculated in Norway?"),
    ("no-recipe", "Which spices belong in a vindaloo curry?"),
    ("no-chess", "Who won the chess world championship in 1972?"),
)


FEW = ("plot-rent", "seats", "names", "no-chess")


def write_set(
    folder: Path, only: tuple[str, ...] | None = None, **changes: object
) -> tuple[Path, Path]:
    """The folder of documents and the file of cases.

    Args:
        only: the ids of the cases that it has; all where it is ``None``.
        changes: fields that all of them have otherwise.
    """
    documents = folder / "documents"
    documents.mkdir(parents=True, exist_ok=True)
    for name, text in DOCUMENTS.items():
        (documents / name).write_text(text, "utf-8", newline="\n")
    path = folder / "cases.jsonl"
    chosen = [case for case in cases() if only is None or case.case_id in only]
    write_cases(path, [case.model_copy(update=changes) for case in chosen])
    return documents, path


def cases() -> list[Case]:
    """All cases, approved."""
    found = [_answerable(*row) for row in (*_ANSWERABLE, *_TWO_PLACES)]
    return found + [_case(case_id, question) for case_id, question in _UNANSWERABLE]


def _answerable(
    case_id: str, question: str, kind: str, places: list[tuple[str, str]], facts: list[str]
) -> Case:
    return _case(
        case_id,
        question,
        question_type=kind,
        answerable=True,
        expected_evidence=[
            {
                "source": source,
                "source_sha256": hashlib.sha256(DOCUMENTS[source].encode()).hexdigest(),
                "contains": [text],
                "evidence_group": str(number),
            }
            for number, (source, text) in enumerate(places, 1)
        ],
        required_facts=facts,
        reference_answer=" ".join(f"{text}." for _, text in places),
    )


def _case(case_id: str, question: str, **more: object) -> Case:
    row = {
        "case_id": case_id,
        "dataset_version": "1",
        "split": "dev",
        "corpus_id": "small",
        "corpus_version": "1",
        "question": question,
        "question_type": "nothing there",
        "answerable": False,
        "generation_method": "hand",
        "review_status": "approved_gold",
        "reviewer": "tests",
        "reviewed_at": "2026-01-02T03:04:05Z",
        "approved_at": "2026-01-02T03:04:05Z",
    }
    return Case.model_validate(row | more)
