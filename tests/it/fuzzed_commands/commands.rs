//! The command lines that a file is put through. `FILE` is the file, `BASE` one of its kind that is whole,
//! `QUESTION` the text of a question in it.

use super::files::Role;
use rand::Rng;
use rand::rngs::StdRng;

/// Commands that follow on each other in one folder.
pub(super) type Steps = &'static [&'static [&'static str]];

const ALL: &str = "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }";

/// What takes data.
const DATA: &[Steps] = &[
    &[&["stats", "FILE"]],
    &[&["stats", "FILE", "--format", "json", "--explain"]],
    &[&["stats", "FILE", "--report"]],
    &[&["stats", "FILE", "--in-pieces-of", "1"]],
    &[&["schema", "FILE"]],
    &[&["schema", "FILE", "--format", "mermaid"]],
    &[&["schema", "FILE", "--format", "markdown"]],
    &[&["schema", "FILE", "--examples", "--to", "jsonld"]],
    &[&["filter", "FILE", "--text", "a", "--since", "2020"]],
    &[&["filter", "FILE", "--where", "strlen(?text) > 9", "--invert", "--dry-run"]],
    &[&["sample", "2", "FILE"], &["sort", "FILE", "--order-by", "text,created", "--reverse"]],
    &[&["dedupe", "FILE", "--near", "0.6", "--dry-run"]],
    &[&["rename", "1", "2", "FILE"], &["move", "2", "FILE", "BASE"]],
    &[&["query", "FILE", "-q", ALL]],
    &[&["query", "FILE", "-n", "overview"]],
    &[&["query", "FILE", "-q", "SELECT * { GRAPH ?g { ?s ?p ?o } }", "--format", "table"]],
    &[&["query", "FILE", "--plain", "-q", "SELECT ?o { ?s ?p ?o } ORDER BY ?o", "--format", "json"]],
    &[&[
        "query",
        "FILE",
        "-q",
        "SELECT ?p (MIN(?o) AS ?m) { ?s ?p ?o } GROUP BY ?p",
        "--format",
        "sparql-xml",
    ]],
    &[&["query", "FILE", "--strict", "-q", "ASK {}"]],
    &[&["validate", "FILE"]],
    &[&["validate", "FILE", "--profile", "karenina", "--format", "json"]],
    &[&["validate", "FILE", "--profile", "contract"]],
    &[&["schema-org", "table", "FILE"]],
    &[&["check", "FILE"]],
    &[&["check", "FILE", "--pending", "--format", "jsonl"]],
    &[&["check", "FILE", "--fix-context"]],
    &[&["check", "FILE", "--fix"], &["check", "FILE", "--fix", "--normalize", "https", "--dry-run"]],
    &[&["check", "BASE", "--schema-org", "FILE"]],
    &[&["canon", "FILE"]],
    &[&["canon", "FILE", "--hash"]],
    &[&["diff", "FILE", "BASE"]],
    &[&["diff", "BASE", "FILE", "--format", "markdown"]],
    &[&["diff", "BASE", "FILE", "--by", "triple"]],
    &[&["diff", "BASE", "FILE", "--by", "triple", "--format", "rdf-patch"]],
    &[&["fmt", "FILE", "-o", "-"]],
    &[&["fmt", "FILE"], &["fmt", "FILE", "--check"]],
    &[&["merge", "FILE", "BASE", "-o", "merged.jsonld"]],
    &[&["split", "FILE", "--max", "2", "-o", "out"]],
    &[&["split", "FILE", "--train", "0.5", "-o", "out"]],
    &[&["templates", "out", "FILE", "-o", "out"], &["templates", "in", "FILE", "out", "-o", "-"]],
    &[&["new", "FILE"]],
    &[&["figures", "FILE"]],
    &[&["figures", "FILE", "--profile", "shipped", "--format", "json"]],
    &[&["expand", "FILE"]],
    &[&["compact", "FILE", "-c", "karenina"]],
    &[&["flatten", "FILE"]],
    &[&["frame", "FILE", "--frame", "karenina"]],
    &[&["to-rdf", "FILE"]],
    &[&["from-rdf", "FILE"]],
    &[&["convert", "FILE", "--to", "same"]],
    &[&["convert", "FILE", "--to", "nt"]],
    &[&["convert", "FILE", "--to", "nq", "--with", "sidecar,catalog"]],
    &[&["convert", "FILE", "--to", "ttl"]],
    &[&["convert", "FILE", "--to", "trig"]],
    &[&["convert", "FILE", "--to", "rdfxml"]],
    &[&["convert", "FILE", "--to", "jsonld"]],
    &[&["convert", "FILE", "--to", "karenina", "--report-loss"]],
    &[&["convert", "FILE", "--to", "karenina-spec"]],
    &[&["convert", "FILE", "--to", "karenina-gui"]],
    &[&["convert", "FILE", "--to", "karenina-v2"]],
    &[&["convert", "FILE", "--to", "kwanzaa"]],
    &[&["convert", "FILE", "--to", "train", "-o", "out/"]],
    &[&["convert", "FILE", "--to", "rlcf"]],
    &[&["convert", "FILE", "--to", "hf-chat"]],
    &[&["convert", "FILE", "--to", "sft"]],
    &[&["convert", "FILE", "--to", "preference"]],
    &[&["convert", "FILE", "--from", "rlcf", "--to", "same"]],
    &[&["convert", "FILE", "--from", "jsonld", "--to", "nq"]],
    &[&["set", "QUESTION", "FILE", "--answer", "nobody"]],
    &[&["set", "QUESTION", "FILE", "--text", "Who?"], &["remove", "Who?", "FILE"]],
    &[&["add", "Who else?", "FILE", "--answer", "nobody"], &["remove", "Who else?", "FILE"]],
    &[&["update", "FILE", "-q", "DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }", "--to", "same"]],
    &[
        &["init"],
        &["load", "FILE"],
        &["load", "BASE"],
        &["load", "FILE", "BASE"],
        &["query", "-n", "overview"],
        &["convert", "--to", "same", "-o", "out/"],
        &["graphs"],
        &["dump"],
        &["doctor"],
        &["check"],
    ],
    &[&["restore", "FILE"], &["restore", "FILE", "--force"], &["undo"]],
    &[
        &["init"],
        &["load", "FILE"],
        &["dump", "--whole", "-o", "all.nq"],
        &["init", "other"],
        &["load", "all.nq", "--store", "other"],
    ],
    &[
        &["init"],
        &["load", "BASE"],
        &["load", "FILE", "--in-pieces-of", "1"],
        &["stats"],
        &["doctor", "--compact"],
    ],
    &[
        &["init"],
        &["load", "FILE"],
        &["update", "-q", "DELETE WHERE { ?s ?p ?o }"],
        &["convert", "--to", "same", "-o", "out/"],
    ],
];

/// What takes a query, an update, a context, a frame, or thresholds.
const QUERIES: &[Steps] = &[
    &[&["query", "BASE", "-f", "FILE"]],
    &[&["query", "BASE", "-f", "FILE", "--explain"]],
    &[&["query", "BASE", "-f", "FILE", "--format", "table", "--timeout", "5s"]],
];
const UPDATES: &[Steps] = &[
    &[&["update", "BASE", "-f", "FILE"]],
    &[
        &["init"],
        &["load", "BASE"],
        &["update", "-f", "FILE", "--dry-run"],
        &["update", "-f", "FILE"],
        &["doctor"],
    ],
];
const CONTEXTS: &[Steps] = &[
    &[&["compact", "BASE", "-c", "FILE"]],
    &[&["expand", "BASE", "--expand-context", "FILE"]],
    &[&["frame", "BASE", "--frame", "FILE"]],
    &[&["convert", "BASE", "--to", "jsonld", "--context", "FILE"]],
    &[&["validate", "BASE", "--config", "FILE"]],
    &[&["figures", "BASE", "--config", "FILE"]],
];

const SHAPES: &[Steps] = &[
    &[&["validate", "BASE", "--shapes", "FILE"]],
    &[&["shapes", "sparql", "FILE"]],
    &[&["shapes", "sparql", "FILE", "--plain", "--format", "json"]],
    &[&["shapes", "sparql", "FILE", "-o", "out/"]],
];

/// Commands that a file of a role is put through.
pub(super) fn drawn(random: &mut StdRng, role: Role) -> &'static Steps {
    let of_role = match role {
        Role::Data => DATA,
        Role::Query => QUERIES,
        Role::Update => UPDATES,
        Role::Context => CONTEXTS,
        Role::Shapes => SHAPES,
    };
    &of_role[random.random_range(0..of_role.len())]
}
