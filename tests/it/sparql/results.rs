//! The forms in which answers are written.

use evalgraph::sparql::{
    ExecuteOptions, ExpectedOutcome, Query, QueryOutcome, QueryResults, ResultFormat, TableForm, TableLayout,
    write_boolean, write_solutions,
};
use evalgraph::store::DefaultGraph;

use crate::store::dataset::stored;

const VALUES: &str = "SELECT ?a ?b { VALUES (?a ?b) { (s:Question \"text\"@en) (1 UNDEF) (\"x\\ty\" 2.5) } }";

fn written(text: &str, format: ResultFormat, width: Option<usize>) -> String {
    written_as(text, format, |layout| TableLayout { width, ..layout })
}

/// Writes with a layout of which something is another than usual.
fn written_as(
    text: &str,
    format: ResultFormat,
    change: impl for<'l> FnOnce(TableLayout<'l>) -> TableLayout<'l>,
) -> String {
    let query = Query::parse(text, "q.rq").expect("a query");
    let dataset = stored([]);
    let results =
        query.execute(dataset.view(DefaultGraph::Unnamed), ExecuteOptions::default()).expect("an answer");
    let QueryResults::Solutions(solutions) = results else { panic!("SELECT has solutions") };
    let layout = change(TableLayout::new(query.prefixes()));
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
    let cut = written(text, ResultFormat::Table, Some(24));
    assert_eq!(cut.lines().last(), Some("2 rows, cut to 24 colum…"), "{cut}");
    let cut = written(text, ResultFormat::Table, Some(28));
    assert_eq!(cut.lines().last(), Some("2 rows, cut to 28 columns: a"), "{cut}");
    let whole = written(text, ResultFormat::Table, Some(80));
    assert_eq!(whole.lines().last(), Some("2 rows"), "{whole}");
}

/// Writes a table for a terminal of 60 columns, of whose layout something is another than usual.
fn laid_out(text: &str, change: impl for<'l> FnOnce(TableLayout<'l>) -> TableLayout<'l>) -> String {
    written_as(text, ResultFormat::Table, |layout| change(TableLayout { width: Some(60), ..layout }))
}

#[test]
fn of_names_the_end_is_shown_and_of_times_the_day() {
    let row = "(\"runs/of/last/week/checkpoint-07.jsonld\" \"2026-05-04T08:20:00.000000\" \"A long text, cut at its end, of many words\")";
    let table =
        laid_out(&format!("SELECT ?file ?at ?text {{ VALUES (?file ?at ?text) {{ {row} }} }}"), |layout| {
            layout
        });
    let shown = table.lines().nth(2).expect("a row");
    assert!(shown.contains("t-07.jsonld  2026-05-04  A long"), "{table}");
    assert!(shown.starts_with('…'), "{table}");
}

#[test]
fn texts_get_the_room_first_and_paths_lose_their_common_folder() {
    let row = |number: u8| {
        format!(
            "(\"runs/of/last/week/c-{number}.jsonld\" \"A text of many words that needs about forty columns\")"
        )
    };
    let query = |rows: &str| format!("SELECT ?file ?text {{ VALUES (?file ?text) {{ {rows} }} }}");
    let table = laid_out(&query(&format!("{}{}", row(1), row(2))), |layout| layout);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[2].starts_with("c-1.jsonld  A text of many words that needs about forty"), "{table}");
    assert!(lines[4].starts_with("2 rows, file in runs/of/last/week/"), "{table}");
    // Nothing is left out of a table that fits.
    let narrow = "SELECT ?file { VALUES ?file { \"runs/a.ttl\" \"runs/b.ttl\" } }";
    assert!(laid_out(narrow, |layout| layout).contains("\nruns/a.ttl\n"));
}

#[test]
fn rows_that_do_not_fit_become_blocks() {
    let names: String = ('a'..='k').map(|name| format!(" ?{name}")).collect();
    let values: String = (0..11)
        .map(|n| if n == 3 { " UNDEF".to_owned() } else { format!(" \"a text of column {n}\"") })
        .collect();
    let text = format!("SELECT{names} {{ VALUES ({names}) {{ ({values}) ({values}) }} }}");
    let blocks = laid_out(&text, |layout| layout);
    let lines: Vec<&str> = blocks.lines().collect();
    assert!(lines[0].starts_with("── 1 ──") && lines[0].chars().count() == 60, "{blocks}");
    assert_eq!(
        (lines[1], lines[4], lines.len()),
        ("a  a text of column 0", "e  a text of column 4", 23),
        "{blocks}"
    );
    assert_eq!(lines[22], "2 rows");
    let wide = laid_out(&text, |layout| TableLayout { form: TableForm::Wide, ..layout });
    assert!(wide.lines().nth(2).is_some_and(|line| line.ends_with("a text of column 10")), "{wide}");
    let asked =
        laid_out("SELECT ?a { VALUES ?a { 1 } }", |layout| TableLayout { form: TableForm::Blocks, ..layout });
    assert!(asked.contains("\na  1\n"), "{asked}");
}

#[test]
fn a_block_says_where_a_value_was_cut() {
    // Six lines of fifty-seven signs, and a little more.
    let block = |length: usize| {
        let text = format!("SELECT ?a {{ VALUES ?a {{ \"{}\" }} }}", "x".repeat(length));
        laid_out(&text, |layout| TableLayout { form: TableForm::Blocks, ..layout })
    };
    let whole = block(6 * 57);
    assert!(!whole.contains('…') && whole.ends_with("\n1 row\n"), "{whole}");
    let cut = block(6 * 57 + 1);
    assert!(cut.contains("…\n1 row, cut to 60 columns: a\n"), "{cut}");
    assert!(cut.lines().all(|line| line.chars().count() <= 60), "{cut}");
}

#[test]
fn rows_behind_those_that_are_shown_are_counted() {
    let rows: String = (0..30).map(|n| format!(" {n}")).collect();
    let table = laid_out(&format!("SELECT ?n {{ VALUES ?n {{ {rows} }} }}"), |layout| TableLayout {
        shown: Some(3),
        help: "--limit N",
        ..layout
    });
    assert_eq!(table, "n\n───\n0\n1\n2\n30 rows, the first 3 shown (--limit N)\n");
}

#[test]
fn no_line_is_wider_than_the_terminal_in_any_script() {
    use unicode_width::UnicodeWidthStr;
    let cells = [
        "日本語の長い質問文がここに入ります",
        "🧪🧬 emoji and text, all mixed 🧫",
        "עברית מימין לשמאל",
        "e\u{301}e\u{301}e\u{301} combined",
        "http://example.org/a/long/path/to/something",
    ];
    for columns in 1..=cells.len() {
        let names: String = (0..columns).map(|n| format!(" ?column_{n}")).collect();
        for turn in 0..cells.len() {
            let row: String = (0..columns)
                .map(|n| format!(" \"{}\"", cells[(n + turn) % cells.len()].repeat(1 + n % 3)))
                .collect();
            let text = format!("SELECT{names} {{ VALUES ({names}) {{ ({row}) }} }}");
            for width in [40, 60, 80, 120, 200] {
                for form in [TableForm::Fitting, TableForm::Blocks] {
                    let table = laid_out(&text, |layout| TableLayout { width: Some(width), form, ..layout });
                    let widest = table.lines().map(UnicodeWidthStr::width).max();
                    assert!(widest <= Some(width), "{width} {form:?}\n{table}");
                }
            }
        }
    }
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
fn standard_formats_are_written() {
    assert_eq!(
        written(VALUES, ResultFormat::Csv, None),
        "a,b\r\nhttp://schema.org/Question,text\r\n1,\r\nx\ty,2.5\r\n"
    );
    assert_eq!(
        written(VALUES, ResultFormat::Tsv, None),
        "?a\t?b\n<http://schema.org/Question>\t\"text\"@en\n1\t\n\"x\\ty\"\t2.5\n"
    );
    assert!(written(VALUES, ResultFormat::SparqlXml, None).starts_with("<?xml version=\"1.0\"?>"));
    let json = written("SELECT ?a { VALUES ?a { } }", ResultFormat::SparqlJson, None);
    assert_eq!(json, "{\"head\":{\"vars\":[\"a\"]},\"results\":{\"bindings\":[]}}\n");
}

#[test]
fn answers_of_ask_are_written_in_every_format() {
    let shown = ResultFormat::ALL.map(|format| {
        let mut output = Vec::new();
        write_boolean(true, format, &mut output).expect("it can be written");
        String::from_utf8(output).expect("UTF-8").trim_end().to_owned()
    });
    assert!(shown[..5].iter().all(|answer| answer == "true"), "{shown:?}");
    assert_eq!(shown[5], "{\"head\":{},\"boolean\":true}");
    assert!(shown[6].contains("<boolean>true</boolean>"));
    assert_eq!(shown[7], "true");
    assert!(shown[8].contains("<p>true</p>"));
}

#[test]
fn formats_are_found_by_their_names_and_aliases() {
    for format in ResultFormat::ALL {
        assert_eq!(ResultFormat::from_name(format.name()), Some(format));
    }
    assert_eq!(ResultFormat::from_name("xml"), Some(ResultFormat::SparqlXml));
    assert_eq!(ResultFormat::from_name("markdown"), Some(ResultFormat::Markdown));
    assert_eq!(ResultFormat::from_name("sparql"), None);
}

/// Terms with everything that a page or a table could take for a sign of its own.
const HOSTILE: &str = "SELECT ?n ?t { VALUES (?n ?t) {
    (1 \"a|b\\\\|c\\r\\nd <img src=x onerror=alert(1)> & `x` *y* _z_ $m$\")
    (UNDEF \"see @someone\") (-2.5 \"http://example.org/?a=|\") (UNDEF <javascript://x/alert(1)>)
    (3e0 <http://example.org/a_b'c>) (UNDEF \"مرحبا\\u202E\"@ar) (UNDEF \"2020\"^^xsd:gYear) (7 s:Question) } }";

#[test]
fn markdown_takes_nothing_of_the_data_for_its_own() {
    let expected = r"| n | t |
|--:|---|
| 1 | a\|b\\\|c<br>d \<img src=x onerror=alert(1)\> \& \`x\` \*y\* \_z\_ \$m\$ |
|  | `see @someone` |
| -2.5 | `http://example.org/?a=\|` |
|  | `javascript://x/alert(1)` |
| 3e0 | [http://example.org/a\_b'c](<http://example.org/a_b%27c>) |
|  | مرحبا\\u{202e} `@ar` |
|  | 2020^^xsd:gYear |
| 7 | [s:Question](<http://schema.org/Question>) |
";
    assert_eq!(written(HOSTILE, ResultFormat::Markdown, None), expected);
    assert_eq!(written("SELECT * {}", ResultFormat::Markdown, None), "");
    assert_eq!(written("SELECT ?a { VALUES ?a {} }", ResultFormat::Markdown, None), "| a |\n|---|\n");
}

#[test]
fn a_page_shows_the_data_and_obeys_none() {
    let page = written(HOSTILE, ResultFormat::Html, None);
    let rows =
        page.split_once("<tbody>\n").and_then(|(_, rest)| rest.split_once("</tbody>")).map(|(rows, _)| rows);
    let expected = r#"<tr><td class="number">1</td><td dir="auto">a|b\|c
d &lt;img src=x onerror=alert(1)&gt; &amp; `x` *y* _z_ $m$</td></tr>
<tr><td></td><td dir="auto">see @someone</td></tr>
<tr><td class="number">-2.5</td><td dir="auto">http://example.org/?a=|</td></tr>
<tr><td></td><td dir="auto">javascript://x/alert(1)</td></tr>
<tr><td class="number">3e0</td><td dir="auto"><a href="http://example.org/a_b%27c">http://example.org/a_b&#39;c</a></td></tr>
<tr><td></td><td dir="auto" lang="ar">مرحبا\u{202e}<small>@ar</small></td></tr>
<tr><td></td><td dir="auto">2020<small>^^xsd:gYear</small></td></tr>
<tr><td class="number">7</td><td dir="auto"><a href="http://schema.org/Question">s:Question</a></td></tr>
"#;
    assert_eq!(rows, Some(expected));
    assert!(page.starts_with("<!doctype html>\n") && page.contains("<p>8 rows</p>"), "{page}");
    assert!(page.contains("default-src 'none'") && !page.contains("<script"), "{page}");
}

#[test]
fn later_rows_of_markdown_are_written_as_they_come() {
    let rows: String =
        (0..10_010).map(|row| if row < 10_000 { "(1 \"a\") " } else { "(\"x\" \"b\") " }).collect();
    let text =
        written(&format!("SELECT ?n ?t {{ VALUES (?n ?t) {{ {rows} }} }}"), ResultFormat::Markdown, None);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        (lines.len(), lines[1], lines[2], lines[10_011]),
        (10_012, "|--:|---|", "| 1 | a |", "| x | b |")
    );
}

#[test]
fn expectations_are_checked() {
    let check = |text: &str, outcome| {
        ExpectedOutcome::parse(text).expect("an expectation").check(outcome).map_err(|error| error.message)
    };
    assert_eq!(check("empty", QueryOutcome::Rows(0)), Ok(()));
    assert_eq!(check("nonempty", QueryOutcome::Rows(2)), Ok(()));
    assert_eq!(check("rows=2", QueryOutcome::Rows(2)), Ok(()));
    assert_eq!(check("false", QueryOutcome::Boolean(false)), Ok(()));
    assert_eq!(check("empty", QueryOutcome::Rows(1)), Err("expected no rows, got 1 row".to_owned()));
    assert_eq!(check("rows=3", QueryOutcome::Rows(0)), Err("expected 3 rows, got no rows".to_owned()));
    assert_eq!(check("true", QueryOutcome::Boolean(false)), Err("expected `true`, got `false`".to_owned()));
    assert!(check("empty", QueryOutcome::Boolean(false)).is_err());
    assert!(ExpectedOutcome::parse("rows=many").is_err());
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
    assert_eq!(cut.lines().last(), Some("10,010 rows, cut to 40 columns: n, t"));
}
