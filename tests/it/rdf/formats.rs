//! The RDF formats: what is recognised, what is read, what is written, and that nothing changes
//! on the way round.

use std::fmt::Write as _;

use super::sophia::to_sophia;
use evalgraph::rdf::{self, QuadBuffer, QuadSink, RdfFormat, ReadOptions};
use proptest::prelude::*;
use sophia::isomorphism::isomorphic_datasets;

const WRITTEN: [RdfFormat; 5] =
    [RdfFormat::NTriples, RdfFormat::NQuads, RdfFormat::Turtle, RdfFormat::TriG, RdfFormat::RdfXml];

fn read(text: &str, format: RdfFormat) -> QuadBuffer {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format, base: None };
    if let Err(errors) = rdf::read("test", text.as_bytes(), options, &mut quads) {
        panic!("{format}: {}\n{text}", errors[0]);
    }
    quads
}

fn write(quads: &QuadBuffer, format: RdfFormat) -> String {
    let mut out = Vec::new();
    rdf::write(quads, format, &mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("RDF formats are UTF-8")
}

fn assert_isomorphic(left: &QuadBuffer, right: &QuadBuffer) {
    let are_isomorphic = isomorphic_datasets(&to_sophia(left), &to_sophia(right));
    let (one, two) = (write(left, RdfFormat::NQuads), write(right, RdfFormat::NQuads));
    assert!(are_isomorphic.expect("no errors in memory"), "{one}\n--- is not ---\n{two}");
}

fn assert_round_trip(n_quads: &str, format: RdfFormat) {
    let quads = read(n_quads, RdfFormat::NQuads);
    let quads = if format.has_graph_names() { quads } else { quads.without_graph_names() };
    let text = write(&quads, format);
    assert_eq!(text, write(&quads, format), "the same quads give the same bytes");
    let back = read(&text, format);
    assert_isomorphic(&quads, &back);
}

#[test]
fn pretty_turtle_nests_blank_nodes_and_lists() {
    let quads = read(
        "@prefix ex: <http://example.org/> .
         ex:q a ex:Question ; ex:part [ ex:text \"one\" ; ex:score 1, 2.5, 1e0, true ] ;
           ex:tags (\"a\" \"b\" [ ex:x 1 ]) , () ; ex:code \"def f():\\n  return \\\"x\\\"\"@en .",
        RdfFormat::Turtle,
    );
    insta::assert_snapshot!(write(&quads, RdfFormat::Turtle), @r#"
@prefix ex: <http://example.org/> .

ex:q a ex:Question ;
    ex:part [
        ex:text "one" ;
        ex:score
            1 ,
            2.5 ,
            1e0 ,
            true
    ] ;
    ex:tags
        (
            "a"
            "b"
            [
                ex:x 1
            ]
        ) ,
        () ;
    ex:code """def f():
  return \"x\""""@en .
"#);
}

#[test]
fn pretty_trig_writes_graphs_after_the_default_graph() {
    let quads = read(
        "<x:s> <x:p> _:b <x:g> .\n<x:s> <x:p> \"d\" .\n_:b <x:q> <http://schema.org/name> <x:g> .\n",
        RdfFormat::NQuads,
    );
    insta::assert_snapshot!(write(&quads, RdfFormat::TriG), @r#"
@prefix schema: <http://schema.org/> .

<x:s> <x:p> "d" .

<x:g> {
    <x:s> <x:p> [
            <x:q> schema:name
        ] .
}
"#);
}

#[test]
fn rdf_xml_is_grouped_and_escaped() {
    let quads = read(
        "<x:s> <http://schema.org/name> \"a<b & \\\"c\\\"\\r\\n\" .\n<x:s> <http://schema.org/item> _:b .\n_:b <http://example.org/n> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n",
        RdfFormat::NTriples,
    );
    insta::assert_snapshot!(write(&quads, RdfFormat::RdfXml), @r#"
<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns:ns1="http://example.org/"
         xmlns:schema="http://schema.org/">
  <rdf:Description rdf:about="x:s">
    <schema:name>a&lt;b &amp; &quot;c&quot;&#13;
</schema:name>
    <schema:item rdf:nodeID="b0"/>
  </rdf:Description>
  <rdf:Description rdf:nodeID="b0">
    <ns1:n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">1</ns1:n>
  </rdf:Description>
</rdf:RDF>
"#);
}

#[test]
fn rdf_xml_counts_what_xml_cannot_say() {
    let quads =
        read("<x:s> <http://example.org/1> \"a\" .\n<x:s> <x:p> \"\\u0001\" .\n", RdfFormat::NTriples);
    assert!(!write(&quads, RdfFormat::RdfXml).contains("Description"));
    let left_out = rdf::write::left_out(&quads, RdfFormat::RdfXml);
    let reasons: Vec<_> = left_out.iter().map(|left_out| (left_out.reason, left_out.quads)).collect();
    assert_eq!(
        reasons,
        [("a predicate that does not end in an XML name", 1), ("a character that XML does not allow", 1)]
    );
}

#[test]
fn hard_blank_nodes_survive_every_format() {
    let first = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#first>";
    let rest = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#rest>";
    let nil = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil>";
    let cases = [
        // A cycle with a tail.
        "_:b1 <x:p> _:b2 .\n_:b1 <x:p> _:b0 .\n_:b2 <x:p> _:b1 .\n".to_owned(),
        "_:a <x:p> _:a .\n".to_owned(),
        // Two rests, two firsts, no rest, an extra property.
        format!("<x:s> <x:p> _:x .\n_:x {first} \"1\" .\n_:x {rest} {nil} .\n_:x {rest} <x:y> .\n"),
        format!("<x:s> <x:p> _:x .\n_:x {first} \"1\" .\n_:x {first} \"2\" .\n_:x {rest} {nil} .\n"),
        format!("<x:s> <x:p> _:x .\n_:x {first} \"1\" .\n"),
        format!("<x:s> <x:p> _:x .\n_:x {first} \"1\" .\n_:x {rest} {nil} .\n_:x <x:q> \"z\" .\n"),
        // A list that loops, a shared tail, a list as an item of itself.
        format!("_:x {first} \"1\" .\n_:x {rest} _:y .\n_:y {first} \"2\" .\n_:y {rest} _:x .\n"),
        format!(
            "_:x {first} \"1\" .\n_:x {rest} _:t .\n_:y {first} \"2\" .\n_:y {rest} _:t .\n_:t {first} \"3\" .\n_:t {rest} {nil} .\n"
        ),
        format!("_:x {first} _:x .\n_:x {rest} {nil} .\n"),
        // Blank graph names, a node in two graphs, an object without statements.
        "<x:s> <x:p> _:g .\n<x:s> <x:p> \"1\" _:g .\n".to_owned(),
        "<x:s> <x:p> _:n <x:g> .\n_:n <x:p> \"1\" <x:h> .\n".to_owned(),
        "<x:s> <x:p> _:n .\n<x:s> <x:q> _:m .\n".to_owned(),
        // One node in the default graph and one list per graph.
        format!("<x:s> <x:p> _:x <x:g> .\n_:x {first} \"1\" <x:g> .\n_:x {rest} {nil} <x:h> .\n"),
    ];
    for case in &cases {
        for format in WRITTEN {
            assert_round_trip(case, format);
        }
    }
}

#[test]
fn deep_nesting_and_long_lists_are_written_and_read() {
    let mut text = String::from("<x:s> <x:p> _:n0 .\n");
    for at in 0..20_000 {
        writeln!(text, "_:n{at} <x:p> _:n{} .", at + 1).expect("a string takes everything");
    }
    let quads = read(&text, RdfFormat::NQuads);
    let back = read(&write(&quads, RdfFormat::Turtle), RdfFormat::Turtle);
    assert_eq!(back.len(), quads.len());

    let list = format!("<x:s> <x:p> ({}) .", "1 ".repeat(20_000));
    let quads = read(&list, RdfFormat::Turtle);
    let text = write(&quads, RdfFormat::Turtle);
    assert!(!text.contains("_:"), "a long list stays one collection");
    assert_eq!(read(&text, RdfFormat::Turtle).len(), 40_001);
}

#[test]
fn lexical_forms_stay_as_written() {
    let xsd = "http://www.w3.org/2001/XMLSchema#";
    let mut text = String::new();
    for (lexical, datatype) in [
        ("01", "integer"),
        ("+1", "integer"),
        ("-0", "integer"),
        ("1.", "decimal"),
        (".5", "decimal"),
        ("1.0", "decimal"),
        ("1E5", "double"),
        ("1.e5", "double"),
        ("INF", "double"),
        ("1", "boolean"),
        ("true", "boolean"),
        (" 1", "integer"),
        ("x", "date"),
    ] {
        writeln!(text, "<x:s> <x:p> \"{lexical}\"^^<{xsd}{datatype}> .").expect("a string takes everything");
    }
    for format in WRITTEN {
        assert_round_trip(&text, format);
    }
}

fn literal() -> impl Strategy<Value = String> {
    let text = proptest::string::string_regex("[a-z\"'\\\\\n\r\t<>&#{}.é\u{1F600} ]{0,12}").expect("a regex");
    text.prop_map(|text| {
        let mut escaped = String::from("\"");
        for c in text.chars() {
            match c {
                '"' => escaped.push_str("\\\""),
                '\\' => escaped.push_str("\\\\"),
                '\n' => escaped.push_str("\\n"),
                '\r' => escaped.push_str("\\r"),
                c => escaped.push(c),
            }
        }
        escaped.push('"');
        escaped
    })
}

fn node() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..6u8).prop_map(|n| format!("_:n{n}")),
        (0..3u8).prop_map(|n| format!("<http://schema.org/item{n}>")),
        Just("<http://schema.org/>".to_owned()),
        Just("<urn:x:a%20b.>".to_owned()),
    ]
}

fn predicate() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("<http://www.w3.org/1999/02/22-rdf-syntax-ns#first>".to_owned()),
        Just("<http://www.w3.org/1999/02/22-rdf-syntax-ns#rest>".to_owned()),
        Just("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>".to_owned()),
        Just("<http://schema.org/name>".to_owned()),
        Just("<http://example.org/a.b-c>".to_owned()),
    ]
}

fn object() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => node(),
        1 => literal(),
        1 => literal().prop_map(|text| format!("{text}@en-gb")),
        1 => Just("<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil>".to_owned()),
        1 => (-5..5i8).prop_map(|n| format!("\"{n}\"^^<http://www.w3.org/2001/XMLSchema#integer>")),
    ]
}

fn graph() -> impl Strategy<Value = String> {
    prop_oneof![4 => Just(String::new()), 1 => Just("<urn:g:1>".to_owned()), 1 => Just("_:n0".to_owned())]
}

proptest! {
    #![proptest_config(crate::generated::cases(300))]

    #[test]
    fn every_format_keeps_the_quads(
        quads in proptest::collection::vec((node(), predicate(), object(), graph()), 0..14)
    ) {
        let mut text = String::new();
        for (subject, predicate, object, graph) in quads {
            writeln!(text, "{subject} {predicate} {object} {graph} .").expect("a string takes everything");
        }
        for format in WRITTEN {
            assert_round_trip(&text, format);
        }
    }

    #[test]
    fn detection_and_readers_take_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = rdf::detect("input", &bytes);
        for format in RdfFormat::ALL {
            let options = ReadOptions { format, base: None };
            let _ = rdf::read("input", &bytes, options, &mut QuadBuffer::new());
        }
    }

    #[test]
    fn detection_takes_any_beginning(text in "[\\[{<@#\"'a-c:_. \n}\\]>=]{0,40}") {
        let _ = rdf::detect("input", text.as_bytes());
    }
}

#[test]
fn a_repeated_quad_is_held_once() {
    let mut quads = QuadBuffer::new();
    let (subject, predicate) = (quads.iri("x:s"), quads.iri("x:p"));
    for _ in 0..3 {
        let object = quads.string("o");
        quads.quad(subject, predicate, object, None);
    }
    assert_eq!(quads.len(), 1);
}

#[test]
fn content_tells_the_format_first_and_the_name_second() {
    use RdfFormat::{JsonLd, N3, NQuads, NTriples, RdfXml, TriG, Turtle};
    let table: &[(&str, &str, RdfFormat, bool)] = &[
        // name, content, format, whether a note is given
        ("a.jsonld", "{\"@id\": \"x:a\"}", JsonLd, false),
        ("a", "  [\n {} ]", JsonLd, false),
        ("a", "[]", JsonLd, false),
        ("a", "{}", JsonLd, false),
        ("a.jsonld", "{'a': 1}", JsonLd, false),
        ("a.jsonld", "{ // c\n", JsonLd, false),
        ("a.json", "\u{FEFF}{\"a\": 1}", JsonLd, false),
        ("karenina.ttl", "{\n  \"@context\": {}}", JsonLd, true),
        ("a.jsonld", "", JsonLd, false),
        ("a.ttl", "", Turtle, false),
        ("a.ttl", "# only a comment\n", Turtle, false),
        ("a.nt", "# only a comment\n", NTriples, false),
        ("a", "<x:s> <x:p> <x:o> .\n", NTriples, false),
        ("a.nq", "<x:s> <x:p> <x:o> .\n", NQuads, false),
        ("a.ttl", "<x:s> <x:p> \"o . <\"@en .\n", Turtle, false),
        ("a", "<x:s> <x:p> \"o\"^^<x:t> <x:g> . # c\n", NQuads, false),
        ("a", "_:a <x:p> _:b .\n<x:s> <x:p> _:b _:g .\n", NQuads, false),
        ("a.nt", "<x:s> <x:p> <x:o> <x:g> .\n", NQuads, true),
        ("a.nt", "<x:s> <x:p> oops .\n", NTriples, false),
        ("a.nt", "@prefix x: <x:> .\nx:s x:p x:o .\n", Turtle, true),
        ("a", "@prefix x: <x:> .\nx:s x:p \"{ not a graph }\" . # { nor this\n", Turtle, false),
        ("a", "PREFIX x: <x:>\nx:g { x:s x:p x:o }\n", TriG, false),
        ("a.trig", "@prefix x: <x:> .\nx:s x:p x:o .\n", TriG, false),
        ("a.ttl", "@prefix x: <x:> .\nx:g { x:s x:p x:o }\n", TriG, true),
        ("a", "{ <x:s> <x:p> <x:o> }", TriG, false),
        ("a", "{ ex:s ex:p ex:o }", TriG, false),
        ("a", "GRAPH <x:g> { <x:s> <x:p> <x:o> }", TriG, false),
        ("a", "[] a <x:T> .", Turtle, false),
        ("a", "[ <x:p> 1 ] .", Turtle, false),
        ("a", "<x:s> a <x:T> ; <x:p> 1 .", Turtle, false),
        ("a.n3", "@prefix x: <x:> .\nx:s x:p { x:a x:b x:c } .", N3, false),
        ("a", "@prefix x: <x:> .\n{ ?a x:p ?b } => { ?b x:p ?a } .", N3, false),
        ("a", "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"…\"/>", RdfXml, false),
        ("a", "<rdf:RDF xmlns:rdf=\"…\">", RdfXml, false),
        ("a.nq", "<urn:a:b/c> <urn:p> \"x\" <urn:g> .", NQuads, false),
        ("a.owl", "<!-- c --><rdf:RDF>", RdfXml, false),
        ("a.xml.gz", "<rdf:RDF>", RdfXml, false),
        ("a.ttl", "<rdf:RDF xmlns:rdf=\"…\">", RdfXml, true),
        ("a.ttl", "garbage", Turtle, false),
    ];
    for (name, content, format, is_noted) in table {
        match rdf::detect(name, content.as_bytes()) {
            Ok(detection) => {
                assert_eq!(detection.format, *format, "{name}: {content}");
                assert_eq!(detection.note.is_some(), *is_noted, "{name}: {content}");
            }
            Err(error) => panic!("{name}: {content}: {error}"),
        }
    }
}

#[test]
fn what_is_no_data_is_named() {
    let error =
        |name: &str, content: &str| rdf::detect(name, content.as_bytes()).expect_err("no data").to_string();
    assert_eq!(
        error("a.jsonld", "<!DOCTYPE html>\n<html><head><title>502\n Bad Gateway</title>"),
        "a.jsonld: input::html: this is an HTML page, not data; its title is `502 Bad Gateway`"
    );
    assert_eq!(error("-", " \n"), "-: input::empty: the input is empty");
    assert_eq!(
        error("data.bin", "\n  garbage"),
        "data.bin:2:3: input::unknown-format: neither the content nor the name shows the format"
    );
}

#[test]
fn syntax_errors_have_a_place_and_plain_words() {
    let cases: &[(RdfFormat, &str)] = &[
        (RdfFormat::Turtle, "@prefix ex: <x:> .\nex:s ex:p foo:o ."),
        (RdfFormat::Turtle, "<x:s> <x:p> <x:o>\n<x:s> <x:q> 1 ."),
        (RdfFormat::Turtle, "<s> <x:p> 1 ."),
        (RdfFormat::Turtle, "<x:s> \"p\" 1 ."),
        (RdfFormat::Turtle, "<x:s> <x:p> \"open .\n"),
        (RdfFormat::Turtle, "<x:s> <x:p> [ <x:q> 1 .\n"),
        (RdfFormat::Turtle, "<x:s> <x:p>"),
        (RdfFormat::TriG, "<x:g> { <x:s> <x:p> 1 "),
        (RdfFormat::NTriples, "<x:s> <x:p> .\n"),
        (RdfFormat::NTriples, "<x:s> <x:p> <x:o> <x:g> .\n"),
        (RdfFormat::NQuads, "<x:s> <x:p> <x:o>\n<x:s> <x:p> oops .\n"),
        (RdfFormat::NQuads, "<x:s> <x:p> \"\\q\" .\n"),
        (RdfFormat::NQuads, "<x:s> <x:p> <x: o> .\n"),
        (
            RdfFormat::RdfXml,
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n  <rdf:Description rdf:about=\"x\">\n",
        ),
        (
            RdfFormat::RdfXml,
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n  <rdf:Description>\n</rdf:RDF>",
        ),
    ];
    let mut all = String::new();
    for (format, text) in cases {
        let options = ReadOptions { format: *format, base: None };
        let errors = rdf::read("a", text.as_bytes(), options, &mut QuadBuffer::new()).expect_err(text);
        for error in errors {
            writeln!(all, "{} | {error}", text.escape_debug()).expect("a string takes everything");
        }
    }
    insta::assert_snapshot!(all, @r#"
@prefix ex: <x:> .\nex:s ex:p foo:o . | a:2:11: rdf::syntax: the prefix `foo:` is not declared
<x:s> <x:p> <x:o>\n<x:s> <x:q> 1 . | a:2:1: rdf::syntax: expected `.` at the end of the statement, found `<x:s>`
<s> <x:p> 1 . | a:1:1: rdf::syntax: `<s>` is a relative IRI and there is no base to resolve it against
<x:s> \"p\" 1 . | a:1:7: rdf::syntax: expected a predicate, found `"p"`
<x:s> <x:p> \"open .\n | a:1:13: rdf::syntax: the string that starts here is not closed
<x:s> <x:p> [ <x:q> 1 .\n | a:1:23: rdf::syntax: expected `]` at the end of the blank node, found `.`
<x:s> <x:p> | a:1:12: rdf::syntax: unexpected end of file inside a statement
<x:g> { <x:s> <x:p> 1  | a:1:22: rdf::syntax: unexpected end of file inside a statement
<x:s> <x:p> .\n | a:1:13: rdf::syntax: the object of a triple must be an IRI, a blank node or a literal
<x:s> <x:p> <x:o> <x:g> .\n | a:1:19: rdf::syntax: expected `.` at the end of the statement, found `<x:g>`
<x:s> <x:p> <x:o>\n<x:s> <x:p> oops .\n | a:1:18: rdf::syntax: expected `.` at the end of the statement, nothing follows
<x:s> <x:p> <x:o>\n<x:s> <x:p> oops .\n | a:2:13: rdf::syntax: the object of a triple must be an IRI, a blank node or a literal
<x:s> <x:p> \"\\q\" .\n | a:1:14: rdf::syntax: unexpected escape character `\q`
<x:s> <x:p> <x: o> .\n | a:1:13: rdf::syntax: invalid IRI code point ` `
<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n  <rdf:Description rdf:about=\"x\">\n | a:2:20: rdf::syntax: `x` is a relative IRI and there is no base to resolve it against
<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n  <rdf:Description>\n</rdf:RDF> | a:3:1: rdf::syntax: `</rdf:RDF>` where `</rdf:Description>` should be
"#);
}
