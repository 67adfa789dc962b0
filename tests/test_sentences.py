"""Where sentences begin and end."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_rag.text.sentences import sentences


def split(text, language="und"):
    return [text[start:end] for start, end in sentences(text, language)]


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("en", ["Dr. J. R. Smith et al. (2017) showed it.", "See Fig. 3.", "It is 3.5 in v1.2.3."]),
        (
            "en",
            ["Use a list, e.g. Python's, i.e. a sequence.", "The rest is no.", "No. 5 is alive."],
        ),
        ("en", ["So it was in the U.S.", "The rest of the U.S. Army left.", "Then it ended."]),
        ("en", ["He asked why?", "Nobody knew!", "Wait… what?", "Never mind."]),
        ("en", ['"Really?" he asked.', '"Yes."', "(And this too.)", "Done."]),
        ("en", ["It was shown [12].", "Twice.[3, 4]", "Thrice. [5]", "Never."]),
        ("de", ["Am 3. Oktober war das z. B. im 19. Jahrhundert so, bzw. nicht.", "Dann nicht."]),
        (
            "de",
            ["Herr Dr. Meier zahlte für Nr. 5 ca. 3,50 Euro.", "Es waren 3.", "Danach ging er."],
        ),
        ("fr", ["M. Dupont, p. ex. le Dr. Roux, est venu.", "Il part."]),
        ("es", ["El Sr. García vino.", "¿Qué dijo?", "¡Nada!"]),
        ("pt", ["O Sr. Silva mora na Av. Paulista.", "Ele saiu."]),
        ("it", ["Il Dott. Rossi arriva.", "Poi parte."]),
        ("ar", ["هل هذا صحيح؟", "نعم هو.", "كذلك۔", "تم"]),
    ],
)
def test_a_paragraph_is_divided_at_its_sentences_only(language, parts):
    assert split(" ".join(parts), language) == parts


def test_chinese_sentences_end_with_their_closing_quotes():
    assert split("他说：“你好。”然后走了！真的？（完了。）好", "zh") == [
        "他说：“你好。”", "然后走了！", "真的？", "（完了。）", "好",
    ]  # fmt: skip


def test_a_line_break_within_a_paragraph_ends_nothing_and_a_blank_line_ends_everything():
    assert split("A title\n\nThe text goes\non here. And\nmore\n\nlast") == [
        "A title", "The text goes\non here.", "And\nmore", "last",
    ]  # fmt: skip


def test_list_items_headings_rows_and_fences_are_units():
    text = (
        "# Setup\nTo install:\n1. Open it.\n2. Press it. Wait.\n   Longer.\n- a\n* b\n\n"
        "| x | 1. |\n|---|----|\n```\ny = 1.\n\nz\n```\nEnd. Of it."
    )
    assert split(text) == [
        "# Setup", "To install:", "1. Open it.", "2. Press it. Wait.\n   Longer.", "- a", "* b",
        "| x | 1. |", "|---|----|", "```\ny = 1.\n\nz\n```", "End.", "Of it.",
    ]  # fmt: skip


def test_a_wrapped_line_that_begins_with_a_number_is_no_list_item():
    text = "Der Vertrag wurde von beiden Seiten am\n3. Oktober unterschrieben."
    assert split(text, "de") == [text]


def test_bullets_within_a_line_are_units():
    assert split("We need: • salt • water") == ["We need:", "• salt", "• water"]


TEXT = st.text(alphabet=st.sampled_from('aB1 .\n\t!?。”"[]()-•|`#:…é人\u00a0')) | st.text()


@given(TEXT, st.sampled_from(["und", "en", "de", "zh"]))
def test_spans_are_ordered_disjoint_trimmed_and_cover_all_that_is_not_white_space(text, language):
    spans = sentences(text, language)
    at = 0
    left = []
    for start, end in spans:
        assert at <= start < end
        assert text[start:end] == text[start:end].strip()
        left.append(text[at:start])
        at = end
    left.append(text[at:])
    assert "".join(left).strip() == ""


@pytest.mark.parametrize(
    "piece",
    [
        ".",
        "a. ",
        "1. ",
        "[1",
        "(",
        " ",
        "a\n",
        "- a\n",
        "U.S.A.",
        ". [1,,,,",
        "\n1. ",
        "x" * 9,
        "```",
    ],
)
def test_time_grows_with_length_only(piece):
    text = piece * (100_000 // len(piece))
    begun = time.process_time()
    sentences(text, "de")
    assert time.process_time() - begun < 1.0


def test_a_code_after_no_belongs_to_the_sentence() -> None:
    text = "See Docket No. FAA-2020-0746 for more. No. It is not there."
    found = [text[start:end] for start, end in sentences(text, "en")]
    assert found == ["See Docket No. FAA-2020-0746 for more.", "No.", "It is not there."]


def _found(text: str, language: str = "en") -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in sentences(text, language)]


def test_a_sentence_runs_on_behind_a_formula_set_apart() -> None:
    formula = "\n\nL = ∑ x² ,\n\nwhere x is the error.\n\nNext part."
    text = f"The loss that is made as small as can be is given by{formula}"
    assert _found(text) == [
        "The loss that is made as small as can be is given by L = ∑ x² , where x is the error.",
        "Next part.",
    ]


def test_a_heading_is_not_joined_to_the_paragraph_below() -> None:
    assert _found("Introduction\n\nthe pump is red.") == ["Introduction", "the pump is red."]


def test_lines_of_names_and_values_stand_alone() -> None:
    text = "Colour: red\nWeight: 12 kg\nIt is kept in the cellar\nof the house."
    assert _found(text) == [
        "Colour: red",
        "Weight: 12 kg",
        "It is kept in the cellar of the house.",
    ]


def test_a_sign_of_multiplication_in_a_wrapped_line_is_no_list_mark() -> None:
    assert _found("The cost is 3.3\n·10 to the power of 18.") == [
        "The cost is 3.3 ·10 to the power of 18."
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("ALDER GMBH Hafenstrasse 12\nINVOICE\nDate: 3 March\nTotal due 71.40 EUR", 4),
        ("Ann Lee, sales, 030 7654321\nBo Kim, support, 030 7654322\nCy Poe, lab, 030 7654323", 3),
        ("The pump was built in\nthe town of Basel and it\nruns since 1998 without\nany fault.", 1),
        ("Die Pumpe wurde 1998 in der\nStadt Basel gebaut und läuft\nOhne Pause im Keller.", 1),
        (
            "这座桥建于一九二〇年，全长三百米，\n连接城市的两个部分，每天有许多\n车辆通过，是当地最重要的建筑。",
            1,
        ),
    ],
)
def test_lines_are_sentences_of_their_own_unless_they_were_wrapped(text, count):
    assert len(sentences(text)) == count
