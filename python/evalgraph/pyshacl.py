"""`validate` with the signature and the triple of pySHACL.

    from evalgraph.pyshacl import validate

    conforms, results_graph, results_text = validate("data.ttl", shacl_graph="shapes.ttl")

Graphs are files, texts of Turtle, or graphs of rdflib. The graph of the results is one of rdflib if rdflib is installed, or else
an `evalgraph.Graph`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._native import Graph, Rows, shacl_report
from ._native import validate as _validate
from ._terms import BNode, Iri

__all__ = ["ValidationTriple", "validate"]

_SH = "http://www.w3.org/ns/shacl#"
#: The names of formats in rdflib that are others here.
_FORMATS = {"turtle": "ttl", "longturtle": "ttl", "xml": "rdf", "pretty-xml": "rdf", "application/rdf+xml": "rdf", "nquads": "nq", "ntriples": "nt"}


class ValidationTriple(tuple[bool, Any, str]):
    """`(conforms, results_graph, results_text)`, as pySHACL returns them."""

    _files: _Files

    @property
    def findings(self) -> Rows:
        """The results as rows, with the line of each if the data are a file."""
        files = self._files
        options = {"base": _base(files.data), "format": files.data_format, "plain": True}
        return _validate(files.data, shapes=[files.shapes], **options).findings


class _Files:
    """The data and the shapes as files. Those that are not files are written into a folder that lives as long as this."""

    def __init__(self, data: Any, data_format: str | None, shapes: Any, shapes_format: str | None) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.data, self.data_format = self._file(data, data_format, "data")
        if shapes is None:
            self.shapes, self.shapes_format = self.data, self.data_format
        else:
            self.shapes, self.shapes_format = self._file(shapes, shapes_format, "shapes")

    def _file(self, graph: Any, format: str | None, name: str) -> tuple[str, str | None]:
        format = None if format is None else _FORMATS.get(format, format)
        if isinstance(graph, (str, os.PathLike)) and os.path.exists(graph):
            return os.fspath(graph), format
        if isinstance(graph, (str, bytes)):
            text, format = graph, format or "ttl"
        elif hasattr(graph, "serialize"):
            # A dataset of rdflib has named graphs.
            format = "nq" if hasattr(graph, "quads") else "nt"
            text = graph.serialize(format="nquads" if format == "nq" else "nt", encoding="utf-8")
        else:
            raise TypeError(f"a graph is a file, a text or a graph of rdflib, not {type(graph).__name__}")
        path = os.path.join(self._folder.name, f"{name}.{format}")
        with open(path, "wb") as file:
            file.write(text.encode("utf-8") if isinstance(text, str) else text)
        return path, format


def _base(file: str) -> str:
    return Path(file).resolve().as_uri()


def validate(
    data_graph: Any,
    *args: Any,
    shacl_graph: Any = None,
    ont_graph: Any = None,
    advanced: bool | None = False,
    inference: str | None = None,
    inplace: bool | None = False,
    abort_on_first: bool | None = False,
    allow_infos: bool | None = False,
    allow_warnings: bool | None = False,
    max_validation_depth: int | None = None,
    sparql_mode: bool | None = False,
    focus_nodes: Sequence[str] | None = None,
    use_shapes: Sequence[str] | None = None,
    data_graph_format: str | None = None,
    shacl_graph_format: str | None = None,
    serialize_report_graph: bool | str = False,
    timeout: float | None = None,
    max_memory: int | str | None = None,
    **kwargs: Any,
) -> ValidationTriple:
    """Validates data against shapes. What only pySHACL does is refused by name.

    `timeout`, in seconds, and `max_memory` limit the call, as in all of evalgraph.
    """
    refused = {
        "ont_graph": ont_graph,
        "advanced": advanced,
        "inference": None if inference == "none" else inference,
        "inplace": inplace,
        "abort_on_first": abort_on_first,
        "max_validation_depth": max_validation_depth,
        "sparql_mode": sparql_mode,
        # Messages about the run change nothing in it.
        **{name: value for name, value in kwargs.items() if name != "debug"},
    }
    for name, value in refused.items():
        if value:
            raise NotImplementedError(f"the option `{name}` of pySHACL is not one of evalgraph.pyshacl")
    if args:
        raise TypeError("validate() takes one graph; name the other arguments")
    files = _Files(data_graph, data_graph_format, shacl_graph, shacl_graph_format)
    request = {
        "data": files.data,
        "data_base": _base(files.data),
        "data_format": files.data_format,
        "shapes": files.shapes,
        "shapes_base": _base(files.shapes),
        "shapes_format": files.shapes_format,
        "focus_nodes": [str(node) for node in focus_nodes or ()],
        "use_shapes": [str(shape) for shape in use_shapes or ()],
        "allow_infos": bool(allow_infos),
        "allow_warnings": bool(allow_warnings),
        "timeout": timeout,
        "max_memory": max_memory,
    }
    conforms, graph = shacl_report(request)
    triple = ValidationTriple((conforms, _results_graph(graph, serialize_report_graph), _text(conforms, graph)))
    triple._files = files
    return triple


def _results_graph(graph: Graph, serialize: bool | str) -> Any:
    if serialize:
        format = "ttl" if serialize is True else _FORMATS.get(serialize, serialize)
        return graph.serialize(format)
    if importlib.util.find_spec("rdflib") is None:
        return graph
    return importlib.import_module("rdflib").Graph().parse(data=graph.serialize("nt"), format="nt")


def _text(conforms: bool, graph: Graph) -> str:
    """The report as a text in the manner of pySHACL."""
    values: dict[str, dict[str, list[Any]]] = {}
    for subject, predicate, object_, _ in graph:
        values.setdefault(str(subject), {}).setdefault(predicate.removeprefix(_SH), []).append(object_)
    # Details of a result are results, too, which no report has.
    results = [values[str(result)] for known in values.values() for result in known.get("result", ())]
    lines = ["Validation Report", f"Conforms: {conforms}"]
    if results:
        lines.append(f"Results ({len(results)}):")
    for result in results:
        component = str(result["sourceConstraintComponent"][0]).removeprefix(_SH)
        severity = str(result["resultSeverity"][0]).removeprefix(_SH)
        kind = "Constraint Violation" if severity == "Violation" else "Validation Result"
        lines.append(f"{kind} in {component} ({_SH}{component}):")
        lines.append(f"\tSeverity: sh:{severity}")
        for name, title in (
            ("sourceShape", "Source Shape"),
            ("focusNode", "Focus Node"),
            ("value", "Value Node"),
            ("resultPath", "Result Path"),
            ("resultMessage", "Message"),
        ):
            for value in result.get(name, ()):
                lines.append(f"\t{title}: {_shown(value)}")
    return "\n".join(lines) + "\n"


def _shown(term: Any) -> str:
    if isinstance(term, Iri):
        return f"<{term}>"
    return f"_:{term}" if isinstance(term, BNode) else str(term)
