"""Where a store lies, as it may be shown: never with a password, and whether it is this machine."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A store of the library, as ``/health`` shows it.

    Attributes:
        provider: name of the engine.
        address: host, port and what lies there; ``None`` for what lies in the data folder.
        local: whether what is stored stays on this machine.
    """

    provider: str
    address: str | None = None
    local: bool = True


def is_loopback(host: str | None) -> bool:
    """Whether the host is this machine: no host, a socket's path, a loopback name or address."""
    if not host or host.startswith(("/", "@")) or host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
