//! Rows of plain JSON: each kind of term has its value, all rows have the same keys, and each row is written when it is
//! known.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::Arc;

use evalgraph::json::number::is_number;
use evalgraph::sparql::{
    Query, QueryPrefixes, ResultFormat, SolutionSequence, TableLayout, write_boolean, write_rows,
};
use oxrdf::vocab::xsd;
use oxrdf::{BlankNode, Literal, NamedNode, NamedNodeRef, Term, Variable};
use proptest::prelude::*;
use serde_json::{Value, json};
use sparesults::QuerySolution;

type Row = Vec<Option<Term>>;

fn written(names: &[&str], rows: &[Row], format: ResultFormat) -> String {
    let variables: Arc<[Variable]> = names.iter().map(|name| Variable::new_unchecked(*name)).collect();
    let solutions =
        rows.iter().map(|row| Ok(QuerySolution::from((variables.to_vec(), row.clone())))).collect::<Vec<_>>();
    let solutions = SolutionSequence::new(variables, solutions.into_iter());
    let (prefixes, mut output) = (QueryPrefixes::new(), Vec::new());
    write_rows(solutions, format, &TableLayout::new(&prefixes), &mut output).expect("memory takes it");
    String::from_utf8(output).expect("results are UTF-8")
}

/// The JSON of a term.
fn value(term: impl Into<Term>) -> String {
    let line = written(&["x"], &[vec![Some(term.into())]], ResultFormat::Jsonl);
    let value = line.strip_prefix("{\"x\":").and_then(|rest| rest.strip_suffix("}\n"));
    value.unwrap_or_else(|| panic!("{line}")).to_owned()
}

fn typed(text: &str, datatype: NamedNodeRef<'_>) -> Literal {
    Literal::new_typed_literal(text, datatype)
}

#[test]
fn numbers_are_numbers_with_all_their_digits() {
    let long = "1234567890".repeat(40);
    let (negative, zeros) = (format!("-{long}"), format!("000{long}"));
    for (datatype, text, expected) in [
        (xsd::INTEGER, "42", "42"),
        (xsd::INTEGER, "+5", "5"),
        (xsd::INTEGER, "-007", "-7"),
        (xsd::INTEGER, "000", "0"),
        (xsd::INTEGER, "-0", "0"),
        (xsd::INTEGER, "170141183460469231731687303715884105728", "170141183460469231731687303715884105728"),
        (xsd::INTEGER, &long, &long),
        (xsd::NEGATIVE_INTEGER, &negative, &negative),
        (xsd::NON_NEGATIVE_INTEGER, &zeros, &long),
        (xsd::BYTE, "-128", "-128"),
        (xsd::SHORT, "32767", "32767"),
        (xsd::INT, "-2147483648", "-2147483648"),
        (xsd::LONG, "9223372036854775807", "9223372036854775807"),
        (xsd::UNSIGNED_BYTE, "255", "255"),
        (xsd::UNSIGNED_SHORT, "65535", "65535"),
        (xsd::UNSIGNED_INT, "4294967295", "4294967295"),
        (xsd::UNSIGNED_LONG, "18446744073709551615", "18446744073709551615"),
        (xsd::POSITIVE_INTEGER, "1", "1"),
        (xsd::NON_POSITIVE_INTEGER, "-0", "0"),
        (xsd::DECIMAL, "1.50", "1.50"),
        (xsd::DECIMAL, "7", "7"),
        (xsd::DECIMAL, "+.5", "0.5"),
        (xsd::DECIMAL, "-5.", "-5.0"),
        (xsd::DECIMAL, "-00.10", "-0.10"),
        (xsd::DECIMAL, "-0.0", "-0.0"),
        (xsd::DOUBLE, "1e3", "1e3"),
        (xsd::DOUBLE, "-0", "-0"),
        (xsd::DOUBLE, "-0.0E0", "-0.0E0"),
        (xsd::DOUBLE, "1.E+07", "1.0E+07"),
        (xsd::DOUBLE, "+.5e-3", "0.5e-3"),
        (xsd::DOUBLE, "1.7976931348623157e308", "1.7976931348623157e308"),
        (xsd::DOUBLE, "1e-400", "1e-400"),
        (xsd::FLOAT, "3.4028235E38", "3.4028235E38"),
        (xsd::FLOAT, "012", "12"),
    ] {
        let found = value(typed(text, datatype));
        assert_eq!(found, expected, "{text} {datatype}");
        assert!(is_number(&found), "{text} {datatype}");
    }
}

#[test]
fn numbers_that_json_does_not_have_are_null() {
    for datatype in [xsd::DOUBLE, xsd::FLOAT] {
        for text in ["INF", "+INF", "-INF", "NaN", "1e400", "-1e400", "1e99999999999999999999"] {
            assert_eq!(value(typed(text, datatype)), "null", "{text} {datatype}");
        }
    }
    assert_eq!(value(typed("1e39", xsd::FLOAT)), "null");
    assert_eq!(value(typed("1e39", xsd::DOUBLE)), "1e39");
}

#[test]
fn booleans_are_booleans() {
    for (text, expected) in [("true", "true"), ("1", "true"), ("false", "false"), ("0", "false")] {
        assert_eq!(value(typed(text, xsd::BOOLEAN)), expected, "{text}");
    }
}

#[test]
fn values_that_are_invalid_for_their_datatype_are_text() {
    for (datatype, text) in [
        (xsd::INTEGER, "x"),
        (xsd::INTEGER, ""),
        (xsd::INTEGER, "-"),
        (xsd::INTEGER, " 1"),
        (xsd::INTEGER, "1.0"),
        (xsd::INTEGER, "1e3"),
        (xsd::INTEGER, "٣"),
        (xsd::BYTE, "128"),
        (xsd::UNSIGNED_BYTE, "-1"),
        (xsd::UNSIGNED_LONG, "18446744073709551616"),
        (xsd::LONG, "99999999999999999999999999999999999999999999"),
        (xsd::POSITIVE_INTEGER, "0"),
        (xsd::NEGATIVE_INTEGER, "99999999999999999999999999999999999999999999"),
        (xsd::DECIMAL, "1e3"),
        (xsd::DECIMAL, "."),
        (xsd::DECIMAL, "1.2.3"),
        (xsd::DECIMAL, "INF"),
        (xsd::DOUBLE, "inf"),
        (xsd::DOUBLE, "-NaN"),
        (xsd::DOUBLE, "infinity"),
        (xsd::DOUBLE, "1e"),
        (xsd::DOUBLE, "e5"),
        (xsd::DOUBLE, "1e5.0"),
        (xsd::FLOAT, "--1"),
        (xsd::FLOAT, "1f"),
        (xsd::BOOLEAN, "True"),
        (xsd::BOOLEAN, "yes"),
    ] {
        assert_eq!(value(typed(text, datatype)), json!(text).to_string(), "{text:?} {datatype}");
    }
}

#[test]
fn other_terms_are_text() {
    let other = NamedNode::new_unchecked("http://example.org/other");
    let terms: [(Term, &str); 12] = [
        (Literal::new_simple_literal("1").into(), r#""1""#),
        (Literal::new_simple_literal("").into(), r#""""#),
        (Literal::new_simple_literal("NaN").into(), r#""NaN""#),
        (Literal::new_language_tagged_literal_unchecked("Grüße", "de").into(), r#""Grüße""#),
        (typed("2024-02-29", xsd::DATE).into(), r#""2024-02-29""#),
        (typed("5", other.as_ref()).into(), r#""5""#),
        (typed("P1D", xsd::DURATION).into(), r#""P1D""#),
        (NamedNode::new_unchecked("http://example.org/ä").into(), r#""http://example.org/ä""#),
        (BlankNode::new_unchecked("b0").into(), r#""_:b0""#),
        (Literal::new_simple_literal("a \"b\" \\ /").into(), r#""a \"b\" \\ /""#),
        (
            Literal::new_simple_literal("\0\u{1}\u{1f}\u{7f}\r\n\t\u{8}\u{c}").into(),
            concat!(r#""\u0000\u0001\u001f"#, "\u{7f}", r#"\r\n\t\b\f""#),
        ),
        (Literal::new_simple_literal("\u{2028}\u{feff}😀\u{fffe}").into(), "\"\u{2028}\u{feff}😀\u{fffe}\""),
    ];
    for (term, expected) in terms {
        let found = value(term.clone());
        assert_eq!(found, expected, "{term}");
        assert!(serde_json::from_str::<Value>(&found).is_ok_and(|value| value.is_string()), "{term}");
    }
}

#[test]
fn every_row_has_every_key_in_the_order_of_select() {
    let rows = [
        vec![Some(typed("1", xsd::INTEGER).into()), None],
        vec![None, Some(Literal::from("x").into())],
        vec![None; 2],
    ];
    let lines = ["{\"z\":1,\"ä\":null}", "{\"z\":null,\"ä\":\"x\"}", "{\"z\":null,\"ä\":null}"];
    assert_eq!(written(&["z", "ä"], &rows, ResultFormat::Jsonl), lines.join("\n") + "\n");
    assert_eq!(written(&["z", "ä"], &rows, ResultFormat::Json), format!("[\n{}\n]\n", lines.join(",\n")));
    // Answers without rows, and without variables.
    assert_eq!(written(&["a"], &[], ResultFormat::Jsonl), "");
    assert_eq!(written(&["a"], &[], ResultFormat::Json), "[]\n");
    assert_eq!(written(&[], &[vec![], vec![]], ResultFormat::Jsonl), "{}\n{}\n");
    assert_eq!(written(&[], &[vec![], vec![]], ResultFormat::Json), "[\n{},\n{}\n]\n");
    assert!(Query::parse("SELECT ?a ?a { }", "q.rq").is_err(), "an object has each key once");
}

#[test]
fn the_answer_of_ask_is_a_boolean() {
    for format in [ResultFormat::Json, ResultFormat::Jsonl] {
        for (answer, expected) in [(true, "true\n"), (false, "false\n")] {
            let mut output = Vec::new();
            write_boolean(answer, format, &mut output).expect("memory takes it");
            assert_eq!(String::from_utf8_lossy(&output), expected);
        }
    }
}

/// An output of which others see the bytes.
struct SharedOutput<'o>(&'o RefCell<Vec<u8>>);

impl Write for SharedOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_row_is_written_before_the_next_one_is_requested() {
    for (format, between) in [(ResultFormat::Jsonl, "\n"), (ResultFormat::Json, "")] {
        let output = RefCell::new(Vec::new());
        let variables: Arc<[Variable]> = [Variable::new_unchecked("n")].into();
        let rows = (0..20).map(|number: i32| {
            if number > 0 {
                let end = format!("{{\"n\":{}}}{between}", number - 1);
                assert!(output.borrow().ends_with(end.as_bytes()), "{format:?} {number}");
            }
            let row = vec![Some(Literal::from(number).into())];
            Ok(QuerySolution::from((vec![Variable::new_unchecked("n")], row)))
        });
        let prefixes = QueryPrefixes::new();
        let solutions = SolutionSequence::new(Arc::clone(&variables), rows);
        let count = write_rows(solutions, format, &TableLayout::new(&prefixes), SharedOutput(&output));
        assert_eq!(count.expect("memory takes it"), 20);
    }
}

fn any_term() -> impl Strategy<Value = Option<Term>> {
    let datatypes = vec![
        xsd::INTEGER,
        xsd::INT,
        xsd::NON_NEGATIVE_INTEGER,
        xsd::UNSIGNED_BYTE,
        xsd::DECIMAL,
        xsd::DOUBLE,
        xsd::FLOAT,
        xsd::BOOLEAN,
        xsd::DATE,
    ];
    let number_like = "[+-]?[0-9.]{0,4}([eE][+-]?[0-9]{0,3})?|INF|-INF|NaN|true|1|[0-9]{1,60}";
    let text = prop_oneof![3 => number_like.prop_map(|text| text), 1 => any::<String>()];
    let literal = (text.clone(), prop::sample::select(datatypes))
        .prop_map(|(text, datatype)| Literal::new_typed_literal(text, datatype).into());
    let tagged =
        text.clone().prop_map(|text| Literal::new_language_tagged_literal_unchecked(text, "en").into());
    let simple = text.clone().prop_map(|text| Literal::from(text).into());
    let node = text.prop_map(|text| NamedNode::new_unchecked(format!("http://e/{text}")).into());
    let term = prop_oneof![4 => literal, 1 => tagged, 1 => simple, 1 => node];
    prop::option::weighted(0.8, term)
}

proptest! {
    #![proptest_config(crate::generated::cases(500))]

    #[test]
    fn every_line_is_json_with_the_same_keys(
        rows in prop::collection::vec(prop::collection::vec(any_term(), 3), 0..8),
    ) {
        let names = ["c", "a", "b"];
        let lines = written(&names, &rows, ResultFormat::Jsonl);
        let lines: Vec<Value> = lines
            .split_terminator('\n')
            .map(|line| serde_json::from_str(line).map_err(|error| format!("{error}: {line}")))
            .collect::<Result<_, _>>()
            .map_err(TestCaseError::fail)?;
        let array: Value = serde_json::from_str(&written(&names, &rows, ResultFormat::Json))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&array, &json!(lines));
        prop_assert_eq!(lines.len(), rows.len());
        for (line, row) in lines.iter().zip(&rows) {
            let object = line.as_object().expect("a row is an object");
            prop_assert!(object.keys().eq(names));
            for (found, term) in object.values().zip(row) {
                let is_right = match term {
                    None => found.is_null(),
                    Some(Term::Literal(literal)) if found.is_string() => found == literal.value(),
                    Some(Term::Literal(_)) => true,
                    Some(Term::NamedNode(node)) => found == node.as_str(),
                    Some(Term::BlankNode(_)) => false,
                };
                prop_assert!(is_right, "{found} {term:?}");
            }
        }
    }
}
