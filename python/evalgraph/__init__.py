"""An RDF engine for evaluation datasets.

    import evalgraph as eg

    data = eg.read("checkpoints/*.jsonld", "train.json")
    rows = data.select("SELECT ?text { ?q a s:Question ; s:text ?text }")
    frame = rows.pl()
"""

from __future__ import annotations

from ._errors import EvalgraphError, MemoryLimit, ParseError, QueryError, Timeout
from ._native import (
    Comparison,
    Conversion,
    Dataset,
    Graph,
    Rows,
    Store,
    Validation,
    __version__,
    check,
    compare,
    convert,
    queries,
    read,
    sql,
    validate,
)
from ._terms import BNode, Iri, Literal, Row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._options import CallLimits, QueryOptions, ReadOptions

__all__ = [
    "BNode",
    "CallLimits",
    "Comparison",
    "Conversion",
    "Dataset",
    "EvalgraphError",
    "Graph",
    "Iri",
    "Literal",
    "MemoryLimit",
    "ParseError",
    "QueryError",
    "QueryOptions",
    "ReadOptions",
    "Row",
    "Rows",
    "Store",
    "Timeout",
    "Validation",
    "__version__",
    "check",
    "compare",
    "convert",
    "queries",
    "read",
    "sql",
    "validate",
]


def __getattr__(name: str) -> Any:
    # The types of options need `typing`, whose import takes longer than that of this package.
    if name in ("CallLimits", "QueryOptions", "ReadOptions"):
        from . import _options

        return getattr(_options, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """Adds the magic `%%sparql` to a notebook: `%load_ext evalgraph`."""
    from ._display import sparql_magic

    shell.register_magic_function(sparql_magic(shell), "cell", "sparql")
