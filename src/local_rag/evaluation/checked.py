"""A golden case from values that came from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from local_rag.errors import InvalidRequest
from local_rag.evaluation.cases import Case, broken_rules, told_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def checked_case(values: Mapping[str, Any]) -> Case:
    """The case of these values.

    Raises:
        InvalidRequest: they break a rule of golden cases; every one is named.
    """
    try:
        case = Case.model_validate(dict(values))
    except ValidationError as error:
        wrong = told_of(error)
    else:
        wrong = broken_rules(case)
        if not wrong:
            return case
    raise InvalidRequest(
        f"The test breaks {len(wrong)} rules:\n" + "\n".join(wrong),
        fix="Change what is named and send it again.",
    )
