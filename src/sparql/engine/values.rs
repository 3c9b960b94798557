//! Expressions over tables. What `conditions` does not decide is asked of `spareval`, once for each distinct combination of their variables' values, through a dataset that has these as its triples.

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;

use oxrdf::{BlankNode, NamedNode, Term, Variable};
use spareval::{ExpressionTerm, InternalQuad, QueryResults as Evaluated, QueryableDataset};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::TriplePattern;

use super::conditions::Truth;
use super::distinct::Distinct;
use super::plan::Condition;
use super::table::{Column, Number, Table, Var, Vars, number};
use super::{Engine, Unfit, known};
use crate::rdf::vocabulary::evaluator;
use crate::sparql::deviations::{deviates, put_right};
use crate::sparql::evaluate::explain_error;
use crate::sparql::point::Queryable;
use crate::store::{Damage, DatasetView, TermId, Written};

/// The number of the first column as a property. No dataset has as many terms.
const COLUMNS: usize = u32::MAX as usize;

/// The variables that take the row and the value of an expression.
const ROW: &str = "row.";
const VALUE: &str = "value.";

impl Engine<'_, '_> {
    /// The rows for which a condition is true.
    pub(super) fn rows_with(&self, condition: &Condition, table: &Table) -> Result<Vec<u32>, Unfit> {
        let mut truths = vec![Truth::Unknown; table.rows];
        if let Some(test) = self.test(&condition.expression, table) {
            self.ticks.tick(table.rows)?;
            truths.iter_mut().enumerate().for_each(|(row, truth)| *truth = test(row));
        }
        let with = |truth| (0_u32..).zip(&truths).filter(move |(_, own)| **own == truth).map(|(row, _)| row);
        let unknown: Vec<u32> = with(Truth::Unknown).collect();
        let mut rows: Vec<u32> = with(Truth::True).collect();
        if !unknown.is_empty() {
            let asked = table.filtered(&unknown);
            rows.extend(self.asked(condition, &asked)?.into_iter().map(|row| unknown[row as usize]));
            rows.sort_unstable();
        }
        Ok(rows)
    }

    /// The rows for which `spareval` finds a condition true.
    fn asked(&self, condition: &Condition, table: &Table) -> Result<Vec<u32>, Unfit> {
        // `!!` gives the effective boolean value.
        let not = |expression| Expression::Not(Box::new(expression));
        let truth = Condition { expression: not(not(condition.expression.clone())), vars: condition.vars };
        let values = self.values_of(&truth, table)?;
        let truth = |number: &Number| {
            TermId::of_number(*number).is_some_and(|id| match self.view.expression_term(id) {
                ExpressionTerm::BooleanLiteral(value) => value.into(),
                _ => false,
            })
        };
        let distinct = Distinct::of(&[&values], table.rows);
        let is_true: Vec<bool> =
            distinct.first.iter().map(|row| truth(&values.numbers[*row as usize])).collect();
        let rows = 0..table.height()?;
        Ok(rows.filter(|row| is_true[distinct.place[*row as usize] as usize]).collect())
    }

    pub(super) fn numbers_of<'t>(&self, variable: &Variable, table: &'t Table) -> Option<&'t [Number]> {
        let var = self.names.iter().position(|name| name == variable)?;
        table.numbers(var)
    }

    /// The value of an expression in each row; none where it is an error.
    pub(super) fn values_of(&self, value: &Condition, table: &Table) -> Result<Column, Unfit> {
        if let Expression::Variable(variable) = &value.expression {
            let numbers = self.numbers_of(variable, table);
            return Ok(Column::of(numbers.map_or_else(|| vec![0; table.rows], <[Number]>::to_vec)));
        }
        if let Expression::NamedNode(_) | Expression::Literal(_) = &value.expression {
            let term = match &value.expression {
                Expression::NamedNode(node) => node.clone().into(),
                Expression::Literal(literal) => literal.clone().into(),
                _ => Term::from(BlankNode::default()),
            };
            return Ok(Column::bound(vec![number(known(self.view, term)); table.rows]));
        }
        if let Some(lengths) = self.lengths(&value.expression, table) {
            return Ok(Column::of(lengths));
        }
        let columns: Vec<(Var, &Column)> =
            value.vars.iter().filter_map(|var| Some((var, table.column(var)?))).collect();
        let own: Vec<&Column> = columns.iter().map(|(_, column)| *column).collect();
        let distinct = Distinct::of(&own, table.rows);
        let mut values = vec![0; distinct.first.len()];
        // Rows that leave other variables without a value are other questions.
        let mut masks: Vec<(Vars, Vec<usize>)> = Vec::new();
        for (place, row) in distinct.first.iter().enumerate() {
            let bound = columns.iter().filter(|(_, column)| column.numbers[*row as usize] != 0);
            let mask = Vars::of(bound.map(|(var, _)| *var));
            match masks.iter_mut().find(|(own, _)| *own == mask) {
                Some((_, places)) => places.push(place),
                None => masks.push((mask, vec![place])),
            }
        }
        for (mask, places) in masks {
            let bound: Vec<(Var, &Column)> =
                columns.iter().copied().filter(|(var, _)| mask.has(*var)).collect();
            let tuple = |place: &usize| {
                let row = distinct.first[*place] as usize;
                bound.iter().map(|(_, column)| column.numbers[row]).collect()
            };
            let tuples: Vec<Vec<Number>> = places.iter().map(tuple).collect();
            let vars: Vec<Var> = bound.iter().map(|(var, _)| *var).collect();
            for (place, value) in places.iter().zip(self.evaluated(&value.expression, &vars, tuples)?) {
                values[*place] = value;
            }
        }
        Ok(Column::of(distinct.place.iter().map(|place| values[*place as usize]).collect()))
    }

    /// The value of an expression for each combination of values of some variables.
    fn evaluated(
        &self,
        expression: &Expression,
        vars: &[Var],
        tuples: Vec<Vec<Number>>,
    ) -> Result<Vec<Number>, Unfit> {
        let mut values = vec![0; tuples.len()];
        let rows = Rows { view: self.view.clone(), tuples: tuples.into() };
        let [row, value] = [ROW, VALUE].map(Variable::new_unchecked);
        let inner = GraphPattern::Extend {
            inner: Box::new(pattern_of_rows(&row, vars.iter().map(|var| &self.names[*var]))),
            variable: value.clone(),
            expression: expression.clone(),
        };
        let pattern = GraphPattern::Project { inner: Box::new(inner), variables: vec![row, value] };
        let mut query = Query::Select { dataset: None, pattern, base_iri: self.base.cloned() };
        if deviates(&query) {
            put_right(&mut query, &rows);
        }
        let evaluation = self.evaluation.clone().with_written(rows.written());
        let (results, _) = evaluation.evaluate(&query, rows)?;
        let Evaluated::Solutions(solutions) = results else { return Err(Unfit::NotTaken) };
        for solution in solutions {
            let solution = solution.map_err(|error| explain_error(error, &self.evaluation.deadline))?;
            // An expression without variables has one value, for the one row.
            let row = solution.get(0).and_then(number_of_term).unwrap_or(1);
            values[row as usize - 1] = solution.get(1).and_then(number_of_term).unwrap_or(0);
        }
        Ok(values)
    }
}

/// The number in a term that [`Rows`] has made.
fn number_of_term(term: &Term) -> Option<Number> {
    match term {
        Term::BlankNode(node) => node.as_ref().unique_id().and_then(|id| Number::try_from(id).ok()),
        _ => None,
    }
}

/// Combinations of values as a dataset: for each column, which is a property, a triple of each row and its value. The value is an object
/// as any literal may be. Terms stay numbers, for which blank nodes stand.
#[derive(Clone)]
struct Rows<'d> {
    view: DatasetView<'d>,
    tuples: Rc<[Vec<Number>]>,
}

/// The pattern that gives variables their values in a row.
fn pattern_of_rows<'n>(row: &Variable, names: impl Iterator<Item = &'n Variable>) -> GraphPattern {
    let triple = |(column, name): (usize, &'n Variable)| TriplePattern {
        subject: row.clone().into(),
        predicate: NamedNode::new_unchecked(format!("{}{column}", evaluator::COLUMN)).into(),
        object: name.clone().into(),
    };
    GraphPattern::Bgp { patterns: names.enumerate().map(triple).collect() }
}

impl<'d> Queryable<'d> for Rows<'d> {
    fn damage(&self) -> Option<Damage> {
        Queryable::damage(&self.view)
    }

    fn written(&self) -> Option<Arc<Written>> {
        Queryable::written(&self.view)
    }
}

impl<'d> QueryableDataset<'d> for Rows<'d> {
    type InternalTerm = TermId;
    type Error = Infallible;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&TermId>,
        predicate: Option<&TermId>,
        object: Option<&TermId>,
        graph_name: Option<Option<&TermId>>,
    ) -> impl Iterator<Item = Result<InternalQuad<TermId>, Infallible>> + use<'d> {
        let (tuples, object) = (Rc::clone(&self.tuples), object.copied());
        let rows = match subject {
            Some(row) => row.index()..row.index() + 1,
            None => 1..tuples.len() + 1,
        };
        let column = predicate.filter(|_| graph_name == Some(None)).map(|id| (*id, COLUMNS - id.index()));
        let quads = column.into_iter().flat_map(move |(predicate, column)| {
            let tuples = Rc::clone(&tuples);
            rows.clone().filter_map(move |row| {
                let subject = TermId::from_index(row);
                let object = TermId::of_number(*tuples.get(row - 1)?.get(column)?)?;
                Some(InternalQuad { subject, predicate, object, graph_name: None })
            })
        });
        quads.filter(move |quad| object.is_none_or(|object| object == quad.object)).map(Ok)
    }

    fn internal_named_graphs(&self) -> impl Iterator<Item = Result<TermId, Infallible>> + use<'d> {
        std::iter::empty()
    }

    fn contains_internal_graph_name(&self, _graph_name: &TermId) -> Result<bool, Infallible> {
        Ok(true)
    }

    fn internalize_term(&self, term: Term) -> Result<TermId, Infallible> {
        let column = match &term {
            Term::NamedNode(name) => name.as_str().strip_prefix(evaluator::COLUMN),
            _ => None,
        };
        match column.and_then(|column| column.parse::<usize>().ok()) {
            Some(column) => Ok(TermId::from_index(COLUMNS - column)),
            None => self.view.internalize_term(term),
        }
    }

    fn externalize_term(&self, term: TermId) -> Result<Term, Infallible> {
        Ok(BlankNode::new_from_unique_id(u128::from(number(term))).into())
    }

    fn externalize_expression_term(&self, term: TermId) -> Result<ExpressionTerm, Infallible> {
        self.view.externalize_expression_term(term)
    }

    fn internalize_expression_term(&self, term: ExpressionTerm) -> Result<TermId, Infallible> {
        self.view.internalize_expression_term(term)
    }

    fn internal_term_effective_boolean_value(&self, term: TermId) -> Result<Option<bool>, Infallible> {
        self.view.internal_term_effective_boolean_value(term)
    }
}
