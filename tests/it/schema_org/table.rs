//! `evalgraph schema-org table`: the table of a release, whatever its form, and of a table.

use super::vocabulary::{FORMS, in_http, release};
use crate::cli::input::{evalgraph, run};
use std::fs;

const BUILT_IN: &str = include_str!("../../../crates/contexts/src/schema_org.tsv");

#[test]
fn each_form_and_namespace_of_a_release_makes_one_table() {
    let table = release("extract.tsv");
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in FORMS {
        let text = release(name);
        for text in [in_http(&text), text] {
            fs::write(folder.path().join(name), text).expect("the folder is ours");
            let (status, stdout, stderr) = run(folder.path(), &["schema-org", "table", name]);
            assert_eq!((status, stdout, stderr.as_str()), (0, table.clone(), ""), "{name}");
        }
    }
}

#[test]
fn a_table_comes_back_as_it_is() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("built-in.tsv"), BUILT_IN).expect("the folder is ours");
    let written = run(folder.path(), &["schema-org", "table", "built-in.tsv", "-o", "again.tsv"]);
    assert_eq!(written, (0, String::new(), String::new()));
    let again = fs::read_to_string(folder.path().join("again.tsv")).expect("it was written");
    assert!(again == BUILT_IN, "the table has changed");
    let piped = evalgraph(folder.path()).args(["schema-org", "table", "-"]).write_stdin(BUILT_IN).output();
    assert!(piped.expect("it runs").stdout == BUILT_IN.as_bytes(), "the table has changed");
}

#[test]
fn a_file_that_is_no_vocabulary_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let columns = BUILT_IN.lines().next().expect("it has columns");
    let table = format!("{columns}\nX\tOther\t\t\t\t\t\tcore\n");
    for (name, text, fault) in [
        ("data.nt", "<urn:a> <http://schema.org/name> \"a\" .\n", "error[schema-org::release]"),
        ("cut.ttl", "<urn:a> <urn:b>", "cut.ttl:1:"),
        ("other.tsv", "name\tage\n", "other.tsv:1:1: error[schema-org::table]"),
        ("wrong.tsv", &table, "wrong.tsv:2:1: error[schema-org::table]"),
        ("empty.nt", "", "empty.nt"),
    ] {
        fs::write(folder.path().join(name), text).expect("the folder is ours");
        let (status, stdout, stderr) = run(folder.path(), &["schema-org", "table", name]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{name}: {stderr}");
        assert!(stderr.contains(fault), "{name}: {stderr}");
    }
    let (status, _, stderr) = run(folder.path(), &["schema-org", "table", "."]);
    assert!(status == 2 && stderr.contains("error[input::several]"), "{stderr}");
    let (status, _, stderr) = run(folder.path(), &["schema-org", "table", "data.nt", "-o", "table.json"]);
    assert!(status == 2 && stderr.contains("error[output::format]"), "{stderr}");
}
