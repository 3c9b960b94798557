//! RDF as JSON-LD: lists that are none, long chains, and that nothing is lost on the way there and
//! back, for generated documents and for generated quads.

use crate::cli::input::run;
use crate::conformance::json::equal_as_bags;
use crate::generated::choices::Choices;
use crate::generated::documents::document;
use crate::jsonld::collecting_sink::CollectingSink;
use crate::rdf::isomorphism::{Quad, isomorphic, read_n_quads, show};
use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{
    FromRdfError, JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader, ProcessingMode, RdfDirection,
};
use evalgraph::rdf::{self, QuadBuffer, QuadSink, RdfFormat, ReadOptions};
use proptest::prelude::*;
use serde_json::{Value, json};
use sophia::api::dataset::Dataset as _;
use sophia::api::serializer::QuadSerializer as _;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::Arc;

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

fn read(n_quads: &str) -> QuadBuffer {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::NQuads, base: None };
    rdf::read("quads.nq", n_quads.as_bytes(), options, &mut quads).expect("the quads are well formed");
    quads
}

fn text(quads: &QuadBuffer, options: &JsonLdOptions) -> Result<String, FromRdfError> {
    let mut json = Vec::new();
    JsonLdProcessor::new(options.clone(), &NoLoader).from_rdf(quads, JsonLdLayout::Compact, &mut json)?;
    Ok(String::from_utf8(json).expect("JSON is UTF-8"))
}

/// The document of quads whose `rdf:` names are written short.
fn json_of(n_quads: &str, options: &JsonLdOptions) -> Value {
    let n_quads = n_quads.replace("<rdf:", &format!("<{RDF}"));
    let text = text(&read(&n_quads), options).expect("the quads can be written");
    serde_json::from_str(&text.replace(RDF, "rdf:")).expect("the result is JSON")
}

#[test]
fn a_list_with_two_first_items_stays_nodes() {
    let quads =
        "<ex:s> <ex:p> _:a .\n_:a <rdf:first> \"1\" .\n_:a <rdf:first> \"2\" .\n_:a <rdf:rest> <rdf:nil> .\n";
    let expected = json!([
        {"@id": "ex:s", "ex:p": [{"@id": "_:a"}]},
        {"@id": "_:a", "rdf:first": [{"@value": "1"}, {"@value": "2"}], "rdf:rest": [{"@list": []}]},
    ]);
    assert_eq!(json_of(quads, &JsonLdOptions::default()), expected);
}

#[test]
fn cycles_of_rest_and_of_first_stay_nodes() {
    let rest =
        "_:a <rdf:first> \"1\" .\n_:a <rdf:rest> _:b .\n_:b <rdf:first> \"2\" .\n_:b <rdf:rest> _:a .\n";
    let expected = json!([
        {"@id": "_:a", "rdf:first": [{"@value": "1"}], "rdf:rest": [{"@id": "_:b"}]},
        {"@id": "_:b", "rdf:first": [{"@value": "2"}], "rdf:rest": [{"@id": "_:a"}]},
    ]);
    assert_eq!(json_of(rest, &JsonLdOptions::default()), expected);
    // Each list is the item of the other: folding either would leave nothing.
    let first = "_:a <rdf:first> _:b .\n_:a <rdf:rest> <rdf:nil> .\n_:b <rdf:first> _:a .\n_:b <rdf:rest> <rdf:nil> .\n";
    let expected = json!([
        {"@id": "_:a", "rdf:first": [{"@list": [{"@id": "_:a"}]}], "rdf:rest": [{"@list": []}]},
    ]);
    assert_eq!(json_of(first, &JsonLdOptions::default()), expected);
}

#[test]
fn a_list_that_something_else_mentions_stays_nodes() {
    let list = "<ex:s> <ex:p> _:a .\n_:a <rdf:first> \"1\" .\n_:a <rdf:rest> <rdf:nil> .\n";
    let is_folded = |quads: &str| {
        let json = json_of(&format!("{list}{quads}"), &JsonLdOptions::default());
        json.to_string().contains(r#""@list":[{"#)
    };
    assert!(is_folded(""));
    for other in [
        "<ex:t> <ex:p> _:a .\n",
        "<ex:t> <ex:p> _:a <ex:g> .\n",
        "_:a <ex:note> \"x\" <ex:g> .\n",
        "<ex:t> <ex:p> \"x\" _:a .\n",
        "<ex:t> <rdf:type> _:a .\n",
    ] {
        assert!(!is_folded(other), "{other}");
    }
}

#[test]
fn in_1_0_a_list_in_a_list_keeps_its_first_node() {
    let quads = "<ex:s> <ex:p> _:o .\n_:o <rdf:first> _:a .\n_:o <rdf:rest> <rdf:nil> .\n\
                 _:a <rdf:first> \"1\" .\n_:a <rdf:rest> _:b .\n_:b <rdf:first> \"2\" .\n_:b <rdf:rest> <rdf:nil> .\n";
    let options = JsonLdOptions { processing_mode: ProcessingMode::JsonLd1_0, ..JsonLdOptions::default() };
    let expected = json!([
        {"@id": "ex:s", "ex:p": [{"@list": [{"@id": "_:a"}]}]},
        {"@id": "_:a", "rdf:first": [{"@value": "1"}], "rdf:rest": [{"@list": [{"@value": "2"}]}]},
    ]);
    assert_eq!(json_of(quads, &options), expected);
    let expected =
        json!([{"@id": "ex:s", "ex:p": [{"@list": [{"@list": [{"@value": "1"}, {"@value": "2"}]}]}]}]);
    assert_eq!(json_of(quads, &JsonLdOptions::default()), expected);
}

#[test]
fn lists_nest_only_as_deep_as_readers_go() {
    let mut quads = "<ex:s> <ex:p> _:n0 .\n".to_owned();
    for level in 0..500 {
        quads.push_str(&format!(
            "_:n{level} <rdf:first> _:n{} .\n_:n{level} <rdf:rest> <rdf:nil> .\n",
            level + 1
        ));
    }
    let quads = quads.replace("<rdf:", &format!("<{RDF}"));
    let text = text(&read(&quads), &JsonLdOptions::default()).expect("the quads can be written");
    let back = to_rdf(&text, None).expect("what was written can be read");
    assert!(isomorphic(&back, &read_n_quads(&quads)));
}

#[test]
fn a_chain_of_a_million_nodes_is_written_in_a_moment() {
    let mut quads = QuadBuffer::new();
    let [first, rest, nil] = ["first", "rest", "nil"].map(|name| quads.iri(&format!("{RDF}{name}")));
    let (subject, item) = (quads.iri("http://example.org/s"), quads.string("x"));
    let nodes: Vec<_> = (0..1_000_000).map(|_| quads.blank_node()).collect();
    quads.quad(subject, subject, nodes[0], None);
    for (at, node) in nodes.iter().enumerate() {
        quads.quad(*node, first, item, None);
        quads.quad(*node, rest, nodes.get(at + 1).copied().unwrap_or(nil), None);
    }
    let list = text(&quads, &JsonLdOptions::default()).expect("the quads can be written");
    assert_eq!(list.matches(r#"{"@value":"x"}"#).count(), nodes.len());
    assert_eq!(list.matches("@id").count(), 1);
    // Without its end it is a chain of nodes.
    quads.truncate(2 * nodes.len());
    let chain = text(&quads, &JsonLdOptions::default()).expect("the quads can be written");
    assert_eq!(chain.matches(r#":[{"@id":"_:b"#).count(), nodes.len());
}

#[test]
fn literals_that_become_equal_are_one_value() {
    let integer = "http://www.w3.org/2001/XMLSchema#integer";
    let quads = format!(
        "<ex:s> <ex:p> \"1\"^^<{integer}> .\n<ex:s> <ex:p> \"01\"^^<{integer}> .\n\
         <ex:s> <ex:p> \"[1, 2]\"^^<rdf:JSON> .\n<ex:s> <ex:p> \"[1,2]\"^^<rdf:JSON> .\n"
    );
    let native = JsonLdOptions { use_native_types: true, ..JsonLdOptions::default() };
    let expected = json!([{"@id": "ex:s", "ex:p": [{"@value": 1}, {"@type": "@json", "@value": [1, 2]}]}]);
    assert_eq!(json_of(&quads, &native), expected);
}

#[test]
fn ordered_sorts_nodes_graphs_and_keys() {
    let quads = "<ex:b> <ex:q> \"1\" .\n<ex:b> <ex:p> \"1\" .\n<ex:b> <rdf:type> <ex:T> .\n\
                 <ex:a> <ex:p> \"1\" <ex:c> .\n<ex:a> <ex:p> \"1\" .\n_:z <ex:p> \"1\" <ex:c> .\n";
    let ordered = JsonLdOptions { ordered: true, ..JsonLdOptions::default() };
    let n_quads = quads.replace("<rdf:", &format!("<{RDF}"));
    let value = r#"[{"@value":"1"}]"#;
    assert_eq!(
        text(&read(&n_quads), &ordered).expect("the quads can be written").trim_end(),
        format!(
            r#"[{{"@id":"ex:a","ex:p":{value}}},{{"@id":"ex:b","@type":["ex:T"],"ex:p":{value},"ex:q":{value}}},{{"@id":"ex:c","@graph":[{{"@id":"_:z","ex:p":{value}}},{{"@id":"ex:a","ex:p":{value}}}]}}]"#
        )
    );
}

#[test]
fn what_is_refused_leaves_nothing_on_stdout() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let text = text.replace("<rdf:", &format!("<{RDF}"));
        std::fs::write(folder.path().join(name), text).expect("the folder is ours");
    };
    write("json.nq", "<ex:s> <ex:p> \"{]\"^^<rdf:JSON> .\n");
    write("direction.nq", "<ex:s> <ex:p> _:c .\n_:c <rdf:value> \"x\" .\n_:c <rdf:direction> \"up\" .\n");
    write(
        "language.nq",
        "<ex:s> <ex:p> _:c .\n_:c <rdf:value> \"x\" .\n_:c <rdf:direction> \"ltr\" .\n_:c <rdf:language> \"a b\" .\n",
    );
    for (file, code) in [
        ("json.nq", "invalid JSON literal"),
        ("direction.nq", "invalid base direction"),
        ("language.nq", "invalid language-tagged string"),
    ] {
        let arguments = ["from-rdf", file, "--rdf-direction", "compound-literal"];
        let (status, stdout, stderr) = run(folder.path(), &arguments);
        assert_eq!((status, stdout.as_str()), (2, ""), "{file}");
        assert!(stderr.contains(&format!("error[{code}]")), "{stderr}");
    }
}

#[test]
fn every_way_to_json_ld_writes_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.ttl"), "<ex:s> <ex:p> (1 2) ; a <ex:T> .\n")
        .expect("the folder is ours");
    let integer = "http://www.w3.org/2001/XMLSchema#integer";
    let expected = json!([{"@id": "ex:s", "@type": ["ex:T"], "ex:p": [{"@list": [
        {"@type": integer, "@value": "1"}, {"@type": integer, "@value": "2"},
    ]}]}]);
    let query = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }";
    for arguments in [
        &["from-rdf", "a.ttl"][..],
        &["convert", "a.ttl", "--to", "jsonld"],
        &["query", "a.ttl", "-q", query, "--to", "jsonld"],
    ] {
        let (status, stdout, stderr) = run(folder.path(), arguments);
        assert_eq!((status, stderr.as_str()), (0, ""), "{arguments:?}");
        let json = serde_json::from_str(&stdout).expect("the result is JSON");
        assert!(equal_as_bags(&json, &expected), "{arguments:?}: {stdout}");
    }
}

/// The quads of a text, or the processor's refusal.
fn to_rdf(text: &str, direction: Option<RdfDirection>) -> Result<BTreeSet<Quad>, String> {
    let mut sink = CollectingSink::default();
    convert(text, direction, &mut sink)?;
    Ok(sink.quads())
}

fn convert<S: QuadSink>(text: &str, direction: Option<RdfDirection>, sink: &mut S) -> Result<(), String> {
    let document = parse("made", text.to_owned(), Limits::default()).map_err(|fault| fault.to_string())?;
    let options = JsonLdOptions { rdf_direction: direction, ..JsonLdOptions::default() };
    let mut processor = JsonLdProcessor::new(options, &NoLoader);
    processor.to_rdf(&Arc::new(document), sink).map(|_| ()).map_err(|error| error.to_string())
}

/// `toRdf(fromRdf(toRdf(x)))` beside `toRdf(x)`; the quads between, where `x` has any.
fn round_trip(document: &str, direction: Option<RdfDirection>) -> Result<Option<QuadBuffer>, TestCaseError> {
    let mut quads = QuadBuffer::new();
    if convert(document, direction, &mut quads).is_err() {
        return Ok(None);
    }
    let before = to_rdf(document, direction).expect("it was converted before");
    let options = JsonLdOptions { rdf_direction: direction, ..JsonLdOptions::default() };
    let json = text(&quads, &options).expect("its own literals are well formed");
    let after = to_rdf(&json, direction).expect("the result is JSON-LD");
    prop_assert!(
        isomorphic(&before, &after),
        "{document}\n{json}\n{}\nexpected\n{}",
        show(&after),
        show(&before)
    );
    Ok(Some(quads))
}

/// How many documents: a few hundred, or as many as `EVALGRAPH_GENERATED` says.
fn cases() -> ProptestConfig {
    let number = std::env::var("EVALGRAPH_GENERATED").ok().and_then(|number| number.parse().ok());
    crate::generated::cases(number.unwrap_or(400))
}

/// The same document with directions, which the generator leaves out.
fn with_directions(document: &str) -> String {
    document
        .replace(r#""@language": "de"}"#, r#""@language": "de", "@direction": "rtl"}"#)
        .replace(r#""@version": 1.1,"#, r#""@version": 1.1, "@direction": "ltr","#)
}

#[test]
fn generated_documents_come_back_from_rdf() {
    let features: std::cell::RefCell<BTreeMap<&str, usize>> = std::cell::RefCell::default();
    let mut runner = proptest::test_runner::TestRunner::new(cases());
    let strategy = proptest::collection::vec(any::<u16>(), 0..120);
    let result = runner.run(&strategy, |drawn| {
        let document = document(&mut Choices::new(&drawn));
        let directed = with_directions(&document);
        let mut quads = Vec::new();
        quads.extend(round_trip(&document, None)?);
        for direction in [RdfDirection::I18nDatatype, RdfDirection::CompoundLiteral] {
            quads.extend(round_trip(&directed, Some(direction))?);
        }
        let mut n_quads = Vec::new();
        for quads in &quads {
            rdf::write(quads, RdfFormat::NQuads, &mut n_quads).expect("memory takes all");
        }
        let n_quads = String::from_utf8(n_quads).expect("N-Quads are UTF-8");
        for (feature, _) in FEATURES.iter().filter(|(_, sign)| n_quads.contains(sign)) {
            *features.borrow_mut().entry(feature).or_default() += 1;
        }
        Ok(())
    });
    let features = features.into_inner();
    let _ = writeln!(std::io::stderr(), "fromRdf of generated documents: {features:?}");
    if let Err(failure) = result {
        panic!("{failure}");
    }
    for (feature, _) in FEATURES {
        assert!(features.contains_key(feature), "no generated document has {feature}");
    }
}

/// What documents have to hold, and how that is seen in their quads.
const FEATURES: [(&str, &str); 8] = [
    ("lists", "22-rdf-syntax-ns#rest>"),
    ("JSON literals", "22-rdf-syntax-ns#JSON>"),
    ("types", "22-rdf-syntax-ns#type>"),
    ("languages", "\"@de "),
    ("i18n datatypes", "ns/i18n#"),
    ("compound literals", "22-rdf-syntax-ns#direction>"),
    ("blank nodes", "_:b"),
    ("doubles", "XMLSchema#double>"),
];

/// Quads over few terms, so that lists cross, fork and end in strange places.
fn any_quads() -> impl Strategy<Value = String> {
    let node = prop::sample::select(vec!["_:a", "_:b", "_:c", "_:d", "<ex:s>", "<rdf:nil>"]);
    let predicate =
        prop::sample::select(vec!["<rdf:first>", "<rdf:rest>", "<rdf:rest>", "<rdf:type>", "<ex:p>"]);
    let object = prop::sample::select(vec![
        "_:a",
        "_:b",
        "_:c",
        "_:d",
        "<ex:s>",
        "<rdf:nil>",
        "<rdf:nil>",
        "<rdf:List>",
        "\"1\"",
        "\"2\"@en",
    ]);
    let graph = prop::sample::select(vec!["", "", "", "<ex:g>", "_:a"]);
    prop::collection::vec((node, predicate, object, graph), 0..12).prop_map(|quads| {
        let line = |(s, p, o, g): (&str, &str, &str, &str)| format!("{s} {p} {o} {g} .\n");
        quads.into_iter().map(line).collect::<String>().replace("<rdf:", &format!("<{RDF}"))
    })
}

proptest! {
    #![proptest_config(crate::generated::cases(2000))]

    #[test]
    fn generated_quads_come_back_whole(n_quads in any_quads(), use_rdf_type: bool) {
        let options = JsonLdOptions { use_rdf_type, ..JsonLdOptions::default() };
        let json = text(&read(&n_quads), &options).expect("the quads can be written");
        let after = to_rdf(&json, None).expect("the result is JSON-LD");
        prop_assert!(isomorphic(&read_n_quads(&n_quads), &after), "{json}\n{}", show(&after));
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn sophia_writes_the_same_document(drawn in proptest::collection::vec(any::<u16>(), 0..120), use_native_types: bool) {
        let mut quads = QuadBuffer::new();
        if convert(&document(&mut Choices::new(&drawn)), None, &mut quads).is_err() {
            return Ok(());
        }
        let options = JsonLdOptions { use_native_types, ..JsonLdOptions::default() };
        let ours = text(&quads, &options).expect("its own literals are well formed");
        let ours: Value = serde_json::from_str(&ours).expect("the result is JSON");
        let theirs = sophia(&quads, use_native_types);
        prop_assert!(excused(&quads) || equal_as_bags(&ours, &theirs), "{ours}\nsophia:\n{theirs}");
    }
}

fn sophia(quads: &QuadBuffer, use_native_types: bool) -> Value {
    let options = sophia_jsonld::JsonLdOptions::new().with_use_native_types(use_native_types);
    let mut json = Vec::new();
    let mut serializer = sophia_jsonld::JsonLdSerializer::new_with_options(&mut json, options);
    let source = crate::rdf::sophia::to_sophia(quads);
    serializer.serialize_quads(source.quads()).expect("sophia takes the quads");
    serde_json::from_slice(&json).expect("sophia writes JSON")
}

/// Where sophia leaves the algorithm: a blank node as type (step 5.7.5: "object is an IRI or blank
/// node identifier, append object to the value of the @type entry") stays a property there.
fn excused(quads: &QuadBuffer) -> bool {
    let rdf_type = quads.find_iri(&format!("{RDF}type"));
    quads
        .quads()
        .iter()
        .any(|quad| Some(quad.predicate) == rdf_type && quads.blank_node_number(quad.object).is_some())
}
