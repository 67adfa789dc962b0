"""The page as it is sent: drawn in the reader's language, linked to files that never change."""

from __future__ import annotations

import gzip
import re

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from local_rag.api.page import StaticFiles, page_response, wanted_language
from local_rag.api.page_files import PageFiles, web_folder

SHELL = """<!doctype html><html lang="en" data-languages=""><head>
<link rel="stylesheet" href="/static/css/a.css"><!-- modules --></head>
<body><p title="{{tip}}">{{hello}}</p></body></html>"""
MAIN = """/** @typedef {import('./types.js').T} T */
import { a } from './one.js';
import {
  b,
} from './parts/two.js';
import './three.js';
const later = () => import('./four.js');
"""


@pytest.fixture
def folder(tmp_path):
    texts = {
        "index.html": SHELL,
        "css/a.css": "p { color: red; }\n" * 50,
        "js/main.js": MAIN,
        "js/one.js": "export { c } from './three.js';\n",
        "js/parts/two.js": "import { c } from '../three.js';\n",
        "js/three.js": "export const c = './two.js';\n",
        "js/four.js": "",
        "js/types.js": "",
        "js/languages/en.js": "export default {\n  hello: 'Hello',\n  tip: 'It\\'s \"so\"',\n};\n",
        "js/languages/de.js": "export default {\n  hello: 'Grüß <Gott>',\n  tip: 'So',\n};\n",
        "picture.bin": "\x00",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def client(folder) -> TestClient:
    files = PageFiles(folder)

    async def page(request):
        return page_response(files, request)

    return TestClient(Starlette(routes=[Route("/", page), Mount("/static", StaticFiles(files))]))


def links(html: str, rel: str) -> list[str]:
    return re.findall(rf'<link rel="{rel}" href="/static/v-[0-9a-f]+/([^"]+)">', html)


def test_the_page_asks_at_once_for_every_module_that_its_script_imports(folder):
    html = client(folder).get("/", headers={"Accept-Language": "de-AT,de;q=0.9"}).text
    assert links(html, "modulepreload") == [
        "js/main.js",
        "js/one.js",
        "js/parts/two.js",
        "js/three.js",
        "js/languages/de.js",
    ]
    assert links(html, "stylesheet") == ["css/a.css"]


def test_the_page_is_drawn_in_the_language_that_was_chosen_else_in_the_browsers(folder):
    browser = client(folder)
    german = browser.get("/", headers={"Accept-Language": "fr, de;q=0.5, en;q=0.1"}).text
    assert '<html lang="de" data-languages="de en">' in german
    assert '<p title="So">Grüß &lt;Gott&gt;</p>' in german
    browser.cookies.set("local-rag.language", "en")
    english = browser.get("/", headers={"Accept-Language": "de"}).text
    assert '<html lang="en" data-languages="de en">' in english
    assert '<p title="It&#x27;s &quot;so&quot;">Hello</p>' in english


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "*", "en"),
        ("", "DE-at", "de"),
        ("de", "en", "de"),
        ("../de", "fr", "en"),
        ("tlh", "de", "de"),
    ],
)
def test_the_language_is_one_that_there_is(chosen, accepted, language):
    assert wanted_language(chosen, accepted, {"de", "en"}) == language


def test_a_file_under_its_version_is_kept_for_good_and_another_version_is_not(folder):
    browser = client(folder)
    (url,) = re.findall(r'rel="stylesheet" href="([^"]+)"', browser.get("/").text)
    assert browser.get(url).headers["cache-control"] == "public, max-age=31536000, immutable"
    (folder / "css" / "a.css").write_text("p { color: blue; }")
    (newer,) = re.findall(r'rel="stylesheet" href="([^"]+)"', browser.get("/").text)
    assert newer != url
    assert browser.get(newer).text == "p { color: blue; }"
    assert "immutable" in browser.get(newer).headers["cache-control"]
    old = browser.get(url)
    assert (old.text, old.headers["cache-control"]) == ("p { color: blue; }", "no-cache")


def test_a_file_under_its_plain_name_is_sent_again_only_where_it_changed(folder):
    browser = client(folder)
    first = browser.get("/static/js/one.js")
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    asked = {"If-None-Match": first.headers["etag"]}
    same = browser.get("/static/js/one.js", headers=asked)
    assert (same.status_code, same.content) == (304, b"")
    (folder / "js" / "one.js").write_text("export const c = 1;\n")
    changed = browser.get("/static/js/one.js", headers=asked)
    assert (changed.status_code, changed.text) == (200, "export const c = 1;\n")


def test_files_are_packed_for_those_who_can_unpack_them(folder):
    browser = client(folder)
    with browser.stream("GET", "/static/css/a.css") as reply:
        raw = b"".join(reply.iter_raw())
        assert reply.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == (folder / "css" / "a.css").read_bytes()
    plain = browser.get("/static/css/a.css", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert len(raw) < len(plain.content) / 5


@pytest.mark.parametrize(
    "path", ["index.html", "js", "js/", "none.css", "../secret", "%2e%2e/secret", "v-0/../secret"]
)
def test_what_is_not_a_file_of_the_page_is_not_found(folder, path):
    (folder.parent / "secret").write_text("")
    assert client(folder).get(f"/static/{path}").status_code == 404


def test_files_can_be_read_only(folder):
    assert client(folder).post("/static/js/one.js").status_code == 405
    head = client(folder).head("/static/js/one.js")
    assert (head.status_code, head.content) == (200, b"")


def test_every_language_of_the_page_has_all_words_that_it_is_drawn_with():
    edition = PageFiles(web_folder()).edition()
    slots = set(re.findall(r"\{\{(.+?)\}\}", edition.shell))
    assert {"appName", "questionHint"} <= slots
    assert {"de", "en"} <= edition.words.keys()
    for words in edition.words.values():
        assert slots <= words.keys()
