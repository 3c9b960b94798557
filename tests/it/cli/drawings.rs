//! Charts and networks as files: `--chart`, `--network`, and outputs whose names say picture.

use super::input::run;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The text of an SVG that was drawn.
fn svg(arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(Path::new("."), arguments);
    assert_eq!(status, 0, "{arguments:?}: {stderr}");
    assert!(stdout.starts_with("<svg xmlns=") && stdout.ends_with("</svg>\n"), "{stdout}");
    stdout
}

const GRAPH: &str = "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }";

fn count(svg: &str, part: &str) -> usize {
    svg.matches(part).count()
}

#[test]
fn the_bars_of_a_chart_are_the_rows_of_the_table() {
    let query = ["query", "fixtures/karenina", "-n", "keywords", "--quiet"];
    let drawn = svg(&[&query[..], &["--chart", "bar"]].concat());
    let (_, csv, _) = run(Path::new("."), &[&query[..], &["--format", "csv"]].concat());
    // The first line names the columns.
    assert_eq!(count(&drawn, "fill=\"#0b5f5c\""), csv.lines().count() - 1);
    assert!(drawn.contains("<title>anatomy: 4</title>"), "{drawn}");
}

#[test]
fn a_histogram_counts_values_and_a_line_has_points() {
    let lengths = "SELECT (STRLEN(?t) AS ?length) { ?q a s:Question ; s:text ?t }";
    let drawn = svg(&["query", "fixtures/train/support-desk.json", "-q", lengths, "--chart", "hist"]);
    assert!(drawn.contains(">length</text>"), "{drawn}");
    let days = "SELECT ?day (COUNT(*) AS ?tasks) { ?t s:dateCreated ?c BIND(SUBSTR(STR(?c), 1, 10) AS ?day) } \
                GROUP BY ?day ORDER BY ?day";
    let drawn = svg(&["query", "fixtures/rlcf/tasks.jsonl", "-q", days, "--chart", "line"]);
    assert_eq!(count(&drawn, "<circle"), 3);
    assert!(drawn.contains(">2026-02-01</text>") && drawn.contains(">tasks by day</text>"), "{drawn}");
    // A named query may declare a histogram, whose labels are the numbers.
    let drawn = svg(&["query", "fixtures/karenina", "-n", "rating-values", "--quiet", "--format", "svg"]);
    assert!(drawn.contains("<title>Values of ratings</title>"), "{drawn}");
}

#[test]
fn figures_and_statistics_are_drawn_too() {
    let drawn = svg(&[
        "figures",
        "fixtures/rlcf/worked/export.json",
        "--show",
        "experts",
        "--chart",
        "bar",
        "--quiet",
    ]);
    assert!(count(&drawn, "fill=\"#0b5f5c\"") > 2, "{drawn}");
    let drawn = svg(&[
        "stats",
        "fixtures/train/support-desk.json",
        "fixtures/kwanzaa/citation.json",
        "--chart",
        "bar",
    ]);
    assert!(drawn.contains("Questions by file") && drawn.contains("support-desk.json: 8"), "{drawn}");
    let (status, _, stderr) =
        run(Path::new("."), &["figures", "fixtures/rlcf/worked/export.json", "--chart", "bar"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("a chart shows only one table") && stderr.contains("--show experts"), "{stderr}");
}

#[test]
fn a_network_has_all_statements_in_each_form() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = "@prefix s: <http://schema.org/> .\n<urn:x:q> a s:Question ; s:text \"Why <so>?\" ; s:acceptedAnswer [ s:text \"So\" ] .\n<urn:x:item> s:item <urn:x:q> .\n";
    fs::write(folder.path().join("a.ttl"), data).expect("our folder");
    let query = ["query", "a.ttl", "-q", GRAPH];
    let written = |name: &str, more: &[&str]| {
        let (status, _, stderr) = run(folder.path(), &[&query[..], &["-o", name], more].concat());
        assert_eq!(status, 0, "{name}: {stderr}");
        fs::read(folder.path().join(name)).expect("it was written")
    };
    let text = |name: &str, more: &[&str]| String::from_utf8(written(name, more)).expect("text");
    let drawn = text("a.svg", &[]);
    assert!(drawn.contains("Why &lt;so&gt;?") && drawn.contains("s:acceptedAnswer"), "{drawn}");
    let dot = text("a.dot", &[]);
    assert!(dot.starts_with("digraph") && count(&dot, " -> ") == 5, "{dot}");
    let xml = text("a.graphml", &[]);
    assert_eq!((count(&xml, "<node "), count(&xml, "<edge ")), (6, 5), "{xml}");
    let json: Value = serde_json::from_str(&text("a.json", &["--network"])).expect("JSON");
    assert_eq!(json["elements"]["edges"].as_array().map(Vec::len), Some(5));
    assert_eq!(json["elements"]["nodes"][0]["data"]["kind"], "iri");
    assert!(written("a.png", &[]).starts_with(b"\x89PNG"));
    // JSON without --network is JSON-LD, as for every other graph.
    assert!(text("b.json", &[]).contains("@id"));
}

#[test]
fn the_neighbours_of_a_node_are_asked_by_iri_id_or_question() {
    let file = "fixtures/karenina/p1-physics.jsonld";
    let question = "What is the SI unit of electric charge?";
    let by_text = svg(&["query", file, "--around", question, "--network"]);
    assert!(by_text.contains("The coulomb"), "{by_text}");
    let item = "urn:uuid:question-what-is-the-si-unit-of-electric-charge-c0b792dd";
    let by_iri = svg(&["query", file, "--around", item, "--network"]);
    assert!(by_iri.contains("r=\"9\"") && by_iri.contains("s:item"), "{by_iri}");
    let (_, turtle, _) = run(Path::new("."), &["query", file, "--around", "s:Question"]);
    assert_eq!(count(&turtle, "a s:Question") + count(&turtle, "a schema:Question"), 4, "{turtle}");
}

#[test]
fn what_cannot_be_drawn_says_what_to_do() {
    let text = "SELECT ?t { ?q s:text ?t }";
    let cases: &[(&[&str], &str)] = &[
        (&["query", "fixtures/train/lines.jsonl", "-q", text, "--chart", "bar"], "(COUNT(*) AS ?count)"),
        (&["query", "fixtures/train/lines.jsonl", "-q", text, "--format", "dot"], "a table"),
        (&["query", "fixtures/train/lines.jsonl", "-q", text, "--chart", "bar", "--format", "csv"], "svg"),
        (&["query", "fixtures/train/lines.jsonl", "-q", text, "--chart", "pie"], "hist"),
        (&["query", "fixtures/train/lines.jsonl", "-q", text, "--network"], "`--chart bar` draws a table"),
        (
            &["query", "fixtures/train/lines.jsonl", "-q", GRAPH, "--chart", "bar"],
            "`--network` draws a graph",
        ),
        (
            &["query", "fixtures/train/lines.jsonl", "-q", "ASK { ?q s:text ?t }", "--chart", "bar"],
            "yes or no",
        ),
        (&["query", "fixtures/train/lines.jsonl", "-q", text, "--bom", "--format", "json"], "CSV and TSV"),
    ];
    for (arguments, part) in cases {
        let (status, _, stderr) = run(Path::new("."), arguments);
        assert_eq!(status, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains(part), "{arguments:?}: {stderr}");
    }
}

#[test]
fn the_same_statements_give_the_same_picture() {
    let arguments = ["query", "fixtures/karenina/p1-physics.jsonld", "-q", "DESCRIBE ?q { ?q a s:Question }"];
    let drawn = || svg(&[&arguments[..], &["--network"]].concat());
    assert_eq!(drawn(), drawn());
}
