//! Property paths have the solutions that SPARQL 1.1, section 18.4, defines, which is followed here word by word.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};
use oxrdf::{GraphName, Term};
use proptest::prelude::*;

use super::columns::any_documents;
use crate::store::oracle::oracle_dataset;

const NAMESPACE: &str = "http://example.org/";

#[derive(Debug, Clone)]
enum Path {
    Link(&'static str),
    /// Any property but these; the first of the second list, against the direction.
    Not(Vec<&'static str>, Vec<&'static str>),
    Inverse(Box<Path>),
    Sequence(Box<Path>, Box<Path>),
    Alternative(Box<Path>, Box<Path>),
    ZeroOrOne(Box<Path>),
    ZeroOrMore(Box<Path>),
    OneOrMore(Box<Path>),
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link(name) => write!(f, "<{NAMESPACE}{name}>"),
            Self::Not(forward, backward) => {
                let forward = forward.iter().map(|name| format!("<{NAMESPACE}{name}>"));
                let backward = backward.iter().map(|name| format!("^<{NAMESPACE}{name}>"));
                write!(f, "!({})", forward.chain(backward).collect::<Vec<_>>().join("|"))
            }
            Self::Inverse(inner) => write!(f, "^({inner})"),
            Self::Sequence(first, second) => write!(f, "({first}/{second})"),
            Self::Alternative(first, second) => write!(f, "({first}|{second})"),
            Self::ZeroOrOne(inner) => write!(f, "({inner})?"),
            Self::ZeroOrMore(inner) => write!(f, "({inner})*"),
            Self::OneOrMore(inner) => write!(f, "({inner})+"),
        }
    }
}

/// The triples of one graph.
struct Graph(Vec<[Term; 3]>);

/// A term, or none for a variable.
type End<'e> = Option<&'e Term>;

type Pairs = Vec<[Term; 2]>;

impl Graph {
    fn nodes(&self) -> Vec<Term> {
        let mut seen = BTreeSet::new();
        let ends = self.0.iter().flat_map(|[subject, _, object]| [subject, object]);
        ends.filter(|term| seen.insert(term.to_string())).cloned().collect()
    }

    /// The pairs of terms that a path leads between, as a multiset.
    fn pairs(&self, path: &Path, ends: [End<'_>; 2]) -> Pairs {
        match path {
            Path::Link(name) => self.steps(ends, |predicate| predicate == format!("{NAMESPACE}{name}")),
            Path::Not(forward, backward) => {
                let is_none = |names: &[&str], predicate: &str| {
                    names.iter().all(|name| predicate != format!("{NAMESPACE}{name}"))
                };
                let mut pairs = Vec::new();
                if !forward.is_empty() || backward.is_empty() {
                    pairs.extend(as_set(self.steps(ends, |predicate| is_none(forward, predicate))));
                }
                if !backward.is_empty() {
                    let swapped = self.steps([ends[1], ends[0]], |predicate| is_none(backward, predicate));
                    pairs.extend(as_set(swapped.into_iter().map(|[from, to]| [to, from]).collect()));
                }
                pairs
            }
            Path::Inverse(inner) => {
                let pairs = self.pairs(inner, [ends[1], ends[0]]);
                pairs.into_iter().map(|[from, to]| [to, from]).collect()
            }
            Path::Sequence(first, second) => {
                let (firsts, seconds) =
                    (self.pairs(first, [ends[0], None]), self.pairs(second, [None, ends[1]]));
                let mut pairs = Vec::new();
                for [from, middle] in &firsts {
                    let to = seconds.iter().filter(|[own, _]| own == middle).map(|[_, to]| to.clone());
                    pairs.extend(to.map(|to| [from.clone(), to]));
                }
                pairs
            }
            Path::Alternative(first, second) => {
                let mut pairs = self.pairs(first, ends);
                pairs.extend(self.pairs(second, ends));
                pairs
            }
            Path::ZeroOrOne(inner) => {
                let mut pairs = self.zero(ends);
                pairs.extend(self.pairs(inner, ends));
                as_set(pairs)
            }
            Path::ZeroOrMore(inner) => self.closure(inner, ends, true),
            Path::OneOrMore(inner) => self.closure(inner, ends, false),
        }
    }

    fn steps(&self, [from, to]: [End<'_>; 2], is_meant: impl Fn(&str) -> bool) -> Pairs {
        let is_end = |end: End<'_>, term: &Term| end.is_none_or(|end| end == term);
        let steps = self.0.iter().filter(|[subject, predicate, object]| {
            let Term::NamedNode(predicate) = predicate else { return false };
            is_meant(predicate.as_str()) && is_end(from, subject) && is_end(to, object)
        });
        steps.map(|[subject, _, object]| [subject.clone(), object.clone()]).collect()
    }

    /// ZeroLengthPath.
    fn zero(&self, ends: [End<'_>; 2]) -> Pairs {
        let same = |term: &Term| [term.clone(), term.clone()];
        match ends {
            [Some(from), Some(to)] if from != to => Vec::new(),
            [Some(term), _] | [None, Some(term)] => vec![same(term)],
            [None, None] => self.nodes().iter().map(same).collect(),
        }
    }

    /// ZeroOrMorePath and OneOrMorePath.
    fn closure(&self, step: &Path, ends: [End<'_>; 2], has_zero: bool) -> Pairs {
        match ends {
            [Some(from), to] => {
                let reached = self.reached(step, from, has_zero).into_iter();
                let reached = reached.filter(|term| to.is_none_or(|to| to == term));
                reached.map(|term| [from.clone(), term]).collect()
            }
            [None, Some(to)] => {
                let inverse = Path::Inverse(Box::new(step.clone()));
                let reached = self.reached(&inverse, to, has_zero).into_iter();
                reached.map(|term| [term, to.clone()]).collect()
            }
            [None, None] => {
                let nodes = self.nodes();
                nodes.iter().flat_map(|node| self.closure(step, [Some(node), None], has_zero)).collect()
            }
        }
    }

    /// ALP: the terms that a path of any length leads to, each once.
    fn reached(&self, step: &Path, from: &Term, has_zero: bool) -> Vec<Term> {
        let (mut seen, mut reached) = (BTreeSet::new(), Vec::new());
        let mut next = match has_zero {
            true => vec![from.clone()],
            false => self.pairs(step, [Some(from), None]).into_iter().map(|[_, to]| to).collect(),
        };
        while let Some(term) = next.pop() {
            if seen.insert(term.to_string()) {
                next.extend(self.pairs(step, [Some(&term), None]).into_iter().map(|[_, to]| to));
                reached.push(term);
            }
        }
        reached
    }
}

fn as_set(pairs: Pairs) -> Pairs {
    let mut seen = BTreeSet::new();
    pairs.into_iter().filter(|[from, to]| seen.insert(format!("{from} {to}"))).collect()
}

fn any_path() -> impl Strategy<Value = Path> {
    let link = prop_oneof![
        4 => prop::sample::select(vec!["p", "q"]).prop_map(Path::Link),
        1 => Just(Path::Not(vec!["q"], vec![])),
        1 => Just(Path::Not(vec!["p"], vec!["q"])),
        1 => Just(Path::Not(vec![], vec!["r"])),
    ];
    link.prop_recursive(3, 8, 2, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let two = || (one(), one());
        prop_oneof![
            2 => two().prop_map(|(first, second)| Path::Sequence(first, second)),
            1 => two().prop_map(|(first, second)| Path::Alternative(first, second)),
            1 => one().prop_map(Path::Inverse),
            1 => one().prop_map(Path::ZeroOrMore),
            1 => one().prop_map(Path::OneOrMore),
            1 => one().prop_map(Path::ZeroOrOne),
        ]
    })
}

fn any_end() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["?a", "?a", "?b", "?b", "x", "y", "nowhere"])
}

/// How often each pair of ends is a solution.
fn counted(pairs: impl Iterator<Item = [String; 3]>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    pairs.for_each(|pair| *counts.entry(pair.join(" ")).or_default() += 1);
    counts
}

fn ours(text: &str, dataset: &Dataset) -> BTreeMap<String, usize> {
    let query = Query::parse_plain(text, "q.rq").expect("a query");
    let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
    let Ok(QueryResults::Solutions(solutions)) = results else { panic!("SELECT has solutions") };
    let shown = |value: Option<&Term>| value.map(ToString::to_string).unwrap_or_default();
    counted(solutions.map(|solution| {
        let solution = solution.expect("a solution");
        ["a", "b", "g"].map(|name| shown(solution.get(name)))
    }))
}

proptest! {
    #![proptest_config(crate::generated::cases(if cfg!(debug_assertions) { 1_000 } else { 20_000 }))]

    #[test]
    fn paths_have_the_solutions_of_their_definition(path in any_path(), ends in (any_end(), any_end()), dataset in any_documents()) {
        let term = |end: &str| -> Option<Term> {
            (!end.starts_with('?')).then(|| oxrdf::NamedNode::new_unchecked(format!("{NAMESPACE}{end}")).into())
        };
        let shown = |end: &str| term(end).map_or_else(|| end.to_owned(), |term| term.to_string());
        let (from, to) = (term(ends.0), term(ends.1));
        let mut graphs: BTreeMap<String, Graph> = BTreeMap::new();
        for quad in &oracle_dataset(&dataset, DefaultGraph::Union) {
            let name = match quad.graph_name.into_owned() {
                GraphName::DefaultGraph => String::new(),
                name => name.to_string(),
            };
            let triple = [quad.subject.into_owned().into(), quad.predicate.into_owned().into(), quad.object.into_owned()];
            graphs.entry(name).or_insert_with(|| Graph(Vec::new())).0.push(triple);
        }
        graphs.entry(String::new()).or_insert_with(|| Graph(Vec::new()));
        let solutions = |is_meant: &dyn Fn(&str) -> bool| {
            let mut all = Vec::new();
            for (name, graph) in graphs.iter().filter(|(name, _)| is_meant(name)) {
                for [own_from, own_to] in graph.pairs(&path, [from.as_ref(), to.as_ref()]) {
                    let value = |variable: &str| {
                        let values = [(ends.0, &own_from), (ends.1, &own_to)];
                        values.into_iter().find(|(end, _)| *end == variable).map(|(_, term)| term.to_string())
                    };
                    if ends.0 != ends.1 || own_from == own_to {
                        all.push([value("?a").unwrap_or_default(), value("?b").unwrap_or_default(), name.clone()]);
                    }
                }
            }
            counted(all.into_iter())
        };
        let pattern = format!("{} {path} {} .", shown(ends.0), shown(ends.1));
        let text = format!("SELECT * {{ {pattern} }}");
        prop_assert_eq!(ours(&text, &dataset), solutions(&str::is_empty), "{}", text);
        let text = format!("SELECT * {{ GRAPH ?g {{ {pattern} }} }}");
        prop_assert_eq!(ours(&text, &dataset), solutions(&|name| !name.is_empty()), "{}", text);
    }
}
