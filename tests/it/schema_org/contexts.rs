//! The two generations of schema.org's context: the built-in one, with coercions, under each of its addresses, and the
//! later one, without, where a run maps an address to it.

use crate::cli::input::run;
use std::fs;

/// A document with values of each coercion: an IRI, a date, a text.
fn document(context: &str) -> String {
    format!(
        r#"{{"@context": "{context}", "id": "urn:d", "type": "Dataset", "name": "D", "url": "urn:page",
            "dateCreated": "2024-05-01", "gs1:gpc": "g"}}"#
    )
}

/// The context of a release without coercions, as far as a document needs it.
const LATER: &str = r#"{"@context": {"@vocab": "http://schema.org/", "id": "@id", "type": "@type",
                        "gs1": "https://ref.gs1.org/voc/"}}"#;

const WITHOUT_COERCIONS: [&str; 5] = [
    r#"<urn:d> <http://schema.org/dateCreated> "2024-05-01" ."#,
    r#"<urn:d> <http://schema.org/name> "D" ."#,
    r#"<urn:d> <http://schema.org/url> "urn:page" ."#,
    "<urn:d> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Dataset> .",
    r#"<urn:d> <https://ref.gs1.org/voc/gpc> "g" ."#,
];

fn quads(folder: &tempfile::TempDir, options: &[&str]) -> Vec<String> {
    let arguments = [&["to-rdf", "d.jsonld"], options].concat();
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!((status, stderr.as_str()), (0, ""), "{options:?}");
    let mut quads: Vec<String> = stdout.lines().map(str::to_owned).collect();
    quads.sort();
    quads
}

#[test]
fn each_address_of_the_context_is_known_offline_and_has_the_coercions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut with_coercions = WITHOUT_COERCIONS.map(str::to_owned);
    with_coercions[0] = with_coercions[0].replace(" .", "^^<http://schema.org/Date> .");
    with_coercions[2] = with_coercions[2].replace(r#""urn:page""#, "<urn:page>");
    for host in ["http://schema.org", "https://schema.org", "http://www.schema.org", "https://www.schema.org"]
    {
        for path in ["", "/", "/docs/jsonldcontext.jsonld", "/docs/jsonldcontext.json"] {
            let context = format!("{host}{path}");
            fs::write(folder.path().join("d.jsonld"), document(&context)).expect("the folder is ours");
            assert_eq!(quads(&folder, &[]), with_coercions, "{context}");
        }
    }
}

#[test]
fn an_address_can_be_mapped_to_the_context_without_coercions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("later.jsonld"), LATER).expect("the folder is ours");
    for context in
        ["https://schema.org", "http://schema.org/", "https://schema.org/docs/jsonldcontext.jsonld"]
    {
        fs::write(folder.path().join("d.jsonld"), document(context)).expect("the folder is ours");
        let map = format!("{context}=later.jsonld");
        assert_eq!(quads(&folder, &["--map", &map]), WITHOUT_COERCIONS, "{context}");
    }
}
