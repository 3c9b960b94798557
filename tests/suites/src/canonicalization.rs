//! The W3C suite of RDF Dataset Canonicalization: canonical texts, issued identifiers, and the poison graph that has to be refused.

use crate::beside::suites;
use crate::earl;
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Enough for every graph that has to be solved, and little enough for a debug build.
pub const STEPS: u64 = 200_000;

/// How many tests the manifest has at least: evaluation, map, negative.
const RECORDED: [usize; 3] = [64, 21, 1];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CanonicalizationTestKind {
    Evaluation,
    Map,
    Negative,
}

/// A test of the manifest.
pub struct CanonicalizationTest {
    pub id: String,
    kind: CanonicalizationTestKind,
    pub input: PathBuf,
    result: Option<PathBuf>,
    pub is_sha_384: bool,
}

/// What an implementation answers.
pub struct CanonicalizationAnswer {
    pub n_quads: String,
    pub map: Value,
}

/// Runs every test; an answer is none where the limit was reached.
///
/// # Panics
///
/// Where a test fails, or there are fewer tests than recorded.
pub fn run(
    what: &str,
    answer: impl Fn(&CanonicalizationTest) -> Result<Option<CanonicalizationAnswer>, String>,
) {
    let suites = suites();
    let folder = suites.join("rdf-canon");
    let tests = manifest(&folder);
    let kinds = [
        CanonicalizationTestKind::Evaluation,
        CanonicalizationTestKind::Map,
        CanonicalizationTestKind::Negative,
    ];
    for (kind, recorded) in kinds.into_iter().zip(RECORDED) {
        let count = tests.iter().filter(|test| test.kind == kind).count();
        assert!(count >= recorded, "{count} tests of {kind:?} are there, {recorded} are recorded");
    }
    let judged: Vec<(&CanonicalizationTest, Result<(), String>)> =
        tests.iter().map(|test| (test, answer(test).and_then(|answer| judge(test, answer)))).collect();
    if let Some(folder) = earl::folder() {
        let results = judged.iter().map(|(test, result)| (test.id.as_str(), result.is_ok()));
        earl::write(&folder, "rdf-canon", "https://w3c.github.io/rdf-canon/tests/manifest", results);
    }
    let complaints: Vec<String> = judged
        .iter()
        .filter_map(|(test, result)| Some(format!("{} fails: {}", test.id, result.as_ref().err()?)))
        .collect();
    let passed = tests.len() - complaints.len();
    let _ = writeln!(std::io::stderr(), "rdf-canon {what}: {passed} of {} passed", tests.len());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn judge(test: &CanonicalizationTest, answer: Option<CanonicalizationAnswer>) -> Result<(), String> {
    let expected = |path: &Option<PathBuf>| {
        let path = path.as_deref().ok_or("no result is named")?;
        std::fs::read_to_string(path).map_err(|error| error.to_string())
    };
    match (test.kind, answer) {
        (CanonicalizationTestKind::Negative, None) => Ok(()),
        (CanonicalizationTestKind::Negative, Some(_)) => Err("it should be refused".to_owned()),
        (_, None) => Err("the limit was reached".to_owned()),
        (CanonicalizationTestKind::Evaluation, Some(answer)) => {
            let expected = expected(&test.result)?;
            if answer.n_quads == expected {
                Ok(())
            } else {
                Err(format!("\n{}\nexpected\n{expected}", answer.n_quads))
            }
        }
        (CanonicalizationTestKind::Map, Some(answer)) => {
            let expected: Value =
                serde_json::from_str(&expected(&test.result)?).map_err(|error| error.to_string())?;
            if answer.map == expected { Ok(()) } else { Err(format!("{} expected {expected}", answer.map)) }
        }
    }
}

fn manifest(folder: &Path) -> Vec<CanonicalizationTest> {
    let text = std::fs::read_to_string(folder.join("manifest.jsonld")).expect("the manifest is readable");
    let manifest: Value = serde_json::from_str(&text).expect("the manifest is JSON");
    let entries = manifest["entries"].as_array().expect("the manifest lists tests");
    let text = |entry: &Value, key: &str| entry[key].as_str().map(str::to_owned);
    entries
        .iter()
        .map(|entry| CanonicalizationTest {
            id: text(entry, "id").expect("a test has an id"),
            kind: match entry["type"].as_str() {
                Some("rdfc:RDFC10EvalTest") => CanonicalizationTestKind::Evaluation,
                Some("rdfc:RDFC10MapTest") => CanonicalizationTestKind::Map,
                Some("rdfc:RDFC10NegativeEvalTest") => CanonicalizationTestKind::Negative,
                other => panic!("{other:?} is not a kind of test"),
            },
            input: folder.join(text(entry, "action").expect("a test has an input")),
            result: text(entry, "result").map(|path| folder.join(path)),
            is_sha_384: entry["hashAlgorithm"] == "SHA384",
        })
        .collect()
}
