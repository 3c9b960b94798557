//! Loading again: which documents are one, and which files are left alone.

use std::fs;
use std::path::Path;

use crate::cli::input::{evalgraph, run};

fn store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(run(folder.path(), &["init"]).0, 0);
    folder
}

/// Runs `load -` with a text on its standard input.
fn load_stdin(folder: &Path, text: &str, options: &[&str]) -> String {
    let mut command = evalgraph(folder);
    let output = command.args([&["load", "-"], options].concat()).write_stdin(text).output();
    String::from_utf8(output.expect("the program starts").stderr).expect("messages are UTF-8")
}

fn dump(folder: &Path) -> Vec<String> {
    let (status, stdout, stderr) = run(folder, &["dump"]);
    assert_eq!(status, 0, "{stderr}");
    stdout.lines().map(str::to_owned).collect()
}

#[test]
fn two_standard_inputs_are_two_documents() {
    let folder = store();
    let path = folder.path();
    let (one, two) = ("<urn:a> <urn:p> \"1\" .\n", "<urn:b> <urn:p> \"2\" .\n");
    assert!(load_stdin(path, one, &[]).contains("loaded 1 new"));
    assert!(load_stdin(path, two, &[]).contains("loaded 1 new"));
    assert_eq!(dump(path).len(), 2);
    // The same content is the same document, and a name stands for what it is given to.
    assert!(load_stdin(path, two, &[]).contains("loaded 1 replaced"));
    assert!(load_stdin(path, one, &["--dataset", "nightly"]).contains("loaded 1 new"));
    assert!(load_stdin(path, two, &["--dataset", "nightly"]).contains("loaded 1 replaced"));
    assert!(load_stdin(path, one, &["--encoding", "utf-8"]).contains("loaded 1 replaced"));
    assert_eq!(dump(path).len(), 3);
    let (status, _, stderr) = run(path, &["graphs", "drop", "nightly"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(dump(path).len(), 2);
}

#[test]
fn a_standard_input_does_not_undo_what_was_changed_since() {
    let folder = store();
    let path = folder.path();
    load_stdin(path, "<urn:a> <urn:p> \"1\" .\n", &["--dataset", "n"]);
    let insert = "INSERT DATA { GRAPH <urn:evalgraph:graph:n> { <urn:a> <urn:p> \"mine\" } }";
    assert_eq!(run(path, &["update", "-q", insert]).0, 0);
    let stderr = load_stdin(path, "<urn:a> <urn:p> \"2\" .\n", &["--dataset", "n"]);
    assert!(stderr.contains("store::edited"), "{stderr}");
    assert!(dump(path).iter().any(|line| line.contains("mine")));
    let stderr = load_stdin(path, "<urn:a> <urn:p> \"2\" .\n", &["--dataset", "n", "--replace"]);
    assert!(stderr.contains("loaded 1 replaced"), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_utf_8_are_documents_of_their_own() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = store();
    let path = folder.path();
    let files = path.join("files");
    fs::create_dir(&files).expect("the folder is ours");
    for (name, number) in [(&b"x\xff.nt"[..], 1), (b"x\xfe.nt", 2)] {
        fs::write(files.join(OsStr::from_bytes(name)), format!("<urn:{number}> <urn:p> \"{number}\" .\n"))
            .expect("the folder is ours");
    }
    let (status, _, stderr) = run(path, &["load", "files"]);
    assert!(status == 0 && stderr.contains("loaded 2 new"), "{stderr}");
    let (_, _, stderr) = run(path, &["load", "files"]);
    assert!(stderr.contains("loaded 2 unchanged"), "{stderr}");
    assert_eq!(dump(path).len(), 2);
    // A fault names the file that has it, and the name that a message shows drops the graph.
    fs::write(files.join(OsStr::from_bytes(b"x\xfe.nt")), "<urn:2>").expect("the folder is ours");
    let (status, _, stderr) = run(path, &["load", "files"]);
    assert!(status == 2 && stderr.contains("files/x%FE.nt:1:"), "{stderr}");
    let (status, _, stderr) = run(path, &["graphs", "drop", "files/x%FE.nt"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(dump(path), ["<urn:1> <urn:p> \"1\" <urn:evalgraph:graph:x%25FF> ."]);
    let listed = run(path, &["graphs", "--format", "json"]).1;
    let url =
        listed.split('"').find(|word| word.starts_with("file://")).expect("the path is a URL").to_owned();
    assert!(url.ends_with("/files/x%FF.nt"), "{url}");
    let (status, _, stderr) = run(path, &["load", &url]);
    assert!(status == 0 && stderr.contains("loaded 1 unchanged"), "{stderr}");
    assert_eq!(run(path, &["graphs", "drop", &url]).0, 0);
    assert_eq!(dump(path).len(), 0);
    // Contexts are found beside such files, too.
    let below = path.join(OsStr::from_bytes(b"d\xff"));
    fs::create_dir(&below).expect("the folder is ours");
    fs::write(below.join("c.json"), r#"{"@context": {"x": "urn:x"}}"#).expect("the folder is ours");
    fs::write(below.join("a.jsonld"), r#"{"@context": "c.json", "@id": "urn:a", "x": "v"}"#).expect("ours");
    fs::remove_file(files.join(OsStr::from_bytes(b"x\xfe.nt"))).expect("it is there");
    let (status, stdout, stderr) = run(path, &["query", ".", "-q", "SELECT ?o { <urn:a> ?p ?o }"]);
    assert_eq!((status, stdout.as_str()), (0, "o\r\nv\r\n"), "{stderr}");
}

#[test]
fn a_file_is_unchanged_only_where_it_would_be_read_alike() {
    let folder = store();
    let path = folder.path();
    let context = |name: &str| format!(r#"{{"@context": {{"x": "http://e/{name}"}}}}"#);
    fs::write(path.join("c.json"), context("one")).expect("the folder is ours");
    fs::write(path.join("a.jsonld"), r#"{"@context": "c.json", "@id": "a", "x": "v"}"#).expect("ours");
    fs::write(path.join("u.csv"), "question,answer,note\nq,this,that\n").expect("the folder is ours");
    let load = |arguments: &[&str], expected: &str| {
        let (status, _, stderr) = run(path, &[&["load"], arguments].concat());
        assert!(status == 0 && stderr.contains(expected), "{arguments:?}: {stderr}");
    };
    load(&["a.jsonld"], "loaded 1 new");
    load(&["a.jsonld"], "loaded 1 unchanged");
    fs::write(path.join("c.json"), context("two")).expect("the folder is ours");
    load(&["a.jsonld"], "loaded 1 replaced");
    assert!(dump(path).iter().all(|line| line.contains("http://e/two")));
    for options in [
        &["--base", "http://b/"][..],
        &["--plain"],
        &["--dataset", "other"],
        &["--encoding", "utf-8"],
        &["--from", "jsonld"],
        &["--expand-context", "c.json", "--document-url", "http://d/", "--map", "http://d/c.json=c.json"],
    ] {
        load(&[options, &["a.jsonld"]].concat(), "loaded 1 replaced");
        load(&[options, &["a.jsonld"]].concat(), "loaded 1 unchanged");
        load(&["a.jsonld"], "loaded 1 replaced");
    }
    load(&["--replace", "a.jsonld"], "loaded 1 replaced");
    load(&["u.csv"], "loaded 1 new");
    load(&["u.csv", "--map-column", "answer=note"], "loaded 1 replaced");
    let (_, stdout, _) = run(path, &["query", "-q", "SELECT ?t { ?a a s:Answer ; s:text ?t }"]);
    assert_eq!(stdout, "t\r\nthat\r\n");
    // The rows of a dataset directory are read together with the documents beside them.
    fs::create_dir_all(path.join("d/corpus")).expect("the folder is ours");
    fs::write(path.join("d/corpus/a.txt"), "one").expect("the folder is ours");
    let row = r#"[{"id": 1, "question": "q", "answer": "a", "is_impossible": false, "file_name": "a.txt"}]"#;
    fs::write(path.join("d/train.json"), row).expect("the folder is ours");
    load(&["d"], "loaded 1 new");
    load(&["d"], "loaded 1 unchanged");
    fs::write(path.join("d/corpus/b.txt"), "two").expect("the folder is ours");
    load(&["d"], "loaded 1 replaced");
    load(&["d"], "loaded 1 unchanged");
}
