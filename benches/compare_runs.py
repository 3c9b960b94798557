"""Prints the CPU of comparing two runs beside that of parsing their files with Python's `json`, which does nothing with them.

    python benches/compare_runs.py [SAMPLES] [PROGRAM]

Two runs in the form of Every Eval Ever are generated, with SAMPLES samples each (1,000,000 unless given) in ten tasks, and with
questions and answers of the usual length. PROGRAM is `evalgraph`, from the path. Each measurement is a process of its own; the
least CPU of three runs counts.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

WORDS = "harbour tide boat engine rope mast keel buoy chart wind north lantern".split()


def write_run(path: Path, model: str, samples: int, seed: int) -> None:
    """Writes the samples of a run, each of about 900 bytes."""
    chance = random.Random(seed)
    with path.open("w", encoding="utf-8") as lines:
        for number in range(samples):
            words = random.Random(number)
            question = f"Question {number}: " + " ".join(words.choices(WORDS, k=40)) + "?"
            answer = " ".join(words.choices(WORDS, k=25))
            is_right = chance.random() < 0.7
            task = f"harbour.task{number % 10}"
            record = {
                "schema_version": "0.3.0",
                "evaluation_id": f"harbour/{model}/1764000000",
                "model_id": f"example/{model}",
                "evaluation_name": task,
                "evaluation_result_id": f"{task}.accuracy",
                "sample_id": str(number),
                "interaction_type": "single_turn",
                "input": {"raw": question, "reference": [answer[:20]]},
                "output": {"raw": [answer]},
                "answer_attribution": [
                    {
                        "turn_idx": 0,
                        "source": "output.raw",
                        "extracted_value": answer[:20],
                        "extraction_method": "match",
                        "is_terminal": True,
                    }
                ],
                "evaluation": {"score": float(is_right), "is_correct": is_right},
                "token_usage": {"input_tokens": 60, "output_tokens": 30, "total_tokens": 90},
            }
            lines.write(json.dumps(record) + "\n")


def cpu_of(command: list[str], folder: Path) -> float:
    """Returns the CPU seconds of a command, the least of three runs."""
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(seconds)


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    program = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else "evalgraph"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_run(folder / "first.jsonl", "otter", samples, 1)
        write_run(folder / "second.jsonl", "heron", samples, 2)
        size = sum(path.stat().st_size for path in folder.iterdir())
        parse = "import json\nfor name in ('first.jsonl', 'second.jsonl'):\n    rows = [json.loads(line) for line in open(name)]"
        parsed = cpu_of([sys.executable, "-c", parse], folder)
        compared = cpu_of([program, "compare", "first.jsonl", "second.jsonl"], folder)
    print(f"two runs of {samples:,} samples, {size / 1e6:,.0f} MB")
    print(f"  json.loads of each line   {parsed:8.2f} s CPU")
    print(f"  evalgraph compare         {compared:8.2f} s CPU   {compared / parsed:.2f} of json")


if __name__ == "__main__":
    main()
