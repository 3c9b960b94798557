"""Asks and changes a server with SPARQLWrapper and rdflib, as their users do. Ends with 0 where all is as it should be.

Called with the URL of the server, which ends in `/`, and the token for writing.
"""

import sys
from urllib.request import Request, urlopen

import rdflib
from rdflib.plugins.stores.sparqlstore import SPARQLUpdateStore
from SPARQLWrapper import CSV, JSON, N3, POST, POSTDIRECTLY, TURTLE, XML, SPARQLWrapper

url, token = sys.argv[1:]
graph = "http://example.org/g"


def asked(text, form, method="GET"):
    client = SPARQLWrapper(url + "query")
    client.setQuery(text)
    client.setReturnFormat(form)
    client.setMethod(method)
    return client.query().convert()


def changed(text, direct):
    client = SPARQLWrapper(url + "update")
    client.setQuery(text)
    client.setMethod(POST)
    client.addCustomHttpHeader("Authorization", "Bearer " + token)
    if direct:
        client.setRequestMethod(POSTDIRECTLY)
    client.query()


changed("INSERT DATA { GRAPH <%s> { <urn:x:s> <urn:x:p> 1, 2 } }" % graph, False)
changed("INSERT DATA { GRAPH <%s> { <urn:x:s> <urn:x:p> 'three'@en } }" % graph, True)

select = "SELECT ?o { ?s <urn:x:p> ?o }"
for method in ("GET", POST):
    assert len(asked(select, JSON, method)["results"]["bindings"]) == 3
assert asked("ASK { <urn:x:s> ?p 2 }", JSON)["boolean"] is True
assert len(asked(select, XML).getElementsByTagName("result")) == 3
assert len(asked(select, CSV).decode().split()) == 4
construct = "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }"
for form, name in ((TURTLE, "turtle"), (N3, "turtle")):
    assert len(rdflib.Graph().parse(data=asked(construct, form), format=name)) == 3

store = SPARQLUpdateStore(url + "query", url + "update", auth=("anyone", token))
seen = rdflib.Graph(store, identifier=rdflib.URIRef(graph))
assert len(seen) == 3
seen.add((rdflib.URIRef("urn:x:t"), rdflib.URIRef("urn:x:p"), rdflib.Literal("four")))
assert len(seen) == 4
assert {str(value) for value in seen.objects()} == {"1", "2", "three", "four"}

turtle = b"<urn:x:new> <urn:x:p> <urn:x:o> ."
headers = {"Content-Type": "text/turtle", "Authorization": "Bearer " + token}
with urlopen(Request(url + "store?graph=" + graph, turtle, headers, method="PUT")) as answer:
    assert answer.status == 204
again = rdflib.Graph().parse(url + "store?graph=" + graph, format="turtle")
assert len(again) == 1
print("all is well")
