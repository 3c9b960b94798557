//! Results as the command line gives them: files that appear whole or not at all, full disks,
//! closed pipes, and what a format cannot hold.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

use crate::cli::input::run;

const GRAPHS: &str = "<x:s> <x:p> \"1\" .\n<x:s> <x:p> \"1\" <x:g> .\n<x:s> <x:p> \"2\" <x:h> .\n";

fn folder_with(name: &str, content: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join(name), content).expect("the folder is ours");
    folder
}

#[test]
fn a_list_that_has_a_type_loses_it_aloud() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cell = "<urn:a> <urn:p> [ a rdf:List ; rdf:first 1 ; rdf:rest [ a rdf:List ; rdf:first 2 ; rdf:rest () ] ] .";
    let kept = "<urn:a> <urn:q> [ a rdf:List ; rdf:first 1 ; <urn:r> 2 ; rdf:rest () ] .";
    let prefix = "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .";
    fs::write(folder.path().join("a.ttl"), format!("{prefix}\n{cell}\n{kept}\n"))
        .expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["convert", "a.ttl", "--to", "jsonld"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(stdout.matches("#List").count(), 1, "{stdout}");
    assert!(
        stderr.contains("warning[convert::left-out]: JSON-LD cannot hold that a node of a list"),
        "{stderr}"
    );
    assert!(stderr.contains("2 triples"), "{stderr}");
    let (status, stdout, _) = run(folder.path(), &["convert", "a.ttl", "--to", "jsonld", "--strict"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    let (status, _, stderr) = run(folder.path(), &["convert", "a.ttl", "--to", "ttl", "--strict"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_yet_stays_a_link() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("a.nt"), "<urn:a> <urn:p> <urn:o> .\n").expect("the folder is ours");
    fs::create_dir(path.join("sub")).expect("the folder is ours");
    std::os::unix::fs::symlink("sub/other", path.join("link")).expect("it can be made");
    std::os::unix::fs::symlink("final.nq", path.join("sub/other")).expect("it can be made");
    let (status, _, stderr) = run(path, &["convert", "a.nt", "--to", "nq", "-o", "link"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(path.join("link").is_symlink() && path.join("sub/other").is_symlink());
    assert!(path.join("sub/final.nq").is_file());
}

#[cfg(unix)]
#[test]
fn a_folder_that_stands_for_a_url_is_not_left_by_a_link() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::create_dir(path.join("contexts")).expect("the folder is ours");
    fs::write(path.join("c.jsonld"), "{\"@context\": {\"x\": \"http://e/secret\"}}")
        .expect("the folder is ours");
    std::os::unix::fs::symlink("../c.jsonld", path.join("contexts/c.jsonld")).expect("it can be made");
    let text = "{\"@context\": \"http://e/c.jsonld\", \"@id\": \"urn:a\", \"x\": 1}";
    fs::write(path.join("a.jsonld"), text).expect("the folder is ours");
    for input in ["a.jsonld", "http://e/c.jsonld"] {
        let (status, stdout, stderr) =
            run(path, &["convert", input, "--to", "nq", "--map", "http://e/=contexts"]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains("is a link out of `contexts`"), "{stderr}");
    }
    fs::remove_file(path.join("contexts/c.jsonld")).expect("the folder is ours");
    fs::write(path.join("contexts/d.jsonld"), "{\"@context\": {\"x\": \"http://e/x\"}}")
        .expect("the folder is ours");
    std::os::unix::fs::symlink("d.jsonld", path.join("contexts/c.jsonld")).expect("it can be made");
    let (status, stdout, stderr) =
        run(path, &["convert", "a.jsonld", "--to", "nq", "--map", "http://e/=contexts"]);
    assert!(status == 0 && stdout.contains("<http://e/x>"), "{stderr}");
}

#[test]
fn the_format_follows_the_extension_of_the_output() {
    let folder = folder_with("a.nq", GRAPHS);
    assert_eq!(run(folder.path(), &["convert", "a.nq", "-o", "a.trig"]).0, 0);
    let text = fs::read_to_string(folder.path().join("a.trig")).expect("it was written");
    assert!(text.contains("<x:g> {"), "{text}");
    let (status, _, stderr) = run(folder.path(), &["convert", "a.nq", "-o", "a.doc"]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("error[output::format]"), "{stderr}");
}

#[test]
fn compressed_outputs_are_read_back() {
    let folder = folder_with("a.nq", GRAPHS);
    for name in ["b.nq.gz", "b.nq.zst"] {
        assert_eq!(run(folder.path(), &["convert", "a.nq", "-o", name]).0, 0);
        let bytes = fs::read(folder.path().join(name)).expect("it was written");
        assert!(!bytes.starts_with(b"<x:s>"), "{name} is compressed");
        assert_eq!(run(folder.path(), &["convert", name, "--to", "nq"]).1, GRAPHS);
    }
}

#[test]
fn a_failed_run_leaves_the_old_file_and_nothing_beside_it() {
    let folder = folder_with("bad.nt", "<x:s> oops .\n");
    fs::write(folder.path().join("out.nq"), "old").expect("the folder is ours");
    assert_eq!(run(folder.path(), &["convert", "bad.nt", "-o", "out.nq"]).0, 2);
    assert_eq!(fs::read_to_string(folder.path().join("out.nq")).expect("it is there"), "old");
    assert_eq!(fs::read_dir(folder.path()).expect("ours").count(), 2);
}

#[test]
fn a_file_may_be_converted_onto_itself() {
    let folder = folder_with("a.nq", GRAPHS);
    assert_eq!(run(folder.path(), &["convert", "a.nq", "-o", "a.nq"]).0, 0);
    assert_eq!(fs::read_to_string(folder.path().join("a.nq")).expect("it is there"), GRAPHS);
}

#[cfg(unix)]
#[test]
fn links_and_rights_of_the_old_file_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder_with("a.nq", GRAPHS);
    let target = folder.path().join("target.nq");
    fs::write(&target, "old").expect("the folder is ours");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).expect("the file is ours");
    symlink("target.nq", folder.path().join("link.nq")).expect("the folder is ours");
    assert_eq!(run(folder.path(), &["convert", "a.nq", "-o", "link.nq"]).0, 0);
    assert_eq!(fs::read_to_string(&target).expect("it is there"), GRAPHS);
    assert!(folder.path().join("link.nq").is_symlink());
    let mode = fs::metadata(&target).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode, 0o640);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = folder_with("a.nq", GRAPHS);
    let (status, _, stderr) = run(folder.path(), &["convert", "a.nq", "-o", "gone/a.nq"]);
    assert_eq!(status, 2);
    assert_eq!(
        stderr,
        "error[output::unwritable]: `gone/a.nq` cannot be written: the folder `gone` does not exist\n = help: create it: \
         `mkdir -p gone`\n"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder_with("a.nq", GRAPHS);
    let full = || fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let output = crate::program::program()
        .args(["convert", "a.nq", "--to", "nq"])
        .current_dir(folder.path())
        .stdout(full())
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error[output::unwritable]: the result cannot be written to stdout: no space left on device\n"
    );
    let (status, _, stderr) = run(folder.path(), &["convert", "a.nq", "--to", "nq", "-o", "/dev/full"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("`/dev/full` cannot be written"), "{stderr}");
    assert!(fs::metadata("/dev/full").is_ok_and(|metadata| !metadata.is_file()), "a device stays a device");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = folder_with("a.nt", "");
    let mut text = String::new();
    for number in 0..20_000 {
        text += &format!("<x:s> <x:p> \"{number}\" .\n");
    }
    fs::write(folder.path().join("a.nt"), text).expect("the folder is ours");
    let mut child = crate::program::program()
        .args(["convert", "a.nt", "--to", "nt"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut first = [0; 10];
    let mut stdout = child.stdout.take().expect("it is piped");
    stdout.read_exact(&mut first).expect("there is output");
    drop(stdout);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn lost_graph_names_are_a_warning_and_strictly_an_error() {
    let folder = folder_with("a.nq", GRAPHS);
    let (status, stdout, stderr) = run(folder.path(), &["convert", "a.nq", "--to", "nt"]);
    assert_eq!((status, stdout.as_str()), (0, "<x:s> <x:p> \"1\" .\n<x:s> <x:p> \"2\" .\n"));
    insta::assert_snapshot!(stderr, @r#"
warning[convert::graph-names]: N-Triples has no graph names: those of 2 quads in 2 graphs are lost
 = help: `--to trig` and `--to nq` keep them
"#);
    fs::write(folder.path().join("out.nt"), "old").expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["convert", "a.nq", "-o", "out.nt", "--strict"]);
    assert_eq!(status, 2);
    assert!(stderr.ends_with("1 warning is an error under `--strict`\n"), "{stderr}");
    assert_eq!(fs::read_to_string(folder.path().join("out.nt")).expect("it is there"), "old");
}

#[test]
fn what_xml_cannot_hold_is_counted() {
    let folder = folder_with("a.nt", "<x:s> <x:p> \"\\u0007\" .\n<x:s> <http://example.org/1> \"1\" .\n");
    let (status, _, stderr) = run(folder.path(), &["convert", "a.nt", "--to", "rdfxml"]);
    assert_eq!(status, 0);
    insta::assert_snapshot!(stderr, @r#"
warning[convert::left-out]: RDF/XML cannot hold a character that XML does not allow: `␇` (1 triple lost)
warning[convert::left-out]: RDF/XML cannot hold a predicate that does not end in an XML name: `http://example.org/1` (1 triple lost)
"#);
}

#[test]
fn generalized_rdf_is_n_quads_only() {
    let folder = folder_with("a.jsonld", r#"{"@id": "x:s", "_:p": "o"}"#);
    let (status, stdout, _) = run(folder.path(), &["to-rdf", "a.jsonld", "--generalized-rdf"]);
    assert_eq!((status, stdout.as_str()), (0, "<x:s> _:b0 \"o\" .\n"));
    let (status, _, _) = run(folder.path(), &["to-rdf", "a.jsonld", "--generalized-rdf", "--to", "ttl"]);
    assert_eq!(status, 2);
}

#[test]
fn expansion_goes_to_stdout_or_a_file() {
    let folder = folder_with("a.jsonld", r#"{"@context": {"p": "x:p"}, "@id": "x:s", "p": "o"}"#);
    let (status, stdout, stderr) = run(folder.path(), &["expand", "a.jsonld"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(run(folder.path(), &["expand", "a.jsonld", "-o", "b.json"]).0, 0);
    assert_eq!(fs::read_to_string(folder.path().join("b.json")).expect("it was written"), stdout);
    let mut child = crate::program::program()
        .args(["expand", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(br#"{"@id": "x:s", "x:p": "o"}"#).expect("it reads");
    assert_eq!(String::from_utf8_lossy(&child.wait_with_output().expect("it ends").stdout), stdout);
}
