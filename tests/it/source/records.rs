//! Records by tables: a file becomes a graph, and the graph the file.

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, LoadMode, NoLoader};
use evalgraph::rdf::{QuadBuffer, RdfFormat, write};
use evalgraph::source::records::{
    DecomposedFile, FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement, RecordShape,
    compose, decompose, member,
};
use evalgraph::source::rewriting::IndexedGraph;

const SOURCE: RecordShape = RecordShape {
    name: "source",
    node: "Quotation+eg:Source",
    identity: ObjectIdentity::Inner,
    members: &[
        member("chunk", "identifier", MemberForm::Value),
        member("doc", "isPartOf:CreativeWork@doc(doc)/identifier", MemberForm::Value),
        member("year", "isPartOf:CreativeWork@doc(doc)/datePublished", MemberForm::Text),
        member("", "position", MemberForm::Position),
    ],
};

const ROW: RecordShape = RecordShape {
    name: "row",
    node: "DataFeedItem+eg:Row",
    identity: ObjectIdentity::Record { kind: "", key: "id" },
    members: ROW_MEMBERS,
};

const ROW_MEMBERS: &[RecordMember] = &[
    member("id", "eg:rowId", MemberForm::Value),
    member("id", "identifier", MemberForm::Derived(&MemberForm::Text)),
    member("", "item:Question#question/position", MemberForm::Position),
    member("question", "item:Question#question/text", MemberForm::Value),
    member("answer", "item:Question#question/acceptedAnswer:Answer#answer/text", MemberForm::Value),
    member(
        "accuracy",
        "item:Question#question/acceptedAnswer:Answer#answer/review:Review/reviewRating:Rating{reviewAspect=accuracy,bestRating=10}/ratingValue",
        MemberForm::Value,
    ),
    member(
        "utility",
        "item:Question#question/acceptedAnswer:Answer#answer/review:Review/reviewRating:Rating{reviewAspect=utility,bestRating=10}/ratingValue",
        MemberForm::Value,
    ),
    member("at", "dateCreated", MemberForm::DateTime),
    member("by", "eg:by", MemberForm::Reference("user")),
    member(
        "meta",
        "",
        MemberForm::Group(&[
            member("tags", "item:Question#question/keywords", MemberForm::Values),
            member("raw", "eg:raw", MemberForm::Json),
            member("weight", "eg:weight", MemberForm::Value),
        ]),
    ),
    member("sources", "item:Question#question/citation", MemberForm::Nodes(&SOURCE)),
];

const ROOT: RecordShape =
    RecordShape { name: "file", node: "DataFeed+eg:File", identity: ObjectIdentity::Blank, members: &[] };

const FILE: FileShape = FileShape { root: &ROOT, records: RecordPlacement::Items("dataFeedElement", &ROW) };

fn graph_of(text: &str) -> (QuadBuffer, u64) {
    let file = parse("rows.json", text.to_owned(), Limits::default()).expect("it is JSON");
    let (composed, account) = compose(&file, &FILE, "urn:evalgraph:toy:set:").expect("it is short");
    let mode = LoadMode { json_values: composed.json_values, ..LoadMode::default() };
    let mut quads = QuadBuffer::new();
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).with_load_mode(mode);
    let conversion = processor.to_rdf(&composed.document, &mut quads).expect("it is JSON-LD");
    assert_eq!(conversion.warnings.len(), 0, "{:?}", conversion.warnings);
    (quads, account.records)
}

fn back(quads: &QuadBuffer) -> DecomposedFile {
    let graph = IndexedGraph::new(quads, None);
    let root = quads.find_iri("urn:evalgraph:toy:set").expect("the root has an IRI");
    decompose(&graph, root, &FILE)
}

const ROWS: &str = concat!(
    r#"[{"id":"b","question":"Why?","answer":"So","accuracy":8.50,"utility":7,"at":"2026-01-02T03:04:05","by":5,"#,
    r#""meta":{"tags":["x","y"],"raw":{"b":[1.0,null],"a":{}},"weight":1e5},"#,
    r#""sources":[{"chunk":"c1","doc":"d 1","year":1964},{"chunk":"c2","doc":"d 1","year":1964}]},"#,
    r#"{"id":12345678901234567890,"question":"A \"quoted\" \\ line\nbreak","at":"yesterday","by":"ann"},"#,
    r#"{"question":true,"answer":{"text":[1,"2"]}}]"#
);

#[test]
fn a_file_comes_back_from_its_graph() {
    let (quads, records) = graph_of(ROWS);
    assert_eq!(records, 3);
    let back = back(&quads);
    assert_eq!(back.json, ROWS);
    assert_eq!(back.unread, []);
    assert_eq!(back.records.len(), 3);
}

#[test]
fn the_graph_is_what_the_table_says() {
    let row =
        r#"[{"id":7,"question":"Why?","answer":"So","accuracy":0.9,"sources":[{"chunk":"c","doc":"a/b"}]}]"#;
    let (quads, _) = graph_of(row);
    let mut text = Vec::new();
    write(&quads, RdfFormat::NTriples, &mut text).expect("memory takes it");
    let text = String::from_utf8(text).expect("N-Triples are UTF-8");
    for line in [
        "<urn:evalgraph:toy:set> <http://schema.org/dataFeedElement> <urn:evalgraph:toy:set:7> .",
        "<urn:evalgraph:toy:set:7> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:evalgraph:vocab:Row> .",
        "<urn:evalgraph:toy:set:7> <urn:evalgraph:vocab:rowId> \"7\"^^<http://www.w3.org/2001/XMLSchema#integer> .",
        "<urn:evalgraph:toy:set:7> <http://schema.org/identifier> \"7\" .",
        "<urn:evalgraph:toy:set:7/question> <http://schema.org/acceptedAnswer> <urn:evalgraph:toy:set:7/answer> .",
        "<urn:evalgraph:toy:set:7/sources/0> <http://schema.org/isPartOf> <urn:evalgraph:toy:set:doc/a%2Fb> .",
        "<http://schema.org/ratingValue> \"0.9\"^^<http://www.w3.org/2001/XMLSchema#decimal> .",
        "<http://schema.org/bestRating> \"10\"^^<http://www.w3.org/2001/XMLSchema#integer> .",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn what_the_table_does_not_read_is_told() {
    let (mut quads, _) = graph_of(r#"[{"id":1,"question":"Why?"}]"#);
    use evalgraph::rdf::QuadSink as _;
    let subject = quads.iri("urn:evalgraph:toy:set:1/question");
    let predicate = quads.iri("http://schema.org/author");
    let object = quads.string("Ada");
    quads.quad(subject, predicate, object, None);
    let back = back(&quads);
    let unread: Vec<_> = back
        .unread
        .iter()
        .map(|unread| (unread.class.as_str(), unread.property.as_str(), unread.count))
        .collect();
    assert_eq!(unread, [("Question", "author", 1)]);
}

#[test]
fn equal_ids_and_missing_ids_are_kept_apart() {
    let text =
        r#"[{"id":"a","question":"1"},{"id":"a","question":"2"},{"question":"3"},{"id":"","question":"4"}]"#;
    let (quads, _) = graph_of(text);
    assert_eq!(back(&quads).json, text);
}

#[test]
fn keys_without_a_meaning_are_counted() {
    let text = r#"[{"id":1,"question":"Why?","extra":1},{"id":2,"extra":{"id":3}}]"#;
    let file = parse("rows.json", text.to_owned(), Limits::default()).expect("it is JSON");
    let (_, account) = compose(&file, &FILE, "urn:evalgraph:toy:set:").expect("it is short");
    let unknown: Vec<_> = account.unknown.iter().map(|(key, (count, _))| (key.as_str(), *count)).collect();
    assert_eq!(unknown, [("extra", 2)]);
}
