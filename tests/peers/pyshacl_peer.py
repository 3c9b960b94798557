"""pySHACL as a process: a case a line, its results a line, both JSON (see README.md)."""

import json
import logging
import sys

import rdflib
from pyshacl import validate
from rdflib import RDF, SH, BNode, Graph, URIRef

STRING = "http://www.w3.org/2001/XMLSchema#string"
STEPS = {
    SH.inversePath: "inverse",
    SH.zeroOrMorePath: "zeroOrMore",
    SH.oneOrMorePath: "oneOrMore",
    SH.zeroOrOnePath: "zeroOrOne",
}


class Reader:
    """Graphs of N-Triples, whose blank nodes are shown by the labels that they were read by."""

    def __init__(self):
        self.labels = {}

    def graph(self, text):
        nodes = {}
        graph = Graph().parse(data=text, format="nt", bnode_context=nodes)
        self.labels.update((node, label) for label, node in nodes.items())
        return graph

    def term(self, term):
        if term is None:
            return None
        if isinstance(term, URIRef):
            return f"<{term}>"
        if isinstance(term, BNode):
            return f"_:{self.labels.get(term, 'unknown')}"
        if term.language:
            return f'"{term}"@{term.language.lower()}'
        datatype = str(term.datatype or STRING)
        return f'"{term}"' if datatype == STRING else f'"{term}"^^<{datatype}>'


def path(graph, node):
    if node is None:
        return None
    if isinstance(node, URIRef):
        return f"<{node}>"
    if (node, RDF.first, None) in graph:
        return f"sequence({','.join(path(graph, item) for item in graph.items(node))})"
    alternatives = graph.value(node, SH.alternativePath)
    if alternatives is not None:
        return f"alternative({','.join(path(graph, item) for item in graph.items(alternatives))})"
    for step, name in STEPS.items():
        inner = graph.value(node, step)
        if inner is not None:
            return f"{name}({path(graph, inner)})"
    return "unknown"


def answer(question):
    # Literals stay as they were written. Each validation sets this back when it ends.
    rdflib.NORMALIZE_LITERALS = False
    reader = Reader()
    data, shapes = reader.graph(question["data"]), reader.graph(question["shapes"])
    _, report, _ = validate(data, shacl_graph=shapes, inference="none", inplace=True)
    if not isinstance(report, Graph):
        raise report
    root = report.value(predicate=RDF.type, object=SH.ValidationReport)
    results = []
    for result in report.objects(root, SH.result):
        one = lambda name: report.value(result, SH[name])
        term = lambda name: reader.term(one(name))
        results.append(
            [
                term("focusNode"),
                path(report, one("resultPath")),
                term("value"),
                term("sourceConstraintComponent"),
                term("sourceShape"),
                term("resultSeverity"),
            ]
        )
    return {"results": results}


def main():
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


main()
