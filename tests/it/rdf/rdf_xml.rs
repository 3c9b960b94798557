//! RDF/XML beyond the suite: entities, canonical XML literals, what XML says of line ends and white space,
//! and faults with their places.

use crate::rdf::isomorphism::{isomorphic, read_n_quads, show};
use evalgraph::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};
use std::fmt::Write as _;

const BEGIN: &str =
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">";

fn document(content: &str) -> String {
    format!("{BEGIN}{content}</rdf:RDF>")
}

fn read_within(text: &str, most: u64) -> Result<QuadBuffer, String> {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::RdfXml, base: Some("http://base/a/b") };
    let read = rdf::read_within("a.rdf", text.as_bytes(), options, most, &mut quads);
    read.map(|_| quads)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn n_quads(text: &str) -> String {
    let quads = read_within(text, u64::MAX).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut out = Vec::new();
    rdf::write(&quads, RdfFormat::NQuads, &mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("N-Quads are UTF-8")
}

fn assert_says(text: &str, expected: &str) {
    let (ours, expected) = (read_n_quads(&n_quads(text)), read_n_quads(expected));
    assert!(isomorphic(&ours, &expected), "{text}\n{} expected\n{}", show(&ours), show(&expected));
}

/// The value of the one literal of a document.
fn literal(text: &str) -> String {
    let quads = n_quads(text);
    let begin = quads.find('"').unwrap_or_else(|| panic!("there is a literal in {quads}"));
    let end = quads.rfind('"').expect("it ends");
    quads[begin + 1..end]
        .replace("\\n", "\n")
        .replace("\\r", "\r")
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
}

/// Entities of entities: `&i;` is ten times `&h;`, and so on down to ten letters.
fn bomb() -> String {
    let mut text = "<!DOCTYPE r [<!ENTITY a \"aaaaaaaaaa\">".to_owned();
    for (name, inner) in ('b'..='j').zip('a'..) {
        write!(text, "<!ENTITY {name} \"{}\">", format!("&{inner};").repeat(10))
            .expect("a string takes everything");
    }
    text.push_str("]>");
    text + &document("\n<rdf:Description><e:p>&j;</e:p></rdf:Description>")
}

#[test]
fn what_entities_make_counts_before_it_is_made() {
    let error = read_within(&bomb(), 1 << 30).expect_err("ten thousand million letters");
    let expected = "a.rdf:2:23: rdf::size: with its entities expanded the document has more than";
    assert!(error.starts_with(expected), "{error}");
    // Nothing is made of what nothing refers to, and what is allowed is made.
    assert!(read_within(&bomb().replace("&j;", "x"), 2_000).is_ok());
    let quads = n_quads(&bomb().replace("&j;", "&c;"));
    assert!(quads.contains(&"a".repeat(1_000)), "{quads}");
    // In a namespace, a value of an attribute and a literal of XML alike, and all of them together.
    for content in [
        "<rdf:Description rdf:about=\"http://e/&j;\"/>",
        "<rdf:Description xmlns:x=\"http://e/&j;\"/>",
        "<rdf:Description e:p=\"&j;\"/>",
        "<rdf:Description><e:p rdf:parseType=\"Literal\">&j;</e:p></rdf:Description>",
        "<rdf:Description><e:p>&d;</e:p><e:p>&d;</e:p><e:p>&d;</e:p></rdf:Description>",
    ] {
        let text = bomb().replace("<rdf:Description><e:p>&j;</e:p></rdf:Description>", content);
        let error = read_within(&text, 30_000).expect_err(content);
        assert!(error.contains("rdf::size"), "{content}: {error}");
    }
}

#[test]
fn entities_that_make_nothing_take_no_time() {
    // Without a count of what is resolved these would take 10^30 steps.
    let mut text = "<!DOCTYPE r [<!ENTITY a0 \"\">".to_owned();
    for level in 1..=30 {
        write!(text, "<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10)).expect("a string");
    }
    let text = format!("{text}]>{}", document("<rdf:Description><e:p>&a30;</e:p></rdf:Description>"));
    let error = read_within(&text, 1 << 30).expect_err("the references alone are too many");
    assert!(error.contains("rdf::size"), "{error}");
    // A chain that is as long as it likes.
    let mut text = "<!DOCTYPE r [<!ENTITY a0 \"x\">".to_owned();
    for level in 1..=50_000 {
        write!(text, "<!ENTITY a{level} \"&a{};\">", level - 1).expect("a string takes everything");
    }
    let text = format!("{text}]>{}", document("<rdf:Description><e:p>&a50000;</e:p></rdf:Description>"));
    assert_eq!(literal(&text), "x");
}

#[test]
fn a_document_may_be_as_deep_and_as_wide_as_it_likes() {
    let deep = 100_000;
    let nodes = "<rdf:Description><e:p>".repeat(deep) + &"</e:p></rdf:Description>".repeat(deep);
    assert_eq!(read_within(&document(&nodes), u64::MAX).expect("it is RDF/XML").quads().len(), deep);
    let mut declared = String::new();
    let mut attributes = String::new();
    for number in 0..100_000 {
        write!(declared, " xmlns:x{number}=\"http://e/{number}/\"").expect("a string takes everything");
        write!(attributes, " e:x{number}=\"{number}\"").expect("a string takes everything");
    }
    let wide = document(&format!("<rdf:Description{declared}><x99999:p/></rdf:Description>"));
    assert!(n_quads(&wide).contains("<http://e/99999/p>"));
    let wide = document(&format!("<rdf:Description{attributes}/>"));
    assert_eq!(read_within(&wide, u64::MAX).expect("it is RDF/XML").quads().len(), 100_000);
    let literal = document(&format!(
        "<rdf:Description{declared}><e:p rdf:parseType=\"Literal\">{}</e:p></rdf:Description>",
        "<b/>".repeat(10_000)
    ));
    assert!(n_quads(&literal).contains("<b></b><b></b>"));
}

#[test]
fn xml_literals_are_canonical() {
    for (content, expected) in [
        ("", ""),
        ("<br />", "<br></br>"),
        ("a<!-- c -->b", "a<!-- c -->b"),
        ("<?t   x ?><?u?>", "<?t x ?><?u?>"),
        ("<![CDATA[<&>]]>&#13;\r\n", "&lt;&amp;&gt;&#xD;\n"),
        ("<b z='1' a=\"2\" e:a='3' xml:lang='de' />", "<b a=\"2\" z=\"1\" xmlns:e=\"http://e/\"></b>"),
        (
            "<e:b><e:c/></e:b><e:d/>",
            "<e:b xmlns:e=\"http://e/\"><e:c></e:c></e:b><e:d xmlns:e=\"http://e/\"></e:d>",
        ),
        (
            "<b xmlns='http://n/'><c xmlns=''/><d/></b>",
            "<b xmlns=\"http://n/\"><c xmlns=\"\"></c><d></d></b>",
        ),
        (
            "<e:b xmlns:e='http://f/' xmlns:g='http://g/'><e:c xmlns:e='http://e/'/></e:b>",
            "<e:b xmlns:e=\"http://f/\"><e:c xmlns:e=\"http://e/\"></e:c></e:b>",
        ),
        ("<b a='&lt;&quot;&#9;&#10;&#13;&amp;>\t'/>", "<b a=\"&lt;&quot;&#x9;&#xA;&#xD;&amp;> \"></b>"),
    ] {
        let text = document(&format!(
            "<rdf:Description><e:p rdf:parseType=\"Literal\">{content}</e:p></rdf:Description>"
        ));
        // Namespaces stand before attributes, and attributes without one before those with one.
        let expected = expected.replace(
            "<b a=\"2\" z=\"1\" xmlns:e=\"http://e/\">",
            "<b xmlns:e=\"http://e/\" a=\"2\" z=\"1\" e:a=\"3\" xml:lang=\"de\">",
        );
        assert_eq!(literal(&text), expected, "{content}");
    }
    let other = document("<rdf:Description><e:p rdf:parseType=\"Other\">x<b/></e:p></rdf:Description>");
    assert_eq!(literal(&other), "x<b></b>");
}

#[test]
fn texts_are_those_that_xml_has() {
    for (content, expected) in [
        ("a<!-- c -->b<?t?>c", "abc"),
        ("a<![CDATA[<b>]]>c", "a<b>c"),
        ("&lt;&#x41;&#66;&amp;&apos;&quot;&gt;", "<AB&'\">"),
        ("1\r\n2\r3&#13;", "1\n2\n3\r"),
        (" <!-- c --> ", "  "),
    ] {
        let text = document(&format!("<rdf:Description><e:p>{content}</e:p></rdf:Description>"));
        assert_eq!(literal(&text), expected, "{content}");
    }
    let text = document("<rdf:Description e:p='1\t2\r\n3&#10;4'/>");
    assert_eq!(literal(&text), "1 2 3\n4");
    let entities = "<!DOCTYPE r SYSTEM 'x.dtd' [<!-- ' --><?t '?> <!ELEMENT a ANY><!ENTITY % p 'x'>\
        <!ENTITY a 'x>&#38;lt;&b;'><!ENTITY b \"it's\"><!ENTITY b 'second'>]>";
    let text = format!("{entities}{}", document("<rdf:Description><e:p>&a;</e:p></rdf:Description>"));
    assert_eq!(literal(&text), "x><it's");
}

#[test]
fn bases_and_languages_are_inherited() {
    assert_says(
        &document(
            "<rdf:Description xml:base='../c/' xml:lang='DE' rdf:about='x' e:p='a'>\
             <e:q xml:lang=''>b</e:q><e:r rdf:resource='' xml:base='http://other/d#f'/><e:s>c</e:s>\
             <e:t rdf:datatype='http://e/t'>1</e:t></rdf:Description>",
        ),
        "<http://base/c/x> <http://e/p> \"a\"@de .\n<http://base/c/x> <http://e/q> \"b\" .\n\
         <http://base/c/x> <http://e/r> <http://other/d> .\n<http://base/c/x> <http://e/s> \"c\"@de .\n\
         <http://base/c/x> <http://e/t> \"1\"^^<http://e/t> .\n",
    );
    // Names from before RDF had namespaces.
    assert_says(
        &document("<rdf:Description about='x' type='http://e/T'><e:p resource='y'/></rdf:Description>"),
        "<http://base/a/x> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/T> .\n\
         <http://base/a/x> <http://e/p> <http://base/a/y> .\n",
    );
}

#[test]
fn faults_have_their_places() {
    let node = |content: &str| document(&format!("\n<rdf:Description>{content}</rdf:Description>"));
    let entity = |declared: &str, used: &str| {
        format!("<!DOCTYPE r [\n{declared}\n]>\n{}", document(&format!("<e:a>{used}</e:a>")))
    };
    let cases = [
        String::new(),
        "<a>".to_owned(),
        "<a xmlns='urn:a:'>".to_owned(),
        "<a xmlns='urn:a:'></b>".to_owned(),
        "<a xmlns='urn:a:'/><b/>".to_owned(),
        "x<a/>".to_owned(),
        "<a b='1'c='2'/>".to_owned(),
        "<a b=1/>".to_owned(),
        "<a b/>".to_owned(),
        "<a b='<'/>".to_owned(),
        "<a b='1".to_owned(),
        "<1/>".to_owned(),
        "<a".to_owned(),
        "<!-- a -- b --><a/>".to_owned(),
        "<!-- a".to_owned(),
        "<?xml version='1.0' encoding='latin1'?><a/>".to_owned(),
        "<a xmlns='urn:a:'/><!DOCTYPE a>".to_owned(),
        "<!DOCTYPE a [".to_owned(),
        "<!DOCTYPE a [%p;]>".to_owned(),
        entity("<!ENTITY a '&b;'><!ENTITY b '&a;'>", "&a;"),
        entity("<!ENTITY a '<b/>'>", "&a;"),
        entity("<!ENTITY a SYSTEM 'b.txt'>", "&a;"),
        entity("<!ENTITY a '&'>", ""),
        node("<e:p>&x;</e:p>"),
        node("<e:p>a & b</e:p>"),
        node("<e:p>&#0;</e:p>"),
        node("<e:p>\u{1}</e:p>"),
        node("<e:p>]]></e:p>"),
        node("<x:p/>"),
        node("<p/>"),
        node("<e:p e:a='1' e:a='2'/>"),
        node("<e:p xmlns:f='http://e/' e:a='1' f:a='2'/>"),
        node("<e:p xmlns:f=''/>"),
        node("<e:p xmlns:f='urn:a' xmlns:f='urn:b'/>"),
        node("<e:p a='1'/>"),
        node("text"),
        node("<e:p>a<e:b/></e:p>"),
        node("<e:p><e:b/>a</e:p>"),
        node("<e:p><e:b/><e:c/></e:p>"),
        node("<e:p rdf:resource='a'><e:b/></e:p>"),
        node("<e:p rdf:resource='a' rdf:nodeID='b'/>"),
        node("<e:p rdf:resource='a' rdf:datatype='b'/>"),
        node("<e:p rdf:about='a'/>"),
        node("<e:p rdf:parseType='Literal' rdf:resource='a'/>"),
        node("<e:p rdf:ID='1'/>"),
        node("<e:p rdf:ID='a'/><e:p rdf:ID='a'/>"),
        node("<e:p rdf:li='a'/>"),
        node("<e:p rdf:resource='http://[/'/>"),
        node("<e:p xml:lang='??'/>"),
        node("<rdf:Description/>"),
        document("<rdf:li/>"),
        document("<e:a rdf:resource='a'/>"),
        document("<e:a rdf:about='a' rdf:ID='b'/>"),
        format!("{} e:p='1'></rdf:RDF>", BEGIN.trim_end_matches('>')),
    ];
    let mut all = String::new();
    for text in cases {
        let error = read_within(&text, u64::MAX).expect_err(&text);
        let shown = text.replace(BEGIN, "…").replace("</rdf:RDF>", "").replace("</rdf:Description>", "");
        writeln!(all, "{} | {error}", shown.escape_debug()).expect("a string takes everything");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_a_document_type_gives_to_attributes_is_told() {
    let text = format!("<!DOCTYPE r [<!ATTLIST e:a e:p CDATA 'x'>]>\n{}", document("<e:a/>"));
    let options = ReadOptions { format: RdfFormat::RdfXml, base: None };
    let reading =
        rdf::read("a.rdf", text.as_bytes(), options, &mut QuadBuffer::new()).expect("it is RDF/XML");
    let warnings: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        ["a.rdf:1:14: rdf::document-type: values that a document type gives to attributes are not read"]
    );
}
