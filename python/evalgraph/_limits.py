"""The limits of calls that take several steps."""

from __future__ import annotations

import time

from ._options import CallLimits


class SharedLimits:
    """The limits of a call. Its steps share its time."""

    def __init__(self, timeout: float | None, max_memory: int | str | None) -> None:
        if timeout is not None and not timeout >= 0:
            raise ValueError(f"timeout is a number of seconds, not {timeout}")
        self._end = None if timeout is None else time.monotonic() + timeout
        self._max_memory = max_memory

    def left(self) -> CallLimits:
        """What is left for the next step."""
        left = None if self._end is None else max(0.0, self._end - time.monotonic())
        return {"timeout": left, "max_memory": self._max_memory}
