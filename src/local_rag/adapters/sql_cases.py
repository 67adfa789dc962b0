"""The golden cases in the catalogue's database."""

from __future__ import annotations

from dataclasses import asdict, replace

import sqlalchemy as sa

from local_rag.adapters.safe_text import storable
from local_rag.adapters.tables import cases
from local_rag.errors import CaseChanged, UnknownCase
from local_rag.model.kept_case import KeptCase


class SqlCaseStore:
    """``ports.CaseStore`` in the database of the catalogue.

    Args:
        engine: of ``open_database``; the catalogue closes it.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def add(self, case: KeptCase) -> KeptCase:
        """See ``ports.CaseStore.add``."""
        same = sa.select(cases).where(
            sa.or_(cases.c.case_id == storable(case.case_id), cases.c.sameness == case.sameness)
        )
        try:
            with self._engine.begin() as connection:
                connection.execute(sa.insert(cases), asdict(case))
        except sa.exc.IntegrityError:
            with self._engine.connect() as connection:
                row = connection.execute(same).mappings().first()
            if row is None:  # deleted meanwhile
                return self.add(case)
            return KeptCase(**row)
        return case

    def cases(self, review_status: str | None = None) -> list[KeptCase]:
        """See ``ports.CaseStore.cases``."""
        query = sa.select(cases).order_by(cases.c.created_at.desc(), cases.c.case_id)
        if review_status is not None:
            query = query.where(cases.c.review_status == storable(review_status))
        with self._engine.connect() as connection:
            return [KeptCase(**row) for row in connection.execute(query).mappings()]

    def case(self, case_id: str) -> KeptCase:
        """See ``ports.CaseStore.case``."""
        query = sa.select(cases).where(cases.c.case_id == storable(case_id))
        with self._engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            raise _unknown()
        return KeptCase(**row)

    def replace(self, case: KeptCase, *, read_at: str) -> KeptCase:
        """See ``ports.CaseStore.replace``."""
        mine = cases.c.case_id == storable(case.case_id)
        changed = {
            name: value
            for name, value in asdict(case).items()
            if name not in ("case_id", "created_at")
        }
        try:
            with self._engine.begin() as connection:
                written = connection.execute(
                    sa.update(cases).where(mine, cases.c.updated_at == read_at).values(changed)
                )
        except sa.exc.IntegrityError as exc:
            raise CaseChanged(
                "Another test asks the same of the same documents.",
                fix="Edit or delete that one, or ask something else.",
            ) from exc
        kept = self.case(case.case_id)
        if not written.rowcount:
            raise CaseChanged("The test was changed meanwhile.")
        return replace(case, created_at=kept.created_at)

    def delete(self, case_id: str) -> None:
        """See ``ports.CaseStore.delete``."""
        with self._engine.begin() as connection:
            deleted = connection.execute(
                sa.delete(cases).where(cases.c.case_id == storable(case_id))
            )
        if not deleted.rowcount:
            raise _unknown()

    def delete_all(self) -> int:
        """See ``ports.CaseStore.delete_all``."""
        with self._engine.begin() as connection:
            return int(connection.execute(sa.delete(cases)).rowcount)


def _unknown() -> UnknownCase:
    return UnknownCase("No test has this id.")
