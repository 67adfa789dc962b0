"""Picture files: their text is found however they are stored, and bombs are refused."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from local_rag.adapters.pdf.images import MAX_PIXELS
from local_rag.adapters.pdf_reader import read_image, render
from local_rag.errors import EmptyFile, NoText, TooLarge, UnreadableFile, WrongContent

LINES = ["Invoice of the harbour office", "Total amount 4711 euros"]


def picture_of(lines: list[str]) -> Image.Image:
    document = pymupdf.open()
    page = document.new_page(width=360, height=160)
    for i, line in enumerate(lines):
        page.insert_text((30, 60 + 40 * i), line, fontsize=16)
    return Image.open(io.BytesIO(page.get_pixmap(dpi=200).tobytes("png")))


def saved(folder: Path, name: str, **options) -> Path:
    path = folder / name
    picture_of(LINES).save(path, **options)
    return path


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.bmp", "a.webp", "a.tiff"])
def test_the_text_of_a_picture_is_read(tmp_path: Path, name: str) -> None:
    read = read_image(saved(tmp_path, name))
    (page,) = read.pages
    assert page.text.split() == " ".join(LINES).split()
    assert (read.readings[0].path, read.readings[0].flags) == ("ocr", ("ocr",))
    assert page.words


def test_a_picture_is_turned_as_its_camera_says(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[274] = 6  # to be shown turned by a quarter
    path = tmp_path / "a.jpg"
    picture_of(LINES).rotate(90, expand=True).convert("RGB").save(path, exif=exif)
    (page,) = read_image(path).pages
    assert page.width_pt > page.height_pt
    assert page.text.split() == " ".join(LINES).split()


def test_each_picture_of_a_tiff_is_a_page_and_can_be_drawn(tmp_path: Path) -> None:
    path = tmp_path / "a.tiff"
    first, second = picture_of(LINES[:1]), picture_of(LINES[1:])
    first.save(path, save_all=True, append_images=[second], dpi=(300, 300))
    read = read_image(path)
    assert [page.text for page in read.pages] == LINES
    assert read.pages[0].width_pt == pytest.approx(first.width * 72 / 300, abs=0.1)
    drawn = Image.open(io.BytesIO(render(path, "image/tiff", 2, 300)))
    assert abs(drawn.width - second.width) <= 1


def test_transparent_paper_is_white(tmp_path: Path) -> None:
    black = picture_of(LINES).convert("L")
    picture = Image.new("RGBA", black.size, (0, 0, 0, 0))
    picture.putalpha(black.point(lambda value: 255 - value))
    path = tmp_path / "a.png"
    picture.save(path)
    assert read_image(path).pages[0].text.split() == " ".join(LINES).split()


def test_a_picture_without_text_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.new("RGB", (400, 300), "grey").save(path)
    with pytest.raises(NoText):
        read_image(path)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def _bomb() -> bytes:
    """A PNG of a few bytes that says it is 100,000 pixels wide and high."""
    header = (100_000).to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(b""))


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", EmptyFile),
        (b"these are words", WrongContent),
        (b"%PDF-1.7 and more", WrongContent),
        (b"\x89PNG\r\n\x1a\nand then nothing of the kind", UnreadableFile),
        (_bomb(), TooLarge),
    ],
)
def test_what_is_no_picture_is_refused_with_its_code(
    tmp_path: Path, content: bytes, error: type[Exception]
) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(error):
        read_image(path)


def test_half_a_picture_is_unreadable_and_a_large_one_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.png")
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(UnreadableFile):
        read_image(path)
    side = int(MAX_PIXELS**0.5) + 10
    Image.new("1", (side, side)).save(path)
    with pytest.raises(TooLarge, match="100 million"):
        read_image(path)
