//! Reasons why a query finds nothing: a property or class that no triple has, or an invalid pattern of REGEX. `Query`
//! is defined in `query.rs`.

use oxrdf::{NamedNode, Term};
use spargebra::algebra::{Expression, Function, GraphPattern, PropertyPathExpression};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::algebra::{expressions, operands, parts, pattern_of};
use crate::evaluate::{ExecuteOptions, QueryResults};
use crate::expression::regex_matching::RegexPattern;
use crate::query::Query;
use crate::results::display::display_term;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::DatasetView;

/// A term that must occur in the data for the query to find anything.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RequiredTerm {
    Property(NamedNode),
    /// The object of `a`. A string is not a class, but people write strings there.
    Class(Term),
}

impl RequiredTerm {
    fn is_class(&self) -> bool {
        matches!(self, Self::Class(_))
    }

    fn iri(&self) -> Option<&str> {
        match self {
            Self::Property(node) | Self::Class(Term::NamedNode(node)) => Some(node.as_str()),
            Self::Class(_) => None,
        }
    }
}

/// A property or class of the data, with the number of its occurrences.
#[derive(Debug, Clone)]
pub struct KnownTerm {
    /// The property or class.
    pub term: Term,
    /// The number, as it is shown.
    pub count: String,
    /// The unit of the number, in the singular.
    pub unit: &'static str,
}

impl Query {
    /// The properties and classes that the query needs but no triple has, with the names that were probably
    /// meant. The check costs a lookup for each term, and a walk over all triples for each unknown term.
    pub fn unknown_terms(&self, view: &DatasetView<'_>) -> Vec<Diagnostic> {
        let view = &view.clone().with_all_graphs();
        let mut needed = Vec::new();
        collect(pattern_of(self.algebra()), &mut needed);
        let unknown = needed.into_iter().filter(|needed| !is_known(needed, view));
        unknown
            .map(|needed| {
                let query = if needed.is_class() { CLASSES } else { PROPERTIES };
                self.unknown(&needed, &counted(query, view))
            })
            .collect()
    }

    /// Like [`Query::unknown_terms`], but with the place of each term in the text. The caller passes the names that may
    /// have been meant, so the check costs only its lookups.
    pub fn unknown_terms_among(
        &self,
        view: &DatasetView<'_>,
        properties: &[KnownTerm],
        classes: &[KnownTerm],
    ) -> Vec<Diagnostic> {
        let view = &view.clone().with_all_graphs();
        let mut needed = Vec::new();
        collect(pattern_of(self.algebra()), &mut needed);
        let unknown = needed.into_iter().filter(|needed| !is_known(needed, view));
        unknown
            .map(|needed| {
                let known = if needed.is_class() { classes } else { properties };
                let found = self.unknown(&needed, known);
                match needed.iri().and_then(|iri| self.place_of(iri)) {
                    Some(place) => found.at(place),
                    None => found,
                }
            })
            .collect()
    }

    /// The invalid constant patterns of REGEX and REPLACE. Nothing matches these.
    pub fn pattern_faults(&self) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        collect_faults(pattern_of(self.algebra()), &mut faults);
        faults
    }

    fn unknown(&self, needed: &RequiredTerm, known: &[KnownTerm]) -> Diagnostic {
        let shown = |term: &Term| display_term(term, self.prefixes());
        let what = match needed {
            RequiredTerm::Property(property) => {
                format!("no triple has `{}`", shown(&property.clone().into()))
            }
            RequiredTerm::Class(class) => format!("nothing is of the class `{}`", shown(class)),
        };
        let wanted = match needed {
            RequiredTerm::Property(property) => shown(&property.clone().into()),
            RequiredTerm::Class(Term::Literal(literal)) => format!("s:{}", literal.value()),
            RequiredTerm::Class(class) => shown(class),
        };
        let names: Vec<String> = known.iter().map(|known| shown(&known.term)).collect();
        let meant = nearest(&wanted, names.iter().map(String::as_str));
        let meant = meant.and_then(|meant| names.iter().zip(known).find(|(name, _)| *name == meant));
        let message = match meant {
            Some((name, KnownTerm { count, unit, .. })) => {
                let plural = if count == "1" { "" } else { "s" };
                format!("{what}; did you mean `{name}` ({count} {unit}{plural})?")
            }
            None => what,
        };
        Diagnostic::new(FindingSeverity::Note, "sparql::unknown-term", message)
    }
}

const PROPERTIES: &str = "SELECT ?term (COUNT(*) AS ?count) { ?s ?term ?o } GROUP BY ?term";
const CLASSES: &str = "SELECT ?term (COUNT(*) AS ?count) { ?s a ?term } GROUP BY ?term";

/// The terms that a query finds, with the number of triples that have each term.
fn counted(query: &str, view: &DatasetView<'_>) -> Vec<KnownTerm> {
    let Ok(query) = Query::parse_plain(query, "hints") else { return Vec::new() };
    let Ok(QueryResults::Solutions(solutions)) = query.execute(view.clone(), ExecuteOptions::default())
    else {
        return Vec::new();
    };
    solutions
        .filter_map(|solution| {
            let solution = solution.ok()?;
            let count = match solution.get("count") {
                Some(Term::Literal(count)) => count.value().to_owned(),
                _ => return None,
            };
            Some(KnownTerm { term: solution.get("term")?.clone(), count, unit: "triple" })
        })
        .collect()
}

fn is_known(needed: &RequiredTerm, view: &DatasetView<'_>) -> bool {
    let triple = match needed {
        RequiredTerm::Property(property) => format!("?s {property} ?o"),
        RequiredTerm::Class(class) => format!("?s a {class}"),
    };
    let query = format!("ASK {{ {{ {triple} }} UNION {{ GRAPH ?g {{ {triple} }} }} }}");
    let Ok(query) = Query::parse_plain(&query, "hints") else { return true };
    // After an error the term counts as known: a wrong hint is worse than none.
    !matches!(query.execute(view.clone(), ExecuteOptions::default()), Ok(QueryResults::Boolean(false)))
}

/// Collects the terms of patterns that must match, not of optional, subtracted or alternative patterns, nor
/// of patterns of a service.
fn collect(pattern: &GraphPattern, found: &mut Vec<RequiredTerm>) {
    let mut add = |needed: RequiredTerm| {
        if !found.contains(&needed) {
            found.push(needed);
        }
    };
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for TriplePattern { predicate, object, .. } in patterns {
                let NamedNodePattern::NamedNode(property) = predicate else { continue };
                add(RequiredTerm::Property(property.clone()));
                if property.as_str() == rdf::TYPE {
                    match object {
                        TermPattern::NamedNode(class) => add(RequiredTerm::Class(class.clone().into())),
                        TermPattern::Literal(text) => add(RequiredTerm::Class(text.clone().into())),
                        _ => {}
                    }
                }
            }
        }
        GraphPattern::Path { path, .. } => properties_of(path, &mut add),
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => collect(left, found),
        GraphPattern::Union { .. } | GraphPattern::Service { .. } | GraphPattern::Values { .. } => {}
        pattern => parts(pattern).into_iter().for_each(|part| collect(part, found)),
    }
}

/// The properties that are needed on every way along a path.
fn properties_of(path: &PropertyPathExpression, add: &mut impl FnMut(RequiredTerm)) {
    match path {
        PropertyPathExpression::NamedNode(property) => add(RequiredTerm::Property(property.clone())),
        PropertyPathExpression::Reverse(inner) | PropertyPathExpression::OneOrMore(inner) => {
            properties_of(inner, add);
        }
        PropertyPathExpression::Sequence(left, right) => {
            properties_of(left, add);
            properties_of(right, add);
        }
        // The other paths may match without the property.
        _ => {}
    }
}

/// Collects the invalid constant patterns of regular expressions.
fn collect_faults(pattern: &GraphPattern, found: &mut Vec<Diagnostic>) {
    for expression in expressions(pattern) {
        faults_in(expression, found);
    }
    for part in parts(pattern) {
        collect_faults(part, found);
    }
}

fn faults_in(expression: &Expression, found: &mut Vec<Diagnostic>) {
    match expression {
        Expression::FunctionCall(function @ (Function::Regex | Function::Replace), arguments) => {
            let pattern = RegexPattern::from_call(function, arguments);
            found.extend(pattern.and_then(|pattern| pattern.compile_for(function).err()).map(|fault| *fault));
        }
        Expression::Exists(pattern) => collect_faults(pattern, found),
        _ => {}
    }
    operands(expression).into_iter().for_each(|operand| faults_in(operand, found));
}
