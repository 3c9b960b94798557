//! Queries over the store have the solutions that `spareval` finds one by one.

use std::collections::BTreeMap;

use evalgraph::sparql::{EvaluationEnvironment, ExecuteOptions, Query, QueryResults, Update, UpdateOptions};
use evalgraph::store::{Dataset, DatasetRevision, DefaultGraph};
use proptest::prelude::*;

use super::patterns::{any_dataset, any_group, has_minus_in_exists, plain_triple};
use crate::store::dataset::document;
use crate::store::oracle::{oracle_dataset, oracle_quads};

const PREFIX: &str = "PREFIX ex: <http://example.org/>";

/// A dataset of several documents, whose graphs have triples in common.
pub(crate) fn any_documents() -> impl Strategy<Value = Dataset> {
    prop::collection::vec(any_dataset(), 1..4).prop_map(|documents| {
        let documents = documents.iter().enumerate().map(|(number, quads)| {
            let lines: String = quads.iter().map(|quad| format!("{quad} .\n")).collect();
            document(&format!("urn:document:{number}"), &lines)
        });
        Dataset::from_documents(documents.collect())
    })
}

fn solutions(query: &Query, dataset: &Dataset, graph: DefaultGraph) -> Vec<String> {
    let results = query.execute(dataset.view(graph), ExecuteOptions::default());
    let Ok(QueryResults::Solutions(solutions)) = results else { panic!("SELECT has solutions") };
    solutions.map(|solution| text_of(&solution.expect("a solution"))).collect()
}

/// The solutions that `spareval` finds.
fn expected(query: &Query, dataset: &Dataset, graph: DefaultGraph) -> Vec<String> {
    expected_of(query, &oracle_dataset(dataset, graph))
}

fn expected_of(query: &Query, quads: &oxrdf::Dataset) -> Vec<String> {
    let results = spareval::QueryEvaluator::new().prepare(query.algebra()).execute(quads);
    let Ok(spareval::QueryResults::Solutions(solutions)) = results else { panic!("SELECT has solutions") };
    solutions.map(|solution| text_of(&solution.expect("a solution"))).collect()
}

fn text_of(solution: &sparesults::QuerySolution) -> String {
    let values = solution.iter().map(|(name, term)| format!("{name}={term}"));
    values.collect::<Vec<_>>().join(" ")
}

fn counted(rows: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(row.as_str()).or_default() += 1);
    counts
}

/// Returns whether `spareval` answers a query as the recommendation has it. COUNT leaves out what fails; GRAPH binds its variable after the
/// pattern inside; a variable outside is none of MINUS in EXISTS. For paths there is `paths`.
fn is_answered_alike(text: &str) -> bool {
    let has = |part: &str| text.contains(part);
    let is_scoped =
        ["MINUS", "{ SELECT", "EXISTS", "FILTER"].into_iter().any(has) || text.matches("GRAPH ").count() > 1;
    let counts = ["COUNT(STR(", "COUNT(DISTINCT *)", "GROUP_CONCAT("].into_iter().any(has);
    !(counts || has_minus_in_exists(text) || has("GRAPH ?") && is_scoped)
}

fn check(text: &str, dataset: &Dataset) -> Result<(), TestCaseError> {
    if !is_answered_alike(text) {
        return Ok(());
    }
    let Ok(query) = Query::parse(&format!("{PREFIX} {text}"), "q.rq") else { return Ok(()) };
    for graph in [DefaultGraph::Union, DefaultGraph::Strict, DefaultGraph::Unnamed] {
        let [ours, theirs] = [solutions, expected].map(|found| found(&query, dataset, graph));
        let quads = || {
            let quads: Vec<String> = oracle_quads(dataset).iter().map(ToString::to_string).collect();
            quads.join(" .\n")
        };
        prop_assert_eq!(counted(&ours), counted(&theirs), "{:?}: {}\n{}", graph, text, quads());
    }
    Ok(())
}

fn any_aggregate() -> impl Strategy<Value = String> {
    let function = prop::sample::select(vec![
        "COUNT(*)",
        "COUNT(?b)",
        "COUNT(DISTINCT ?b)",
        "COUNT(DISTINCT ?c)",
        "SUM(?b)",
        "AVG(?c)",
        "MIN(?b)",
        "MAX(?c)",
        "SUM(?b + 1)",
        "COUNT(STR(?d))",
        "COUNT(DISTINCT *)",
        "SUM(DISTINCT ?b)",
        "AVG(DISTINCT ?c)",
        "GROUP_CONCAT('x'; SEPARATOR='-')",
        "GROUP_CONCAT(DISTINCT DATATYPE(?c))",
    ]);
    function.prop_map(|function| format!("({function} AS ?n)"))
}

/// An expression over the variables of [`plain_triple`], whose parts hold expressions in turn.
fn any_value() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["?a", "?b", "?c", "?d", "'x'", "2", "true", "?unbound"]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 16, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            3 => three.prop_map(|(if_so, one, other)| format!("IF({if_so} = ?b, {one}, {other})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("IF(BOUND(?c), {one}, {other})")),
            2 => two.prop_map(|(one, other)| format!("COALESCE({one}, {other})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("CONCAT(STR({one}), STR({other}))")),
            1 => (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("({one} + {other})")),
            1 => inner.clone().prop_map(|one| format!("UCASE(STR({one}))")),
            1 => inner.clone().prop_map(|one| format!("DATATYPE({one})")),
            1 => inner.prop_map(|one| format!("({one} IN (?b, 'x', 2))")),
        ]
    })
}

fn cases() -> u32 {
    if cfg!(debug_assertions) { 1_000 } else { 20_000 }
}

proptest! {
    #![proptest_config(crate::generated::cases(cases()))]

    #[test]
    fn patterns_have_the_same_solutions(group in any_group(), dataset in any_documents()) {
        check(&format!("SELECT ?a ?b ?c ?d WHERE {{ {group} }}"), &dataset)?;
        check(&format!("SELECT DISTINCT ?b ?d WHERE {{ {group} }}"), &dataset)?;
    }

    #[test]
    fn joins_have_the_same_solutions(
        triples in prop::collection::vec(plain_triple(), 2..5),
        optional in prop::collection::vec(plain_triple(), 1..3),
        dataset in any_documents(),
    ) {
        let (triples, optional) = (triples.concat(), optional.concat());
        check(&format!("SELECT * WHERE {{ {triples} OPTIONAL {{ {optional} }} }}"), &dataset)?;
        check(&format!("SELECT ?a WHERE {{ GRAPH ?d {{ {triples} }} MINUS {{ {optional} }} }}"), &dataset)?;
    }

    #[test]
    fn groups_have_the_same_solutions(
        group in any_group(),
        aggregate in any_aggregate(),
        dataset in any_documents(),
    ) {
        check(&format!("SELECT {aggregate} WHERE {{ {group} }}"), &dataset)?;
        check(&format!("SELECT ?a {aggregate} WHERE {{ {group} }} GROUP BY ?a"), &dataset)?;
        check(&format!("SELECT ?e {aggregate} WHERE {{ {group} }} GROUP BY ?a (STR(?d) AS ?e)"), &dataset)?;
        check(&format!("SELECT ?a WHERE {{ {group} }} GROUP BY ?a HAVING(COUNT(?b) > 1)"), &dataset)?;
    }

    #[test]
    fn expressions_have_the_same_values(
        values in (any_value(), any_value()),
        triples in prop::collection::vec(plain_triple(), 1..3),
        dataset in any_documents(),
    ) {
        let (triples, (one, other)) = (triples.concat(), values);
        check(&format!("SELECT ({one} AS ?x) ({other} AS ?y) WHERE {{ {triples} }}"), &dataset)?;
        check(&format!("SELECT * WHERE {{ {triples} BIND({one} AS ?x) FILTER({other}) }}"), &dataset)?;
        check(&format!("SELECT ?x (COUNT(*) AS ?n) WHERE {{ {triples} }} GROUP BY ({one} AS ?x)"), &dataset)?;
    }

    #[test]
    fn equal_values_are_joined_as_the_filter_says(
        sides in (plain_triple(), plain_triple()),
        dataset in any_documents(),
    ) {
        let (left, right) = (sides.0, sides.1.replace('?', "?o_"));
        for condition in ["?b = ?o_b", "sameTerm(?o_a, ?b)", "?c = ?o_a && ?b != ?o_b"] {
            check(&format!("SELECT * WHERE {{ {left} {right} FILTER({condition}) }}"), &dataset)?;
            check(&format!("SELECT * WHERE {{ {{ {left} }} {{ {right} }} FILTER({condition}) }}"), &dataset)?;
            check(&format!("SELECT * WHERE {{ {left} OPTIONAL {{ {right} FILTER({condition}) }} }}"), &dataset)?;
        }
    }

    #[test]
    fn order_is_the_same(group in any_group(), dataset in any_documents()) {
        for (shown, keys) in [
            ("?a ?b ?c ?d", "?a DESC(?b) ?c ?d LIMIT 5"),
            ("DISTINCT ?a ?b", "DESC(?b) ?a LIMIT 5"),
            ("DISTINCT ?c ?b", "?b ?c"),
        ] {
            let text = format!("{PREFIX} SELECT {shown} WHERE {{ {group} }} ORDER BY {keys}");
            if let Ok(query) = Query::parse(&text, "q.rq")
                && is_answered_alike(&text)
            {
                let [ours, theirs] = [solutions, expected].map(|found| found(&query, &dataset, DefaultGraph::Union));
                prop_assert_eq!(ours, theirs, "{}", text);
            }
        }
    }
}

#[test]
fn an_explanation_adds_up_the_parts_of_the_solutions() {
    let triples: String =
        (0..5000).map(|n| format!("<urn:{n}> <http://example.org/p> <urn:{}> .\n", n % 7)).collect();
    let dataset = Dataset::from_documents(vec![document("urn:document", &triples)]);
    for (text, scans) in [
        ("SELECT ?a ?b { ?a ex:p ?b }", 1),
        ("SELECT ?b (COUNT(?a) AS ?n) { ?a ex:p ?b } GROUP BY ?b", 1),
        ("SELECT DISTINCT ?b ?c { ?a ex:p ?b { SELECT DISTINCT ?c { ?c ex:p ?a } } }", 2),
        ("SELECT ?b { { ?a ex:p ?b } UNION { ?a ex:p ?b } } ORDER BY ?b", 2),
    ] {
        let query = Query::parse(&format!("{PREFIX} {text}"), "q.rq").expect("it is a query");
        let plan = query.explain(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
        let plan = plan.expect("it can be evaluated");
        let found: Vec<&str> = plan.lines().filter(|line| line.contains(" ex:p ")).collect();
        assert_eq!(found.len(), scans, "{plan}");
    }
}

#[test]
fn texts_are_concatenated_in_the_order_of_a_subquery() {
    let lines = "<urn:a> <http://example.org/p> \"c\"@de, \"a\"@de . <urn:b> <http://example.org/p> \"b\"@en, \"z\" .";
    let lines = lines.replace(", ", " . <urn:a> <http://example.org/p> ");
    let dataset = Dataset::from_documents(vec![document("urn:document", &lines.replace(" . <", " .\n<"))]);
    for (condition, expected) in
        [("LANG(?t) = 'de'", "?all=\"a, c\""), ("true", "?all=\"a, b, c, z\""), ("false", "?all=\"\"")]
    {
        let texts = format!("SELECT ?t {{ ?s ex:p ?t FILTER({condition}) }} ORDER BY STR(?t)");
        let text = format!("{PREFIX} SELECT (GROUP_CONCAT(?t; SEPARATOR=', ') AS ?all) {{ {{ {texts} }} }}");
        let query = Query::parse(&text, "q.rq").expect("it is a query");
        let found = solutions(&query, &dataset, DefaultGraph::Union);
        assert_eq!(found, [expected], "{text}");
    }
}

/// `"1"`, `"01"` and `1.0` are equal numbers, and a time is one in any zone.
#[test]
fn equal_values_with_other_texts_are_found() {
    let values = [
        "\"1\"^^<http://www.w3.org/2001/XMLSchema#integer>",
        "\"01\"^^<http://www.w3.org/2001/XMLSchema#integer>",
        "\"1.0\"^^<http://www.w3.org/2001/XMLSchema#decimal>",
        "\"1e0\"^^<http://www.w3.org/2001/XMLSchema#double>",
        "\"true\"^^<http://www.w3.org/2001/XMLSchema#boolean>",
        "\"1\"^^<http://www.w3.org/2001/XMLSchema#boolean>",
        "\"2026-01-01T12:00:00Z\"^^<http://www.w3.org/2001/XMLSchema#dateTime>",
        "\"2026-01-01T13:00:00+01:00\"^^<http://www.w3.org/2001/XMLSchema#dateTime>",
        "\"2026-01-01Z\"^^<http://www.w3.org/2001/XMLSchema#date>",
        "\"2026-01-01+00:00\"^^<http://www.w3.org/2001/XMLSchema#date>",
        "\"1\"",
        "\"1\"@en",
        "<urn:1>",
    ];
    let line = |(number, value)| format!("<urn:{number}> <http://example.org/p> {value} .\n");
    let lines: String = values.iter().enumerate().map(line).collect();
    let dataset = Dataset::from_documents(vec![document("urn:document", &lines)]);
    let text = format!("{PREFIX} SELECT * {{ ?a ex:p ?b . ?c ex:p ?d FILTER(?b = ?d) }}");
    let query = Query::parse(&text, "q.rq").expect("it is a query");
    let [ours, theirs] = [solutions, expected].map(|found| found(&query, &dataset, DefaultGraph::Union));
    assert_eq!(counted(&ours), counted(&theirs));
    assert_eq!(ours.len(), 4 * 4 + 3 * (2 * 2) + 3);
}

/// Solutions are found part by part; each is found once, wherever a part ends.
#[test]
fn no_solution_is_lost_between_parts() {
    for rows in [0, 1, 63, 64, 65, 4_095, 4_096, 4_097, 6_000] {
        let line = |row: usize| {
            let node = format!("<urn:{row}> <http://example.org/");
            format!("{node}p> \"{}\" .\n{node}q> <urn:{}> .\n", row % 7, row / 2)
        };
        let lines: String = (0..rows).map(line).collect();
        let dataset = Dataset::from_documents(vec![document("urn:document", &lines)]);
        let quads = oracle_dataset(&dataset, DefaultGraph::Union);
        for (text, all) in [
            ("SELECT * { ?a ex:p ?b }", rows),
            ("SELECT * { ?a ex:p ?b . ?a ex:q ?c }", rows),
            (
                "SELECT ?b { ?a ex:p ?b OPTIONAL { ?c ex:q ?a FILTER(?b = '0') } }",
                rows + (rows / 2).div_ceil(7),
            ),
            ("SELECT * { ?a ex:p ?b MINUS { ?a ex:q <urn:0> } }", rows - rows.min(2)),
            ("SELECT * { GRAPH ?g { ?a ex:p ?b } }", rows),
            ("SELECT DISTINCT ?b { ?a ex:p ?b }", rows.min(7)),
            ("SELECT ?a { ?a ?p ?b }", rows * 2),
            ("SELECT ?a (COUNT(*) AS ?n) { ?a ?p ?b } GROUP BY ?a", rows),
            ("SELECT DISTINCT ?a ?b ?c { ?a ex:p ?b . ?a ex:q ?c }", rows),
        ] {
            for (offset, limit) in [(0, None), (0, Some(1)), (3, Some(64)), (60, Some(5_000)), (0, Some(0))] {
                let limited =
                    limit.map_or_else(String::new, |limit| format!(" LIMIT {limit} OFFSET {offset}"));
                let query =
                    Query::parse(&format!("{PREFIX} {text}{limited}"), "q.rq").expect("it is a query");
                let count = all.saturating_sub(offset).min(limit.unwrap_or(usize::MAX));
                let ours = solutions(&query, &dataset, DefaultGraph::Union);
                let theirs = expected_of(&query, &quads);
                assert_eq!((ours.len(), theirs.len()), (count, count), "{rows} rows: {text}{limited}");
                if limit.is_none() {
                    assert_eq!(counted(&ours), counted(&theirs), "{rows} rows: {text}");
                }
            }
        }
    }
}

/// A limit counts what is shown: triples of a graph, of which a solution may give none or one that is known.
#[test]
fn a_limit_counts_triples_and_not_their_solutions() {
    let line = |row: usize| format!("<urn:{row}> <http://example.org/p> <urn:{}> .\n", row / 10);
    let lines: String = (0..30).map(line).collect();
    let dataset = Dataset::from_documents(vec![document("urn:document", &lines)]);
    for (text, expected) in [
        ("CONSTRUCT { ?b ex:of ex:all } { ?a ex:p ?b }", 2),
        ("CONSTRUCT { ?a ex:of ?none } { ?a ex:p ?b }", 0),
        ("DESCRIBE ?b { ?a ex:p ?b }", 2),
        ("SELECT ?b { ?a ex:p ?b }", 2),
        ("ASK { ?a ex:p ?b } LIMIT 0", 0),
    ] {
        let query = Query::parse(&format!("{PREFIX} {text}"), "q.rq").expect("it is a query");
        let options = ExecuteOptions { limit: Some(2), ..ExecuteOptions::default() };
        let results = query.execute(dataset.view(DefaultGraph::Union), options);
        let found = match results.expect("the query can be evaluated") {
            QueryResults::Solutions(solutions) => solutions.count(),
            QueryResults::Graph(triples) => triples.count(),
            QueryResults::Boolean(answer) => usize::from(answer),
        };
        assert_eq!(found, expected, "{text}");
    }
}

/// Each triple of a graph comes once, also where two graphs have it, or several solutions make it.
#[test]
fn triples_of_a_constructed_graph_come_once() {
    let line = |row: usize| format!("<urn:{row}> <http://example.org/p> <urn:{}> .\n", row / 10);
    let lines: String = (0..30).map(line).collect();
    let dataset = Dataset::from_documents(vec![document("urn:one", &lines), document("urn:two", &lines)]);
    for (text, expected) in [
        ("CONSTRUCT { ?a ?p ?b } { ?a ?p ?b }", 30),
        ("CONSTRUCT WHERE { ?a ex:p ?b }", 30),
        ("CONSTRUCT { ?a ex:of ?b } FROM <urn:one> FROM <urn:two> { ?a ex:p ?b FILTER(?b = <urn:1>) }", 10),
        ("CONSTRUCT { ?a ?p ?b } { GRAPH <urn:one> { ?a ?p ?b } }", 30),
        ("CONSTRUCT { ?a ?p ?b } { GRAPH ?g { ?a ?p ?b } }", 30),
        ("CONSTRUCT { ?a ?p ?b } { ?a ?p ?b . ?c ex:p ?b }", 30),
        ("CONSTRUCT { ?a ex:p ?b } { ?a ex:p ?b . [] ex:p ?b }", 30),
        ("CONSTRUCT { ?a ?p ?b } { { ?a ?p ?b } UNION { ?a ex:p ?b } }", 30),
        ("CONSTRUCT { ?b ex:of ?b } { ?a ex:p ?b }", 3),
        ("CONSTRUCT { ?a ?p ?b . ?a ex:p ?b } { ?a ?p ?b }", 30),
    ] {
        let query = Query::parse(&format!("{PREFIX} {text}"), "q.rq").expect("it is a query");
        let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
        let QueryResults::Graph(triples) = results.expect("the query can be evaluated") else {
            panic!("CONSTRUCT makes a graph")
        };
        assert_eq!(triples.count(), expected, "{text}");
    }
}

/// Of a node whose triples an earlier operation has removed no path leads to itself.
#[test]
fn a_removed_node_is_none_of_the_graph() {
    let quad = "<urn:a> <http://example.org/p> <urn:b> .\n<urn:c> <http://example.org/p> <urn:c> .\n";
    let dataset = Dataset::from_documents(vec![document("urn:document", quad)]);
    let text = format!(
        "{PREFIX} DELETE WHERE {{ <urn:a> ex:p ?o }} ;
         INSERT {{ ?x ex:found ?y }} WHERE {{ VALUES ?x {{ <urn:a> <urn:c> }} ?x ex:q* ?y }}"
    );
    let update = Update::parse(&text, "u.ru").expect("it is an update");
    let mut revision = DatasetRevision::new(&dataset, DefaultGraph::Union);
    let execute = ExecuteOptions::default();
    let options = UpdateOptions { execute, default_target: Some("urn:document"), loader: None };
    update.apply(&mut revision, options).expect("it can be done");
    let changes = revision.changes();
    assert_eq!((changes.len(), changes[0].added.len(), changes[0].removed.len()), (1, 1, 1));
}

#[test]
fn texts_are_searched_as_they_are_read() {
    let texts = [
        "Kinase inhibitor",
        "KINASE",
        "\u{212a}inase of Kelvin",
        "\u{130}stanbul",
        "istanbul",
        "Grüße aus Köln",
        "ΣΊΣΥΦΟΣ",
        "ﬁne",
        "ẞ",
        "",
        "蛋白质 β-catenin",
        "a-b-c",
    ];
    let lines: String = texts
        .iter()
        .enumerate()
        .flat_map(|(number, text)| {
            ["", "@de-AT", "^^<urn:own>"]
                .map(|kind| format!("<urn:s{number}> <urn:says> \"{text}\"{kind} .\n"))
        })
        .collect();
    let dataset = Dataset::from_documents(vec![document("urn:document", &lines)]);
    let parts = ["k", "kinase", "i", "istanbul", "ß", "σ", "", "K", "ne", "质", "-"];
    let conditions = parts.iter().flat_map(|part| {
        let of = |call: &str| call.replace("PART", part);
        [
            of("CONTAINS(LCASE(?t), \"PART\")"),
            of("CONTAINS(UCASE(STR(?t)), \"PART\")"),
            of("CONTAINS(?t, \"PART\")"),
            of("STRSTARTS(STR(?t), \"PART\") || STRENDS(LCASE(STR(?t)), \"PART\")"),
            of("CONTAINS(STRBEFORE(STR(?t), \"PART\"), \"a\")"),
            of("CONTAINS(LCASE(STRAFTER(STR(?t), \"PART\")), \"a\")"),
            of("REGEX(?t, \"PART.\", \"i\")"),
            of("STR(?t) = LANG(?t) || STR(?t) = \"PART\""),
            of("STRLEN(?t) > 5 && LANGMATCHES(LANG(?t), \"de\")"),
            of("?t < \"PART\""),
        ]
    });
    for condition in conditions {
        let text = format!("SELECT ?t {{ ?s <urn:says> ?t FILTER({condition}) }}");
        check(&text, &dataset).expect("both find the same");
    }
}

/// Parts of a pattern may have other columns: a variable that nothing binds has one where a part is empty.
#[test]
fn distinct_solutions_of_parts_with_other_columns_are_counted_once() {
    let line = |row: usize| {
        let node = format!("<urn:{row}> <http://example.org/");
        format!("{node}p> <urn:{}> .\n{node}q> \"{}\" .\n", row % 40, row % 5)
    };
    let lines: String = (0..400).map(line).collect();
    let dataset = Dataset::from_documents(vec![document("urn:document", &lines)]);
    for condition in ["STRSTARTS(STR(?s), 'urn:1')", "STRSTARTS(STR(?s), 'urn:39')", "?s = <urn:399>", "true"]
    {
        let inner = format!("{{ ?s ex:p ?x FILTER({condition}) }} {{ SELECT ?x ?nope {{ ?x ex:q ?z }} }}");
        for shown in ["?x ?nope", "?nope ?x ?z", "?nope"] {
            let text = format!("SELECT (COUNT(*) AS ?n) {{ SELECT DISTINCT {shown} {{ {inner} }} }}");
            check(&text, &dataset).expect("both evaluators agree");
        }
    }
}

/// What a solution tells of the order of `<`, ORDER BY tells, too.
#[test]
fn times_and_durations_are_in_the_order_of_their_values() {
    const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
    for (datatype, ordered) in [
        ("gYear", ["-0001", "0999", "9999", "10000"]),
        ("gYearMonth", ["2023-12", "2024-02", "9999-12", "10000-01"]),
        ("time", ["01:00:00", "09:30:00Z", "10:00:00", "23:59:59.5"]),
        ("dayTimeDuration", ["-P1D", "PT36H", "P2D", "P10D"]),
        ("yearMonthDuration", ["P9M", "P1Y", "P13M", "P10Y"]),
        ("duration", ["PT1H", "P2D", "P1M3D", "P1Y"]),
    ] {
        let line =
            |(at, value)| format!("<urn:{at}> <http://example.org/p> \"{value}\"^^<{XSD}{datatype}> .\n");
        let lines: String = ordered.iter().enumerate().rev().map(line).collect();
        let dataset = Dataset::from_documents(vec![document("urn:document", &lines)]);
        for text in
            ["SELECT ?s { ?s ex:p ?o } ORDER BY ?o", "SELECT ?s { { SELECT ?s { ?s ex:p ?o } ORDER BY ?o } }"]
        {
            let query = Query::parse(&format!("{PREFIX} {text}"), "q.rq").expect("it is a query");
            let found = solutions(&query, &dataset, DefaultGraph::Union);
            let expected: Vec<String> = (0..ordered.len()).map(|at| format!("?s=<urn:{at}>")).collect();
            assert_eq!(found, expected, "{datatype}: {text}");
        }
    }
}

#[test]
fn any_term_with_a_text_can_be_concatenated() {
    let lines = "<urn:a> <http://example.org/p> <urn:x> .\n<urn:a> <http://example.org/p> \"01\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n";
    let dataset = Dataset::from_documents(vec![document("urn:document", lines)]);
    let text = format!(
        "{PREFIX} SELECT (GROUP_CONCAT(?o; SEPARATOR='|') AS ?all) {{ {{ SELECT ?o {{ ?s ex:p ?o }} ORDER BY ?o }} }}"
    );
    let query = Query::parse(&text, "q.rq").expect("it is a query");
    let found = solutions(&query, &dataset, DefaultGraph::Union);
    assert_eq!(found, ["?all=\"urn:x|01\""]);
}

#[test]
fn a_sum_without_a_value_is_warned_of_once() {
    let line = |row: usize| format!("<urn:{row}> <http://example.org/p> \"text {row}\" .\n");
    let lines: String = (0..100).map(line).collect();
    let dataset = Dataset::from_documents(vec![document("urn:document", &lines)]);
    let environment = EvaluationEnvironment::default();
    let text = format!("{PREFIX} SELECT (SUM(?o) AS ?n) (AVG(?o) AS ?m) {{ ?s ex:p ?o }} GROUP BY ?s");
    let query = Query::parse(&text, "q.rq").expect("it is a query").with_environment(environment.clone());
    solutions(&query, &dataset, DefaultGraph::Union);
    let remarks = environment.remarks.take();
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert_eq!(remarks[0].code, "sparql::aggregate");
}
