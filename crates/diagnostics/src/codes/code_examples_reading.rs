//! Examples of the codes about inputs and their formats.

use super::code_example::{CodeExample, command, file, line, with};

/// These examples, sorted by code.
#[rustfmt::skip]
pub(super) const READING: &[CodeExample] = &[
    command("canon::blank-predicate",
        "_:ada _:knows _:byron .",
        "_:ada <http://xmlns.com/foaf/0.1/knows> _:byron ."),
    with("canon::work-limit", "a.ttl", "evalgraph canon a.ttl --max-work 1",
r"@prefix ex: <http://example.org/> .
_:a ex:p _:b . _:b ex:p _:c . _:c ex:p _:a .",
r"@prefix ex: <http://example.org/> .
ex:a ex:p ex:b . ex:b ex:p ex:c . ex:c ex:p ex:a ."),
    with("csv::quote", "a.csv", "evalgraph new a.csv",
r#"question,answer
"What is 2 + 2?,4"#,
r#"question,answer
"What is 2 + 2?",4"#),
    with("html::no-script", "a.html", "evalgraph to-rdf a.html",
        "<!DOCTYPE html><title>Ada</title>",
r#"<!DOCTYPE html><title>Ada</title>
<script type="application/ld+json">{"@id": "urn:x:1", "http://schema.org/name": "Ada"}</script>"#),
    line("input::archive",
        "evalgraph stats runs.zip",
        "evalgraph stats runs/"),
    line("input::beside",
r"evalgraph convert runs/ -o runs/all.nq
evalgraph convert runs/ -o runs/all.nq",
        "evalgraph convert runs/ -o all.nq"),
    line("input::binary",
        "evalgraph stats screenshot.png",
        "evalgraph stats checkpoint.jsonld"),
    command("input::changed",
        "evalgraph stats run-in-progress.jsonld",
        "evalgraph stats finished-run.jsonld"),
    line("input::damaged",
        "evalgraph stats half.jsonld.gz",
        "evalgraph stats checkpoint.jsonld"),
    line("input::empty",
        "evalgraph convert empty.txt --to nq",
        "evalgraph convert data.ttl --to nq"),
    line("input::empty-directory",
        "evalgraph stats notes/",
        "evalgraph stats runs/"),
    file("input::error-reply", "a.json",
        r#"{"detail": "Not authenticated"}"#,
        r#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4"}]"#),
    file("input::extension", "a.ttl",
        r#"{"@id": "urn:x:1", "http://schema.org/name": "Ada"}"#,
        r#"<urn:x:1> <http://schema.org/name> "Ada" ."#),
    file("input::git-lfs", "a.jsonld",
r"version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 12345",
        r#"{"@id": "urn:x:1", "http://schema.org/name": "Ada"}"#),
    file("input::html", "a.ttl",
        "<!DOCTYPE html><title>Please log in</title>",
        r#"<urn:x:1> <http://schema.org/name> "Ada" ."#),
    command("input::link",
        "evalgraph expand a.jsonld --map https://example.org/=contexts/",
        "evalgraph expand a.jsonld --map https://example.org/context=real-context.jsonld"),
    line("input::no-context",
        "evalgraph compact data.jsonld",
        "evalgraph compact data.jsonld --context schema.org"),
    line("input::no-match",
        "evalgraph stats '*.trig'",
        "evalgraph stats '*.ttl'"),
    line("input::none",
        "evalgraph load",
        "evalgraph load data.ttl"),
    line("input::not-found",
        "evalgraph stats chekpoint.jsonld",
        "evalgraph stats checkpoint.jsonld"),
    command("input::parquet",
        "evalgraph convert rows.parquet --to nq",
        "evalgraph convert rows.jsonl --to nq"),
    line("input::pattern",
        "evalgraph stats 'run-[0-9.jsonld'",
        "evalgraph stats '[a-c]*.jsonld'"),
    file("input::secret", "a.json",
        r#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4", "api_key": "a-made-up-word"}]"#,
        r#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4"}]"#),
    line("input::several",
        "evalgraph expand 'runs/*.jsonld'",
        "evalgraph expand runs/a.jsonld"),
    line("input::stdin",
        "evalgraph diff - -",
        "evalgraph diff checkpoint.jsonld other.jsonld"),
    line("input::store",
        "evalgraph stats checkpoint.jsonld --store .",
        "evalgraph stats --store ."),
    with("input::system", "a.json", "evalgraph convert a.json --from kwanzaa --to nq",
        r#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4"}]"#,
        r#"{"dataset_version": "1.0.0", "created_at": "2026-01-31T08:00:00Z", "samples": []}"#),
    line("input::too-large",
        "evalgraph convert checkpoint.jsonld --to nq --max-size 100B",
        "evalgraph convert checkpoint.jsonld --to nq --max-size 1GiB"),
    line("input::twice",
        "evalgraph stats data.ttl ./data.ttl",
        "evalgraph stats data.ttl"),
    file("input::unknown", "a.json",
        r#"[{"prompt": "What is 2 + 2?", "gold": "4"}]"#,
        r#"[{"question": "What is 2 + 2?", "answer": "4"}]"#),
    file("input::unknown-format", "a.txt",
        "What is 2 + 2? It is 4.",
        r#"<urn:x:1> <http://schema.org/text> "What is 2 + 2?" ."#),
    command("input::unreadable",
        "evalgraph stats /root/checkpoint.jsonld",
        "evalgraph stats checkpoint.jsonld"),
    line("input::url",
        "evalgraph stats https://example.org/checkpoint.jsonld",
        "evalgraph stats checkpoint.jsonld"),
    file("json::bare-word", "a.jsonld",
        r#"{"http://schema.org/isAccessibleForFree": True}"#,
        r#"{"http://schema.org/isAccessibleForFree": true}"#),
    file("json::comment", "a.jsonld",
        r#"{"http://schema.org/name": "Ada"} // born in 1815"#,
        r#"{"http://schema.org/name": "Ada"}"#),
    file("json::control-character", "a.jsonld",
r#"{"http://schema.org/text": "first line
second line"}"#,
        r#"{"http://schema.org/text": "first line\nsecond line"}"#),
    with("json::depth", "a.jsonld", "evalgraph convert a.jsonld --to nq --max-depth 4",
        r#"{"urn:x:p": {"urn:x:p": {"urn:x:p": {"urn:x:p": {"urn:x:p": 1}}}}}"#,
        r#"{"urn:x:p": {"urn:x:p": {"urn:x:p": 1}}}"#),
    file("json::duplicate-key", "a.jsonld",
        r#"{"http://schema.org/name": "Ada", "http://schema.org/name": "Augusta"}"#,
        r#"{"http://schema.org/name": ["Ada", "Augusta"]}"#),
    line("json::empty",
        "evalgraph convert empty.json --to nq",
        "evalgraph convert data.jsonld --to nq"),
    line("json::encoding",
        "evalgraph convert latin1.jsonld --to nq",
        "evalgraph convert latin1.jsonld --to nq --encoding latin1"),
    file("json::escape", "a.jsonld",
        r#"{"http://schema.org/text": "C:\data"}"#,
        r#"{"http://schema.org/text": "C:\\data"}"#),
    file("json::number", "a.jsonld",
        r#"{"http://schema.org/price": .5}"#,
        r#"{"http://schema.org/price": 0.5}"#),
    command("json::records",
        r#"{"samples": [{"sample_id": "a"}, {"sample_id": "b"}}"#,
        r#"{"samples": [{"sample_id": "a"}, {"sample_id": "b"}]}"#),
    file("json::single-quotes", "a.jsonld",
        "{'http://schema.org/name': 'Ada'}",
        r#"{"http://schema.org/name": "Ada"}"#),
    command("json::size",
        "evalgraph convert large.jsonld --to nq",
        "evalgraph convert large.jsonld --to nq --max-size 4GiB"),
    file("json::surrogate", "a.jsonld",
        r#"{"http://schema.org/text": "\ud83d"}"#,
        r#"{"http://schema.org/text": "\ud83d\ude00"}"#),
    file("json::syntax", "a.jsonld",
        r#"{"http://schema.org/name" "Ada"}"#,
        r#"{"http://schema.org/name": "Ada"}"#),
    file("json::trailing-comma", "a.jsonld",
        r#"{"http://schema.org/name": ["Ada", "Augusta",]}"#,
        r#"{"http://schema.org/name": ["Ada", "Augusta"]}"#),
    file("json::trailing-text", "a.jsonld",
        r#"{"http://schema.org/name": "Ada"} the first programmer"#,
        r#"{"http://schema.org/name": "Ada", "http://schema.org/description": "the first programmer"}"#),
    file("json::truncated", "a.jsonld",
        r#"{"http://schema.org/name": ["Ada", "Augusta""#,
        r#"{"http://schema.org/name": ["Ada", "Augusta"]}"#),
    line("parquet::damaged",
        "evalgraph stats half.parquet",
        "evalgraph stats rows.json"),
    command("parquet::value",
        "evalgraph convert durations.parquet --to nq",
        "evalgraph convert durations.jsonl --to nq"),
    file("rdf::document-type", "a.rdf",
r#"<!DOCTYPE r [<!ATTLIST s xml:lang CDATA "en">]>
<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://schema.org/">
<r:Description r:about="urn:x:1"><s:name>Ada</s:name></r:Description></r:RDF>"#,
r#"<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://schema.org/">
<r:Description r:about="urn:x:1" xml:lang="en"><s:name>Ada</s:name></r:Description></r:RDF>"#),
    command("rdf::format",
        "evalgraph convert data.txt --content-type text/turtle --to nq",
        "evalgraph convert data.jsonld --to nq"),
    file("rdf::n3", "a.n3",
r"@prefix ex: <http://example.org/> .
{ ?x ex:parent ?y } => { ?y ex:child ?x } .
ex:ada ex:parent ex:byron .",
r"@prefix ex: <http://example.org/> .
ex:ada ex:parent ex:byron .
ex:byron ex:child ex:ada ."),
    with("rdf::size", "a.rdf", "evalgraph convert a.rdf --to nq --max-size 1KiB",
r#"<!DOCTYPE r [<!ENTITY a "0123456789012345678901234567890123456789"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://schema.org/">
<r:Description r:about="urn:x:1"><s:name>&b;&b;&b;</s:name></r:Description></r:RDF>"#,
r#"<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://schema.org/">
<r:Description r:about="urn:x:1"><s:name>0123456789</s:name></r:Description></r:RDF>"#),
    file("rdf::syntax", "a.ttl",
r#"@prefix ex: <http://example.org/> .
ex:ada ex:name "Ada" ex:born 1815 ."#,
r#"@prefix ex: <http://example.org/> .
ex:ada ex:name "Ada" ; ex:born 1815 ."#),
    file("rdf::version", "a.ttl",
r"@prefix ex: <http://example.org/> .
ex:claim ex:says <<( ex:ada ex:born 1815 )>> .",
r"@prefix ex: <http://example.org/> .
ex:claim ex:subject ex:ada ; ex:property ex:born ; ex:value 1815 ."),
    file("records::misplaced", "a.json",
        r#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4"}, null]"#,
        r#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4"}]"#),
    file("records::unknown-key", "a.json",
        r#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4", "is_imposible": false}]"#,
        r#"[{"id": "R1", "question": "What is 2 + 2?", "answer": "4", "is_impossible": false}]"#),
    with("yaml::aliases", "a.yaml", "evalgraph convert a.yaml --to nq --max-size 1KiB",
r#"- &a {task_type: QA, input_data: {question: "What is 2 + 2?"}}
- &b [*a, *a, *a, *a, *a, *a, *a, *a]
- &c [*b, *b, *b, *b, *b, *b, *b, *b]
- [*c, *c, *c, *c, *c, *c, *c, *c]"#,
        r#"- {task_type: QA, input_data: {question: "What is 2 + 2?"}}"#),
    file("yaml::duplicate-key", "a.yaml",
r#"tasks:
- task_type: QA
  task_type: NLI
  input_data: {question: "What is 2 + 2?"}"#,
r#"tasks:
- task_type: QA
  input_data: {question: "What is 2 + 2?"}"#),
    file("yaml::key", "a.yaml",
r#"tasks:
- task_type: QA
  input_data: {[question]: "What is 2 + 2?"}"#,
r#"tasks:
- task_type: QA
  input_data: {question: "What is 2 + 2?"}"#),
    file("yaml::syntax", "a.yaml",
r#"tasks:
- task_type: QA
  input_data: {question: "What is 2 + 2?""#,
r#"tasks:
- task_type: QA
  input_data: {question: "What is 2 + 2?"}"#),
];
