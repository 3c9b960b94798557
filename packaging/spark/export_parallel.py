#!/usr/bin/env python3
"""Exports files as Parquet with the workers of Spark: each writes some of the parts, and the driver joins them.

    spark-submit export_parallel.py /shared/lake /shared/checkpoints/ --parts 100
    spark-submit export_parallel.py /shared/lake --list paths.txt --parts 100 -- --tables

All machines have the program, and see FOLDER and the files at the same paths: on NFS, on a shared disk, or on a mounted
bucket. If a part fails, the job ends with the program's message and status 1; what is finished stays. The same command
then writes only the parts that are missing. Options after `--` are given to every part, such as `--tables`.
"""

import argparse
import functools
import os
import subprocess
import sys

from pyspark.sql import SparkSession


def arguments():
    own, extra = sys.argv[1:], []
    if "--" in own:
        own, extra = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(description="Exports files as Parquet with the workers of Spark.")
    parser.add_argument("folder", metavar="FOLDER", help="folder of the export, which all machines share")
    parser.add_argument("inputs", metavar="INPUT", nargs="*", help="files, folders and globs, at one path everywhere")
    parser.add_argument("--list", metavar="FILE", help="file with more inputs, one on each line")
    parser.add_argument("--parts", type=int, required=True, help="number of parts, two or three for each core")
    parser.add_argument("--program", default="evalgraph", help="the program (default: evalgraph)")
    given = parser.parse_args(own)
    if given.list:
        with open(given.list, encoding="utf-8") as file:
            given.inputs += [line for line in file.read().splitlines() if line.strip()]
    if given.parts < 1 or not given.inputs or "://" in given.folder:
        parser.error("needed are one part or more, one INPUT or more, and a FOLDER that is a path, not a URL")
    # A relative path would be another one for the workers.
    given.inputs = [path if "://" in path else os.path.abspath(path) for path in given.inputs]
    given.folder = os.path.abspath(given.folder)
    return given, extra


def run(command):
    """Runs the program: nothing, or what it says about its failure."""
    try:
        ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    return None if ended.returncode == 0 else ended.stderr.strip() or f"it has ended with status {ended.returncode}"


def write(parts, count, before, after):
    """Writes the parts that a task got. A failure is not raised: Spark would write the part three times more."""
    for part in parts:
        yield part, run([*before, f"--part={part}/{count}", *after])


def main():
    given, extra = arguments()
    before = [given.program, "export", "parquet", "--quiet"]
    after = [*extra, "--", given.folder, *given.inputs]
    # Two tasks that write one part at the same time would only disturb each other.
    builder = SparkSession.builder.appName("evalgraph export").config("spark.speculation", "false")
    context = builder.getOrCreate().sparkContext
    numbers = context.parallelize(range(1, given.parts + 1), given.parts)
    task = functools.partial(write, count=given.parts, before=before, after=after)
    failures = {}
    for part, message in numbers.mapPartitions(task).collect():
        if message:
            failures.setdefault(message, []).append(part)
    for message, failed in failures.items():
        print(f"part {', '.join(map(str, failed))} of {given.parts}: {message}", file=sys.stderr)
    if failures:
        sys.exit("error: not all parts are written; the same command writes those that are missing")
    message = run([*before, *{"--replace"}.intersection(extra), "--join", "--", given.folder])
    sys.exit(f"error: the parts cannot be joined: {message}" if message else 0)


if __name__ == "__main__":
    main()
