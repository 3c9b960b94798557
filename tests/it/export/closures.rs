//! The closures of an export as Parquet have the pairs that `+` finds in the union of all graphs.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::cli::input::run;

/// The pairs that a closure has, as subject and object.
fn pairs(out: &Path, predicate: &str) -> Vec<String> {
    let files = fs::read_dir(out.join("closure")).expect("it is there");
    let name = files
        .map(|file| file.expect("it is readable").path())
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(predicate)))
        .expect("the predicate has a file");
    let rows = super::parquet::rows(&name);
    rows.iter()
        .map(|row| {
            let subject = row["s"].as_str().expect("a text");
            format!(
                "{subject} {} {}",
                row["o_kind"].as_str().expect("a kind"),
                row["o"].as_str().expect("a text")
            )
        })
        .collect()
}

#[test]
fn closures_have_the_pairs_of_paths() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut random = StdRng::seed_from_u64(3);
    for file in 0..5 {
        let mut text = String::new();
        for _ in 0..30 {
            let [one, other] = [0, 1].map(|_| random.random_range(0..40));
            let _ = writeln!(
                text,
                "<urn:n{one}> <urn:next> <urn:n{other}> . <urn:n{one}> <urn:other> \"{other}\" ."
            );
        }
        let _ = writeln!(text, "<urn:n1> <urn:next> \"the end\"@en .");
        fs::write(folder.path().join(format!("{file}.ttl")), text).expect("ours");
    }
    let inputs = ["0.ttl", "1.ttl", "2.ttl", "3.ttl", "4.ttl"];
    let closures =
        ["--closure", "urn:next", "--closure", "urn:other", "--closure", "urn:next", "--closure", "urn:none"];
    let (status, _, stderr) =
        run(folder.path(), &[&["export", "parquet", "out"][..], &closures, &inputs].concat());
    assert_eq!(status, 0, "{stderr}");
    for predicate in ["next", "other"] {
        let query = format!(
            "SELECT DISTINCT (CONCAT(STR(?s), \" \", IF(ISIRI(?o), \"iri\", \"literal\"), \" \", STR(?o)) AS ?pair) {{ ?s <urn:{predicate}>+ ?o }}"
        );
        let (status, stdout, stderr) =
            run(folder.path(), &[&["query", "-q", &query, "--format", "csv"], &inputs[..]].concat());
        assert_eq!(status, 0, "{stderr}");
        let expected: BTreeSet<String> = stdout.lines().skip(1).map(str::to_owned).collect();
        let found = pairs(&folder.path().join("out"), predicate);
        assert_eq!(found.len(), expected.len());
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    }
    assert!(pairs(&folder.path().join("out"), "none").is_empty());
    let views = fs::read_to_string(folder.path().join("out/views.duckdb.sql")).expect("it is there");
    assert!(views.contains("VIEW closures"), "{views}");
    // Parts have the same closures.
    for part in ["1/2", "2/2"] {
        let arguments = [&["export", "parquet", "parts", "--part", part], &inputs[..]].concat();
        assert_eq!(run(folder.path(), &arguments).0, 0);
    }
    let join = [&["export", "parquet", "parts", "--join"][..], &closures].concat();
    assert_eq!(run(folder.path(), &join).0, 0);
    for predicate in ["next", "other", "none"] {
        let [whole, joined] = ["out", "parts"].map(|out| pairs(&folder.path().join(out), predicate));
        assert_eq!(whole, joined);
    }
}
