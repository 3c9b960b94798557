from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Literal as Choice, final

from typing_extensions import Self, Unpack

from ._options import CallLimits, QueryOptions, ReadOptions
from ._terms import BNode, Iri, Literal, Row

__version__: str

__all__ = [
    "BindingRows",
    "Comparison",
    "Conversion",
    "Dataset",
    "Graph",
    "QuadCollection",
    "QuadMatches",
    "RowIterator",
    "Rows",
    "Store",
    "Validation",
    "__version__",
    "check",
    "compare",
    "convert",
    "json_ld",
    "json_ld_from_rdf",
    "main",
    "queries",
    "read",
    "read_again",
    "read_json_ld",
    "shacl_report",
    "sql",
    "validate",
]

@final
class Rows:
    """The rows of an answer, in their order: a sequence, and a stream of Arrow that Polars, DuckDB, pyarrow and pandas
    read. Beyond 64 MB they are compressed in memory.
    """

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Row: ...
    def __iter__(self) -> RowIterator: ...
    def exact(self) -> Rows:
        """Returns the same rows with every value as a term: an Iri, a BNode or a Literal."""
    def to_dicts(self) -> list[dict[str, Any]]:
        """Returns the rows as a list of dictionaries."""
    def df(self) -> Any:
        """Returns the rows as a data frame of pandas, which needs pyarrow."""
    def pl(self) -> Any:
        """Returns the rows as a data frame of Polars."""
    def arrow(self) -> Any:
        """Returns the rows as a table of pyarrow."""
    def write(self, path: str | PathLike[str]) -> None:
        """Writes the rows into a file that is replaced if it exists: `.parquet`, `.arrow` or `.xlsx`."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def _repr_html_(self) -> str: ...

@final
class RowIterator:
    """Goes through rows."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Row: ...

@final
class Graph:
    """Quads in memory, as RDF texts have them. It does not change."""

    @staticmethod
    def parse(
        text: str | bytes,
        format: str = "ttl",
        *,
        base: str | None = None,
        name: str = "text",
        **limits: Unpack[CallLimits],
    ) -> Graph:
        """Reads a text of RDF, which errors call `name`. The formats are `nt`, `nq`, `ttl`, `trig`, `rdf` and `n3`;
        JSON-LD is read by `read` and `evalgraph.jsonld`. A fault is a `ParseError` with its place.
        """
    @property
    def prefixes(self) -> dict[str, str]:
        """The prefixes that the text declares, with their namespaces."""
    def serialize(self, format: str = "nq") -> str:
        """Returns the quads as a text in one of the formats that `parse` reads."""
    def canonical(self, **limits: Unpack[CallLimits]) -> str:
        """Returns the quads as canonical N-Quads (RDF Dataset Canonicalization), which are equal for isomorphic graphs.
        Graphs whose blank nodes are made to be hard to tell apart are refused: `canon::work-limit`.
        """
    def isomorphic(self, other: Graph, **limits: Unpack[CallLimits]) -> bool:
        """Returns True if two graphs are the same except for the labels of their blank nodes."""
    def __len__(self) -> int: ...
    def __iter__(
        self,
    ) -> Iterator[tuple[Iri | BNode, Iri, Iri | BNode | Literal, Iri | BNode | None]]: ...

@final
class Dataset:
    """The data that queries read. It does not change, and any number of threads can use it."""

    @property
    def files(self) -> dict[str, str]:
        """The file of each graph."""
    @property
    def prefixes(self) -> dict[str, str]:
        """The prefixes that the files declare, with their namespaces."""
    @property
    def report(self) -> Rows:
        """What was found while the files were read."""
    def __len__(self) -> int: ...
    def select(self, query: str, **options: Unpack[QueryOptions]) -> Rows:
        """Answers a query with SELECT. The usual prefixes need no declaration. Patterns match the union of all graphs;
        `GRAPH ?g` matches the graph of one file.

        A query that cannot be parsed is a `QueryError` with its place; `Timeout` and `MemoryLimit` end one that exceeds
        its limits.
        """
    def ask(self, query: str, **options: Unpack[QueryOptions]) -> bool:
        """Answers a query with ASK. Errors are those of `select`."""
    def construct(self, query: str, **options: Unpack[QueryOptions]) -> Graph:
        """Answers a query with CONSTRUCT or DESCRIBE. Errors are those of `select`."""
    def query(self, query: str, **options: Unpack[QueryOptions]) -> Rows | bool | Graph:
        """Answers a query of any form: rows for SELECT, True or False for ASK, a graph for CONSTRUCT and DESCRIBE."""
    def named(self, name: str, **arguments: object) -> Rows:
        """Answers a named query; `evalgraph.queries()` lists them. Keyword arguments are limits, and the parameters of
        the query.
        """
    def questions(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each question of any system: answer, keywords, rubric, template, sources, author and dates.
        """
    def answers(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each answer to a question: the accepted one, and those that models suggest or experts
        correct.
        """
    def results(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each result of a verification: the answer of a model, who read it, and the verdict."""
    def ratings(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each value that a person, a model or a metric has given, with its range, and what it was
        given to.
        """
    def retrievals(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each passage that was retrieved, cited or expected for a question: rank, score, document
        and text.
        """
    def samples(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each sample for training or evaluation, with its question and answer."""
    def runs(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each run of an evaluation: how many results it has, of how many questions and models, and
        how many passed.
        """
    def models(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each model that a file names: its role, and how often it is named."""
    def traits(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each kind of rubric trait of a file, with the number of traits."""
    def trait_ranges(self, **limits: Unpack[CallLimits]) -> Rows:
        """Returns a row for each range that a rubric trait is defined with, and the values given."""
    def validate(self, *shapes: str | PathLike[str], **limits: Unpack[CallLimits]) -> Validation:
        """Reads the files again, and checks them against shapes of SHACL: files, or built-in shapes such as `karenina`.
        Without shapes the rules of the program that writes the files apply.
        """
    def _repr_html_(self) -> str: ...

@final
class Validation:
    """The result of a check."""

    @property
    def conforms(self) -> bool:
        """True if no file has a violation. Warnings do not count."""
    @property
    def findings(self) -> Rows:
        """The results, with the file and the line of each."""
    @property
    def report(self) -> Rows:
        """What was found while the files were read."""
    def text(
        self,
        format: Choice[
            "text", "table", "json", "jsonl", "csv", "sarif", "junit", "github", "gitlab", "markdown", "html"
        ] = "text",
    ) -> str:
        """Returns the results in a format of reports: text, table, json, jsonl, csv, sarif, junit, github, gitlab,
        markdown or html.
        """
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Comparison:
    """Runs compared sample by sample: which is better, and whether that is more than chance."""

    @property
    def rows(self) -> Rows:
        """A row for each side, metric and group of samples: all of them, those of a task, those with a keyword."""
    @property
    def flips(self) -> Rows:
        """The samples whose scores differ, the largest losses first."""
    @property
    def unpaired(self) -> Rows:
        """The samples that only one side has."""
    @property
    def report(self) -> Rows:
        """What was found while the files were read."""
    def has_regression(self, margin: float = 0.0) -> bool:
        """Returns whether any side is worse than the baseline, in any row: by more than chance, and by more than the
        margin.
        """
    def text(self, shown: int = 10) -> str:
        """The comparison as tables for a terminal. Lists of samples have at most `shown` items."""
    def markdown(self, shown: int = 10) -> str:
        """The comparison as Markdown, for a comment on a change."""
    def html(self, shown: int = 10) -> str:
        """The comparison as a page for a browser, which loads nothing."""

@final
class Conversion:
    """The files of a conversion. Nothing is on disk yet."""

    @property
    def files(self) -> dict[str, str]:
        """The text of each file, by its path."""
    @property
    def losses(self) -> Rows:
        """The values that the form cannot express, with their places."""
    @property
    def report(self) -> Rows:
        """All that was found: losses, and values that were filled in."""
    def write(self, folder: str | PathLike[str]) -> list[Path]:
        """Writes the files into a folder, which is created if it is missing. Returns their paths."""

@final
class Store:
    """A store: a folder with files and the changes that were made to them. Any number of processes may read it while
    one changes it.
    """

    @staticmethod
    def create(folder: str | PathLike[str]) -> Store:
        """Creates an empty store in a folder, which must not have one: `store::exists`."""
    @staticmethod
    def open(folder: str | PathLike[str]) -> Store:
        """Opens a store. A folder without one is an `EvalgraphError` with the code `store::missing`."""
    def load(self, *inputs: str | PathLike[str], **options: Unpack[ReadOptions]) -> Rows:
        """Loads inputs that are new or have changed, all or nothing. Returns what was found."""
    def update(self, update: str, **limits: Unpack[CallLimits]) -> Rows:
        """Runs an update of SPARQL, all or nothing. Returns what was changed."""
    def snapshot(self) -> Dataset:
        """Returns the state of the store at this moment, which later changes of the store do not change."""
    def validate(self, *shapes: str | PathLike[str], **limits: Unpack[CallLimits]) -> Validation:
        """Checks the data of the store at this moment against shapes of SHACL, which are files or built-in shapes."""
    def select(self, query: str, **options: Unpack[QueryOptions]) -> Rows:
        """Answers a query with SELECT on the state at this moment."""

@final
class QuadMatches:
    """Goes through the quads that match a pattern. Most programs want few of many quads, or all: the first ones are
    read alone, and the others together. Later changes of the collection do not affect those that have been read.
    """

    def __iter__(self) -> Self: ...
    def __next__(self) -> Any: ...

@final
class BindingRows:
    """Goes through the rows of an answer: dictionaries of the terms by their variables, without those that have none.
    """

    def __iter__(self) -> Self: ...
    def __next__(self) -> dict[Any, Any]: ...

@final
class QuadCollection:
    """Quads in memory, each with a graph. Any number of threads can use them."""

    def __new__(cls, iri: type, blank_node: type, literal: type) -> Self: ...
    def add(self, subject: object, predicate: object, object: object, graph: object) -> None:
        """Adds a quad."""
    def extend(self, quads: Iterable[tuple[Any, Any, Any, Any]]) -> None:
        """Adds quads, all or none if one is not a quad."""
    def extend_from(self, quads: Graph, graph: object) -> None:
        """Adds the quads of a text. Those without a graph go to `graph`. Blank nodes are new ones."""
    def remove(
        self, subject: object | None, predicate: object | None, object: object | None, graph: object | None
    ) -> None:
        """Removes the quads that match a pattern. None is any term."""
    def matches(
        self, subject: object | None, predicate: object | None, object: object | None, graph: object | None
    ) -> QuadMatches:
        """Returns the triples that match a pattern in a graph, or in any graph, each with the names of its graphs."""
    def count(self, graph: object | None = None) -> int:
        """Returns how many different triples there are, in all graphs or in one."""
    def __len__(self) -> int: ...
    def graphs(self) -> list[Any]:
        """Returns the names of the graphs, including those that are empty."""
    def add_graph(self, graph: object) -> None:
        """Adds an empty graph, unless it is there."""
    def remove_graph(self, graph: object) -> None:
        """Removes a graph with its quads."""
    def query(
        self, request: Mapping[str, Any], variable: Callable[[str], Any], **limits: Unpack[CallLimits]
    ) -> tuple[str, Any, list[Any] | None]:
        """Answers a query. Returns its form, and its answer: a boolean, a collection with one graph, or rows with their
        variables, which `variable` makes from names.
        """
    def update(self, request: Mapping[str, Any], **limits: Unpack[CallLimits]) -> None:
        """Performs an update, all or nothing. Triples without a graph go to the default graph."""
    def open(self, folder: str | PathLike[str]) -> None:
        """Reads the quads of a store in a folder. From then on, changes are recorded for `commit` and `rollback`."""
    def commit(self, folder: str | PathLike[str]) -> None:
        """Writes the recorded changes into a store, in one transaction."""
    def rollback(self) -> None:
        """Takes back the recorded changes."""
    def to_graph(self, graph: object | None, unnamed: object, prefixes: list[tuple[str, str]]) -> Graph:
        """Returns the quads as a graph, to be written: all of them, or the triples of one graph."""

def read(*inputs: str | PathLike[str], **options: Unpack[ReadOptions]) -> Dataset:
    """Loads inputs into memory, on all cores. An input is a file, a folder, a pattern such as `data/*.jsonld`, or with
    `network` a URL; the format is recognised.

    A text that cannot be read is a `ParseError` with its place, unless `keep_going` leaves the file out. A missing
    input is an `EvalgraphError`. Memory: about 40 bytes for each quad and the texts of the terms.
    """
def read_again(
    inputs: tuple[str, ...], options: Mapping[str, Any], states: list[str]
) -> Dataset:
    """Reads a dataset that was pickled. Files that have changed since it was read are an error: `input::changed`."""
def validate(
    *inputs: str | PathLike[str],
    shapes: list[str] | None = None,
    profile: str | None = None,
    **options: Unpack[ReadOptions],
) -> Validation:
    """Checks inputs by the rules of the program that writes them, by a profile of these rules, or by shapes of SHACL:
    files, or built-in shapes such as `karenina`.

    A finding is not an error: the result has it, with file and line. A file that cannot be read is a `ParseError`.
    """
def check(*inputs: str | PathLike[str], **options: Unpack[ReadOptions]) -> Validation:
    """Checks inputs against schema.org: unknown terms, values of the wrong type, and properties of other classes; and
    metadata of datasets against Croissant.
    """
def compare(
    *inputs: str | PathLike[str],
    by: Choice["input", "model", "run"] | None = None,
    baseline: str | None = None,
    metrics: list[str] | None = None,
    **options: Unpack[ReadOptions],
) -> Comparison:
    """Compares runs of models sample by sample. The first input is the baseline, and every other one is compared with
    it; `by` compares the models or the runs inside the inputs.

    Samples are paired by id or by question, repeats are averaged, and p is corrected by Holm's method.
    """
def convert(*inputs: str | PathLike[str], to: str, **options: Unpack[ReadOptions]) -> Conversion:
    """Converts inputs into a form, such as `karenina`, `train`, `hf-chat`, `sft`, `ttl` or `nq`. Nothing is written
    until `write` is called.

    What the form cannot express is in `losses`, with file and line.
    """
def queries() -> Rows:
    """Returns the named queries: name, title, description and parameters."""
def sql(
    query: str,
    dialect: Choice["duckdb", "spark", "datafusion"],
    *,
    bind: Mapping[str, object] | None = None,
) -> str:
    """Writes a query as SQL over a folder that `evalgraph export parquet` has written. The SQL has exactly the answer
    of the query; a query without such SQL is an `EvalgraphError` with the code `sql::unsupported` and its place.
    """
def json_ld(
    operation: str,
    input: Mapping[str, str | None],
    argument: Mapping[str, str | None] | None,
    options: Mapping[str, Any],
    loader: Callable[[str, dict[str, Any]], Mapping[str, Any]] | None,
) -> Any:
    """Runs `expand`, `compact`, `flatten`, `frame` or `to_rdf`. `argument` is the context or the frame."""
def json_ld_from_rdf(graph: Graph, options: Mapping[str, Any]) -> str:
    """Runs `from_rdf`: returns expanded JSON-LD."""
def main() -> None:
    """Runs the command line with the arguments of the process, and ends the process."""
def read_json_ld(
    text: str,
    name: str,
    base: str | None = None,
    loader: Callable[[str, dict[str, Any]], Mapping[str, Any]] | None = None,
    **limits: Unpack[CallLimits],
) -> Graph:
    """Reads a document of JSON-LD. Errors call it `name`. Its contexts are built in, or `loader` finds them."""
def shacl_report(request: Mapping[str, Any]) -> tuple[bool, Graph]:
    """Returns whether files conform to shapes, and the report as a graph, with what the data and the shapes say about
    its blank nodes.
    """
