//! The vocabulary of schema.org as a table, and what in a graph does not keep to it.

use crate::beside::shared;
use oxrdf::vocab::{rdf, xsd};
use oxrdf::{Literal, NamedNode, NamedOrBlankNode, Term, Triple};
use oxsdatatypes::{Date, DateTime, GYear, GYearMonth, Integer, Time};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(crate) const SCHEMA_ORG: &str = "http://schema.org/";
const RDF_JSON: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON";

/// What is not kept to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Misuse {
    /// The vocabulary lacks the term, or has another one for it.
    Term,
    /// The property is none of a node of these classes.
    Domain,
    /// The value is none of the property.
    Range,
}

/// The classes of every node.
pub(crate) type Classes = HashMap<NamedOrBlankNode, BTreeSet<String>>;

pub(crate) fn classes_of(triples: &[Triple]) -> Classes {
    let mut classes = Classes::new();
    for triple in triples {
        if let (true, Term::NamedNode(class)) = (triple.predicate == rdf::TYPE, &triple.object) {
            classes.entry(triple.subject.clone()).or_default().insert(class.as_str().to_owned());
        }
    }
    classes
}

/// The node that a value is, if it is one.
pub(crate) fn node(value: &Term) -> Option<NamedOrBlankNode> {
    match value {
        Term::NamedNode(node) => Some(node.clone().into()),
        Term::BlankNode(node) => Some(node.clone().into()),
        Term::Literal(_) => None,
    }
}

struct Row {
    /// What a class is below, and what a member of an enumeration is of.
    up: Vec<String>,
    domain: Vec<String>,
    range: Vec<String>,
    /// Whether another term stands for it today, or none.
    is_outdated: bool,
}

/// The table: classes, datatypes, members of enumerations and properties.
pub(crate) struct SchemaOrg {
    classes: BTreeMap<String, Row>,
    datatypes: BTreeMap<String, Row>,
    members: BTreeMap<String, Row>,
    properties: BTreeMap<String, Row>,
}

impl SchemaOrg {
    /// The table of the shared folder.
    pub(crate) fn shared() -> Self {
        let table = shared("schemaorg/vocab/schemaorg-30.0.tsv");
        Self::of(&std::fs::read_to_string(table).expect("the table can be read"))
    }

    /// The table with the columns kind, name, up, dom, rng, sup, inv, lay.
    fn of(table: &str) -> Self {
        let [mut classes, mut datatypes, mut members, mut properties] = [(); 4].map(|()| BTreeMap::new());
        for line in table.lines().skip(1) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [kind, name, up, domain, range, superseded, _, layer] = columns[..] else {
                panic!("{line} has other columns");
            };
            let names = |column: &str| column.split_whitespace().map(str::to_owned).collect();
            let is_outdated = !superseded.is_empty() || layer == "attic";
            let row = Row { up: names(up), domain: names(domain), range: names(range), is_outdated };
            let rows = match kind {
                "C" => &mut classes,
                "D" => &mut datatypes,
                "M" => &mut members,
                _ => &mut properties,
            };
            rows.insert(name.to_owned(), row);
        }
        Self { classes, datatypes, members, properties }
    }

    /// Where triples do not keep to the vocabulary, each kind of it once. What is tolerated (a text in
    /// the place of a thing, a node of which nothing is known) is no misuse.
    pub(crate) fn misuses(&self, triples: &[Triple]) -> BTreeSet<(Misuse, String)> {
        let classes = classes_of(triples);
        let mut found = BTreeSet::new();
        for class in classes.values().flatten().filter_map(|class| class.strip_prefix(SCHEMA_ORG)) {
            if self.classes.get(class).is_none_or(|row| row.is_outdated) {
                found.insert((Misuse::Term, format!("class {class}")));
            }
        }
        for Triple { subject, predicate, object } in triples {
            let Some(name) = predicate.as_str().strip_prefix(SCHEMA_ORG) else { continue };
            let Some(property) = self.properties.get(name).filter(|property| !property.is_outdated) else {
                found.insert((Misuse::Term, format!("property {name}")));
                continue;
            };
            let of_subject = self.with_superclasses(classes.get(subject));
            if !property.domain.iter().any(|class| of_subject.contains(class.as_str())) {
                found.insert((Misuse::Domain, format!("{name} of {:?}", classes.get(subject))));
            }
            let fits = match (object, node(object)) {
                (Term::Literal(literal), _) => self.admits_literal(property, literal),
                (_, Some(node)) => self.admits_node(property, &node, classes.get(&node)),
                (_, None) => false,
            };
            if !fits {
                let classes = node(object).and_then(|node| classes.get(&node));
                found.insert((Misuse::Range, format!("{name} to {object} {classes:?}")));
            }
        }
        found
    }

    /// The names of schema.org's classes among these, and of all above them.
    fn with_superclasses<'t>(&'t self, classes: Option<&'t BTreeSet<String>>) -> BTreeSet<&'t str> {
        let own = classes.into_iter().flatten().filter_map(|class| class.strip_prefix(SCHEMA_ORG));
        let mut waiting: Vec<&str> = own.collect();
        let mut all = BTreeSet::new();
        while let Some(class) = waiting.pop() {
            if all.insert(class) {
                let rows = [&self.classes, &self.datatypes, &self.members].map(|rows| rows.get(class));
                waiting.extend(rows.into_iter().flatten().flat_map(|row| &row.up).map(String::as_str));
            }
        }
        all
    }

    fn admits_node(
        &self,
        property: &Row,
        node: &NamedOrBlankNode,
        classes: Option<&BTreeSet<String>>,
    ) -> bool {
        let all = self.with_superclasses(classes);
        if !all.is_empty() {
            return property.range.iter().any(|class| all.contains(class.as_str()));
        }
        let is_iri = matches!(node, NamedOrBlankNode::NamedNode(_));
        property.range.iter().any(|expected| match expected.as_str() {
            "Text" | "URL" => is_iri,
            expected => self.classes.contains_key(expected),
        })
    }

    fn admits_literal(&self, property: &Row, literal: &Literal) -> bool {
        let mut datatypes =
            property.range.iter().filter(|name| self.datatypes.contains_key(*name)).peekable();
        if datatypes.peek().is_some() {
            return datatypes.any(|datatype| is_of(datatype, literal));
        }
        let is_enumeration = |class: &String| {
            let class = BTreeSet::from([format!("{SCHEMA_ORG}{class}")]);
            self.with_superclasses(Some(&class)).contains("Enumeration")
        };
        let is_text = literal.datatype() == xsd::STRING || literal.language().is_some();
        is_text
            && (!property.range.iter().all(is_enumeration)
                || self.members.get(literal.value()).is_some_and(|member| {
                    member.up.iter().any(|enumeration| property.range.contains(enumeration))
                }))
    }
}

/// Whether a literal is, by what stands in it, of a datatype of schema.org.
fn is_of(datatype: &str, literal: &Literal) -> bool {
    let text = literal.value();
    match datatype {
        // An object or array is none of them, though all of them have a text.
        _ if literal.datatype().as_str() == RDF_JSON => false,
        "Boolean" => ["true", "false"].contains(&text),
        "Date" => {
            text.parse::<Date>().is_ok()
                || text.parse::<DateTime>().is_ok()
                || text.parse::<GYear>().is_ok()
                || text.parse::<GYearMonth>().is_ok()
        }
        "DateTime" => text.parse::<DateTime>().is_ok(),
        "Time" => text.parse::<Time>().is_ok(),
        "Integer" => text.parse::<Integer>().is_ok(),
        "Number" | "Float" => text.parse::<f64>().is_ok_and(f64::is_finite),
        "URL" => NamedNode::new(text).is_ok(),
        // Text, and quantities with their units.
        _ => true,
    }
}

#[test]
#[ignore = "needs ../shared/schemaorg"]
fn each_misuse_is_seen_and_nothing_else() {
    let schema_org = SchemaOrg::shared();
    let misuse = |turtle: &str| {
        let turtle = format!("@prefix s: <{SCHEMA_ORG}> . <urn:a> a s:Question ; {turtle} .");
        let triples: Result<Vec<Triple>, _> = oxttl::TurtleParser::new().for_slice(&turtle).collect();
        schema_org
            .misuses(&triples.expect("it is Turtle"))
            .into_iter()
            .map(|(misuse, _)| misuse)
            .collect::<Vec<_>>()
    };
    for good in [
        "s:text 7",
        "s:dateCreated \"1971\", \"2026-02-04\", \"2026-02-04T11:00:00Z\"",
        "s:acceptedAnswer [a s:Answer, <urn:x>]",
        "s:acceptedAnswer \"a text in its place\", <urn:unknown>",
        "s:license <urn:license>, \"https://example.org/license\"",
        "s:review [a s:Review ; s:reviewRating [a s:Rating ; s:ratingValue 0.5]]",
    ] {
        assert_eq!(misuse(good), [], "{good}");
    }
    for (bad, expected) in [
        ("s:rating 7", Misuse::Term),
        ("a s:question", Misuse::Term),
        ("s:ratingValue 7", Misuse::Domain),
        ("s:acceptedAnswer [a s:Person]", Misuse::Range),
        ("s:acceptedAnswer 7", Misuse::Range),
        ("s:dateCreated \"yesterday\"", Misuse::Range),
        ("s:answerCount 1.5", Misuse::Range),
        ("s:text \"{}\"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON>", Misuse::Range),
        ("s:text [a s:Person]", Misuse::Range),
        ("s:text []", Misuse::Range),
    ] {
        assert_eq!(misuse(bad), [expected], "{bad}");
    }
}
