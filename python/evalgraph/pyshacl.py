"""`validate` with the signature and the triple of pySHACL.

    from evalgraph.pyshacl import validate

    conforms, results_graph, results_text = validate("data.ttl", shacl_graph="shapes.ttl")

Graphs are files, open files, texts, or graphs of rdflib. The graph of the results is one of rdflib if rdflib is installed, or else
an `evalgraph.Graph`. What only pySHACL does is refused with NotImplementedError, which names the option.
"""

from __future__ import annotations

import errno
import importlib
import importlib.util
import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any
from urllib.parse import unquote, urlsplit

from ._limits import SharedLimits
from ._native import Graph, Rows, read, shacl_report
from ._native import validate as _validate
from ._terms import XSD, BNode, Iri, Literal, sparql_text
from .jsonld import from_rdf

__all__ = ["ValidationTriple", "validate", "validate_each"]

_SH = "http://www.w3.org/ns/shacl#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_IMPORTS = _OWL + "imports"
#: The names of formats in rdflib that are others here.
_FORMATS = {
    "turtle": "ttl",
    "longturtle": "ttl",
    "turtle2": "ttl",
    "xml": "rdfxml",
    "rdf": "rdfxml",
    "pretty-xml": "rdfxml",
    "nquads": "nq",
    "ntriples": "nt",
    "nt11": "nt",
    "json-ld": "jsonld",
}
#: Formats whose files may have triples as N-Triples writes them.
_WITH_TRIPLES = (None, "nt", "nq", "ttl", "trig", "n3")
#: pySHACL reads every graph of shapes with this, so a class of OWL is a class.
_OWL_CLASSES = f"<{_OWL}Class> <{_RDFS}subClassOf> <{_RDFS}Class> .\n"
#: Prefixes that rdflib knows without a declaration.
_PREFIXES = {
    "owl": _OWL,
    "rdf": _RDF,
    "rdfs": _RDFS,
    "xsd": XSD,
    "xml": "http://www.w3.org/XML/1998/namespace",
    "sh": _SH,
}
#: What shapes have of SHACL Advanced Features and of SHACL-JS, by option: predicates and classes.
_FURTHER = {
    "advanced": (
        ("rule", "target", "expression", "values"),
        ("SPARQLFunction", "JSFunction", "SPARQLTarget", "JSTarget", "SPARQLTargetType", "JSTargetType", "TargetType"),
    ),
    "js": (
        ("js", "jsFunctionName", "jsLibrary"),
        ("JSConstraint", "JSFunction", "JSLibrary", "JSRule", "JSTarget", "JSTargetType", "JSValidator"),
    ),
}
_ALL = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"

_Triple = tuple[Any, Iri, Any]


@dataclass(frozen=True)
class _Source:
    """A graph as a file."""

    path: str
    #: None if the name and the content tell the format.
    format: str | None
    base: str
    #: The prefixes of a graph of rdflib, which the file does not have.
    prefixes: dict[str, str] | None = None


@dataclass(frozen=True)
class _Union:
    """Files of one format, and the base of the first. The others have no relative IRIs."""

    paths: list[str]
    format: str | None
    base: str


class ValidationTriple(tuple[bool, Any, str]):
    """`(conforms, results_graph, results_text)`, as pySHACL returns them."""

    _find: Callable[[], Rows]
    #: They are read again for the findings.
    _files: _Files

    @property
    def findings(self) -> Rows:
        """The results as rows, with the line of each if the data are a file."""
        return self._find()


class _Files:
    """The graphs of a call as files. Those that are not files are written into a folder that lives as long as this."""

    def __init__(self, limits: SharedLimits) -> None:
        self._folder = tempfile.mkdtemp(prefix="evalgraph-")
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._written = 0
        self.limits = limits

    def source(self, graph: Any, format: str | None, option: str) -> _Source:
        """Returns a graph that a caller gave as a file."""
        format = None if format is None else _FORMATS.get(format, format)
        if isinstance(graph, bytes) and b"\n" not in graph and os.path.exists(os.fsdecode(graph)):
            graph = os.fsdecode(graph)
        if isinstance(graph, str) and graph.startswith(("http:", "https:")) and not any(map(str.isspace, graph)):
            raise NotImplementedError(f"the option `{option}` of evalgraph.pyshacl is not a URL: download it first")
        if isinstance(graph, str) and graph.startswith("file:") and not any(map(str.isspace, graph)):
            graph = Path(unquote(urlsplit(graph).path))
        if isinstance(graph, (str, os.PathLike)):
            path = os.fsdecode(graph)
            if os.path.exists(path):
                return _Source(path, format, _base(path))
            # No text of RDF begins like a path, and none is a single word.
            if not isinstance(graph, str) or re.match(r"\.{0,2}/|[^\s<>@#{}\[\]]+$", graph):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if isinstance(graph, (str, bytes)):
            return self._written_source(graph, format or _format_of_text(graph), option)
        if isinstance(graph, Graph):
            return self._written_source(graph.serialize("nq"), "nq", option)
        if hasattr(graph, "serialize"):
            # A dataset of rdflib has named graphs.
            written, format = ("nquads", "nq") if hasattr(graph, "quads") else ("nt", "nt")
            text = graph.serialize(format=written, encoding="utf-8")
            prefixes = {str(name): str(namespace) for name, namespace in graph.namespaces()}
            return self._written_source(text, format, option, prefixes=prefixes)
        if hasattr(graph, "read"):
            return self._open_file(graph, format, option)
        raise TypeError(f"a graph is a file, a text or a graph of rdflib, not {type(graph).__name__}")

    def _open_file(self, file: Any, format: str | None, option: str) -> _Source:
        name = getattr(file, "name", None)
        name = name if isinstance(name, str) and os.path.exists(name) else None
        if hasattr(file, "seekable") and file.seekable():
            file.seek(0)
        text = file.read()
        if hasattr(file, "seekable") and file.seekable():
            file.seek(0)
        if name is not None and Path(name).read_bytes() == (text.encode("utf-8") if isinstance(text, str) else text):
            return _Source(name, format, _base(name))
        return self._written_source(text, format or _format_of_text(text), option, None if name is None else _base(name))

    def _written_source(
        self,
        text: str | bytes,
        format: str,
        option: str,
        base: str | None = None,
        prefixes: dict[str, str] | None = None,
    ) -> _Source:
        path = self._write(text, format, option)
        return _Source(path, format, base or _base(path), prefixes)

    def _write(self, text: str | bytes, format: str, option: str) -> str:
        self._written += 1
        # Messages name the file.
        path = os.path.join(self._folder, f"{option}-{self._written}.{re.sub('[^a-z0-9]', '', format)}")
        with open(path, "wb") as file:
            file.write(text.encode("utf-8") if isinstance(text, str) else text)
        return path

    def union(self, sources: Sequence[_Source], triples: Iterable[str] = ()) -> _Union:
        """Returns files with the graphs and with further triples, as N-Triples writes them."""
        first, *others = sources
        triples = [*(self.triples(source).serialize("nt") for source in others), *triples]
        if not triples or first.format in _WITH_TRIPLES:
            return _Union([first.path, *(self._write(text, "nt", "further") for text in triples)], first.format, first.base)
        texts = [self.triples(first).serialize("nt"), *triples]
        return _Union([self._write(text, "nt", "graph") for text in texts], "nt", first.base)

    def _data(self, source: _Source) -> Any:
        return read(source.path, plain=True, base=source.base, format=source.format, **self.limits.left())

    def triples(self, source: _Source) -> Graph:
        """Returns the triples of all graphs of a source."""
        return self._data(source).construct(_ALL, **self.limits.left())

    def without_imports(self, shapes: _Union) -> _Union:
        """Returns shapes without imports of other files, which the findings would read."""
        if all(b"imports" not in Path(path).read_bytes() for path in shapes.paths):
            return shapes
        graphs = [self.triples(_Source(path, shapes.format, shapes.base)) for path in shapes.paths]
        # Prefixes come from ontologies that the shapes have.
        known = {subject for graph in graphs for subject, _, _, _ in graph}
        texts = (
            "".join(_written_triple((s, p, o)) for s, p, o, _ in graph if p != _IMPORTS or o in known) for graph in graphs
        )
        return _Union([self._write(text, "nt", "shacl_graph") for text in texts], "nt", shapes.base)

    def asks(self, source: _Source, query: str) -> bool:
        """Answers a query with ASK."""
        return self._data(source).ask(query, **self.limits.left())

    def prefixes(self, sources: Iterable[_Source]) -> dict[str, str]:
        """Returns the prefixes of graphs. The first that has a name defines it."""
        known: dict[str, str] = {}
        for source in sources:
            found = source.prefixes
            for name, namespace in (self._data(source).prefixes if found is None else found).items():
                known.setdefault(name, namespace)
        return {**_PREFIXES, **known}


def _base(file: str) -> str:
    return Path(file).resolve().as_uri()


def _format_of_text(text: str | bytes) -> str:
    start = (text if isinstance(text, bytes) else text[:200].encode("utf-8", "replace")).lstrip()[:200]
    if re.match(rb'\{\s*["}]|\[\s*[{\]]', start):
        return "jsonld"
    return "rdfxml" if re.match(rb"<\?xml\b|<rdf:RDF\b", start) else "ttl"


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
    multi_data_graphs_mode: str | None = None,
    data_graph_format: str | None = None,
    shacl_graph_format: str | None = None,
    ont_graph_format: str | None = None,
    serialize_report_graph: bool | str = False,
    timeout: float | None = None,
    max_memory: int | str | None = None,
    **kwargs: Any,
) -> ValidationTriple:
    """Validates data against shapes, and returns a `ValidationTriple`.

    A list of graphs is validated as one graph. With `multi_data_graphs_mode="validate_each"`, each is validated separately, and the
    result is a dictionary of triples by index, as from `validate_each`.

    `inference` and other options that only pySHACL has are refused by name. `advanced` and `js` are refused for shapes that have
    something of SHACL Advanced Features or SHACL-JS. `timeout`, in seconds, and `max_memory` limit the call, as in all of evalgraph.
    """
    if args:
        raise TypeError("validate() takes one graph; name the other arguments")
    options: dict[str, Any] = {
        "shacl_graph": shacl_graph,
        "ont_graph": ont_graph,
        "advanced": advanced,
        "inference": inference,
        "inplace": inplace,
        "abort_on_first": abort_on_first,
        "allow_infos": allow_infos,
        "allow_warnings": allow_warnings,
        "max_validation_depth": max_validation_depth,
        "sparql_mode": sparql_mode,
        "focus_nodes": focus_nodes,
        "use_shapes": use_shapes,
        "data_graph_format": data_graph_format,
        "shacl_graph_format": shacl_graph_format,
        "ont_graph_format": ont_graph_format,
        "serialize_report_graph": serialize_report_graph,
        "timeout": timeout,
        "max_memory": max_memory,
        **kwargs,
    }
    graphs = [data_graph]
    if isinstance(data_graph, (Sequence, set, frozenset)) and not isinstance(data_graph, (str, bytes)):
        mode = (multi_data_graphs_mode or "combine").lower()
        if mode == "validate_each":
            each: Any = validate_each(data_graph, **options)
            return each
        if mode != "combine":
            raise ValueError(f"multi_data_graphs_mode is combine or validate_each, not {multi_data_graphs_mode!r}")
        graphs = list(data_graph)
    return _validate_union(graphs, options)


def validate_each(data_graphs: Iterable[Any], *args: Any, **options: Any) -> dict[int, ValidationTriple]:
    """Validates graphs separately, with the options of `validate`. Returns the triples by the indexes of the graphs."""
    graphs = list(data_graphs)
    if not graphs:
        raise ValueError("validate_each() needs a graph")
    return {index: validate(graph, *args, **options) for index, graph in enumerate(graphs)}


#: The options that are not refused by name, or not always.
_OPTIONS = {
    "abort_on_error",
    "abort_on_first",
    "advanced",
    "allow_infos",
    "allow_warnings",
    "data_graph_format",
    # Messages about the run are not part of the result.
    "debug",
    "do_owl_imports",
    "focus_nodes",
    "inplace",
    # Without rules it has no effect.
    "iterate_rules",
    "js",
    "max_memory",
    # The shapes are always checked.
    "meta_shacl",
    "ont_graph",
    "ont_graph_format",
    "serialize_report_graph",
    "shacl_graph",
    "shacl_graph_format",
    # The results are the same.
    "sparql_mode",
    "timeout",
    "use_shapes",
}


def _validate_union(graphs: Sequence[Any], options: dict[str, Any]) -> ValidationTriple:
    """Validates the union of graphs."""
    refused = {name: value for name, value in options.items() if name not in _OPTIONS}
    refused["inference"] = None if options["inference"] == "none" else options["inference"]
    refused["max_validation_depth"] = options["max_validation_depth"] is not None
    # It would add the ontology to the graph of the caller.
    refused["inplace"] = options["inplace"] and options["ont_graph"] is not None
    for name, value in refused.items():
        if value:
            raise NotImplementedError(f"the option `{name}` of pySHACL is not one of evalgraph.pyshacl")
    if not graphs:
        raise ValueError("validate() needs a graph")
    files = _Files(SharedLimits(options["timeout"], options["max_memory"]))
    sources = [files.source(graph, options["data_graph_format"], "data_graph") for graph in graphs]
    shapes_graph, ontology = options["shacl_graph"], options["ont_graph"]
    if shapes_graph is None:
        shapes = sources
    else:
        shapes = [files.source(shapes_graph, options["shacl_graph_format"], "shacl_graph")]
    imports = bool(options.get("do_owl_imports"))
    for name, (predicates, classes) in _FURTHER.items():
        if options.get(name):
            _refuse_further(files, shapes, name, predicates, classes)
    ontologies: list[str] = []
    if ontology is not None:
        source = files.source(ontology, options["ont_graph_format"], "ont_graph")
        axioms = _axioms(files.triples(source))
        if imports and any(predicate == _IMPORTS for _, predicate, _ in axioms):
            raise NotImplementedError(
                "the option `do_owl_imports` of pySHACL is not one of evalgraph.pyshacl for an ont_graph with owl:imports"
            )
        ontologies.append("".join(map(_written_triple, axioms)))
    data, shapes_union = files.union(sources, ontologies), files.union(shapes, [_OWL_CLASSES])
    focus_nodes = _iris(options["focus_nodes"], lambda: files.prefixes(sources))
    use_shapes = _iris(options["use_shapes"], lambda: files.prefixes(shapes))
    request = {
        "data": data.paths,
        "data_base": data.base,
        "data_format": data.format,
        "shapes": shapes_union.paths,
        "shapes_base": shapes_union.base,
        "shapes_format": shapes_union.format,
        "imports": imports,
        "focus_nodes": focus_nodes,
        "use_shapes": use_shapes,
        "allow_infos": bool(options["allow_infos"]),
        "allow_warnings": bool(options["allow_warnings"]),
        **files.limits.left(),
    }
    conforms, graph = shacl_report(request)
    if not conforms and (options["abort_on_first"] or options.get("abort_on_error")):
        graph = _first_of(graph, request)
    report = _Report(graph)
    if report.has_results:
        # Data can be large, so only data of rdflib give their prefixes.
        report.prefixes = files.prefixes([*shapes, *(source for source in sources if source.prefixes is not None)])

    def findings() -> Rows:
        if focus_nodes or use_shapes:
            raise NotImplementedError("findings with the option `focus_nodes` or `use_shapes` are not part of evalgraph.pyshacl")
        files.limits = SharedLimits(options["timeout"], options["max_memory"])
        named = shapes_union if imports else files.without_imports(shapes_union)
        read_options = {"base": data.base, "format": data.format, "plain": True, **files.limits.left()}
        return _validate(*data.paths, shapes=named.paths, **read_options).findings

    results_graph = _results_graph(graph, options["serialize_report_graph"], report.prefixes)
    triple = ValidationTriple((conforms, results_graph, report.text(conforms)))
    triple._find, triple._files = findings, files
    return triple


def _refuse_further(
    files: _Files, shapes: Iterable[_Source], option: str, predicates: Sequence[str], classes: Sequence[str]
) -> None:
    """Refuses an option if shapes have something that needs it."""
    patterns = {f"sh:{name}": f"?shape <{_SH}{name}> ?value" for name in predicates}
    patterns |= {f"sh:{name}": f"?shape <{_RDF}type> <{_SH}{name}>" for name in classes}
    found = " UNION ".join(f"{{ {pattern} }}" for pattern in patterns.values())
    for source in shapes:
        if files.asks(source, f"ASK {{ {found} }}"):
            name = next(name for name, pattern in patterns.items() if files.asks(source, f"ASK {{ {pattern} }}"))
            raise NotImplementedError(
                f"the option `{option}` of pySHACL is not one of evalgraph.pyshacl for shapes that have `{name}`"
            )


def _iris(nodes: str | Sequence[str] | None, prefixes: Callable[[], dict[str, str]]) -> list[str]:
    """Returns nodes as IRIs. They are IRIs or prefixed names."""
    if not nodes:
        return []
    iris: list[str] = []
    for node in [nodes] if isinstance(nodes, str) else nodes:
        name, colon, local = str(node).partition(":")
        if not colon or name.lower() in ("http", "https", "urn", "file"):
            iris.append(str(node))
            continue
        namespace = prefixes().get(name)
        iris.append(str(node) if namespace is None else namespace + local)
    return iris


#: pySHACL takes these from an ontology, and no other triples: instances of the classes, and triples with the properties.
_AXIOM_CLASSES = {
    *(_RDFS + name for name in "Class Container ContainerMembershipProperty Datatype Literal Resource".split()),
    *(
        _OWL + name
        for name in (
            "AllDifferent AllDisjointClasses AllDisjointProperties Annotation AnnotationProperty AsymmetricProperty Axiom Class "
            "DataRange DatatypeProperty DeprecatedClass DeprecatedProperty FunctionalProperty InverseFunctionalProperty "
            "IrreflexiveProperty NamedIndividual NegativePropertyAssertion ObjectProperty Ontology OntologyProperty "
            "ReflexiveProperty Restriction SymmetricProperty TransitiveProperty"
        ).split()
    ),
}
_AXIOM_PROPERTIES = {
    *(_RDFS + name for name in "comment domain isDefinedBy label member range seeAlso subClassOf subPropertyOf".split()),
    *(
        _OWL + name
        for name in (
            "allValuesFrom annotatedProperty annotatedSource annotatedTarget assertionProperty backwardCompatibleWith "
            "bottomDataProperty bottomObjectProperty cardinality complementOf datatypeComplementOf deprecated differentFrom "
            "disjointUnionOf disjointWith distinctMembers equivalentClass equivalentProperty hasKey hasSelf hasValue imports "
            "incompatibleWith intersectionOf inverseOf maxCardinality maxQualifiedCardinality members minCardinality "
            "minQualifiedCardinality onClass onDataRange onDatatype onProperties onProperty oneOf priorVersion "
            "propertyChainAxiom propertyDisjointWith qualifiedCardinality sameAs someValuesFrom sourceIndividual "
            "targetIndividual targetValue topDataProperty topObjectProperty unionOf versionIRI versionInfo withRestrictions"
        ).split()
    ),
}


def _axioms(ontology: Graph) -> list[_Triple]:
    """Returns the triples of an ontology that pySHACL adds to the data: its axioms, and all about named individuals."""
    triples: list[_Triple] = [(subject, predicate, object_) for subject, predicate, object_, _ in ontology]
    about: dict[Any, list[_Triple]] = {}
    for triple in triples:
        about.setdefault(triple[0], []).append(triple)
    individuals = {s for s, p, o in triples if p == _RDF + "type" and o == _OWL + "NamedIndividual"}
    # All about a node is taken: of an individual with the nodes around it, of a blank node with the blank nodes around it.
    whole: dict[Any, bool] = {}
    waiting = [(node, True) for node in individuals]
    kept: dict[_Triple, None] = {}

    def keep(triple: _Triple, is_deep: bool) -> None:
        kept[triple] = None
        for node in (triple[0], triple[2]):
            if isinstance(node, BNode) or (is_deep and isinstance(node, Iri)):
                waiting.append((node, is_deep))

    for triple in triples:
        subject, predicate, object_ = triple
        is_instance = predicate == _RDF + "type" and object_ in _AXIOM_CLASSES
        if is_instance or predicate in _AXIOM_PROPERTIES or object_ in individuals:
            keep(triple, False)
    while waiting:
        node, is_deep = waiting.pop()
        if whole.get(node) or (node in whole and not is_deep):
            continue
        whole[node] = is_deep
        for triple in about.get(node, ()):
            keep(triple, is_deep)
    return list(kept)


def _written_triple(triple: _Triple) -> str:
    """A triple as N-Triples writes it."""
    return " ".join(f"_:{term}" if isinstance(term, BNode) else sparql_text(term) for term in triple) + " .\n"


def _first_of(graph: Graph, request: Mapping[str, Any]) -> Graph:
    """Returns the report with the first result that the data do not conform for, and no other."""
    allowed = {_SH + "Debug", _SH + "Trace"}
    if request["allow_infos"] or request["allow_warnings"]:
        allowed.add(_SH + "Info")
    if request["allow_warnings"]:
        allowed.add(_SH + "Warning")
    about: dict[Any, list[_Triple]] = {}
    for subject, predicate, object_, _ in graph:
        about.setdefault(subject, []).append((subject, predicate, object_))
    results = [triple for triples in about.values() for triple in triples if triple[1] == _SH + "result"]
    severity = {s: o for s, p, o, _ in graph if p == _SH + "resultSeverity"}
    first = next((triple for triple in results if str(severity.get(triple[2])) not in allowed), None)
    if first is None:
        return graph
    kept = {triple: None for triple in about[first[0]] if triple[1] != first[1] or triple == first}
    waiting = [first[2]]
    while waiting:
        for triple in about.get(waiting.pop(), ()):
            if triple not in kept:
                kept[triple] = None
                waiting.append(triple[2])
    return Graph.parse("".join(map(_written_triple, kept)), "nt")


def _results_graph(graph: Graph, serialize: bool | str, prefixes: Mapping[str, str]) -> Any:
    has_rdflib = importlib.util.find_spec("rdflib") is not None
    if not serialize:
        return _in_rdflib(graph, prefixes) if has_rdflib else graph
    name = "turtle" if serialize is True else serialize
    format = _FORMATS.get(name, name)
    if format == "jsonld":
        return json.dumps(from_rdf(graph.serialize("nq"))).encode("utf-8")
    # rdflib writes prefixes, and some formats for datasets only.
    if has_rdflib and format not in ("nt", "nq", "trig"):
        return _in_rdflib(graph, prefixes).serialize(format=name, encoding="utf-8")
    return graph.serialize(format).encode("utf-8")


def _in_rdflib(graph: Graph, prefixes: Mapping[str, str]) -> Any:
    made = importlib.import_module("rdflib").Graph(bind_namespaces="core")
    for name, namespace in prefixes.items():
        made.bind(name, namespace)
    return made.parse(data=graph.serialize("nt"), format="nt")


class _Report:
    """A report, to be written as a text in the manner of pySHACL."""

    def __init__(self, graph: Graph) -> None:
        self.prefixes: Mapping[str, str] = _PREFIXES
        #: IRIs with the names that they have in the text.
        self._iris: dict[str, str] = {}
        self._values: dict[Any, dict[str, list[Any]]] = {}
        for subject, predicate, object_, _ in graph:
            self._values.setdefault(subject, {}).setdefault(str(predicate), []).append(object_)
        self._results = [node for known in self._values.values() for node in known.get(_SH + "result", ())]

    @property
    def has_results(self) -> bool:
        return bool(self._results)

    def text(self, conforms: bool) -> str:
        """Returns the whole text. Its results are sorted, so it does not depend on the order of the data."""
        results = [self._result(node) for node in self._results]
        lines = ["Validation Report\n", f"Conforms: {conforms}\n"]
        if results:
            lines.append(f"Results ({len(results)}):\n")
        return "".join([*lines, *sorted(results)])

    def _result(self, node: Any) -> str:
        values = {name.removeprefix(_SH): found for name, found in self._values[node].items()}
        component = str(values["sourceConstraintComponent"][0])
        # pySHACL names the parameter, and the recommendation names two components of it.
        name = re.sub(r"^Qualified(Min|Max)Count", "QualifiedValueShape", component.removeprefix(_SH))
        severity = values["resultSeverity"][0]
        kind = "Constraint Violation" if severity == _SH + "Violation" else "Validation Result"
        lines = [f"{kind} in {name} ({component}):\n", f"\tSeverity: {self._shown(severity)}\n"]
        for key, title in (
            ("sourceShape", "Source Shape"),
            ("focusNode", "Focus Node"),
            ("value", "Value Node"),
            ("resultPath", "Result Path"),
            ("sourceConstraint", "Source Constraint"),
        ):
            lines += [f"\t{title}: {self._shown(value)}\n" for value in values.get(key, ())]
        lines += sorted(f"\tMessage: {message}\n" for message in values.get("resultMessage", ()))
        if "detail" in values:
            details = sorted(map(self._result, values["detail"]))
            lines += ["\tDetails:\n", *(indent(detail, "\t\t") for detail in details)]
        return "".join(lines)

    def _shown(self, term: Any) -> str:
        if isinstance(term, Iri):
            return self._shown_iri(term)
        if isinstance(term, Literal):
            further = f", lang={term.language}" if term.language else ""
            if not term.language and term.datatype != XSD + "string":
                further = f", datatype={self._shown_iri(term.datatype)}"
            return f'Literal("{term.lexical}"{further})'
        values = self._values.get(term, {})
        if _RDF + "first" in values:
            return f"( {' '.join(map(self._shown, self._items(term)))} )"
        pairs = sorted(
            f"{self._shown_iri(name)} {', '.join(sorted(map(self._shown, found)))}" for name, found in values.items()
        )
        return f"[ {' ; '.join(pairs)} ]" if pairs else "[ ]"

    def _items(self, node: Any) -> Iterable[Any]:
        while values := self._values.get(node):
            yield values[_RDF + "first"][0]
            node = values[_RDF + "rest"][0]

    def _shown_iri(self, iri: str) -> str:
        if iri not in self._iris:
            names = [
                (len(namespace), f"{name}:{iri[len(namespace):]}")
                for name, namespace in self.prefixes.items()
                if iri.startswith(namespace) and re.fullmatch(r"\w[\w.-]*(?<!\.)", iri[len(namespace) :])
            ]
            # The longest namespace is the closest.
            self._iris[iri] = max(names)[1] if names else f"<{iri}>"
        return self._iris[iri]
