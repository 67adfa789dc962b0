"""Picture files as documents whose pages are the pictures, so that they are read as scans are."""

from __future__ import annotations

import io
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from local_rag.errors import EmptyFile, TooLarge, UnreadableFile, WrongContent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_PIXELS = 100_000_000
MAX_PICTURES = 500
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP")
# Scanners write their resolution; what other programs write says nothing about the page.
_LEAST_DPI, _MOST_DPI, _ASSUMED_DPI = 150, 1200, 200


@contextmanager
def opened_image(path: Path) -> Iterator[Any]:
    """A ``pymupdf.Document`` with a page for each picture in the file, upright.

    Raises:
        EmptyFile, WrongContent, UnreadableFile: as their names say.
        TooLarge: more than 100 million pixels or 500 pictures.
    """
    import pymupdf

    if path.stat().st_size == 0:
        raise EmptyFile("The file is empty.")
    document = pymupdf.open()
    try:
        _fill(document, path)
        yield document
    finally:
        document.close()


def _fill(document: Any, path: Path) -> None:
    from PIL import Image, UnidentifiedImageError

    # ``_check_size`` has a limit of its own, below the one at which Pillow refuses.
    warnings.simplefilter("ignore", Image.DecompressionBombWarning)
    try:
        with Image.open(path, formats=_FORMATS) as picture:
            count = getattr(picture, "n_frames", 1)
            if count > MAX_PICTURES:
                raise TooLarge(
                    f"The file has {count:,} pictures; {MAX_PICTURES} is the most that are read.",
                    fix="Split it and send its parts.",
                )
            for number in range(count):
                picture.seek(number)
                _check_size(picture)
                _add_page(document, picture)
    except UnidentifiedImageError as exc:
        raise WrongContent("The file is named as a picture, but its content is none.") from exc
    except Image.DecompressionBombError as exc:
        raise _too_many_pixels() from exc
    except (SyntaxError, OSError, ValueError, EOFError) as exc:
        if isinstance(exc, OSError) and exc.filename is not None:
            raise  # it is gone or closed to us
        raise UnreadableFile("The picture is damaged and cannot be read.") from exc


def _check_size(picture: Any) -> None:
    if picture.width * picture.height > MAX_PIXELS:
        raise _too_many_pixels()


def _too_many_pixels() -> TooLarge:
    return TooLarge(
        f"The picture has more than {MAX_PIXELS // 1_000_000} million pixels.",
        fix="Save it with fewer pixels; 300 for each inch are enough.",
    )


def _add_page(document: Any, picture: Any) -> None:
    from PIL import Image, ImageOps

    upright = ImageOps.exif_transpose(picture)
    if upright.has_transparency_data:
        paper = Image.new("RGBA", upright.size, "white")
        upright = Image.alpha_composite(paper, upright.convert("RGBA"))
    stored = io.BytesIO()
    upright.convert("L" if upright.mode in ("1", "L") else "RGB").save(
        stored, "PNG", compress_level=1
    )
    dpi = _dpi(picture)
    width, height = upright.width * 72 / dpi, upright.height * 72 / dpi
    page = document.new_page(width=width, height=height)
    page.insert_image(page.rect, stream=stored.getvalue())


def _dpi(picture: Any) -> float:
    try:
        dpi = float(picture.info["dpi"][0])
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError):
        return _ASSUMED_DPI
    return dpi if _LEAST_DPI <= dpi <= _MOST_DPI else _ASSUMED_DPI
