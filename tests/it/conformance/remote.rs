//! The suites `html` and `remote-doc`, in process and through the program, each test against a
//! server of its own on loopback that answers as the manifest says.
//!
//! The suite's documents live under another URL than the server's, which expected results name: it
//! is replaced before they are compared.

use crate::beside::suites;
use crate::conformance::json::equal_as_bags;
use crate::conformance::jsonld::{judge_error, options, read};
use crate::conformance::suite::{JsonLdAlgorithm, JsonLdSuite, SuiteExpectation, SuiteTest, run};
use crate::http_server::{Answer, HttpServer, Request};
use crate::jsonld::collecting_sink::CollectingSink;
use crate::rdf::isomorphism::{isomorphic, read_n_quads, show};
use evalgraph::json::Limits;
use evalgraph::jsonld::{DocumentLoader, JsonLdLayout, JsonLdProcessor, LoadDocumentOptions, LoadError};
use evalgraph::net::{NetAllow, NetLoader, NetOptions};
use std::path::{Path, PathBuf};

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn html_is_read_as_the_suite_expects() {
    run_suite(JsonLdAlgorithm::Html, in_process);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn html_is_read_through_the_binary_as_the_suite_expects() {
    run_suite(JsonLdAlgorithm::Html, through_the_binary);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn remote_documents_are_read_as_the_suite_expects() {
    run_suite(JsonLdAlgorithm::RemoteDoc, in_process);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn remote_documents_are_read_through_the_binary_as_the_suite_expects() {
    run_suite(JsonLdAlgorithm::RemoteDoc, through_the_binary);
}

/// What a test of these suites does with its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Expand,
    Compact,
    Flatten,
    ToRdf,
}

impl Operation {
    /// The operation of a test's types.
    fn of(types: &[String]) -> Self {
        let operation = types.iter().find_map(|name| match name.as_str() {
            "jld:ExpandTest" => Some(Self::Expand),
            "jld:CompactTest" => Some(Self::Compact),
            "jld:FlattenTest" => Some(Self::Flatten),
            "jld:ToRDFTest" => Some(Self::ToRdf),
            _ => None,
        });
        operation.unwrap_or_else(|| panic!("no operation among {types:?}"))
    }

    /// The command of the program.
    fn command(self) -> &'static str {
        match self {
            Self::Expand => "expand",
            Self::Compact => "compact",
            Self::Flatten => "flatten",
            Self::ToRdf => "to-rdf",
        }
    }
}

/// A test under way.
struct Scene<'t> {
    test: &'t SuiteTest,
    operation: Operation,
    /// Where the server has the input, with its fragment.
    url: String,
    /// What stands for the server's URL in the suite.
    base_iri: &'t str,
    server: &'t HttpServer,
}

fn run_suite(algorithm: JsonLdAlgorithm, judge: fn(&Scene<'_>) -> Result<(), String>) {
    let suites = suites();
    let suite = JsonLdSuite::read(&suites, algorithm);
    run(&suite, algorithm, |test| {
        let server = HttpServer::start(answers(&suite, test));
        let path = test.document_url.strip_prefix(&suite.base_iri).expect("an input of the suite");
        let scene = Scene {
            test,
            operation: Operation::of(&test.types),
            url: server.url(&format!("/{path}")),
            base_iri: &suite.base_iri,
            server: &server,
        };
        judge(&scene)
    });
}

/// Serves the folder of the suite; the input of the test as its options say.
fn answers(suite: &JsonLdSuite, test: &SuiteTest) -> impl Fn(&Request) -> Answer + Send + Sync + use<> {
    let (folder, input, http) = (suite.folder.clone(), test.input.clone(), test.http.clone());
    move |request| {
        let path = folder.join(request.path.trim_start_matches('/'));
        let is_input = path == input;
        if let (true, Some(to)) = (is_input, &http.redirect_to) {
            return Answer::redirect(http.status.unwrap_or(302), format!("/{to}"));
        }
        let Ok(body) = std::fs::read(&path) else { return Answer::not_found() };
        let given = http.content_type.clone().filter(|_| is_input);
        let mut fields = vec![("Content-Type", given.unwrap_or_else(|| media_type(&path).to_owned()))];
        if is_input {
            fields.extend(http.links.iter().map(|link| ("Link", link.clone())));
        }
        Answer::Whole { status: 200, fields, body }
    }
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("jsonld") => "application/ld+json",
        Some("json") => "application/json",
        Some("html") => "text/html; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn in_process(scene: &Scene<'_>) -> Result<(), String> {
    let allow = NetAllow { http: true, loopback: true, private: false };
    let net = NetLoader::new(NetOptions { allow, limits: Limits::default(), ..NetOptions::default() });
    let by_default = scene.operation == Operation::ToRdf;
    let load = LoadDocumentOptions {
        extract_all_scripts: scene.test.extract_all_scripts.unwrap_or(by_default),
        ..LoadDocumentOptions::default()
    };
    let answer = net.load(&scene.url, &load).map_err(|error| match error {
        LoadError::Failed(failure) => failure.code.as_str().to_owned(),
        other => format!("{other:?}"),
    });
    let context = scene.test.context.as_deref().map(read).transpose()?;
    let result = answer.and_then(|remote| {
        let options = options(scene.test).map(|options| options.for_remote(&remote))?;
        let mut processor = JsonLdProcessor::new(options, &net);
        match scene.operation {
            Operation::Expand => processor
                .expand(&remote.document)
                .map(|expanded| expanded.to_json(JsonLdLayout::Compact))
                .map_err(|error| error.code.as_str().to_owned()),
            Operation::Compact => processor
                .compact(&remote.document, context.as_ref().expect("compaction tests have a context"))
                .map(|compacted| compacted.to_json(JsonLdLayout::Compact))
                .map_err(|error| error.code.as_str().to_owned()),
            Operation::Flatten => processor
                .flatten(&remote.document, context.as_ref())
                .map(|flattened| flattened.to_json(JsonLdLayout::Compact))
                .map_err(|error| error.code.as_str().to_owned()),
            Operation::ToRdf => {
                let mut sink = CollectingSink::default();
                let done = processor.to_rdf(&remote.document, &mut sink);
                done.map(|_| show(&sink.quads())).map_err(|error| error.code.as_str().to_owned())
            }
        }
    });
    compare(scene, result.as_deref().map_err(String::as_str))
}

fn through_the_binary(scene: &Scene<'_>) -> Result<(), String> {
    let mut program = crate::program::program();
    program.arg(scene.operation.command());
    if let Some(context) = &scene.test.context {
        program.arg("--context").arg(context);
    }
    program.args([scene.url.as_str(), "--net", "--net-allow", "http,loopback"]);
    if let Some(base) = &scene.test.base {
        program.args(["--base", base]);
    }
    if let Some(all) = scene.test.extract_all_scripts {
        program.args(["--extract-all-scripts", if all { "true" } else { "false" }]);
    }
    let output = program.output().map_err(|error| error.to_string())?;
    let stdout = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    let stderr = String::from_utf8(output.stderr).map_err(|error| error.to_string())?;
    let answer = match (output.status.code(), &scene.test.expectation) {
        (Some(0), _) => Ok(stdout.as_str()),
        (Some(2), _) if !stdout.is_empty() => return Err(format!("an error, and yet on stdout: {stdout}")),
        (Some(2), SuiteExpectation::ErrorCode(code)) if stderr.contains(&format!("error[{code}]")) => {
            Err(code.as_str())
        }
        (Some(2), _) => Err(stderr.as_str()),
        (status, _) => return Err(format!("exit {status:?}: {stderr}")),
    };
    compare(scene, answer)
}

fn compare(scene: &Scene<'_>, answer: Result<&str, &str>) -> Result<(), String> {
    let Some((ours, expected)) = judge_error(answer, &scene.test.expectation)? else { return Ok(()) };
    let expected: PathBuf = expected.to_owned();
    let expected = std::fs::read_to_string(expected).map_err(|error| error.to_string())?;
    let expected = expected.replace(scene.base_iri, &scene.server.url("/"));
    let is_equal = match scene.operation {
        Operation::ToRdf => isomorphic(&read_n_quads(ours), &read_n_quads(&expected)),
        Operation::Expand | Operation::Compact | Operation::Flatten => {
            let json = |text: &str| serde_json::from_str(text).map_err(|error| format!("{error}: {text}"));
            equal_as_bags(&json(ours)?, &json(&expected)?)
        }
    };
    if is_equal { Ok(()) } else { Err(format!("{ours}\n expected {expected}")) }
}
