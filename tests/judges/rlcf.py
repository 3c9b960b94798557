#!/usr/bin/env python3
"""Holds exports and figures of evalgraph against those of RLCF's own API.

Run by hand, see README.md. The program runs unchanged from a checkout but for two things without which it
answers nothing: methods of task handlers that are abstract get empty bodies, and the users are loaded into
each session before a request.
"""

import argparse
import asyncio
import datetime
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile

INTERPRETER = "EVALGRAPH_JUDGE_RLCF"
CHECKOUT = "EVALGRAPH_JUDGE_RLCF_CHECKOUT"
ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures/rlcf"
# The files of each input, and the records that they have by the name of their list.
INPUTS = {
    "worked": ["worked/export.json"],
    "files": ["users.json", "credentials.json", "tasks.jsonl", "responses.json", "feedback.jsonl", "ratings.json"],
}
# What the program adds up in the order of a set differs from run to run by as much.
TOLERANCE = 1e-9
# Lists that the program makes of sets; of several suggestions it gives any three.
UNORDERED = {"consensus_areas", "contention_points", "reasoning_patterns", "supporters", "uncertainty_sources"}
ANY = {"suggested_research"}


def records_of(files):
    """The records by the names of their lists, without those that stand in another's list a second time."""
    records = {key: [] for key in ["users", "credentials", "tasks", "responses", "feedback", "ratings"]}
    for name in files:
        text = (FIXTURES / name).read_text(encoding="utf-8")
        key = pathlib.Path(name).stem
        if name.endswith(".jsonl"):
            records[key] += [json.loads(line) for line in text.splitlines() if line.strip()]
        elif key == "export":
            for key, value in json.loads(text).items():
                if key in records:
                    records[key] += value
        else:
            records[key] += json.loads(text)
    for user in records["users"]:
        records["credentials"] += user.get("credentials", [])
    for task in records["tasks"]:
        records["responses"] += task.get("responses", [])
    for response in records["responses"]:
        records["feedback"] += response.get("feedback", [])
    for key, found in records.items():
        records[key] = list({record["id"]: record for record in found}.values())
    return records


class Program:
    """The API over a database with the records."""

    def __init__(self, records):
        from fastapi.testclient import TestClient
        from rlcf_framework import database, dependencies, main, models
        from sqlalchemy import select
        from sqlalchemy.orm import selectinload
        import rlcf_framework.task_handlers as handlers
        for value in vars(handlers).values():
            if isinstance(value, type):
                value.__abstractmethods__ = frozenset()
        logging.disable(logging.CRITICAL)
        classes = {"users": models.User, "credentials": models.Credential, "tasks": models.LegalTask,
                   "responses": models.Response, "feedback": models.Feedback, "ratings": models.FeedbackRating}

        def row(model, record):
            columns = {column.key: column for column in model.__table__.columns}
            row = {key: value for key, value in record.items() if key in columns}
            for key, value in row.items():
                if str(columns[key].type) == "DATETIME" and value:
                    row[key] = datetime.datetime.fromisoformat(value)
            return model(**row)

        async def fill():
            async with database.engine.begin() as connection:
                await connection.run_sync(models.Base.metadata.drop_all)
                await connection.run_sync(models.Base.metadata.create_all)
            async with database.SessionLocal() as session:
                session.add_all(row(classes[key], record) for key, found in records.items() for record in found)
                await session.commit()
            await database.engine.dispose()

        async def session_with_users():
            async with database.SessionLocal() as session:
                users = select(models.User).options(selectinload(models.User.credentials))
                # Held, so that the session keeps them.
                session.info["users"] = (await session.execute(users)).scalars().all()
                yield session

        asyncio.run(fill())
        main.app.dependency_overrides[dependencies.get_db] = session_with_users
        self.client = TestClient(main.app, raise_server_exceptions=False)
        self.key = main.API_KEY
        self.task_types = [task_type.value for task_type in models.TaskType]

    def export(self, task_type, form):
        request = {"task_type": task_type, "export_format": form}
        answer = self.client.post("/export/dataset", json=request, headers={"X-API-KEY": self.key})
        return answer.text if answer.status_code == 200 else None

    def result(self, task):
        answer = self.client.get(f"/tasks/{task}/result/")
        return answer.json() if answer.status_code == 200 else None


class Evalgraph:
    def __init__(self, program, files):
        self.program, self.files = program, [str(FIXTURES / name) for name in files]

    def run(self, command, *arguments):
        return subprocess.run([self.program, command, *self.files, *arguments], capture_output=True, text=True)

    def export(self, task_type, form):
        done = self.run("convert", "--to", form, "--profile", "shipped", "--task-type", task_type)
        return done.stdout.rstrip("\n") or None

    def results(self):
        done = self.run("figures", "--profile", "shipped", "--position", "feedback", "--format", "json")
        if done.returncode != 0:
            sys.exit(done.stderr)
        return {task["id"]: task["aggregation"] for task in json.loads(done.stdout)["shipped"]["tasks"]}


def differences(theirs, ours, place=""):
    """The places where two values are not the same."""
    name = place.rsplit("/", 1)[-1]
    if name in ANY:
        return []
    if name in UNORDERED and isinstance(theirs, list) and isinstance(ours, list):
        order = lambda item: item["aspect"] if isinstance(item, dict) and "aspect" in item else str(item)
        theirs, ours = sorted(theirs, key=order), sorted(ours, key=order)
    if isinstance(theirs, dict) and isinstance(ours, dict):
        keys = sorted(theirs.keys() | ours.keys())
        missing = object()
        pairs = [(key, theirs.get(key, missing), ours.get(key, missing)) for key in keys]
        return [found for key, left, right in pairs for found in differences(left, right, f"{place}/{key}")]
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        return [found for at, (left, right) in enumerate(zip(theirs, ours))
                for found in differences(left, right, f"{place}/{at}")]
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (theirs, ours))
    if theirs == ours or numbers and abs(theirs - ours) <= TOLERANCE:
        return []
    return [f"{place}: program {theirs!r}, evalgraph {ours!r}"]


def judge(name, files, evalgraph):
    records = records_of(files)
    program, evalgraph = Program(records), Evalgraph(evalgraph, files)
    different, exports = [], 0
    with program.client:
        for task_type in program.task_types:
            for form in ["sft", "preference"]:
                theirs, ours = program.export(task_type, form), evalgraph.export(task_type, form)
                exports += theirs is not None
                if theirs != ours:
                    different.append(f"{form} of {task_type}: program {theirs!r:.300}, evalgraph {ours!r:.300}")
        results, compared = evalgraph.results(), 0
        for task in records["tasks"]:
            theirs = program.result(task["id"])
            ours = results.get(task["id"])
            if theirs is None and (not ours or "error" in ours):
                continue
            compared += 1
            found = differences(theirs, ours)
            different += [f"result of task {task['id']} ({task['task_type']}) {line:.300}" for line in found]
    print(f"{name}: {exports} exports, {compared} results of tasks; differ: {len(different)}")
    for line in different:
        print(f"  {line}")
    return not different


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--evalgraph", default=str(ROOT / "target/debug/evalgraph"))
    options = arguments.parse_args()
    interpreter = os.environ.get(INTERPRETER)
    if interpreter and os.path.abspath(interpreter) != os.path.abspath(sys.executable):
        script = [os.path.abspath(sys.argv[0]), "--evalgraph", os.path.abspath(options.evalgraph)]
        os.execv(interpreter, [interpreter, *script])
    folder = os.environ.get(CHECKOUT)
    if not folder or not (pathlib.Path(folder) / "rlcf_framework/main.py").is_file():
        sys.exit(f"set {CHECKOUT} to a checkout of the program (README.md says which)")
    sys.path.insert(0, os.path.abspath(folder))
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as temporary:
        # The program's database and log lie where it is started.
        os.chdir(temporary)
        good = [judge(name, files, options.evalgraph) for name, files in INPUTS.items()]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
