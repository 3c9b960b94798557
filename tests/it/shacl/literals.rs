//! Literals as shapes look at them: which are ill-typed, and which bounds they keep (XML Schema 1.1, Part 2; SPARQL 1.1, 17.3).

use super::read;
use evalgraph::shacl::{Shapes, ShapesOptions, ValidationOptions};

/// The number of violations of a value against a property shape.
fn violations(value: &str, constraint: &str) -> usize {
    let shapes = read(&format!("ex:s sh:targetNode ex:n ; sh:path ex:p ; {constraint} ."));
    let shapes = Shapes::compile(&shapes, &ShapesOptions::default()).expect("the shapes are in order");
    let data = read(&format!("ex:n ex:p {value} ."));
    shapes.validate(&data, &ValidationOptions::default()).expect("it can be validated").results().len()
}

#[test]
fn a_lexical_form_that_is_none_of_its_datatype_is_told() {
    let cases = [
        ("duration", &["P1D", "PT0.5S", "-P1Y2M"][..], &["P1DT", "P", "PT", "P1.5D"][..]),
        ("dayTimeDuration", &["P1DT1H"], &["P1DT", "P1Y"]),
        (
            "base64Binary",
            &["QQ==", "QUI=", "QUJD", "Q Q = =", ""],
            &["QR==", "QUJ=", "QQ=", "Q  Q==", " QQ==", "Q==="],
        ),
        ("decimal", &["1.", ".5", "+0001.50", "0.0000000000000000000001"], &["1e0", ".", "", "1.2.3"]),
        ("double", &["1.E3", "INF", "+INF", "NaN"], &["inf", "Infinity", "-NaN", "1e0.5"]),
    ];
    for (datatype, good, bad) in cases {
        for (lexicals, expected) in [(good, 0), (bad, 1)] {
            for lexical in lexicals {
                let value = format!("\"{lexical}\"^^xsd:{datatype}");
                let found = violations(&value, &format!("sh:datatype xsd:{datatype}"));
                assert_eq!(found, expected, "{value}");
            }
        }
    }
}

#[test]
fn numbers_of_any_length_are_compared_exactly() {
    let sorted = [
        "-100000000000000000000.5",
        "-100000000000000000000",
        "-1",
        "-0.00000000000000000000001",
        "0",
        "0.0000000000000000000001",
        "0.00000000000000000000011",
        "0.1",
        "1",
        "9007199254740992",
        "9007199254740993",
        "99999999999999999999",
        "100000000000000000000",
        "123456789012345678901234567890.5",
    ];
    let literal = |number: &str| {
        let datatype = if number.contains('.') { "decimal" } else { "integer" };
        format!("\"{number}\"^^xsd:{datatype}")
    };
    for (place, one) in sorted.iter().enumerate() {
        for (other_place, other) in sorted.iter().enumerate() {
            let (value, limit) = (literal(one), literal(other));
            for (parameter, is_kept) in [
                ("minExclusive", place > other_place),
                ("minInclusive", place >= other_place),
                ("maxExclusive", place < other_place),
                ("maxInclusive", place <= other_place),
            ] {
                let found = violations(&value, &format!("sh:{parameter} {limit}"));
                assert_eq!(found, usize::from(!is_kept), "{value}, sh:{parameter} {limit}");
            }
        }
    }
    assert_eq!(violations("-0", "sh:minInclusive 0 ; sh:maxInclusive \"+00.0\"^^xsd:decimal"), 0);
    // Beside a double both are doubles.
    assert_eq!(violations("9007199254740993", "sh:maxInclusive 9007199254740992e0"), 0);
}

#[test]
fn an_ill_typed_literal_keeps_no_bound() {
    for value in [
        "\"Infinity\"^^xsd:double",
        "\"2025-01-02T03:04:05\"^^xsd:dateTimeStamp",
        "\"P1DT\"^^xsd:dayTimeDuration",
    ] {
        let datatype = value.rsplit_once("^^").map_or("", |(_, datatype)| datatype);
        let least = match datatype {
            "xsd:double" => "1e0".to_owned(),
            "xsd:dateTimeStamp" => "\"2000-01-01T00:00:00\"^^xsd:dateTime".to_owned(),
            _ => format!("\"PT1H\"^^{datatype}"),
        };
        assert_eq!(violations(value, &format!("sh:minInclusive {least}")), 1, "{value}");
    }
}
