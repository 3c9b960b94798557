//! Writes the algebra of queries and updates in SPARQL 1.1 for people and for any store: with prefixes, one line for
//! each pattern, and nothing beyond the recommendation.
//!
//! A blank node of the algebra is written as a variable. This means the same, and a variable may be used in several
//! groups.

mod expression;
mod group_writer;
mod path_writer;
mod query_writer;
mod select;
mod term_writer;
mod update_writer;

use std::collections::{BTreeMap, HashMap, HashSet};

use oxrdf::Variable;
use spargebra::algebra::{AggregateExpression, GraphPattern, QueryDataset};
use spargebra::{GraphUpdateOperation, Query};

use crate::algebra::pattern_of;
use crate::algebra::variable_renaming::variables_of;
use crate::text::prefixes::QueryPrefixes;

/// How far each level is indented.
const INDENT: usize = 2;

/// The text of a SELECT, with a declaration for each prefix that it uses.
///
/// # Errors
///
/// The reason why SPARQL 1.1 cannot express it.
pub fn standard_text(pattern: &GraphPattern, prefixes: &QueryPrefixes) -> Result<String, String> {
    let mut writer = AlgebraWriter::new(prefixes, variables_of(pattern));
    writer.select(pattern);
    writer.finished()
}

/// Like [`standard_text`], but for a query of any form.
pub(super) fn standard_query(query: &Query, prefixes: &QueryPrefixes) -> Result<String, String> {
    let mut writer = AlgebraWriter::new(prefixes, variables_of(pattern_of(query)));
    writer.query(query);
    let text = writer.finished()?;
    // IRIs are written in full, but the function IRI may resolve relative ones at run time.
    let base = query.base_iri().map(|base| format!("BASE <{base}>\n"));
    Ok(base.unwrap_or_default() + &text)
}

/// Like [`standard_text`], but for the operations of an update.
pub(super) fn standard_update(
    operations: &[GraphUpdateOperation],
    prefixes: &QueryPrefixes,
) -> Result<String, String> {
    let variables = operations.iter().flat_map(|operation| match operation {
        GraphUpdateOperation::DeleteInsert { pattern, .. } => variables_of(pattern),
        _ => HashSet::new(),
    });
    let mut writer = AlgebraWriter::new(prefixes, variables.collect());
    for operation in operations {
        writer.operation(operation);
    }
    writer.finished()
}

/// The text written so far. Other methods are in `expression.rs`, `group_writer.rs`, `path_writer.rs`,
/// `query_writer.rs`, `select.rs`, `term_writer.rs` and `update_writer.rs`.
struct AlgebraWriter<'w> {
    prefixes: &'w QueryPrefixes,
    /// The prefixes that the text uses, with their namespaces.
    used: BTreeMap<&'w str, &'w str>,
    text: String,
    indent: usize,
    /// The variables of the pattern. Blank nodes must not get their names.
    variables: HashSet<Variable>,
    blank_nodes: HashMap<String, Variable>,
    /// The aggregates of the SELECT that is being written, by the variables that represent them.
    aggregates: HashMap<Variable, &'w AggregateExpression>,
    /// The graphs of FROM, until they are written.
    sources: Option<&'w QueryDataset>,
    /// The first reason why the text is not SPARQL 1.1.
    objection: Option<String>,
}

impl<'w> AlgebraWriter<'w> {
    fn new(prefixes: &'w QueryPrefixes, variables: HashSet<Variable>) -> Self {
        Self {
            prefixes,
            used: BTreeMap::new(),
            text: String::new(),
            indent: 0,
            variables,
            blank_nodes: HashMap::new(),
            aggregates: HashMap::new(),
            sources: None,
            objection: None,
        }
    }

    /// The text, preceded by its declarations.
    fn finished(mut self) -> Result<String, String> {
        self.line_end();
        if let Some(objection) = self.objection {
            return Err(objection);
        }
        let declaration = |(name, namespace): (&&str, &&str)| format!("PREFIX {name}: <{namespace}>\n");
        let declarations: String = self.used.iter().map(declaration).collect();
        let gap = if declarations.is_empty() { "" } else { "\n" };
        Ok(format!("{declarations}{gap}{}", self.text))
    }

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

    /// Returns the text that a function writes, without adding it.
    fn apart(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.text);
        write(self);
        std::mem::replace(&mut self.text, before)
    }
}
