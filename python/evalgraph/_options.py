"""The options that calls share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict


class CallLimits(TypedDict, total=False):
    """Limits of a call. None means unlimited."""

    #: Seconds after which the call ends with `Timeout`.
    timeout: float | None
    #: The memory of the process, in bytes or as a text such as `2GiB`, beyond which the call ends with `MemoryLimit`.
    max_memory: int | str | None


class QueryOptions(CallLimits, total=False):
    """How a query is answered."""

    #: Values of variables, by name: they go into the query as terms.
    bind: Mapping[str, object] | None


class ReadOptions(CallLimits, total=False):
    """How files are read. All are optional, and None is the default."""

    #: Every warning is an error.
    strict: bool
    #: Invalid inputs are left out, and reported.
    keep_going: bool
    #: URLs and contexts may be read, and services asked.
    network: bool
    #: Files are loaded exactly as the specifications say: namespaces are not merged, and no ids are made.
    plain: bool
    #: The name of the dataset. Otherwise it is the `@id` of the root, or the name of the file.
    dataset: str | None
    #: A format of RDF, whatever the name and the content suggest: `json-ld`, `ttl`, `nq` …
    format: str | None
    #: The encoding of the texts, if it is not UTF-8.
    encoding: str | None
    #: The base of relative IRIs.
    base: str | None
    #: The largest input, in bytes or as a text such as `2GiB`.
    max_size: int | str | None
    #: The deepest nesting of JSON.
    max_depth: int | None
