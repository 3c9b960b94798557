//! Why a result is one: sentences of constraints, and the failures of inner shapes behind a result.

use super::read;
use evalgraph::shacl::{Shapes, ShapesOptions, ValidationOptions, ValidationResult};
use oxrdf::Term;

/// A result or a detail: alternative, value, message, details, and how many details are left out.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    alternative: Option<u32>,
    value: Option<String>,
    message: String,
    details: Vec<Found>,
    left_out: u64,
}

impl Found {
    fn of(result: &ValidationResult<'_, '_, '_>) -> Self {
        let messages: Vec<String> =
            result.messages().iter().map(|message| message.value().to_owned()).collect();
        let value = result.value().filter(|value| !value.is_blank_node());
        Self {
            alternative: result.alternative(),
            value: value.map(|value: Term| value.to_string()),
            message: messages.join(" | "),
            details: result.details().map(|detail| Self::of(&detail)).collect(),
            left_out: result.left_out(),
        }
    }

    fn messages(&self) -> Vec<(Option<u32>, &str)> {
        self.details.iter().map(|detail| (detail.alternative, &*detail.message)).collect()
    }

    /// How many details there are, those of details included.
    fn count(&self) -> usize {
        self.details.len() + self.details.iter().map(Self::count).sum::<usize>()
    }

    fn depth(&self) -> usize {
        self.details.iter().map(|detail| 1 + detail.depth()).max().unwrap_or_default()
    }
}

fn results(shapes: &str, data: &str) -> Vec<Found> {
    let shapes = Shapes::compile(&read(shapes), &ShapesOptions::default()).expect("the shapes are in order");
    let data = read(data);
    let report = shapes.validate(&data, &ValidationOptions::default()).expect("it can be validated");
    report.results().map(|result| Found::of(&result)).collect()
}

/// The only result of a shape at `ex:n`.
fn result(shape: &str, data: &str) -> Found {
    let mut results = results(&format!("ex:s a sh:NodeShape ; sh:targetNode ex:n ; {shape} ."), data);
    assert_eq!(results.len(), 1, "{shape}: {results:?}");
    results.remove(0)
}

#[test]
fn alternatives_are_told_apart() {
    for name in ["or", "xone"] {
        let shape = format!(
            "sh:{name} ( [ sh:property [ sh:path ex:p ; sh:minCount 1 ] ] \
             [ sh:property [ sh:path ex:q ; sh:minCount 2 ] , [ sh:path ex:r ; sh:maxCount 1 ] ] )"
        );
        let found = result(&shape, "ex:n ex:q 1 ; ex:r 1 , 2 .");
        let mut messages = found.messages();
        messages.sort_unstable();
        let wanted = [
            (Some(1), "`p` is missing, at least 1 is needed"),
            (Some(2), "`q` has 1 value, at least 2 are needed"),
            (Some(2), "`r` has 2 values, at most 1 is allowed"),
        ];
        assert_eq!((messages.as_slice(), found.left_out), (wanted.as_slice(), 0), "{name}");
    }
}

#[test]
fn each_component_with_inner_shapes_says_why() {
    let inner = "[ sh:property [ sh:path ex:p ; sh:minCount 1 ] ]";
    let missing = [(None, "`p` is missing, at least 1 is needed")];
    let of_values = |component: &str| format!("sh:property [ sh:path ex:q ; {component} ]");
    let cases = [
        format!("sh:node {inner}"),
        format!("sh:and ( {inner} [ sh:nodeKind sh:IRI ] )"),
        of_values(&format!("sh:node {inner}")),
        of_values(&format!("sh:qualifiedMinCount 1 ; sh:qualifiedValueShape {inner}")),
        of_values(&format!("sh:someValue {inner}")),
    ];
    for shape in cases {
        assert_eq!(result(&shape, "ex:n ex:q ex:m .").messages(), missing, "{shape}");
    }
    let shape = of_values("sh:memberShape [ sh:datatype xsd:integer ]");
    let found = result(&shape, "ex:n ex:q ( 1 \"a\" 2 ) .");
    let message = "`\"a\"` is of datatype `xsd:string`, and has to be of `xsd:integer`";
    assert_eq!(found.messages(), [(None, message)]);
    let found = result(&of_values("sh:uniqueMembers true"), "ex:n ex:q ( 1 2 1 ) .");
    assert_eq!(found.messages(), [(None, "the value `1` of `rdf:first` occurs several times")]);
}

#[test]
fn a_reason_has_reasons() {
    let shape = "sh:node [ sh:property [ sh:path ex:q ; \
        sh:or ( [ sh:class ex:C ] [ sh:datatype xsd:string ] ) ] ]";
    let found = result(shape, "ex:n ex:q 5 .");
    let [inner] = found.details.as_slice() else { panic!("{found:?}") };
    assert_eq!(inner.message, "the value `5` of `q` conforms to none of 2 inner shapes");
    let wanted = [
        (Some(1), "`5` is not an instance of `http://example.org/C`"),
        (Some(2), "`5` is of datatype `xsd:integer`, and has to be of `xsd:string`"),
    ];
    assert_eq!(inner.messages(), wanted);
}

#[test]
fn no_failure_explains_what_conforms() {
    let found = result("sh:not [ sh:nodeKind sh:IRI ]", "ex:n ex:q 1 .");
    assert_eq!((found.details.len(), found.left_out), (0, 0));
    let shape = "sh:xone ( [ sh:nodeKind sh:IRI ] [ sh:class ex:C ] [ sh:in ( ex:n ) ] )";
    let found = result(shape, "ex:n ex:q 1 .");
    assert_eq!((found.details.len(), found.left_out), (0, 0));
    let message = "`http://example.org/n` conforms to 2 of 3 inner shapes, and has to conform to 1";
    assert_eq!(found.message, message);
}

#[test]
fn reasons_are_limited_and_counted() {
    let values: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
    let data = format!("ex:n ex:q {} .", values.join(" , "));
    let property = "sh:property [ sh:path ex:q ; sh:datatype xsd:string ]";
    let found = result(&format!("sh:node [ {property} ]"), &data);
    assert_eq!((found.details.len(), found.left_out), (20, 980));
    // An alternative with many failures does not hide the other.
    let found = result(&format!("sh:or ( [ {property} ] [ sh:class ex:C ] )"), &data);
    assert_eq!((found.details.len(), found.left_out), (11, 990));
    assert_eq!(found.details.last().and_then(|detail| detail.alternative), Some(2));
    // Shapes within shapes: each level has so many failures as values.
    let mut shape = "sh:datatype xsd:string".to_owned();
    for _ in 0..8 {
        shape = format!("sh:property [ sh:path ex:q ; sh:node [ {shape} ] ]");
    }
    let nodes: Vec<String> = (0..12).map(|number| format!("ex:n{number}")).collect();
    let all = nodes.join(" , ");
    let data: String = nodes.iter().map(|node| format!("{node} ex:q {all} . ")).collect();
    let found = result(&format!("sh:node [ {shape} ]"), &format!("{data} ex:n ex:q {all} ."));
    assert!(found.count() <= 220 && found.depth() <= 4, "{} {}", found.count(), found.depth());
    assert_eq!(found.details.len(), 12);
}

/// Components, the values of `ex:p` at `ex:n`, and the message.
const MESSAGES: [(&str, &str, &str); 32] = [
    ("sh:minCount 1", "", "`p` is missing, at least 1 is needed"),
    ("sh:minCount 3", "1 , 2", "`p` has 2 values, at least 3 are needed"),
    ("sh:maxCount 0", "1", "`p` has 1 value, none is allowed"),
    ("sh:maxCount 1", "1 , 2", "`p` has 2 values, at most 1 is allowed"),
    ("sh:class xsd:date", "1", "the value `1` of `p` is not an instance of `xsd:date`"),
    (
        "sh:datatype xsd:date",
        "\"x\"^^xsd:date",
        "the value `\"x\"^^xsd:date` of `p` is not written as `xsd:date` has to be",
    ),
    (
        "sh:datatype xsd:date",
        "xsd:date",
        "the value `xsd:date` of `p` is not a literal, and has to be of datatype `xsd:date`",
    ),
    (
        "sh:nodeKind sh:BlankNodeOrIRI",
        "1",
        "the value `1` of `p` is a literal, and has to be an IRI or a blank node",
    ),
    ("sh:nodeKind sh:Literal", "[]", "a value of `p` is a blank node, and has to be a literal"),
    ("sh:maxInclusive 5", "6", "the value `6` of `p` has to be at most `5`"),
    ("sh:minExclusive 5", "\"a\"", "the value `\"a\"` of `p` has to be greater than `5`"),
    ("sh:minLength 3", "\"ab\"", "the value `\"ab\"` of `p` has 2 characters, at least 3 are needed"),
    ("sh:maxLength 1", "\"ab\"", "the value `\"ab\"` of `p` has 2 characters, at most 1 is allowed"),
    (
        "sh:minLength 3",
        "[]",
        "a value of `p` is a blank node, which has no characters, at least 3 are needed",
    ),
    ("sh:pattern \"^a+$\"", "\"b\"", "the value `\"b\"` of `p` does not match the pattern `^a+$`"),
    (
        "sh:singleLine true",
        "\"a\\nb\"",
        "the value `\"a\nb\"` of `p` has several lines, but only one is allowed",
    ),
    (
        "sh:languageIn ( \"en\" \"de\" )",
        "\"a\"@fr",
        "the value `\"a\"@fr` of `p` has to be in the language `en` or `de`",
    ),
    (
        "sh:uniqueLang true",
        "\"a\"@en , \"b\"@en",
        "`p` has several values in one language, at most 1 is allowed",
    ),
    ("sh:equals ex:q", "1", "the value `1` of `p` has to be a value of both `p` and `q`"),
    ("sh:disjoint ex:r", "0", "the value `0` of `p` must not be a value of `r`, too"),
    ("sh:lessThan ex:r", "1", "the value `1` of `p` has to be less than each value of `r`"),
    ("sh:hasValue 2", "1", "`p` lacks the value `2`"),
    ("sh:in ( 1 2 3 )", "4", "the value `4` of `p` has to be `1`, `2` or `3`"),
    ("sh:in ( 1 2 3 4 5 6 7 8 9 10 11 )", "0", "the value `0` of `p` is not one of the 11 allowed values"),
    (
        "sh:not [ sh:datatype xsd:integer ]",
        "4",
        "the value `4` of `p` conforms to the inner shape with `sh:datatype`, which it must not",
    ),
    ("sh:node ex:named", "4", "the value `4` of `p` does not conform to `http://example.org/named`"),
    (
        "sh:node [ sh:property [ sh:path ex:q ; sh:minCount 1 ] ]",
        "4",
        "the value `4` of `p` does not conform to the inner shape on `q`",
    ),
    (
        "sh:qualifiedMinCount 2 ; sh:qualifiedValueShape [ sh:datatype xsd:string ]",
        "\"a\" , 1",
        "`p` has 1 value that counts for the inner shape with `sh:datatype`, at least 2 are needed",
    ),
    (
        "sh:qualifiedMaxCount 1 ; sh:qualifiedValueShape [ sh:datatype xsd:string ]",
        "\"a\" , \"b\"",
        "`p` has 2 values that count for the inner shape with `sh:datatype`, at most 1 is allowed",
    ),
    ("sh:minListLength 2", "( 1 )", "a value of `p` is a list of 1 member, at least 2 are needed"),
    ("sh:maxListLength 2", "1", "the value `1` of `p` has to be a list of at most 2 members"),
    (
        "sh:sparql [ sh:select \"SELECT $this ?value WHERE { $this $PATH ?value }\" ]",
        "1",
        "the value `1` of `p` fails the query of the inner shape on `p`",
    ),
];

#[test]
fn each_message_says_what_was_found_and_what_is_asked_for() {
    for (component, values, message) in MESSAGES {
        let values = if values.is_empty() { String::new() } else { format!("ex:n ex:p {values} .") };
        let shapes = format!(
            "ex:named a sh:NodeShape ; sh:datatype xsd:string . \
             ex:s a sh:NodeShape ; sh:targetNode ex:n ; sh:property [ sh:path ex:p ; {component} ] ."
        );
        let found = results(&shapes, &format!("{values} ex:n ex:r 0 ."));
        let messages: Vec<&str> = found.iter().map(|found| &*found.message).collect();
        assert_eq!(messages, [message], "{component}");
    }
}

#[test]
fn paths_are_named_in_short() {
    let path = "( <http://schema.org/item> [ sh:inversePath ex:part ] [ sh:zeroOrMorePath rdf:rest ] )";
    let found = result(&format!("sh:property [ sh:path {path} ; sh:minCount 1 ]"), "ex:n ex:q 1 .");
    assert_eq!(found.message, "`schema:item/^part/rdf:rest*` is missing, at least 1 is needed");
}

#[test]
fn a_message_cuts_a_long_value() {
    let long = "é".repeat(1_000_000);
    let shape = "sh:property [ sh:path ex:p ; sh:maxLength 3 ]";
    let found = result(shape, &format!("ex:n ex:p \"{long}\" ."));
    let start = "é".repeat(80);
    let value = format!("the value `\"{start}… (1,000,000 characters)\"` of `p`");
    assert_eq!(found.message, format!("{value} has 1,000,000 characters, at most 3 are allowed"));
    assert_eq!(found.value.map(|value| value.chars().count()), Some(1_000_002));
}
