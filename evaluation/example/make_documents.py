"""Makes the documents of the example that are no plain text: a workbook, two versions of a policy,
a paper in two columns and a scanned letter. The same bytes come out of every run.

python evaluation/example/make_documents.py [FOLDER]
"""

from __future__ import annotations

import datetime as dt
import io
import re
import sys
import zipfile
from pathlib import Path

import docx
import numpy as np
import openpyxl
import pymupdf
from openpyxl.styles import Font
from paper import paper
from PIL import Image

FOLDER = Path(__file__).parent / "documents"
_MOMENT = dt.datetime(2026, 1, 5, 9, 0)  # noqa: DTZ001 - both office formats want it without a zone

TOOLS = [
    ("Item", "Tool", "Price a day", "Price a week", "Deposit"),
    (10112, "Cordless drill 12 V", 4.0, 14.0, 30),
    (10118, "Cordless drill 18 V", 5.5, 19.0, 50),
    (10121, "Hammer drill, mains", 6.0, 21.0, 50),
    (10204, "Belt sander", 6.5, 23.0, 60),
    (10207, "Orbital sander", 4.5, 16.0, 40),
    (10211, "Floor sander", 24.0, 85.0, 150),
    (10305, "Circular saw", 7.0, 25.0, 60),
    (10309, "Jigsaw", 4.5, 16.0, 40),
    (10316, "Chainsaw, petrol", 18.0, 63.0, 150),
    (10317, "Chainsaw, electric", 11.0, 39.0, 100),
    (10402, "Pressure washer, electric", 9.0, 32.0, 80),
    (10403, "Pressure washer, petrol", 15.0, 53.0, 120),
    (10410, "Carpet cleaner", 12.0, 42.0, 60),
    (10415, "Wallpaper steamer", 5.0, 18.0, 30),
    (10508, "Hedge trimmer, 55 cm", 7.5, 26.0, 60),
    (10509, "Hedge trimmer, 70 cm", 8.5, 30.0, 70),
    (10601, "Concrete breaker", 22.0, 77.0, 150),
]
CONSUMABLES = [
    ("Article", "Pack of", "Price a pack", "In stock", "Reorder below"),
    ("Sanding discs, 80 grit", 10, 4.2, 31, 12),
    ("Sanding discs, 120 grit", 10, 4.2, 9, 12),
    ("Sanding discs, 240 grit", 10, 4.6, 17, 8),
    ("Jigsaw blades, wood", 5, 6.9, 14, 6),
    ("Jigsaw blades, metal", 5, 7.8, 5, 6),
    ("Masonry bits, 6 mm", 2, 3.5, 22, 10),
    ("Chain oil, 1 litre", 1, 5.2, 8, 4),
    ("Two-stroke oil, 1 litre", 1, 8.4, 6, 4),
    ("Dust bags, floor sander", 3, 7.0, 11, 5),
    ("Carpet shampoo, 500 ml", 1, 3.8, 19, 10),
]

Policy = list[tuple[str, list[str]]]


def _policy(
    of: str,
    instead: str,
    car: str,
    meals: str,
    receipt: str,
    approval: str,
    days: str,
    night: str,
    extra: list[str],
) -> Policy:
    return [
        (
            "1 For whom",
            [
                f"These rules hold for staff, volunteers and members of the committee who travel for the Tidewell Tool Library. They are in force from {of}{instead}."
            ],
        ),
        (
            "2 Before the journey",
            [
                f"A journey that will cost more than {approval} pounds in all needs the written approval of the treasurer beforehand. The treasurer's own journeys are approved by the chair.",
                "Nobody is expected to lend the library money: for tickets and rooms the office card can be used.",
            ],
        ),
        (
            "3 Getting there",
            [
                "Use the train or the bus where you reasonably can. Tickets are second class. First class is paid only if it costs less than the cheapest second class ticket of the same day, and a picture of both prices is kept with the claim.",
                f"The mileage rate for your own car is {car} pence a mile. If you take a passenger who travels for the library too, 5 pence are added for each mile. The mileage rate for a bicycle is 20 pence a mile.",
                "Parking and tolls are paid. Fines are not.",
                *extra,
            ],
        ),
        (
            "4 Staying and eating",
            [
                f"A room is paid up to {night} pounds a night with breakfast. If you are away for more than eight hours, you can claim up to {meals} pounds a day for meals. Alcohol is not paid.",
                "If a meal is part of a course or meeting, the allowance of that day is cut by a third for each meal.",
            ],
        ),
        (
            "5 Claims",
            [
                f"Hand in your claim within {days} days of coming back, on the form in the office or by mail to the treasurer. Attach a receipt for every single expense over {receipt} pounds. Claims that come later are paid only if the treasurer agrees that there was a good reason.",
                "Claims are paid with the next salary run; volunteers are paid by bank transfer on the Friday of the following week.",
            ],
        ),
    ]


POLICIES = {
    "2024": _policy("1 March 2024", "", "40", "18", "15", "250", "60", "85", []),
    "2026": _policy(
        "1 February 2026",
        " and replace those of 2024",
        "45",
        "22",
        "10",
        "200",
        "30",
        "95",
        [
            "The library's cargo bike is to be used within the town. Its hire by members has nothing to do with these rules."
        ],
    ),
}

LETTER = [
    [
        ("b", "HARCOURT ESTATES"),
        ("", "14 Quay Street, Tidewell"),
        ("", ""),
        ("", "To the committee of the Tidewell Tool Library"),
        ("", "27 November 2025"),
        ("", ""),
        ("b", "Renewal of the lease of 3 Mill Lane"),
        ("", ""),
        (
            "",
            "Thank you for meeting us on 20 November. We confirm what was agreed for the ground floor and the yard.",
        ),
        ("", ""),
        (
            "",
            "The new lease begins on 1 April 2026 and runs for seven years. Either side may end it after four years with six months of notice.",
        ),
        ("", ""),
        (
            "",
            "The rent rises from 1,150 to 1,240 pounds a month. It is due on the third working day of each month. It will not be raised again before 2029.",
        ),
        ("", ""),
        (
            "",
            "The service charge stays at 185 pounds a quarter. It covers the lift, the lights of the stairs and the clearing of snow.",
        ),
    ],
    [
        ("b", "Repairs and insurance"),
        ("", ""),
        (
            "",
            "The landlord keeps the roof, the outer walls and the drains in repair. The tenant keeps the inside in repair, with the windows and the roller door.",
        ),
        ("", ""),
        (
            "",
            "The landlord insures the building. The tenant insures its own goods and its liability to visitors for at least two million pounds, and sends us the certificate every January.",
        ),
        ("", ""),
        (
            "",
            "Machines of more than 400 kilograms may be put up only after we have agreed in writing, because of the cellar below.",
        ),
        ("", ""),
        (
            "",
            "Please sign both copies and send one back by 15 January 2026. The deposit of 2,300 pounds that we hold is carried over.",
        ),
        ("", ""),
        ("", "Yours sincerely"),
        ("", "Harcourt Estates, the manager"),
    ],
]


def workbook() -> bytes:
    book = openpyxl.Workbook()
    tools = book.active
    tools.title = "Loan prices"
    tools.append(["Loan prices and deposits in pounds, from 1 January 2026"])
    tools.append([])
    _rows(tools, TOOLS, money="CD")
    consumables = book.create_sheet("Consumables")
    consumables.append(["Articles for sale at the desk, counted on 28 February 2026"])
    consumables.append([])
    _rows(consumables, CONSUMABLES, money="C")
    return _zipped(_saved(book))


def _rows(sheet, rows, *, money: str) -> None:
    for row in rows:
        sheet.append(row)
    for cell in sheet[3]:
        cell.font = Font(bold=True)
    for column in money:
        for cell in sheet[column][3:]:
            cell.number_format = "0.00"
    sheet.column_dimensions["B"].width = 28


def policy(year: str, sections: Policy) -> bytes:
    title = f"Travel and expenses policy {year}"
    document = docx.Document()
    document.core_properties.title = title
    document.core_properties.author = "Tidewell Tool Library"
    document.core_properties.created = document.core_properties.modified = _MOMENT
    document.add_heading(title, 0)
    for title, paragraphs in sections:
        document.add_heading(title, 1)
        for paragraph in paragraphs:
            document.add_paragraph(paragraph)
    return _zipped(_saved(document))


def _saved(made) -> bytes:
    target = io.BytesIO()
    made.save(target)
    return target.getvalue()


def _zipped(data: bytes) -> bytes:
    """The same archive without the time of its making."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w") as new:
        for name in sorted(old.namelist()):
            content = old.read(name)
            if name == "docProps/core.xml":
                moment = f"{_MOMENT.isoformat()}Z".encode()
                content = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z?", moment, content)
            if not name.endswith("thumbnail.jpeg"):
                new.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def scan() -> bytes:
    """The letter as a scanner gives it: pictures alone, a little askew, grey and noisy."""
    noise = np.random.RandomState(7)
    with pymupdf.open() as document:
        for lines, askew in zip(LETTER, (0.5, -0.4), strict=True):
            picture = _scanned(_typed(lines), askew, noise)
            page = document.new_page(width=595, height=842)
            page.insert_image(page.rect, stream=picture)
        return bytes(document.tobytes(garbage=4, deflate=True, no_new_id=True))


def _typed(lines: list[tuple[str, str]]) -> Image.Image:
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        y = 90.0
        for weight, line in lines:
            box = pymupdf.Rect(75, y, 520, 842)
            font = "tibo" if weight else "tiro"
            left = page.insert_textbox(box, line or " ", fontsize=12, fontname=font, lineheight=1.3)
            y += box.height - left
        pixels = page.get_pixmap(dpi=150, colorspace=pymupdf.csGRAY)
        return Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)


def _scanned(page: Image.Image, askew: float, noise: np.random.RandomState) -> bytes:
    turned = page.rotate(askew, Image.Resampling.BICUBIC, fillcolor=255)
    grey = np.asarray(turned, dtype=np.float64) * 0.86 + 22
    grey += noise.normal(0, 3.0, grey.shape)
    target = io.BytesIO()
    Image.fromarray(grey.clip(0, 255).astype(np.uint8)).save(target, "JPEG", quality=45)
    return target.getvalue()


def documents() -> dict[str, bytes]:
    """The files that this makes, by name."""
    return {
        "price-list.xlsx": workbook(),
        **{f"travel-policy-{year}.docx": policy(year, of) for year, of in POLICIES.items()},
        "battery-storage-study.pdf": paper(),
        "lease-renewal-scan.pdf": scan(),
    }


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in documents().items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
