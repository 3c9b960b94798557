//! Random updates beside other engines, in sequences of one to five operations: the quads that they leave.

use crate::answers;
use crate::generated::data::Case;
use crate::generated::updates;
use crate::random::engines::{Answer, Engine, Request};
use crate::random::work::{NOT_COUNTED, Work};
use crate::rdf::isomorphism::{Quad, Term, read_n_quads};
use crate::store::dataset::document;
use evalgraph::sparql::{ExecuteOptions, Update, UpdateOptions};
use evalgraph::store::{Dataset, DatasetRevision, DefaultGraph};
use std::time::Duration;

/// The graph of what stands in no graph.
const DOCUMENT: &str = "urn:document";

#[test]
fn random_updates_leave_what_other_engines_leave() {
    let work = Work { subject: "update", few: 800, case: updates::case, ours, theirs, unlike: differ, shown };
    work.run(Engine::of_sparql());
}

fn shown(case: &Case) -> String {
    format!("{}\n{}", case.lines.join("\n"), case.text)
}

fn differ(case: &Case, ours: &Answer, theirs: &Answer) -> Option<String> {
    answers::unlike(&case.text, ours, theirs)
}

fn ours(case: &Case) -> Answer {
    if spargebra::SparqlParser::new().parse_update(&case.text).is_err() {
        return Answer::None(NOT_COUNTED.to_owned());
    }
    let dataset = Dataset::from_documents(vec![document(DOCUMENT, &case.lines.join("\n"))]);
    let update = match Update::parse_plain(&case.text, "update") {
        Ok(update) => update,
        Err(error) => return Answer::None(error.message),
    };
    let mut revision = DatasetRevision::new(&dataset, DefaultGraph::Unnamed);
    let execute = ExecuteOptions { timeout: Some(Duration::from_secs(4)), ..ExecuteOptions::default() };
    let options = UpdateOptions { execute, default_target: Some(DOCUMENT), loader: None };
    if let Err(error) = update.apply(&mut revision, options) {
        let is_late = error.message.contains("its time limit");
        return Answer::None(if is_late {
            NOT_COUNTED.to_owned()
        } else {
            format!("{}: {}", error.code, error.message)
        });
    }
    let changed = revision.to_dataset();
    let mut text = Vec::new();
    for quad in changed.quads() {
        changed.dictionary().write_n_quad(quad, &mut text);
    }
    let quads = read_n_quads(&String::from_utf8(text).expect("N-Quads are UTF-8"));
    Answer::Quads(quads.into_iter().map(in_no_graph).collect())
}

/// The graph of the document is the default graph of the others.
fn in_no_graph(quad: Quad) -> Quad {
    let [subject, predicate, object, graph] = quad;
    let is_document = graph == Term::Ground(format!("<{DOCUMENT}>"));
    [subject, predicate, object, if is_document { Term::Ground(String::new()) } else { graph }]
}

fn theirs(engine: &mut Engine, case: &Case) -> Answer {
    engine.answer(&case.lines.join("\n"), &case.text, Request::Update)
}
