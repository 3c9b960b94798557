//! Writes the algebra of a SELECT as a query in SPARQL 1.1 for people and for any store: with prefixes, a line a pattern,
//! and nothing beyond the recommendation.
//!
//! A blank node of the algebra is written as a variable, which means the same and may stand in two groups.

mod expression;
mod group;
mod names;
mod path;
mod select;

use std::collections::{BTreeMap, HashMap, HashSet};

use oxrdf::Variable;
use spargebra::algebra::{AggregateExpression, GraphPattern};

use super::prefixes::Prefixes;
use super::private_variables::variables_of;

/// How far each level is indented.
const INDENT: usize = 2;

/// The text of a SELECT, with a declaration for each prefix that it uses.
///
/// # Errors
///
/// The reason why SPARQL 1.1 cannot say it.
pub(crate) fn standard_text(pattern: &GraphPattern, prefixes: &Prefixes) -> Result<String, String> {
    let mut writer = Writer {
        prefixes,
        used: BTreeMap::new(),
        text: String::new(),
        indent: 0,
        variables: variables_of(pattern),
        blank_nodes: HashMap::new(),
        aggregates: HashMap::new(),
        objection: None,
    };
    writer.select(pattern);
    writer.line_end();
    if let Some(objection) = writer.objection {
        return Err(objection);
    }
    let declarations = writer.used.iter().map(|(name, namespace)| format!("PREFIX {name}: <{namespace}>\n"));
    let declarations: String = declarations.collect();
    let gap = if declarations.is_empty() { "" } else { "\n" };
    Ok(format!("{declarations}{gap}{}", writer.text))
}

/// The text as far as it is written.
struct Writer<'w> {
    prefixes: &'w Prefixes,
    /// The prefixes that the text uses, with their namespaces.
    used: BTreeMap<&'w str, &'w str>,
    text: String,
    indent: usize,
    /// The variables of the pattern, whose names blank nodes do not get.
    variables: HashSet<Variable>,
    blank_nodes: HashMap<String, Variable>,
    /// The aggregates of the SELECT that is being written, by the variables that stand for them.
    aggregates: HashMap<Variable, &'w AggregateExpression>,
    /// The first reason why the text is no SPARQL 1.1.
    objection: Option<String>,
}

impl Writer<'_> {
    fn object(&mut self, objection: &str) {
        self.objection.get_or_insert_with(|| objection.to_owned());
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn line_end(&mut self) {
        self.text.push('\n');
    }

    /// Begins a line at the indentation of the level.
    fn line(&mut self) {
        self.line_end();
        self.text.extend(std::iter::repeat_n(' ', self.indent * INDENT));
    }

    /// The text that a function writes, which is taken out again.
    fn apart(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.text);
        write(self);
        std::mem::replace(&mut self.text, before)
    }
}
