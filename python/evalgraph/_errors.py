"""The exceptions. Each has the findings that led to it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._native import Rows


class EvalgraphError(Exception):
    """Work that failed. Nothing was changed."""

    #: The stable code of the first error, as in `evalgraph explain CODE`.
    code: str = ""
    #: All findings, as rows.
    findings: Rows | None = None


class ParseError(EvalgraphError, SyntaxError):
    """A text that cannot be read: `filename`, `lineno`, `offset` and `text` say where."""


class QueryError(ParseError):
    """A query that is not SPARQL, or that has no answer."""


class Timeout(EvalgraphError, TimeoutError):
    """A call that did not end within its time limit."""


class MemoryLimit(EvalgraphError, MemoryError):
    """A call that needed more memory than its limit."""


def exception(
    message: str, code: str, place: tuple[str, int, int, str] | None, findings: Rows
) -> EvalgraphError:
    """Makes the exception for an error. `place` has file, line, column and text."""
    if code in ("sparql::timeout", "limit::timeout"):
        error: EvalgraphError = Timeout(message)
    elif code == "limit::memory":
        error = MemoryLimit(message)
    elif place is not None:
        file, line, column, text = place
        kind = QueryError if code.startswith("sparql::") else ParseError
        error = kind(message, (file, line, column, text))
    else:
        error = EvalgraphError(message)
    error.code = code
    error.findings = findings
    return error
