//! Constraints and components that are queries themselves, as parts of the generated queries.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use oxrdf::{Literal, Term, Variable};
use spargebra::algebra::{Expression, Function, GraphPattern};

use super::algebra_builders::{exists, filtered, not, or_false, selected, variable};
use super::failures::with;
use super::{QueryMaker, ShapeTranslation};
use crate::ids::ShapeId;
use crate::shape::ConstraintCheck;
use evalgraph_sparql::PreboundQuery;

/// The columns of a query that a result uses, whatever its messages refer to.
const COLUMNS: [&str; 4] = ["this", "path", "value", "message"];

/// A query of the shapes with the values of its parameters.
struct ParameterizedQuery<'s> {
    query: &'s PreboundQuery,
    constants: Vec<(String, Term)>,
    is_ask: bool,
}

impl<'s> QueryMaker<'s> {
    /// The query of a constraint; none for a constraint without one.
    fn asked(
        &self,
        id: ShapeId,
        check: &'s ConstraintCheck,
    ) -> ShapeTranslation<Option<ParameterizedQuery<'s>>> {
        let (query, mut constants, is_ask) = match check {
            ConstraintCheck::Sparql(constraint) => (&constraint.query, Vec::new(), false),
            ConstraintCheck::Component(component) => {
                (&component.query, component.bindings.clone(), component.is_ask)
            }
            _ => return Ok(None),
        };
        if query.mentions_variable("shapesGraph") {
            return Err("its query asks for `$shapesGraph`, which other stores do not have".to_owned());
        }
        let node = &self.shapes.shapes[id.index()].node;
        if node.is_named_node() {
            constants.push(("currentShape".to_owned(), node.clone()));
        }
        constants.retain(|(name, _)| query.mentions_variable(name));
        if constants.iter().any(|(_, term)| term.is_blank_node()) {
            return Err("a parameter is a blank node, which no query can name".to_owned());
        }
        Ok(Some(ParameterizedQuery { query, constants, is_ask }))
    }

    /// The query for a constraint that is a SELECT; none for other constraints.
    pub(super) fn select_by_query(
        &mut self,
        id: ShapeId,
        check: &'s ConstraintCheck,
    ) -> ShapeTranslation<Option<GraphPattern>> {
        let this = variable("this");
        let Some(asked) = self.asked(id, check)? else { return Ok(None) };
        if asked.is_ask {
            return self.select_by_ask(id, &asked).map(Some);
        }
        self.taken.extend(asked.query.names().iter().cloned());
        let focus = self.focus(id, &this)?;
        // A column that the query does not select is a different variable with that name.
        let name = |variable: &Variable| match variable.as_str() {
            name if COLUMNS.contains(&name) && !asked.query.selects(name) => self.fresh(name),
            _ => variable.clone(),
        };
        let found = asked.query.joined_with(&this, &focus, &asked.constants, name);
        let mut found = found.ok_or_else(|| apart().to_owned())?;
        let templates = self.shapes.shapes[id.index()].messages_of(check);
        let names = asked.query.names().iter().map(String::as_str);
        let named = names.filter(|name| templates.iter().any(|template| has_place_for(template, name)));
        let names = COLUMNS.into_iter().chain(named.filter(|name| !COLUMNS.contains(name)));
        let columns: Vec<Variable> = names.filter(|name| asked.query.selects(name)).map(variable).collect();
        let mut columns: Vec<&Variable> = columns.iter().collect();
        // The value of a node shape is the node itself if the query returns none.
        let value = variable("value");
        if self.shapes.shapes[id.index()].path.is_none() && !columns.contains(&&value) {
            found = with(found, &value, this.clone().into());
            columns.push(&value);
        }
        Ok(Some(GraphPattern::Distinct { inner: Box::new(selected(found, &columns)) }))
    }

    fn select_by_ask(
        &mut self,
        id: ShapeId,
        asked: &ParameterizedQuery<'s>,
    ) -> ShapeTranslation<GraphPattern> {
        let [this, value] = ["this", "value"].map(variable);
        let focus = self.focus(id, &this)?;
        self.note_path(id);
        let (pattern, tested) = match self.values(id, &this, &value) {
            Some(values) => (super::algebra_builders::join([focus, values]), &value),
            None => (focus, &this),
        };
        let holds = self.answer(asked, &this, tested)?;
        let mut found = filtered(pattern, not(holds));
        if tested == &this {
            found = with(found, &value, this.clone().into());
        }
        Ok(GraphPattern::Distinct { inner: Box::new(selected(found, &[&this, &value])) })
    }

    /// The condition that a node meets a constraint that is a query; none for other constraints.
    pub(super) fn condition_of_query(
        &mut self,
        id: ShapeId,
        check: &'s ConstraintCheck,
        node: &Variable,
    ) -> ShapeTranslation<Option<Expression>> {
        let Some(asked) = self.asked(id, check)? else { return Ok(None) };
        if !asked.is_ask {
            return Ok(Some(not(exists(self.inside(&asked, &[("this", node)])?))));
        }
        let value = self.fresh("value");
        Ok(Some(match self.values(id, node, &value) {
            Some(values) => {
                let holds = self.answer(&asked, node, &value)?;
                not(exists(filtered(values, not(holds))))
            }
            None => self.answer(&asked, node, node)?,
        }))
    }

    /// The condition that ASK returns true.
    fn answer(
        &mut self,
        asked: &ParameterizedQuery<'s>,
        node: &Variable,
        value: &Variable,
    ) -> ShapeTranslation<Expression> {
        match self.inside(asked, &[("this", node), ("value", value)])? {
            GraphPattern::Filter { expr, inner } if is_nothing(&inner) => Ok(or_false(as_boolean(expr))),
            pattern => Ok(exists(pattern)),
        }
    }

    fn inside(
        &mut self,
        asked: &ParameterizedQuery<'s>,
        bound: &[(&str, &Variable)],
    ) -> ShapeTranslation<GraphPattern> {
        let pattern = asked.query.in_exists(bound, &asked.constants, |name| self.fresh(name));
        pattern.ok_or_else(|| apart().to_owned())
    }
}

/// A condition as the boolean that FILTER makes of it.
fn as_boolean(condition: Expression) -> Expression {
    match condition {
        Expression::FunctionCall(Function::Custom(_), _)
        | Expression::Variable(_)
        | Expression::Literal(_)
        | Expression::NamedNode(_)
        | Expression::If(..)
        | Expression::Coalesce(_) => Expression::Not(Box::new(Expression::Not(Box::new(condition)))),
        condition => condition,
    }
}

/// Returns whether a message contains the value of a variable.
fn has_place_for(template: &Literal, name: &str) -> bool {
    ["{?", "{$"].iter().any(|start| template.value().contains(&format!("{start}{name}}}")))
}

fn is_nothing(pattern: &GraphPattern) -> bool {
    matches!(pattern, GraphPattern::Bgp { patterns } if patterns.is_empty())
}

fn apart() -> &'static str {
    "its query depends on the focus node in a way that a query for all nodes cannot"
}
