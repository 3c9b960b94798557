#!/usr/bin/env python3
"""Runs the RAG evaluator over the datasets that evalgraph makes of all fixtures.

Run by hand, see README.md. The evaluator runs unchanged from a checkout; in the place of its servers stands
one that takes files and answers questions, in the place of the packages that ask a model stand stubs.
"""

import argparse
import contextlib
import http.server
import importlib.util
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import types
import urllib.parse

INTERPRETER = "EVALGRAPH_JUDGE_EVALUATOR"
CHECKOUT = "EVALGRAPH_JUDGE_EVALUATOR_CHECKOUT"
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["train", "kwanzaa", "karenina", "rlcf"]
# Files that break rules on purpose.
BAD = "/bad/"
# What is said where a row names a document of which nobody has the text.
WITHOUT_TEXT = re.compile(r"a document without a text in the corpus of `[^`]*`(?: \((\d+) times\))?")


class Server(http.server.BaseHTTPRequestHandler):
    """Takes files by collection; an answer cites the documents that the question's row names."""

    uploaded = {}
    asked = {}
    rows = {}

    def log_message(self, *_):
        pass

    def reply(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
        if "/documents" in self.path:
            names = self.uploaded.get(query["collection_name"][0], [])
            self.reply({"documents": [{"document_name": name} for name in names]})
        else:
            self.reply({"collections": []})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.endswith("/documents"):
            collection = json.loads(re.search(rb'\{"collection_name".*?\}', body)[0])["collection_name"]
            names = re.findall(rb'name="documents"; filename="([^"\r\n]*)"', body)
            names += [urllib.parse.unquote_to_bytes(name)
                      for name in re.findall(rb"name=\"documents\"; filename\*=utf-8''(\S+)", body)]
            self.uploaded.setdefault(collection, []).extend(name.decode() for name in names)
            self.reply({"message": "taken"})
        elif self.path.endswith("/generate"):
            request = json.loads(body)
            collection, question = request["collection_names"][0], request["messages"][0]["content"]
            self.asked.setdefault(collection, []).append(question)
            row = next((row for row in self.rows[collection] if row.get("question") == question), {})
            results = [{"document_name": context["filename"],
                        "metadata": {"page_number": -1, "description": context.get("text") or "text"}}
                       for context in row.get("contexts", [])]
            usage = {"total_tokens": 2, "prompt_tokens": 1, "completion_tokens": 1}
            self.reply({"choices": [{"message": {"content": "an answer"}}], "citations": {"results": results},
                        "usage": usage})
        else:
            self.reply({"message": "made"})


def stub_packages():
    """What asks a model. Samples keep the types of the package that they stand for."""
    import pandas
    import pydantic

    class SingleTurnSample(pydantic.BaseModel):
        user_input: str | None
        reference: str | None
        response: str | None
        reference_contexts: list[str]
        retrieved_contexts: list[str]

    def evaluate(dataset, metrics, llm):
        frame = pandas.DataFrame({metric: [1.0] * len(dataset) for metric in metrics})
        return types.SimpleNamespace(to_pandas=lambda: frame)

    def module(name, **members):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)

    module("ragas", EvaluationDataset=list, SingleTurnSample=SingleTurnSample, evaluate=evaluate)
    module("ragas.metrics", AnswerAccuracy=lambda: "nv_accuracy", ContextRelevance=lambda: "nv_context_relevance",
           ResponseGroundedness=lambda: "nv_response_groundedness")
    module("ragas.llms", LangchainLLMWrapper=lambda llm: llm)
    module("langchain_nvidia_ai_endpoints", ChatNVIDIA=lambda model: model)
    module("PyPDF2", PdfReader=None)
    module("pyfiglet", Figlet=lambda font: types.SimpleNamespace(renderText=lambda text: text))


def judge(evaluator, dataset, port, output, without_text):
    """The faults of one dataset directory in the eyes of the evaluator; as many documents lack a text."""
    name = dataset.name
    rows = json.loads((dataset / "train.json").read_text(encoding="utf-8"))
    Server.rows[name] = rows
    sys.argv = ["evaluate_rag.py", "--dataset-paths", str(dataset), "--host", "127.0.0.1", "--port", str(port),
                "--ingestor_server_url", f"http://127.0.0.1:{port}", "--file-type", "txt",
                "--output_dir", str(output)]
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
            evaluator.main()
    except (Exception, SystemExit) as error:
        return [f"the evaluator ends with {error!r}: {said.getvalue()[-300:]}"]
    faults = [line for line in said.getvalue().splitlines() if "Error" in line or "WARNING" in line]
    files = sorted(file.name for file in (dataset / "corpus").rglob("*") if file.is_file())
    if sorted(Server.uploaded.get(name, [])) != files:
        faults.append(f"files: uploaded {sorted(Server.uploaded.get(name, []))}, there are {files}")
    named = {context["filename"] for row in rows for context in row["contexts"]}
    if len(named - set(files)) != without_text:
        faults.append(f"{without_text} documents are said to lack a text: {sorted(named - set(files))}")
    for row in rows:
        if not isinstance(row["question"], str) or not row["question"].strip():
            faults.append(f"no question: {row}")
    written = json.loads((output / name / f"rag_{name}_evaluation_data.json").read_text(encoding="utf-8"))
    if sorted(str(row["id"]) for row in written) != sorted(str(row["id"]) for row in rows):
        faults.append(f"{len(written)} of {len(rows)} rows were answered")
    if any(len(row["retrieved_docs"]) == 0 for row in written if row_of(rows, row["id"])["contexts"]):
        faults.append("a row with documents got none")
    return faults


def row_of(rows, number):
    return next(row for row in rows if row["id"] == number)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--evalgraph", default=str(ROOT / "target/debug/evalgraph"))
    options = arguments.parse_args()
    interpreter = os.environ.get(INTERPRETER)
    if interpreter and os.path.abspath(interpreter) != os.path.abspath(sys.executable):
        os.execv(interpreter, [interpreter, *sys.argv])
    script = pathlib.Path(os.environ.get(CHECKOUT, "")) / "scripts/eval/evaluate_rag.py"
    if not script.is_file():
        sys.exit(f"set {CHECKOUT} to a checkout of the program (README.md says which)")
    os.environ["NVIDIA_API_KEY"] = "none"
    stub_packages()
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("evaluate_rag", script)
    evaluator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(evaluator)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    made = left = wrong = rows = 0
    with tempfile.TemporaryDirectory() as temporary:
        files = sorted(file for folder in FOLDERS for file in (ROOT / "fixtures" / folder).rglob("*")
                       if file.is_file() and BAD not in str(file) and file.suffix in {".json", ".jsonld", ".jsonl"})
        for number, file in enumerate(files):
            dataset = pathlib.Path(temporary) / f"set{number}"
            convert = [options.evalgraph, "convert", str(file), "--to", "train", "-o", f"{dataset}/"]
            done = subprocess.run(convert, capture_output=True, text=True)
            if done.returncode != 0:
                # It was said why, and there is no dataset to evaluate.
                left += 1
                if dataset.exists() or "error[" not in done.stderr:
                    wrong += 1
                    print(f"  {file.relative_to(ROOT)}: no dataset, and no error: {done.stderr[:200]}")
                continue
            made += 1
            rows += len(json.loads((dataset / "train.json").read_text(encoding="utf-8")))
            told = WITHOUT_TEXT.search(done.stderr)
            results = pathlib.Path(temporary) / "results"
            faults = judge(evaluator, dataset, server.server_port, results, int(told[1] or 1) if told else 0)
            wrong += bool(faults)
            for fault in faults[:5]:
                print(f"  {file.relative_to(ROOT)}: {fault:.400}")
    server.shutdown()
    print(f"datasets: {made} made, with {rows} rows, {left} refused with an error; faults in {wrong}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
