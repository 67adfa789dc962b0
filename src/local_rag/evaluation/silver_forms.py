"""How sentences that state a number, a date or a definition are built, and asked back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """How a sentence is built and asked back.

    A German rest ends with the verb where the form has only its first part ("wurde … gebaut").

    Attributes:
        verb: what stands between subject and value.
        value: ``amount``: a number with a unit; ``time``: one of time; ``count``: a number and what
            it counts; ``date``: a date or year; ``words``: what it is.
        question: with ``{s}`` subject, ``{v}`` what the verb's group ``v`` holds, ``{n}`` what is
            counted, ``{r}`` what follows.
    """

    language: str
    kind: str
    verb: str
    value: str
    question: str


_PARTICIPLE = (
    r"(?:[a-z]{3,}ed|built|made|held|born|written|sold|sent|begun|founded|set up|won|bought|paid"
    r"|taken|given|shown|seen|found|put|cut|drawn|known|chosen|signed|laid|led|lost|met)"
)
FORMS = (
    Form("en", "date", rf"(?P<h>was|were) (?P<v>{_PARTICIPLE}(?: [^\W\d]+){{0,4}}?) (?:in|on)",
          "date", "When {h} {s} {v}{r}?"),
    Form("en", "date", r"(?P<v>expire|end|begin|start|open|close|take effect)s on",
          "date", "When does {s} {v}{r}?"),
    Form("en", "date", r"is (?:due )?on", "date", "On which date is {s}{r}?"),
    Form("en", "number", r"costs?", "amount", "How much does {s} cost{r}?"),
    Form("en", "number", r"weighs", "amount", "How much does {s} weigh{r}?"),
    Form("en", "duration", r"(?P<v>take|last)s", "time", "How long does {s} {v}{r}?"),
    Form("en", "number", r"(?:amounts to|totals|(?:is|was) (?:set|fixed|capped) at)", "amount",
          "How much does {s} amount to{r}?"),
    Form("en", "number", r"(?P<h>is|was)", "amount", "What {h} {s}{r}?"),
    Form("en", "duration", r"must be (?P<v>[a-z]+(?: [a-z]+){0,3}?) within", "time",
          "Within what time{r} must {s} be {v}?"),
    Form("en", "count", r"(?P<v>ha|contain|comprise|include)s", "count",
          "How many {n} does {s} {v}{r}?"),
    Form("en", "count", r"consists of", "count", "How many {n} does {s} consist of{r}?"),
    Form("en", "definition", r"(?P<h>is|are)", "words", "What {h} {s}?"),
    Form("en", "definition", r"(?P<v>mean|stand for|refer to)s?", "words", "What does {s} {v}?"),
    Form("en", "definition", r"(?P<h>is|are) defined as", "words", "How {h} {s} defined?"),
    Form("de", "date", r"(?P<h>wurde|wurden)(?: (?:am|im Jahre?|im))?", "date",
          "Wann {h} {s}{r}?"),
    Form("de", "date", r"(?P<v>endet|beginnt|startet|öffnet|schließt|erscheint) am", "date",
          "Wann {v} {s}{r}?"),
    Form("de", "date", r"gilt bis(?: zum)?", "date", "Bis wann gilt {s}{r}?"),
    Form("de", "number", r"(?P<v>kostet|wiegt|kosten|wiegen)", "amount", "Wie viel {v} {s}{r}?"),
    Form("de", "duration", r"(?P<v>dauert|dauern)", "time", "Wie lange {v} {s}{r}?"),
    Form("de", "number", r"(?:beträgt|beläuft sich auf|liegt bei)", "amount",
          "Wie hoch ist {s}{r}?"),
    Form("de", "count", r"(?P<v>hat|haben|enthält|enthalten|umfasst|umfassen)", "count",
          "Wie viele {n} {v} {s}{r}?"),
    Form("de", "count", r"(?P<v>besteht|bestehen) aus", "count", "Aus wie vielen {n} {v} {s}{r}?"),
    Form("de", "definition", r"(?P<h>ist|sind)", "words", "Was {h} {s}?"),
    Form("de", "definition", r"bezeichnet", "words", "Was bezeichnet {s}?"),
)  # fmt: skip
