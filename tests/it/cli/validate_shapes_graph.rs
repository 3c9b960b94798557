//! Shapes among the data: graphs that the data name with `sh:shapesGraph`, and graphs by their IRIs.

use std::fs;

use tempfile::TempDir;

use crate::cli::input::run;

const DATA: &str = "\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
ex:data sh:shapesGraph ex:shapes .
ex:rex a ex:Pet .
ex:shapes {
  ex:Pet a sh:NodeShape ; sh:targetClass ex:Pet ; sh:property [
      sh:path ex:name ;
      sh:minCount 1 ] .
  ex:Every a sh:NodeShape ; sh:targetSubjectsOf sh:targetClass ; sh:property [ sh:path ex:name ; sh:minCount 1 ] .
}
";

fn folder(name: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join(name), text).expect("the folder is ours");
    folder
}

#[test]
fn data_name_their_shapes() {
    let folder = folder("data.trig", DATA);
    let by_name = ["validate", "data.trig", "--shapes", "http://example.org/shapes", "--format", "jsonl"];
    let named = ["validate", "data.trig", "--shapes-graph", "--format", "jsonl"];
    for arguments in [&named[..], &by_name[..]] {
        let (status, stdout, stderr) = run(folder.path(), arguments);
        // The shapes are not data: `ex:Pet` itself has no name either.
        assert_eq!((status, stdout.lines().count()), (1, 1), "{stdout}{stderr}");
        assert!(stdout.contains("http://example.org/rex"), "{stdout}");
    }
    let with_shapes = [&named[..], &["--graph", "data", "--graph", "http://example.org/shapes"]].concat();
    let (_, stdout, _) = run(folder.path(), &with_shapes);
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
}

#[test]
fn a_store_names_its_shapes() {
    let folder = folder("data.trig", DATA);
    for arguments in [&["init"][..], &["load", "data.trig"]] {
        assert_eq!(run(folder.path(), arguments).0, 0);
    }
    for arguments in
        [&["validate", "--shapes-graph"][..], &["validate", "--shapes", "http://example.org/shapes"]]
    {
        let (status, stdout, stderr) = run(folder.path(), arguments);
        assert_eq!(status, 1, "{stderr}");
        assert!(stdout.contains("1 violation") && stdout.contains("http://example.org/rex"), "{stdout}");
    }
}

#[test]
fn a_mistake_in_such_shapes_has_its_line() {
    let folder = folder("data.trig", &DATA.replace("      sh:minCount 1", "      sh:minCont 1"));
    let (status, stdout, stderr) = run(folder.path(), &["validate", "data.trig", "--shapes-graph"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("data.trig:8:") && stderr.contains("did you mean `sh:minCount`"), "{stderr}");
}

#[test]
fn data_name_shapes_that_are_mapped_and_no_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let text = format!("@prefix sh: <http://www.w3.org/ns/shacl#> .\n{text}");
        fs::write(folder.path().join(name), text).expect("the folder is ours");
    };
    write(
        "shapes.ttl",
        "<urn:x:s> a sh:NodeShape ; sh:targetSubjectsOf sh:shapesGraph ; sh:nodeKind sh:Literal .",
    );
    write("data.ttl", "<urn:x:data> sh:shapesGraph <http://example.org/shapes> .");
    let mapped = "http://example.org/shapes=shapes.ttl";
    let arguments = ["validate", "data.ttl", "--shapes-graph", "--map", mapped];
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 1, "{stderr}");
    assert!(stdout.contains("1 violation"), "{stdout}");
    let file = format!("file://{}/shapes.ttl", folder.path().display());
    write("data.ttl", &format!("<urn:x:data> sh:shapesGraph <{file}> ."));
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("must not name files"), "{stderr}");
    // A person may name that file, and its shapes other ones.
    write("more.ttl", &format!("<urn:x:more> <http://www.w3.org/2002/07/owl#imports> <{file}> ."));
    let (status, _, stderr) = run(folder.path(), &["validate", "data.ttl", "--shapes", "more.ttl"]);
    assert_eq!(status, 1, "{stderr}");
}

#[test]
fn data_without_shapes_are_told() {
    let none = folder("data.ttl", "<urn:x:a> <urn:x:b> <urn:x:c> .");
    let (status, _, stderr) = run(none.path(), &["validate", "data.ttl", "--shapes-graph"]);
    assert!(status == 2 && stderr.contains("shacl::no-shapes-graph"), "{stderr}");
    let missing = folder(
        "data.trig",
        &DATA.replace("ex:data sh:shapesGraph ex:shapes", "ex:data sh:shapesGraph ex:others"),
    );
    let (status, _, stderr) = run(missing.path(), &["validate", "data.trig", "--shapes-graph"]);
    assert!(status == 2 && stderr.contains("http://example.org/others"), "{stderr}");
    assert!(stderr.contains("--map"), "{stderr}");
}
