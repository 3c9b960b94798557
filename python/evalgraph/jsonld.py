"""The JSON-LD API with the names, options and error codes of PyLD.

    from evalgraph import jsonld

    expanded = jsonld.expand({"@context": {"@vocab": "http://schema.org/"}, "name": "Ada"})

A text in the place of a document, a context or a frame is a URL. A loader finds what is there: `set_document_loader`, or the
option `documentLoader`. Nothing is read from the network without one. The options `timeout` and `max_memory` limit a call, as in
all of evalgraph.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ._errors import EvalgraphError
from ._limits import SharedLimits
from ._native import Graph, json_ld, json_ld_from_rdf
from ._terms import XSD, BNode, Iri

__all__ = [
    "JsonLdError",
    "compact",
    "expand",
    "flatten",
    "frame",
    "from_rdf",
    "get_document_loader",
    "normalize",
    "set_document_loader",
    "to_rdf",
]

#: Takes a URL and options. Returns `document`, and if it knows them `documentUrl`, `contentType` and `contextUrl`.
DocumentLoader = Callable[[str, dict[str, Any]], Mapping[str, Any]]

_N_QUADS = ("application/n-quads", "application/nquads")
#: The options that JSON-LD has, with the names of the native module.
_NAMES = {
    "processingMode": "processing_mode",
    "ordered": "ordered",
    "rdfDirection": "rdf_direction",
    "produceGeneralizedRdf": "produce_generalized_rdf",
    "compactArrays": "compact_arrays",
    "compactToRelative": "compact_to_relative",
    "useNativeTypes": "use_native_types",
    "useRdfType": "use_rdf_type",
    "embed": "embed",
    "explicit": "explicit",
    "omitDefault": "omit_default",
    "requireAll": "require_all",
    "omitGraph": "omit_graph",
    "extractAllScripts": "extract_all_scripts",
    # The limits of every call of this package, which PyLD does not have.
    "timeout": "timeout",
    "max_memory": "max_memory",
}
_DEFAULTS: dict[str, Any] = {
    "base": None,
    "expand_context": None,
    "processing_mode": "json-ld-1.1",
    "ordered": False,
    "rdf_direction": None,
    "produce_generalized_rdf": False,
    "compact_arrays": True,
    "compact_to_relative": True,
    "use_native_types": False,
    "use_rdf_type": False,
    "embed": "@once",
    "explicit": False,
    "omit_default": False,
    "require_all": False,
    "omit_graph": None,
    "extract_all_scripts": False,
    "timeout": None,
    "max_memory": None,
}
#: The options of PyLD that change nothing here: caches, what is always so, and notes of the suites.
_IGNORED = ("contextResolver", "isFrame", "normative", "processorFeature", "specVersion", "useJCS")

_document_loader: DocumentLoader | None = None


class JsonLdError(Exception):
    """An error of the API. `code` is that of the specification."""

    def __init__(
        self,
        message: str,
        type_: str,
        details: Mapping[str, Any] | None = None,
        code: str | None = None,
        cause: BaseException | None = None,
    ) -> None:
        super().__init__(message, type_, details, code)
        self.message: str = message
        self.type: str = type_
        self.details: Mapping[str, Any] | None = details
        self.code: str | None = code
        self.cause: BaseException | None = cause

    def __str__(self) -> str:
        return self.message


def set_document_loader(load_document: DocumentLoader | None) -> None:
    """Sets the loader of documents and contexts, which the option `documentLoader` replaces in a call."""
    global _document_loader
    _document_loader = load_document


def get_document_loader() -> DocumentLoader | None:
    """The loader that was set."""
    return _document_loader


def expand(input_: Any, options: Mapping[str, Any] | None = None) -> Any:
    """Expands a document."""
    return json.loads(_run("expand", input_, None, options))


def compact(input_: Any, ctx: Any, options: Mapping[str, Any] | None = None) -> Any:
    """Compacts a document with a context."""
    return json.loads(_run("compact", input_, {} if ctx is None else ctx, options))


def flatten(input_: Any, ctx: Any = None, options: Mapping[str, Any] | None = None) -> Any:
    """Flattens a document, and compacts it with the context if there is one."""
    return json.loads(_run("flatten", input_, ctx, options))


def frame(input_: Any, frame: Any, options: Mapping[str, Any] | None = None) -> Any:
    """Finds the nodes that match a frame, and nests them as the frame does."""
    return json.loads(_run("frame", input_, frame, options))


def to_rdf(input_: Any, options: Mapping[str, Any] | None = None) -> Any:
    """Returns the quads of a document: a dictionary of graphs, or N-Quads with the option `format`."""
    return _written(_run("to_rdf", input_, None, options), options)


def from_rdf(input_: Any, options: Mapping[str, Any] | None = None) -> Any:
    """Returns quads as an expanded document. They are N-Quads, or a dictionary of graphs as `to_rdf` returns it."""
    options = options or {}
    _check_format(options.get("format"))
    limits = _limits(options)
    graph = _parsed(input_, limits)
    try:
        return json.loads(json_ld_from_rdf(graph, _native_options({**options, **limits.left()})))
    except EvalgraphError as error:
        raise _error("from_rdf", error) from error


def normalize(input_: Any, options: Mapping[str, Any] | None = None) -> Any:
    """Canonicalizes the quads of a document (URDNA2015, which is RDFC-1.0), or those of N-Quads with `inputFormat`."""
    options = dict(options or {})
    algorithm = options.pop("algorithm", "URGNA2012")
    if algorithm not in ("URDNA2015", "RDFC-1.0"):
        raise NotImplementedError(
            f"normalize() has the algorithm URDNA2015 and not {algorithm}, which is the one of PyLD without the option "
            "`algorithm`"
        )
    limits = _limits(options)
    if options.get("inputFormat") is not None:
        _check_format(options["inputFormat"])
        graph = _parsed(input_, limits)
    else:
        graph = _run("to_rdf", input_, None, {key: value for key, value in options.items() if key != "format"})
    canonical = graph.canonical(**limits.left())
    if options.get("format") is not None:
        _check_format(options["format"])
        return canonical
    return _dataset(Graph.parse(canonical, "nq"))


def _limits(options: Mapping[str, Any]) -> SharedLimits:
    return SharedLimits(options.get("timeout"), options.get("max_memory"))


def _parsed(input_: Any, limits: SharedLimits) -> Graph:
    """N-Quads, or a dictionary of graphs, as a graph."""
    return Graph.parse(input_ if isinstance(input_, str) else _n_quads(input_), "nq", **limits.left())


def _run(operation: str, input_: Any, argument: Any, options: Mapping[str, Any] | None) -> Any:
    # Of a page, these read all scripts (JSON-LD API, section 9.3).
    reads_all = {"extractAllScripts": operation in ("flatten", "to_rdf")}
    options = {**reads_all, **(options or {})}
    loader = options.get("documentLoader") or _document_loader
    try:
        return json_ld(
            operation, _document(input_), None if argument is None else _document(argument), _native_options(options), loader
        )
    except EvalgraphError as error:
        raise _error(operation, error) from error


def _document(document: Any) -> dict[str, str | None]:
    """A document as the native module takes it: a URL, or a text of JSON. PyLD's loaders give a dictionary with `document`."""
    if isinstance(document, str):
        return {"url": document, "text": None}
    return {"url": None, "text": json.dumps(document, allow_nan=False)}


def _native_options(options: Mapping[str, Any]) -> dict[str, Any]:
    native = dict(_DEFAULTS)
    for name, value in options.items():
        if name in ("documentLoader", "format", "inputFormat") or name in _IGNORED or value is None:
            continue
        if name == "base":
            native["base"] = value or None
        elif name == "expandContext":
            native["expand_context"] = json.dumps(value, allow_nan=False)
        elif name in _NAMES:
            # PyLD also takes the values of frames without `@`.
            if name == "embed":
                value = {True: "@once", False: "@never"}.get(value, value)
                value = value if value.startswith("@") else "@" + value
            native[_NAMES[name]] = value
        elif value:
            raise NotImplementedError(f"the option `{name}` of PyLD is not one of evalgraph.jsonld")
    return native


def _error(operation: str, error: EvalgraphError) -> JsonLdError:
    cause = error.__cause__ or error
    # A text that is not JSON cannot be loaded.
    code = "loading document failed" if error.code.startswith("json::") else error.code
    return JsonLdError(str(error), f"jsonld.{operation}", {"findings": error.findings}, code, cause)


def _check_format(name: str | None) -> None:
    if name is not None and name not in _N_QUADS:
        raise JsonLdError("Unknown output format.", "jsonld.UnknownFormat", {"format": name})


def _written(graph: Graph, options: Mapping[str, Any] | None) -> Any:
    name = (options or {}).get("format")
    _check_format(name)
    return _dataset(graph) if name is None else graph.serialize("nq")


def _dataset(graph: Graph) -> dict[str, list[dict[str, Any]]]:
    """Quads as PyLD has them: a list of triples for each graph."""
    dataset: dict[str, list[dict[str, Any]]] = {"@default": []}
    for subject, predicate, object_, name in graph:
        key = "@default" if name is None else _node(name)["value"]
        triple = {"subject": _node(subject), "predicate": _node(predicate), "object": _node(object_)}
        dataset.setdefault(key, []).append(triple)
    return dataset


def _node(term: Any) -> dict[str, str]:
    if isinstance(term, BNode):
        return {"type": "blank node", "value": f"_:{term}"}
    if isinstance(term, Iri):
        return {"type": "IRI", "value": str(term)}
    node = {"type": "literal", "value": term.lexical, "datatype": term.datatype}
    if term.language:
        node["language"] = term.language
    return node


def _n_quads(dataset: Mapping[str, list[Mapping[str, Any]]]) -> str:
    """A dictionary of graphs as N-Quads."""
    lines = []
    for name, triples in dataset.items():
        graph = "" if name == "@default" else " " + _term({"type": "blank node" if name.startswith("_:") else "IRI", "value": name})
        for triple in triples:
            parts = (_term(triple[key]) for key in ("subject", "predicate", "object"))
            lines.append(" ".join(parts) + graph + " .\n")
    return "".join(lines)


def _term(node: Mapping[str, Any]) -> str:
    if node["type"] == "blank node":
        return str(node["value"])
    if node["type"] == "IRI":
        return f"<{node['value']}>"
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
    text = "".join(escapes.get(character, character) for character in node["value"])
    if node.get("language"):
        return f'"{text}"@{node["language"]}'
    datatype = node.get("datatype", XSD + "string")
    return f'"{text}"' if datatype == XSD + "string" else f'"{text}"^^<{datatype}>'
