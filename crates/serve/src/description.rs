//! The description of the service (SPARQL 1.1 Service Description), of its data (VoID), and of the named queries as
//! SHACL executables. Editors use it for completion.

use std::fmt::Write as _;
use std::rc::Rc;

use oxrdf::Term;

use super::channel::ReplySender;
use super::pieces::ReplyWriter;
use super::problem::ProblemDetails;
use super::query_answer::{NegotiatedForm, write_whole};
use super::received_request::ReceivedRequest;
use super::server_context::ServerContext;
use super::server_options::WriteAccess;
use super::states::begin;
use evalgraph_engine::named_queries::NamedQueries;
use evalgraph_rdf::iri::percent_encode_into;
use evalgraph_rdf::minted::DEFAULT_GRAPH;
use evalgraph_rdf::{self as rdf, QuadBuffer, RdfFormat, ReadOptions};
use evalgraph_sparql::{QueryForm, QueryPrefixes};
use evalgraph_store::Dataset;

/// The prefixes of the description, with their namespaces.
const PREFIXES: [(&str, &str); 4] = [
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("sd", "http://www.w3.org/ns/sparql-service-description#"),
    ("sh", "http://www.w3.org/ns/shacl#"),
    ("void", "http://rdfs.org/ns/void#"),
];

/// The names of result and graph formats in the W3C's list.
const FORMATS: [&str; 10] = [
    "SPARQL_Results_JSON",
    "SPARQL_Results_XML",
    "SPARQL_Results_CSV",
    "SPARQL_Results_TSV",
    "Turtle",
    "N-Triples",
    "N-Quads",
    "TriG",
    "RDF_XML",
    "JSON-LD",
];

/// The most graphs that the description lists.
const MOST_GRAPHS: usize = 1_000;

/// Describes the service.
///
/// # Errors
///
/// `serve::not-acceptable`.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let form = NegotiatedForm::of_graph(&asked.headers)?;
    let seen = context.data.now()?;
    if !begin(asked, form.head(), Some(&seen.name), reply) {
        return Ok(());
    }
    let root = asked.server() + "/";
    let (mut text, mut prefixes) = (String::new(), QueryPrefixes::new());
    for (prefix, namespace) in PREFIXES {
        prefixes.declare(prefix, namespace);
        let _ = writeln!(text, "@prefix {prefix}: <{namespace}> .");
    }
    service(context, &root, &mut text);
    dataset(seen.loaded.dataset(), &mut text);
    named_queries(&context.named, &root, &mut text)?;
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::Turtle, base: None };
    rdf::read("description", text.as_bytes(), options, &mut quads).map_err(|_| ProblemDetails::panicked())?;
    write_whole(quads, form, &prefixes, &ReplyWriter::new(reply, asked.compression()))
}

/// Writes what the service can do.
fn service(context: &ServerContext, root: &str, text: &mut String) {
    let is_written = !matches!(context.options.writes, WriteAccess::Refused);
    let update = if is_written { ", sd:SPARQL11Update" } else { "" };
    let formats: Vec<String> =
        FORMATS.iter().map(|format| format!("<http://www.w3.org/ns/formats/{format}>")).collect();
    let formats = formats.join(" , ");
    let _ = write!(
        text,
        "<{root}query> a sd:Service ; sd:endpoint <{root}query> ; sd:supportedLanguage sd:SPARQL11Query{update} ;\n\
         sd:feature sd:UnionDefaultGraph ; sd:resultFormat {formats} ; sd:defaultDataset _:dataset .\n"
    );
}

/// Writes the union of all graphs, and each graph.
fn dataset(dataset: &Dataset, text: &mut String) {
    let names = dataset.graphs_of_data().take(MOST_GRAPHS);
    let graphs = names.filter_map(|name| match dataset.dictionary().term(name) {
        Term::NamedNode(node) => Some((node, dataset.graph_quad_count(name))),
        _ => None,
    });
    let graphs: Vec<_> = graphs.collect();
    let quads: usize = graphs.iter().map(|(_, count)| count).sum();
    let _ = write!(
        text,
        "_:dataset a sd:Dataset , void:Dataset ; void:triples {quads} ;\n\
         sd:defaultGraph [ a sd:Graph ; rdfs:comment \"the union of all named graphs; statements without a graph \
         are written to <{DEFAULT_GRAPH}>\" ] .\n"
    );
    for (name, count) in graphs {
        let _ = writeln!(
            text,
            "_:dataset sd:namedGraph [ a sd:NamedGraph ; sd:name {name} ;\n\
             sd:graph [ a sd:Graph , void:Dataset ; void:triples {count} ] ] ."
        );
    }
}

/// Writes the named queries, with their texts.
fn named_queries(queries: &NamedQueries, root: &str, text: &mut String) -> Result<(), ProblemDetails> {
    for named in queries.iter() {
        let (class, property) = match named.query()?.form() {
            QueryForm::Select => ("SPARQLSelectExecutable", "select"),
            QueryForm::Ask => ("SPARQLAskExecutable", "ask"),
            QueryForm::Construct => ("SPARQLConstructExecutable", "construct"),
            QueryForm::Describe => ("SPARQLExecutable", "describe"),
        };
        let comment = named.description.as_deref().unwrap_or(&named.title);
        let mut name = String::new();
        percent_encode_into(&named.name, &mut name);
        let _ = write!(
            text,
            "<{root}query/{name}> a sh:SPARQLExecutable , sh:{class} ;\n\
             rdfs:label {} ; rdfs:comment {} ; sh:{property} {} .\n",
            quoted(&named.title),
            quoted(comment),
            quoted(&named.text),
        );
    }
    Ok(())
}

/// Returns a string in Turtle syntax.
fn quoted(text: &str) -> String {
    oxrdf::Literal::new_simple_literal(text).to_string()
}
