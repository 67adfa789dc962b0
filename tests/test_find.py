"""Searching in one document, and tagging it, through the API and by themselves."""

from __future__ import annotations

import pymupdf
import pytest
from fakes import FakeCatalog
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from local_rag.api.app import create_app
from local_rag.composition import open_services
from local_rag.errors import InvalidRequest, UnknownDocument
from local_rag.model.document import Document, Extraction, Page, Word
from local_rag.settings import Settings
from local_rag.usecases.find import MOST_PLACES, find_in_document
from local_rag.usecases.tags import MOST_TAGS, tag_document

ID = "a" * 32


def catalog_of(*texts: str) -> FakeCatalog:
    pages = tuple(Page(n, text) for n, text in enumerate(texts, 1))
    document = Document(ID, "a.txt", "text/plain", "b" * 64, 1, len(pages), 1, None, "2026")
    made = FakeCatalog()
    made.stage(document, Extraction(pages, ()), [])
    made.publish(ID)
    return made


def found(text: str, sought: str) -> list[str]:
    return [place.match for place in find_in_document(catalog_of(text), ID, sought).places]


@pytest.mark.parametrize(
    ("text", "sought", "matches"),
    [
        ("The Lamp and the lamp.", "LAMP", ["Lamp", "lamp"]),
        ("Café, cafe\u0301 and CAFE", "cafe", ["Café", "cafe\u0301", "CAFE"]),
        ("Straße", "STRASSE", ["Straße"]),
        ("the big\n  house", "big house", ["big\n  house"]),
        ("the \ufb01rst file", "fir", ["\ufb01r"]),
        ("a.b (c) a+b", "a.b", ["a.b"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("co\u00adoperate", "cooperate", ["co\u00adoperate"]),
        ("nothing here", "there", []),
    ],
)
def test_words_are_found_as_they_stand_whatever_case_accents_and_spaces(text, sought, matches):
    assert found(text, sought) == matches


@given(st.text(min_size=1, max_size=40), st.data())
def test_every_stretch_of_a_text_is_found_in_it(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    sought = text[start:end].strip()
    try:
        places = find_in_document(catalog_of(text), ID, sought).places
    except InvalidRequest:  # accents and white space alone are nothing to look for
        return
    assert all(text[place.start : place.end] == place.match for place in places)
    assert places


def test_places_tell_their_page_and_what_stands_around_and_are_bounded():
    result = find_in_document(catalog_of("one lamp, two", "no", "lamp " * 300), ID, "lamp")
    assert result.total == 301
    assert len(result.places) == MOST_PLACES
    first, second = result.places[:2]
    assert (first.page_number, first.before, first.after) == (1, "one ", ", two")
    assert (second.page_number, second.start, second.end) == (3, 0, 4)


def test_the_boxes_are_those_of_the_words_found():
    words = (Word(0, 3, 10, 10, 30, 20), Word(4, 8, 33, 10, 60, 20))
    made = FakeCatalog()
    document = Document(ID, "a.pdf", "application/pdf", "b" * 64, 1, 1, 1, None, "2026")
    made.stage(document, Extraction((Page(1, "one lamp", None, 90, 90, words),), ()), [])
    made.publish(ID)
    [place] = find_in_document(made, ID, "lamp").places
    [box] = place.rectangles
    assert (box.x0, box.y0, box.x1, box.y1) == (33, 10, 60, 20)


def test_nothing_to_look_for_is_an_error():
    for sought in ("", "   ", "\u0301", "x" * 201):
        with pytest.raises(InvalidRequest):
            find_in_document(catalog_of("text"), ID, sought)
    with pytest.raises(UnknownDocument):
        find_in_document(catalog_of("text"), "f" * 32, "text")


def test_tags_are_cleaned_and_bounded():
    made = catalog_of("text")
    assert tag_document(made, ID, [" Sea ", "sea", "", "two\n words", "e\u0301"]) == (
        "Sea",
        "two words",
        "é",
    )
    assert made.tags()[ID] == ("Sea", "two words", "é")
    for wrong in (["x" * 51], [str(n) for n in range(MOST_TAGS + 1)]):
        with pytest.raises(InvalidRequest):
            tag_document(made, ID, wrong)
    assert made.tags()[ID] == ("Sea", "two words", "é")


@pytest.fixture
def client(tmp_path):
    settings = Settings(data_dir=tmp_path, chat_provider="extractive", _env_file=None)
    with open_services(settings) as services:
        services.jobs.start()
        yield TestClient(create_app(services), base_url="http://127.0.0.1")


def upload(client: TestClient, content: bytes, name: str) -> dict:
    reply = client.post("/api/documents", files={"file": (name, content)})
    return reply.json()["document"]


def test_a_document_is_searched_and_tagged_over_http(client):
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=400, height=600)
        page.insert_text((50, 100), "The lighthouse of Norbury was built of granite.")
        page.set_rotation(90)
        document = upload(client, pdf.tobytes(), "light.pdf")
    path = f"/api/documents/{document['document_id']}"
    reply = client.get(f"{path}/search", params={"q": "NORBÜRY"}).json()
    assert reply["total"] == 1
    [place] = reply["places"]
    assert place["match"] == "Norbury"
    [[x0, y0, x1, y1]] = place["rectangles"]
    assert 600 > x1 > x0 > 480  # turned: the line stands at the right, running down
    assert 400 > y1 > y0 > 100
    assert client.get(f"{path}/search", params={"q": ""}).status_code == 422
    assert client.get(f"/api/documents/{'f' * 32}/search?q=x").status_code == 404

    assert document["tags"] == []
    assert client.patch(path, json={"tags": ["coast", " Coast "]}).json()["tags"] == ["coast"]
    assert client.get("/api/documents").json()["documents"][0]["tags"] == ["coast"]
    assert client.get(path).json()["tags"] == ["coast"]
    for wrong in ({}, {"tags": "x"}, {"tags": [1]}, {"tags": [], "name": "y"}):
        assert client.patch(path, json=wrong).status_code == 422


def test_only_kinds_without_scripts_are_shown_in_place_of_a_download(client):
    with pymupdf.open() as pdf:
        pdf.new_page().insert_text((50, 100), "Some words of a page.")
        shown = upload(client, pdf.tobytes(), "a.pdf")
    hidden = upload(client, b"<html><body><p>Some words.</p></body></html>", "a.html")
    for document, kind in ((shown, "inline"), (hidden, "attachment")):
        reply = client.get(f"/api/documents/{document['document_id']}/original?view=true")
        assert reply.headers["content-disposition"].startswith(kind)
        assert reply.headers["x-content-type-options"] == "nosniff"
    plain = client.get(f"/api/documents/{shown['document_id']}/original")
    assert plain.headers["content-disposition"].startswith("attachment")


def test_the_page_is_told_its_languages(client):
    assert 'data-languages="de en"' in client.get("/").text
