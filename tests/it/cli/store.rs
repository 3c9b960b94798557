//! The store from a user's chair: files go in, are asked for, replaced and dropped, and every refusal says why.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use evalgraph::store::{FolderMedium, StoreFolder};

use crate::cli::input::run;

fn checkpoint(name: &str, questions: &[&str]) -> String {
    let items: Vec<String> = questions
        .iter()
        .map(|text| {
            let id = text.replace(|character: char| !character.is_ascii_alphanumeric(), "");
            format!(
                r#"{{"@type": "DataFeedItem", "@id": "urn:uuid:{id}", "item": {{"@type": "Question", "text": "{text}",
                "acceptedAnswer": {{"@type": "Answer", "text": "{id}"}}}}}}"#
            )
        })
        .collect();
    format!(
        r#"{{"@context": {{"@vocab": "http://schema.org/", "hasPart": {{"@container": "@set"}}}}, "@type": "Dataset",
        "@id": "urn:uuid:{name}", "name": "{name}", "version": "1", "hasPart": [{}]}}"#,
        items.join(",\n")
    )
}

/// A folder with a store and two files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("sums.jsonld"), checkpoint("sums", &["1 + 1?", "2 + 2?"]))
        .expect("the folder is ours");
    fs::write(path.join("words.jsonld"), checkpoint("words", &["Who?"])).expect("the folder is ours");
    assert_eq!(run(path, &["init"]).0, 0);
    assert_eq!(fs::read_to_string(path.join(".evalgraph/.gitignore")).expect("it is there"), "*\n");
    folder
}

fn questions(path: &Path) -> String {
    let query = "SELECT ?text { ?q a s:Question ; s:text ?text } ORDER BY ?text";
    let (status, stdout, stderr) = run(path, &["query", "-q", query]);
    assert_eq!(status, 0, "{stderr}");
    stdout.replace("\r\n", ";")
}

#[test]
fn what_is_loaded_is_asked_for_without_naming_it() {
    let folder = folder();
    let path = folder.path();
    let (status, stdout, stderr) = run(path, &["load", "sums.jsonld", "words.jsonld"]);
    assert_eq!((status, stdout.as_str()), (0, ""), "{stderr}");
    assert!(stderr.contains("loaded 2 new"), "{stderr}");
    assert_eq!(questions(path), "text;1 + 1?;2 + 2?;Who?;");
    // A folder below finds the store above.
    fs::create_dir(path.join("below")).expect("the folder is ours");
    assert_eq!(questions(&path.join("below")), "text;1 + 1?;2 + 2?;Who?;");
    // The same as from the files.
    let query = ["-q", "SELECT ?s ?p ?o { ?s ?p ?o FILTER(!ISBLANK(?s) && !ISBLANK(?o)) } ORDER BY ?s ?p ?o"];
    let of_store = run(path, &[&["query"][..], &query].concat()).1;
    let of_files = run(path, &[&["query", "sums.jsonld", "words.jsonld"][..], &query].concat()).1;
    assert_eq!(of_store, of_files);
    // Commands that read files take the documents of the store.
    let of_store = run(path, &["stats", "--format", "json"]).1;
    assert_eq!(of_store, run(path, &["stats", "sums.jsonld", "words.jsonld", "--format", "json"]).1);
    let (status, of_store, _) = run(path, &["convert", "--to", "nq"]);
    assert_eq!(status, 0);
    assert_eq!(of_store.lines().count(), run(path, &["dump"]).1.lines().count());
}

#[test]
fn a_dump_has_the_quads_of_the_files() {
    let folder = folder();
    let path = folder.path();
    run(path, &["load", "sums.jsonld", "words.jsonld"]);
    fs::write(path.join("dump.nq"), run(path, &["dump"]).1).expect("the folder is ours");
    let of_files =
        run(path, &["convert", "sums.jsonld", "words.jsonld", "--with", "catalog", "--to", "nq"]).1;
    let of_files: Vec<&str> = of_files.lines().filter(|line| !line.contains("graph:catalog")).collect();
    fs::write(path.join("files.nq"), of_files.join("\n") + "\n").expect("the folder is ours");
    assert_eq!(run(path, &["diff", "dump.nq", "files.nq"]).0, 0);
    // One graph, another format, and the catalog where it is wanted.
    let one = run(path, &["dump", "words.jsonld", "--to", "trig"]).1;
    assert!(one.contains("Who?") && !one.contains("1 + 1?"), "{one}");
    assert!(run(path, &["dump", "--all-graphs"]).1.contains("urn:evalgraph:graph:catalog"));
    let keys = "SELECT ?k { GRAPH <urn:evalgraph:graph:catalog> { ?q eg:textKey ?k } }";
    assert_eq!(run(path, &["query", "-q", keys]).1.lines().count(), 4);
}

#[test]
fn a_file_that_is_loaded_again_replaces_its_graph() {
    let folder = folder();
    let path = folder.path();
    run(path, &["load", "sums.jsonld", "words.jsonld"]);
    let before = fs::read(path.join(".evalgraph/manifest")).expect("there is one");
    let (status, _, stderr) = run(path, &["load", "sums.jsonld"]);
    assert_eq!(status, 0);
    assert!(stderr.contains("1 unchanged"), "{stderr}");
    assert_eq!(
        fs::read(path.join(".evalgraph/manifest")).expect("there is one"),
        before,
        "nothing is written"
    );
    fs::write(path.join("sums.jsonld"), checkpoint("sums", &["3 + 3?"])).expect("the folder is ours");
    let (_, _, stderr) = run(path, &["load", "sums.jsonld", "--dry-run"]);
    assert!(stderr.contains("would load 1 replaced"), "{stderr}");
    assert_eq!(
        fs::read(path.join(".evalgraph/manifest")).expect("there is one"),
        before,
        "nothing is written"
    );
    let (_, _, stderr) = run(path, &["load", "."]);
    assert!(stderr.contains("loaded 1 replaced, 1 unchanged"), "{stderr}");
    assert_eq!(questions(path), "text;3 + 3?;Who?;");
    // A new name of the dataset: the old graph goes all the same.
    fs::write(path.join("sums.jsonld"), checkpoint("other", &["4 + 4?"])).expect("the folder is ours");
    run(path, &["load", "sums.jsonld"]);
    assert_eq!(questions(path), "text;4 + 4?;Who?;");
}

#[test]
fn another_file_with_the_same_dataset_gets_a_name_of_its_own() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("copy.jsonld"), checkpoint("sums", &["5 + 5?"])).expect("the folder is ours");
    run(path, &["load", "sums.jsonld"]);
    let (status, _, stderr) = run(path, &["load", "copy.jsonld"]);
    assert_eq!(status, 0);
    assert!(stderr.contains("this one becomes `urn:uuid:sums-"), "{stderr}");
    assert_eq!(questions(path), "text;1 + 1?;2 + 2?;5 + 5?;");
    // Loaded again it keeps the name that it got.
    fs::write(path.join("copy.jsonld"), checkpoint("sums", &["6 + 6?"])).expect("the folder is ours");
    let (_, _, stderr) = run(path, &["load", "copy.jsonld"]);
    assert!(stderr.contains("1 replaced"), "{stderr}");
    assert_eq!(questions(path), "text;1 + 1?;2 + 2?;6 + 6?;");
}

#[test]
fn all_files_are_loaded_or_none() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("broken.jsonld"), "{\"@context\": ").expect("the folder is ours");
    let (status, _, stderr) = run(path, &["load", "sums.jsonld", "broken.jsonld"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("broken.jsonld:1:"), "{stderr}");
    assert_eq!(questions(path), "text;");
    let (status, _, _) = run(path, &["load", "sums.jsonld", "broken.jsonld", "--keep-going"]);
    assert_eq!(status, 2, "one was at fault");
    assert_eq!(questions(path), "text;1 + 1?;2 + 2?;");
}

#[test]
fn graphs_are_listed_and_dropped() {
    let folder = folder();
    let path = folder.path();
    run(path, &["load", "sums.jsonld", "words.jsonld"]);
    let (_, table, _) = run(path, &["graphs"]);
    assert!(table.contains("urn:evalgraph:graph:urn%3Auuid%3Asums"), "{table}");
    let (_, json, _) = run(path, &["graphs", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(list[1]["dataset"], "urn:uuid:words");
    assert!(list[1]["path"].as_str().is_some_and(|path| path.ends_with("words.jsonld")), "{json}");
    let (status, _, stderr) = run(path, &["graphs", "drop", "nothing"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("the store has no graph `nothing`"), "{stderr}");
    let (status, _, stderr) = run(path, &["graphs", "drop", "sums.jsonld"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(questions(path), "text;Who?;");
    // Nothing of it is left, in the catalog neither.
    assert!(!run(path, &["dump", "--all-graphs"]).1.contains("sums"));
}

#[test]
fn a_missing_store_and_a_damaged_one_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let (status, _, stderr) = run(path, &["query", "-q", "ASK {}"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("there is no input, and no store `.evalgraph`"), "{stderr}");
    let folder = self::folder();
    let path = folder.path();
    run(path, &["load", "sums.jsonld", "words.jsonld"]);
    assert_eq!(run(path, &["doctor"]).0, 0);
    assert_eq!(run(path, &["init"]).0, 2, "there is a store already");
    let names = fs::read_dir(path.join(".evalgraph")).expect("there is one");
    let names: Vec<_> = names.map(|entry| entry.expect("it is readable").path()).collect();
    let segment = names.iter().find(|path| path.to_string_lossy().contains("graphs-")).expect("there is one");
    let mut bytes = fs::read(segment).expect("it is readable");
    bytes[40] ^= 1;
    fs::write(segment, bytes).expect("the folder is ours");
    let (status, _, stderr) = run(path, &["query", "-q", "SELECT * { ?s ?p ?o }"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("store::damaged") && stderr.contains("evalgraph doctor"), "{stderr}");
    let (status, _, stderr) = run(path, &["doctor"]);
    assert_eq!(status, 1);
    assert!(stderr.contains("`evalgraph doctor --repair` reads it again"), "{stderr}");
}

#[test]
fn a_secret_is_in_no_file_of_the_store() {
    const SECRET: &str = "sk-QUITE-DISTINCTIVE-0815";
    let files = [
        ("ai_models.json", format!(r#"[{{"name": "m", "api_key": "{SECRET}", "max_tokens": 1}}]"#)),
        (
            "users.jsonl",
            format!("{{\"id\": 1, \"username\": \"a\", \"api_key\": \"{SECRET}\"}}\n{{\"id\": 2}}\n"),
        ),
        (
            "tasks.yaml",
            format!(
                "# api_key: {SECRET}\ntasks:\n  - task_type: QA\n    api_key: {SECRET}\n    input_data:\n      question: Why?\n"
            ),
        ),
        ("train.csv", format!("id,question,answer,api_key\n0,Why?,So,{SECRET}\n")),
    ];
    for (name, text) in files {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path();
        fs::write(path.join(name), text).expect("the folder is ours");
        run(path, &["init"]);
        let (status, _, stderr) = run(path, &["load", name]);
        assert_eq!(status, 0, "{name}: {stderr}");
        for entry in fs::read_dir(path.join(".evalgraph")).expect("there is one") {
            let bytes = fs::read(entry.expect("it is readable").path()).expect("it is readable");
            assert!(!bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()), "{name}");
        }
        // The text that was kept is compressed: it is what `same` writes and what `convert` reads.
        for arguments in [
            &["dump", "--all-graphs"][..],
            &["dump", "--whole"],
            &["convert", "--to", "same"],
            &["graphs"],
            &["stats"],
        ] {
            let (_, stdout, stderr) = run(path, arguments);
            assert!(!stderr.contains("cannot be read"), "{name} {arguments:?}: {stderr}");
            assert!(!stdout.contains(SECRET) && !stderr.contains(SECRET), "{name} {arguments:?}");
        }
    }
}

#[test]
fn a_change_waits_for_another_where_it_is_told_to() {
    let folder = folder();
    let path = folder.path();
    let store =
        StoreFolder::open(Arc::new(FolderMedium::new(path.join(".evalgraph")))).expect("there is one");
    let change = store.change("process 4711").expect("nobody else does");
    for arguments in [&["load", "sums.jsonld"][..], &["load", "sums.jsonld", "--wait", "10ms"]] {
        let (status, _, stderr) = run(path, arguments);
        assert_eq!(status, 2, "{stderr}");
        assert!(
            stderr.contains("is being changed by process 4711") && stderr.contains("--wait 1m"),
            "{stderr}"
        );
    }
    let mut waiting = crate::program::program();
    let waiting = waiting.current_dir(path).args(["load", "sums.jsonld", "--wait", "10m"]);
    let mut waiting = waiting.stderr(std::process::Stdio::null()).spawn().expect("the program starts");
    drop(change);
    assert!(waiting.wait().expect("it ends").success());
    assert_eq!(questions(path), "text;1 + 1?;2 + 2?;");
}

/// A limit of the system on the size of files ends no run without a word.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let line = |at: usize| format!("<urn:s{at}> <urn:p> \"text {}\" .\n", at * 7919 % 1_000_003);
    fs::write(path.join("a.nt"), (0..20_000).map(line).collect::<String>()).expect("the folder is ours");
    assert_eq!(run(path, &["init"]).0, 0);
    let files = || {
        let entries = fs::read_dir(path.join(".evalgraph")).expect("the store is there");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("it can be read").file_name()).collect();
        names.sort();
        names
    };
    let before = files();
    for command in ["load a.nt", "convert a.nt --to ttl -o b.ttl"] {
        let script = format!("ulimit -f 64; exec '{}' {command}", crate::program::PATH);
        let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(path).output();
        let output = output.expect("there is a shell");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {stderr}");
        assert!(
            stderr.contains("error[store::") || stderr.contains("output::unwritable"),
            "{command}: {stderr}"
        );
    }
    let rest: Vec<_> = files().into_iter().filter(|name| !before.contains(name) && name != "lock").collect();
    assert!(rest.is_empty(), "{rest:?}");
    let count = fs::read_dir(path).expect("the folder is ours").count();
    assert_eq!(count, 2, "the file and the store");
}
