//! Queries and updates that are very long or very deep: refused with a place before anything recurses over them, or
//! answered.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use evalgraph::sparql::{Query, Update};

use crate::cli::input::run;
use crate::share::one_of;

/// A kind of text, and one of it that has as many parts as are asked for.
type Kind = (&'static str, fn(usize) -> String);

/// Groups that hold as many parts as are asked for.
const LONG_GROUPS: &[Kind] = &[
    ("steps of a path", |n| format!("?s {} ?o", vec!["<urn:p>"; n].join("/"))),
    ("alternatives of a path", |n| format!("?s {} ?o", vec!["<urn:p>"; n].join("|"))),
    ("inverse steps", |n| format!("?s (^<urn:p>{})* ?o", "/^<urn:p>".repeat(n))),
    ("IRIs that a path leaves out", |n| format!("?s !({}) ?o", vec!["<urn:p>"; n].join("|"))),
    ("UNION", |n| vec!["{ ?s ?p ?o }"; n].join(" UNION ")),
    ("groups", |n| "{ ?s ?p ?o } ".repeat(n)),
    ("empty groups", |n| "{} ".repeat(n)),
    ("OPTIONAL", |n| "OPTIONAL { ?s ?p ?o } ".repeat(n)),
    ("MINUS", |n| "?s ?p ?o ".to_owned() + &"MINUS { ?s ?p ?o } ".repeat(n)),
    ("GRAPH", |n| "GRAPH ?g { ?s ?p ?o } ".repeat(n)),
    ("SERVICE", |n| "SERVICE <urn:x> { ?s ?p ?o } ".repeat(n)),
    ("BIND", |n| (0..n).map(|at| format!("BIND({at} AS ?b{at}) ")).collect()),
    ("VALUES", |n| "VALUES ?o { 1 } ".repeat(n)),
    ("columns of VALUES", |n| {
        let columns: String = (0..n).map(|at| format!("?c{at} ")).collect();
        format!("VALUES ({columns}) {{ }}")
    }),
    ("subqueries", |n| "{ SELECT ?s { ?s ?p ?o } } ".repeat(n)),
    ("FILTER", |n| "?s ?p ?o ".to_owned() + &"FILTER(?o = 1) ".repeat(n)),
    ("FILTER NOT EXISTS", |n| "FILTER NOT EXISTS { ?s ?p ?o } ".repeat(n)),
    ("||", |n| format!("FILTER({})", vec!["?o = 1"; n].join(" || "))),
    ("&&", |n| format!("FILTER({})", vec!["?o = 1"; n].join(" && "))),
    ("sums", |n| format!("FILTER(1{} > 1)", " + ?o".repeat(n))),
    ("differences", |n| format!("FILTER(1{} > 1)", " - ?o".repeat(n))),
    ("products", |n| format!("FILTER(1{} > 1)", " * ?o".repeat(n))),
    ("signed numbers", |n| format!("FILTER(1{} > 1)", " +1".repeat(n))),
    ("sums in IN", |n| format!("FILTER(?o IN (1{}))", "+1".repeat(n))),
    ("nots", |n| format!("FILTER({}?o)", "!".repeat(n))),
    ("arguments", |n| format!("FILTER(CONCAT({}) = 'a')", vec!["?o"; n].join(","))),
    ("variables of IN", |n| format!("FILTER(?o IN ({}))", vec!["?v"; n].join(","))),
    ("triples", |n| (0..n).map(|at| format!("?v{at} ?p ?o . ")).collect()),
    ("properties", |n| format!("?s {}", vec!["?p ?o"; n].join(" ; "))),
    ("objects", |n| format!("?s ?p {}", vec!["?o"; n].join(" , "))),
    ("collections", |n| format!("?s ?p ({})", "?o ".repeat(n))),
    ("blank nodes", |n| format!("?s ?p {}", vec!["[ ?p ?o ]"; n].join(" , "))),
    ("brackets", |n| format!("FILTER({}1{})", "(".repeat(n), ")".repeat(n))),
    ("braces", |n| format!("{}{}", "{".repeat(n), "}".repeat(n))),
    ("open braces", |n| "{".repeat(n)),
    ("calls", |n| format!("FILTER({}1{})", "STR(".repeat(n), ")".repeat(n))),
    ("EXISTS in each other", |n| format!("{}{}", "FILTER EXISTS { ".repeat(n), "}".repeat(n))),
    ("subqueries in each other", |n| format!("{}{}", "{ SELECT * { ".repeat(n), "} }".repeat(n))),
    ("collections in each other", |n| format!("?s ?p {}1{}", "(".repeat(n), ")".repeat(n))),
    ("blank nodes in each other", |n| format!("?s ?p {}1{}", "[ ?p ".repeat(n), "]".repeat(n))),
];

/// Queries around a group, that hold as many parts as are asked for.
const LONG_CLAUSES: &[Kind] = &[
    ("keys of GROUP BY", |n| {
        let keys: String = (0..n).map(|at| format!("(STR(?s) AS ?k{at}) ")).collect();
        format!("SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o }} GROUP BY {keys}")
    }),
    ("HAVING", |n| format!("SELECT ?s {{ ?s ?p ?o }} GROUP BY ?s HAVING {}", "(COUNT(*) > 1) ".repeat(n))),
    ("ORDER BY", |n| format!("SELECT * {{ ?s ?p ?o }} ORDER BY {}", "STR(?s) ".repeat(n))),
    ("columns", |n| {
        let columns: String = (0..n).map(|at| format!("(STR(?s) AS ?k{at}) ")).collect();
        format!("SELECT {columns} {{ ?s ?p ?o }}")
    }),
    ("variables", |n| format!("SELECT {} {{ ?s ?p ?o }}", "?s ".repeat(n))),
    ("aggregates", |n| {
        let columns: String = (0..n).map(|at| format!("(MAX(?s) AS ?k{at}) ")).collect();
        format!("SELECT {columns} {{ ?s ?p ?o }}")
    }),
    ("templates", |n| format!("CONSTRUCT {{ {} }} {{ ?s ?p ?o }}", "?s ?p ?o . ".repeat(n))),
    ("resources", |n| format!("DESCRIBE {}", "<urn:a> ".repeat(n))),
    ("graphs", |n| format!("SELECT * {} {{ ?s ?p ?o }}", "FROM <urn:g> ".repeat(n))),
];

fn code(text: &str) -> String {
    let fault = Query::parse(text, "long.rq").expect_err("it is too long");
    assert!(fault.place.is_some() || fault.code == "sparql::no-query", "{fault:?}");
    fault.code.to_string()
}

#[test]
fn what_is_too_long_or_too_deep_is_refused_at_its_place() {
    // Many more words than there may be.
    let count = 70_000 / one_of(4);
    for (what, group) in LONG_GROUPS {
        let code = code(&format!("SELECT * {{ {} }}", group(count)));
        assert!(["sparql::too-large", "sparql::too-deep"].contains(&code.as_str()), "{what}: {code}");
        let update = format!("DELETE {{ ?s ?p 1 }} WHERE {{ {} }}", group(count));
        let fault = Update::parse(&update, "long.ru").expect_err("it is too long");
        assert!(["sparql::too-large", "sparql::too-deep"].contains(&&*fault.code), "{what}: {fault:?}");
    }
    for (what, query) in LONG_CLAUSES {
        assert_eq!(code(&query(count)), "sparql::too-large", "{what}");
    }
}

#[test]
fn the_limit_on_the_length_of_a_query_is_named() {
    let query = format!("SELECT * {{\n ?s ?p ?o FILTER(1{} > 1) }}", " + ?o".repeat(5_000));
    let fault = Query::parse(&query, "long.rq").expect_err("it is too long");
    assert_eq!(
        fault.message,
        "a query or operation may have at most 5000 words and signs, and this is one more"
    );
    let place = fault.place.expect("it has a place");
    assert_eq!((&*place.source, place.line), ("long.rq", 2));
    assert!(fault.help[0].to_string().contains("rows of VALUES"), "{:?}", fault.help);
    let triples: String = (0..1_001).map(|at| format!("?s <urn:p{at}> ?o .")).collect();
    let fault = Query::parse(&format!("ASK {{ {triples} }}"), "joins.rq").expect_err("it joins too much");
    assert_eq!(fault.code, "sparql::too-large");
    assert_eq!(fault.message, "1001 patterns are joined in one group, and at most 1000 can be planned");
    let fault = Update::parse(&format!("DELETE WHERE {{ {triples} }}"), "u").expect_err("it joins too much");
    assert_eq!(fault.code, "sparql::too-large");
}

#[test]
fn data_in_a_query_do_not_count() {
    let numbers: Vec<String> = (0..20_000).map(|number| format!("{number}")).collect();
    let rows = numbers.join(" ");
    for query in [
        format!("ASK {{ VALUES ?o {{ {rows} }} }}"),
        format!("ASK {{ ?s ?p ?o }} VALUES (?o) {{ ({}) }}", numbers.join(") (")),
        format!("ASK {{ ?s ?p ?o FILTER(?o IN (-1, {}, 'a'@en, <urn:a>)) }}", numbers.join(", ")),
        format!("ASK {{ ?s ?p ?o FILTER(?o NOT IN ({})) }}", numbers.join(", +")),
    ] {
        Query::parse(&query, "data.rq").expect("data do not count");
    }
    let quads: String = numbers.iter().map(|number| format!("<urn:a> <urn:p> {number} . ")).collect();
    let prefixes: String = (0..3_000).map(|at| format!("PREFIX p{at}: <urn:{at}> ")).collect();
    for update in [
        format!("INSERT DATA {{ {quads} }}"),
        format!("DELETE DATA {{ GRAPH <urn:g> {{ {quads} }} }}"),
        format!("{prefixes} INSERT DATA {{ p1:a p2999:b 1 }}"),
        "CREATE SILENT GRAPH <urn:g> ; ".repeat(5_000),
        "PREFIX p: <urn:p> INSERT DATA { p:a p:b 1 } ; ".repeat(5_000),
    ] {
        Update::parse(&update, "data.ru").expect("data do not count");
    }
}

#[test]
fn the_longest_chains_are_answered_by_the_program() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.ttl"), "<urn:a> <urn:p> 1 .").expect("the folder is ours");
    for (what, length) in [
        ("differences", 2_480),
        ("sums", 2_480),
        ("alternatives of a path", 2_480),
        ("UNION", 800),
        ("nots", 1),
    ] {
        let (_, group) = LONG_GROUPS.iter().find(|(name, _)| *name == what).expect("it is there");
        let query = format!("SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o . {} }}", group(length));
        fs::write(folder.path().join("q.rq"), query).expect("the folder is ours");
        let (status, stdout, stderr) = run(folder.path(), &["query", "a.ttl", "-f", "q.rq"]);
        assert_eq!((status, stdout.is_empty()), (0, false), "{what}: {stderr}");
    }
}

#[test]
fn a_query_on_stdin_that_is_too_long_is_not_cut() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.ttl"), "<urn:a> <urn:p> 1 .").expect("the folder is ours");
    let query = format!("ASK {{ ?s ?p ?o }}{}", " ".repeat(17 << 20));
    fs::write(folder.path().join("q.rq"), &query).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["query", "a.ttl", "-f", "q.rq"]);
    assert!(status == 2 && stderr.contains("sparql::too-large"), "{stderr}");
    let output = crate::program::program()
        .current_dir(folder.path())
        .args(["query", "a.ttl"])
        .stdin(fs::File::open(folder.path().join("q.rq")).expect("it is there"))
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && stderr.contains("the query has more than 16 MiB"), "{stderr}");
}

#[test]
fn a_table_begins_before_its_last_row_is_known() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.ttl"), "<urn:a> <urn:p> 1 .").expect("the folder is ours");
    let values: String = (0..300).map(|number| format!("{number} ")).collect();
    let values = ["a", "b", "c", "d"].map(|name| format!("VALUES ?{name} {{ {values} }}")).join(" ");
    // Eight thousand million rows, which nobody waits for.
    let mut child = crate::program::program()
        .current_dir(folder.path())
        .args(["query", "a.ttl", "--format", "table", "-q", &format!("SELECT * {{ {values} }}")])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let header = lines.next().expect("a line").expect("it can be read");
    assert_eq!(header.split_whitespace().collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    assert!(lines.nth(10_050).is_some());
    drop(lines);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// Bodies of groups, and what is selected of each.
const BODIES: &[(&str, &str)] = &[
    ("?s ?o", "?s :p ?o . ?s :q 'x'"),
    ("?s ?o", "?s :p ?o OPTIONAL { ?s :q ?o }"),
    ("?s ?o ?v", "?s :p ?o OPTIONAL { ?s :q ?v FILTER(?o > 1) }"),
    ("?s ?v ?w", "?s :p ?o OPTIONAL { ?s :q ?v OPTIONAL { ?v :r ?w } }"),
    // The inner OPTIONAL sees nothing of the outer group.
    ("?s ?o ?v", "?s :p ?o OPTIONAL { ?v :q 'x' OPTIONAL { ?v :p ?o } }"),
    ("?s ?o ?v", "?s :p ?o OPTIONAL { ?s :q ?v } OPTIONAL { ?s :r ?v }"),
    ("?s ?v", "?s :p ?o OPTIONAL { ?s :r ?v } ?t :q ?v"),
    ("?s ?o", "?s :p ?o MINUS { ?s :q ?v } FILTER(?o < 3)"),
    ("?s ?o ?b", "?s :p ?o BIND(?o + 1 AS ?b) OPTIONAL { ?s :r ?v FILTER(?b = 2) } ?s :q ?w"),
    ("?s ?o", "VALUES ?o { 1 2 } ?s :p ?o . { SELECT ?s { ?s :q ?v } LIMIT 100 }"),
    ("?g ?s", "GRAPH ?g { ?s :p ?o } GRAPH ?g { ?s :q ?v }"),
    ("?g ?s", "?s :p ?o GRAPH ?g {} "),
    ("?s ?o", "?s (:p|:q)+ ?o . ?s :p? ?t"),
    ("?s ?o", "{ ?s :p ?o } UNION { ?s :q ?o } ?s :p ?v"),
    ("?s", "?s :p [ ] . [] :q ?v . ?s :q ?v"),
    ("?s ?o", "?s :p ?o FILTER EXISTS { ?s :q ?v OPTIONAL { ?v :r ?w } }"),
    ("?s (COUNT(*) AS ?n)", "?s :p ?o OPTIONAL { ?s :q ?v }"),
];

#[test]
fn a_long_group_says_what_a_short_one_says() {
    const MANY: usize = 40;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = "@prefix : <http://e/> . :pad :pad 0 . :g :pad 0 .
        :a :p 1, 2 ; :q 'x' ; :r :b . :b :p 2 ; :q 'x', 'y' . :c :p 3, :a ; :r 'x' . 'x' :none 1 .
        :g { :pad :pad 0 . :a :p 1 ; :q 'x' . } :h { :pad :pad 0 . :b :p 2 . :a :q 'x' . }"
        .replace("'x' :none 1 .", "");
    fs::write(folder.path().join("a.trig"), data).expect("the folder is ours");
    let joined = ":pad :pad 0 . ".repeat(MANY);
    let optional: String = (0..MANY).map(|at| format!("OPTIONAL {{ ?s :none{at} ?n{at} }} ")).collect();
    let nested: String = (0..MANY)
        .map(|at| format!("OPTIONAL {{ :pad :pad ?n{at} OPTIONAL {{ ?n{at} :none ?m{at} }} }} "))
        .collect();
    let table = format!("VALUES ?o {{ {} }}", (0..MANY).map(|at| format!("{at} ")).collect::<String>());
    let minus = "MINUS { ?s :none ?none } ".repeat(MANY);
    let mut found = 0;
    for (columns, body) in BODIES {
        let group = if columns.contains("COUNT") { "GROUP BY ?s" } else { "" };
        let rows = |body: &str| {
            let query = format!("PREFIX : <http://e/> SELECT {columns} {{ {body} }} {group}");
            let (status, rows, stderr) =
                run(folder.path(), &["query", "--plain", "a.trig", "-q", &query, "--format", "tsv"]);
            assert_eq!(status, 0, "{query}: {stderr}");
            let mut rows: Vec<String> = rows.lines().skip(1).map(str::to_owned).collect();
            rows.sort_unstable();
            rows
        };
        let short = rows(body);
        found += short.len();
        let long = [
            format!("{joined} {body}"),
            format!("{body} {optional}"),
            format!("{body} {nested}"),
            format!("{body} {minus}"),
            format!("{joined} {body} {optional} {minus}"),
            format!("{{ {body} }} {joined}"),
        ];
        for long in long {
            assert_eq!(rows(&long), short, "{long}");
        }
        if columns.contains("?o") {
            let short = rows(&format!("{table} {{ {body} }}"));
            for long in [
                format!("{table} {{ {body} }} {joined}"),
                format!("{joined} {body} {table} {table} {optional}"),
            ] {
                assert_eq!(rows(&long), short, "{long}");
            }
        }
    }
    assert!(found > 40, "{found} rows");
}
