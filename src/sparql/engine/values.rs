//! Expressions over tables. What `conditions` does not decide is asked of `spareval`, once for each distinct combination of the
//! values of their variables, through a dataset that has these as its triples.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::RandomState;
use oxrdf::{BlankNode, Literal, NamedNode, Term, Variable};
use spareval::{ExpressionTerm, InternalQuad, QueryResults as Evaluated, QueryableDataset};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::TriplePattern;

use super::conditions::Truth;
use super::context::{Engine, known};
use super::distinct::Distinct;
use super::limits::{BLOCK, Unfit};
use super::node::Condition;
use super::table::{Column, Number, Table, number};
use crate::rdf::vocabulary::evaluator;
use crate::sparql::algebra::{mentioned_by_expression, operands_mut};
use crate::sparql::deviations::{deviates, put_right};
use crate::sparql::evaluate::explain_error;
use crate::sparql::point::Queryable;
use crate::store::{Damage, DatasetView, TermId, Written};

/// The number of the first column as a property. No dataset has as many terms.
const COLUMNS: usize = u32::MAX as usize;

/// What the test of a row costs, in numbers that are read.
const TESTED: usize = 64;

/// The variables that take the row and the value of an expression, and the beginning of those that stand for parts of it. What
/// is put right gives names of its own to parts.
const ROW: &str = "row.";
const VALUE: &str = "value.";
const PART: &str = "known.";

impl Engine<'_, '_> {
    /// The rows for which a condition is true.
    pub(super) fn rows_with(&self, condition: &Condition, table: &Table) -> Result<Vec<u32>, Unfit> {
        let (mut rows, unknown) = self.decided(condition, table)?;
        if !unknown.is_empty() {
            let asked = table.filtered(&unknown, &self.ticks)?;
            rows.extend(self.asked(condition, &asked)?.into_iter().map(|row| unknown[row as usize]));
            rows.sort_unstable();
        }
        Ok(rows)
    }

    /// The rows for which a condition is true, and those for which that is not known here. Of one variable it is tested once for each
    /// value.
    fn decided(&self, condition: &Condition, table: &Table) -> Result<(Vec<u32>, Vec<u32>), Unfit> {
        let Some(test) = self.test(&condition.expression, table) else {
            return Ok((Vec::new(), self.ticks.rows(table.height()?)?));
        };
        self.view.expect(table.rows);
        let mut vars = condition.vars.iter();
        let column = match (vars.next(), vars.next()) {
            (Some(var), None) => table.column(var),
            _ => None,
        };
        let (mut rows, mut unknown) = (Vec::new(), Vec::new());
        let mut note = |block: Range<u32>, truth| match truth {
            Truth::True => rows.extend(block),
            Truth::Unknown => unknown.extend(block),
            Truth::False | Truth::Error => {}
        };
        let height = table.height()?;
        match column {
            // Equal values stand together.
            Some(column) if table.sorted_by == condition.vars.iter().next() => {
                let mut row = 0;
                for run in column.numbers.chunk_by(|one, other| one == other) {
                    self.ticks.tick(TESTED + run.len())?;
                    let end = row + run.len();
                    note(row as u32..end as u32, test(row));
                    row = end;
                }
            }
            Some(column) => {
                let mut truths = Truths::of(&column.numbers);
                for (row, number) in (0..height).zip(&column.numbers) {
                    let truth = truths.get(*number, || {
                        self.ticks.tick(TESTED)?;
                        Ok(test(row as usize))
                    })?;
                    note(row..row + 1, truth);
                    if (row as usize).is_multiple_of(BLOCK) {
                        self.ticks.tick(BLOCK)?;
                    }
                }
            }
            None => {
                for row in 0..height {
                    self.ticks.tick(TESTED)?;
                    note(row..row + 1, test(row as usize));
                }
            }
        }
        Ok((rows, unknown))
    }

    /// The rows for which `spareval` finds a condition true.
    fn asked(&self, condition: &Condition, table: &Table) -> Result<Vec<u32>, Unfit> {
        // `!!` gives the effective boolean value.
        let not = |expression| Expression::Not(Box::new(expression));
        let truth = Condition { expression: not(not(condition.expression.clone())), ..condition.clone() };
        let values = self.values_of(&truth, table)?;
        let truth = |number: &Number| {
            TermId::of_number(*number).is_some_and(|id| match self.view.expression_term(id) {
                ExpressionTerm::BooleanLiteral(value) => value.into(),
                _ => false,
            })
        };
        let distinct = Distinct::of(&[&values], table.rows, &self.ticks)?;
        let first = &distinct.first;
        let is_true = self.ticks.collect(first.len(), 16, |at| truth(&values.numbers[first[at] as usize]))?;
        let mut rows = Vec::new();
        for (row, place) in (0..table.height()?).zip(&distinct.place) {
            self.ticks.tick(1)?;
            if is_true[*place as usize] {
                rows.push(row);
            }
        }
        Ok(rows)
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
        let constant = match &value.expression {
            Expression::NamedNode(node) => Some(node.clone().into()),
            Expression::Literal(literal) => Some(literal.clone().into()),
            _ => None,
        };
        if let Some(term) = constant {
            return Ok(Column::bound(vec![number(known(self.view, term)); table.rows]));
        }
        let columns: Vec<&Column> = value.vars.iter().filter_map(|var| table.column(var)).collect();
        let distinct = Distinct::of(&columns, table.rows, &self.ticks)?;
        let mut rows = Table { rows: distinct.first.len(), ..Table::default() };
        for (var, column) in table.columns.iter().filter(|(var, _)| value.vars.has(*var)) {
            rows.columns.push((*var, column.gathered(&distinct.first, &self.ticks)?));
        }
        let values = match self.known_values(&value.expression, &rows)? {
            Some(values) => values,
            None => self.values_of_distinct(&value.expression, &rows)?,
        };
        Ok(Column::of(self.of_rows(&values, &distinct.place)?))
    }

    /// The values of rows, which are given by their places among the distinct ones.
    fn of_rows(&self, values: &[Number], places: &[u32]) -> Result<Vec<Number>, Unfit> {
        self.ticks.collect(places.len(), 2, |row| values[places[row] as usize])
    }

    /// The value of an expression in each of some distinct rows. Parts of it whose values are known here become columns.
    fn values_of_distinct(&self, expression: &Expression, table: &Table) -> Result<Vec<Number>, Unfit> {
        let mut expression = expression.clone();
        let mut columns = Vec::new();
        self.replace_known(&mut expression, table, &mut columns)?;
        let mut used = HashSet::new();
        mentioned_by_expression(&expression, &mut used);
        let own = table.columns.iter().map(|(var, column)| (self.names[*var].clone(), column.clone()));
        columns.extend(own.filter(|(name, _)| used.contains(name)));
        let all: Vec<&Column> = columns.iter().map(|(_, column)| column).collect();
        let distinct = Distinct::of(&all, table.rows, &self.ticks)?;
        let mut values = vec![0; distinct.first.len()];
        // Rows that leave other variables without a value are other questions.
        let mut masks: HashMap<Vec<bool>, Vec<usize>> = HashMap::new();
        for (place, row) in distinct.first.iter().enumerate() {
            self.ticks.tick(8)?;
            let mask = all.iter().map(|column| column.numbers[*row as usize] != 0).collect();
            masks.entry(mask).or_default().push(place);
        }
        for (mask, places) in masks {
            let bound = || columns.iter().zip(&mask).filter(|(_, is_bound)| **is_bound).map(|(own, _)| own);
            let row = |place: &usize| distinct.first[*place] as usize;
            let numbers =
                places.iter().flat_map(|place| bound().map(move |(_, own)| own.numbers[row(place)]));
            let names: Vec<&Variable> = bound().map(|(name, _)| name).collect();
            let asked = self.evaluated(&expression, &names, numbers.collect(), places.len())?;
            places.into_iter().zip(asked).for_each(|(place, value)| values[place] = value);
        }
        self.of_rows(&values, &distinct.place)
    }

    /// Replaces the parts of an expression whose values are known here by variables with these.
    fn replace_known(
        &self,
        expression: &mut Expression,
        table: &Table,
        columns: &mut Vec<(Variable, Column)>,
    ) -> Result<(), Unfit> {
        for operand in operands_mut(expression) {
            match self.known_values(operand, table)? {
                Some(values) => {
                    let name = Variable::new_unchecked(format!("{PART}{}", columns.len()));
                    *operand = name.clone().into();
                    columns.push((name, Column::of(values)));
                }
                None => self.replace_known(operand, table, columns)?,
            }
        }
        Ok(())
    }

    /// The values of an expression over numbers, kinds and texts of terms; none where more decides any of them.
    fn known_values(&self, expression: &Expression, table: &Table) -> Result<Option<Vec<Number>>, Unfit> {
        if let Some(integers) = self.integers(expression, table)? {
            return Ok(Some(integers));
        }
        let Some(test) = self.test(expression, table) else { return Ok(None) };
        let [no, yes] = [false, true].map(|truth| number(self.view.intern(Literal::from(truth).into())));
        let value = |row| match test(row) {
            Truth::True => Some(yes),
            Truth::False => Some(no),
            Truth::Error => Some(0),
            Truth::Unknown => None,
        };
        Ok(self.ticks.collect(table.rows, TESTED, value)?.into_iter().collect())
    }

    /// The value of an expression for each combination of values of some variables, of which there are `count`.
    fn evaluated(
        &self,
        expression: &Expression,
        names: &[&Variable],
        numbers: Vec<Number>,
        count: usize,
    ) -> Result<Vec<Number>, Unfit> {
        let mut values = vec![0; count];
        let width = names.len();
        let rows = Rows { view: self.view.clone(), numbers: numbers.into(), width, integers: Rc::default() };
        let [row, value] = [ROW, VALUE].map(Variable::new_unchecked);
        let inner = GraphPattern::Extend {
            inner: Box::new(pattern_of_rows(&row, names.iter().copied())),
            variable: value.clone(),
            expression: expression.clone(),
        };
        // One pattern has its solutions in the order of the rows; joins need not.
        let shown = if width > 1 { vec![value, row] } else { vec![value] };
        let pattern = GraphPattern::Project { inner: Box::new(inner), variables: shown };
        let mut query = Query::Select { dataset: None, pattern, base_iri: self.base.cloned() };
        if deviates(&query) {
            put_right(&mut query, &rows);
        }
        let evaluation = self.evaluation.clone().with_written(rows.written());
        let (results, _) = evaluation.evaluate(&query, rows)?;
        let Evaluated::Solutions(solutions) = results else { return Err(Unfit::NotTaken) };
        for (place, solution) in solutions.enumerate() {
            self.ticks.tick(TESTED)?;
            let solution = solution.map_err(|error| explain_error(error, &self.evaluation.deadline))?;
            let place = match solution.get(1).and_then(number_of_term) {
                Some(row) => row as usize - 1,
                None => place,
            };
            values[place] = solution.get(0).and_then(number_of_term).unwrap_or(0);
        }
        Ok(values)
    }
}

/// An array of truths is made over numbers up to this many times the rows.
const DENSE: usize = 32;

/// What is known of a condition, by the number of the value.
enum Truths {
    /// 0 is not known yet.
    Dense(Vec<u8>),
    Few(HashMap<Number, Truth, RandomState>),
}

impl Truths {
    fn of(numbers: &[Number]) -> Self {
        let highest = numbers.iter().copied().max().unwrap_or(0) as usize;
        match highest <= numbers.len().saturating_mul(DENSE) {
            true => Self::Dense(vec![0; highest + 1]),
            false => Self::Few(HashMap::default()),
        }
    }

    #[inline]
    fn get(&mut self, number: Number, test: impl FnOnce() -> Result<Truth, Unfit>) -> Result<Truth, Unfit> {
        const TRUTHS: [Truth; 4] = [Truth::True, Truth::False, Truth::Error, Truth::Unknown];
        match self {
            Self::Dense(truths) => {
                let known = &mut truths[number as usize];
                if *known == 0 {
                    *known = test()? as u8 + 1;
                }
                Ok(TRUTHS[usize::from(*known - 1)])
            }
            Self::Few(truths) => match truths.get(&number) {
                Some(truth) => Ok(*truth),
                None => Ok(*truths.entry(number).insert_entry(test()?).get()),
            },
        }
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
    /// The values, row by row.
    numbers: Rc<[Number]>,
    width: usize,
    /// The terms of integers, of which many expressions have the same few.
    integers: Rc<RefCell<HashMap<i64, TermId>>>,
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
        let (numbers, width, object) = (Rc::clone(&self.numbers), self.width, object.copied());
        let rows = match subject {
            Some(row) => row.index()..row.index() + 1,
            None => 1..numbers.len() / width.max(1) + 1,
        };
        let column = predicate.filter(|_| graph_name == Some(None)).map(|id| (*id, COLUMNS - id.index()));
        let column = column.filter(|(_, column)| *column < width);
        let quads = column.into_iter().flat_map(move |(predicate, column)| {
            let numbers = Rc::clone(&numbers);
            rows.clone().filter_map(move |row| {
                let subject = TermId::from_index(row);
                let object = TermId::of_number(*numbers.get((row - 1) * width + column)?)?;
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
        let ExpressionTerm::IntegerLiteral(value) = term else {
            return self.view.internalize_expression_term(term);
        };
        if let Some(id) = self.integers.borrow().get(&i64::from(value)) {
            return Ok(*id);
        }
        let id = self.view.internalize_expression_term(term)?;
        self.integers.borrow_mut().insert(value.into(), id);
        Ok(id)
    }

    fn internal_term_effective_boolean_value(&self, term: TermId) -> Result<Option<bool>, Infallible> {
        self.view.internal_term_effective_boolean_value(term)
    }
}
