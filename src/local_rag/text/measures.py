"""Words for numbers and units in several languages."""

from __future__ import annotations


def _listed(words: str) -> list[str]:
    return words.split()


_NAMES = (
    ("zero null zéro cero", "0"),
    ("one eins ein eine un une uno una uma", "1"),
    ("two zwei deux dos due dois duas", "2"),
    ("three drei trois tres tre três", "3"),
    ("four vier quatre cuatro quattro quatro", "4"),
    ("five fünf cinq cinco cinque", "5"),
    ("six sechs seis sei", "6"),
    ("seven sieben sept siete sette sete", "7"),
    ("eight acht huit ocho otto oito", "8"),
    ("nine neun neuf nueve nove", "9"),
    ("ten zehn dix diez dieci dez", "10"),
    ("eleven elf onze once undici", "11"),
    ("twelve zwölf douze doce dodici doze", "12"),
    ("thirteen dreizehn treize trece", "13"),
    ("fourteen vierzehn quatorze catorce", "14"),
    ("fifteen fünfzehn quinze quince", "15"),
    ("sixteen sechzehn seize", "16"),
    ("seventeen siebzehn", "17"),
    ("eighteen achtzehn", "18"),
    ("nineteen neunzehn", "19"),
    ("twenty zwanzig vingt veinte venti vinte", "20"),
    ("thirty dreißig trente treinta trenta trinta", "30"),
    ("forty vierzig quarante cuarenta quaranta quarenta", "40"),
    ("fifty fünfzig cinquante cincuenta cinquanta cinquenta", "50"),
    ("sixty sechzig soixante sesenta sessanta sessenta", "60"),
    ("seventy siebzig setenta settanta", "70"),
    ("eighty achtzig ochenta ottanta oitenta", "80"),
    ("ninety neunzig noventa novanta", "90"),
    ("third dritte dritten dritter drittes troisième tercero tercera tercer", "3"),
    ("fourth vierte vierten vierter quatrième cuarto cuarta", "4"),
    ("fifth fünfte fünften fünfter cinquième quinto quinta", "5"),
    ("sixth sechste sechsten sixième sexto sexta", "6"),
    ("seventh siebte siebten septième séptimo séptima", "7"),
    ("eighth achte achten huitième octavo octava", "8"),
    ("ninth neunte neunten neuvième noveno novena", "9"),
    ("tenth zehnte zehnten dixième décimo décima", "10"),
    ("eleventh elfte elften onzième", "11"),
    ("twelfth zwölfte zwölften douzième", "12"),
    ("first erste ersten erster erstes premier première primero primera primer", "1"),
    ("second zweite zweiten zweiter zweites deuxième segundo segunda", "2"),
)
NUMBER_WORDS = {word: value for words, value in _NAMES for word in words.split()}
UNSURE_WORDS = frozenset(
    _listed(
        """
    one eins ein eine un une uno una uma first erste ersten erster erstes premier première
    primero primera primer second zweite zweiten zweiter zweites deuxième segundo segunda
    null sei once quinta quinto sexta cuarto dez neuf achte achten elf elfte sept due
    """
    )
)
"""Words that mean other things as well: they can bear a number out, and claim none."""

SCALES = {
    **dict.fromkeys(["hundred", "hundert", "cent"], 100),
    **dict.fromkeys(["thousand", "tausend", "mille", "mil", "tsd"], 1_000),
    **dict.fromkeys(
        _listed("""
        million millions millionen mio millón millones milione milioni milhão
        milhões mn"""),
        1_000_000,
    ),
    **dict.fromkeys(
        _listed("""
        billion billions milliarde milliarden mrd milliard milliards bn"""),
        1_000_000_000,
    ),
    "万": 10_000,
    "亿": 100_000_000,
}
UNITS = {
    name: unit
    for unit, names in {
        "%": "% ％ percent prozent percentage 个百分点 pct",
        "m": "m metre metres meter meters metern mètre mètres metro metros metri 米",
        "km": "km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres "
        "kilómetro kilómetros chilometro chilometri quilômetros 公里 千米",
        "cm": "cm centimetre centimetres centimeter centimeters zentimeter zentimetern centimètres "
        "centimetri 厘米",
        "mm": "mm millimetre millimetres millimeter millimeters millimetern millimètres 毫米",
        "mile": "mile miles meile meilen milla millas mi",
        "foot": "foot feet ft",
        "inch": "inch inches zoll pouces pulgadas",
        "yard": "yard yards yd",
        "kg": "kg kilogram kilograms kilogramm kilo kilos kilogrammes kilogramos 公斤 千克",
        "g": "g gram grams gramm grammes gramos 克",
        "mg": "mg milligram milligrams milligramm",
        "t": "t tonne tonnes ton tons tonnen toneladas tonnellate 吨",
        "lb": "lb lbs pound pounds pfund",
        "l": "l litre litres liter liters litern litros litri 升",
        "ml": "ml millilitre millilitres milliliter milliliters 毫升",
        "°C": "°c ℃ celsius",
        "°F": "°f ℉ fahrenheit",
        "EUR": "€ eur euro euros",
        "USD": "$ usd dollar dollars dólares dollari us$",
        "GBP": "£ gbp sterling",
        "CHF": "chf franken",
        "JPY": "¥ jpy yen 日元",
        "CNY": "元 rmb yuan cny",
        "s": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos "
        "secondi 秒",
        "ms": "ms millisecond milliseconds millisekunden",
        "min": "min mins minute minutes minuten minuto minutos minuti 分钟",
        "h": "h hr hrs hour hours stunde stunden heure heures hora horas ora ore 小时",
        "d": "day days tag tage tagen jour jours día días giorno giorni dia dias 天",
        "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane 周",
        "month": "month months monat monate monaten mois mes meses mese mesi mês 个月",
        "year": "year years jahr jahre jahren an ans année années año años anno anni ano anos 年",
        "B": "b byte bytes",
        "kB": "kb kilobytes",
        "MB": "mb megabyte megabytes",
        "GB": "gb gigabyte gigabytes",
        "TB": "tb terabyte terabytes",
        "W": "w watt watts",
        "kW": "kw kilowatt kilowatts",
        "kWh": "kwh",
        "MW": "mw megawatt megawatts",
        "V": "v volt volts",
        "A": "amp amps ampere",
        "Hz": "hz hertz",
        "kHz": "khz",
        "MHz": "mhz",
        "GHz": "ghz",
        "km/h": "km/h kph",
        "mph": "mph",
        "m²": "m² qm sqm",
        "ha": "ha hectare hectares hektar",
        "bar": "bar",
        "px": "px pixel pixels",
    }.items()
    for name in names.split()
}
RATES = {
    word: unit
    for unit, words in {
        "h": "hourly stündlich",
        "d": "daily täglich quotidien quotidienne diario diaria diariamente",
        "week": "weekly wöchentlich hebdomadaire semanal settimanale",
        "month": "monthly monatlich mensuel mensuelle mensual mensal mensile",
        "year": "yearly annual annually jährlich annuel annuelle anual annuale",
    }.items()
    for word in words.split()
}
"""Words that say per which time something is."""
TIMES = frozenset(["s", "min", "h", "d", "week", "month", "year"])
"""Units of time."""
