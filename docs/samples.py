"""Makes the sample documents of the page, in each of its languages, from the texts below.

python docs/samples.py
"""

from __future__ import annotations

from pathlib import Path

import pymupdf

FOLDER = Path(__file__).parents[1] / "web" / "samples"
WIDTH, HEIGHT, MARGIN = 420, 595, 52
INK, QUIET = (0.1, 0.13, 0.12), (0.4, 0.45, 0.42)

TEXTS = {
    "en": {
        "title": "Handbook of the Skerry Light",
        "subtitle": "For the keepers, the boatmen and whoever reads in the lamp room",
        "pages": [
            [
                "1 The station",
                "The Skerry Light stands on the northern cape, 31 metres above the highest tide. "
                "The tower was built in 1873 of grey granite. It has worked without a keeper on "
                "duty at night since 1988.",
                "The light shows two white flashes every fifteen seconds and reaches 21 nautical "
                "miles in clear weather.",
                "1.1 The way there",
                "The supply boat comes on the first Tuesday of the month. In winter it waits for a "
                "swell of less than one metre. The landing stage has 62 steps, and the rope on "
                "its left side is renewed every spring.",
            ],
            [
                "2 The lamp",
                "The main lamp is a metal halide bulb of 250 watts. It is changed every 4,000 "
                "hours, or at once when its colour turns blue. The reserve lamp lights by itself "
                "within eight seconds.",
                "2.1 Changing the bulb",
                "Switch the rotation off before the lens is opened. Let the bulb cool for twenty "
                "minutes. Hold the new bulb with a clean cloth only, because the fat of a finger "
                "makes the glass crack.",
                "2.2 When the lamp fails",
                "When the lamp fails, the harbour office at Holm is told first, by radio on "
                "channel 12. The coast guard is told as soon as the reserve lamp burns.",
            ],
            [
                "3 Fog",
                "The fog signal is started when the island of Holm, two miles to the west, can no "
                "longer be seen. It gives one blast of three seconds every minute.",
                "The keeper writes the hour of the first and of the last blast into the log.",
                "4 The log",
                "The log is kept in ink. A page is never torn out: an error is crossed out once, "
                "so that it can still be read, and signed. Logs are kept for thirty years.",
            ],
        ],
    },
    "de": {
        "title": "Handbuch des Schärenlichts",
        "subtitle": "Für die Wärter, die Bootsleute und alle, die im Lampenraum lesen",
        "pages": [
            [
                "1 Die Station",
                "Das Schärenlicht steht auf dem nördlichen Kap, 31 Meter über der höchsten Flut. "
                "Der Turm wurde 1873 aus grauem Granit gebaut. Seit 1988 arbeitet er nachts ohne "
                "Wärter.",
                "Das Licht zeigt alle fünfzehn Sekunden zwei weiße Blitze und reicht bei klarem "
                "Wetter 21 Seemeilen weit.",
                "1.1 Der Weg dorthin",
                "Das Versorgungsboot kommt am ersten Dienstag des Monats. Im Winter wartet es auf "
                "eine Dünung von weniger als einem Meter. Der Anleger hat 62 Stufen, und das Seil "
                "an seiner linken Seite wird jedes Frühjahr erneuert.",
            ],
            [
                "2 Die Lampe",
                "Die Hauptlampe ist ein Halogenbrenner von 250 Watt. Er wird alle 4000 Stunden "
                "gewechselt, oder sofort, wenn seine Farbe blau wird. Die Ersatzlampe zündet "
                "innerhalb von acht Sekunden von selbst.",
                "2.1 Den Brenner wechseln",
                "Schalten Sie die Drehung ab, bevor die Linse geöffnet wird. Lassen Sie den Brenner "
                "zwanzig Minuten abkühlen. Fassen Sie den neuen nur mit einem sauberen Tuch an, "
                "denn das Fett eines Fingers lässt das Glas springen.",
                "2.2 Wenn die Lampe ausfällt",
                "Wenn die Lampe ausfällt, wird zuerst das Hafenamt in Holm verständigt, über Funk "
                "auf Kanal 12. Die Küstenwache wird verständigt, sobald die Ersatzlampe brennt.",
            ],
            [
                "3 Nebel",
                "Das Nebelsignal wird eingeschaltet, wenn die Insel Holm, zwei Meilen im Westen, "
                "nicht mehr zu sehen ist. Es gibt jede Minute einen Ton von drei Sekunden.",
                "Der Wärter schreibt die Uhrzeit des ersten und des letzten Tons ins Logbuch.",
                "4 Das Logbuch",
                "Das Logbuch wird mit Tinte geführt. Nie wird eine Seite herausgerissen: Ein Fehler "
                "wird einmal durchgestrichen, so dass er lesbar bleibt, und abgezeichnet. "
                "Logbücher werden dreißig Jahre aufbewahrt.",
            ],
        ],
    },
}


def sample(title: str, subtitle: str, pages: list[list[str]]) -> bytes:
    """A PDF of these texts; those that begin with a number and are short are headings."""
    with pymupdf.open() as document:
        for number, texts in enumerate(pages, 1):
            page = document.new_page(width=WIDTH, height=HEIGHT)
            y = float(MARGIN)
            if number == 1:
                y = _write(page, y, title, 20, "tibo", INK) + 2
                y = _write(page, y, subtitle, 9.5, "tiit", QUIET) + 22
            for text in texts:
                heading = text[0].isdigit() and len(text) < 40
                large = 14 if " " in text and "." not in text.split()[0] else 11.5
                y += 8 if heading else 0
                y = _write(page, y, text, large if heading else 10.5, "hebo" if heading else "tiro")
                y += 4 if heading else 9
            page.insert_text((WIDTH / 2, HEIGHT - 30), str(number), fontsize=9, color=QUIET)
        document.set_metadata({"title": title})
        return bytes(document.tobytes(garbage=4, deflate=True, no_new_id=True))


def _write(
    page: pymupdf.Page,
    y: float,
    text: str,
    size: float,
    font: str,
    color: tuple[float, float, float] = INK,
) -> float:
    """Writes a paragraph from ``y`` down; returns where it ends."""
    room = HEIGHT - MARGIN - y
    box = pymupdf.Rect(MARGIN, y, WIDTH - MARGIN, y + room)
    left = page.insert_textbox(
        box, text, fontsize=size, fontname=font, lineheight=1.35, color=color
    )
    if left < 0:
        raise ValueError(f"no room for: {text[:40]}")
    return y + room - float(left)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for language, texts in TEXTS.items():
        (FOLDER / f"lighthouse.{language}.pdf").write_bytes(sample(**texts))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
