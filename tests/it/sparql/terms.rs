//! Functions of SPARQL that look at texts and at literals as they are written: a query and its rows.

use crate::cli::input::run;
use std::fs;
use std::path::Path;

/// Data in Turtle, where `:` is `http://e/`; a query; its rows as N-Triples terms in TSV, in any order.
type Case = (&'static str, &'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    // Functions and Operators, 7.6.3: the replacement names groups by number, `\$` and `\\` are characters.
    ("", r#"SELECT (REPLACE("John Smith", "(\\w+) (\\w+)", "$2_$1") AS ?r) {}"#, &[r#""Smith_John""#]),
    ("", r#"SELECT (REPLACE("ab", "a(b)", "[$12]") AS ?r) {}"#, &[r#""[b2]""#]),
    ("", r#"SELECT (REPLACE("5", "(5)", "price \\$$1") AS ?r) {}"#, &[r#""price $5""#]),
    ("", r#"SELECT (REPLACE("ab"@en, "b", "\\\\") AS ?r) {}"#, &[r#""a\\"@en"#]),
    ("", r#"SELECT (REPLACE("a.b", ".", "$1", "q") AS ?r) {}"#, &[r#""a$1b""#]),
    ("", r#"SELECT (REPLACE("abc", "a*", "x") AS ?r) {}"#, &[""]),
    ("", r#"SELECT (REPLACE("abc", "b", "$x") AS ?r) {}"#, &[""]),
    (
        ":a :p 'x1', 'y2' .",
        r#"SELECT (REPLACE(?o, ?p, "<$0>") AS ?r) { ?s :p ?o VALUES ?p { "[0-9]" "(" } }"#,
        &["", "", r#""x<1>""#, r#""y<2>""#],
    ),
    (
        ":a :p 'x'@en .",
        r#"SELECT (REPLACE(?o, "(.)", ?r) AS ?x) { ?s :p ?o VALUES ?r { "$1$1" "\\" } }"#,
        &["", r#""xx"@en"#],
    ),
    // XML Schema Part 2, appendix F: classes are subtracted, and `\s` and `\w` are other sets than elsewhere.
    (":a :p 'a', 'b', '-' .", r#"SELECT ?o { ?s :p ?o FILTER(REGEX(?o, "^[a-z-[b]]$")) }"#, &[r#""a""#]),
    (
        ":a :p 'a', 'b', 'c' .",
        r#"SELECT ?o { ?s :p ?o VALUES (?p ?f) { ("^[A-C-[b]]$" "i") } FILTER(REGEX(?o, ?p, ?f)) }"#,
        &[r#""a""#, r#""c""#],
    ),
    (":a :p '\u{A0}', ' ' .", r#"SELECT ?o { ?s :p ?o FILTER(REGEX(?o, "^\\s$")) }"#, &[r#"" ""#]),
    (":a :p 'α', 'a' .", r#"SELECT ?o { ?s :p ?o FILTER(REGEX(?o, "\\p{IsGreek}")) }"#, &[r#""α""#]),
    // Flag `i` leaves a property as it is, in a class, too.
    (":a :p 'x', 'X' .", r#"SELECT ?o { ?s :p ?o FILTER(REGEX(?o, "^[\\p{Lu}]$", "i")) }"#, &[r#""X""#]),
    ("", r#"SELECT (REGEX("𞤀", "^\\p{IsAdlam}$") AS ?r) (REGEX("a b", "\\bb") AS ?s) {}"#, &["true\t"]),
    ("", r#"SELECT (REPLACE("ab", "(b)", "[$02]") AS ?r) {}"#, &[r#""a[]""#]),
    // A pattern that is wrong is an error, of which nothing is the contrary.
    (":a :p 'a' .", r#"SELECT ?o { ?s :p ?o FILTER(!REGEX(?o, "(a)\\1")) }"#, &[]),
    // 17.4.2.5: STR is the lexical form, wherever the literal comes from.
    (":a :p 01 .", r#"SELECT ?y { ?s :p ?x OPTIONAL { ?s :p ?y FILTER(STR(?y) = "01") } }"#, &["01"]),
    (":a :p 01 .", r#"SELECT ?x { ?s :p ?x FILTER EXISTS { ?s :p ?z FILTER(STR(?x) = "01") } }"#, &["01"]),
    (":a :p 01 .", r#"SELECT ?t { ?s :p ?x BIND(?x AS ?y) BIND(STR(?y) AS ?t) }"#, &[r#""01""#]),
    (":a :p 01 .", r#"SELECT (STR(?y) AS ?t) { SELECT (?x AS ?y) { ?s :p ?x } }"#, &[r#""01""#]),
    ("", r#"SELECT (STR(?x) AS ?t) (STR(02) AS ?u) { VALUES ?x { 01 } }"#, &["\"01\"\t\"02\""]),
    (
        ":a :p 01 .",
        r#"SELECT (STR(?x) AS ?t) { ?x :p? ?z FILTER(sameTerm(?x, ?z) && ISLITERAL(?x)) }"#,
        &[r#""01""#],
    ),
    (
        ":a :p 01, 2 .",
        r#"SELECT (MIN(STR(?x)) AS ?t) { ?s :p ?x MINUS { ?s :p ?x FILTER(?x = 2) } }"#,
        &[r#""01""#],
    ),
    (
        ":a :p 01 .",
        r#"SELECT (STR(COALESCE(?n, ?x, "-")) AS ?t) { ?s :p ?x OPTIONAL { ?s :q ?n } }"#,
        &[r#""01""#],
    ),
    (
        ":a :p 01, 1 .",
        r#"SELECT (STR(?x) AS ?t) (STR(?x + 0) AS ?u) { ?s :p ?x } ORDER BY STR(?x)"#,
        &["\"01\"\t\"1\"", "\"1\"\t\"1\""],
    ),
    (":a :p 01 .", r#"SELECT ?t { :a :p ?x { SELECT (STR(?s) AS ?t) { ?s :p 01 } } }"#, &[r#""http://e/a""#]),
    // 17.4.2.7: DATATYPE is the datatype, of derived types, too.
    (
        ":a :p '2'^^xsd:byte .",
        "SELECT (DATATYPE(?o) AS ?t) { ?s :p ?o }",
        &["<http://www.w3.org/2001/XMLSchema#byte>"],
    ),
    (
        ":a :p '2'^^xsd:byte, 2 .",
        "SELECT ?o { ?s :p ?o FILTER(DATATYPE(?o) = xsd:byte && ?o = 2) }",
        &["\"2\"^^<http://www.w3.org/2001/XMLSchema#byte>"],
    ),
    (
        ":a :p '2026-01-01T00:00:00Z'^^xsd:dateTimeStamp .",
        "SELECT (DATATYPE(?o) = xsd:dateTimeStamp AS ?t) { ?s :p ?o }",
        &["true"],
    ),
    (
        "",
        "SELECT (DATATYPE('2'^^xsd:byte) = xsd:byte AS ?t) (DATATYPE('a'@en) AS ?u) {}",
        &["true\t<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>"],
    ),
    // 17.4.2.4, the examples among them.
    (
        "",
        "SELECT (isNumeric('1200'^^xsd:byte) AS ?t) (isNumeric('12'^^xsd:byte) AS ?u) (isNumeric('12') AS ?v) {}",
        &["false\ttrue\tfalse"],
    ),
    (
        ":a :p '1200'^^xsd:byte, '-5'^^xsd:nonNegativeInteger, '7'^^xsd:byte, 1.0, 'x'^^xsd:double, <b> .",
        "SELECT ?o { ?s :p ?o FILTER(isNumeric(?o)) }",
        &["\"7\"^^<http://www.w3.org/2001/XMLSchema#byte>", "1.0"],
    ),
    // 17.4.1.3, 17.4.1.2: COALESCE and IF give the term.
    (
        ":a :p '02'^^xsd:byte .",
        r#"SELECT (COALESCE(STRAFTER(?o, "x"), ?o) AS ?t) (IF(?o = 2, ?o, STRLEN("a")) AS ?u) { ?s :p ?o }"#,
        &["\"02\"^^<http://www.w3.org/2001/XMLSchema#byte>\t\"02\"^^<http://www.w3.org/2001/XMLSchema#byte>"],
    ),
    // One within another, with a condition each, and a computed value beside others.
    (
        ":a :p 'x', 'y', 'z' .",
        r#"SELECT (IF(?o = "x", "one", IF(?o = "y", "two", UCASE(?o))) AS ?t) { ?s :p ?o }"#,
        &["\"Z\"", "\"one\"", "\"two\""],
    ),
    // 18.5.1.5, 18.5.1.6, 18.5.1.8: a member of the multiset.
    (":a :p 1.50, 2.500 .", "SELECT (MIN(?o) AS ?t) (MAX(?o) AS ?u) { ?s :p ?o }", &["1.50\t2.500"]),
    (
        ":a :p '05'^^xsd:nonNegativeInteger .",
        "SELECT (SAMPLE(?o) AS ?t) (MIN(DISTINCT ?o) AS ?u) { ?s :p ?o }",
        &[
            "\"05\"^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger>\t\"05\"^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger>",
        ],
    ),
    (
        ":a :p 1.50 . :b :p 1.5 . :a :q 'x' . :b :q 'y', 'z' .",
        "SELECT ?s ?m { { SELECT ?s (MIN(?o) AS ?m) { ?s :p ?o } GROUP BY ?s } ?s :p ?m }",
        &["<http://e/a>\t1.50", "<http://e/b>\t1.5"],
    ),
    (
        ":b :q 'y', 'z' . :c :q <x>, 3 .",
        "SELECT (MIN(?o) AS ?m) (MAX(?o) AS ?n) { ?s :q ?o } GROUP BY ?s",
        &["\"y\"\t\"z\"", "<http://e/x>\t3"],
    ),
    // 17.2.2, 17.3; Functions and Operators, 17.1.2.
    (
        ":a :p 'x'@en, ''@en, 'y' .",
        "SELECT ?o (!?o AS ?n) (IF(?o, 1, 2) AS ?i) (?o && true AS ?a) { ?s :p ?o }",
        &["\"\"@en\ttrue\t2\tfalse", "\"x\"@en\tfalse\t1\ttrue", "\"y\"\tfalse\t1\ttrue"],
    ),
    (":a :p 'x'@en, ''@en, <b> .", "SELECT ?o { ?s :p ?o FILTER(?o) }", &["\"x\"@en"]),
    (":a :p <b> .", "SELECT (!?o AS ?n) { ?s :p ?o }", &[""]),
    (
        "",
        "SELECT (false < ?t AS ?a) (?t > false AS ?b) (?t >= ?f AS ?c) (?t <= false AS ?d) (?t < 1 AS ?e) \
         { VALUES (?t ?f) { (true false) } }",
        &["true\ttrue\ttrue\tfalse\t"],
    ),
    (
        "",
        "SELECT (?b < BOUND(?x) AS ?a) (COALESCE(?x, ?b) < true AS ?c) (IF(?b, 1, true) <= true AS ?d) \
         ((?b < 1) < true AS ?e) { BIND(false AS ?b) }",
        &["false\ttrue\ttrue\t"],
    ),
    (
        "",
        "SELECT ('NaN'^^xsd:double < 5 AS ?a) (!(5 >= 'NaN'^^xsd:float) AS ?b) (?n < ?n AS ?c) (?n + 1 > 0 AS ?d) \
         (?n < '5' AS ?e) (IF(?n > 1, 'yes', 'no') AS ?f) { BIND('NaN'^^xsd:double AS ?n) }",
        &["false\ttrue\tfalse\tfalse\t\t\"no\""],
    ),
    (
        ":a :p 'x'@en, ''@en, 'y', <b> .",
        "SELECT ?o { ?s :p ?o FILTER(UCASE(?o) && !CONCAT(?o, ?none)) }",
        &[],
    ),
    (":a :p 'x'@en, ''@en, 'y', <b> .", "SELECT ?o { ?s :p ?o FILTER(UCASE(?o)) }", &["\"x\"@en", "\"y\""]),
    (
        ":a :p 'x'@en, ''@en, 'y', <b> .",
        "SELECT (!COALESCE(?none, ?o) AS ?n) (IF(LCASE(?o), 1, 2) AS ?i) { ?s :p ?o }",
        &["\t", "false\t1", "false\t1", "true\t2"],
    ),
    (
        "",
        "SELECT * { { VALUES (?x ?z) { ('a'@en 1) (''@en 1) } FILTER(?x) } FILTER(?z = 1) MINUS { ?x :p ?y . ?y :p ?z } }",
        &["\"a\"@en\t1"],
    ),
    // 17.2.2: a number or a boolean that is written as none is false.
    (
        ":a :p 'abc'^^xsd:integer, '99999999999999999999'^^xsd:integer, 'x'^^xsd:boolean, 'x'^^:other .",
        "SELECT ?o (!?o AS ?n) { ?s :p ?o }",
        &[
            "\"abc\"^^<http://www.w3.org/2001/XMLSchema#integer>\ttrue",
            "\"x\"^^<http://e/other>\t",
            "\"x\"^^<http://www.w3.org/2001/XMLSchema#boolean>\ttrue",
            "99999999999999999999\tfalse",
        ],
    ),
    (
        "",
        "SELECT (!'abc'^^xsd:integer AS ?a) (!STRDT('', xsd:byte) AS ?b) (!'2026'^^xsd:gYear AS ?c) {}",
        &["true\ttrue\t"],
    ),
    // 18.5.1.2: a count leaves out what fails, beside distinct solutions, too.
    (
        ":a :p 1, 2 .",
        "SELECT (COUNT(IF(?o > 1, 1, ?none)) AS ?c) (COUNT(DISTINCT *) AS ?d) { ?s :p ?o }",
        &["1\t2"],
    ),
    ("", "SELECT (xsd:string(1e30) AS ?a) (xsd:string(1.5) AS ?b) {}", &["\"1.0E30\"\t\"1.5\""]),
    ("", "SELECT (SAMPLE(?x) AS ?m) (MIN(?x) AS ?n) { VALUES ?x { UNDEF 01 } }", &["01	"]),
    ("", "SELECT (SAMPLE(01) AS ?m) (MAX(IF(?x > 1, ?x, 0)) AS ?n) { VALUES ?x { 1 02 } }", &["01\t02"]),
    (
        "",
        "SELECT (MIN(?x) AS ?m) (MIN(?x + 1) AS ?n) (COUNT(DISTINCT *) AS ?o) { VALUES ?x { 3 02 } }",
        &["02\t3\t2"],
    ),
    // 17.4.2.12: STRDT is a literal with that lexical form and that datatype.
    (
        "",
        "SELECT (STRDT('02', xsd:byte) AS ?t) (STRDT('1.50', xsd:decimal) AS ?u) (STRDT('P13M', xsd:duration) AS ?v) {}",
        &[
            "\"02\"^^<http://www.w3.org/2001/XMLSchema#byte>\t1.50\t\"P13M\"^^<http://www.w3.org/2001/XMLSchema#duration>",
        ],
    ),
    (
        ":a :p '01', '1' .",
        "SELECT ?o { ?s :p ?o FILTER(STR(STRDT(?o, xsd:integer)) = '01' && STRDT(?o, xsd:integer) + 1 = 2) }",
        &["\"01\""],
    ),
    (
        "",
        "SELECT (STR(IF(?x, STRDT('01', xsd:int), 1 + 1)) AS ?t) (DATATYPE(COALESCE(?y, STRDT('1', xsd:int))) AS ?u) \
         { VALUES ?x { true false } } ORDER BY STRDT('1', xsd:int)",
        &["\"01\"\t<http://www.w3.org/2001/XMLSchema#int>", "\"2\"\t<http://www.w3.org/2001/XMLSchema#int>"],
    ),
    (
        "",
        "SELECT (STRDT('a'@en, xsd:string) AS ?t) (STRDT(1, xsd:int) AS ?u) (STRDT('x', 'y') AS ?v) (STRDT('x', :d) AS ?w) {}",
        &["\t\t\t\"x\"^^<http://e/d>"],
    ),
    // 19.8, productions 131 to 136: the sign is a part of the number.
    ("", "SELECT (-01 AS ?a) (STR(+1.50) AS ?b) (-1e0 AS ?c) (3 -01 AS ?d) {}", &["-01\t\"+1.50\"\t-1e0\t2"]),
    (
        "",
        "SELECT (- -01 AS ?a) (ABS(-01) AS ?b) (?x -01 AS ?c) (2*-03 AS ?d) { VALUES ?x { -01 } }",
        &["1\t1\t-2\t-6"],
    ),
    ("", "SELECT ?x { VALUES ?x { -01 +1 } FILTER(?x IN (-1, +01)) BIND('-01' AS ?y) }", &["+1", "-01"]),
];

const PREFIXES: &str = "@prefix : <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .";

fn rows(path: &Path, number: usize, (data, query, _): &Case) -> Vec<String> {
    let file = format!("{number}.ttl");
    fs::write(path.join(&file), format!("@base <http://e/> . {PREFIXES} {data}"))
        .expect("the folder is ours");
    let query = format!("PREFIX : <http://e/> {query}");
    let (status, tsv, stderr) = run(path, &["query", "--plain", &file, "-q", &query, "--format", "tsv"]);
    assert_eq!(status, 0, "{query}: {stderr}");
    let mut rows: Vec<String> = tsv.lines().skip(1).map(str::to_owned).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn answers_are_those_of_the_recommendation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut wrong = Vec::new();
    for (number, case) in CASES.iter().enumerate() {
        let rows = rows(folder.path(), number, case);
        if rows != case.2 {
            wrong.push(format!("{}\n{}\n  is {rows:?}, should be {:?}", case.0, case.1, case.2));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pattern_that_comes_from_the_data_is_told_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("d.ttl"), "<http://e/a> <http://e/p> '(', '[', 'a' .").expect("the folder is ours");
    let query = "SELECT ?t { VALUES ?t { 'a' 'b' 'c' } ?s <http://e/p> ?o FILTER(REGEX(?t, ?o)) }";
    let (status, rows, stderr) = run(path, &["query", "d.ttl", "-q", query, "--format", "csv"]);
    assert_eq!((status, rows.lines().collect::<Vec<_>>()), (0, vec!["t", "a"]), "{stderr}");
    assert_eq!(stderr.matches("warning[sparql::pattern]").count(), 2, "{stderr}");
    let update = "INSERT { <http://e/b> <http://e/p> ?t } WHERE \
                  { VALUES ?t { 'a' 'b' } FILTER(REGEX(?t, '(a)\\\\1')) }";
    let (status, _, stderr) = run(path, &["update", "d.ttl", "-q", update, "--dry-run"]);
    assert_eq!((status, stderr.matches("refers back to a group").count()), (0, 1), "{stderr}");
}
