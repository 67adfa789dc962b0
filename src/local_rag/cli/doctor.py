"""``local-rag doctor``: prints what a look at the set-up found."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from local_rag.checkup import checkup
from local_rag.cli.data_folder import check_data_folder

if TYPE_CHECKING:
    from local_rag.settings import Settings

_SIGNS = {True: "✓", False: "✗", None: "–"}
_NAME_COLUMN_CHARS = 11


def doctor(settings: Settings, *, as_json: bool) -> int:
    """Looks at each piece; returns 1 if one that is configured does not work."""
    failed = False
    shown = []
    for check in checkup(settings, lambda: check_data_folder(settings.data_dir)):
        failed = failed or check.works is False
        shown.append(asdict(check))
        if not as_json:
            print(f"{_SIGNS[check.works]} {check.name:<{_NAME_COLUMN_CHARS}}  {check.message}")
            if check.fix:
                print(f"  {'':<{_NAME_COLUMN_CHARS}}  fix: {check.fix}", flush=True)
    if as_json:
        print(json.dumps({"works": not failed, "checks": shown}, ensure_ascii=False, indent=2))
    return 1 if failed else 0
