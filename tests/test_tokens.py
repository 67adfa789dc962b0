from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_rag.text.bm25 import (
    AVERAGE_TOKENS,
    dimension,
    document_weights,
    query_terms,
)
from local_rag.text.language import detect, script_of
from local_rag.text.tokens import tokenize, words


def meets(question: str, passage: str, language: str = "en") -> bool:
    return bool(set(tokenize(question, language)) & set(tokenize(passage, language)))


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("username", "call getUserName first"),
        ("user name", "call getUserName first"),
        ("getusername", "call getUserName first"),
        ("ERR-4042?", "It fails with ERR-4042."),
        ("err 4042", "It fails with ERR4042!"),
        ("max_retry_count", "Set `max_retry_count` to 3"),
        ("retry", "Set `max_retry_count` to 3"),
        ("42.5", "a mass of 42.50 kg"),
        ("42,5", "a mass of 42.50 kg"),
        ("1234567", "1,234,567 people"),
        ("1.234,56", "1234.56 euros"),
        ("ﬁle", "the file"),
        ("ＡＢＣ", "abc"),
        ("running", "he runs"),
        ("Munchen", "München"),
        ("self attention", "self-attention"),
        ("email", "e-mail"),
        ("C++", "written in C++."),
        ("v1.2.3", "since v1.2.3,"),
        ("don't", "don’t panic, don't"),
    ],
)
def test_a_question_meets_the_passage_that_says_it_otherwise(question, passage):
    assert meets(question, passage, "und") or meets(question, passage)


@pytest.mark.parametrize(
    ("question", "passage"),
    [("42.5", "425 kg"), ("C++", "C# is another"), ("4042", "40 42"), ("cat", "concatenate")],
)
def test_what_differs_does_not_meet(question, passage):
    assert not meets(question, passage)


def test_chinese_is_found_by_any_part_of_a_word():
    assert meets("算法", "这个算法的准确率", "zh")
    assert tokenize("机器学习", "zh") == ["机", "器", "学", "习", "机器", "器学", "学习"]


def test_thai_and_korean_are_cut_into_pairs():
    assert "กิน" not in tokenize("กินข้าว", "th")
    assert meets("한국", "한국어를 배웁니다", "ko")


def test_arabic_meets_without_vowel_points():
    assert meets("مدرسة", "مَدْرَسَةٌ", "ar")


def test_function_words_of_the_questions_language_are_ignored():
    assert query_terms("what is it and how do you do that", "en") == {}
    assert query_terms("was ist das und wie", "de") == {}
    assert list(query_terms("What BLEU score does the model reach?", "en")) == [
        "bleu",
        "score",
        "model",
        "reach",
    ]


def test_a_name_is_asked_for_in_the_stem_of_every_language_of_the_library():
    terms = query_terms("Produktionen", "und", ["de"])
    assert set(tokenize("Produktionen", "de")) <= set(terms)


def test_a_function_word_does_not_come_back_by_another_languages_door():
    assert "the" not in query_terms("the engine", "en", ["de", "fr"])


def test_a_word_or_number_among_unspaced_characters_outweighs_a_pair_with_a_function_word():
    terms = query_terms("2021年BLEU的分数是多少", "zh")
    assert (terms["2021"], terms["bleu"], terms["分数"], terms["分"]) == (2.0, 2.0, 1.0, 1.0)
    assert (terms["的分"], terms["数是"]) == (0.5, 0.5)
    assert set(query_terms("the BLEU score of 2021", "en").values()) == {1.0}
    assert set(query_terms("où est l'église", "fr").values()) == {1.0}


def test_weights_saturate_and_sink_with_length():
    short, long = document_weights(["a"]), document_weights(["a"] + ["b"] * 200)
    assert short["a"] > long["a"]
    twice = document_weights(["a", "a"])["a"]
    assert short["a"] < twice < 2 * short["a"]
    average = document_weights(["a", *["b"] * int(AVERAGE_TOKENS - 1)])
    assert average["a"] == pytest.approx(1.0)


def test_dimensions_are_32_bits_and_stable():
    assert dimension("word") == dimension("word") < 2**32
    assert dimension("word") != dimension("world")


@given(st.text())
def test_any_text_gives_tokens_that_are_short_and_not_empty(text):
    for token in tokenize(text, detect(text)):
        assert 0 < len(token) <= 64
        assert token.strip() == token


@given(st.text())
def test_compatible_forms_give_equal_tokens(text):
    assert tokenize(text) == tokenize(unicodedata.normalize("NFKC", text))


@given(st.text())
def test_words_are_slices_in_order(text):
    at = 0
    for word in words(text):
        assert at <= word.start < word.end
        assert text[word.start : word.end] == word.surface
        at = word.end


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is the capital of France?", "en"),
        ("Wie hoch ist der Turm?", "de"),
        ("Quelle est la hauteur de la tour ?", "fr"),
        ("¿Cuál es la altura de la torre?", "es"),
        ("Qual é a altura da torre?", "pt"),
        ("Qual è l'altezza della torre?", "it"),
        ("Hoe hoog is de toren van het kasteel?", "nl"),
        ("这座塔有多高", "zh"),
        ("この塔の高さは何メートルですか", "ja"),
        ("이 탑의 높이는 얼마입니까", "ko"),
        ("كم يبلغ ارتفاع البرج؟", "ar"),
        ("Какова высота башни?", "ru"),
        ("BLEU 28.4", "und"),
        ("", "und"),
    ],
)
def test_the_language_is_told_from_script_and_function_words(text, language):
    assert detect(text) == language


def test_the_script_is_that_of_most_letters():
    assert script_of("Transformer 模型的准确率") == "han"
    assert script_of("42 !?") == "none"
