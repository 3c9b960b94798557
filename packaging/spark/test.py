#!/usr/bin/env python3
"""Runs both jobs of this folder on fixtures, and compares the results with what the program writes and answers.

    python packaging/spark/test.py --program target/debug/evalgraph    # pyspark 4 and Java 17 are needed

What is tested is named on stdout, a line for each job. Without pyspark or Java the test is SKIPPED, with status 0;
EVALGRAPH_SPARK_JOBS=needed makes that a failure.
"""

import argparse
import csv
import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "fixtures" / "karenina"


def skip(what):
    print(f"SKIPPED the jobs for Spark: {what}")
    sys.exit(os.environ.get("EVALGRAPH_SPARK_JOBS") == "needed")


def run(*command):
    """The exit status, stdout and stderr of a command."""
    # The data are small, and most of the time goes into planning.
    options = "--master local[2] --conf spark.sql.shuffle.partitions=1 --conf spark.ui.enabled=false pyspark-shell"
    variables = {"PYSPARK_SUBMIT_ARGS": options}
    command = list(map(str, command))
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", env={**os.environ, **variables})
    return ended.returncode, ended.stdout, ended.stderr


def job(name, *arguments):
    return run(sys.executable, HERE / f"{name}.py", *arguments)


def check(is_so, what, *evidence):
    if not is_so:
        sys.exit("\n".join(["FAILED: " + what, *map(str, evidence)]))
    print(f"ok: {what}", flush=True)


def files(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def terms(text):
    """The rows of an answer in SPARQL's JSON: the value and the type of each variable."""
    answer, rows = json.loads(text), []
    for solution in answer["results"]["bindings"]:
        row = []
        for name in answer["head"]["vars"]:
            term = solution.get(name, {"type": None, "value": None})
            kinds = {"uri": "iri", "bnode": "blank", "literal": "http://www.w3.org/2001/XMLSchema#string", None: None}
            language = "@" + term["xml:lang"] if "xml:lang" in term else None
            row += [term["value"], language or term.get("datatype") or kinds[term["type"]]]
        rows.append(row)
    return rows


def plain(value):
    """A value of a row as the text of its term."""
    return value if value is None else json.dumps(value) if isinstance(value, bool) else str(value)


def main():
    parser = argparse.ArgumentParser(description="Tests the jobs for Spark.")
    parser.add_argument("--program", default="evalgraph")
    program = parser.parse_args().program
    program = str(Path(program).resolve()) if "/" in program else program
    try:
        import pyspark  # noqa: F401
    except ImportError:
        skip("pyspark is not installed")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        skip("Java is not installed")

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        inputs, lake, one = folder / "in puts", folder / "la ke", folder / "one"
        inputs.mkdir()
        for name in ("p1-physics", "p2-genomics", "s1-astronomy", "t-general-knowledge", "m-history"):
            shutil.copy(FIXTURES / f"{name}.jsonld", inputs)

        # Part 3 is that of a broken file.
        names = sorted(inputs.iterdir())
        whole = names[2].read_text(encoding="utf-8")
        names[2].write_text('{"@context": ', encoding="utf-8")
        export = ("export_parallel", lake, *names, "--parts", "3", "--program", program)
        status, _, said = job(*export, "--", "--tables")
        is_reported = status == 1 and "json::truncated" in said and "not all parts" in said
        check(is_reported, "a part that fails ends the job with its message", status, said)
        check(not (lake / "p").exists(), "nothing is joined without all parts", files(lake))
        check(len(list((lake / "parts").iterdir())) == 2, "the other parts are written", files(lake))
        times = {path: path.stat().st_mtime_ns for path in (lake / "parts").rglob("*")}

        # The file is repaired.
        names[2].write_text(whole, encoding="utf-8")
        listed = folder / "list.txt"
        listed.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
        status, _, said = run(program, "export", "parquet", "--part=2/3", "--tables", "--", lake, *names)
        now = {path: path.stat().st_mtime_ns for path in times}
        check(status == 0 and times == now, "a part is not written twice", said)
        export = ("export_parallel", lake, "--list", listed, "--parts", "3", "--program", program)
        status, _, said = job(*export, "--", "--tables")
        check(status == 0, "the next run writes what is missing, and joins", said)
        status, _, said = run(program, "export", "parquet", "--quiet", "--tables", "--", one, *names)
        check(status == 0, "one run of the program writes them all", said)
        _, different, unread = filecmp.cmpfiles(one, lake, files(one), shallow=False)
        is_same = files(one) == files(lake) and not different + unread
        check(is_same, "the export is byte for byte that of one run", different, unread)
        status, _, said = job(*export, "--", "--tables")
        check(status == 1 and "export::exists" in said, "a finished export is not written again", said)

        query = ("run_query", lake, "--program", program)
        status, answer, said = job(*query, "--name", "progress")
        rows = [list(map(plain, json.loads(line).values())) for line in answer.splitlines()]
        _, text, _ = run(program, "query", "-n", "progress", "--format", "sparql-json", "--", *names)
        is_same = status == 0 and rows and rows == terms(text)
        check(is_same, "a named query has the rows of the program", said, rows, text)

        sql, output = folder / "query.sql", folder / "answer.csv"
        text = "PREFIX s: <http://schema.org/> SELECT ?text { ?q s:acceptedAnswer/s:text ?text } ORDER BY ?text"
        run(program, "query", "-q", text, "--sql", "spark", "-o", sql)
        status, _, said = job(*query[:2], "--sql", sql, "--output", output)
        check(status == 0, "a file of SQL is answered", said)
        written = "".join(path.read_text(encoding="utf-8") for path in sorted(output.glob("part-*.csv")))
        _, text, _ = run(program, "query", "-q", text, "--format", "sparql-json", "--", *names)
        rows = list(csv.reader(written.splitlines(keepends=True)))[1:]
        check(rows == terms(text) and rows, "the CSV has the rows of the program", rows, text)
        status, _, said = job(*query[:2], "--sql", sql, "--output", output)
        check(status == 1 and "error: " in said, "an output that is there is not replaced", status, said)
        status, _, said = job(*query, "--name", "nothing")
        check(status == 1 and "sparql::unknown-query" in said, "the program's message is shown", status, said)


if __name__ == "__main__":
    main()
