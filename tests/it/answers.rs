//! When two answers to a query are the same: rows as a multiset, ORDER BY as the partial order of section 15.1,
//! computed numbers by value.

use crate::random::engines::Answer;
use crate::rdf::isomorphism::{isomorphic, show};
use oxrdf::{Literal, Term};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::str::FromStr as _;

/// More rows than this are counted only.
const MOST_ROWS: usize = 3_000;

type Row = Vec<Option<Term>>;

/// How ours differs from theirs; theirs has all rows, whatever LIMIT and OFFSET of the query are.
pub(crate) fn unlike(query: &str, ours: &Answer, theirs: &Answer) -> Option<String> {
    let kind = if matches!(ours, Answer::None(_)) { "only we refuse" } else { "answers differ" };
    let said = || format!("{kind}\nours:\n{}\ntheirs:\n{}", shown(ours), shown(theirs));
    let is_same = match (ours, theirs) {
        (Answer::Boolean(ours), Answer::Boolean(theirs)) => ours == theirs,
        (Answer::Quads(ours), Answer::Quads(theirs)) => isomorphic(ours, theirs),
        (Answer::Rows { variables, rows }, Answer::Rows { variables: others, rows: all }) => {
            let all = in_order_of(variables, others, all);
            if rows.len().max(all.len()) > MOST_ROWS {
                return None;
            }
            let ends = Ends::of(query);
            is_part(variables, rows, &all) && ends.hold(variables, rows, &all)
        }
        _ => false,
    };
    (!is_same).then(said)
}

/// Rows with their columns in another order.
fn in_order_of(variables: &[String], others: &[String], rows: &[Row]) -> Vec<Row> {
    let places: Vec<_> = variables.iter().map(|name| others.iter().position(|other| other == name)).collect();
    let sorted = |row: &Row| places.iter().map(|place| row[(*place)?].clone()).collect();
    rows.iter().map(sorted).collect()
}

/// Returns whether each row is among all of them, as often.
fn is_part(variables: &[String], rows: &[Row], all: &[Row]) -> bool {
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for row in all {
        *left.entry(row_text(variables, row)).or_default() += 1;
    }
    rows.iter().all(|row| match left.get_mut(&row_text(variables, row)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    })
}

fn row_text(variables: &[String], row: &Row) -> String {
    let cells = variables.iter().zip(row).map(|(name, term)| match term {
        None => "UNDEF".to_owned(),
        Some(Term::Literal(literal)) if name.starts_with('n') => by_value(literal),
        Some(term) => term.to_string(),
    });
    cells.collect::<Vec<_>>().join(" ")
}

/// A computed literal: engines differ in digits and in how they spell a number.
fn by_value(literal: &Literal) -> String {
    match number(literal) {
        Some(number) => format!("{number:.9e} of {}", literal.datatype()),
        None => literal.to_string(),
    }
}

fn number(literal: &Literal) -> Option<f64> {
    let datatype = literal.datatype();
    let name = datatype.as_str().strip_prefix("http://www.w3.org/2001/XMLSchema#")?;
    let text = literal.value();
    match name {
        "integer" | "decimal" | "byte" | "nonNegativeInteger" if text.contains(['e', 'E', 'N']) => None,
        "integer" | "byte" | "nonNegativeInteger" if text.contains('.') => None,
        "integer" | "decimal" | "double" | "float" | "byte" | "nonNegativeInteger" => text.parse().ok(),
        _ => None,
    }
}

/// What stands behind the last group of a query.
#[derive(Debug, Default)]
struct Ends {
    /// Variables with whether the order is descending.
    keys: Vec<(String, bool)>,
    limit: Option<usize>,
    offset: usize,
}

impl Ends {
    fn of(query: &str) -> Self {
        let mut ends = Self::default();
        let Some(tail) = query.rfind('}').map(|end| &query[end + 1..]) else { return ends };
        let (order, _) = split_slice(tail);
        let words: Vec<&str> = tail.split_whitespace().collect();
        let after = |word: &str| {
            words.iter().position(|other| *other == word).and_then(|at| words.get(at + 1)?.parse().ok())
        };
        (ends.limit, ends.offset) = (after("LIMIT"), after("OFFSET").unwrap_or(0));
        if let Some((_, keys)) = order.split_once("ORDER BY") {
            let mut is_descending = false;
            for word in keys.split_whitespace() {
                match word.strip_prefix('?') {
                    Some(name) => ends.keys.push((name.to_owned(), std::mem::take(&mut is_descending))),
                    None => is_descending |= word == "DESC",
                }
            }
        }
        ends
    }

    /// Returns whether the rows are as many as the slice has, and each stands where the order lets it stand.
    fn hold(&self, variables: &[String], rows: &[Row], all: &[Row]) -> bool {
        let left = all.len().saturating_sub(self.offset);
        if rows.len() != self.limit.map_or(left, |limit| left.min(limit)) {
            return false;
        }
        let place = |name: &String| variables.iter().position(|other| other == name);
        let keys: Option<Vec<_>> =
            self.keys.iter().map(|(name, is_descending)| Some((place(name)?, *is_descending))).collect();
        let Some(keys) = keys.filter(|keys| !keys.is_empty()) else { return true };
        rows.iter().enumerate().all(|(number, row)| {
            let is = |wanted: Ordering| {
                all.iter().filter(|other| compared(&keys, other, row) == Some(wanted)).count()
            };
            let number = self.offset + number;
            is(Ordering::Less) <= number && number + is(Ordering::Greater) < all.len()
        })
    }
}

/// A query without LIMIT and OFFSET at its end.
pub(crate) fn without_slice(query: &str) -> &str {
    let end = query.rfind('}').map_or(0, |end| end + 1);
    let (order, _) = split_slice(&query[end..]);
    &query[..end + order.len()]
}

fn split_slice(tail: &str) -> (&str, &str) {
    let start = ["LIMIT", "OFFSET"].iter().filter_map(|word| tail.find(word)).min().unwrap_or(tail.len());
    tail.split_at(start)
}

/// Where a row stands to another; `None` where the recommendation leaves it open.
fn compared(keys: &[(usize, bool)], left: &Row, right: &Row) -> Option<Ordering> {
    for &(place, is_descending) in keys {
        let order = compared_terms(left[place].as_ref(), right[place].as_ref())?;
        if order != Ordering::Equal {
            return Some(if is_descending { order.reverse() } else { order });
        }
    }
    Some(Ordering::Equal)
}

fn compared_terms(left: Option<&Term>, right: Option<&Term>) -> Option<Ordering> {
    let kind = |term: Option<&Term>| match term {
        None => 0,
        Some(Term::BlankNode(_)) => 1,
        Some(Term::NamedNode(_)) => 2,
        Some(Term::Literal(_)) => 3,
    };
    match (left, right) {
        _ if left == right => Some(Ordering::Equal),
        (Some(Term::NamedNode(left)), Some(Term::NamedNode(right))) => {
            Some(left.as_str().cmp(right.as_str()))
        }
        (Some(Term::Literal(left)), Some(Term::Literal(right))) => compared_literals(left, right),
        _ if kind(left) != kind(right) => Some(kind(left).cmp(&kind(right))),
        _ => None,
    }
}

/// By `<`; what is neither less nor greater is in any order, also beside another key.
fn compared_literals(left: &Literal, right: &Literal) -> Option<Ordering> {
    let order = if let (Some(left), Some(right)) = (number(left), number(right)) {
        left.partial_cmp(&right)?
    } else if left.datatype() == right.datatype() {
        match left.datatype().as_str() {
            "http://www.w3.org/2001/XMLSchema#string" => left.value().cmp(right.value()),
            "http://www.w3.org/2001/XMLSchema#dateTime" => {
                let moment = |literal: &Literal| oxsdatatypes::DateTime::from_str(literal.value()).ok();
                moment(left)?.partial_cmp(&moment(right)?)?
            }
            _ => return None,
        }
    } else {
        return None;
    };
    (order != Ordering::Equal).then_some(order)
}

/// An answer in words.
pub(crate) fn shown(answer: &Answer) -> String {
    match answer {
        Answer::Boolean(answer) => answer.to_string(),
        Answer::Quads(quads) => show(quads),
        Answer::Json(value) => value.to_string(),
        Answer::None(reason) => format!("none: {reason}"),
        Answer::Rows { variables, rows } => {
            let mut lines: Vec<_> = rows.iter().take(20).map(|row| row_text(variables, row)).collect();
            lines.insert(0, format!("{} ({} rows)", variables.join(" "), rows.len()));
            lines.join("\n  ")
        }
    }
}

#[test]
fn rows_stand_where_their_order_lets_them_stand() {
    let row = |number: i32| vec![Some(Term::from(Literal::from(number)))];
    let rows = |numbers: &[i32]| Answer::Rows {
        variables: vec!["x".to_owned()],
        rows: numbers.iter().map(|number| row(*number)).collect(),
    };
    let all = rows(&[3, 1, 2, 2]);
    let is_right = |query: &str, ours: &[i32]| unlike(query, &rows(ours), &all).is_none();
    assert!(is_right("SELECT ?x { } ORDER BY ?x", &[1, 2, 2, 3]));
    assert!(!is_right("SELECT ?x { } ORDER BY ?x", &[2, 1, 2, 3]));
    assert!(is_right("SELECT ?x { } ORDER BY DESC ( ?x ) LIMIT 2", &[3, 2]));
    assert!(!is_right("SELECT ?x { } ORDER BY DESC ( ?x ) LIMIT 2", &[3, 1]));
    assert!(is_right("SELECT ?x { } ORDER BY ?x LIMIT 2 OFFSET 1", &[2, 2]));
    assert!(!is_right("SELECT ?x { }", &[2, 2, 1]));
    assert_eq!(without_slice("SELECT ?x { } ORDER BY ?x LIMIT 2 OFFSET 1"), "SELECT ?x { } ORDER BY ?x ");
}
