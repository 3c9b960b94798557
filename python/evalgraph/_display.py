"""How answers look in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._native import Dataset, Rows, Validation

#: How many rows a notebook shows.
SHOWN: int = 20


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = ""
    for row in rows:
        cells = (f"<td>{'' if value is None else escape(str(value))}</td>" for value in row)
        body += f"<tr>{''.join(cells)}</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def rows_as_html(rows: Rows) -> str:
    first = [rows[place] for place in range(min(SHOWN, len(rows)))]
    more = len(rows) - len(first)
    note = f"<p>{more} more rows</p>" if more else ""
    return _table(rows.columns, first) + note


def dataset_as_html(dataset: Dataset) -> str:
    return f"<p>{len(dataset)} quads</p>" + rows_as_html(dataset.named("overview"))


def validation_as_html(validation: Validation) -> str:
    says = "conforms" if validation.conforms else "does not conform"
    return f"<p>{says}</p>" + rows_as_html(validation.findings)


def sparql_magic(shell: Any) -> Callable[[str, str], Any]:
    """The function of `%%sparql DATASET`: a cell with a query."""

    def sparql(line: str, cell: str) -> Any:
        """%%sparql DATASET: answers the query in the cell over the dataset of that name."""
        name = line.strip()
        if name not in shell.user_ns:
            raise NameError(f"there is no dataset `{name}`: write %%sparql and the name of a dataset")
        return shell.user_ns[name].query(cell)

    return sparql
