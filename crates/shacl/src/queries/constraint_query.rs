//! The query of one constraint, with remarks for its reader.

use std::fmt;

use oxrdf::{Literal, Term};

use crate::ids::ShapeId;
use crate::shacl_vocabulary::SH;
use crate::shape::{ConstraintCheck, Shape};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::visible::visible;

/// A constraint as a query that finds the nodes that fail it.
#[derive(Debug, Clone)]
pub struct ConstraintQuery<'s> {
    shape: &'s Shape,
    /// The number of the shape, and the index of the constraint among those of the shape.
    pub(crate) place: (ShapeId, usize),
    query: Option<String>,
    remarks: Vec<Diagnostic>,
}

impl<'s> ConstraintQuery<'s> {
    pub(super) fn new(
        shape: &'s Shape,
        place: (ShapeId, usize),
        query: Result<String, String>,
        differences: &[String],
    ) -> Self {
        let subject = format!("`{}` of `{}`", shape.constraints[place.1].check.parameter(), shape.name());
        let (query, remarks) = match query {
            Ok(query) => {
                let inexact = |difference: &String| {
                    let message = format!("the query for {subject} is not exact: {difference}");
                    Diagnostic::warning("shacl::inexact-query", message)
                };
                (Some(query), differences.iter().map(inexact).collect())
            }
            Err(reason) => {
                let message = format!("no query finds what fails {subject}: {reason}");
                (None, vec![Diagnostic::warning("shacl::no-query", message)])
            }
        };
        Self { shape, place, query, remarks }
    }

    /// The shape that has the constraint.
    pub fn shape(&self) -> &'s Shape {
        self.shape
    }

    pub(crate) fn check(&self) -> &'s ConstraintCheck {
        &self.shape.constraints[self.place.1].check
    }

    /// The IRI of the component of the constraint.
    pub fn component(&self) -> Term {
        self.check().component_term()
    }

    /// The messages of the constraint, or else of the shape.
    pub fn messages(&self) -> &'s [Literal] {
        self.shape.messages_of(self.check())
    }

    /// The text of the query; none if SPARQL 1.1 cannot express the constraint.
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// The reason why there is no query, or how it differs from the constraint; empty if the query is exact.
    pub fn remarks(&self) -> &[Diagnostic] {
        &self.remarks
    }
}

/// Writes the query after comments that say which constraint it is for.
impl fmt::Display for ConstraintQuery<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comment = |name: &str, text: &str| writeln!(f, "# {name}: {}", visible(text));
        comment("shape", &self.shape.name())?;
        if let Some(path) = self.shape.path() {
            comment("path", &path.text())?;
        }
        let component = self.component().to_string().replace(SH, "sh:");
        comment("component", component.trim_matches(['<', '>']))?;
        comment("severity", &self.shape.severity.iri().replace(SH, "sh:"))?;
        for message in self.messages() {
            comment("message", message.value())?;
        }
        for remark in &self.remarks {
            comment("remark", &remark.message)?;
        }
        self.query.as_deref().map_or(Ok(()), |query| f.write_str(query))
    }
}
