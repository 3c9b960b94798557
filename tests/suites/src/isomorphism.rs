//! Equality of RDF datasets up to the labels of blank nodes, also of generalized ones.
//!
//! Blank nodes are told apart by what stands around them (colour refinement); where that leaves
//! equals, one is picked and the others are tried in turn.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

/// A term of a quad, comparable across datasets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A blank node with its label.
    Blank(String),
    /// An IRI or literal in the syntax of N-Triples; the default graph is the empty text.
    Ground(String),
}

/// Subject, predicate, object, graph name.
pub type Quad = [Term; 4];

type Dataset = BTreeSet<Quad>;
type Colours<'d> = HashMap<&'d str, u64>;

/// More tries than this mean that the question is left open, which no suite or document needs.
const MOST_TRIES: usize = 20_000;

/// The distinct quads of a text of N-Quads that is well formed, blank nodes as predicates allowed.
pub fn read_n_quads(text: &str) -> Dataset {
    try_read_n_quads(text).expect("well-formed N-Quads")
}

/// The distinct quads of a text of N-Quads, or why it is none.
pub fn try_read_n_quads(text: &str) -> Result<Dataset, String> {
    // A blank node as predicate is hidden in an IRI, which oxttl reads, and taken out again.
    const HIDDEN: &str = "x-blank-node:";
    let hidden: String = text
        .lines()
        .map(|line| match line.split_once(' ') {
            Some((subject, rest)) if rest.starts_with("_:") => {
                let (predicate, rest) = rest[2..].split_once(' ').unwrap_or((&rest[2..], ""));
                format!("{subject} <{HIDDEN}{predicate}> {rest}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    oxttl::NQuadsParser::new()
        .for_slice(&hidden)
        .map(|quad| {
            let mut quad = from_oxrdf(&quad.map_err(|error| error.to_string())?);
            if let Term::Ground(text) = &quad[1]
                && let Some(label) = text.strip_prefix('<').and_then(|text| text.strip_prefix(HIDDEN))
            {
                quad[1] = Term::Blank(label.trim_end_matches('>').to_owned());
            }
            Ok(quad)
        })
        .collect()
}

/// A quad of oxrdf in comparable form.
pub fn from_oxrdf(quad: &oxrdf::Quad) -> Quad {
    let term = |text: String| match text.strip_prefix("_:") {
        Some(label) => Term::Blank(label.to_owned()),
        None => Term::Ground(text),
    };
    let graph = match &quad.graph_name {
        oxrdf::GraphName::DefaultGraph => String::new(),
        named => named.to_string(),
    };
    [
        term(quad.subject.to_string()),
        term(quad.predicate.to_string()),
        term(quad.object.to_string()),
        term(graph),
    ]
}

/// Returns whether two datasets are equal up to the labels of their blank nodes.
///
/// # Panics
/// If that cannot be decided within a bound of tries.
pub fn isomorphic(left: &Dataset, right: &Dataset) -> bool {
    let mut tries = 0;
    left.len() == right.len() && matches(left, right, initial(left), initial(right), &mut tries)
}

/// Gives nodes of one colour that meet no other node that is not known yet colours of their own: any of them can stand
/// for any other.
fn alone_told_apart<'d>(dataset: &'d Dataset, mut colours: Colours<'d>) -> Colours<'d> {
    let known: BTreeSet<&str> =
        classes(&colours).into_values().filter(|members| members.len() == 1).flatten().collect();
    let mut alone: BTreeSet<&str> = colours.keys().copied().filter(|label| !known.contains(label)).collect();
    for quad in dataset {
        let labels = |term: &'d Term| match term {
            Term::Blank(label) => Some(label.as_str()),
            Term::Ground(_) => None,
        };
        let blank: BTreeSet<&str> =
            quad.iter().filter_map(labels).filter(|label| !known.contains(label)).collect();
        if blank.len() > 1 {
            for label in blank {
                alone.remove(label);
            }
        }
    }
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for label in alone {
        let colour = colours.get_mut(label).expect("each label has a colour");
        let count = counts.entry(*colour).or_default();
        *count += 1;
        *colour = hash(&("alone", *colour, *count));
    }
    colours
}

/// The quads in the syntax of N-Quads, for messages.
pub fn show(dataset: &Dataset) -> String {
    let term = |term: &Term| match term {
        Term::Blank(label) => format!("_:{label}"),
        Term::Ground(text) => text.clone(),
    };
    dataset.iter().map(|quad| format!("{} .\n", quad.each_ref().map(term).join(" "))).collect()
}

fn initial(dataset: &Dataset) -> Colours<'_> {
    dataset
        .iter()
        .flatten()
        .filter_map(|term| match term {
            Term::Blank(label) => Some((label.as_str(), 0)),
            Term::Ground(_) => None,
        })
        .collect()
}

fn matches<'d>(
    left: &'d Dataset,
    right: &'d Dataset,
    left_colours: Colours<'d>,
    right_colours: Colours<'d>,
    tries: &mut usize,
) -> bool {
    *tries += 1;
    assert!(*tries < MOST_TRIES, "the datasets are too symmetrical to compare");
    let left_colours = alone_told_apart(left, refine(left, left_colours));
    let right_colours = alone_told_apart(right, refine(right, right_colours));
    let (left_classes, right_classes) = (classes(&left_colours), classes(&right_colours));
    let sizes = |classes: &BTreeMap<u64, Vec<&str>>| -> Vec<(u64, usize)> {
        classes.iter().map(|(colour, members)| (*colour, members.len())).collect()
    };
    if sizes(&left_classes) != sizes(&right_classes) {
        return false;
    }
    let open =
        left_classes.iter().filter(|(_, members)| members.len() > 1).min_by_key(|(_, members)| members.len());
    let Some((colour, members)) = open else {
        return renamed(left, &left_colours) == renamed(right, &right_colours);
    };
    let picked = hash(&("picked", colour));
    let mut left_picked = left_colours.clone();
    left_picked.insert(members[0], picked);
    right_classes[colour].iter().any(|candidate| {
        let mut right_picked = right_colours.clone();
        right_picked.insert(candidate, picked);
        matches(left, right, left_picked.clone(), right_picked, tries)
    })
}

/// Colours blank nodes by the quads they are in, until no more can be told apart.
fn refine<'d>(dataset: &'d Dataset, mut colours: Colours<'d>) -> Colours<'d> {
    loop {
        let mut around: HashMap<&str, Vec<u64>> = HashMap::new();
        for quad in dataset {
            for term in quad {
                if let Term::Blank(label) = term {
                    let seen = quad.each_ref().map(|other| match other {
                        Term::Blank(other) if other == label => (true, 0),
                        Term::Blank(other) => (false, colours[other.as_str()]),
                        Term::Ground(text) => (false, hash(text)),
                    });
                    around.entry(label).or_default().push(hash(&seen));
                }
            }
        }
        let next: Colours<'d> = colours
            .iter()
            .map(|(label, colour)| {
                let mut quads = around.remove(label).unwrap_or_default();
                quads.sort_unstable();
                (*label, hash(&(colour, quads)))
            })
            .collect();
        let finer = classes(&next).len() > classes(&colours).len();
        colours = next;
        if !finer {
            return colours;
        }
    }
}

fn classes<'d>(colours: &Colours<'d>) -> BTreeMap<u64, Vec<&'d str>> {
    let mut classes: BTreeMap<u64, Vec<&'d str>> = BTreeMap::new();
    for (label, colour) in colours {
        classes.entry(*colour).or_default().push(label);
    }
    classes
}

fn renamed(dataset: &Dataset, colours: &Colours<'_>) -> Dataset {
    dataset
        .iter()
        .map(|quad| {
            quad.clone().map(|term| match term {
                Term::Blank(label) => Term::Blank(colours[label.as_str()].to_string()),
                ground => ground,
            })
        })
        .collect()
}

fn hash(value: &impl std::hash::Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}
