//! The form of an output follows its name: every command with `-o`, over every extension that says a form.

use std::fs;
use std::path::Path;

use crate::cli::input::run;
use crate::share::one_of;

/// Every extension that says what a file holds, and some that say nothing.
const EXTENSIONS: [&str; 29] = [
    "jsonld", "json", "jsonl", "nq", "nt", "ttl", "trig", "rdf", "xml", "n3", "csv", "tsv", "srj", "srx",
    "md", "html", "sarif", "svg", "xlsx", "parquet", "arrow", "yaml", "pdf", "xz", "sqlite", "rdfp", "txt",
    "out", "2026-03",
];

/// What says nothing, so that the command decides.
const UNKNOWN: [&str; 3] = ["txt", "out", "2026-03"];

const RDF: &str = "nq nt ttl turtle trig rdf owl xml jsonld json";

/// The forms of a graph that is asked for.
const DRAWN: &str = "nq nt ttl turtle trig rdf owl xml jsonld json svg png dot graphml";

/// A command without `-o`, the extensions that it writes, and whether others that say nothing are taken.
const COMMANDS: [(&str, &str, bool); 43] = [
    (
        "query p.jsonld -n traits",
        "csv tsv json srj jsonl ndjson xml srx md html parquet arrow xlsx svg png",
        true,
    ),
    (
        "query p.jsonld -q ASK{?s_?p_?o}",
        "csv tsv json srj jsonl ndjson xml srx md html parquet arrow xlsx",
        true,
    ),
    ("query p.jsonld -q CONSTRUCT_WHERE{?s_?p_?o}", DRAWN, true),
    ("query p.jsonld -n unfinished --explain", "", true),
    ("update p.ttl -q CLEAR_ALL", RDF, true),
    ("update p.jsonld -q DELETE_WHERE{?q_s:none_?o}", RDF, true),
    ("update t.json -q DELETE_WHERE{?q_s:none_?o}", RDF, true),
    (
        "update r.csv -q DELETE_WHERE{?q_s:none_?o}",
        "nq nt ttl turtle trig rdf owl xml jsonld json csv tsv",
        true,
    ),
    (
        "update r.jsonl -q DELETE_WHERE{?q_s:none_?o}",
        "nq nt ttl turtle trig rdf owl xml jsonld json jsonl ndjson",
        true,
    ),
    ("convert p.jsonld", RDF, false),
    ("dump", RDF, true),
    ("to-rdf p.jsonld", RDF, true),
    ("from-rdf p.ttl", "jsonld json", true),
    ("expand p.jsonld", "jsonld json", true),
    ("compact p.jsonld --context schema.org", "jsonld json", true),
    ("flatten p.jsonld", "jsonld json", true),
    ("frame p.jsonld --frame karenina", "jsonld json", true),
    ("canon p.jsonld", "nq", true),
    ("canon p.jsonld --hash", "", true),
    ("stats p.jsonld", "json svg png", true),
    ("stats t.json", "json svg png", true),
    ("stats k.json --report", "md markdown", true),
    ("validate p.jsonld", "json jsonl ndjson csv sarif xml md markdown html", true),
    ("diff p.jsonld q.jsonld", "json md markdown rdfp", true),
    ("diff p.jsonld q.jsonld --by triple", "json md markdown rdfp", true),
    ("figures e.json --show experts", "json csv md svg png", true),
    ("queries", "json", true),
    ("queries overview", "json", true),
    ("shapes list", "json", true),
    ("shapes show karenina", "ttl turtle", true),
    ("shapes sparql train", "json", true),
    ("schema-org table v.ttl", "tsv", true),
    ("check p.jsonld --fix-context", "jsonld json", true),
    ("explain", "json md markdown", true),
    ("explain yaml::key", "json md markdown", true),
    ("graphs", "json", true),
    ("corpus-name https://example.org/a/b", "json", true),
    ("fmt p.jsonld", "jsonld json", true),
    ("merge p.jsonld", "jsonld json", true),
    ("new r.csv", "jsonld json", true),
    ("templates in p.jsonld templates", "jsonld json", true),
    ("convert e.json --to sft", "*", true),
    ("convert p.jsonld --to karenina", "*", true),
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for (from, to) in [
        ("karenina/p1-physics.jsonld", "p.jsonld"),
        ("karenina/s1-astronomy.jsonld", "q.jsonld"),
        ("train/support-desk.json", "t.json"),
        ("kwanzaa/citation.json", "k.json"),
        ("rlcf/export.json", "e.json"),
    ] {
        fs::copy(fixtures.join(from), folder.path().join(to)).expect("the fixture is there");
    }
    fs::write(folder.path().join("r.csv"), "question,answer\nWhat is 2 + 2?,4\nWhat is 1 + 2?,3\n")
        .expect("the folder is ours");
    let class = "<http://schema.org/Thing> a <http://www.w3.org/2000/01/rdf-schema#Class> .\n";
    fs::write(folder.path().join("v.ttl"), class).expect("the folder is ours");
    let line = |text| format!("{{\"question\": \"{text}\", \"answer\": \"4\", \"is_impossible\": false}}\n");
    fs::write(folder.path().join("r.jsonl"), line("One?") + &line("Two?")).expect("the folder is ours");
    for arguments in [
        &["convert", "p.jsonld", "-o", "p.ttl"][..],
        &["templates", "out", "p.jsonld", "-o", "templates"],
        &["init"],
        &["load", "p.jsonld"],
    ] {
        let (status, _, stderr) = run(folder.path(), arguments);
        assert_eq!(status, 0, "{arguments:?}: {stderr}");
    }
    folder
}

/// Returns whether a text is in the form that an extension says.
fn is_of(extension: &str, text: &str) -> bool {
    let is_json =
        |text: &str| text.starts_with(['{', '[']) && serde_json::from_str::<serde_json::Value>(text).is_ok();
    match extension {
        // The answer of ASK is a value of JSON, too.
        "json" | "jsonl" | "ndjson" if text == "true\n" => true,
        "jsonld" | "json" | "srj" | "sarif" => is_json(text),
        "jsonl" | "ndjson" => text.lines().all(is_json),
        "nq" | "nt" => text.lines().all(|line| line.ends_with(" .") && !line.starts_with('@')),
        "ttl" | "turtle" | "trig" => {
            text.is_empty() || ["@prefix", "<", "# "].iter().any(|it| text.starts_with(it))
        }
        "rdf" | "owl" | "xml" | "srx" => text.starts_with("<?xml"),
        "csv" => {
            !is_json(text) && text.lines().next().is_some_and(|line| line.contains(',') || line == "true")
        }
        "tsv" => {
            !is_json(text) && text.lines().next().is_some_and(|line| line.contains('\t') || line == "true")
                || text.contains(',')
        }
        "md" | "markdown" => text.starts_with(['#', '|']) || text == "true\n",
        "html" => text.starts_with("<!doctype html>"),
        "svg" => text.starts_with("<svg "),
        "parquet" => text.starts_with("PAR1"),
        "arrow" => text.starts_with("ARROW1"),
        "xlsx" => text.starts_with("PK\u{3}\u{4}"),
        "rdfp" => text.starts_with("H ") || text.starts_with("TX"),
        _ => false,
    }
}

#[test]
fn every_command_writes_what_the_name_says_or_refuses() {
    let folder = folder();
    let path = folder.path();
    let commands = COMMANDS.iter().filter(|(_, written, _)| *written != "*");
    for (number, (command, written, takes_unknown)) in commands.enumerate() {
        let words: Vec<String> = command.split(' ').map(|word| word.replace('_', " ")).collect();
        for extension in EXTENSIONS.into_iter().skip(number % one_of(3)).step_by(one_of(3)) {
            let output = format!("out.{extension}");
            let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
            arguments.extend(["-o", &output]);
            let (status, stdout, stderr) = run(path, &arguments);
            let text =
                fs::read(path.join(&output)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            let _ = fs::remove_file(path.join(&output));
            let case = format!("{command} -o {output}: {status} {stderr}");
            assert_eq!(stdout, "", "{case}");
            if written.split(' ').any(|known| known == extension) {
                assert!(status < 2, "{case}");
                let text = text.expect("it was written");
                assert!(is_of(extension, &text), "{case}\n{text}");
            } else if UNKNOWN.contains(&extension) && *takes_unknown {
                assert!(status < 2 && text.is_some(), "{case}");
            } else {
                assert_eq!((status, text), (2, None), "{case}");
                assert!(stderr.starts_with("error[output::format]"), "{case}");
                // The error says what can be written.
                let is_told = !UNKNOWN.contains(&extension) && !command.starts_with("update");
                for known in written.split(' ').filter(|known| is_told && !known.is_empty()) {
                    assert!(stderr.contains(&format!(".{known}")), "{known}: {case}");
                }
            }
        }
    }
}

#[test]
fn a_form_that_is_named_counts_and_a_name_that_says_another_is_told() {
    let folder = folder();
    let path = folder.path();
    for (command, fitting) in [
        ("convert e.json --to sft", "jsonl ndjson"),
        ("convert p.jsonld --to karenina", "jsonld json"),
        ("convert p.jsonld --to karenina-v2", "json"),
        ("convert t.json --to train", "json"),
        ("convert t.json --to same", "json"),
        ("convert p.jsonld --to same", "json jsonld"),
        ("convert p.jsonld --to nq", "nq"),
        ("update p.jsonld -q DELETE_WHERE{?q_s:none_?o} --to same", "json jsonld"),
        ("update r.csv -q DELETE_WHERE{?q_s:none_?o} --to same", "csv tsv"),
        ("stats p.jsonld --format json", "json"),
        ("query p.jsonld -n unfinished --format csv", "csv"),
    ] {
        let words: Vec<String> = command.split(' ').map(|word| word.replace('_', " ")).collect();
        let mut before = None;
        for extension in ["json", "jsonld", "jsonl", "csv", "nq", "xlsx", "out"] {
            let output = format!("out.{extension}");
            let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
            arguments.extend(["-o", &output]);
            let (status, _, stderr) = run(path, &arguments);
            let case = format!("{command} -o {output}: {status} {stderr}");
            if command.ends_with("--to train") && extension == "out" {
                assert!(path.join("out.out/train.json").is_file(), "{case}");
                fs::remove_dir_all(path.join("out.out")).expect("the folder is ours");
                continue;
            }
            assert_eq!(status, 0, "{case}");
            let text = fs::read_to_string(path.join(&output)).expect("it was written");
            fs::remove_file(path.join(&output)).expect("the folder is ours");
            assert_eq!(*before.get_or_insert(text.clone()), text, "{case}");
            let is_told = stderr.contains("warning[output::name]");
            let fits = extension == "out" || fitting.split(' ').any(|known| known == extension);
            assert_eq!(is_told, !fits, "{case}");
        }
    }
    let arguments = ["stats", "p.jsonld", "--format", "json", "-o", "out.csv"];
    insta::assert_snapshot!(run(path, &arguments).2, @"warning[output::name]: `out.csv` is written as `--format json`, and its name says CSV");
}

#[test]
fn an_extension_that_is_not_written_is_answered_with_those_that_are() {
    let folder = folder();
    let message = |arguments: &[&str]| run(folder.path(), arguments).2;
    insta::assert_snapshot!(message(&["stats", "p.jsonld", "-o", "p.XLSX.gz"]), @r"
    error[output::format]: the name `p.XLSX.gz` says Excel, and `stats` does not write that
     = help: by its name it writes .json, .svg, .png
    ");
    insta::assert_snapshot!(message(&["convert", "p.jsonld", "-o", "p.jsonl"]), @r"
    error[output::format]: the name `p.jsonl` says JSON lines, and `convert` writes that only on request
     = help: add `--to same`, or `--to hf-chat`, or `--to every-eval-ever`, or `--to sft`, or `--to preference`
     = help: by its name it writes .nt, .nq, .nquads, .ttl, .turtle, .trig, .rdf, .owl, .rdfxml, .xml, .jsonld, .json, .json-ld
    ");
    insta::assert_snapshot!(message(&["canon", "--hash", "p.jsonld", "-o", "p.json"]), @r"
    error[output::format]: the name `p.json` says JSON, and `canon --hash` does not write that
     = help: `canon --hash` writes text for people: give the file another name
    ");
    insta::assert_snapshot!(message(&["update", "p.ttl", "-q", "CLEAR ALL", "-o", "p.csv"]), @r"
    error[output::format]: the name `p.csv` says CSV, and `update` writes that only on request
     = help: add `--to same`
     = help: by its name it writes .nt, .nq, .nquads, .ttl, .turtle, .trig, .rdf, .owl, .rdfxml, .xml, .jsonld, .json, .json-ld
    ");
}

#[test]
fn a_folder_in_the_place_of_a_file_is_told() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("there")).expect("the folder is ours");
    for command in
        ["stats p.jsonld", "convert p.jsonld --to nq", "convert p.jsonld", "dump", "canon p.jsonld"]
    {
        for output in ["there", "gone/"] {
            let mut arguments: Vec<&str> = command.split(' ').collect();
            arguments.extend(["-o", output]);
            let (status, _, stderr) = run(path, &arguments);
            assert_eq!(status, 2, "{command} -o {output}: {stderr}");
            assert!(stderr.starts_with("error[output::folder]"), "{command} -o {output}: {stderr}");
        }
    }
    insta::assert_snapshot!(run(path, &["stats", "p.jsonld", "-o", "there"]).2, @r"
    error[output::folder]: `there` is a folder, and `stats` writes one file
     = help: name a file in it: `-o there/NAME`
    ");
    insta::assert_snapshot!(run(path, &["convert", "p.jsonld", "-o", "there"]).2, @r"
    error[output::folder]: `there` is a folder, and `convert` writes one file
     = help: name a file in it, or a form that goes into a folder: `--to same`, `--to karenina`, `--to karenina-spec`, `--to karenina-gui`, `--to karenina-v2`, `--to kwanzaa`, `--to hf-chat`, `--to every-eval-ever`, `--to train`, `--to rlcf`
    ");
    insta::assert_snapshot!(run(path, &["split", "p.jsonld", "--max", "2", "-o", "p.json"]).2, @r"
    error[output::folder]: `p.json` is the name of a file, and `split` writes a folder
     = help: name a folder: `-o DIR/`
    ");
    assert!(!path.join("gone").exists() && !path.join("p.json").exists());
}

#[test]
fn an_update_of_one_file_writes_the_file() {
    let folder = folder();
    let path = folder.path();
    let update = "DELETE { ?a s:text ?t } INSERT { ?a s:text \"The coulomb (C)\" } WHERE { ?a s:text ?t FILTER(?t = \"The coulomb\") }";
    let before = fs::read_to_string(path.join("p.jsonld")).expect("it is there");
    let (status, _, stderr) = run(path, &["update", "p.jsonld", "-q", update, "-o", "p.jsonld"]);
    assert_eq!(status, 0, "{stderr}");
    let after = fs::read_to_string(path.join("p.jsonld")).expect("it is there");
    assert_eq!(after, before.replace("\"The coulomb\"", "\"The coulomb (C)\""));
    assert_ne!(after, before);
    // The same on stdout, and for what is not JSON.
    let (_, stdout, _) =
        run(path, &["update", "p.jsonld", "-q", "DELETE WHERE { ?s s:none ?o }", "--to", "same"]);
    assert_eq!(stdout, after);
    let update = "DELETE { ?a s:text \"4\" } INSERT { ?a s:text \"four\" } WHERE { ?a s:text \"4\" }";
    let (status, _, stderr) = run(path, &["update", "r.csv", "-q", update, "-o", "new.csv"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(
        fs::read_to_string(path.join("new.csv")).expect("it was written"),
        "question,answer\nWhat is 2 + 2?,four\nWhat is 1 + 2?,3\n"
    );
    // Several files go into a folder.
    let update = "DELETE { GRAPH ?g { ?a s:text \"4\" } } INSERT { GRAPH ?g { ?a s:text \"four\" } }
        WHERE { GRAPH ?g { ?a s:text \"4\" } }";
    let (status, _, stderr) =
        run(path, &["update", "p.jsonld", "r.csv", "-q", update, "--to", "same", "-o", "new/"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(fs::read_to_string(path.join("new/p.jsonld")).expect("it was written"), after);
    assert!(fs::read_to_string(path.join("new/r.csv")).expect("it was written").contains("four"));
    // With a shape it is JSON-LD made of the graph.
    let arguments = ["update", "p.jsonld", "-q", update, "--context", "schema.org", "-o", "shaped.jsonld"];
    assert_eq!(run(path, &arguments).0, 0);
    assert!(
        fs::read_to_string(path.join("shaped.jsonld"))
            .expect("it was written")
            .contains("https://schema.org/")
    );
    let (status, _, stderr) = run(path, &["update", "p.jsonld", "-q", update, "--plain", "--to", "same"]);
    assert_eq!(status, 2, "{stderr}");
}
