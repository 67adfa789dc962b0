"""What a question asks for, and whether a sentence has something of that kind.

Hints, not rules: they tip the scales between sentences that share the question's words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Kind = Literal["who", "when", "number", "where", "define", "why", "how-to", "how", "list", "other"]

_QUESTIONS: dict[str, tuple[tuple[Kind, str], ...]] = {
    "en": (
        ("number", (r"how (?:many|much|tall|high|long|large|big|far|fast|old|wide|deep|often"
                   r"|heavy)\b")),
        ("number", (r"what (?:\w+ ){0,2}(?:percent(?:age)?|number|amount|score|share|rate|price"
                   r"|cost)\b")),
        ("number", r"how (?:\w+ )?(?:percent|large a)\b"),
        ("when", (r"when\b|(?:what|which) (?:\w+ ){0,2}(?:year|date|day|month|decade|century"
                 r"|time)\b")),
        ("who", (r"who(?:m|se)?\b|(?:what|which) (?:\w+ )?(?:person|player|author|king|president"
                r"|man|woman)\b")),
        ("where", (r"where\b|(?:what|which) (?:\w+ ){0,2}(?:city|country|state|place|region|town"
                  r"|county)\b")),
        ("why", (r"why\b|what (?:is|was|were|are) the (?:\w+ )?(?:reason|cause|purpose)s?\b"
                r"|what (?:causes|caused)\b")),
        ("how-to", (r"what (?:should|must|can|do|shall) (?:i|you|we|one) do\b"
                   r"|how (?:to|do (?:i|you|we|they)|can (?:i|you|we|one)|should (?:i|you|we))\b"
                   r"|what (?:\w+ )*steps\b")),
        ("how", r"how\b"),
        ("list", r"(?:what|which) are\b|^list\b|^name (?:the|all|three|two|some)\b"),
        ("define", (r"what(?:'s| is| are| was| were) (?:an? |the )?[\w\s-]{2,40}\??$|^define\b"
                   r"|what does .{2,40} mean\b")),
    ),
    "de": (
        ("number", (r"wie ?viele?\b|wie (?:hoch|groß|lang|lange|weit|alt|schwer|oft|breit|tief"
                   r"|teuer)\b")),
        ("number", r"welche[rnsm]? (?:\w+ )?(?:anzahl|prozentsatz|anteil|zahl|wert|punktzahl)\b"),
        ("when", (r"wann\b|(?:welche[rnsm]?) (?:\w+ )?(?:jahr|datum|tag|monat|jahrzehnt"
                 r"|jahrhundert|zeit)\w*")),
        ("who", r"wer\b|wen\b|wem\b|wessen\b"),
        ("where", r"wo\b|wohin\b|woher\b|welche[rnsm]? (?:stadt|land|staat|ort|region)\b"),
        ("why", (r"warum\b|weshalb\b|wieso\b|wozu\b|aus welchem grund\b|was (?:ist"
                r"|war) der grund\b")),
        ("how-to", r"wie (?:kann|können|muss|soll|\w+e) (?:ich|man|wir)\b|\bschritte\b"),
        ("how", r"wie\b"),
        ("list", r"^welche (?!r|s|m)\w+ (?:gibt|sind|gehören)\b|^nenne\b"),
        ("define", r"was (?:ist|sind|war|bedeutet|versteht man)\b"),
    ),
    "fr": (
        ("number", (r"combien\b|quel(?:le)?s? (?:est |était )?(?:le |la )?(?:\w+ )?(?:nombre"
                   r"|pourcentage|taux|score)\b")),
        ("when", r"quand\b|quelle (?:année|date|époque)\b|quel (?:jour|mois|siècle)\b"),
        ("who", r"\bqui\b(?! est[- ]ce que)"),
        ("where", r"\boù\b|quel(?:le)? (?:ville|pays|région|lieu)\b"),
        ("why", r"pourquoi\b|quelle est la (?:raison|cause)\b"),
        ("how-to", r"comment (?:faire|puis-je|peut-on|\w+er\b)|\bétapes\b"),
        ("how", r"comment\b"),
        ("define", r"qu'est[- ]ce qu|que signifie\b|c'est quoi\b"),
    ),
    "es": (
        ("number", r"cu[áa]nt[oa]s?\b|qu[ée] (?:porcentaje|número|cantidad)\b"),
        ("when", r"cu[áa]ndo\b|qu[ée] (?:año|fecha|día|mes|siglo)\b"),
        ("who", r"qui[ée]n(?:es)?\b"),
        ("where", r"d[óo]nde\b|qu[ée] (?:ciudad|país|región|lugar)\b"),
        ("why", r"por qu[ée]\b"),
        ("how-to", r"c[óo]mo (?:puedo|se puede|\w+r\b)|\bpasos\b"),
        ("how", r"c[óo]mo\b"),
        ("define", r"qu[ée] (?:es|son|era|significa)\b"),
    ),
    "pt": (
        ("number", (r"quant[oa]s?\b|qual (?:é |era )?(?:o |a )?(?:número|percentagem|porcentagem"
                   r"|quantidade)\b")),
        ("when", r"quando\b|que (?:ano|data|dia|mês|século)\b"),
        ("who", r"quem\b"),
        ("where", r"\bonde\b|que (?:cidade|país|região|lugar)\b"),
        ("why", r"por ?qu[eê]\b"),
        ("how-to", r"como (?:posso|se pode|\w+r\b)|\bpassos\b"),
        ("how", r"como\b"),
        ("define", r"(?:o )?que (?:é|são|era|significa)\b"),
    ),
    "it": (
        ("number", r"quant[oaie]\b|qual è (?:il|la) (?:numero|percentuale)\b"),
        ("when", r"quando\b|(?:che|quale) (?:anno|data|giorno|mese|secolo)\b"),
        ("who", r"\bchi\b"),
        ("where", r"\bdove\b|(?:che|quale) (?:città|paese|regione)\b"),
        ("why", r"perché\b"),
        ("how-to", r"come (?:posso|si può|\w+re\b)|\bpassi\b"),
        ("how", r"\bcome\b"),
        ("define", r"(?:che )?cosa (?:è|sono|significa)\b|cos'è\b"),
    ),
    "zh": (
        ("number", r"多少|几(?!乎)|多大|多高|多长|多远|百分之"),
        ("when", r"什么时候|何时|哪一?年|哪一?天|几月|哪个世纪|什么时间|哪年"),
        ("who", r"谁|哪位|何人|什么人"),
        ("where", r"哪里|哪儿|在哪|何处|哪个(?:城市|国家|地方|地区|州)|什么地方"),
        ("why", r"(?<![称认成作视叫])为什么|为何|原因"),
        ("how-to", r"步骤|怎么(?:才能|安装|使用|做)|如何(?:安装|使用|做|设置)"),
        ("how", r"如何|怎么|怎样"),
        ("define", r"^什么是|是什么[？?]?$|什么意思"),
    ),
    "ar": (
        ("number", r"\bكم\b|نسبة|عدد"),
        ("when", r"متى|أي عام|أي سنة|العام الذي"),
        ("who", r"\bمن (?:هو|هي|الذي|هم)|^من\b"),
        ("where", r"أين"),
        ("why", r"لماذا|سبب"),
        ("how", r"كيف"),
        ("define", r"ما (?:هو|هي)"),
    ),
}  # fmt: skip
_COMPILED = {
    language: tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in rows)
    for language, rows in _QUESTIONS.items()
}

_MONTHS = (
    "jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[ée]vr(?:ier)?|mar(?:ch|s|zo)?|märz|apr(?:il)?"
    "|avril|"
    "may|mai|june?|juni?|juin|july?|juli|juillet|aug(?:ust)?|août|agosto|sept?(?:ember|embre)?|"
    "o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember|embre)?|enero|febrero|abril|mayo"
    "|junio|"
    "julio|septiembre|octubre|noviembre|diciembre|janeiro|fevereiro|março|maio|junho|julho"
    "|setembro|"
    "outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre"
)
_DATE = re.compile(
    rf"\b1[0-9]{{3}}\b|\b20[0-9]{{2}}\b|\b[12]?\d{{3}}er\b|\b\d{{3,4}}s\b"
    r"|\d+ ?[万亿]?[年月日]|世纪|年代"
    rf"|\b(?:{_MONTHS})\.? \d{{1,2}}\b|\b\d{{1,2}}\.? (?:de )?(?:{_MONTHS})\b"
    r"|\b\d{1,2}(?:[.:]\d{2})? ?(?:Uhr|[ap]\.?m\b|o'clock|heures?\b|horas?\b)"
    r"|\b\d{1,2}[:h]\d{2}\b|\d ?[点點时時]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\w*"
    r"|\b\d{1,2}(?:st|nd|rd|th) centur|\bcentur(?:y|ies)\b|Jahrhundert|\bsiècle\b|\bsiglo\b"
    r"|\bséculo\b|عام|سنة|القرن"
    r"|\d ?(?:(?:thousand|million|billion|tausend|millionen|milliarden) )?"
    r"(?:years|jahre|ans\b|años\b)"
    r"|\d ?(?:BP|BC|BCE|AD|v\. ?Chr|n\. ?Chr)\b"
    r"|\b(?:within|later than|innerhalb von|binnen|spätestens|sous|dans les|entro|dentro de|en)\s"
    r"(?:\w+\s){1,2}(?:days?|weeks?|months?|tagen?|wochen?|monaten?|jours|semaines|mois|giorni"
    r"|settimane|mesi|días|semanas|meses|dias)\b",
    re.IGNORECASE,
)
_MONTH_NAME = re.compile(rf"\b(?=[A-ZÄ])(?i:{_MONTHS})\b")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty"
    r"|fifty|"
    r"hundreds?|thousands?|millions?|billions?|half|third|quarter|dozen|twice|none|no|zero|zwei|drei|vier"
    r"|fünf|sechs|"
    r"sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|millionen|milliarden|hälfte|drittel|keine?r?"
    r"|deux"
    r"|trois|"
    r"quatre|cinq|dix|cent|mille|dos|tres|cuatro|cinco|diez|cien|mil|millones|dois|três|quatro"
    r"|dez|"
    r"milhões|tre|quattro|cinque|dieci|cento|milioni)\b|[一二三四五六七八九十百千万亿两半]+[个名位次年岁种人分座倍项条本家只台层天月米元吨克里升度周秒块]|[十百千万亿]{2}|第[一二三四五六七八九十]",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\b(?:how many|wie ?viele|combien de|cu[áa]nt[oa]s) (\w+)", re.IGNORECASE)
_COUNTED = 1.5  # by judgement: next to a number of something else, for which there is 1
_NAME = re.compile(
    r"(?<![.!?:] )(?<!^)\b[A-ZÀ-ÖØ-Þ][\w'’.-]+(?: (?:(?:de|of|von|van|der|la|du|da"
    r"|dos) )?[A-ZÀ-ÖØ-Þ][\w'’.-]*)*"
)
_PERSON = re.compile(
    r"\b[A-ZÀ-ÖØ-Þ][\w'’.-]*(?: (?:de|von|van|der|la|du|da|dos|I+"
    r"|al))*(?: [A-ZÀ-ÖØ-Þ][\w'’.-]*)+|·"
)
_PLACE = re.compile(
    r"\b(?:in|at|near|from|to|of|on|im|am|bei|aus|nach|an|à|au|aux|en|dans|vers|a|no|na|em|di|da"
    r"|nel|nella)"
    r" (?:the |der |dem |den |la |le |les |el |los |il |o )?[A-ZÀ-ÖØ-Þ]\w+|在|位于|于|في"
)
_REASON = re.compile(
    r"\b(?:because|since|so that|due to|owing to|in order to|thus|therefore|as a result|caused"
    r"|to (?:avoid|prevent|counteract|reduce|ensure|allow|keep|make)|reason|led to|suspect"
    r"|weil|da|denn|damit|um|deshalb|daher|aufgrund|wegen|grund|dadurch|führte"
    r"|parce que|car|afin|grâce|à cause|pour|raison|porque|debido|para|causa|por lo que"
    r"|devido|pois|a fim|perché|poiché|affinché|per)\b"
    r"|因为|由于|因此|所以|以便|为了|导致|原因|بسبب|لأن",
    re.IGNORECASE,
)
_IS = re.compile(
    r"(?:is|are|was|were|means?|refers?|denotes?|describes?|consists?|can be|ist|sind|war|waren"
    r"|bezeichnet|bedeutet|heißt|est|sont|était|désigne|signifie|es|son|era|significa|é|são|è"
    r"|sono|indica)\b"
)
_HAPPENS_TO = re.compile(  # "is returned within six months" tells what is done with it
    r"(?:is|are|was|were)\s+(?:\w+ly\s+)?\w+ed\s+(?:within|by|in|on|at|to|from|if|when|after|before"
    r"|until|for|with)\b"
)
_AMOUNTS_TO = re.compile(
    r"(?:of|amounts? to|totals?|comes? to|in (?:höhe )?von|beträgt|s'élève à)\s+(?:up to\s+)?"
    r"(?:[€$£]?\s?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|ein|zwei|drei|vier|fünf"
    r"|sechs|acht|zehn|zwölf)\b)"
)
_APPOSITION = re.compile(r",[^,.;]{1,50}(?:, | )(?:is|are|was|were|ist|sind|est|sont|es|son|é|è)\b")
_SOFT_WORDS = """
    name named call called kind kinds type types sort term many much number amount year date day
    time long people person happen happened make made use used get got give given known know
    example find main another one old heavy tall mean means meaning step steps
    schritt schritte étape étapes paso pasos passo passos bedeutet bedeutung signifie significa
    heißt hieß nannte genannt name namen art arten jahr anzahl viele viel gibt gab zahl bezeichnet
    lange hoch schwer
    nom appelle appelé type sorte année nombre llama tipo año número llamado nome ano chamado anno
    numero chiamato
"""

_STRESSING_WORDS = """
    ever actually really exactly possibly please überhaupt jemals eigentlich wirklich bitte genau
    vraiment jamais realmente exactamente exatamente davvero
"""


_STRESSING = re.compile(rf"(?<!\w)(?:{'|'.join(_STRESSING_WORDS.split())})(?!\w)\s*", re.IGNORECASE)


def without_stress(question: str) -> str:
    """The question without words like "ever", which ask nothing by themselves."""
    return _STRESSING.sub("", question)


@lru_cache(maxsize=1)
def _soft() -> frozenset[str]:
    """Words by which a question says what sort of answer it wants; no answer repeats them."""
    return frozenset(_SOFT_WORDS.split())


def kind_of(question: str, language: str) -> Kind:
    """The first kind whose words the question has; ``other`` where none is found."""
    folded = question.strip().casefold()
    rows = _COMPILED.get(language)
    for table in [rows] if rows else _COMPILED.values():
        found = [
            (match.start(), place, kind)
            for place, (kind, pattern) in enumerate(table)
            if (match := pattern.search(folded))
        ]
        if found:
            return min(found)[2]
    return "other"


def is_soft(word: str) -> bool:
    """Whether the word only says what sort of answer is wanted."""
    return word.casefold() in _soft()


def answers_kind(kind: Kind, sentence: str, question: str) -> float:
    """How surely the sentence has something of the kind that the question does not hold.

    1 for a number, date, name or place; 2.5 for words of reason, which say more; 0 for none.
    """
    if kind == "number":
        if _counts_it(sentence, question):
            return _COUNTED
        numbers = set(_NUMBER.findall(sentence)) - set(_NUMBER.findall(question))
        return 1.0 if numbers else 0.7 * bool(_NUMBER_WORD.search(sentence))
    if kind == "when":
        found = [*_DATE.finditer(sentence), *_MONTH_NAME.finditer(sentence)]
        return float(any(match.group() not in question for match in found))
    if kind == "who":
        return max(
            float(_has_new(_PERSON, sentence, question)), 0.6 * _has_new(_NAME, sentence, question)
        )
    if kind == "where":
        return float(_has_new(_PLACE, sentence, question))
    if kind == "why":
        return 2.5 * (_REASON.search(sentence) is not None)
    return 0.0


def _counts_it(sentence: str, question: str) -> bool:
    """Whether a number stands right before what is counted: "five items" of "how many items"."""
    noun = _HOW_MANY.search(question)
    if noun is None:
        return False
    counted = re.compile(
        rf"(?:{_NUMBER.pattern}|{_NUMBER_WORD.pattern}) {re.escape(noun[1])}\b", re.IGNORECASE
    )
    return any(match.group() not in question for match in counted.finditer(sentence))


def _has_new(pattern: re.Pattern[str], sentence: str, question: str) -> bool:
    return any(
        any(word not in question for word in match.group().split())
        for match in pattern.finditer(sentence)
    )


def defines(sentence: str, subject_end: int) -> bool:
    """Whether a verb of definition follows the subject that ends at ``subject_end``."""
    rest = sentence[subject_end : subject_end + 60].lstrip(" \"'”’)*,").casefold()
    if _AMOUNTS_TO.match(rest) or rest[:1] in ("是", "指"):
        return True
    if _IS.match(rest):
        return _HAPPENS_TO.match(rest) is None
    if _APPOSITION.match(sentence[subject_end:]):
        return True
    closing = rest.find(")")  # "Retrieval-augmented generation (RAG) is …"
    return rest.startswith("(") and closing > 0 and bool(_IS.match(rest[closing + 1 :].lstrip()))
