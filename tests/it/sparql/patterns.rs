//! Patterns have the solutions that `spareval` finds one by one, over data and patterns with unbound and disjoint variables.

use std::collections::{BTreeMap, BTreeSet};

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::DefaultGraph;
use oxrdf::{Dataset, GraphName, Literal, NamedNode, Quad, Term};
use proptest::prelude::*;
use spareval::QueryEvaluator;

use crate::store::dataset::stored;

const NAMESPACE: &str = "http://example.org/";

/// Solutions as a multiset, each as the text of its bound values.
type Answer = BTreeMap<String, usize>;

fn theirs(query: &Query, dataset: &Dataset) -> Answer {
    let evaluator = QueryEvaluator::new();
    let results = evaluator.prepare(query.algebra()).execute(dataset).expect("the query can be evaluated");
    let mut answer = Answer::new();
    match results {
        spareval::QueryResults::Solutions(solutions) => {
            for solution in solutions {
                *answer.entry(row(&solution.expect("a solution"))).or_default() += 1;
            }
        }
        spareval::QueryResults::Graph(triples) => {
            for triple in triples {
                answer.insert(triple.expect("a triple").to_string(), 1);
            }
        }
        spareval::QueryResults::Boolean(yes) => {
            answer.insert(yes.to_string(), 1);
        }
    }
    answer
}

fn ours(query: &Query, quads: &Dataset) -> Answer {
    let mut answer = Answer::new();
    let dataset = stored(quads.iter().map(|quad| quad.into_owned()));
    let view = dataset.view(DefaultGraph::Unnamed);
    match query.execute(view, ExecuteOptions::default()).expect("the query can be evaluated") {
        QueryResults::Solutions(solutions) => {
            for solution in solutions {
                *answer.entry(row(&solution.expect("a solution"))).or_default() += 1;
            }
        }
        QueryResults::Graph(triples) => {
            for triple in triples {
                *answer.entry(triple.expect("a triple").to_string()).or_default() += 1;
            }
        }
        QueryResults::Boolean(yes) => {
            answer.insert(yes.to_string(), 1);
        }
    }
    answer
}

fn row(solution: &sparesults::QuerySolution) -> String {
    let shown: BTreeSet<String> = solution.iter().map(|(name, term)| format!("{name}={term}")).collect();
    shown.into_iter().collect::<Vec<_>>().join(" ")
}

fn node(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{NAMESPACE}{name}"))
}

fn any_term() -> impl Strategy<Value = Term> {
    prop_oneof![
        4 => prop::sample::select(vec!["x", "y", "z", "w"]).prop_map(|name| node(name).into()),
        1 => (1..3).prop_map(|number| Literal::from(number).into()),
    ]
}

pub(crate) fn any_dataset() -> impl Strategy<Value = Dataset> {
    let subject = prop::sample::select(vec!["x", "y", "z", "w"]);
    let predicate = prop::sample::select(vec!["p", "q", "r"]);
    let graph = prop::sample::select(vec!["", "", "", "g", "h"]);
    prop::collection::vec((subject, predicate, any_term(), graph), 0..24).prop_map(|quads| {
        let quad = |(subject, predicate, object, graph): (&str, &str, Term, &str)| {
            let graph = if graph.is_empty() { GraphName::DefaultGraph } else { node(graph).into() };
            Quad::new(node(subject), node(predicate), object, graph)
        };
        quads.into_iter().map(quad).collect()
    })
}

fn any_variable() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["?a", "?b", "?c", "?d"]).prop_map(str::to_owned)
}

fn any_triple() -> impl Strategy<Value = String> {
    let subject = prop_oneof![5 => any_variable(), 1 => Just("ex:x".to_owned()), 1 => Just("_:n".to_owned())];
    let verb = prop_oneof![
        6 => prop::sample::select(vec!["ex:p", "ex:q", "ex:r"]).prop_map(str::to_owned),
        1 => Just("ex:p/ex:q".to_owned()),
        1 => Just("ex:p+".to_owned()),
        1 => any_variable(),
    ];
    let object = prop_oneof![5 => any_variable(), 1 => Just("ex:y".to_owned()), 1 => Just("1".to_owned())];
    (subject, verb, object).prop_map(|(subject, verb, object)| format!("{subject} {verb} {object} . "))
}

fn any_condition() -> impl Strategy<Value = String> {
    prop_oneof![
        (any_variable(), any_variable()).prop_map(|(a, b)| format!("{a} = {b}")),
        (any_variable(), any_variable()).prop_map(|(a, b)| format!("{a} != {b}")),
        any_variable().prop_map(|a| format!("BOUND({a})")),
        any_variable().prop_map(|a| format!("!BOUND({a})")),
        any_variable().prop_map(|a| format!("isIRI({a})")),
    ]
}

/// The inside of a group: no braces around it, blank nodes only in its triples.
pub(crate) fn any_group() -> impl Strategy<Value = String> {
    let triples = prop::collection::vec(any_triple(), 1..3).prop_map(|triples| triples.concat());
    triples.prop_recursive(3, 24, 3, |inner| {
        let inner = inner.prop_map(|text| text.replace("_:n", "?fresh"));
        let part = prop_oneof![
            inner.clone().prop_map(|text| format!("FILTER NOT EXISTS {{ {text} }} ")),
            inner.clone().prop_map(|text| format!("FILTER EXISTS {{ {text} }} ")),
            inner.clone().prop_map(|text| format!("OPTIONAL {{ {text} }} ")),
            inner.clone().prop_map(|text| format!("MINUS {{ {text} }} ")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{ {a} }} UNION {{ {b} }} ")),
            inner.clone().prop_map(|text| format!("GRAPH ?d {{ {text} }} ")),
            inner.clone().prop_map(|text| format!("{{ SELECT DISTINCT ?a ?b WHERE {{ {text} }} }} ")),
            any_condition().prop_map(|condition| format!("FILTER({condition}) ")),
            (any_condition(), inner.clone())
                .prop_map(|(condition, text)| format!("FILTER({condition} || NOT EXISTS {{ {text} }}) ")),
            Just("VALUES ?a { ex:x ex:y UNDEF } ".to_owned()),
        ];
        (inner, prop::collection::vec(part, 1..3)).prop_map(|(first, parts)| first + &parts.concat())
    })
}

pub(crate) fn plain_triple() -> impl Strategy<Value = String> {
    let verb = prop::sample::select(vec!["ex:p", "ex:q", "ex:r"]);
    let end = || prop_oneof![5 => any_variable(), 1 => Just("ex:x".to_owned())];
    (end(), verb, end()).prop_map(|(subject, verb, object)| format!("{subject} {verb} {object} . "))
}

/// What may leave a variable unbound, or speak of one that is bound elsewhere.
fn complication() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just(String::new()),
        2 => plain_triple().prop_map(|triple| format!("OPTIONAL {{ {triple} }} ")),
        2 => any_condition().prop_map(|condition| format!("FILTER({condition}) ")),
        1 => (plain_triple(), any_condition())
            .prop_map(|(triple, condition)| format!("OPTIONAL {{ {triple} FILTER({condition}) }} ")),
        1 => (plain_triple(), plain_triple()).prop_map(|(a, b)| format!("{{ {a} }} UNION {{ {b} }} ")),
        1 => (plain_triple(), any_condition())
            .prop_map(|(triple, condition)| format!("{{ {triple} FILTER({condition}) }} ")),
        1 => plain_triple().prop_map(|triple| format!("{{ SELECT ?a ?c WHERE {{ {triple} }} }} ")),
        1 => plain_triple().prop_map(|triple| format!("{{ SELECT ?a (COUNT(?b) AS ?n) WHERE {{ {triple} }} GROUP BY ?a }} ")),
        1 => (plain_triple(), plain_triple()).prop_map(|(a, b)| format!("FILTER NOT EXISTS {{ {a}{b} }} ")),
        1 => Just("VALUES ?b { ex:x UNDEF } ".to_owned()),
        1 => Just("BIND(?c AS ?e) ".to_owned()),
        1 => plain_triple().prop_map(|triple| format!("MINUS {{ {triple} }} ")),
    ]
}

/// Returns whether MINUS stands in the braces behind an EXISTS.
pub(crate) fn has_minus_in_exists(text: &str) -> bool {
    text.match_indices("EXISTS {").any(|(at, found)| {
        let inside = &text[at + found.len()..];
        let mut depth = 1;
        let end = inside.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        });
        inside[..end.unwrap_or(inside.len())].contains("MINUS")
    })
}

fn check(text: &str, dataset: &Dataset) -> Result<(), TestCaseError> {
    let text = format!("PREFIX ex: <{NAMESPACE}> {text}");
    let Ok(query) = Query::parse(&text, "q.rq") else { return Ok(()) };
    // The evaluator has the solution outside on both sides of MINUS.
    if has_minus_in_exists(&text) {
        return Ok(());
    }
    let expected = theirs(&query, dataset);
    prop_assert_eq!(&ours(&query, dataset), &expected, "{}", text);
    Ok(())
}

/// More in the release build, where a case costs little.
fn cases() -> u32 {
    if cfg!(debug_assertions) { 2_000 } else { 40_000 }
}

proptest! {
    #![proptest_config(crate::generated::cases(cases()))]

    #[test]
    fn patterns_have_the_same_solutions(group in any_group(), dataset in any_dataset()) {
        check(&format!("SELECT ?a ?b ?c ?d WHERE {{ {group} }}"), &dataset)?;
    }

    #[test]
    fn exists_with_complications_has_the_same_solutions(
        outer in (plain_triple(), complication()),
        form in prop::sample::select(vec!["FILTER EXISTS", "FILTER NOT EXISTS", "OPTIONAL"]),
        inner in (complication(), plain_triple(), plain_triple(), complication()),
        dataset in any_dataset(),
    ) {
        let (outer, inner) = (outer.0 + &outer.1, inner.0 + &inner.1 + &inner.2 + &inner.3);
        let after = if form == "OPTIONAL" { "FILTER(!BOUND(?d))" } else { "" };
        check(&format!("SELECT ?a ?b ?c ?d WHERE {{ {outer} {form} {{ {inner} }} {after} }}"), &dataset)?;
    }

    #[test]
    fn constructed_graphs_are_the_same(group in any_group(), dataset in any_dataset()) {
        check(&format!("CONSTRUCT {{ ?a ex:made ?b . ?c ?d ex:x }} WHERE {{ {group} }}"), &dataset)?;
    }

    #[test]
    fn ordered_solutions_are_the_same(group in any_group(), dataset in any_dataset()) {
        check(&format!("SELECT DISTINCT ?a ?b WHERE {{ {group} }} ORDER BY DESC(?b) ?a"), &dataset)?;
        check(&format!("SELECT ?a (STR(?b) AS ?e) WHERE {{ {group} }} ORDER BY STR(?c) ?e"), &dataset)?;
    }
}

#[test]
fn a_variable_of_exists_is_not_bound_from_a_group_further_out() {
    let dataset: Dataset = [("x", "r", "z"), ("z", "p", "x")]
        .map(|(subject, predicate, object)| {
            Quad::new(node(subject), node(predicate), node(object), GraphName::DefaultGraph)
        })
        .into_iter()
        .collect();
    // `?fresh` of the inner NOT EXISTS is not the one that the first pattern binds.
    let group = "?fresh ex:p ?c . FILTER NOT EXISTS { ?a ex:r ?c . } \
        { ?a ex:p ?c . FILTER(?a = ?b || NOT EXISTS { ?fresh ex:r ?a . }) } \
        UNION { ?a ex:p ?a . FILTER(BOUND(?b)) }";
    let text = format!("PREFIX ex: <{NAMESPACE}> SELECT ?a ?fresh WHERE {{ {group} }}");
    let query = Query::parse(&text, "q.rq").expect("the query parses");
    assert_eq!(ours(&query, &dataset), Answer::default());
}
