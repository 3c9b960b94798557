"""rdflib or pyoxigraph as a process: a case a line, an answer a line, both JSON.

python rdf_engine.py rdflib|pyoxigraph
"""

import json
import sys


def rdflib_engine():
    import logging
    import rdflib
    from rdflib import BNode, Dataset, Literal, URIRef
    import pyoxigraph

    logging.disable(logging.CRITICAL)
    # Literals stay as they were written.
    rdflib.NORMALIZE_LITERALS = False
    default = rdflib.graph.DATASET_DEFAULT_GRAPH_ID

    def read(term):
        if isinstance(term, pyoxigraph.NamedNode):
            return URIRef(term.value)
        if isinstance(term, pyoxigraph.BlankNode):
            return BNode(term.value)
        if term.language:
            return Literal(term.value, lang=term.language)
        if term.datatype.value == "http://www.w3.org/2001/XMLSchema#string":
            return Literal(term.value)
        return Literal(term.value, datatype=URIRef(term.datatype.value))

    def shown(term):
        if term is None:
            return None
        if isinstance(term, URIRef):
            return ["iri", str(term)]
        if isinstance(term, BNode):
            return ["blank", str(term)]
        datatype = term.datatype or "http://www.w3.org/2001/XMLSchema#string"
        return ["literal", str(term), str(datatype), term.language or ""]

    def answer(question):
        data = Dataset(default_union=False)
        for quad in pyoxigraph.parse(question["data"].encode(), format=pyoxigraph.RdfFormat.N_QUADS):
            named = not isinstance(quad.graph_name, pyoxigraph.DefaultGraph)
            graph = data.graph(read(quad.graph_name)) if named else data.default_graph
            graph.add((read(quad.subject), read(quad.predicate), read(quad.object)))
        if "update" in question:
            data.update(question["update"])
            quads = [
                [shown(s), shown(p), shown(o), None if g is None or g == default else shown(g)]
                for s, p, o, g in data.quads((None, None, None, None))
            ]
            return {"quads": quads}
        result = data.query(question["query"])
        if result.type == "ASK":
            return {"boolean": result.askAnswer}
        if result.type == "CONSTRUCT":
            return {"triples": [[shown(term) for term in triple] for triple in result.graph]}
        names = [str(name) for name in result.vars]
        return {"variables": names, "rows": [[shown(row.get(name)) for name in result.vars] for row in result.bindings]}

    return answer


def pyoxigraph_engine():
    import pyoxigraph

    def shown(term):
        if term is None or isinstance(term, pyoxigraph.DefaultGraph):
            return None
        if isinstance(term, pyoxigraph.NamedNode):
            return ["iri", term.value]
        if isinstance(term, pyoxigraph.BlankNode):
            return ["blank", term.value]
        return ["literal", term.value, term.datatype.value, term.language or ""]

    def answer(question):
        store = pyoxigraph.Store()
        store.extend(pyoxigraph.parse(question["data"].encode(), format=pyoxigraph.RdfFormat.N_QUADS))
        if "update" in question:
            store.update(question["update"])
            return {"quads": [[shown(term) for term in quad] for quad in store]}
        result = store.query(question["query"])
        if isinstance(result, pyoxigraph.QueryBoolean):
            return {"boolean": bool(result)}
        if isinstance(result, pyoxigraph.QueryTriples):
            return {"triples": [[shown(term) for term in triple] for triple in result]}
        names = [name.value for name in result.variables]
        return {"variables": names, "rows": [[shown(term) for term in row] for row in result]}

    return answer


def main():
    answer = {"rdflib": rdflib_engine, "pyoxigraph": pyoxigraph_engine}[sys.argv[1]]()
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


main()
