"""Loads checkpoints with Karenina's Python library, in whose interpreter it runs: a line in, the name of a file; a
line out, JSON with the error or with all that the library has read.
"""

import json
import logging
import sys
import warnings
from pathlib import Path

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

from karenina.benchmark.benchmark import Benchmark  # noqa: E402


def plain(value):
    """A value of the library as JSON."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", warnings=False)
    if isinstance(value, dict):
        return {str(key): plain(child) for key, child in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(child) for child in value]
    return value


def content(benchmark):
    """All that can be asked of a benchmark, and each rubric as verification takes it."""
    base = benchmark._base
    checkpoint = base._checkpoint
    for question in base._questions_cache:
        benchmark.get_question_rubric(question)
    return {
        "name": benchmark.name,
        "description": checkpoint.description,
        "version": checkpoint.version,
        "creator": plain(checkpoint.creator),
        "id": checkpoint.id,
        "created": checkpoint.dateCreated,
        "modified": checkpoint.dateModified,
        "properties": [plain(entry) for entry in checkpoint.additionalProperty or []],
        "rubric": plain(benchmark.get_global_rubric()),
        "dynamic": plain(benchmark.get_global_dynamic_rubric()),
        "questions": {key: plain(value) for key, value in base._questions_cache.items()},
        "registry": {key: plain(value) for key, value in base._question_registry.items()},
        "scenarios": {key: plain(value) for key, value in benchmark._scenarios.items()},
        "question ratings": [[plain(rating) for rating in item.item.rating or []] for item in checkpoint.dataFeedElement],
    }


for line in sys.stdin:
    answer = {}
    try:
        answer["content"] = content(Benchmark.load(Path(line.rstrip("\n"))))
    except BaseException as error:  # the library lets some of Python's own through
        answer["error"] = f"{type(error).__name__}: {error}"[:600]
    print(json.dumps(answer, default=str), flush=True)
