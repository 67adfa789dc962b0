"""Whether what is sent to a model server stays on this machine."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_local(base_url: str, model: str) -> bool:
    """Whether the address is this machine's own and the model runs there.

    Only loopback addresses count; a name other than ``localhost`` may lead anywhere. Ollama hands
    models whose tag ends in ``cloud`` (``gpt-oss:120b-cloud``) on to its maker's servers.
    """
    _, colon, tag = model.lower().rpartition(":")
    handed_on = bool(colon) and (tag == "cloud" or tag.endswith("-cloud"))
    return not handed_on and _is_loopback(base_url)


def _is_loopback(base_url: str) -> bool:
    try:
        host = urlsplit(base_url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
