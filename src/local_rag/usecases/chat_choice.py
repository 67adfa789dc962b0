"""Whether the configured chat model can be used now, without making anybody wait for it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.model.chat import ChatInfo, ChatState
    from local_rag.ports import ChatModel

_FRESH_S = 5.0
_USABLE = frozenset(["ready", "loading"])


class ChatChoice:
    """The chat model of the settings and what is known of its state.

    Its server is looked at in the background, when somebody asks and the last look is old.

    Args:
        chat: ``None``: answers are extractive.
        optional: whether to do without it where it does not answer, and say nothing.
        clock: seconds that never go back.
    """

    def __init__(
        self,
        chat: ChatModel | None,
        *,
        optional: bool,
        fresh_s: float = _FRESH_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chat = chat
        self._optional = optional
        self._fresh_s = fresh_s
        self._clock = clock
        self._lock = threading.Lock()
        self._looked = threading.Event()
        self._looking = False
        self._known: ChatState | None = None
        self._known_at = 0.0

    def model(self, wait_s: float = 1.0) -> ChatModel | None:
        """The model to ask now, or ``None`` for an extractive answer.

        One that the settings name outright is given whatever its state: its errors say what to do.

        Args:
            wait_s: how long to wait for the very first look.
        """
        if self._chat is None or not self._optional:
            return self._chat
        self._look_if_old()
        self._looked.wait(wait_s)
        known = self._known
        return self._chat if known and known.kind in _USABLE else None

    @property
    def info(self) -> ChatInfo | None:
        """What identifies the model of the settings; ``None``: answers are extractive."""
        return self._chat.info if self._chat is not None else None

    def in_use(self) -> bool:
        """Whether a question now would go to the model; never waits."""
        if self._chat is None or not self._optional:
            return self._chat is not None
        known = self.state()
        return known is not None and known.kind in _USABLE

    def state(self) -> ChatState | None:
        """What the last look found; never waits. ``None``: no model, or not looked yet."""
        if self._chat is None:
            return None
        self._look_if_old()
        return self._known

    def close(self) -> None:
        """Releases the model."""
        if self._chat is not None:
            self._chat.close()

    def _look_if_old(self) -> None:
        with self._lock:
            fresh = self._known and self._clock() - self._known_at < self._fresh_s
            if fresh or self._looking:
                return
            self._looking = True
        threading.Thread(target=self._look, name="chat-state", daemon=True).start()

    def _look(self) -> None:
        try:
            found = self._chat.state() if self._chat else None
            with self._lock:
                self._known, self._known_at = found, self._clock()
        finally:
            self._looking = False
            self._looked.set()
