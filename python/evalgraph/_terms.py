"""The terms of RDF, and the rows of answers."""

from __future__ import annotations

# `typing`, `dataclasses` and `decimal` would take more time to import than all of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date, datetime
    from decimal import Decimal
    from typing import Any

    _Values = tuple[Any, ...]
else:
    _Values = tuple

XSD: str = "http://www.w3.org/2001/XMLSchema#"


class Iri(str):
    """An IRI. It compares as the text that it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Iri({str(self)!r})"


class BNode(str):
    """A blank node, with the label that it has in one answer."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"BNode({str(self)!r})"


class Literal:
    """A literal that is not a value of Python: its lexical form, its datatype and its language."""

    __slots__ = ("_key",)
    _key: tuple[str, str, str | None]

    def __init__(self, lexical: str, datatype: str = XSD + "string", language: str | None = None) -> None:
        self._key = (lexical, datatype, language)

    @property
    def lexical(self) -> str:
        """The lexical form, as it was written."""
        return self._key[0]

    @property
    def datatype(self) -> str:
        """The IRI of the datatype."""
        return self._key[1]

    @property
    def language(self) -> str | None:
        """The tag of the language, if the literal has one."""
        return self._key[2]

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Literal) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return "Literal(lexical={!r}, datatype={!r}, language={!r})".format(*self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        return Literal, self._key

    def __str__(self) -> str:
        return self.lexical


class Row(_Values):
    """A row of an answer. A value is found by place, by name or as an attribute."""

    __slots__ = ()
    _columns: tuple[str, ...] = ()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            try:
                return tuple.__getitem__(self, self._columns.index(key))
            except ValueError:
                raise KeyError(key) from None
        return tuple.__getitem__(self, key)

    def __getattr__(self, name: str) -> Any:
        try:
            return tuple.__getitem__(self, self._columns.index(name))
        except ValueError:
            raise AttributeError(name) from None

    def asdict(self) -> dict[str, Any]:
        """The values by the names of their columns."""
        return dict(zip(self._columns, self))

    def __reduce__(self) -> tuple[Any, ...]:
        # The class of a row is made for its columns.
        return _row, (self._columns, tuple(self))

    def __repr__(self) -> str:
        return "Row(" + ", ".join(f"{name}={value!r}" for name, value in zip(self._columns, self)) + ")"


def row_class(columns: tuple[str, ...]) -> type[Row]:
    """The class of rows with these columns."""
    return type("Row", (Row,), {"__slots__": (), "_columns": columns})


def _row(columns: tuple[str, ...], values: tuple[Any, ...]) -> Row:
    return row_class(columns)(values)


def standard_value(text: str, datatype: str) -> Decimal | date | datetime | None:
    """The value of a decimal, a date or a time. None if Python cannot hold it exactly."""
    from datetime import date, datetime
    from decimal import Decimal

    try:
        if datatype == XSD + "decimal":
            return Decimal(text)
        # Python 3.10 does not know `Z`.
        text = text[:-1] + "+00:00" if text.endswith("Z") else text
        if datatype == XSD + "date":
            return date.fromisoformat(text)
        digits = len(text.partition(".")[2].partition("+")[0].partition("-")[0])
        # `fromisoformat` of 3.10 takes three or six digits, and later ones drop digits after the sixth.
        if digits > 6:
            return None
        if digits:
            head, _, tail = text.partition(".")
            text = f"{head}.{tail[:digits].ljust(6, '0')}{tail[digits:]}"
        return datetime.fromisoformat(text)
    except (ArithmeticError, ValueError):
        return None


def _quoted(text: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
    return '"' + "".join(escapes.get(character, character) for character in text) + '"'


def sparql_text(value: object) -> str:
    """A value as SPARQL writes its term."""
    from datetime import date, datetime
    from decimal import Decimal

    if isinstance(value, Iri):
        if any(character in '<>"{}|^`\\' or character <= " " for character in value):
            raise ValueError(f"{value!r} is not an IRI")
        return f"<{value}>"
    if isinstance(value, BNode):
        raise TypeError("a blank node has no name in a query")
    if isinstance(value, Literal):
        if value.language:
            return f"{_quoted(value.lexical)}@{value.language}"
        return f"{_quoted(value.lexical)}^^{sparql_text(Iri(value.datatype))}"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = {"inf": "INF", "-inf": "-INF", "nan": "NaN"}.get(repr(value), repr(value))
        return f'"{text}"^^<{XSD}double>'
    if isinstance(value, Decimal):
        return f'"{value:f}"^^<{XSD}decimal>'
    if isinstance(value, datetime):
        return f'"{value.isoformat()}"^^<{XSD}dateTime>'
    if isinstance(value, date):
        return f'"{value.isoformat()}"^^<{XSD}date>'
    raise TypeError(f"{value!r} is not a value of RDF: use a text, a number, a time, an Iri or a Literal")
