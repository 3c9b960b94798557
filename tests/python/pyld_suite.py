"""Runs the test runner of PyLD over `evalgraph.jsonld`, by hand: pyld_suite.py PYLD MANIFEST_OR_FOLDER…

PYLD is a clone of PyLD, whose `tests` and `iri_resolver` are used. `evalgraph`, `pytest` and `typing_extensions` have to be
installed. The runner compares quads by their canonical form, for which it names URGNA2012; here it is URDNA2015. What fails:
tests that are marked as pending there, since PyLD fails them; those that need the network; and a tag of a language in
capitals, which the runner tells apart from one in small letters.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

#: The package `pyld` of the runner.
PACKAGE = '''
import re

from evalgraph import jsonld


def parse_link_header(header):
    links = {}
    for target, parameters in re.findall(r"<([^>]*)>\\s*((?:;\\s*[^;,]+)*)", header):
        link = {"target": target, **dict(re.findall(r';\\s*(\\w+)="?([^";]*)"?', parameters))}
        known = links.get(link.get("rel", ""))
        links[link.get("rel", "")] = link if known is None else [*(known if isinstance(known, list) else [known]), link]
    return links


jsonld.parse_link_header = parse_link_header
jsonld.requests_document_loader = lambda **options: None
'''


def main():
    clone, targets = Path(sys.argv[1]), [str(Path(target).resolve()) for target in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as folder:
        tests, package = Path(folder) / "tests", Path(folder) / "lib" / "pyld"
        shutil.copytree(clone / "tests", tests)
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(PACKAGE, encoding="utf-8")
        for name in ("iri_resolver.py", "__about__.py"):
            shutil.copy(clone / "lib" / "pyld" / name, package)
        runner = tests / "runtests.py"
        runner.write_text(runner.read_text(encoding="utf-8").replace("URGNA2012", "URDNA2015"), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_manifests.py", "--tb=no", "--tests"]
        sys.exit(subprocess.run([*command, *targets], cwd=folder, env={"PYTHONPATH": str(package.parent)}).returncode)


main()
