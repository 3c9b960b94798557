"""Runs pySHACL's own tests over `evalgraph.pyshacl.validate`, by hand: pyshacl_suite.py [--no-inference] CLONE [ARGUMENT…]

CLONE is a clone of pySHACL, and an ARGUMENT is one of pytest: a file of tests, `-k NAME`. `evalgraph`, `pytest` and the
dependencies of pySHACL have to be installed. `validate` and `validate_each` are ours, also in the processes that tests start; the
rest of pySHACL is its own: what loads manifests, and what compares reports.

A test counts if it calls `validate`. It is refused if a call ends with NotImplementedError, whatever the test makes of it. With
`--no-inference`, the option `inference` is left out of every call: what then passes needs everything but inference.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

#: Every process of the tests imports this when it starts.
SHIM = '''
import os
import re

import pyshacl
from pyshacl import cli, entrypoints, validator_conformance
from pyshacl.errors import ReportableRuntimeError, ValidationFailure
from pyshacl.rdfutil import load_from_source

from evalgraph import EvalgraphError
from evalgraph import pyshacl as ours


def note(text):
    with open(os.environ["EVALGRAPH_CALLS"], "a", encoding="utf-8") as file:
        print(text, file=file)


def called(function, data_graph, arguments, options):
    options.pop("inference", None) if os.environ.get("EVALGRAPH_NO_INFERENCE") else None
    try:
        result = function(data_graph, *arguments, **options)
    except NotImplementedError as error:
        note("refused " + re.search("`(.+?)`", str(error)).group(1))
        raise
    except EvalgraphError as error:
        note("error")
        # pySHACL raises one exception for shapes and imports that it cannot use, and returns another for a failure.
        if options.get("meta_shacl") or options.get("do_owl_imports"):
            raise ReportableRuntimeError(str(error)) from error
        return False, ValidationFailure(str(error)), str(error)
    note("answered")
    return result


def validate(data_graph, *arguments, check_dash_result=False, **options):
    result = called(ours.validate, data_graph, arguments, dict(options))
    conforms, graph, text = result if isinstance(result, tuple) else (None, None, None)
    if not check_dash_result or isinstance(graph, ValidationFailure):
        return result
    expected = load_from_source(options.get("shacl_graph") or data_graph, multigraph=True)
    return validator_conformance.check_dash_result(None, graph, expected), graph, text


def validate_each(data_graphs, *arguments, **options):
    return called(ours.validate_each, data_graphs, arguments, dict(options))


for module in (pyshacl, entrypoints, cli):
    module.validate, module.validate_each = validate, validate_each
'''

#: The plugin of pytest that counts.
PLUGIN = '''
import collections
import os
from pathlib import Path

LOG = Path(os.environ["EVALGRAPH_CALLS"])
SEEN = collections.defaultdict(list)


def pytest_runtest_logreport(report):
    if report.when != "call":
        return
    calls = LOG.read_text(encoding="utf-8").splitlines()
    LOG.write_text("", encoding="utf-8")
    refused = [call for call in calls if call.startswith("refused ")]
    if not calls:
        kind = "without a call of validate"
    elif refused:
        kind = "refused: " + refused[0].removeprefix("refused ")
    else:
        kind = report.outcome + (", with an exception of evalgraph" if "error" in calls else "")
    SEEN[kind].append(report.nodeid)


def pytest_terminal_summary(terminalreporter):
    for kind in sorted(SEEN):
        if kind.startswith("failed") or "exception" in kind:
            for name in SEEN[kind]:
                terminalreporter.write_line(f"{kind}: {name}")
    for kind in sorted(SEEN):
        terminalreporter.write_line(f"{len(SEEN[kind]):5} {kind}")
'''


def main():
    arguments = sys.argv[1:]
    without = arguments[:1] == ["--no-inference"]
    clone, further = Path(arguments[without]).resolve(), arguments[without + 1 :]
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), Path(name) / "calls"
        (folder / "sitecustomize.py").write_text(SHIM, encoding="utf-8")
        (folder / "evalgraph_counts.py").write_text(PLUGIN, encoding="utf-8")
        log.write_text("", encoding="utf-8")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((name, str(clone))),
            "PYTHONDONTWRITEBYTECODE": "1",
            "EVALGRAPH_CALLS": str(log),
            "EVALGRAPH_NO_INFERENCE": "1" if without else "",
        }
        command = [sys.executable, "-m", "pytest", "-q", "-p", "evalgraph_counts", "-p", "no:cacheprovider", "--tb=no", "-r", "N"]
        sys.exit(subprocess.run([*command, *(further or ["test"])], cwd=clone, env=environment).returncode)


main()
