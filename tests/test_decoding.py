"""Text files of every encoding that is met: the right text or an error, never mojibake."""

from __future__ import annotations

import codecs
from contextlib import suppress

import pytest

from local_rag.adapters.decoding import decode_text
from local_rag.errors import WrongContent

_SENTENCES = {
    "de": "Der Bürgermeister eröffnete die neue Brücke. Viele Gäste fanden die Rede zu lang.",
    "fr": "Le maire a inauguré hier le nouveau pont. Où étiez-vous ce soir-là, près de l’été ?",
    "es": "El alcalde inauguró ayer el nuevo puente sobre el río. ¿Dónde estabas aquella noche?",
    "pl": "Burmistrz otworzył wczoraj nowy most na rzece. Wielu gości uznało mowę za zbyt długą.",
    "cs": "Starosta včera otevřel nový most přes řeku. Mnoha hostům se zdál projev příliš dlouhý.",
    "hu": "A polgármester megnyitotta az új hidat a folyó fölött. Az étel kitűnő volt, bőséges.",
    "tr": "Belediye başkanı nehrin üzerindeki yeni köprüyü açtı. Birçok konuk yemeği beğendi.",
    "is": "Borgarstjórinn opnaði í gær nýju brúna yfir ána. Það er ekki ljóst hver kemur.",
    "ru": "Мэр вчера открыл новый мост через реку. Многим гостям речь показалась длинной.",
    "uk": "Мер учора відкрив новий міст через річку. Багатьом гостям промова здалася довгою.",
    "el": "Ο δήμαρχος εγκαινίασε χθες τη νέα γέφυρα. Άλλοι βρήκαν την ομιλία πολύ μεγάλη.",
    "he": "ראש העיר חנך אתמול את הגשר החדש מעל הנהר. אורחים רבים סברו שהנאום היה ארוך מדי.",
    "ar": "افتتح رئيس البلدية أمس الجسر الجديد فوق النهر. وجد كثير من الضيوف أن الخطاب طويل.",
    "th": "นายกเทศมนตรีเปิดสะพานใหม่ข้ามแม่น้ำเมื่อวานนี้ แขกหลายคนคิดว่าอาหารอร่อยมาก",
    "zh-Hans": "市长昨天为河上的新桥剪彩。许多客人觉得讲话太长，公司第2季度的收入约为35亿元。",
    "zh-Hant": "市長昨天為河上的新橋剪綵。許多客人覺得講話太長，公司第2季的收入約為35億元。",
    "ja": "市長は昨日、川に架かる新しい橋の開通式を行った。多くの客は演説が長すぎると感じた。",
    "ko": "시장은 어제 강 위의 새 다리를 개통했다. 많은 손님들은 연설이 너무 길다고 느꼈다.",
    "en": "“Too long,” said the guests of the speech – but the soufflé wasn’t. It cost £40,000.",
}
_ENCODINGS = {
    "pl": ("cp1250", "iso8859-2"),
    "cs": ("cp1250", "iso8859-2"),
    "hu": ("cp1250", "iso8859-2"),
    "tr": ("cp1254", "iso8859-9"),
    "ru": ("cp1251", "koi8-r", "cp866", "iso8859-5"),
    "uk": ("cp1251", "koi8-u"),
    "el": ("cp1253", "iso8859-7"),
    "he": ("cp1255", "iso8859-8"),
    "ar": ("cp1256", "iso8859-6"),
    "th": ("cp874",),
    "zh-Hans": ("gb18030",),
    "zh-Hant": ("big5",),
    "ja": ("shift_jis", "euc-jp", "iso2022-jp"),
    "ko": ("euc-kr",),
}
_UNICODE = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_CASES = [
    (language, encoding)
    for language in _SENTENCES
    for encoding in (*_ENCODINGS.get(language, ("cp1252",)), *_UNICODE)
]


@pytest.mark.parametrize(("language", "encoding"), _CASES)
def test_two_sentences_are_decoded_from_any_encoding_of_their_language(
    language: str, encoding: str
) -> None:
    text = _SENTENCES[language]
    assert decode_text(text.encode(encoding)) == text


@pytest.mark.parametrize(("language", "encoding"), _CASES)
def test_a_piece_of_thirty_characters_is_decoded_or_refused(language: str, encoding: str) -> None:
    text = _SENTENCES[language]
    for start in range(0, len(text) - 30, 5):
        piece = text[start : start + 30].strip()
        with suppress(WrongContent):
            assert decode_text(piece.encode(encoding)) == piece


@pytest.mark.parametrize("encoding", ["euc-jp", "shift_jis", "big5", "gb18030", "koi8-r", "cp1251"])
@pytest.mark.parametrize("size", [5, 8, 12])
def test_a_few_characters_are_no_rare_ones_of_another_script(size: int, encoding: str) -> None:
    language = {"euc-jp": "ja", "shift_jis": "ja", "big5": "zh-Hant", "gb18030": "zh-Hans"}
    text = _SENTENCES[language.get(encoding, "ru")]
    read = 0
    for start in range(len(text) - size):
        piece = text[start : start + size].strip()
        with suppress(WrongContent):
            assert decode_text(piece.encode(encoding)) == piece
            read += 1
    assert read > 5


@pytest.mark.parametrize(
    "text", ["Größe: 3 m²", "Café Zoë", "It costs 20 £ a day", "© Smith & Sons", "à Nîmes"]
)
def test_a_few_accents_and_signs_are_read_as_western(text: str) -> None:
    assert decode_text(text.encode("cp1252")) == text


@pytest.mark.parametrize(
    "data",
    [
        "Dağlar dağ".encode("cp1254"),  # as likely Icelandic
        b"abc \xff\xfe\xfd\xfc\x81\x8d def",
        "Größe ".encode("cp1252") + "Größe".encode(),
        codecs.BOM_UTF16_LE + b"abc",
        "abc".encode("utf-16-le") + b"\x00\xd8",
        bytes(range(128, 256)) * 3,
    ],
)
def test_what_could_be_several_texts_or_none_is_refused_with_the_way_out(data: bytes) -> None:
    with pytest.raises(WrongContent) as caught:
        decode_text(data)
    assert caught.value.fix == "Save it as UTF-8 and send it again."


def test_a_few_foreign_letters_at_the_end_of_a_long_text_decide_it() -> None:
    text = "Plain words without accents. " * 100_000 + _SENTENCES["tr"]
    assert decode_text(text.encode("cp1254")) == text
