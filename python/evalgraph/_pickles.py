"""How datasets travel to other processes: as the names of their files, never as their quads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import EvalgraphError
from ._native import Dataset, read


def states(files: Iterable[str]) -> list[tuple[str, int, int]]:
    """Name, size and time of the last change of files. A URL has none of these and is left out."""
    found = []
    for name in sorted(files):
        try:
            state = os.stat(name)
        except OSError:
            continue
        found.append((name, state.st_size, state.st_mtime_ns))
    return found


def read_again(
    names: list[str], options: Mapping[str, Any], pickled: list[tuple[str, int, int]]
) -> Dataset:
    """Reads a dataset that was pickled, if its files are the same."""
    data = read(*names, **options)
    if states(data.files.values()) != pickled:
        raise EvalgraphError("the files have changed since the dataset was pickled; read them again")
    return data
