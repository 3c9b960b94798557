"""mlcroissant as a process: a document a line, its faults a line, both JSON (see README.md)."""

import json
import sys

import mlcroissant
from absl import logging


def answer(question):
    try:
        dataset = mlcroissant.Dataset(jsonld=question["document"])
    except mlcroissant.ValidationError as error:
        return {"refuses": str(error)}
    issues = dataset.metadata.issues
    return {"refuses": None, "warnings": sorted(issues.warnings)}


def main():
    logging.set_verbosity(logging.FATAL)
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:
            # A document that ends the program is refused, too.
            reply = {"refuses": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


main()
