"""``local-rag-eval-data``: what it writes, refuses and says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from silver_sources import LocalExtractor, sources_of

from local_rag.cli.evaluate import data
from local_rag.cli.evaluate.data_review import review
from local_rag.errors import InvalidRequest
from local_rag.evaluation.cases import Case, case_line, read_cases, write_cases
from local_rag.evaluation.release import broken_against, broken_manifest, diff, manifest_path

_TEXT = (
    "# House rules of the Alder Hall\n\nHere is what all of the members should know. The bell "
    "tower was built in 1873. The deposit for a trailer is 80 pounds.\n"
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own settings, and documents that are read in this process."""
    from contextlib import contextmanager

    monkeypatch.setenv("RAG_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("RAG_CHAT_PROVIDER", "extractive")

    @contextmanager
    def local(settings):
        yield LocalExtractor()

    monkeypatch.setattr("local_rag.beside.open_extractor", local)
    monkeypatch.setattr("local_rag.cli.evaluate.data_generate.open_extractor", local)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sources_of(tmp_path / "docs", **{"rules & ü “x”_md": _TEXT})
    return tmp_path / "docs"


@pytest.fixture
def made(folder: Path, tmp_path: Path) -> Path:
    assert data.main(["generate", str(folder), str(tmp_path / "set.jsonl")]) == 0
    return tmp_path / "set.jsonl"


def _ids(path: Path) -> list[str]:
    return [case.case_id for case in read_cases(path)]


def _decide(path: Path, command: str = "approve", *ids: str) -> int:
    return data.main([command, str(path), *(ids or _ids(path)), "--reviewer", "Ada"])


def test_a_set_is_generated_and_never_overwritten(made: Path, folder: Path, capsys) -> None:
    before = made.read_bytes()
    assert len(read_cases(made)) >= 2
    capsys.readouterr()
    assert data.main(["generate", str(folder), str(made)]) == 2
    assert "set.jsonl is there already. fix: " in capsys.readouterr().err
    assert made.read_bytes() == before


def test_force_makes_candidates_anew_and_keeps_what_was_reviewed(made: Path, folder: Path) -> None:
    first, *rest = _ids(made)
    assert _decide(made, "reject", first) == 0
    cases = read_cases(made)
    stale = cases[1].model_copy(update={"case_id": "silver-stale"})
    write_cases(made, [*cases, stale])
    assert data.main(["generate", str(folder), str(made), "--force"]) == 0
    assert sorted(_ids(made)) == sorted([first, *rest])
    assert read_cases(made)[0].review_status == "rejected"


@pytest.mark.parametrize("broken", [b"{", b"\xff\xfe", b'{"case_id": 1}\n'])
def test_force_leaves_a_broken_set_alone(tmp_path: Path, folder: Path, broken: bytes) -> None:
    out = tmp_path / "broken.jsonl"
    out.write_bytes(broken)
    assert data.main(["generate", str(folder), str(out), "--force"]) == 2
    assert out.read_bytes() == broken


def test_force_fills_a_set_of_no_cases(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n\n")
    assert data.main(["generate", str(folder), str(tmp_path / "empty.jsonl"), "--force"]) == 0
    assert _ids(tmp_path / "empty.jsonl")


def test_where_nothing_can_be_asked_no_set_is_written(tmp_path: Path, capsys) -> None:
    sources_of(tmp_path / "dull", a_txt="Well, well.")
    assert data.main(["generate", str(tmp_path / "dull"), str(tmp_path / "o.jsonl")]) == 2
    assert "no fact" in capsys.readouterr().err
    assert not (tmp_path / "o.jsonl").exists()
    assert data.main(["generate", str(tmp_path / "nowhere"), str(tmp_path / "o.jsonl")]) == 2


def test_a_good_set_is_valid_with_its_documents(made: Path, folder: Path, capsys) -> None:
    capsys.readouterr()
    assert data.main(["validate", str(made), "--documents", str(folder)]) == 0
    assert capsys.readouterr().out == f"{len(_ids(made))} cases, 0 broken rules\n"


def test_each_broken_rule_is_named_with_its_line_windows_line_ends_and_all(
    made: Path, capsys
) -> None:
    rows = [json.loads(line) for line in made.read_text("utf-8").splitlines()]
    rows[1]["required_facts"] = ["\u202e<b>"]
    rows[1]["colour"] = 1
    made.write_bytes("\r\n".join(map(json.dumps, rows)).encode() + b"\r\n\r\nnonsense\r\n")
    capsys.readouterr()
    assert data.main(["validate", str(made)]) == 1
    said = capsys.readouterr().out
    assert "line 2: colour: is no known field" in said
    assert f"line {len(rows) + 2}: " in said
    assert "\u202e" not in said


def test_a_set_of_no_cases_is_valid_but_cannot_be_frozen(tmp_path: Path, capsys) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert data.main(["validate", str(empty)]) == 0
    assert capsys.readouterr().out == "0 cases, 0 broken rules\n"
    assert data.main(["freeze", str(empty), str(tmp_path / "r.jsonl")]) == 2
    assert data.main(["validate", str(tmp_path / "missing.jsonl")]) == 2


def test_documents_that_changed_or_do_not_hold_the_words_are_named(
    made: Path, folder: Path, tmp_path: Path
) -> None:
    cases = read_cases(made)
    (one,) = cases[0].expected_evidence
    (other,) = sources_of(tmp_path / "other", **{"rules & ü “x”_md": _TEXT + "More.\n"})
    assert broken_against(cases[:1], [other]) == [
        f"{cases[0].case_id}: {one.source}: has another hash in the documents"
    ]
    (text,) = sources_of(folder)
    moved = one.model_copy(update={"contains": ["not there"], "page": None})
    assert broken_against([cases[0].model_copy(update={"expected_evidence": [moved]})], [text]) == [
        f"{cases[0].case_id}: {one.source}: does not hold 'not there'"
    ]
    far = one.model_copy(update={"page": 9})
    assert broken_against([cases[0].model_copy(update={"expected_evidence": [far]})], [text]) == [
        f"{cases[0].case_id}: {one.source}: has no page 9"
    ]
    assert broken_against(cases[:1], []) == [
        f"{cases[0].case_id}: {one.source}: is not in the documents"
    ]


def test_a_verdict_names_reviewer_and_time_and_an_unknown_id_changes_nothing(made: Path) -> None:
    first = _ids(made)[0]
    assert _decide(made, "approve", first) == 0
    case = read_cases(made)[0]
    assert (case.review_status, case.reviewer) == ("approved_gold", "Ada")
    assert case.approved_at == case.reviewed_at
    before = made.read_bytes()
    assert _decide(made, "reject", first, "silver-unknown") == 2
    assert data.main(["approve", str(made), first, "--reviewer", " "]) == 2
    assert made.read_bytes() == before


def test_only_approved_cases_are_frozen_with_their_manifest(made: Path, tmp_path: Path) -> None:
    first, *_ = _ids(made)
    _decide(made, "approve", first)
    out = tmp_path / "release.jsonl"
    assert data.main(["freeze", str(made), str(out), "--version", "2.0"]) == 0
    (case,) = read_cases(out)
    assert (case.case_id, case.dataset_version) == (first, "2.0")
    said = json.loads(manifest_path(out).read_text("utf-8"))
    assert list(said["cases"]) == [first]
    assert said["counts"]["cases"] == 1
    assert said["sources"] == {one.source: one.source_sha256 for one in case.expected_evidence}
    assert broken_manifest(out, [case]) == []
    assert data.main(["validate", str(out)]) == 0


def test_another_frozen_set_is_never_replaced_the_same_one_may_be(
    made: Path, tmp_path: Path
) -> None:
    first, second, *_ = _ids(made)
    out = tmp_path / "release.jsonl"
    _decide(made, "approve", first)
    assert data.main(["freeze", str(made), str(out)]) == 0
    before = out.read_bytes()
    assert data.main(["freeze", str(made), str(out)]) == 0
    _decide(made, "approve", second)
    assert data.main(["freeze", str(made), str(out)]) == 2
    assert out.read_bytes() == before
    assert data.main(["freeze", str(made), str(made)]) == 2  # a set without a manifest
    assert _ids(made)[:2] == [first, second]


def test_what_was_changed_since_the_freeze_is_told(made: Path, tmp_path: Path, capsys) -> None:
    _decide(made)
    out = tmp_path / "release.jsonl"
    data.main(["freeze", str(made), str(out)])
    cases = read_cases(out)
    changed = cases[0].model_copy(update={"question": "Other?"})
    write_cases(out, [changed, *cases[2:]])
    capsys.readouterr()
    assert data.main(["validate", str(out)]) == 1
    said = capsys.readouterr().out
    assert f"{cases[0].case_id!r} was changed since the set was frozen" in said
    assert f"{cases[1].case_id!r} was removed since the set was frozen" in said
    write_cases(out, cases[::-1])
    assert "order" in broken_manifest(out, cases[::-1])[0]
    out.write_bytes("\r\n".join(map(case_line, cases)).encode())
    assert "byte for byte" in broken_manifest(out, cases)[0]
    for broken in ("[]", "{", '{"cases": 3}'):
        manifest_path(out).write_text(broken)
        assert broken_manifest(out, cases) == ["release.jsonl.manifest.json: is no manifest"]


def test_two_sets_are_compared_by_id_field_and_status(made: Path, tmp_path: Path, capsys) -> None:
    cases = read_cases(made)
    other = tmp_path / "other.jsonl"
    write_cases(other, cases)
    assert data.main(["diff", str(made), str(other)]) == 0
    new = cases[0].model_copy(update={"case_id": "new\u202e"})
    asked = cases[0].model_copy(update={"question": "Other?", "tags": ["x"]})
    write_cases(other, [new, asked, *cases[2:]])
    _decide(other, "approve", *[case.case_id for case in cases[2:3]])
    capsys.readouterr()
    assert data.main(["diff", str(made), str(other)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[:3] == ["+ new", f"- {cases[1].case_id}", f"~ {asked.case_id}: question, tags"]
    assert said[-1] == f"1 added, 1 removed, 1 changed, {len(cases[2:3])} of another status"
    assert not diff(cases, cases[::-1])


class _Person:
    """Types lines; what is shown stands in ``seen``, what was asked for among it."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.seen: list[str] = []

    def ask(self, prompt: str) -> str:
        self.seen.append(f"> {prompt}")
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def _reviewed(path: Path, person: _Person, folder: Path | None = None) -> list[Case]:
    texts = sources_of(folder) if folder else []
    assert review(path, "Ada", texts, person.ask, person.seen.append) == 0
    return read_cases(path)


def test_the_answer_is_shown_only_after_the_source_was(made: Path, folder: Path) -> None:
    case = read_cases(made)[0]
    person = _Person("", "I say so", "q")
    _reviewed(made, person, folder)
    (pause,) = [i for i, line in enumerate(person.seen) if "once you have read" in line]
    before, after = "".join(person.seen[:pause]), "".join(person.seen[pause:])
    assert case.question in " ".join(before.split())
    assert "Here is what all of the members should know." in " ".join(before.split())
    assert "Proposed" not in before
    assert "Required facts" not in before
    assert after.index("I say so") < after.index("Proposed answer")


def test_each_verdict_is_saved_at_once_and_the_rest_waits(made: Path) -> None:
    ids = _ids(made)
    cases = _reviewed(made, _Person("", "", "a", "", "", "r"))  # then the input ends
    assert [case.review_status for case in cases[:2]] == ["approved_gold", "rejected"]
    again = _Person("", "", "q")
    _reviewed(made, again)
    assert f"1 of {len(ids) - 2}" in "".join(again.seen)


def test_a_verdict_that_another_reviewer_gave_meanwhile_stays(made: Path) -> None:
    ids = _ids(made)

    class Two(_Person):
        """While the first case is looked at, somebody else decides the first and the third."""

        def ask(self, prompt: str) -> str:
            if len(self.lines) == len(typed):
                assert _decide(made, "reject", ids[0], ids[2]) == 0
            return super().ask(prompt)

    typed = ["", "", "a", "", "", "a"]
    person = Two(*typed)
    cases = _reviewed(made, person)
    said = [case.review_status for case in cases[:3]]
    assert said == ["rejected", "approved_gold", "rejected"]
    assert "this verdict is not saved" in "".join(person.seen)
    assert f"1 case decided, {len(ids) - 3} left" in person.seen[-1]


def test_a_skipped_case_stays_as_it_is(made: Path) -> None:
    before = made.read_bytes()
    skipped = ["", "", "s"] * len(_ids(made))
    _reviewed(made, _Person(*skipped))
    assert made.read_bytes() == before


def test_an_edited_case_is_shown_again_and_can_be_approved(made: Path) -> None:
    edits = ["When did they build the bell tower?", *[""] * 7]
    (case, *_) = _reviewed(made, _Person("", "", "e", *edits, "a"))
    assert case.question == "When did they build the bell tower?"
    assert case.review_status == "approved_gold"


def test_an_edit_that_breaks_a_rule_is_told_and_leaves_the_case(made: Path) -> None:
    before = made.read_bytes()
    edits = ["", "", "", "", '["9999"]', "no json", "", ""]
    person = _Person("", "", "e", *edits, "?", "q")
    _reviewed(made, person)
    said = "".join(person.seen)
    assert "'9999' is not in the evidence" in said
    assert "That is no JSON" in said
    assert made.read_bytes() == before


def test_hostile_texts_do_not_steer_the_terminal(made: Path) -> None:
    cases = read_cases(made)
    changes = {"question": "A\x1b[2J\u202eB?", "reference_answer": "\x1b 1873"}
    hostile = cases[0].model_copy(update=changes)
    write_cases(made, [hostile, *cases[1:]])
    person = _Person("", "\x1b[31m", "q")
    review(made, "Ada", [], person.ask, person.seen.append)
    assert not {"\x1b", "\u202e"} & set("".join(person.seen))


def test_a_reviewer_without_a_name_decides_nothing(made: Path) -> None:
    with pytest.raises(InvalidRequest, match="reviewer"):
        review(made, " \u200b", [], _Person().ask, print)


def test_places_of_one_page_are_shown_together_and_missing_words_are_named(
    made: Path, folder: Path
) -> None:
    case = next(case for case in read_cases(made) if case.answerable)
    (one,) = case.expected_evidence
    near = one.model_copy(update={"contains": ["should  KNOW"], "evidence_hash": None})
    far = one.model_copy(update={"contains": ["quite elsewhere"], "evidence_hash": None})
    write_cases(made, [case.model_copy(update={"expected_evidence": [one, near, far]})])
    person = _Person("", "", "q")
    _reviewed(made, person, folder)
    said = " ".join("".join(person.seen).split())
    assert said.count("Here is what all of the members") == 1
    assert "These words are not there: quite elsewhere" in said
