//! Datasets of train.json on the command line: directories, tables, encodings, archives, names of files.

use crate::cli::input::{evalgraph, run};
use crate::karenina::fixtures::path;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn fixture(name: &str) -> String {
    path("train").join(name).display().to_string()
}

/// The answer of a query as CSV without its header.
fn query(arguments: &[&str], text: &str) -> String {
    let folder = folder();
    let arguments = [&["query"], arguments, &["-q", text, "--format", "csv"]].concat();
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    stdout.split_once('\n').map(|(_, rows)| rows.replace("\r\n", "\n")).unwrap_or_default()
}

#[test]
fn the_names_of_pages_are_printed() {
    let folder = folder();
    let urls = ["https://x.org/wiki/Caf%C3%A9#History", "https://x.org/Rubik's_Cube"];
    let (status, stdout, stderr) = run(folder.path(), &["corpus-name", urls[0], urls[1]]);
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (0, "Caf%C3%A9#History\nRubik's_Cube\n", ""));
    let (status, stdout, _) = run(folder.path(), &["corpus-name", urls[0], "--format", "json"]);
    let list: Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert_eq!(
        (status, &list[0]["stem"], &list[0]["url"]),
        (0, &"Caf%C3%A9#History".into(), &urls[0].into())
    );
}

#[test]
fn a_page_without_a_name_and_two_of_one_name_are_told() {
    let folder = folder();
    let (status, stdout, stderr) = run(folder.path(), &["corpus-name", "https://x.org/a/"]);
    assert_eq!((status, stdout.as_str()), (1, "\n"));
    assert!(stderr.contains("warning[train::no-stem]: `https://x.org/a/` ends in `/`"), "{stderr}");
    let urls = ["https://x.org/p?title=A", "https://x.org/p?title=B"];
    let (status, stdout, stderr) = run(folder.path(), &["corpus-name", urls[0], urls[1], urls[0]]);
    assert_eq!((status, stdout.as_str()), (1, "p\np\np\n"));
    let message = "`https://x.org/p?title=B` and `https://x.org/p?title=A` both become `p`";
    assert!(stderr.contains(message), "{stderr}");
    assert_eq!(stderr.matches("train::same-stem").count(), 1, "{stderr}");
}

#[test]
fn urls_come_from_stdin_as_well() {
    let folder = folder();
    let mut program = evalgraph(folder.path());
    let program = program.args(["corpus-name", "-"]).write_stdin("https://x.org/a\n\nhttps://x.org/b;c\n");
    let output = program.output().expect("the program starts");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"a\nb\n"[..]));
}

#[test]
fn a_dataset_directory_is_its_rows_and_its_corpus_is_checked() {
    let folder = folder();
    let good = fixture("general-knowledge");
    let (status, stdout, stderr) = run(folder.path(), &["validate", &good]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    assert!(stdout.contains("general-knowledge/train.json: conforms to seed"), "{stdout}");
    assert!(stdout.contains("0 violations, 0 warnings, 2 info"), "{stdout}");
    assert!(stdout.contains("corpus/Ceramics.txt: no row names the file"), "{stdout}");
    let (status, stdout, _) = run(folder.path(), &["validate", &fixture("bad/corpus-faults")]);
    assert_eq!(status, 1);
    assert!(stdout.contains("`Café.txt` is not in the corpus, which has `Caf%C3%A9.txt`"), "{stdout}");
    let (status, stdout, _) = run(folder.path(), &["validate", &fixture("bad/no-corpus")]);
    assert_eq!(status, 1);
    assert!(stdout.contains("there is no folder `corpus` in the dataset directory"), "{stdout}");
    // The file alone is not a directory.
    let (status, ..) = run(folder.path(), &["validate", &fixture("bad/no-corpus/train.json")]);
    assert_eq!(status, 0);
}

#[test]
fn what_is_said_to_be_rows_is_checked_whatever_it_is() {
    let folder = folder();
    for (name, rule) in [("bad/object.json", "T-2"), ("bad/rows.json", "T-3"), ("bad/bom.json", "T-17")] {
        let (status, stdout, _) = run(folder.path(), &["validate", &fixture(name), "--from", "train"]);
        assert_eq!(status, 1, "{name}: {stdout}");
        assert!(stdout.contains(&format!("{rule} violation")), "{name}: {stdout}");
    }
}

#[test]
fn an_encoding_is_taken_where_it_is_named() {
    let folder = folder();
    let latin = fixture("bad/latin1.json");
    let (status, _, stderr) = run(folder.path(), &["validate", &latin, "--from", "train"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("`--encoding windows-1252` (Western European)"), "{stderr}");
    let (status, stdout, _) =
        run(folder.path(), &["validate", &latin, "--from", "train", "--encoding", "latin1"]);
    assert_eq!(status, 1);
    assert!(stdout.contains("the file is latin1, not utf-8"), "{stdout}");
    let text = "question,answer\nWo liegt Köln?,Am Rhein – in Westen\n";
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(folder.path().join("utf16.csv"), &utf16).expect("the folder is ours");
    let file = folder.path().join("utf16.csv").display().to_string();
    let texts = "SELECT ?t { ?q a s:Question ; s:text ?t }";
    assert_eq!(query(&[&file, "--encoding", "auto"], texts), "Wo liegt Köln?\n");
    let (status, stdout, _) = run(folder.path(), &["validate", "utf16.csv", "--encoding", "auto"]);
    assert_eq!(status, 1);
    assert!(stdout.contains("utf16.csv:1:1: the file is utf-16, not utf-8"), "{stdout}");
    let (status, _, stderr) = run(folder.path(), &["validate", "utf16.csv", "--encoding", "utf-7"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("auto, utf-8, utf-16, latin1, windows-1252"), "{stderr}");
}

#[test]
fn tables_and_lines_are_queried_with_their_columns_mapped() {
    let answers =
        "SELECT ?q ?a { ?x a s:Question ; s:text ?q ; s:acceptedAnswer/s:text ?a } ORDER BY ?q LIMIT 1";
    let mapping = ["--map-column", "question=prompt", "--map-column", "answer=gold"];
    let prompts = fixture("prompts.jsonl");
    let arguments = [&[prompts.as_str()][..], &mapping].concat();
    assert_eq!(query(&arguments, answers), "Name the longest river of Africa.,The Nile\n");
    let counts =
        "SELECT (COUNT(*) AS ?n) (COUNT(?a) AS ?m) { ?x a s:Question OPTIONAL { ?x s:acceptedAnswer ?a } }";
    assert_eq!(query(&[&fixture("table.csv")], counts), "5,4\n");
    assert_eq!(query(&[&fixture("lines.jsonl")], counts), "6,6\n");
    assert_eq!(query(&[&fixture("general-knowledge")], counts), "16,13\n");
}

#[test]
fn the_corpus_is_in_the_graph_of_its_dataset() {
    let missing = "SELECT ?name { ?context a eg:Context ; s:isPartOf ?document . ?document s:name ?name
        FILTER NOT EXISTS { ?dataset s:distribution ?document } } ORDER BY ?name";
    assert_eq!(query(&[&fixture("bad/corpus-faults")], missing), "Café.txt\nOil.txt\n");
    assert_eq!(query(&[&fixture("general-knowledge")], missing), "");
    let files = "SELECT ?type (COUNT(*) AS ?n) { ?dataset s:distribution/s:encodingFormat ?type }
        GROUP BY ?type ORDER BY ?type";
    let expected = "application/pdf,1\ntext/html,1\ntext/markdown,1\ntext/plain,7\n";
    assert_eq!(query(&[&fixture("general-knowledge")], files), expected);
}

#[test]
fn archives_are_named_with_what_to_unpack() {
    let folder = folder();
    let write =
        |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("the folder is ours");
    write("set.tar", &tar(&["set/", "set/train.json", "set/corpus/a.txt", "set/corpus/b.txt"]));
    let (status, _, stderr) = run(folder.path(), &["stats", "set.tar"]);
    assert_eq!(status, 2);
    let message =
        "`set.tar` is a tar archive with 3 files: a dataset, with `set/train.json` and 2 in `set/corpus/`";
    assert!(stderr.contains(message), "{stderr}");
    assert!(stderr.contains("tar -xf 'set.tar' -C FOLDER`, then `FOLDER/set`"), "{stderr}");
    write("it's.zip", &zip(&["train.json", "corpus/a.txt"]));
    let (status, _, stderr) = run(folder.path(), &["stats", "it's.zip"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[input::archive]: `it's.zip` is a zip archive with 2 files"), "{stderr}");
    // What is damaged is still an archive, and what claims more than there is does no harm.
    for bytes in [&b"PK\x03\x04"[..], b"PK\x05\x06\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"] {
        write("bad.zip", bytes);
        let (status, _, stderr) = run(folder.path(), &["stats", "bad.zip"]);
        assert!(status == 2 && stderr.contains("`bad.zip` is a zip archive"), "{stderr}");
    }
    write("rows.parquet", b"PAR1....PAR1");
    let (status, _, stderr) = run(folder.path(), &["stats", "rows.parquet"]);
    assert!(status == 2 && stderr.contains("parquet::damaged"), "{stderr}");
}

/// A tar archive with files of one byte, folders where a name ends in `/`.
fn tar(names: &[&str]) -> Vec<u8> {
    let mut archive = Vec::new();
    for name in names {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        let size = if name.ends_with('/') { b"00000000000\0" } else { b"00000000001\0" };
        header[124..136].copy_from_slice(size);
        header[156] = if name.ends_with('/') { b'5' } else { b'0' };
        header[257..263].copy_from_slice(b"ustar\0");
        archive.extend_from_slice(&header);
        if !name.ends_with('/') {
            archive.extend_from_slice(&[b'x'; 1]);
            archive.extend_from_slice(&[0; 511]);
        }
    }
    archive.extend_from_slice(&[0; 1024]);
    archive
}

/// A zip archive of nothing but its directory.
fn zip(names: &[&str]) -> Vec<u8> {
    let mut archive = b"PK\x03\x04".to_vec();
    let start = archive.len() as u32;
    for name in names {
        let mut entry = [0; 46];
        entry[..4].copy_from_slice(b"PK\x01\x02");
        entry[28] = name.len() as u8;
        archive.extend_from_slice(&entry);
        archive.extend_from_slice(name.as_bytes());
    }
    archive.extend_from_slice(b"PK\x05\x06");
    archive.extend_from_slice(&[0; 12]);
    archive.extend_from_slice(&start.to_le_bytes());
    archive.extend_from_slice(&[0; 2]);
    archive
}

#[test]
fn what_the_rules_measure_by_comes_from_a_configuration() {
    let folder = folder();
    let rows = r#"[{"id": 1, "question": "Why?", "answer": "N/A", "is_impossible": true, "split": "dev"}]"#;
    fs::write(folder.path().join("rows.json"), rows).expect("the folder is ours");
    let config = r#"{"train": {"no_answer": ["N/A"], "other_keys": ["split"], "first_id": 1}}"#;
    fs::write(folder.path().join("config.json"), config).expect("the folder is ours");
    let (status, text, _) = run(folder.path(), &["validate", "rows.json"]);
    assert_eq!(status, 0);
    assert!(text.contains("0 violations, 2 warnings, 1 info"), "{text}");
    let (status, text, stderr) = run(folder.path(), &["validate", "rows.json", "--config", "config.json"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(text.contains("0 violations, 0 warnings, 0 info"), "{text}");
    fs::write(folder.path().join("config.json"), config.replace("split\"", "split\", 7"))
        .expect("it is ours");
    let (status, _, stderr) = run(folder.path(), &["validate", "rows.json", "--config", "config.json"]);
    assert_eq!(status, 2);
    let message = "config.json:1:48: error[train::settings]: `other_keys` is not an array of strings";
    assert!(stderr.starts_with(message), "{stderr}");
}
