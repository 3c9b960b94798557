//! The forms in which answers are written.

use evalgraph::sparql::{
    ExecuteOptions, Expectation, Outcome, Query, QueryResults, ResultFormat, TableLayout, write_boolean,
    write_solutions,
};
use oxrdf::Dataset;

const VALUES: &str = "SELECT ?a ?b { VALUES (?a ?b) { (s:Question \"text\"@en) (1 UNDEF) (\"x\\ty\" 2.5) } }";

fn written(text: &str, format: ResultFormat, width: Option<usize>) -> String {
    let query = Query::parse(text, "q.rq").expect("a query");
    let dataset = Dataset::new();
    let results = query.execute(&dataset, ExecuteOptions::default()).expect("an answer");
    let QueryResults::Solutions(solutions) = results else { panic!("SELECT has solutions") };
    let layout = TableLayout { prefixes: query.prefixes(), width };
    let mut output = Vec::new();
    let count = write_solutions(solutions, format, &layout, &mut output).expect("it can be written");
    let text = String::from_utf8(output).expect("results are UTF-8");
    assert!(format != ResultFormat::Jsonl || text.lines().count() as u64 == count);
    text
}

#[test]
fn tables_shorten_iris_and_show_control_characters() {
    let expected = "\
a           b
─────────────────────
s:Question  text@en
1
x␉y         2.5
";
    assert_eq!(written(VALUES, ResultFormat::Table, None), expected);
    let escape = written("SELECT (\"\u{1b}[31mred\" AS ?x) {}", ResultFormat::Table, None);
    assert!(escape.contains("␛[31mred") && !escape.contains('\u{1b}'), "{escape}");
}

#[test]
fn a_table_that_was_cut_says_where() {
    let text = "SELECT ?a ?b { VALUES (?a ?b) { (\"a long text that is cut\" \"short\") (\"x\" \"y\") } }";
    let cut = written(text, ResultFormat::Table, Some(20));
    assert_eq!(cut.lines().last(), Some("2 rows, cut to 20 c…"), "{cut}");
    let cut = written(text, ResultFormat::Table, Some(28));
    assert_eq!(cut.lines().last(), Some("2 rows, cut to 28 columns: a"), "{cut}");
    let whole = written(text, ResultFormat::Table, Some(80));
    assert!(!whole.contains("rows"), "{whole}");
}

#[test]
fn tables_are_not_wider_than_the_terminal() {
    let text =
        format!("SELECT ?long ?short {{ VALUES (?long ?short) {{ (\"{}\" 1) }} }}", "wörd ".repeat(60));
    let table = written(&text, ResultFormat::Table, Some(40));
    assert!(table.contains('…'));
    for line in table.lines() {
        assert!(line.chars().count() <= 40, "{line}");
    }
}

#[test]
fn lines_of_json_hold_the_terms_of_the_json_format() {
    assert_eq!(
        written(VALUES, ResultFormat::Jsonl, None),
        "{\"a\":{\"type\":\"uri\",\"value\":\"http://schema.org/Question\"},\
         \"b\":{\"type\":\"literal\",\"value\":\"text\",\"xml:lang\":\"en\"}}\n\
         {\"a\":{\"type\":\"literal\",\"value\":\"1\",\"datatype\":\"http://www.w3.org/2001/XMLSchema#integer\"}}\n\
         {\"a\":{\"type\":\"literal\",\"value\":\"x\\ty\"},\
         \"b\":{\"type\":\"literal\",\"value\":\"2.5\",\"datatype\":\"http://www.w3.org/2001/XMLSchema#decimal\"}}\n"
    );
}

#[test]
fn standard_formats_are_written() {
    assert_eq!(
        written(VALUES, ResultFormat::Csv, None),
        "a,b\r\nhttp://schema.org/Question,text\r\n1,\r\nx\ty,2.5\r\n"
    );
    assert_eq!(
        written(VALUES, ResultFormat::Tsv, None),
        "?a\t?b\n<http://schema.org/Question>\t\"text\"@en\n1\t\n\"x\\ty\"\t2.5\n"
    );
    assert!(written(VALUES, ResultFormat::Xml, None).starts_with("<?xml version=\"1.0\"?>"));
    let json = written("SELECT ?a { VALUES ?a { } }", ResultFormat::Json, None);
    assert_eq!(json, "{\"head\":{\"vars\":[\"a\"]},\"results\":{\"bindings\":[]}}\n");
}

#[test]
fn answers_of_ask_are_written_in_every_format() {
    let shown = ResultFormat::ALL.map(|format| {
        let mut output = Vec::new();
        write_boolean(true, format, &mut output).expect("it can be written");
        String::from_utf8(output).expect("UTF-8").trim_end().to_owned()
    });
    assert_eq!(shown[0], "true");
    assert_eq!(shown[1], "true");
    assert_eq!(shown[2], "true");
    assert_eq!(shown[3], "{\"head\":{},\"boolean\":true}");
    assert_eq!(shown[4], "{\"boolean\":true}");
    assert!(shown[5].contains("<boolean>true</boolean>"));
}

#[test]
fn expectations_are_checked() {
    let check = |text: &str, outcome| {
        Expectation::parse(text).expect("an expectation").check(outcome).map_err(|error| error.message)
    };
    assert_eq!(check("empty", Outcome::Rows(0)), Ok(()));
    assert_eq!(check("nonempty", Outcome::Rows(2)), Ok(()));
    assert_eq!(check("rows=2", Outcome::Rows(2)), Ok(()));
    assert_eq!(check("false", Outcome::Boolean(false)), Ok(()));
    assert_eq!(check("empty", Outcome::Rows(1)), Err("expected no rows, got 1 row".to_owned()));
    assert_eq!(check("rows=3", Outcome::Rows(0)), Err("expected 3 rows, got no rows".to_owned()));
    assert_eq!(check("true", Outcome::Boolean(false)), Err("expected `true`, got `false`".to_owned()));
    assert!(check("empty", Outcome::Boolean(false)).is_err());
    assert!(Expectation::parse("rows=many").is_err());
}

#[test]
fn a_long_table_is_as_wide_as_its_first_rows_ask_for() {
    let rows: String =
        (0..10_010).map(|row| if row < 10_000 { "(1 \"a\")" } else { "(12345 \"later\")" }).collect();
    let text = format!("SELECT ?n ?t {{ VALUES (?n ?t) {{ {rows} }} }}");
    let whole = written(&text, ResultFormat::Table, None);
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (10_012, "n  t", "──────"));
    assert_eq!((lines[2], lines[10_001], lines[10_002]), ("1  a", "1  a", "12345  later"));
    let cut = written(&text, ResultFormat::Table, Some(40));
    assert_eq!(cut.lines().nth(10_002), Some("…  …"));
    assert_eq!(cut.lines().last(), Some("10010 rows, cut to 40 columns: n, t"));
}
