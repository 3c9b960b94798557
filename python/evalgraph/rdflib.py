"""A store for graphs of rdflib, and parsers and serializers.

    import rdflib

    graph = rdflib.Graph(store="Evalgraph")
    graph.parse("data.jsonld", format="evalgraph-json-ld")
    for row in graph.query("SELECT ?name { ?person foaf:name ?name }"):
        print(row.name)

Queries and updates are answered by evalgraph's engine. rdflib finds the classes by the names of plugins; a program need not
import this module.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, ConjunctiveGraph, Graph
from rdflib.parser import InputSource, Parser
from rdflib.query import Result
from rdflib.serializer import Serializer
from rdflib.store import VALID_STORE, Store, TripleAddedEvent, TripleRemovedEvent
from rdflib.term import BNode, Identifier, Literal, Node, URIRef, Variable

from . import jsonld
from ._native import Graph as NativeGraph
from ._native import QuadCollection, read_json_ld
from ._native import Store as StoreFolder

if TYPE_CHECKING:
    from rdflib.plugins.sparql.sparql import Query, Update

__all__ = ["EvalgraphStore"]

_Triple = tuple[Node, Node, Node]
_Pattern = tuple["Node | None", "Node | None", "Node | None"]
#: The name of the folder that contains a store.
_FOLDER: str = ".evalgraph"


def _collection() -> QuadCollection:
    return QuadCollection(URIRef, BNode, Literal)


def _name(context: Any) -> Node:
    """The name of a graph, which is given as a graph or as its name."""
    return cast(Node, context.identifier if isinstance(context, Graph) else context)


class EvalgraphStore(Store):
    """Quads in memory, or in a folder after `open`, with the queries and updates of evalgraph's engine.

    Any number of threads can use a store. It keeps lexical forms as they are, and takes only quads of RDF: a subject is not a
    literal, and a predicate is an IRI.
    """

    context_aware: bool = True
    formula_aware: bool = False
    graph_aware: bool = True
    #: True while the store is open in a folder.
    transaction_aware: bool = False

    def __init__(
        self,
        configuration: str | None = None,
        identifier: Identifier | None = None,
        *,
        quads: QuadCollection | None = None,
    ) -> None:
        """An empty store, or one that shares its quads with other stores."""
        self._quads: QuadCollection = _collection() if quads is None else quads
        self._folder: str | None = None
        self._contexts: dict[Node, Graph] = {}
        self._namespaces: dict[str, URIRef] = {}
        self._prefixes: dict[URIRef, str] = {}
        super().__init__(configuration, identifier)

    @property
    def quads(self) -> QuadCollection:
        """The quads, which another store can share."""
        return self._quads

    def open(self, configuration: str | tuple[str, str], create: bool = False) -> int | None:
        """Reads the store in a folder. With `create`, it is made if it is missing.

        Changes stay in memory until `commit` or `close` writes them, all or nothing.
        """
        if isinstance(configuration, tuple):
            raise TypeError("the store is in a folder: its configuration is a path")
        folder = os.fspath(configuration)
        if self._folder is not None:
            raise ValueError(f"the store is already open in {self._folder}")
        if len(self._quads):
            raise ValueError("open() comes before the first triple")
        if create and not _store_folder(folder).exists():
            StoreFolder.create(folder)
        self._quads.open(folder)
        self._folder = folder
        self.transaction_aware = True
        return VALID_STORE

    def close(self, commit_pending_transaction: bool = False) -> None:
        """Writes the changes into the folder, and leaves it. A store in memory stays as it is."""
        if self._folder is None:
            return
        self.commit()
        self._quads = _collection()
        self._folder = None
        self.transaction_aware = False

    def destroy(self, configuration: str) -> None:
        """Deletes the store in a folder, and the folder if it has nothing else."""
        store = _store_folder(os.fspath(configuration))
        if not (store / "manifest").is_file():
            raise ValueError(f"{configuration} has no store")
        shutil.rmtree(store)
        if store.parent == Path(configuration) and not any(store.parent.iterdir()):
            store.parent.rmdir()

    def commit(self) -> None:
        """Writes the changes since the last commit into the folder, all or nothing."""
        if self._folder is not None:
            self._quads.commit(self._folder)

    def rollback(self) -> None:
        """Takes back the changes since the last commit."""
        if self._folder is None:
            raise NotImplementedError("rollback() needs a store that is open in a folder")
        self._quads.rollback()

    def add(self, triple: _Triple, context: Any, quoted: bool = False) -> None:
        """Adds a triple to a graph."""
        if quoted:
            raise ValueError("the store has no quoted triples")
        subject, predicate, object_ = triple
        self._quads.add(subject, predicate, object_, _name(context))
        if self.dispatcher.get_map() is not None:
            self.dispatcher.dispatch(TripleAddedEvent(triple=triple, context=context))

    def addN(self, quads: Iterable[tuple[Node, Node, Node, Any]]) -> None:
        """Adds quads, all of them or, if one is not a quad, none."""
        if self.dispatcher.get_map() is not None:
            for subject, predicate, object_, context in quads:
                self.add((subject, predicate, object_), context)
            return
        self._quads.extend((subject, predicate, object_, _name(context)) for subject, predicate, object_, context in quads)

    def remove(self, triple: _Pattern, context: Any = None) -> None:
        """Removes the triples that match a pattern from a graph, or from all."""
        subject, predicate, object_ = triple
        self._quads.remove(subject, predicate, object_, None if context is None else _name(context))
        if self.dispatcher.get_map() is not None:
            self.dispatcher.dispatch(TripleRemovedEvent(triple=triple, context=context))

    def triples(self, triple_pattern: _Pattern, context: Any = None) -> Iterator[tuple[Any, Iterator[Any]]]:
        """Returns the triples that match a pattern in a graph, or in any graph with the graphs of each."""
        subject, predicate, object_ = triple_pattern
        if context is None:
            found = self._quads.matches(subject, predicate, object_, None)
            return ((triple, map(self._context, names)) for triple, names in found)
        found = self._quads.matches(subject, predicate, object_, _name(context))
        graph = context if isinstance(context, Graph) else self._context(context)
        return zip(found, map(iter, repeat((graph,))))

    def __len__(self, context: Any = None) -> int:
        """Returns how many triples a graph has, or how many different ones all graphs have."""
        return self._quads.count(None if context is None else _name(context))

    def contexts(self, triple: Any = None) -> Any:
        """Returns the graphs, including those that are empty, or the graphs that have a triple."""
        if triple is None or tuple(triple) == (None, None, None):
            return map(self._context, self._quads.graphs())
        found = {name: None for _, names in self._quads.matches(*triple, None) for name in names}
        return map(self._context, found)

    def add_graph(self, graph: Any) -> None:
        """Adds an empty graph, unless it is there."""
        self._quads.add_graph(_name(graph))

    def remove_graph(self, graph: Any) -> None:
        """Removes a graph with its triples."""
        self._quads.remove_graph(_name(graph))
        self._contexts.pop(_name(graph), None)

    def _context(self, name: Node) -> Graph:
        graph = self._contexts.get(name)
        if graph is None:
            graph = self._contexts[name] = Graph(store=self, identifier=cast(Any, name))
        return graph

    def query(
        self,
        query: Query | str,
        initNs: Mapping[str, Any],
        initBindings: Mapping[str, Identifier],
        queryGraph: str | None,
        **kwargs: Any,
    ) -> Result:
        """Answers a query. Keyword arguments are `timeout`, `max_memory` and `base`.

        rdflib itself evaluates what is refused with `NotImplementedError`.
        """
        namespaces = {**self._namespaces, **initNs}
        request, limits = _request(query, namespaces, initBindings, queryGraph, kwargs)
        form, answer, variables = self._quads.query(request, Variable, **limits)
        result = Result(form)
        if form == "ASK":
            result.askAnswer = answer
        elif form == "SELECT":
            result.vars = variables
            result.bindings = (row for row in answer)
        else:
            (name,) = answer.graphs()
            result.graph = Graph(store=EvalgraphStore(quads=answer), identifier=name)
        return result

    def update(
        self,
        update: Update | str,
        initNs: Mapping[str, Any],
        initBindings: Mapping[str, Identifier],
        queryGraph: str | None,
        **kwargs: Any,
    ) -> None:
        """Performs an update, all or nothing. Keyword arguments are those of `query`.

        rdflib itself evaluates what is refused with `NotImplementedError`.
        """
        if queryGraph is None or queryGraph == "__UNION__":
            raise NotImplementedError("the union of all graphs has no graph for new triples")
        if any(isinstance(value, BNode) for value in initBindings.values()):
            raise NotImplementedError("a blank node is not the value of a variable of an update")
        namespaces = {**self._namespaces, **initNs}
        request, limits = _request(update, namespaces, initBindings, queryGraph, kwargs)
        self._quads.update(request, **limits)

    def bind(self, prefix: str, namespace: URIRef, override: bool = True) -> None:
        """Gives a namespace a prefix. Without `override`, both must be free."""
        if not override and (prefix in self._namespaces or namespace in self._prefixes):
            return
        self._namespaces.pop(self._prefixes.pop(namespace, prefix), None)
        known = self._namespaces.pop(prefix, None)
        if known is not None:
            self._prefixes.pop(known, None)
        self._namespaces[prefix] = namespace
        self._prefixes[namespace] = prefix

    def prefix(self, namespace: URIRef) -> str | None:
        """Returns the prefix of a namespace."""
        return self._prefixes.get(namespace)

    def namespace(self, prefix: str) -> URIRef | None:
        """Returns the namespace of a prefix."""
        return self._namespaces.get(prefix)

    def namespaces(self) -> Iterator[tuple[str, URIRef]]:
        """Returns the prefixes with their namespaces."""
        return iter(list(self._namespaces.items()))


def _store_folder(folder: str) -> Path:
    path = Path(folder)
    return path if path.name == _FOLDER else path / _FOLDER


def _request(
    text: Any, namespaces: Mapping[str, Any], bindings: Mapping[str, Any], graph: Any, options: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A query or an update as the native module takes it, and its limits."""
    limits = dict(options)
    # rdflib's own processor prints the algebra.
    limits.pop("DEBUG", None)
    base = limits.pop("base", None)
    for name in limits:
        if name not in ("timeout", "max_memory"):
            raise NotImplementedError(f"the store's queries have no option `{name}`")
    if not isinstance(text, str):
        # What rdflib has prepared knows its text.
        if not hasattr(text, "_original_args"):
            raise NotImplementedError("the store takes the text of a query, or a query that was prepared from a text")
        text, prepared, base = text._original_args
        namespaces = {**namespaces, **(prepared or {})}
    request = {
        "text": text,
        "base": None if base is None else str(base),
        "namespaces": [(str(prefix), str(namespace)) for prefix, namespace in namespaces.items()],
        "bindings": [(str(name).lstrip("?$"), value) for name, value in bindings.items()],
        "graph": None if graph is None or graph == "__UNION__" else graph,
        "unnamed": DATASET_DEFAULT_GRAPH_ID,
    }
    return request, limits


class _EvalgraphParser(Parser):
    """Reads a text with evalgraph's parser. An error has the file, the line and the column."""

    format: str = ""

    def parse(
        self,
        source: InputSource,
        sink: Graph,
        *,
        encoding: str | None = None,
        document_loader: Any = None,
        timeout: float | None = None,
        max_memory: int | str | None = None,
    ) -> None:
        """Adds the triples of a text to a graph, and the prefixes that it declares.

        `document_loader` finds contexts of JSON-LD, as in `evalgraph.jsonld`. Without one, only those work that are built in.
        """
        stream = source.getByteStream() or source.getCharacterStream()
        content = stream.read()
        if isinstance(content, bytes) and encoding is not None:
            content = content.decode(encoding)
        name = _source_name(source)
        base: str | None = str(sink.absolutize(source.getPublicId() or source.getSystemId() or ""))
        if self.format == "json-ld":
            text = content.decode("utf-8") if isinstance(content, bytes) else content
            read = read_json_ld(text, name, base, document_loader, timeout=timeout, max_memory=max_memory)
        else:
            read = NativeGraph.parse(content, self.format, base=base, name=name, timeout=timeout, max_memory=max_memory)
        for prefix, namespace in read.prefixes.items():
            sink.bind(prefix, namespace)
        store = sink.store
        if isinstance(store, EvalgraphStore) and store.dispatcher.get_map() is None:
            store.quads.extend_from(read, sink.identifier)
            return
        quads = _collection()
        quads.extend_from(read, sink.identifier)
        graphs = {name: Graph(store=store, identifier=name) for name in quads.graphs()}
        graphs[sink.identifier] = sink
        store.addN((*triple, graphs[name]) for triple, names in quads.matches(None, None, None, None) for name in names)


def _source_name(source: Any) -> str:
    name = getattr(getattr(source, "file", None), "name", None) or source.getSystemId()
    return name if isinstance(name, str) else "text"


class JsonLdParser(_EvalgraphParser):
    """JSON-LD 1.1."""

    format: str = "json-ld"


class N3Parser(_EvalgraphParser):
    """Notation3 without formulas and rules."""

    format: str = "n3"


class NQuadsParser(_EvalgraphParser):
    """N-Quads."""

    format: str = "nq"


class NTriplesParser(_EvalgraphParser):
    """N-Triples."""

    format: str = "nt"


class RdfXmlParser(_EvalgraphParser):
    """RDF/XML."""

    format: str = "rdf"


class TriGParser(_EvalgraphParser):
    """TriG."""

    format: str = "trig"


class TurtleParser(_EvalgraphParser):
    """Turtle."""

    format: str = "ttl"


class _EvalgraphSerializer(Serializer):
    """Writes a text with evalgraph's writer. IRIs are written in full or with prefixes; the base is not used."""

    format: str = ""
    has_graphs: bool = False

    def serialize(self, stream: IO[bytes], base: str | None = None, encoding: str | None = None, **args: Any) -> None:
        """Writes a graph, or the graphs of a dataset if the format has named graphs."""
        graph = self.store
        prefixes = [(str(prefix), str(namespace)) for prefix, namespace in graph.namespaces()]
        quads, is_dataset = getattr(graph.store, "quads", None), isinstance(graph, ConjunctiveGraph)
        if not isinstance(quads, QuadCollection) or (is_dataset and not self.has_graphs):
            quads = _collection()
            if is_dataset and self.has_graphs:
                quads.extend((s, p, o, _default_or(c)) for s, p, o, c in graph.quads((None, None, None, None)))
            else:
                name = DATASET_DEFAULT_GRAPH_ID
                quads.extend((s, p, o, name) for s, p, o in graph.triples((None, None, None)))
                is_dataset = True
            unnamed: Node = DATASET_DEFAULT_GRAPH_ID
        else:
            unnamed = _default_graph(graph)
        found = quads.to_graph(None if is_dataset else graph.identifier, unnamed, prefixes)
        stream.write(self._text(found, args).encode(encoding or "utf-8"))

    def _text(self, graph: NativeGraph, options: Mapping[str, Any]) -> str:
        return graph.serialize(self.format)


def _default_or(context: Any) -> Node:
    """The name of the graph of a quad. A dataset of rdflib gives None for its default graph."""
    return DATASET_DEFAULT_GRAPH_ID if context is None else _name(context)


def _default_graph(graph: Any) -> Node:
    """The name of the graph that is written without one."""
    if not isinstance(graph, ConjunctiveGraph):
        return cast(Node, graph.identifier)
    return cast(Node, graph._default_context.identifier)


class JsonLdSerializer(_EvalgraphSerializer):
    """JSON-LD, expanded or compacted with the option `context`."""

    has_graphs: bool = True

    def _text(self, graph: NativeGraph, options: Mapping[str, Any]) -> str:
        document = jsonld.from_rdf(graph.serialize("nq"))
        if options.get("context"):
            document = jsonld.compact(document, options["context"])
        return json.dumps(document, indent=options.get("indent", 2), ensure_ascii=False)


class NQuadsSerializer(_EvalgraphSerializer):
    """N-Quads."""

    format: str = "nq"
    has_graphs: bool = True


class NTriplesSerializer(_EvalgraphSerializer):
    """N-Triples."""

    format: str = "nt"


class RdfXmlSerializer(_EvalgraphSerializer):
    """RDF/XML."""

    format: str = "rdf"


class TriGSerializer(_EvalgraphSerializer):
    """TriG."""

    format: str = "trig"
    has_graphs: bool = True


class TurtleSerializer(_EvalgraphSerializer):
    """Turtle, which is also Notation3."""

    format: str = "ttl"
