//! The classes of differences with peers: what a difference has to be about to be one of a class. `tests/peers/differences.tsv` has
//! an example of each, and the sentence that decides.

use super::graphs::Graphs;
use super::literals::{is_comparable, is_infinite, is_long_number, is_rewritten_by_rudof, is_well_formed};
use super::violations::{Violation, Violations};
use crate::generated::shapes::SH;

/// A difference with a peer.
pub(crate) enum Difference<'c> {
    /// The peer refuses the case.
    Refusal(&'c str),
    /// A violation that one side alone finds, with those that the other side alone finds.
    Violation(Side, &'c Violation, &'c Violations),
}

/// The side that alone finds a violation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Ours,
    Theirs,
    /// Of a class: either.
    Either,
}

/// A constraint that may be what a difference comes from: of the shape that a violation names, or of a shape within it.
pub(crate) struct Place<'c> {
    graphs: &'c Graphs,
    shape: &'c str,
    parameter: String,
    /// The nodes that the constraint may have looked at.
    values: Vec<&'c str>,
    violation: &'c Violation,
    others: &'c Violations,
}

/// What makes a difference one of a class.
enum About {
    /// A reason of a refusal, by its beginning, and what the graphs have to be like.
    Refusal(&'static str, fn(&Graphs) -> bool),
    Place(fn(&Place<'_>) -> bool),
}

pub(crate) struct Class {
    pub(crate) name: &'static str,
    peers: &'static [&'static str],
    /// The side of violations of the constraint itself; within `sh:not` and the like it may be the other.
    side: Side,
    about: About,
}

const CLASSES: &[Class] = &[
    refusal("less-than-refuses-blank-nodes", &["pyshacl"], "ReportableRuntimeError: Cannot use sh:lessThan"),
    refusal("decimal-beside-nan", &["pyshacl"], "InvalidOperation"),
    refusal("nested-path-in-query", &["pyshacl"], "ParseException: Expected SelectQuery, found '$'"),
    refusal("sum-of-no-numbers", &["pyshacl"], "SPARQLTypeError"),
    refusal("inverse-of-path", &["rdf-validate-shacl"], "Error: Unsupported: Inverse paths only"),
    Class {
        name: "subclasses-in-circles",
        peers: &["rdf-validate-shacl"],
        side: Side::Either,
        about: About::Refusal("RangeError: Maximum call stack", Graphs::has_subclasses_in_circles),
    },
    refusal("flags", &["rdf-validate-shacl"], "SyntaxError: Invalid flags"),
    refusal("literal-as-subject", &["rudof"], "Converting term "),
    refusal("blank-node-in-query", &["rudof"], "Query error: SELECT query failed: Parsing query error"),
    class("literals-rewritten", &["rudof"], Side::Either, |place| {
        let nodes = place.graphs.nodes();
        let Violation { focus, value, .. } = place.violation;
        let is_new = |term: &str| term.starts_with('"') && !nodes.contains(term);
        [focus, value].into_iter().flatten().any(|term| is_new(term) || is_rewritten_by_rudof(term))
            || (place.parameter == "sparql" && nodes.iter().any(|node| is_rewritten_by_rudof(node)))
    }),
    class("incomparable-compared", &["pyshacl", "rdf-validate-shacl", "rudof"], Side::Ours, |place| {
        place.pairs().any(|(value, limit)| !is_comparable(value, limit))
    }),
    class("infinity", &["rdf-validate-shacl", "rudof"], Side::Theirs, |place| {
        place.pairs().any(|(value, limit)| is_infinite(value) || is_infinite(limit))
    }),
    class("length-of-blank-node", &["pyshacl"], Side::Ours, |place| {
        place.parameter == "minLength" && place.values.iter().any(|value| value.starts_with("_:"))
    }),
    class("inverse-of-sequence", &["pyshacl"], Side::Either, |place| {
        place.inverted_paths().iter().any(|path| !place.graphs.list(path).is_empty())
    }),
    class("str-of-blank-node", &["pyshacl"], Side::Theirs, |place| {
        place.queries().any(|query| query.contains("STR($this)"))
            && place.violation.focus.as_deref().is_some_and(|focus| focus.starts_with("_:"))
    }),
    class("value-of-query", &["rudof"], Side::Either, |place| {
        place.parameter == "sparql"
            && !place.graphs.parameter(place.shape, "path").is_empty()
            && !place.queries().all(|query| query.contains("?value WHERE") || query.contains("?value ("))
    }),
    class("equals-of-node-shape", &["rdf-validate-shacl"], Side::Ours, |place| {
        place.parameter == "equals" && place.graphs.parameter(place.shape, "path").is_empty()
    }),
    class("equals-of-literal", &["rudof"], Side::Ours, |place| {
        place.parameter == "equals" && place.values.iter().any(|value| value.starts_with('"'))
    }),
    class("and-of-property-shape", &["rdf-validate-shacl"], Side::Either, |place| {
        place.parameter == "and" && !place.graphs.parameter(place.shape, "path").is_empty()
    }),
    class("subquery", &["pyshacl"], Side::Either, |place| {
        place.queries().any(|query| query.contains("{ SELECT"))
    }),
    class("language-range-in-capitals", &["rdf-validate-shacl"], Side::Theirs, |place| {
        let lists = place.graphs.parameter(place.shape, "languageIn").iter();
        let mut ranges = lists.flat_map(|list| place.graphs.list(list));
        place.parameter == "languageIn"
            && ranges.any(|range| range.contains(|character: char| character.is_ascii_uppercase()))
    }),
    class("characters-beyond-16-bits", &["rdf-validate-shacl", "rudof"], Side::Either, |place| {
        ["minLength", "maxLength", "pattern"].contains(&place.parameter.as_str())
            && place.values.iter().any(|value| value.contains(|character| character > '\u{ffff}'))
    }),
    class("language-range-star", &["rdf-validate-shacl", "rudof"], Side::Theirs, |place| {
        let mut lists = place.graphs.parameter(place.shape, "languageIn").iter();
        place.parameter == "languageIn" && lists.any(|list| place.graphs.list(list).contains(&"\"*\""))
    }),
    class("word-characters", &["pyshacl"], Side::Theirs, |place| {
        let mut patterns = place.graphs.parameter(place.shape, "pattern").iter();
        place.parameter == "pattern"
            && patterns.any(|pattern| pattern.contains("\\w"))
            && place.values.iter().any(|value| !value.is_ascii())
    }),
    class("strings-by-locale", &["rdf-validate-shacl"], Side::Either, |place| {
        place
            .pairs()
            .any(|(value, limit)| is_comparable(value, limit) && !(value.is_ascii() && limit.is_ascii()))
    }),
    class("long-numbers", &["rdf-validate-shacl"], Side::Either, |place| {
        place.pairs().any(|(value, limit)| is_long_number(value) || is_long_number(limit))
    }),
    class("path-cut-short", &["pyshacl"], Side::Either, |place| {
        let path = &place.violation.path;
        let with_path = |other: &Violation| Violation { path: path.clone(), ..other.clone() };
        place.others.iter().any(|other| other.path != *path && with_path(other) == *place.violation)
    }),
    class("ill-typed-taken", &["pyshacl", "rdf-validate-shacl", "rudof"], Side::Ours, |place| {
        place.parameter == "datatype" && place.values.iter().any(|value| !is_well_formed(value))
    }),
    class("closed-property-shape", &["rudof"], Side::Either, |place| {
        place.parameter == "closed" && !place.graphs.parameter(place.shape, "path").is_empty()
    }),
];

const fn refusal(name: &'static str, peers: &'static [&'static str], reason: &'static str) -> Class {
    Class { name, peers, side: Side::Either, about: About::Refusal(reason, |_| true) }
}

const fn class(
    name: &'static str,
    peers: &'static [&'static str],
    side: Side,
    about: fn(&Place<'_>) -> bool,
) -> Class {
    Class { name, peers, side, about: About::Place(about) }
}

/// The names of the classes with those of the peers that have them.
pub(crate) fn classes() -> impl Iterator<Item = (&'static str, &'static str)> {
    CLASSES.iter().flat_map(|class| class.peers.iter().map(|peer| (class.name, *peer)))
}

/// The class of a difference with a peer.
pub(crate) fn class_of(peer: &str, graphs: &Graphs, difference: &Difference<'_>) -> Option<&'static Class> {
    let mut of_peer = CLASSES.iter().filter(|class| class.peers.contains(&peer));
    match difference {
        Difference::Refusal(reason) => of_peer.find(|class| match class.about {
            About::Refusal(beginning, is_about) => reason.starts_with(beginning) && is_about(graphs),
            About::Place(_) => false,
        }),
        Difference::Violation(side, violation, others) => {
            let places = places(graphs, violation, others);
            of_peer.find(|class| match class.about {
                About::Place(is_about) => {
                    let is_its_side = class.side == *side || class.side == Side::Either;
                    places.iter().skip(usize::from(!is_its_side)).any(is_about)
                }
                About::Refusal(..) => false,
            })
        }
    }
}

/// The constraints that a violation may come from, first the one that it names.
fn places<'c>(graphs: &'c Graphs, violation: &'c Violation, others: &'c Violations) -> Vec<Place<'c>> {
    let (Some(shape), Some(component)) = (&violation.shape, &violation.component) else { return Vec::new() };
    let name = component.trim_matches(['<', '>']).strip_prefix(SH).unwrap_or_default();
    let name = name.trim_end_matches("ConstraintComponent");
    let own = match name {
        "SPARQL" => "sparql".to_owned(),
        name => name
            .char_indices()
            .map(|(at, letter)| if at == 0 { letter.to_ascii_lowercase() } else { letter })
            .collect(),
    };
    let value = violation.value.as_deref().or(violation.focus.as_deref());
    let place = |shape: &'c str, parameter: String, values| Place {
        graphs,
        shape,
        parameter,
        values,
        violation,
        others,
    };
    let mut places = vec![place(shape, own.clone(), value.into_iter().collect())];
    if ["not", "and", "or", "xone", "node", "qualifiedMinCount", "qualifiedMaxCount"].contains(&own.as_str())
    {
        let nodes: Vec<&str> = graphs.nodes().into_iter().collect();
        for inner in graphs.inner(shape) {
            let parameters = graphs.parameters(inner).into_iter();
            places.extend(parameters.map(|parameter| place(inner, parameter.to_owned(), nodes.clone())));
        }
    }
    places
}

impl<'c> Place<'c> {
    /// Values with those that they are compared with, where the constraint compares.
    fn pairs(&self) -> impl Iterator<Item = (&'c str, &'c str)> {
        let parameters = self.graphs.parameter(self.shape, &self.parameter).iter().map(String::as_str);
        let limits: Vec<&str> = match self.parameter.as_str() {
            "minExclusive" | "minInclusive" | "maxExclusive" | "maxInclusive" => parameters.collect(),
            "lessThan" | "lessThanOrEquals" => {
                parameters.flat_map(|property| self.graphs.data_objects(property)).collect()
            }
            _ => Vec::new(),
        };
        let values = self.values.clone();
        values.into_iter().flat_map(move |value| limits.clone().into_iter().map(move |limit| (value, limit)))
    }

    /// The paths that the path of the shape follows backwards.
    fn inverted_paths(&self) -> Vec<&'c str> {
        let nodes = self.graphs.path_nodes(self.shape).into_iter();
        nodes.flat_map(|node| self.graphs.parameter(node, "inversePath")).map(String::as_str).collect()
    }

    /// The texts of the queries of the constraint.
    fn queries(&self) -> impl Iterator<Item = &'c str> {
        let constraints =
            if self.parameter == "sparql" { self.graphs.parameter(self.shape, "sparql") } else { &[] };
        constraints
            .iter()
            .flat_map(|constraint| self.graphs.parameter(constraint, "select"))
            .map(String::as_str)
    }
}
