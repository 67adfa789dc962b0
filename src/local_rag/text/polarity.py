"""Whether a text denies, hedges, or says the opposite of another: told by its words."""

from __future__ import annotations

import re

_NEGATIONS = {
    "en": r"not|without|\w+n['’]t|cannot|never|none|nobody|nothing|nowhere|neither|nor"
    r"|no(?! ?\.? ?\d)",
    "de": r"nicht|ohne|kein(?:e[rsnm]?)?|nie|niemals|nichts|niemand(?:en|em)?|nirgends|weder"
    r"|keinesfalls",
    "fr": r"pas|sans|jamais|aucune?|rien|ni|nul(?:le)?|n['’]\w+|ne|non",
    "es": r"no|sin|nunca|jamás|ning[uú]n(?:[oa]s?)?|nada|nadie|tampoco|ni",
    "pt": r"não|sem|nunca|jamais|nenhum(?:as?)?|nada|ninguém|nem|tampouco",
    "it": r"non|senza|mai|nessun[oa]?|niente|nulla|né|neanche|neppure",
    "nl": r"niet|geen|nooit|niemand|niets|nergens|noch",
}
_SOFT_NEGATIONS = {
    "en": r"lack\w*|fail\w*|except\w*|unless|unable|un(?!i|d[eo]|til|less)\w{4,}"
    r"|non-?\w{3,}"
    r"|in(?:valid|complete|correct|sufficient|active|dependent|eligible|capable|adequate"
    r"|accurate)\w*"
    r"|im(?:possible|perfect)\w*|dis(?:continu|allow|approv|qualif|agree|abl)\w*|exclu\w+"
    r"|prohibit\w*"
    r"|forbid\w*|forbad\w*|ban(?:s|ned)?|refus\w+|reject\w*|den(?:y|ies|ied|ial)|absen\w+|missing"
    r"|prevent\w*|avoid\w*|stop\w*|hardly|rarely|seldom|few|little|free|zero|instead|rather|only"
    r"|ceas\w+|lost|loss|los[es]\w*|block\w*|inhibit\w*|reduc\w+|protect\w*|negative\w*|far from"
    r"|barely",
    "de": r"un\w{4,}|außer|verboten\w*|verbiet\w*|untersag\w*|\w+los(?:e[rsnm]?)?|fehl\w*"
    r"|mangel\w*"
    r"|kaum|selten|frei|nur|statt|entfällt|ausgeschlossen\w*|ausgenommen\w*|abgelehnt\w*"
    r"|verhinder\w*"
    r"|vermeid\w*|weniger|null",
    "fr": r"sauf|im\w{5,}|in\w{5,}|interdi\w*|défend\w*|exclu\w*|absen\w*|manqu\w*|refus\w*"
    r"|rare\w*"
    r"|seul\w*|éviter?|empêch\w*|gratuit\w*|plus",
    "es": r"salvo|excepto|im\w{5,}|in\w{5,}|prohib\w*|exclu\w*|falta\w*|car[eé]c\w*|rechaz\w*"
    r"|nieg\w*|neg[oóa]\w*|apenas|sólo|solo|evita\w*|impid\w*|gratis",
    "pt": r"salvo|exceto|im\w{5,}|in\w{5,}|proib\w*|exclu\w*|falta\w*|recus\w*|apenas|só"
    r"|evita\w*",
    "it": r"salvo|tranne|im\w{5,}|in\w{5,}|viet\w*|esclu\w*|manc\w*|rifiut\w*|solo|evita\w*",
    "nl": r"zonder|behalve|on\w{4,}|verboden|ontbre\w*|zelden|alleen|geweiger\w*",
}
_NOT_NEGATIONS = {
    "en": r"not only|not just|no later than|no more than|no fewer than|no less than|not until"
    r"|whether or not|no doubt|no longer than|nothing but|no matter",
    "de": r"nicht nur|nicht zuletzt|nicht später als|nicht mehr als|nicht weniger als",
    "fr": r"non seulement|pas seulement|n['’]importe|ne \S+ que|pas plus de",
    "es": r"no s[oó]lo|no solamente|no obstante|no más de|no menos de",
    "pt": r"não só|não apenas|não somente|nada mais",
    "it": r"non solo|non soltanto|non oltre|non più di",
    "nl": r"niet alleen|niet later dan",
}
_WIDE = re.compile(r"[不没沒無无未非勿莫]|否(?!则|定)|别(?!的|人|名)")
_WIDE_NOT = re.compile(
    r"不仅|不但|不只|不同|不断|不过|不久|不少|无论|不论|非常|未来|不管|是否|除非|特别|分别|区别|无线|非洲"
)
_WIDE_SOFT = re.compile(r"除|仅|只|禁|缺|失|拒|免|少|防|止")
_HEDGES = {
    "en": r"(?-i:may)|might|could|possibl[ey]|perhaps|maybe|(?<!more )(?<!less )likely|probabl[ey]"
    r"|seems?|allegedly|reportedly|presumably|potentially",
    "de": r"könnte[nst]*|möglicherweise|vielleicht|wahrscheinlich|vermutlich|eventuell|womöglich"
    r"|angeblich|scheint|scheinen|dürfte[n]?|mutmaßlich|voraussichtlich|wohl",
    "fr": r"pourrai\w+|peut-être|probablement|possible\w*|éventuellement|semble\w*"
    r"|vraisemblablement"
    r"|apparemment|supposé\w*|devrai\w+",
    "es": r"podría\w*|quizás?|tal vez|probablemente|posible\w*|parece\w*|supuesta\w*|presunt\w*",
    "pt": r"poderia\w*|poderá|talvez|provavelmente|possível|possivelmente|parece\w*|supost\w*",
    "it": r"potrebbe\w*|forse|probabilmente|possibil\w*|sembra\w*|presumibilmente|presunt\w*",
    "nl": r"zou|zouden|misschien|waarschijnlijk|mogelijk|vermoedelijk|lijkt",
}
_WIDE_HEDGE = re.compile(r"可能|也许|或许|大概|似乎|据说|恐怕|估计|预计")
_OPPOSITES = {
    "en": """at least:at most; more than:less than|fewer than; before:after; above:below;
        over:under;
        minimum:maximum; highest:lowest; largest:smallest; longest:shortest;
        oldest:youngest|newest;
        first:last; earliest:latest; increas\\w*:decreas\\w*|reduc\\w*|declin\\w*;
        rise|rises|rising|rose:
        fall\\w*|fell; higher:lower; allow\\w*|permitted:forbid\\w*|forbidden|prohibit\\w*|banned;
        open|opens|opened:close[sd]?|shut; include[sd]?:exclude[sd]?; always:never;
        north\\w*:south\\w*;
        east\\w*:west\\w*; mandatory|compulsory|required:optional|voluntary;
        accept|accepts|accepted:reject\\w*
        |refuse[sd]?; cheaper:dearer|costlier; won:lost; activat\\w+:inhibit\\w*|inactivat\\w*;
        enabled?:disabled?; success\\w*|succeed\\w*:fail\\w*; positive\\w*:negative\\w*;
        gain\\w*:los\\w+;
        worsen\\w*:improv\\w*; arriv\\w*:depart\\w*|left; import\\w*:export\\w*;
        buy\\w*|bought:sell|sold""",
    "de": """mindestens:höchstens|maximal; mehr als:weniger als; vor:nach; über:unter; höchste\\w*:
        niedrigste\\w*; größte\\w*:kleinste\\w*; erste\\w*:letzte\\w*;
        steig\\w*|stieg\\w*:sink\\w*|sank\\w*|fäll\\w*;
        höher\\w*:niedriger\\w*; erlaubt\\w*|gestattet:verboten\\w*|untersagt;
        öffnet|geöffnet|offen:
        schließt|geschlossen; immer:nie|niemals; älteste\\w*:jüngste\\w*;
        nördlich\\w*:südlich\\w*; östlich\\w*:
        westlich\\w*; pflicht\\w*|verpflichtend\\w*:freiwillig\\w*; ankunft:abfahrt;
        kauf\\w*:verkauf\\w*;
        mit:ohne""",
    "fr": """au moins:au plus; plus de:moins de; avant:après; minimum:maximum;
        augment\\w*:diminu\\w*|baiss\\w*;
        autorisé\\w*|permis\\w*:interdit\\w*; ouvert\\w*|ouvre\\w*:fermé\\w*|ferme\\w*;
        toujours:jamais; obligatoire\\w*:
        facultatif\\w*|facultative\\w*; premi\\w+:derni\\w+; avec:sans; nord:sud; est:ouest""",
    "es": """al menos:como máximo|a lo sumo; más de:menos de; antes:después;
        mínim\\w*:máxim\\w*; aument\\w*:
        disminu\\w*|reduc\\w*; permitid\\w*:prohibid\\w*;
        abiert\\w*|abre\\w*:cerrad\\w*|cierra\\w*; siempre:nunca;
        obligatori\\w*:opcional\\w*|voluntari\\w*; primer\\w*:últim\\w*; con:sin; norte:sur;
        este:oeste""",
}
_UNSURE = frozenset(
    ["est", "ouest", "este", "oeste", "mit", "con", "avec", "over", "under", "über", "unter", "vor"]
)


def _compiled(lists: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {
        language: re.compile(rf"(?<![\w-])(?:{words})(?!\w)", re.IGNORECASE)
        for language, words in lists.items()
    }


def _pairs(text: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    found = []
    for pair in " ".join(text.split()).replace(" |", "|").split(";"):
        left, right = (rf"\b(?:{side.strip()})\b" for side in pair.strip().split(":"))
        found.append((re.compile(left, re.IGNORECASE), re.compile(right, re.IGNORECASE)))
    return found


_NEGATES = _compiled(_NEGATIONS)
_NEGATES_SOFTLY = _compiled(_SOFT_NEGATIONS)
_NEGATES_NOT = _compiled(_NOT_NEGATIONS)
_HEDGED = _compiled(_HEDGES)
_OPPOSED = {language: _pairs(text) for language, text in _OPPOSITES.items()}


def denials(text: str, language: str) -> list[str]:
    """The words that deny outright, in order. ``und`` and unknown languages: as in English."""
    if language in ("zh", "ja"):
        return _WIDE.findall(_WIDE_NOT.sub("", text))
    language = language if language in _NEGATES else "en"
    found = _NEGATES[language].findall(_NEGATES_NOT[language].sub("", text))
    return _one_of_two(found) if language == "fr" else found


def soft_denials(text: str, language: str) -> frozenset[str]:
    """The words such as "without" or "impossible" that can stand for a denial, in small letters."""
    if language in ("zh", "ja"):
        return frozenset(_WIDE_SOFT.findall(text))
    found = _NEGATES_SOFTLY.get(language, _NEGATES_SOFTLY["en"]).findall(text)
    return frozenset(word.casefold() for word in found)


def _one_of_two(found: list[str]) -> list[str]:
    """French denies with two words, "ne" and another."""
    others = [word for word in found if not word.casefold().startswith("n")]
    return others or found


def hedge(text: str, language: str) -> str:
    """The first word that leaves open whether it is so, or ``""``."""
    if language in ("zh", "ja"):
        found = _WIDE_HEDGE.search(text)
    else:
        found = _HEDGED.get(language, _HEDGED["en"]).search(text)
    return found.group() if found else ""


def opposite(claim: str, source: str, language: str) -> str:
    """A word of the claim where the source has its opposite and not the word, or ``""``."""
    for left, right in _OPPOSED.get(language, _OPPOSED["en"] if language == "und" else []):
        for own, other in ((left, right), (right, left)):
            said = own.search(claim)
            if said is None or said.group().casefold() in _UNSURE or other.search(claim):
                continue
            if other.search(source) and not own.search(source):
                return said.group()
    return ""
