"""Prints the CPU of the Python package beside pyoxigraph, rdflib, PyLD, pySHACL and the program, on one generated checkpoint.

    python benches/python_peers.py [QUESTIONS] [PROGRAM]

The interpreter needs the packages evalgraph-rdf, pyoxigraph, rdflib, PyLD, pyshacl and polars. Each measurement is a process of
its own, whose CPU less that of one which only imports the package is printed, with the least of three runs. QUESTIONS are 10,000
unless given; PROGRAM is `evalgraph`, from the path. EVALGRAPH_ONLY chooses the rows whose name has that text.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
TEXTS = "SELECT ?q ?text { ?q a <http://schema.org/Question> ; <http://schema.org/text> ?text }"
LANGUAGES = """SELECT ?language (COUNT(?code) AS ?n) { ?code <http://schema.org/programmingLanguage> ?language }
GROUP BY ?language ORDER BY ?language"""
ALL = "SELECT ?s ?p ?o { ?s ?p ?o }"


def checkpoint(folder: Path, questions: int) -> None:
    """Writes a checkpoint with the questions of a fixture, again and again with other names."""
    document = json.loads((PROJECT / "fixtures/karenina/p1-physics.jsonld").read_text(encoding="utf-8"))
    items = document["dataFeedElement"]
    made = []
    for number in range(questions):
        text = json.dumps(items[number % len(items)])
        made.append(json.loads(text.replace("urn:uuid:", f"urn:uuid:n{number}-")))
        made[-1]["item"]["text"] += f" ({number})"
    document["dataFeedElement"] = made
    (folder / "data.jsonld").write_text(json.dumps(document), encoding="utf-8")
    import evalgraph

    graph = evalgraph.read(str(folder / "data.jsonld"), plain=True).construct("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }")
    (folder / "data.nt").write_text(graph.serialize("nt"), encoding="utf-8")
    shutil.copy(PROJECT / "shapes/karenina.ttl", folder / "shapes.ttl")


def ours_read() -> object:
    import evalgraph

    return evalgraph.read("data.jsonld")


def oxigraph_read() -> object:
    import pyoxigraph

    store = pyoxigraph.Store()
    store.bulk_load(path="data.jsonld", base_iri="urn:base")
    return store


def rdflib_read() -> object:
    import rdflib

    return rdflib.Graph().parse("data.jsonld", format="json-ld")


def ours_query(query: str) -> int:
    return len(ours_read().select(query))


def oxigraph_query(query: str) -> int:
    return sum(1 for _ in oxigraph_read().query(query))


def rdflib_query(query: str) -> int:
    return sum(1 for _ in rdflib_read().query(query))


def ours_frame() -> int:
    import polars

    return len(polars.DataFrame(ours_read().select(ALL)))


def oxigraph_frame() -> int:
    import polars

    rows = [[term.value for term in row] for row in oxigraph_read().query(ALL)]
    return len(polars.DataFrame(rows, schema=["s", "p", "o"], orient="row"))


def program_csv() -> int:
    command = [PROGRAM, "query", "data.jsonld", "-q", ALL, "--format", "csv"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 0


def ours_expand() -> int:
    from evalgraph import jsonld

    return len(jsonld.expand(json.loads(Path("data.jsonld").read_text(encoding="utf-8"))))


def pyld_expand() -> int:
    from pyld import jsonld

    return len(jsonld.expand(json.loads(Path("data.jsonld").read_text(encoding="utf-8"))))


def ours_validate() -> bool:
    from evalgraph.pyshacl import validate

    return validate("data.nt", shacl_graph="shapes.ttl")[0]


def pyshacl_validate() -> bool:
    from pyshacl import validate

    return validate("data.nt", shacl_graph="shapes.ttl", data_graph_format="nt", shacl_graph_format="turtle")[0]


def nothing(*modules: str) -> Callable[[], None]:
    def work() -> None:
        for module in modules:
            __import__(module)

    return work


#: What is measured, and for each package the work, and the modules that are not measured.
WORK: dict[str, dict[str, tuple[Callable[[], object], tuple[str, ...]]]] = {
    "read": {
        "evalgraph": (ours_read, ("evalgraph",)),
        "pyoxigraph": (oxigraph_read, ("pyoxigraph",)),
        "rdflib": (rdflib_read, ("rdflib",)),
    },
    "read, and query the texts": {
        "evalgraph": (lambda: ours_query(TEXTS), ("evalgraph",)),
        "pyoxigraph": (lambda: oxigraph_query(TEXTS), ("pyoxigraph",)),
        "rdflib": (lambda: rdflib_query(TEXTS), ("rdflib",)),
    },
    "read, and group": {
        "evalgraph": (lambda: ours_query(LANGUAGES), ("evalgraph",)),
        "pyoxigraph": (lambda: oxigraph_query(LANGUAGES), ("pyoxigraph",)),
        "rdflib": (lambda: rdflib_query(LANGUAGES), ("rdflib",)),
    },
    "read, and a frame of all triples": {
        "evalgraph": (ours_frame, ("evalgraph", "polars")),
        "the program, CSV": (program_csv, ()),
        "pyoxigraph": (oxigraph_frame, ("pyoxigraph", "polars")),
    },
    "expand": {
        "evalgraph": (ours_expand, ("evalgraph.jsonld",)),
        "PyLD": (pyld_expand, ("pyld",)),
    },
    "read N-Triples, and validate": {
        "evalgraph": (ours_validate, ("evalgraph.pyshacl",)),
        "pySHACL": (pyshacl_validate, ("pyshacl",)),
    },
}


def cpu(task: str, package: str, folder: Path, imports_only: bool) -> float:
    """The least CPU of three processes, in seconds."""
    command = [sys.executable, __file__, "--work", task, package, *(["--imports"] if imports_only else [])]
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, check=True, env={**os.environ, "EVALGRAPH_PROGRAM": PROGRAM})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        if times[-1] > 20:
            break
    return min(times)


def main() -> None:
    questions = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        checkpoint(folder, questions)
        size = (folder / "data.jsonld").stat().st_size / 1e6
        print(f"{questions} questions, {size:.0f} MB of JSON-LD; seconds of CPU, and how many times ours")
        for task, packages in WORK.items():
            if os.environ.get("EVALGRAPH_ONLY", "") not in task:
                continue
            print(f"{task}:")
            ours = 0.0
            for package in packages:
                seconds = cpu(task, package, folder, False) - cpu(task, package, folder, True)
                ours = ours or seconds
                print(f"  {package:18} {seconds:8.3f} {seconds / ours:8.2f}", flush=True)


PROGRAM = os.environ.get("EVALGRAPH_PROGRAM") or (sys.argv[2] if len(sys.argv) > 2 else "evalgraph")
if "--work" in sys.argv:
    work, modules = WORK[sys.argv[2]][sys.argv[3]]
    nothing(*modules)()
    if "--imports" not in sys.argv:
        work()
else:
    main()
