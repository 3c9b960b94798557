"""Karenina's programs as judges of evalgraph's verdicts and of the files that it writes; see README.md.

    karenina.py verdicts  [--program library|gui] [--count N] [--seed N] [--table FILE]
    karenina.py files     [--more DIR ...]
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from karenina_mutations import Mutator, applied

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# What each program is called here, the profile and the form that are for it, and the variable that names it.
LIBRARY, GUI = "library", "gui"
PROFILE = {LIBRARY: "karenina", GUI: "karenina-gui"}
VARIABLE = {LIBRARY: "EVALGRAPH_JUDGE_KARENINA", GUI: "EVALGRAPH_JUDGE_KARENINA_GUI"}

# Names of properties that a mutation may add.
PROPERTIES = (
    "finished author sources few_shot_examples answer_notes workspace_path custom_a original_answer_template "
    "pattern case_sensitive invert_result higher_is_better summary callable_code kind classes min_score max_score "
    "metrics repeated_extraction evaluation_mode tp_instructions tn_instructions context_mode materialize_trace "
    "persist_trace max_turns timeout_seconds model_override dynamic_trait_type deep_judgment_enabled "
    "deep_judgment_excerpt_enabled deep_judgment_search_enabled deep_judgment_max_excerpts "
    "deep_judgment_fuzzy_match_threshold deep_judgment_excerpt_retry_attempts global_regex_rubric_traits "
    "global_callable_rubric_traits global_metric_rubric_traits"
).split()


def environment(name):
    value = os.environ.get(name)
    if not value:
        sys.exit(f"{name} is not set: see {HERE / 'README.md'}")
    return value


class Program:
    """One of Karenina's programs, which answers a line for each name of a file."""

    def __init__(self, which):
        path = environment(VARIABLE[which])
        command = [path, "-P", HERE / "karenina_library.py"] if which == LIBRARY else ["node", HERE / "karenina_gui.mjs"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def load(self, path):
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def evalgraph(*arguments):
    program = os.environ.get("EVALGRAPH") or ROOT / "target/debug/evalgraph"
    command = [program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def verdicts_of(profile, paths):
    """For each file the rules that it violates, or the error that it was refused with."""
    done = evalgraph("validate", "--profile", profile, "--format", "json", "--keep-going", *paths)
    reports = {report["file"]: report for report in json.loads(done.stdout or "[]")}
    found = {}
    for path in map(str, paths):
        report = reports.get(path)
        if report is None:
            found[path] = ["refused"]
            continue
        found[path] = [(r["rule"], r["message"]) for r in report["results"] if r["severity"] == "violation"]
    return found


def seeds(which):
    """The documents to change: our checkpoints that the program loads."""
    folders = ["fixtures/karenina", "fixtures/across", "fixtures/revisions", "fixtures/hostile", "tests/judges/seeds"]
    paths = sorted(path for folder in folders for path in (ROOT / folder).glob("*.json*"))
    program = Program(which)
    documents = {}
    for path in paths:
        document = json.loads(path.read_text())
        # The profiles are about checkpoints in JSON-LD; the interface does not look at scenarios.
        is_meant = "@context" in document and (which == LIBRARY or "hasPart" not in document)
        if is_meant and "error" not in program.load(path):
            documents[str(path.relative_to(ROOT))] = document
    program.close()
    return documents


def verdicts(options):
    which = options.program
    documents = seeds(which)
    mutator = Mutator(random.Random(options.seed), documents, PROPERTIES)
    program = Program(which)
    counts, rows = Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, options.count, 250):
            batch = []
            for index in range(start, min(start + 250, options.count)):
                name, mutation = mutator.draw()
                path = Path(folder) / f"{index}.jsonld"
                path.write_text(json.dumps(applied(documents[name], mutation), ensure_ascii=False))
                batch.append((path, name, mutation))
            found = verdicts_of(PROFILE[which], [path for path, _, _ in batch])
            for path, name, mutation in batch:
                answer, ours = program.load(path), found[str(path)]
                path.unlink()
                takes, conforms = "error" not in answer, not ours
                counts[f"{'takes' if takes else 'refuses'}, {'conforms' if conforms else 'violates'}"] += 1
                row = (which, name, mutation, ours)
                if takes == conforms:
                    rows.append(row)
                    continue
                verdict = "wrong conforms" if conforms else "wrong violates"
                said = answer.get("error") or "; ".join(map(str, ours))
                counts[verdict] += 1
                print(f"{verdict}: {name} {json.dumps(mutation)[:300]}\n    {said[:500]}".replace("\n\n", "\n"))
    program.close()
    for text, count in sorted(counts.items()):
        print(f"{count:6} {text}")
    if options.table:
        write_table(options.table, rows)
    return 1 if counts["wrong conforms"] + counts["wrong violates"] else 0


def write_table(path, rows):
    """Rows that differ in rule and kind of place, for the test that holds them."""
    seen, lines = Counter(), []
    for which, name, (operation, pointer, value), ours in rows:
        rule = ours[0][0] if ours and ours[0] != "refused" else ("refused" if ours else "-")
        place = "/".join(part for part in pointer.split("/") if not part.isdigit())
        kind = (which, rule, place, operation)
        seen[kind] += 1
        text = json.dumps(value, ensure_ascii=False)
        if seen[kind] <= 1 and rule != "refused" and len(text) <= 120:
            lines.append("\t".join([PROFILE[which], name, operation, pointer, text, rule]))
    Path(path).write_text("\n".join(sorted(lines)) + "\n")


# The forms, and the program that each is for.
FORMS = {
    "karenina": (LIBRARY, ["--to", "karenina"]),
    "karenina-gui": (GUI, ["--to", "karenina-gui"]),
    "karenina-v2": (GUI, ["--to", "karenina-v2"]),
    "karenina-v2 a": (GUI, ["--to", "karenina-v2", "--v2-shape", "a"]),
    "karenina-v2 b": (GUI, ["--to", "karenina-v2", "--v2-shape", "b"]),
}


def differences_of(one, other, path=""):
    """Where two values differ: paths and both values."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            yield from differences_of(one.get(key), other.get(key), f"{path}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other)):
            yield from differences_of(*pair, f"{path}/{index}")
    elif one != other or isinstance(one, bool) != isinstance(other, bool):
        yield path, one, other


def told(told_lines, path, one):
    """The line in which evalgraph said that a part would be lost or filled in, if it did."""
    words = [word for word in path.replace("_", " ").split("/") if word and not word.isdigit()]
    for part, subject in TOLD:
        if part in path:
            for line in told_lines:
                if subject in line:
                    return line
    for line in told_lines:
        if any(f"`{word}`" in line for word in (path.rsplit("/", 1)[-1], words[-1] if words else "")):
            return line
    return None


# What a difference at a path is told by, where the words differ.
TOLD = [
    ("/rubric", "trait"), ("/dynamic", "trait"), ("question_rubric", "trait"), ("question ratings", "trait"),
    ("/scenarios", "scenario"), ("global_rubric", "trait"), ("/registry", "date"), ("/created", "dateCreated"),
    ("/modified", "dateModified"), ("last_modified", "dateModified"), ("date_created", "dateCreated"), ("/properties", "property"),
]

# Differences that are none: form, part of the path, reason.
UNSEEN = [
    ("karenina", "/properties", "the property with the version of the format is the form's own"),
    ("karenina", "_score", "the range stands in the rating; the library reads it from properties, which are filled in"),
    ("karenina", "additionalProperty", "the same, as ratings have it"),
    ("karenina", "deep_judgment_", "the interface has them as keys, where the library does not read them"),
    ("karenina", "/question/date_", "the library fills in the time of loading"),
    ("karenina-v2", "custom_properties", "the interface does not read the properties of a checkpoint"),
]


def files(options):
    folders = ["fixtures/karenina", "fixtures/across", "fixtures/revisions", "fixtures/hostile", "tests/judges/seeds"]
    paths = [path for folder in folders for path in sorted((ROOT / folder).glob("*.json*"))]
    paths += [path for folder in options.more for path in sorted(Path(folder).rglob("*.json*"))]
    programs = {which: Program(which) for which in (LIBRARY, GUI)}
    counts = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for form, (which, arguments) in FORMS.items():
                out = Path(folder) / f"out{'.json' if 'v2' in form else '.jsonld'}"
                out.unlink(missing_ok=True)
                done = evalgraph("convert", path, *arguments, "--report-loss", "-o", out)
                lines = [line for line in done.stderr.splitlines() if "convert::" in line or "error[" in line or "warning[" in line]
                counts[f"{form}: {judged(programs[which], form, path, out, done, lines)}"] += 1
    for program in programs.values():
        program.close()
    for text, count in sorted(counts.items()):
        print(f"{count:6} {text}")
    return 1 if any("silent" in text or "not loaded" in text for text in counts) else 0


def judged(program, form, path, out, done, lines):
    """What became of one file in one form."""
    if done.returncode != 0:
        if "panicked" in done.stderr or not lines:
            print(f"not loaded: {path} --to {form}\n    {done.stderr[:400]}")
            return "not loaded"
        return "refused by evalgraph, and told"
    written = program.load(out)
    if "error" in written:
        print(f"not loaded: {path} --to {form}\n    {written['error'][:500]}")
        for line in lines:
            print(f"    {line[:200]}")
        return "not loaded"
    original = program.load(path)
    # Version 2.0 is what the interface has in memory; its checkpoints in JSON-LD hold less.
    # The interface of today takes older shapes of it, and leaves out their traits.
    if "error" in original or form.endswith((" a", " b")) or json.loads(path.read_text()).get("version") == "2.0":
        return "loaded"
    silent = []
    for place, one, other in differences_of(original["content"], written["content"]):
        # What the program did not read of the original is no loss.
        is_unseen = one in (None, [], {}) or any(form == of and part in place for of, part, _ in UNSEEN)
        if not is_unseen and not told(lines, place, one):
            silent.append(f"    {place}: {json.dumps(one)[:150]} -> {json.dumps(other)[:150]}")
    if silent:
        print(f"silent: {path} --to {form}", *silent[:12], sep="\n")
        return "silent"
    return "loaded, equal or told"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("verdicts")
    command.add_argument("--program", choices=[LIBRARY, GUI], default=LIBRARY)
    command.add_argument("--count", type=int, default=5000)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--table")
    command.set_defaults(run=verdicts)
    command = commands.add_parser("files")
    command.add_argument("--more", nargs="*", default=[])
    command.set_defaults(run=files)
    options = parser.parse_args()
    sys.exit(options.run(options))


if __name__ == "__main__":
    main()
