//! Random queries beside other engines: oxigraph always, Apache Jena and rdflib where `EVALGRAPH_ENGINES` has them.

use crate::answers::{unlike, without_slice};
use crate::generated::data::Case;
use crate::generated::queries;
use crate::random::engines::{Answer, Engine, Request};
use crate::random::work::{NOT_COUNTED, Work};
use crate::store::dataset::document;
use crate::store::oracle::oracle_quads;
use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};
use oxrdf::{GraphName, Quad};
use spareval::QuerySolutionIter;
use std::time::Duration;

/// The graph of what stands in no graph.
const DOCUMENT: &str = "urn:document";

#[test]
fn random_queries_answer_as_other_engines() {
    let work =
        Work { subject: "query", few: 1_500, case: queries::case, ours, theirs, unlike: differ, shown };
    work.run(Engine::of_sparql());
}

fn shown(case: &Case) -> String {
    let view = if case.union { "union" } else { "own" };
    format!("{}\ndefault graph: {view}\n{}", case.lines.join("\n"), case.text)
}

fn differ(case: &Case, ours: &Answer, theirs: &Answer) -> Option<String> {
    unlike(&case.text, ours, theirs)
}

fn dataset(case: &Case) -> Dataset {
    Dataset::from_documents(vec![document(DOCUMENT, &case.lines.join("\n"))])
}

fn ours(case: &Case) -> Answer {
    // What the grammar forbids, a variable that is bound twice for one, is nobody's to answer.
    if spargebra::SparqlParser::new().parse_query(&case.text).is_err() {
        return Answer::None(NOT_COUNTED.to_owned());
    }
    let dataset = dataset(case);
    let query = match Query::parse_plain(&case.text, "query") {
        Ok(query) => query,
        Err(error) => return Answer::None(error.message),
    };
    executed(&query, &dataset, case)
}

fn executed(query: &Query, dataset: &Dataset, case: &Case) -> Answer {
    let timeout = Some(Duration::from_secs(4));
    let options = ExecuteOptions { timeout, ..ExecuteOptions::default() };
    let view = dataset.view(if case.union { DefaultGraph::Union } else { DefaultGraph::Unnamed });
    let results = query.execute(view, options).map_err(|error| error.code.to_string() + &error.message);
    let answer = results.and_then(|results| match results {
        QueryResults::Boolean(answer) => Ok(Answer::Boolean(answer)),
        QueryResults::Graph(triples) => {
            let quads = triples.map(|triple| {
                let triple = triple.map_err(|error| error.code.to_string() + &error.message)?;
                Ok(crate::rdf::isomorphism::from_oxrdf(&triple.in_graph(GraphName::DefaultGraph)))
            });
            Ok(Answer::Quads(quads.collect::<Result<_, String>>()?))
        }
        QueryResults::Solutions(solutions) => {
            let variables = solutions.variables().into();
            let rows: Result<Vec<_>, String> =
                solutions.map(|row| row.map_err(|error| error.code.to_string() + &error.message)).collect();
            Answer::of_results(
                QuerySolutionIter::new(variables, rows?.into_iter().map(Ok).collect::<Vec<_>>()).into(),
            )
        }
    });
    answer.unwrap_or_else(|error| {
        Answer::None(if error.contains("its time limit") { NOT_COUNTED.to_owned() } else { error })
    })
}

fn theirs(engine: &mut Engine, case: &Case) -> Answer {
    let quads = oracle_quads(&dataset(case));
    let own = |quad: &Quad| quad.graph_name.to_string() == format!("<{DOCUMENT}>");
    let quads: String = if case.union {
        quads.iter().map(|quad| format!("{quad} .\n")).collect()
    } else {
        let named = quads.iter().filter(|quad| !quad.graph_name.is_default_graph());
        named
            .map(|quad| {
                if own(quad) {
                    format!("{} .\n", oxrdf::Triple::from(quad.clone()))
                } else {
                    format!("{quad} .\n")
                }
            })
            .collect()
    };
    engine.answer(&quads, without_slice(&case.text), Request::Query)
}
