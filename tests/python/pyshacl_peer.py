"""Compares `evalgraph.pyshacl.validate` with pySHACL over the graphs of a folder, by hand: pyshacl_peer.py FOLDER.

Both packages have to be installed. It prints how many graphs have the same verdict and the same number of results, those that
differ, those that one of them refuses, and the seconds of both.
"""

import logging
import sys
import time
from pathlib import Path

import pyshacl
from rdflib import URIRef

import evalgraph.pyshacl

RESULT = URIRef("http://www.w3.org/ns/shacl#result")


def found(validate, file, times):
    """The verdict and the number of results, or the name of the exception."""
    begin = time.process_time()
    try:
        conforms, graph, _ = validate(str(file), shacl_graph=str(file), data_graph_format="turtle")
        return conforms, len(list(graph.objects(None, RESULT)))
    except Exception as error:
        return type(error).__name__
    finally:
        times.append(time.process_time() - begin)


def main():
    # rdflib reports each malformed literal.
    logging.disable(logging.ERROR)
    same, ours, theirs = 0, [], []
    files = sorted(file for file in Path(sys.argv[1]).rglob("*.ttl") if "manifest" not in file.name)
    for file in files:
        pair = found(evalgraph.pyshacl.validate, file, ours), found(pyshacl.validate, file, theirs)
        if pair[0] == pair[1]:
            same += 1
        else:
            print(f"{file}: evalgraph {pair[0]}, pySHACL {pair[1]}")
    print(f"{same} of {len(files)} are the same; {sum(ours):.2f} s of CPU, pySHACL {sum(theirs):.2f} s")


main()
