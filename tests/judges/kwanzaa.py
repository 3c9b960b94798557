#!/usr/bin/env python3
"""Holds the verdicts and conversations of evalgraph against Kwanzaa's own program.

Run by hand, see README.md. Nothing of the program stands here: its models, schemas, samples, prompts and
its converter are taken from a checkout while this runs.
"""

import argparse
import collections
import contextlib
import copy
import importlib.util
import io
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import warnings

INTERPRETER = "EVALGRAPH_JUDGE_KWANZAA"
CHECKOUT = "EVALGRAPH_JUDGE_KWANZAA_CHECKOUT"
ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests/judges/kwanzaa-verdicts.tsv"
BATCH = 250

# Keys that a sample may have and most have not, by the path of their object; they are put in to be wrong.
OPTIONAL = {
    (): ["description", "statistics", "updated_at"],
    ("statistics",): ["total_samples", "by_category", "by_persona", "by_difficulty"],
    ("samples", "*"): ["retrieved_context"],
    ("samples", "*", "metadata"): ["reviewer", "notes", "edge_case", "failure_mode"],
    ("samples", "*", "retrieved_context", "*", "metadata"): ["tags"],
    ("samples", "*", "expected_output"): ["persona", "model_mode", "toggles", "integrity", "provenance"],
    ("samples", "*", "expected_output", "answer"): ["confidence", "tone", "completeness"],
    ("samples", "*", "expected_output", "sources", "*"): ["tags", "relevance_score"],
    ("samples", "*", "expected_output", "unknowns"): ["out_of_scope"],
    ("samples", "*", "expected_output", "retrieval_summary"): [
        "filters", "execution_time_ms", "embedding_model"],
    ("samples", "*", "expected_output", "retrieval_summary", "filters"): [
        "content_type", "year", "year_gte", "year_lte", "source_org", "tags"],
    ("samples", "*", "expected_output", "retrieval_summary", "results", "*"): ["snippet"],
    ("samples", "*", "expected_output", "integrity"): [
        "citation_required", "citations_provided", "retrieval_confidence", "fallback_behavior",
        "safety_flags"],
    ("samples", "*", "expected_output", "provenance"): [
        "retrieval_run_id", "assistant_message_id", "session_id", "model_version", "adapter_version"],
}
# Words of other fields and words of none.
WORDS = ["citation", "refusal", "grounded_answer", "educator", "builder", "high", "none", "complete",
         "insufficient_data", "easy", "Imani", "neutral", "scholarly", "Citation", "creative", "base_only"]
ODD = [None, True, False, 0, 1, -1, 2, 0.0, 0.5, 1.0, 1.5, 7, 1599, 1600, 2100, 2101, 101, 100000, "", " ",
       "x", "0", "1", "0.5", "1.0", " 7 ", "1e3", "1_0", "true", "Yes", "off", "no", "nan", "[1]", "1.0.0",
       "kwanzaa.answer.v1", "kwanzaa.answer.v", "2026-01-31", "2026-01-31T09:00:00Z", "2026-01-31T09:00:00",
       "2026-01-31 09:00:00+01:00", "2026-02-30T09:00:00Z", "1700000000", "https://example.org/a",
       "no address", "12345678-1234-1234-1234-123456789abc", "é" * 8, "é" * 101, "é" * 201, "é" * 501,
       "é" * 1001, "é" * 2001, "é" * 10001, [], [None], [1], ["a"], [{}], ["a", 2], {}, {"a": 1},
       {"text": "a"}, {"query": "a"}]


def checkout():
    folder = os.environ.get(CHECKOUT)
    if not folder or not (pathlib.Path(folder) / "data/training/models.py").is_file():
        sys.exit(f"set {CHECKOUT} to a checkout of the program (README.md says which)")
    return pathlib.Path(folder)


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Program:
    """The verdicts of the program: none where it takes a value, else the reason."""

    def __init__(self, folder):
        import jsonschema
        import pydantic
        pinned = re.search(r"^pydantic==(\S+)", (folder / "backend/requirements.txt").read_text(), re.M)[1]
        if pydantic.VERSION != pinned:
            # Versions differ in how numbers and dates may be spelled.
            sys.exit(f"the interpreter has pydantic {pydantic.VERSION}, and the program names {pinned}")
        self.refused = pydantic.ValidationError
        self.models = load(folder / "data/training/models.py", "kwanzaa_models")
        self.answers = load(folder / "backend/app/models/answer_json.py", "kwanzaa_answer_json")
        def validator(path):
            schema = json.loads((folder / path).read_text(encoding="utf-8"))
            # Formats count: a contract that says `uri` means it. Pydantic checks dates and ids itself.
            return jsonschema.Draft7Validator(schema, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER)
        self.schema = validator("data/training/dataset-schema.json")
        self.contract_schema = validator("backend/app/schemas/answer_json.schema.json")
        for form in ("date-time", "uri"):
            if form not in self.schema.format_checker.checkers:
                sys.exit(f"the interpreter does not check the format {form}: install rfc3339-validator, rfc3987")

    def code(self, dataset):
        return self._model(self.models.TrainingDataset, dataset)

    def seed(self, dataset):
        return self._schema(self.schema, dataset)

    def contract(self, dataset):
        samples = dataset.get("samples") if isinstance(dataset, dict) else None
        if not isinstance(samples, list) or not samples:
            return "no samples"
        for sample in samples:
            answer = sample.get("expected_output") if isinstance(sample, dict) else None
            if not isinstance(answer, dict):
                return "no answer"
            reason = self.answer(answer)
            if reason:
                return reason
        return None

    def answer(self, answer):
        return self._schema(self.contract_schema, answer) or self._model(self.answers.AnswerJsonContract, answer)

    def code_answer(self, answer):
        return self._model(self.models.AnswerJsonContract, answer)

    def _model(self, model, value):
        try:
            model.model_validate(value)
        except self.refused as error:
            first = error.errors()[0]
            return f"{first['loc']} {first['msg']}"
        return None

    def _schema(self, validator, value):
        error = next(validator.iter_errors(value), None)
        return error and f"{list(error.absolute_path)} {error.message[:120]}"


# The rules that are neither of the schema nor of the models, by profile: what documents and the
# validator of answers add stands in rules of its own.
BEYOND = {
    "code": set(),
    "seed": {f"W-{number}" for number in range(1, 28)},
    "contract": {"W-1", "W-2", "W-12", "W-18", "W-19"},
}


class Evalgraph:
    def __init__(self, program):
        self.program = program

    def run(self, *arguments, cwd=None):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, cwd=cwd)

    def counts(self, profile, result):
        # Ids are to be unique in all files, and these are looked at together only to save time.
        is_of_another = result["rule"] == "W-1" and re.search(r"is the id of \S+ of ", result["message"])
        return result["severity"] == "violation" and result["rule"] not in BEYOND[profile] and not is_of_another

    def verdicts(self, profile, files):
        """For each file the violations that count, or the error where it was not checked."""
        done = self.run("validate", *map(str, files), "--from", "kwanzaa", "--profile", profile, "--format", "json")
        if done.returncode == 2:
            if len(files) == 1:
                return {files[0]: [done.stderr.strip().splitlines()[0]]}
            half = len(files) // 2
            return self.verdicts(profile, files[:half]) | self.verdicts(profile, files[half:])
        found = {}
        by_name = {str(file): file for file in files}
        for report in json.loads(done.stdout):
            if report["file"] in by_name:
                counting = [result for result in report["results"] if self.counts(profile, result)]
                found[by_name[report["file"]]] = [f"{r['rule']} {r['message']}" for r in counting]
        return found


def paths(value, at=()):
    yield at
    if isinstance(value, dict):
        for key, member in value.items():
            yield from paths(member, at + (key,))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from paths(item, at + (index,))


def general(path):
    return tuple("*" if isinstance(part, int) else part for part in path)


def get(value, path):
    for part in path:
        value = value[part]
    return value


class Mutator:
    def __init__(self, datasets, seed):
        self.random = random.Random(seed)
        self.samples = [(data, sample) for data in datasets for sample in data["samples"]]
        self.made = 0

    def base(self):
        data, sample = self.samples[self.made % len(self.samples)]
        dataset = {key: value for key, value in data.items() if key != "samples"}
        dataset["samples"] = [sample]
        if self.random.random() < 0.1:
            dataset["samples"].append(self.random.choice(self.samples)[1])
        return copy.deepcopy(dataset)

    def next(self):
        """A dataset with one change, and a description of the change."""
        dataset = self.base()
        self.made += 1
        for number, sample in enumerate(dataset["samples"]):
            # All files are looked at in one go, and ids are to be unique in all of them.
            sample["sample_id"] += f"_{self.made}" + ("" if number == 0 else "_b")
        what = self.change(dataset)
        return dataset, what

    def change(self, dataset):
        places = collections.defaultdict(list)
        for path in paths(dataset):
            if path:
                places[general(path)].append(path)
        there = {parent: list(places[parent]) if parent else [()] for parent in OPTIONAL}
        for parent, keys in OPTIONAL.items():
            for path in there[parent]:
                if isinstance(get(dataset, path), dict):
                    for key in keys:
                        places[parent + (key,)].append(path + (key,))
        # Each place of the form is as likely as another, however many there are of it.
        path = self.random.choice(places[self.random.choice([place for place in places if places[place]])])
        parent, key = get(dataset, path[:-1]), path[-1]
        is_there = isinstance(key, int) or key in parent
        operation = self.random.choice(["remove", "null", "odd", "odd", "word", "near", "near", "other", "key"])
        if operation == "remove" and is_there:
            del parent[key]
            return path, "removed"
        old = parent[key] if is_there else None
        new = self.value(operation, old, path)
        parent[key] = new
        shown = json.dumps(new, ensure_ascii=False)
        return path, f"{operation}: {shown if len(shown) < 80 else shown[:80] + '…'}"

    def value(self, operation, old, path):
        choose = self.random.choice
        if operation == "null":
            return None
        if operation == "word":
            return choose(WORDS)
        if operation == "near":
            return self.near(old)
        if operation == "other":
            # What stands at this place in another sample.
            _, other = choose(self.samples)
            try:
                return copy.deepcopy(get({"samples": [other]}, (path[0], 0, *path[2:])))
            except (KeyError, IndexError, TypeError):
                return choose(ODD)
        if operation == "key" and isinstance(old, dict):
            return {**old, choose(["extra", "text", "tags", "content"]): choose(ODD)}
        return copy.deepcopy(choose(ODD))

    def near(self, old):
        """A value that looks like the old one."""
        choose = self.random.choice
        if isinstance(old, bool):
            return choose([not old, int(old), float(old), str(old), str(old).lower(), "yes", "no", 2, "2"])
        if isinstance(old, (int, float)):
            return choose([-old, old + 1, old * 100, float(old), old + 0.5, str(old), f" {old} ", [old],
                           f"{old}.0", old / 2, 10 ** 12 * (old + 1)])
        if isinstance(old, str):
            # No line break at the end: Python's `$` takes it, ECMA 262's and pydantic's do not.
            return choose([old + "!", old.upper(), " " + old, old[:1], old * 3, "", [old], {"text": old},
                           old.replace("-", ""), old + "é", old[::-1], 5])
        if isinstance(old, list):
            return choose([[], old + old, old[:1], old[::-1], old + [None], old + [3], old + ["x"],
                           old * 60, {"0": old}, old + [{}], "x"])
        if isinstance(old, dict):
            return choose([{}, [old], list(old), {**old, "more": 1}, dict(list(old.items())[:1]), None])
        return choose(ODD)


def learnt():
    """The changes of the table that the tests hold, each with the changed file."""
    base = json.loads((ROOT / "fixtures/kwanzaa/each-category.json").read_text(encoding="utf-8"))
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        pointer, cell, *_ = line.split("\t")
        changed = copy.deepcopy(base)
        path = tuple(int(part) if part.isdigit() else part for part in pointer.split("/")[1:])
        parent = get(changed, path[:-1])
        if cell == "removed":
            del parent[path[-1]]
        else:
            letter, _, count = cell.partition(" × ")
            parent[path[-1]] = json.loads(letter) * int(count) if count else json.loads(cell)
        yield changed, (path, f"as it is in the table: {cell}")


def judge_verdicts(program, evalgraph, datasets, fixtures, options):
    mutator = Mutator(datasets, options.seed)
    tables = {profile: collections.Counter() for profile in BEYOND}
    differing = []
    with tempfile.TemporaryDirectory() as folder:
        cases = [(dataset, ((), "as it is")) for dataset in datasets + fixtures]
        cases += learnt()
        cases += [mutator.next() for _ in range(options.mutations)]
        for start in range(0, len(cases), BATCH):
            batch = {}
            for number, (dataset, what) in enumerate(cases[start:start + BATCH], start):
                file = pathlib.Path(folder) / f"{number}.json"
                file.write_text(json.dumps(dataset, ensure_ascii=False), encoding="utf-8")
                batch[file] = (dataset, what)
            # Ids of mutated files differ, so that all can be looked at together.
            untouched = [file for file in batch if batch[file][1][1].startswith("as it is")]
            for profile in BEYOND:
                found = {}
                for file in untouched:
                    found |= evalgraph.verdicts(profile, [file])
                others = [file for file in batch if file not in untouched]
                if others:
                    found |= evalgraph.verdicts(profile, others)
                for file, (dataset, what) in batch.items():
                    theirs, ours = getattr(program, profile)(dataset), found[file]
                    kind = ("refuses" if theirs else "takes", "refuses" if ours else "takes")
                    if bool(theirs) != bool(ours):
                        differing.append((profile, kind, what, theirs or "", ours))
                    tables[profile][kind] += 1
            for file in batch:
                file.unlink()
    for profile, table in tables.items():
        shown = ", ".join(f"{theirs} / {ours} {count}" for (theirs, ours), count in sorted(table.items()))
        print(f"{profile:9} program / evalgraph: {shown}")
    for profile, kind, (path, what), theirs, ours in differing[:options.shown]:
        place = "/" + "/".join(map(str, path))
        print(f"  {profile}: program {kind[0]}, evalgraph {kind[1]}: {place} {what}")
        print(f"    program: {theirs}\n    evalgraph: {ours[:2]}")
    print(f"verdicts that differ: {len(differing)}")
    return not differing


def judge_questions(folder, evalgraph, files):
    """Questions that are asked again, by the program's validator and by W-27."""
    program = load(folder / "backend/training/validate_training_data.py", "kwanzaa_validator")
    with contextlib.redirect_stdout(io.StringIO()):
        validator = program.TrainingDataValidator(
            folder / "data/training/dataset-schema.json", folder / "data/training")
        report = validator.validate_all()
    theirs = sum(issue.category == "duplication" and "user_query" in issue.message for issue in report.issues)
    done = evalgraph.run("validate", *map(str, files), "--profile", "seed", "--format", "json")
    results = [result for file in json.loads(done.stdout) for result in file["results"]]
    ours = sum(result["rule"] == "W-27" for result in results)
    print(f"questions asked again: program {theirs}, evalgraph {ours}")
    return theirs == ours


# Conditions that a line of a prompt may have.
TOGGLES = ["require_citations", "primary_sources_only", "creative_mode"]
SPELLED = {True: "yes", False: "no", None: "not set"}


def situations():
    for persona in ["educator", "researcher", "creator", "builder"]:
        for values in itertools.product([True, False, None], repeat=len(TOGGLES)):
            yield persona, dict(zip(TOGGLES, values))


def system_template(program):
    """The program's system prompt as a template, found out by asking for it in every situation."""
    asked = []
    for persona, toggles in situations():
        given = {key: value for key, value in toggles.items() if value is not None}
        asked.append((persona, toggles, program.create_system_prompt(persona, given).split("\n")))
    lines = []
    for _, _, text in asked:
        at = 0
        for line in text:
            # No line stands in a prompt twice.
            if line in lines:
                at = lines.index(line) + 1
            else:
                lines.insert(at, line)
                at += 1
    conditions = [("", lambda persona, toggles: True)]
    for persona in ["educator", "researcher", "creator", "builder"]:
        conditions.append((f"{{?persona={persona}}}", lambda own, _, persona=persona: own == persona))
    for toggle, value in itertools.product(TOGGLES, ["yes", "no"]):
        conditions.append((f"{{?{toggle}={value}}}", lambda _, toggles, t=toggle, v=value: SPELLED[toggles[t]] == v))
        conditions.append((f"{{?{toggle}!={value}}}", lambda _, toggles, t=toggle, v=value: SPELLED[toggles[t]] != v))
    def condition(line):
        def holds(test):
            return all(test(persona, toggles) == (line in text) for persona, toggles, text in asked)
        return next(name for name, test in conditions if holds(test))
    return "\n".join(condition(line) + line for line in lines)


def user_template(program):
    """The program's user prompt as a template, with documents and without."""
    metadata = {"citation_label": "L", "source_org": "O", "year": 2000, "canonical_url": "U"}
    result = {"rank": 1, "score": 0.5, "content": "C", "metadata": metadata}
    block = "[1] L\nRelevance Score: 0.50\nSource: O (2000)\nContent: C\nURL: U"
    found = program.create_user_prompt("{query}", [result]).replace(block, "{documents}")
    lines = ["{?documents!=}" + line for line in found.split("\n")]
    lines += ["{?documents=}" + line for line in program.create_user_prompt("{query}", []).split("\n")]
    return "\n".join(lines)


def judge_conversations(folder, evalgraph, files):
    """Conversations of all samples, by the program's converter and by evalgraph with the program's prompts."""
    program = load(folder / "scripts/convert_to_jsonl.py", "kwanzaa_convert_to_jsonl")
    equal = count = 0
    with tempfile.TemporaryDirectory() as temporary:
        system, user = pathlib.Path(temporary) / "system.txt", pathlib.Path(temporary) / "user.txt"
        system.write_text(system_template(program), encoding="utf-8")
        user.write_text(user_template(program), encoding="utf-8")
        for file in files:
            done = evalgraph.run("convert", str(file), "--to", "hf-chat", "--system-prompt", str(system),
                                 "--user-prompt", str(user))
            samples = json.loads(file.read_text(encoding="utf-8"))["samples"]
            theirs = [json.dumps(program.convert_sample_to_messages(sample), ensure_ascii=False)
                      for sample in samples]
            ours = done.stdout.splitlines() if done.returncode == 0 else []
            count += len(theirs)
            for their, our in itertools.zip_longest(theirs, ours):
                equal += their == our
                if their != our and equal == count - 1:
                    print(f"  program:   {their[:300]}\n  evalgraph: {(our or done.stderr)[:300]}")
    print(f"conversations equal as text: {equal} of {count}")
    return equal == count


def judge_restored(folder, evalgraph, datasets):
    """The program's conversations as samples: the questions are those of the samples they were made of."""
    asked = collections.defaultdict(set)
    for sample in (sample for data in datasets for sample in data["samples"]):
        asked[json.dumps(sample["expected_output"], sort_keys=True)].add(sample["user_query"])
    right = count = 0
    for name in ["kwanzaa_train.jsonl", "kwanzaa_eval.jsonl"]:
        file = folder / "data/training" / name
        done = evalgraph.run("convert", str(file), "--to", "kwanzaa")
        for sample in json.loads(done.stdout)["samples"]:
            count += 1
            answer = json.dumps(sample["expected_output"], sort_keys=True)
            if sample["user_query"] in asked[answer]:
                right += 1
            elif right == count - 1:
                print(f"  {sample['user_query']!r} is none of {asked[answer]}")
    print(f"conversations read with their own question: {right} of {count}")
    return right == count


JOINED = """
PREFIX s: <https://schema.org/> PREFIX eg: <urn:evalgraph:vocab:>
SELECT (COUNT(DISTINCT ?chat) AS ?chats) (COUNT(DISTINCT ?joined) AS ?joins) {
  ?conversation s:about ?chat . ?chat a s:Question ; s:text ?text .
  OPTIONAL {
    GRAPH <urn:evalgraph:graph:catalog> { ?chat eg:textKey ?key . ?sample eg:textKey ?key }
    ?sample s:teaches ?category . BIND (?chat AS ?joined)
  }
}
"""


def judge_joins(folder, evalgraph, files):
    """The program's conversations beside its samples: their questions have the keys of the samples'."""
    chats = [folder / "data/training" / name for name in ["kwanzaa_train.jsonl", "kwanzaa_eval.jsonl"]]
    done = evalgraph.run("query", *map(str, chats + files), "-q", JOINED, "--format", "csv")
    lines = done.stdout.split()
    count = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in chats)
    print(f"conversations whose question joins with a sample: {lines[-1] if lines else done.stderr} of {count}")
    return lines[1:] == [f"{count},{count}"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--mutations", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--shown", type=int, default=20)
    arguments.add_argument("--evalgraph", default=str(ROOT / "target/debug/evalgraph"))
    options = arguments.parse_args()
    interpreter = os.environ.get(INTERPRETER)
    if interpreter and os.path.abspath(interpreter) != os.path.abspath(sys.executable):
        os.execv(interpreter, [interpreter, *sys.argv])
    folder = checkout()
    warnings.simplefilter("ignore")  # of names in the program's models
    program, evalgraph = Program(folder), Evalgraph(options.evalgraph)
    read = lambda path: json.loads(path.read_text(encoding="utf-8"))
    files = sorted((folder / "data/training/examples").glob("*.json"))
    datasets = [read(path) for path in files]
    fixtures = [read(path) for path in sorted((ROOT / "fixtures/kwanzaa").rglob("*.json"))]
    print(f"{sum(len(data['samples']) for data in datasets)} samples in {len(datasets)} files, "
          f"{len(fixtures)} fixtures, {options.mutations} mutations, seed {options.seed}")
    good = [
        judge_verdicts(program, evalgraph, datasets, fixtures, options),
        judge_questions(folder, evalgraph, files),
        judge_conversations(folder, evalgraph, files),
        judge_restored(folder, evalgraph, datasets),
        judge_joins(folder, evalgraph, files),
    ]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
