"""PyLD as a process: a case a line, an answer a line, both JSON."""

import json
import sys

from pyld import jsonld


def answer(case):
    def load(url, options):
        if url not in case["remote"]:
            raise ValueError(f"nothing is known under {url}")
        return {"contentType": "application/ld+json", "contextUrl": None, "documentUrl": url,
                "document": case["remote"][url]}

    options = {**case["options"], "documentLoader": load}
    operation, document = case["operation"], case["document"]
    if operation == "expand":
        return jsonld.expand(document, options)
    if operation == "compact":
        return jsonld.compact(document, case["context"], options)
    if operation == "flatten":
        return jsonld.flatten(document, None, options)
    if operation == "frame":
        return jsonld.frame(document, case["context"], options)
    if operation == "to-rdf":
        return jsonld.to_rdf(document, {**options, "format": "application/n-quads"})
    return jsonld.from_rdf(document, {**options, "format": "application/n-quads"})


def main():
    for line in sys.stdin:
        try:
            reply = {"result": answer(json.loads(line))}
        except Exception as error:
            code = getattr(error, "code", None)
            reply = {"error": code or f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


main()
