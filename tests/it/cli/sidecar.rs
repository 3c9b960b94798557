//! `convert --with sidecar,catalog` and `convert --to same` as a person runs them.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::karenina::graphs::shuffled;
use evalgraph::json::{JsonStyle, StyledJson};
use std::fs;
use std::path::Path;

fn folder_with(fixtures: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for fixture in fixtures {
        let from = path(fixture);
        let name = from.file_name().expect("a fixture has a name");
        fs::copy(&from, folder.path().join(name)).expect("the fixture can be copied");
    }
    folder
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("it was written")
}

#[test]
fn a_checkpoint_goes_through_n_quads_and_trig_and_comes_back() {
    let folder = folder_with(&["karenina/p2-genomics.jsonld", "karenina/s0c-pharmacology.jsonld"]);
    for name in ["p2-genomics.jsonld", "s0c-pharmacology.jsonld"] {
        for format in ["nq", "trig"] {
            let (status, text, stderr) =
                run(folder.path(), &["convert", name, "--to", format, "--with", "sidecar"]);
            assert_eq!(status, 0, "{stderr}");
            let text = if format == "nq" { shuffled(&text, 3) } else { text };
            fs::write(folder.path().join("quads"), text).expect("the folder is ours");
            let (status, back, stderr) = run(folder.path(), &["convert", "quads", "--to", "same"]);
            assert_eq!((status, stderr.as_str()), (0, ""), "{name} through {format}");
            assert_eq!(back, read(folder.path(), name), "{name} through {format}");
        }
    }
}

#[test]
fn the_sidecar_repeats_no_value_of_the_graph() {
    let folder = folder_with(&["karenina/p2-genomics.jsonld"]);
    let arguments = ["convert", "p2-genomics.jsonld", "--to", "nq", "--with", "sidecar"];
    let (_, text, _) = run(folder.path(), &arguments);
    let (sidecar, graph): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.contains("<urn:evalgraph:graph:sidecar:"));
    for value in ["precision", "The answer names TP53", "cancer", "2026-04", "GlobalRubricTrait"] {
        assert!(graph.iter().any(|line| line.contains(value)), "{value}");
        let repeated = sidecar.iter().find(|line| line.contains(value));
        assert_eq!(repeated, None);
    }
}

#[test]
fn without_with_a_conversion_is_plain() {
    let folder = folder_with(&["karenina/p2-genomics.jsonld"]);
    let (_, text, _) = run(folder.path(), &["convert", "p2-genomics.jsonld", "--to", "nq"]);
    assert!(!text.contains("urn:evalgraph:"), "{text}");
    assert!(text.contains("<https://schema.org/Question>"), "{text}");
}

#[test]
fn several_checkpoints_become_one_file_each() {
    let names =
        ["karenina/p2-genomics.jsonld", "karenina/g-ecology.jsonld", "karenina/t-general-knowledge.jsonld"];
    let folder = folder_with(&names);
    let mut arguments = vec!["convert"];
    let files: Vec<&str> = names.iter().filter_map(|name| name.rsplit('/').next()).collect();
    arguments.extend(&files);
    arguments.extend(["--with", "sidecar,catalog", "-o", "all.nq"]);
    assert_eq!(run(folder.path(), &arguments).0, 0);
    let (status, _, stderr) = run(folder.path(), &["convert", "all.nq", "--to", "same", "-o", "one.jsonld"]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("error[output::several]: the input contains 3 files"), "{stderr}");
    assert!(!folder.path().join("one.jsonld").exists());
    let (status, _, stderr) = run(folder.path(), &["convert", "all.nq", "--to", "same", "-o", "back/"]);
    assert_eq!(status, 0, "{stderr}");
    for file in &files {
        assert_eq!(read(&folder.path().join("back"), file), read(folder.path(), file), "{file}");
    }
    // Straight from the files it is the same way.
    let mut arguments = vec!["convert"];
    arguments.extend(&files);
    arguments.extend(["--to", "same", "-o", "straight/"]);
    assert_eq!(run(folder.path(), &arguments).0, 0);
    for file in &files {
        assert_eq!(read(&folder.path().join("straight"), file), read(folder.path(), file), "{file}");
    }
}

#[test]
fn without_the_catalog_files_have_the_names_of_their_datasets() {
    let folder = folder_with(&["karenina/p2-genomics.jsonld"]);
    let arguments =
        ["convert", "p2-genomics.jsonld", "--with", "sidecar", "--dataset", "../up here", "-o", "all.nq"];
    assert_eq!(run(folder.path(), &arguments).0, 0);
    assert_eq!(run(folder.path(), &["convert", "all.nq", "--to", "same", "-o", "back/"]).0, 0);
    assert_eq!(
        read(&folder.path().join("back"), "_..%2Fup%20here.jsonld"),
        read(folder.path(), "p2-genomics.jsonld")
    );
}

#[test]
fn a_document_under_two_labels_loses_none() {
    let folder = folder_with(&["kwanzaa/grounded-answer.json"]);
    let file = folder.path().join("grounded-answer.json");
    let text = read(folder.path(), "grounded-answer.json");
    let label = "\"citation_label\": \"Setting the Table for Kwanzaa (1989)\"";
    let last = text.rfind(label).expect("the document is cited");
    assert_ne!(text.find(label), Some(last), "it is cited twice");
    let text =
        format!("{}{}", &text[..last], text[last..].replacen("Setting the Table for", "On the Table at", 1));
    fs::write(&file, &text).expect("the folder is ours");
    let of_file = ["convert", "grounded-answer.json", "--to", "same", "--strict"];
    let of_sample = ["convert", "grounded-answer.json", "--to", "kwanzaa", "--strict"];
    let to_quads =
        ["convert", "grounded-answer.json", "--to", "nq", "--with", "sidecar", "--strict", "-o", "g.nq"];
    let of_quads = ["convert", "g.nq", "--to", "same", "--strict"];
    let of_store = ["convert", "--to", "same", "--strict"];
    for arguments in [
        &of_file[..],
        &of_sample,
        &to_quads,
        &of_quads,
        &["init"],
        &["load", "grounded-answer.json"],
        &of_store,
    ] {
        let (status, stdout, stderr) = run(folder.path(), arguments);
        assert_eq!(status, 0, "{arguments:?}: {stderr}");
        assert!(!stderr.contains("warning"), "{arguments:?}: {stderr}");
        if arguments[0] == "convert" && !arguments.contains(&"-o") {
            assert_eq!(stdout, text, "{arguments:?}");
        }
    }
}

#[test]
fn what_has_no_sidecar_is_refused_with_the_way_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.nq"), "<x:s> <x:p> \"1\" .\n").expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["convert", "a.nq", "--to", "same"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.starts_with("error[sidecar::missing]: no graph has a sidecar"), "{stderr}");
    assert!(stderr.contains("`--to karenina`"), "{stderr}");
}

#[test]
fn with_needs_a_format_that_names_graphs() {
    let folder = folder_with(&["karenina/p2-genomics.jsonld"]);
    let (status, _, stderr) =
        run(folder.path(), &["convert", "p2-genomics.jsonld", "--to", "ttl", "--with", "sidecar"]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("error[output::with]: Turtle has no place for"), "{stderr}");
}

#[test]
fn the_catalog_has_the_keys_of_each_question_and_the_origin_of_the_file() {
    let folder = folder_with(&["karenina/p2-md5-arithmetic.jsonld"]);
    let output = crate::program::program()
        .current_dir(folder.path())
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .args(["convert", "p2-md5-arithmetic.jsonld", "--to", "nq", "--with", "catalog", "--dataset", "sums"])
        .output()
        .expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("N-Quads are UTF-8");
    assert!(!text.contains("graph:sidecar:"));
    let catalog: Vec<&str> =
        text.lines().filter_map(|line| line.strip_suffix(" <urn:evalgraph:graph:catalog> .")).collect();
    let said_of_file: Vec<&str> = catalog
        .iter()
        .filter_map(|line| line.strip_prefix("<urn:evalgraph:graph:sums> <urn:evalgraph:vocab:"))
        .collect();
    for fact in [
        "system> \"karenina\"",
        "dataset> \"sums\"",
        "path> \"p2-md5-arithmetic.jsonld\"",
        "dialect> \"P2\"",
        "questionCount> \"4\"^^<http://www.w3.org/2001/XMLSchema#integer>",
    ] {
        assert!(said_of_file.contains(&fact), "{fact}: {said_of_file:#?}");
    }
    let size = fs::metadata(folder.path().join("p2-md5-arithmetic.jsonld")).expect("it is there").len();
    for fact in [
        "<urn:evalgraph:graph:sums> <http://purl.org/dc/terms/title> \"sums\"".to_owned(),
        "<urn:evalgraph:graph:sums> <http://www.w3.org/ns/prov#generatedAtTime> \
         \"2023-11-14T22:13:20Z\"^^<http://www.w3.org/2001/XMLSchema#dateTime>"
            .to_owned(),
        format!(
            "<urn:evalgraph:graph:sums#file> <http://www.w3.org/ns/dcat#byteSize> \
             \"{size}\"^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger>"
        ),
    ] {
        assert!(catalog.contains(&fact.as_str()), "{fact}: {catalog:#?}");
    }
    let digest = "<urn:evalgraph:graph:sums#file> <http://schema.org/sha256> ";
    assert!(catalog.iter().any(|line| line.starts_with(digest)), "{catalog:#?}");
    // The ids are as they stand in the file, not as they stand in the graph.
    let ids = catalog.iter().filter(|line| line.contains("vocab:localId>"));
    assert_eq!(ids.clone().count(), 4);
    assert!(ids.clone().any(|line| line.ends_with("\"797aa0e943f9cafb92fb1bbf426aeec1\"")), "{catalog:#?}");
    for name in ["textKey", "looseKey", "answerable", "system", "dataset"] {
        let of_questions = catalog.iter().filter(|line| line.contains(&format!("vocab:{name}>")));
        assert_eq!(of_questions.filter(|line| line.starts_with("_:")).count(), 4, "{name}");
    }
}

#[test]
fn a_query_sees_sidecar_and_catalog_by_name_only() {
    let folder = folder_with(&["karenina/p2-genomics.jsonld"]);
    let arguments = ["convert", "p2-genomics.jsonld", "--with", "sidecar,catalog", "-o", "all.nq"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    let query = |file: &str, query: &str| run(folder.path(), &["query", file, "-q", query]).1;
    let all = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }";
    assert_eq!(query("all.nq", all), query("p2-genomics.jsonld", all));
    let graphs = "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s ?p ?o } }";
    assert_eq!(query("all.nq", graphs), "n\r\n1\r\n");
    let all_graphs = |query: &str| run(folder.path(), &["query", "all.nq", "--all-graphs", "-q", query]).1;
    assert_eq!(all_graphs(graphs), "n\r\n3\r\n");
    assert_eq!(all_graphs("SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { } }"), "n\r\n3\r\n");
    assert_eq!(all_graphs(all), query("p2-genomics.jsonld", all));
    let catalog = "SELECT (COUNT(*) AS ?n) { GRAPH <urn:evalgraph:graph:catalog> { ?q eg:textKey ?key } }";
    assert_eq!(query("all.nq", catalog), "n\r\n6\r\n");
}

/// Karenina writes the results of a run while they come: a head on one line, then a line for each result.
#[test]
fn streamed_results_come_back_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let export = crate::karenina::fixtures::fixture("results/results-export.json");
    let line = |token| {
        let style = JsonStyle { indent: None, after_comma: " ".to_owned(), ..JsonStyle::default() };
        let mut json = StyledJson::new(style);
        json.json(&export, token);
        json.finish()
    };
    let members = export.members(export.root());
    let head: Vec<String> = members
        .filter(|member| export.symbol_text(member.symbol) != "results")
        .map(|member| format!("\"{}\": {}", export.symbol_text(member.symbol), line(member.value)))
        .collect();
    let results = export.get(export.root(), "results").expect("it has results");
    let results: Vec<String> = export.items(results).map(line).collect();
    for results in [results, Vec::new()] {
        let text = format!("{{{},\"results\":[\n{}\n]}}\n", head.join(", "), results.join(",\n"));
        fs::write(folder.path().join("run.json"), &text).expect("the folder is ours");
        let (status, back, stderr) = run(folder.path(), &["convert", "run.json", "--to", "same"]);
        assert_eq!((status, back), (0, text), "{stderr}");
    }
}
