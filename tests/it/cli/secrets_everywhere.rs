//! A distinctive key of a service in each form of file: no command shows it, on stdout, on stderr, or in a
//! file that it writes.

use crate::karenina::fixtures::path;
use crate::share::one_of;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

const SECRET: &str = "sk-Zq7vXw9Kj2Hn4Tb8";

/// Files with the key, by name.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let s = SECRET;
    let mut files = vec![
        ("ai_models.json", format!(r#"[{{"name": "m", "api_key": "{s}", "max_tokens": 1}}]"#)),
        ("users.jsonl", format!("{{\"id\": 1, \"username\": \"a\", \"api_key\": \"{s}\"}}\n{{\"id\": 2}}\n")),
        (
            "tasks.json",
            format!(
                r#"[{{"id": 1, "task_type": "QA", "input_data": {{"question": "Why?", "context": "api_key={s}"}}, "ground_truth_data": {{"validated_answer": "api_key: {s}"}}, "api_key": "{s}"}}]"#
            ),
        ),
        (
            "tasks.yaml",
            format!(
                "# api_key: {s}\n# {s}\ntasks:\n  - task_type: QA\n    api_key: {s} # {s} api_key\n    input_data:\n      question: \"api_key: {s}\"\n      API_KEY: |\n        {s}\n        {s}\n"
            ),
        ),
        ("model_config.yaml", format!("authority_weights: {{}}\ntrack_record: {{}}\nx: {{api_key: '{s}'}}\nb: &k {s}\nOPENAI_API_KEY: *k\n")),
        (
            "escaped.yaml",
            format!(
                "tasks:\n  - task_type: QA\n    \"api\\x5fkey\": {s}\n    \"\\x61pi_key\": {s}\n    input_data:\n      question: \"Why?\"\n      \"\\U00000061pi key\": {s}\n      env: [{{name: A_API_KEY, value: {s}}}]\n      args: [--api-key, {s}]\n"
            ),
        ),
        ("train.json", format!(r#"[{{"id": 0, "question": "Why?", "answer": "So", "api_key": "{s}", "api\u00a0key": "{s}", "env": [{{"name": "A_API_KEY", "value": "{s}"}}], "code": "f(api_key=\"\"\"{s}\"\"\")"}}]"#)),
        ("train.csv", format!("id,question,answer,api_key\n0,Why?,So,{s}\n1,\"api_key=\"\"{s}\"\"\",\"{{\"\"api_key\"\": \"\"{s}\"\"}}\",\"a\"\"{s}\"\n")),
        ("semicolon.csv", format!("question;answer;x-api-key\n\"How;\n?\";api_key: {s};\"{s}\n{s}\"\n")),
        (
            "samples.json",
            format!(
                r#"{{"dataset_version": "1.0", "samples": [{{"sample_id": "a", "user_query": "Why?", "metadata": {{"api_key": "{s}"}}, "notes": "api_key={s}"}}], "statistics": {{}}, "api_key": "{s}"}}"#
            ),
        ),
        (
            "version_2.json",
            format!(
                r#"{{"version": "2.0", "dataset_metadata": {{"name": "d", "custom_properties": {{"api_key": "{s}"}}}}, "checkpoint": {{"a": {{"question": "Why?", "raw_answer": "So", "api_key": "{s}"}}}}, "global_rubric": null}}"#
            ),
        ),
        ("error.json", format!(r#"{{"detail": [{{"msg": "wrong", "input": {{"api_key": "{s}"}}}}]}}"#)),
        // Broken ones.
        ("cut.json", format!(r#"[{{"name": "m", "api_key": "{s}", "max_tokens": "#)),
        ("bare.json", format!(r#"{{"name": "m", "api_key": {s}, "max_tokens": 1}}"#)),
        ("cut.jsonl", format!("{{\"id\": 1}}\n{{\"id\": 2, \"api_key\": \"{s}\n")),
        ("cut.yaml", format!("tasks:\n  - api_key: {s}\n  - [{s}\n")),
        ("twice.yaml", format!("api_key: {s}\napi_key: {s}\n")),
        ("cut.csv", format!("question,answer,api_key\nWhy?,So,\"{s}\n")),
        ("wide.csv", format!("question,answer,api_key\nWhy?,So,{s},{s}\n")),
        ("quote.csv", format!("question,answer,api_key\nWhy?,So,a\"{s}\n")),
        ("same.csv", format!("question,question,api_key\nWhy?,So,{s}\n")),
        ("named.ttl", format!("{{\"api_key\": \"{s}\"}}")),
        ("named.nq", format!("<urn:a> <urn:api_key> {s} .\n")),
        ("named.rdf", format!("<a api_key='{s}'>")),
        ("named.txt", format!("api_key={s}\n")),
        ("page.html", format!("<html><!-- api_key: {s} --><body>api_key={s}</body></html>")),
    ]
    .into_iter()
    .map(|(name, text)| (name, text.into_bytes()))
    .collect::<Vec<_>>();
    let wide = |text: String| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    files.push(("utf-16.json", wide(format!("[{{\"api_key\": \"{s}\"}}]"))));
    files.push(("latin-1.json", [format!("{{\"api_key\": \"{s}").as_bytes(), b"\xE9\"}"].concat()));
    files
}

/// The ways in which a command that changes or chooses records is run on a file.
fn ways_of_changes(command: &str) -> &'static [&'static [&'static str]] {
    match command {
        "filter" => &[&["FILE", "--text", "a"], &["FILE", "--where", "BOUND(?text)", "--dry-run"]],
        "sample" => &[&["1", "FILE"], &["1", "FILE", "--from", "train", "--dry-run"]],
        "sort" => &[&["FILE"], &["FILE", "--reverse", "--dry-run"]],
        "dedupe" => &[&["FILE"], &["FILE", "--near", "0.5", "--dry-run"]],
        "rename" => &[&["1", "2", "FILE"], &["Why?", "urn:b", "FILE", "--dry-run"]],
        "move" => &[&["1", "FILE", "GOOD"], &["Why?", "GOOD", "FILE", "--dry-run"]],
        "update" => &[
            &["FILE", "-q", "INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:b> 1 } }"],
            &["GOOD", "-q", "LOAD <urn:file> INTO GRAPH <urn:g>", "--map", "urn:file=FILE"],
        ],
        "set" => &[&["Why?", "FILE", "--answer", "So"], &["1", "FILE", "--answer", "So", "--print"]],
        "add" => &[
            &["New?", "FILE", "--answer", "So"],
            &["New?", "FILE", "--answer", "So", "--print"],
            &["Why?", "FILE", "--keyword", "so"],
        ],
        "remove" => &[&["Why?", "FILE"], &["1", "FILE", "--print"], &["Why?", "FILE", "--keyword", "so"]],
        other => panic!("`{other}` changes nothing"),
    }
}

/// The ways in which a command is run on a file; `FILE`, `GOOD` (a checkpoint) and `OUT` (a folder) are put
/// in. What is named as a context, a frame or a query is that, and no data.
/// None of a command that takes no file.
fn ways(command: &str) -> Option<Vec<Vec<&'static str>>> {
    let ways: &[&[&str]] = match command {
        "update" | "set" | "add" | "remove" | "filter" | "sample" | "sort" | "dedupe" | "rename" | "move" => {
            ways_of_changes(command)
        }
        "stats" => &[&["FILE"], &["FILE", "--explain"], &["FILE", "--report"], &["FILE", "--format", "json"]],
        "schema" => &[
            &["FILE"],
            &["FILE", "--format", "json"],
            &["FILE", "--from", "rlcf", "--format", "dot"],
            &["FILE", "--examples", "--class", "s:Thing"],
        ],
        "query" => &[&["FILE", "-q", "SELECT * { ?s ?p ?o }"], &["-n", "overview", "FILE"]],
        "validate" => &[
            &["FILE"],
            &["FILE", "--profile", "seed"],
            &["FILE", "--from", "train"],
            &["FILE", "--from", "rlcf", "--format", "json"],
            &["FILE", "--from", "kwanzaa"],
            &["FILE", "--format", "html"],
            &["GOOD", "--config", "FILE"],
            &["GOOD", "--baseline", "FILE"],
        ],
        "check" => &[
            &["FILE"],
            &["FILE", "--from", "rlcf", "--format", "html"],
            &["FILE", "--from", "train", "--format", "json"],
            &["FILE", "--from", "jsonld", "--format", "jsonl"],
            &["GOOD", "--schema-org", "FILE"],
            &["FILE", "--fix-context"],
            &["FILE", "--fix", "--dry-run", "--normalize", "https"],
            &["GOOD", "--baseline", "FILE"],
        ],
        "expand" | "flatten" | "compact" | "to-rdf" | "from-rdf" => {
            &[&["FILE"], &["FILE", "--from", "jsonld"]]
        }
        "shapes" => &[&["sparql", "FILE"], &["sparql", "FILE", "--format", "json"]],
        "schema-org" => &[&["table", "FILE"]],
        "canon" => &[&["FILE"], &["FILE", "--hash"]],
        "frame" => &[&["FILE", "--frame", "GOOD"]],
        "diff" => &[
            &["FILE", "GOOD"],
            &["GOOD", "FILE"],
            &["FILE", "GOOD", "--by", "triple"],
            &["FILE", "GOOD", "--by", "question"],
        ],
        "compare" => &[&["FILE", "GOOD"], &["FILE", "--by", "model"]],
        "agreement" => &[&["FILE"], &["FILE", "--from", "rlcf", "--format", "json"]],
        "fmt" => &[&["FILE", "-o", "OUT/file"], &["FILE", "--check"]],
        "merge" => &[&["FILE", "GOOD"], &["FILE", "-o", "OUT/file"]],
        "split" => &[&["FILE", "--max", "1", "-o", "OUT"], &["FILE", "--train", "0.5", "-o", "OUT"]],
        "templates" => &[&["extract", "FILE", "-o", "OUT"], &["apply", "FILE", "OUT"]],
        "new" => &[
            &["FILE", "-o", "OUT/file"],
            &["FILE", "--map-column", "question=name"],
            &["FILE", "--map-column", "answer=api_key"],
        ],
        "figures" => {
            &[&["FILE"], &["FILE", "--from", "rlcf", "--show", "feedback"], &["GOOD", "--config", "FILE"]]
        }
        "convert" => &[
            &["FILE", "--from", "rlcf", "--to", "nq", "--with", "sidecar", "--with", "catalog"],
            &["FILE", "--from", "train", "--to", "nq", "--with", "sidecar", "--with", "catalog"],
            &["FILE", "--from", "train", "--map-column", "answer=api_key", "--to", "nq"],
            &["FILE", "--from", "train", "--map-column", "answer=question", "--to", "same"],
            &["FILE", "--from", "kwanzaa", "--to", "nq", "--with", "sidecar", "--with", "catalog"],
            &["FILE", "--encoding", "utf-16", "--to", "nq", "--with", "sidecar"],
            &["FILE", "--encoding", "windows-1252", "--to", "nq", "--with", "sidecar"],
            &["GOOD", "--to", "hf-chat", "--system-prompt", "GOOD"],
        ],
        "restore" => &[&["FILE", "--store", "OUT/restored"]],
        "export" => &[
            &["files", "OUT/export", "FILE", "--replace"],
            &["files", "OUT/export", "FILE", "--from", "rlcf", "--with", "catalog,sidecar", "--replace"],
        ],
        // What becomes of the key in a store is asked of the store's own tests.
        "load" | "init" | "graphs" | "dump" | "doctor" | "undo" | "backup" => return None,
        // The tests of the server ask it.
        "serve" => return None,
        // These take no file.
        "queries" | "corpus-name" | "explain" | "completions" | "man" | "shell" | "help" => return None,
        other => panic!("say how `{other}` is run on a file, or that it takes none"),
    };
    Some(ways.iter().map(|way| way.to_vec()).collect())
}

/// All that `convert --to` takes.
fn targets() -> BTreeSet<String> {
    let program = super::program();
    let convert = program.find_subcommand("convert").expect("there is the command");
    let to = convert.get_arguments().find(|argument| argument.get_id() == "to").expect("there is the option");
    to.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

/// What shows a piece of the key.
pub(crate) fn shown(what: &str, bytes: &[u8]) -> Option<String> {
    // In UTF-16, too.
    let letters: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    let shows = |piece: &[u8]| memchr::memmem::find(&letters, piece).is_some();
    SECRET.as_bytes().windows(8).any(shows).then(|| format!("{what}: {}", String::from_utf8_lossy(&letters)))
}

fn shown_in_files(folder: &Path, what: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() {
            found.extend(shown_in_files(&path, what));
        } else {
            let bytes = fs::read(&path).expect("it was written");
            found.extend(shown(&format!("{} of {what}", path.display()), &bytes));
        }
    }
    found
}

/// What of a run shows the key.
fn run(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let out = folder.join("out");
    fs::create_dir_all(&out).expect("the folder is ours");
    let mut program = crate::program::program();
    let output = program.args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("it runs");
    let what = arguments.join(" ");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{what}");
    let mut found = shown_in_files(&out, &what);
    found.extend(shown(&format!("stdout of {what}"), &output.stdout));
    found.extend(shown(&format!("stderr of {what}"), &output.stderr));
    fs::remove_dir_all(&out).expect("the folder is ours");
    found
}

#[test]
fn no_command_shows_a_key() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let good = path("karenina/p1-physics.jsonld");
    let good = good.to_str().expect("names are UTF-8");
    let program = super::program();
    let commands: Vec<&str> = program.get_subcommands().map(|command| command.get_name()).collect();
    let targets = targets();
    assert!(targets.contains("same") && targets.contains("hf-chat"), "{targets:?}");
    let found = files().into_par_iter().enumerate().flat_map_iter(|(number, (file, bytes))| {
        let mut found = Vec::new();
        let root = &root.join(number.to_string());
        fs::create_dir(root).expect("the folder is ours");
        fs::write(root.join(file), &bytes).expect("the folder is ours");
        // Each way meets some of the files.
        let mut turn = number;
        let mut is_tried = || {
            turn += 1;
            turn.is_multiple_of(one_of(4))
        };
        for command in &commands {
            for way in ways(command).unwrap_or_default() {
                if !is_tried() {
                    continue;
                }
                let put = |part: &&'static str| match *part {
                    "FILE" => file.to_owned(),
                    "GOOD" => good.to_owned(),
                    part => part.replace("OUT", "out"),
                };
                let arguments: Vec<String> = way.iter().map(put).collect();
                let mut all = vec![*command];
                all.extend(arguments.iter().map(String::as_str));
                found.extend(run(root, &all));
            }
        }
        for target in targets.iter().filter(|_| is_tried()) {
            // Some want a folder, and some a file.
            let output = if number.is_multiple_of(2) { "out/file" } else { "out/" };
            found.extend(run(root, &["convert", file, "--to", target, "-o", output, "--report-loss"]));
        }
        assert_eq!(fs::read(root.join(file)).expect("it is there"), bytes, "{file} was changed");
        found
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "{} show the key:\n{}", found.len(), found.join("\n"));
}
