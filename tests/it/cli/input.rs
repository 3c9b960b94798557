//! Inputs as the command line takes them: files, folders, patterns, stdin, compression, limits, and
//! every way in which they can be at fault.

use std::fs;
use std::io::Write;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

const TRIPLE: &str = "<http://example.org/s> <http://example.org/p> \"o\" .\n";

pub(crate) fn evalgraph(folder: &Path) -> Command {
    let mut command = Command::new(crate::program::PATH);
    command.current_dir(folder).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs a command: its exit status, stdout and stderr.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    ended(evalgraph(folder).args(arguments))
}

/// Runs a command at a time, in seconds since 1970.
pub(crate) fn run_at(time: i64, folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    ended(evalgraph(folder).args(arguments).env("SOURCE_DATE_EPOCH", time.to_string()))
}

fn ended(command: &mut Command) -> (i32, String, String) {
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program speaks UTF-8");
    (output.status.code().expect("the program ends by itself"), text(output.stdout), text(output.stderr))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn write(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is ours");
    fs::write(path, content).expect("the folder is ours");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("a vector takes everything")
}

#[test]
fn missing_files_are_all_named_with_the_nearest_name() {
    let folder = folder();
    write(&folder, "checkpoint.ttl", TRIPLE);
    let (status, stdout, stderr) =
        run(folder.path(), &["convert", "chekpoint.ttl", "nowhere/a.ttl", "zzz", "--to", "nq"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    insta::assert_snapshot!(stderr, @r#"
error[input::not-found]: there is no file `chekpoint.ttl` (did you mean `checkpoint.ttl`?)
error[input::not-found]: there is no file `nowhere/a.ttl` (there is no directory `nowhere` either)
error[input::not-found]: there is no file `zzz`
"#);
}

#[test]
fn a_folder_is_read_recursively_and_in_order() {
    let folder = folder();
    write(&folder, "data/b.nt", "<x:b> <x:p> <x:o> .\n");
    write(&folder, "data/a/deep.ttl", "<x:a> <x:p> <x:o> .\n");
    write(&folder, "data/c.nq.gz", gzip(b"<x:c> <x:p> <x:o> .\n"));
    write(&folder, "data/notes.txt", "not data");
    write(&folder, "data/.hidden.nt", "<x:hidden> <x:p> <x:o> .\n");
    let (status, stdout, stderr) = run(folder.path(), &["convert", "data", "--to", "nt"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(stdout, "<x:a> <x:p> <x:o> .\n<x:b> <x:p> <x:o> .\n<x:c> <x:p> <x:o> .\n");
}

#[test]
fn a_folder_without_data_and_a_pattern_without_match_say_so() {
    let folder = folder();
    write(&folder, "empty/notes.txt", "not data");
    let (status, _, stderr) = run(folder.path(), &["convert", "empty", "*.trig", "[", "--to", "nt"]);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @r#"
error[input::empty-directory]: the directory `empty` contains no file to read (known extensions: .json, .jsonl, .ndjson, .csv, .tsv, .yaml, .yml, .jsonld, .nt, .nq, .ttl, .trig, .rdf, .n3, each also with .gz or .zst)
error[input::no-match]: no file matches the pattern `*.trig`
error[input::pattern]: `[` is not a pattern: invalid range pattern
"#);
}

#[test]
fn a_pattern_takes_what_it_matches() {
    let folder = folder();
    write(&folder, "runs/1/a.nt", "<x:a> <x:p> <x:o> .\n");
    write(&folder, "runs/2/b.nt", "<x:b> <x:p> <x:o> .\n");
    write(&folder, "runs/2/b.ttl", "<x:c> <x:p> <x:o> .\n");
    let (status, stdout, _) = run(folder.path(), &["convert", "runs/**/*.nt", "--to", "nt"]);
    assert_eq!(status, 0);
    assert_eq!(stdout, "<x:a> <x:p> <x:o> .\n<x:b> <x:p> <x:o> .\n");
    for pattern in ["**/a.nt", "./**/a.nt", "runs/**/a.nt", "ru*/**/a.nt", "runs/../runs/**/1/a.nt", "**/1/*"]
    {
        let (status, stdout, stderr) = run(folder.path(), &["convert", pattern, "--to", "nt"]);
        assert_eq!((status, stdout.as_str()), (0, "<x:a> <x:p> <x:o> .\n"), "{pattern}: {stderr}");
    }
    for (pattern, code) in
        [("runs/**/*.trig", "no-match"), ("gone/**/*.nt", "no-match"), ("runs/**/[", "pattern")]
    {
        let (status, _, stderr) = run(folder.path(), &["convert", pattern, "--to", "nt"]);
        assert!(status == 2 && stderr.contains(&format!("error[input::{code}]")), "{pattern}: {stderr}");
    }
}

/// Links that lead round in a circle have no end, two of them not even a short one.
#[cfg(unix)]
#[test]
fn a_pattern_of_all_folders_follows_no_links_to_folders() {
    let folder = folder();
    write(&folder, "runs/a.nt", "<x:a> <x:p> <x:o> .\n");
    for link in ["one", "two"] {
        std::os::unix::fs::symlink(".", folder.path().join("runs").join(link)).expect("the folder is ours");
    }
    for pattern in ["runs/**/*.nt", "**/*.nt", "runs/one/**/*.nt"] {
        let (status, stdout, stderr) = run(folder.path(), &["convert", pattern, "--to", "nt"]);
        assert_eq!((status, stdout.as_str()), (0, "<x:a> <x:p> <x:o> .\n"), "{pattern}: {stderr}");
    }
}

#[test]
fn a_file_whose_name_looks_like_a_pattern_is_a_file() {
    let folder = folder();
    write(&folder, "a[1].nt", TRIPLE);
    assert_eq!(run(folder.path(), &["convert", "a[1].nt", "--to", "nt"]).1, TRIPLE);
}

#[test]
fn stdin_is_read_and_its_format_recognised() {
    let folder = folder();
    for input in [TRIPLE.as_bytes().to_vec(), gzip(TRIPLE.as_bytes()), zstd(TRIPLE.as_bytes())] {
        let command =
            evalgraph(folder.path()).args(["convert", "-", "--to", "nt"]).write_stdin(input).assert();
        command.success().stdout(TRIPLE);
    }
    let (status, _, stderr) = run(folder.path(), &["convert", "-", "-", "--to", "nt"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[input::stdin]"), "{stderr}");
}

#[test]
fn compression_is_told_by_its_first_bytes() {
    let folder = folder();
    let members = [gzip(b"<x:a> <x:p> <x:o> .\n"), gzip(b"<x:b> <x:p> <x:o> .\n")].concat();
    write(&folder, "plain.nt", members);
    write(&folder, "named.nt.gz", zstd(b"<x:c> <x:p> <x:o> .\n"));
    write(&folder, "lying.nt.zst", "<x:d> <x:p> <x:o> .\n");
    let inputs = ["convert", "plain.nt", "named.nt.gz", "lying.nt.zst", "--to", "nt"];
    let (status, stdout, stderr) = run(folder.path(), &inputs);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(stdout.lines().count(), 4);
}

#[test]
fn a_damaged_stream_is_an_error() {
    let folder = folder();
    let whole = gzip(TRIPLE.repeat(100).as_bytes());
    write(&folder, "cut.nt.gz", &whole[..whole.len() - 9]);
    let whole = zstd(TRIPLE.repeat(100).as_bytes());
    write(&folder, "cut.nt.zst", &whole[..whole.len() - 9]);
    let (status, _, stderr) = run(folder.path(), &["convert", "cut.nt.gz", "cut.nt.zst", "--to", "nt"]);
    assert_eq!(status, 2);
    assert_eq!(stderr.matches("error[input::damaged]").count(), 2, "{stderr}");
}

#[test]
fn a_bomb_ends_at_the_limit() {
    let folder = folder();
    // Ten gigabytes of zeros in less than a megabyte: a frame of repeated blocks.
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).expect("an encoder");
    let zeros = vec![0_u8; 1 << 20];
    for _ in 0..256 {
        encoder.write_all(&zeros).expect("a vector takes everything");
    }
    let frame = encoder.finish().expect("a vector takes everything");
    write(&folder, "bomb.nt.zst", frame.repeat(40));
    write(&folder, "bomb.nt.gz", gzip(&vec![b' '; 20 << 20]));
    write(&folder, "large.nt", TRIPLE.repeat(40_000));
    let inputs = ["convert", "bomb.nt.zst", "bomb.nt.gz", "large.nt", "--to", "nt", "--max-size", "1MiB"];
    let (status, _, stderr) = run(folder.path(), &inputs);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @r#"
error[input::too-large]: `bomb.nt.zst` decompresses (zstd) to more than 1,048,576 bytes (raise the limit with `--max-size`, for example `--max-size 4GiB`)
error[input::too-large]: `bomb.nt.gz` decompresses (gzip) to more than 1,048,576 bytes (raise the limit with `--max-size`, for example `--max-size 4GiB`)
error[input::too-large]: `large.nt` contains more than 1,048,576 bytes (raise the limit with `--max-size`, for example `--max-size 4GiB`)
`--keep-going` leaves out the files that are at fault
"#);
}

#[test]
fn sizes_have_units_and_nonsense_is_a_usage_error() {
    let folder = folder();
    write(&folder, "a.nt", TRIPLE);
    for (size, expected) in
        [("60", 0), ("1k", 0), ("1KiB", 0), ("2 MB", 0), ("20", 2), ("1parsec", 2), ("-1", 2)]
    {
        let size = format!("--max-size={size}");
        assert_eq!(run(folder.path(), &["convert", "a.nt", "--to", "nt", &size]).0, expected, "{size}");
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    let folder = folder();
    // A link to itself cannot be read by anybody, root included.
    std::os::unix::fs::symlink("loop.nt", folder.path().join("loop.nt")).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["convert", "loop.nt", "--to", "nt"]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("error[input::unreadable]: `loop.nt` cannot be read: "), "{stderr}");
}

#[test]
fn all_faults_of_all_inputs_are_listed_and_nothing_is_written() {
    let folder = folder();
    write(&folder, "good.nt", TRIPLE);
    write(&folder, "bad.ttl", "@prefix ex: <http://example.org/> .\nex:s foo:p 1 .\n");
    write(&folder, "page.ttl", "<!DOCTYPE html><title>Not found</title>");
    write(&folder, "bad.jsonld", "{\"@id\": }");
    let inputs = ["convert", "good.nt", "bad.ttl", "page.ttl", "bad.jsonld", "gone.nt", "--to", "nt"];
    let (status, stdout, stderr) = run(folder.path(), &inputs);
    assert_eq!((status, stdout.as_str()), (2, ""));
    for code in ["rdf::syntax", "input::html", "json::", "input::not-found"] {
        assert!(stderr.contains(&format!("error[{code}")), "{code}: {stderr}");
    }
    let keep_going = [&inputs[..], &["--keep-going"]].concat();
    let (status, stdout, _) = run(folder.path(), &keep_going);
    assert_eq!((status, stdout.as_str()), (2, TRIPLE));
}

#[test]
fn what_a_bad_file_gave_before_its_fault_is_taken_back() {
    let folder = folder();
    write(&folder, "good.nt", TRIPLE);
    write(&folder, "bad.nt", "<x:before> <x:p> <x:o> .\n<x:s> oops <x:o> .\n");
    let (status, stdout, _) =
        run(folder.path(), &["convert", "bad.nt", "good.nt", "--to", "nt", "--keep-going"]);
    assert_eq!((status, stdout.as_str()), (2, TRIPLE));
}

#[test]
fn urls_say_that_the_network_is_off() {
    let folder = folder();
    let (status, _, stderr) = run(folder.path(), &["convert", "https://example.org/a.ttl", "--to", "nt"]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("error[input::url]"), "{stderr}");
}

#[test]
fn a_mistyped_command_is_a_usage_error_that_offers_the_nearest() {
    let folder = folder();
    let (status, _, stderr) = run(folder.path(), &["convrt", "a.nt"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("'convert'"), "{stderr}");
}

#[test]
fn the_extension_is_overruled_by_the_content_and_the_flag_overrules_both() {
    let folder = folder();
    write(&folder, "a.ttl", "{\"@id\": \"x:s\", \"x:p\": \"o\"}");
    let (status, stdout, stderr) = run(folder.path(), &["convert", "a.ttl", "--to", "nt"]);
    assert_eq!((status, stdout.as_str()), (0, "<x:s> <x:p> \"o\" .\n"));
    assert!(stderr.starts_with("a.ttl: note[input::extension]"), "{stderr}");
    for flag in [["--from", "ttl"], ["--content-type", "text/turtle; charset=utf-8"]] {
        let (status, _, stderr) = run(folder.path(), &["convert", "a.ttl", "--to", "nt", flag[0], flag[1]]);
        assert_eq!(status, 2);
        assert!(stderr.contains("error[rdf::syntax]"), "{stderr}");
    }
}

#[test]
fn a_relative_context_is_read_beside_the_file_and_never_above_it() {
    let folder = folder();
    write(&folder, "in/context.jsonld", r#"{"@context": {"p": "x:p"}}"#);
    write(&folder, "context.jsonld", r#"{"@context": {"p": "x:p"}}"#);
    write(&folder, "in/beside.jsonld", r#"{"@context": "context.jsonld", "@id": "x:s", "p": "o"}"#);
    write(&folder, "in/above.jsonld", r#"{"@context": "../context.jsonld", "@id": "x:s", "p": "o"}"#);
    write(&folder, "in/gone.jsonld", r#"{"@context": "gone-context.jsonld", "@id": "x:s", "p": "o"}"#);
    write(&folder, "in/relative.jsonld", r#"{"@context": "context.jsonld", "@id": "s", "p": "o"}"#);
    let (status, stdout, _) = run(folder.path(), &["to-rdf", "in/beside.jsonld"]);
    assert_eq!((status, stdout.as_str()), (0, "<x:s> <x:p> \"o\" .\n"));
    for name in ["in/above.jsonld", "in/gone.jsonld"] {
        let (status, _, stderr) = run(folder.path(), &["to-rdf", name]);
        assert_eq!(status, 2, "{stderr}");
        assert!(stderr.contains("error[loading remote context failed]"), "{stderr}");
    }
    // The folder gives no base IRI.
    let (status, stdout, stderr) = run(folder.path(), &["to-rdf", "in/relative.jsonld"]);
    assert_eq!((status, stdout.as_str()), (0, ""));
    assert!(stderr.contains("warning[relative IRI]"), "{stderr}");
}

#[test]
fn mapped_contexts_are_read_from_files_and_folders() {
    let folder = folder();
    write(&folder, "contexts/c.jsonld", r#"{"@context": {"p": "x:p"}}"#);
    write(&folder, "a.jsonld", r#"{"@context": "https://example.org/v1/c.jsonld", "@id": "x:s", "p": "o"}"#);
    let exact = "https://example.org/v1/c.jsonld=contexts/c.jsonld";
    for map in [exact, "https://example.org/v1/=contexts"] {
        let (status, stdout, stderr) = run(folder.path(), &["to-rdf", "a.jsonld", "--map", map]);
        assert_eq!((status, stdout.as_str()), (0, "<x:s> <x:p> \"o\" .\n"), "{stderr}");
    }
    assert_eq!(run(folder.path(), &["to-rdf", "a.jsonld", "--map", "nonsense"]).0, 2);
}

#[test]
fn an_empty_table_is_said_to_be_empty() {
    let folder = folder();
    write(&folder, "e.csv", "");
    write(&folder, "e.json", "[]");
    let (status, _, stderr) = run(folder.path(), &["new", "e.csv", "-o", "n.jsonld"]);
    assert_eq!(status, 2);
    let empty = "the table is empty: its first line has to name the columns `question` and `answer`";
    assert!(stderr.contains(empty), "{stderr}");
    for file in ["e.csv", "e.json"] {
        let (status, _, stderr) = run(folder.path(), &["stats", file, "--map-column", "question=prompt"]);
        assert_eq!(status, 2);
        assert!(stderr.contains("no column is named `prompt`: the table is empty"), "{stderr}");
    }
}
