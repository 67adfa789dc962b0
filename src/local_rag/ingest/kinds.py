"""Which files can be read, by the ending of their name."""

from __future__ import annotations

from local_rag.errors import UnsupportedType

PDF = "application/pdf"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"
HTML = "text/html"
XHTML = "application/xhtml+xml"
CSV = "text/csv"
TSV = "text/tab-separated-values"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
EPUB = "application/epub+zip"

_IMAGE_BY_ENDING = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
}
_PLAIN_ENDINGS = """
    .log .rst .adoc .org .tex .bib .diff .patch
    .json .jsonl .yaml .yml .toml .ini .cfg .conf .properties .xml .xsd .proto .graphql
    .py .pyi .r .jl .rb .pl .lua .php .js .mjs .cjs .jsx .ts .tsx .vue .css .scss
    .c .h .cc .cpp .cxx .hpp .hh .cs .java .kt .scala .swift .dart .go .rs .m .sql
    .sh .bash .zsh .ps1 .bat .tf
"""
_DOCUMENTS = {
    ".pdf": PDF,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".txt": PLAIN,
    ".text": PLAIN,
    ".docx": DOCX,
    ".xlsx": XLSX,
    ".pptx": PPTX,
    ".epub": EPUB,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": XHTML,
    ".csv": CSV,
    ".tsv": TSV,
    **_IMAGE_BY_ENDING,
}
_BY_ENDING = {**_DOCUMENTS, **dict.fromkeys(_PLAIN_ENDINGS.split(), PLAIN)}
_SAVE_AS = {
    **dict.fromkeys((".doc", ".docm", ".dot", ".dotx", ".odt", ".rtf", ".pages", ".wpd"), ".docx"),
    **dict.fromkeys((".xls", ".xlsm", ".xlsb", ".xltx", ".ods", ".numbers"), ".xlsx"),
    **dict.fromkeys((".ppt", ".pptm", ".pps", ".ppsx", ".potx", ".odp", ".key"), ".pptx"),
    **dict.fromkeys((".mobi", ".azw", ".azw3", ".fb2"), ".epub"),
    **dict.fromkeys((".mht", ".mhtml"), ".html"),
    **dict.fromkeys((".heic", ".gif", ".svg"), ".png"),
}

ENDINGS = tuple(_BY_ENDING)
"""The endings that can be read, lower case with their dot."""

IMAGES = frozenset(_IMAGE_BY_ENDING.values())
"""The media types of pictures."""


def media_type_of(name: str) -> str:
    """The media type of a file of this name, case ignored.

    Raises:
        UnsupportedType: no reader takes such files; the fix names the format to save a relative of
            theirs in, else what can be read.
    """
    stem, dot, ending = name.strip().rpartition(".")
    suffix = dot + ending.casefold()
    media_type = _BY_ENDING.get(suffix) if stem else None
    if media_type is None:
        shown = f"{dot}{ending}" if stem and len(ending) <= 10 else "this kind"
        save_as = _SAVE_AS.get(suffix) if stem else None
        raise UnsupportedType(
            f"Files of {shown} cannot be read.",
            fix=f"Save it as {save_as} and send that."
            if save_as
            else f"These can be read: {', '.join(_DOCUMENTS)}, and other plain text such as"
            " .py, .json or .log.",
        )
    return media_type
