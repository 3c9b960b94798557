//! The W3C suites as data: where they are, their manifests, and the list of expected failures.

use crate::earl;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The algorithm that a manifest tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonLdAlgorithm {
    Expand,
    Compact,
    ToRdf,
    Flatten,
    Frame,
    Html,
    RemoteDoc,
    FromRdf,
}

impl JsonLdAlgorithm {
    /// Its name in the suite's files and in the list of expected failures.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expand => "expand",
            Self::Compact => "compact",
            Self::ToRdf => "toRdf",
            Self::Flatten => "flatten",
            Self::Frame => "frame",
            Self::FromRdf => "fromRdf",
            Self::Html => "html",
            Self::RemoteDoc => "remote-doc",
        }
    }

    /// The folder of the suites that its manifest is in.
    fn folder(self) -> &'static str {
        match self {
            Self::Frame => "json-ld-framing",
            _ => "json-ld-api",
        }
    }

    /// How many tests for JSON-LD 1.1 its manifest has at least.
    pub fn recorded_tests(self) -> usize {
        match self {
            Self::Expand => 376,
            Self::Compact => 244,
            Self::ToRdf => 456,
            Self::Flatten => 55,
            Self::Frame => 91,
            Self::Html => 50,
            Self::RemoteDoc => 18,
            Self::FromRdf => 53,
        }
    }
}

/// What a test expects.
#[derive(Debug, Clone)]
pub enum SuiteExpectation {
    /// The document in this file.
    Document(PathBuf),
    /// The error with this code.
    ErrorCode(String),
    /// No error.
    Success,
}

/// One test of a manifest.
#[derive(Debug, Clone)]
pub struct SuiteTest {
    /// `#t0001`
    pub id: String,
    pub input: PathBuf,
    /// Where the input is said to live.
    pub document_url: String,
    pub expectation: SuiteExpectation,
    pub base: Option<String>,
    pub expand_context: Option<PathBuf>,
    pub processing_mode: Option<String>,
    pub rdf_direction: Option<String>,
    pub produce_generalized_rdf: bool,
    /// The context to compact with.
    pub context: Option<PathBuf>,
    pub compact_arrays: Option<bool>,
    pub compact_to_relative: Option<bool>,
    /// What the manifest says, for the options of one algorithm.
    pub entry: Value,
    /// `jld:ExpandTest` and the like.
    pub types: Vec<String>,
    pub extract_all_scripts: Option<bool>,
    pub http: HttpOptions,
    pub use_native_types: bool,
    pub use_rdf_type: bool,
}

/// How a test wants its input to be served.
#[derive(Debug, Clone, Default)]
pub struct HttpOptions {
    pub content_type: Option<String>,
    /// The header fields `Link`.
    pub links: Vec<String>,
    pub redirect_to: Option<String>,
    pub status: Option<u16>,
}

/// The manifests of `json-ld-api` and `json-ld-framing`, read from disk.
pub struct JsonLdSuite {
    pub folder: PathBuf,
    /// The URL that stands for the folder.
    pub base_iri: String,
    pub tests: Vec<SuiteTest>,
}

impl JsonLdSuite {
    /// The tests of JSON-LD 1.1 of an algorithm's manifest.
    ///
    /// Tests for processors of JSON-LD 1.0 alone (`specVersion`) contradict 1.1 and are left out.
    pub fn read(suites: &Path, algorithm: JsonLdAlgorithm) -> Self {
        let folder = suites.join(algorithm.folder());
        let path = folder.join(format!("{}-manifest.jsonld", algorithm.name()));
        let text = std::fs::read_to_string(&path).expect("the manifest is readable");
        let manifest: Value = serde_json::from_str(&text).expect("the manifest is JSON");
        let base_iri = text_at(&manifest, "baseIri").expect("the manifest has a base IRI");
        let sequence = manifest["sequence"].as_array().expect("the manifest lists tests");
        let tests = sequence
            .iter()
            .filter(|entry| entry["option"]["specVersion"] != "json-ld-1.0")
            .map(|entry| SuiteTest::read(entry, &folder, &base_iri))
            .collect();
        Self { folder, base_iri, tests }
    }
}

impl SuiteTest {
    fn read(entry: &Value, folder: &Path, base_iri: &str) -> Self {
        let option = &entry["option"];
        let input = text_at(entry, "input").expect("a test has an input");
        let expectation = match (text_at(entry, "expectErrorCode"), text_at(entry, "expect")) {
            (Some(code), _) => SuiteExpectation::ErrorCode(code),
            (None, Some(path)) => SuiteExpectation::Document(folder.join(path)),
            (None, None) => SuiteExpectation::Success,
        };
        Self {
            id: text_at(entry, "@id").expect("a test has an id"),
            document_url: format!("{base_iri}{input}"),
            // A fragment names a part of the file.
            input: folder.join(input.split('#').next().unwrap_or_default()),
            expectation,
            base: text_at(option, "base"),
            expand_context: text_at(option, "expandContext").map(|path| folder.join(path)),
            processing_mode: text_at(option, "processingMode"),
            rdf_direction: text_at(option, "rdfDirection"),
            produce_generalized_rdf: option["produceGeneralizedRdf"] == true,
            context: text_at(entry, "context").map(|path| folder.join(path)),
            compact_arrays: option["compactArrays"].as_bool(),
            compact_to_relative: option["compactToRelative"].as_bool(),
            entry: entry.clone(),
            types: texts_at(entry, "@type"),
            extract_all_scripts: option["extractAllScripts"].as_bool(),
            http: HttpOptions {
                content_type: text_at(option, "contentType"),
                links: texts_at(option, "httpLink"),
                redirect_to: text_at(option, "redirectTo"),
                status: option["httpStatus"].as_u64().and_then(|status| u16::try_from(status).ok()),
            },
            use_native_types: option["useNativeTypes"] == true,
            use_rdf_type: option["useRdfType"] == true,
        }
    }
}

fn text_at(object: &Value, key: &str) -> Option<String> {
    object[key].as_str().map(str::to_owned)
}

/// The texts of a member that is one text or an array of them.
fn texts_at(object: &Value, key: &str) -> Vec<String> {
    let one = text_at(object, key).into_iter();
    let many = object[key].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    one.chain(many).collect()
}

/// The reasons of the expected failures of a suite by test id.
pub fn expected_failures(suite: &str) -> BTreeMap<String, String> {
    let mut failures = BTreeMap::new();
    let mut section = "";
    for line in include_str!("../../expected-failures.toml").lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let known = [
                "expand",
                "compact",
                "toRdf",
                "fromRdf",
                "flatten",
                "frame",
                "html",
                "remote-doc",
                "sparql10",
                "sparql11",
            ];
            assert!(known.contains(&name), "no suite is called `{name}`");
            section = name;
            continue;
        }
        let (id, reason) = line.split_once(" = ").expect("a line is `\"#id\" = \"reason\"`");
        let reason = reason.trim_matches('"');
        assert!(!reason.is_empty(), "{id} is listed without a reason");
        if section == suite {
            failures.insert(id.trim_matches('"').to_owned(), reason.to_owned());
        }
    }
    failures
}

/// Runs every test on all cores and checks the failures against the list of expected ones.
///
/// # Panics
/// On a failure that is not listed, a listed test that passes or does not exist, and on fewer
/// tests than recorded.
pub fn run(
    suite: &JsonLdSuite,
    algorithm: JsonLdAlgorithm,
    test: impl Fn(&SuiteTest) -> Result<(), String> + Sync,
) {
    let results = in_parallel(&suite.tests, |test| test.id.clone(), &test);
    if let Some(folder) = earl::folder() {
        let manifest = format!("{}{}-manifest", suite.base_iri, algorithm.name());
        let results = results.iter().map(|(id, result)| (id.as_str(), result.is_ok()));
        earl::write(&folder, algorithm.name(), &manifest, results);
    }
    hold(algorithm.name(), algorithm.recorded_tests(), &results);
}

/// Holds the results of a suite's tests against the list of expected failures.
///
/// # Panics
/// As [`run`].
pub fn hold(name: &str, recorded: usize, results: &BTreeMap<String, Result<(), String>>) {
    let listed = expected_failures(name);
    let mut complaints = Vec::new();
    for id in listed.keys().filter(|id| !results.contains_key(*id)) {
        complaints.push(format!("{id} is listed as an expected failure and does not exist"));
    }
    for (id, result) in results {
        match (result, listed.get(id)) {
            (Ok(()), Some(reason)) => complaints.push(format!("{id} passes and is listed: {reason}")),
            (Err(failure), None) => complaints.push(format!("{id} fails: {failure}")),
            _ => {}
        }
    }
    let passed = results.values().filter(|result| result.is_ok()).count();
    if results.len() < recorded {
        complaints.push(format!("{} tests were run, {recorded} are recorded", results.len()));
    }
    let _ = writeln!(std::io::stderr(), "{name}: {passed} of {} passed", results.len());
    assert!(complaints.is_empty(), "{} of {name}:\n{}", complaints.len(), complaints.join("\n"));
}

/// The result of every test by its id. A panic is a failure of its test.
pub fn in_parallel<T: Sync>(
    tests: &[T],
    id: impl Fn(&T) -> String + Sync,
    test: &(impl Fn(&T) -> Result<(), String> + Sync),
) -> BTreeMap<String, Result<(), String>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let run_one = |one: &T| {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(one)));
        (id(one), result.unwrap_or_else(|_| Err("a panic".to_owned())))
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let part = tests.iter().skip(thread).step_by(threads);
                scope.spawn(move || part.map(run_one).collect::<Vec<_>>())
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("panics are caught")).collect()
    })
}
