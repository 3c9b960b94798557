//! EXISTS anywhere in an expression, and other parts of expressions whose values are computed separately. Each part has
//! its own variable, which the expression reads. `PlanEvaluator` is defined in `plan_evaluator.rs`. `QueryPlanner` is
//! defined in `query_plan.rs`.

use std::collections::HashSet;

use oxrdf::vocab::xsd;
use oxrdf::{BlankNode, Literal, NamedNode, Term, Variable};
use oxsdatatypes::DateTime;
use spargebra::algebra::{Expression, Function, GraphPattern};

use super::distinct::DistinctRows;
use super::given_values::GivenValues;
use super::graphs::{GraphDependence, form};
use super::join::{pairs, semi, united};
use super::limits::SolutionTableError;
use super::node::{AlgebraNode, ExistsPattern, ExistsStrategy, PlaceholderValue, PlannedExpression};
use super::plan_evaluator::PlanEvaluator;
use super::quad_pattern::{PatternGraph, PatternTerm};
use super::query_plan::QueryPlanner;
use super::solution_table::{
    BindingNumber, SolutionColumn, SolutionTable, VariableNumber, VariableSet, number,
};
use crate::algebra::bindings::is_semi_join;
use crate::algebra::{any, is_nullable, mentioned, mentioned_by_expression, operands_mut};
use crate::evaluate::unknown_function;
use crate::expression::functions::OWN_FUNCTIONS;
use crate::expression::is_cast;
use evalgraph_rdf::vocabulary::{EVALGRAPH_FUNCTION, evaluator};

/// Marks a variable that only needs to have some value.
const PRESENT: BindingNumber = 1;

impl QueryPlanner<'_, '_> {
    /// Plans an expression as a condition over the solutions of some patterns, which are joined.
    pub(super) fn condition(
        &mut self,
        expression: &Expression,
        outer: &[&GraphPattern],
        scope: PatternGraph,
    ) -> Option<PlannedExpression> {
        let mut found = HashSet::new();
        mentioned_by_expression(expression, &mut found);
        let mut condition = PlannedExpression {
            expression: expression.clone(),
            vars: self.vars(found.iter())?,
            parts: Vec::new(),
        };
        self.take_parts(&mut condition.expression, outer, scope, &mut condition.parts)?;
        for (var, part) in &condition.parts {
            condition.vars = condition.vars.and(VariableSet::from_numbers([*var]));
            if let PlaceholderValue::Exists(exists) = part {
                condition.vars = condition.vars.and(exists.vars);
            }
        }
        Some(condition)
    }

    /// Replaces the parts of an expression whose values are computed separately with variables.
    fn take_parts(
        &mut self,
        expression: &mut Expression,
        outer: &[&GraphPattern],
        scope: PatternGraph,
        parts: &mut Vec<(VariableNumber, PlaceholderValue)>,
    ) -> Option<()> {
        for operand in operands_mut(expression) {
            self.take_parts(operand, outer, scope, parts)?;
        }
        match expression {
            Expression::Exists(pattern) => {
                let (var, exists) = (self.fresh()?, self.exists(pattern, outer, scope)?);
                parts.push((var, PlaceholderValue::Exists(exists)));
                *expression = Expression::Bound(self.name(var));
            }
            Expression::FunctionCall(Function::Now, _) => {
                let now = *self.now.get_or_insert_with(DateTime::now);
                *expression = Literal::new_typed_literal(now.to_string(), xsd::DATE_TIME).into();
            }
            Expression::FunctionCall(Function::BNode, arguments) if !arguments.is_empty() => {
                let mark = self.fresh_part(Function::StrUuid, parts)?;
                let name = NamedNode::new_unchecked(evaluator::BLANK_NODE_OF_SOLUTION);
                arguments.insert(0, mark.into());
                *expression = Expression::FunctionCall(Function::Custom(name), std::mem::take(arguments));
            }
            Expression::FunctionCall(
                function @ (Function::Rand | Function::Uuid | Function::StrUuid | Function::BNode),
                _,
            ) => *expression = self.fresh_part(function.clone(), parts)?.into(),
            Expression::FunctionCall(Function::Custom(name), _) if !is_known(name) => {
                self.refusal = Some(unknown_function(name));
                return None;
            }
            _ => {}
        }
        Some(())
    }

    fn fresh_part(
        &mut self,
        function: Function,
        parts: &mut Vec<(VariableNumber, PlaceholderValue)>,
    ) -> Option<Variable> {
        let var = self.fresh()?;
        parts.push((var, PlaceholderValue::Fresh(function)));
        Some(self.name(var))
    }

    /// EXISTS over the solutions of some patterns.
    pub(super) fn exists(
        &mut self,
        pattern: &GraphPattern,
        outer: &[&GraphPattern],
        scope: PatternGraph,
    ) -> Option<ExistsPattern> {
        let mut found = HashSet::new();
        mentioned(pattern, &mut found);
        let vars = self.vars(found.iter())?.and(VariableSet::from_numbers(scope.and_then(PatternTerm::var)));
        // A term that is put into a path of length zero is its end, even if it is not a node of the graph.
        let has_zero =
            any(pattern, &|pattern| matches!(pattern, GraphPattern::Path { path, .. } if is_nullable(path)));
        let node = self.node(pattern, scope)?;
        let is_by_graph = scope
            .and_then(PatternTerm::var)
            .is_some_and(|graph| form(&node, graph) == GraphDependence::ByGraph);
        let (node, way) = match () {
            () if has_zero || is_by_graph => (node, ExistsStrategy::ForEach),
            () if is_semi_join(outer, pattern) => (node, ExistsStrategy::SemiJoin),
            () => match pattern {
                GraphPattern::Filter { expr, inner } if is_semi_join(outer, inner) => {
                    let both: Vec<&GraphPattern> = outer.iter().copied().chain([inner.as_ref()]).collect();
                    let condition = self.condition(expr, &both, scope)?;
                    (self.node(inner, scope)?, ExistsStrategy::SemiJoinIf(Box::new(condition)))
                }
                _ => (node, ExistsStrategy::ForEach),
            },
        };
        Some(ExistsPattern { pattern: Box::new(node), vars, way })
    }
}

impl PlanEvaluator<'_, '_> {
    /// Adds columns with the values of the parts of a condition to a table.
    pub(super) fn with_parts(
        &self,
        condition: &PlannedExpression,
        mut table: SolutionTable,
    ) -> Result<SolutionTable, SolutionTableError> {
        // Given values come first, since the other parts read them.
        let (given, others): (Vec<_>, Vec<_>) =
            condition.parts.iter().partition(|(_, part)| matches!(part, PlaceholderValue::Given(_)));
        for (var, part) in given.into_iter().chain(others) {
            let column = match part {
                PlaceholderValue::Given(value) => SolutionColumn::bound(vec![*value; table.rows]),
                PlaceholderValue::Fresh(function) => {
                    let value = |_| number(self.view.intern(fresh(function)));
                    SolutionColumn::bound(self.ticks.collect(table.rows, 64, value)?)
                }
                PlaceholderValue::Exists(exists) => SolutionColumn::from_numbers(self.marks(exists, &table)?),
            };
            table.set(*var, column);
        }
        Ok(table)
    }

    /// Marks the rows for which EXISTS is true with a number.
    fn marks(
        &self,
        exists: &ExistsPattern,
        table: &SolutionTable,
    ) -> Result<Vec<BindingNumber>, SolutionTableError> {
        let mut marks = vec![0; table.rows];
        if table.rows == 0 {
            return Ok(marks);
        }
        let joined = match &exists.way {
            ExistsStrategy::SemiJoin => Some(self.semi_joined(exists, table)?),
            ExistsStrategy::SemiJoinIf(condition) => match self.joined_if(exists, condition, table) {
                Ok(rows) => Some(rows),
                // The join has too many solutions.
                Err(SolutionTableError::TooLarge(_)) => None,
                Err(unfit) => return Err(unfit),
            },
            ExistsStrategy::ForEach => None,
        };
        if let Some(rows) = joined {
            rows.into_iter().for_each(|row| marks[row as usize] = PRESENT);
            return Ok(marks);
        }
        let whole = match &exists.way {
            ExistsStrategy::SemiJoinIf(condition) => {
                AlgebraNode::Filter(exists.pattern.clone(), condition.as_ref().clone())
            }
            _ => exists.pattern.as_ref().clone(),
        };
        let known = table.columns.iter().filter(|(var, _)| exists.vars.has(*var));
        let known: Vec<_> = known.collect();
        let columns: Vec<&SolutionColumn> = known.iter().map(|(_, column)| column).collect();
        let distinct = DistinctRows::new(&columns, table.rows, &self.ticks)?;
        let label = || format!("EXISTS, for each of {} combinations of values", distinct.first.len());
        let found = self.step(label, None, || {
            let mut found = Vec::new();
            for (place, row) in (0_u32..).zip(&distinct.first) {
                let values = known.iter().map(|(var, column)| (*var, column.numbers[*row as usize]));
                let given = GivenValues::new(values.filter(|(_, value)| *value != 0));
                if self.has_solution(&whole.with(&given))? {
                    found.push(place);
                }
            }
            Ok(SolutionTable {
                rows: found.len(),
                columns: vec![(0, SolutionColumn::bound(found))],
                sorted_by: None,
            })
        })?;
        let mut is_found = vec![0; distinct.first.len()];
        for place in found.numbers(0).unwrap_or_default() {
            is_found[*place as usize] = PRESENT;
        }
        for (mark, place) in marks.iter_mut().zip(&distinct.place) {
            *mark = is_found[*place as usize];
        }
        Ok(marks)
    }

    fn semi_joined(
        &self,
        exists: &ExistsPattern,
        table: &SolutionTable,
    ) -> Result<Vec<u32>, SolutionTableError> {
        let shared = table.vars().both(exists.pattern.vars());
        let found = self.run_with(&exists.pattern, shared, table)?;
        semi(table, &found, true, false, &self.ticks)
    }

    /// The rows that have a compatible solution of the pattern for which a condition on both is true. A row may be
    /// repeated.
    fn joined_if(
        &self,
        exists: &ExistsPattern,
        condition: &PlannedExpression,
        table: &SolutionTable,
    ) -> Result<Vec<u32>, SolutionTableError> {
        let vars = exists.pattern.vars();
        let needed = table.vars().and(condition.vars).both(vars);
        let found = self.run_with(&exists.pattern, needed, table)?;
        let pairs = pairs(table, &found, &self.ticks)?;
        let both = united(table, &found, &pairs, condition.vars, &self.ticks)?;
        let both = self.with_parts(condition, both)?;
        let rows = self.rows_with(condition, &both)?;
        Ok(rows.into_iter().map(|row| pairs.left[row as usize]).collect())
    }

    fn has_solution(&self, pattern: &AlgebraNode) -> Result<bool, SolutionTableError> {
        self.ticks.tick(64)?;
        self.apart(|| Ok(self.some(pattern, VariableSet::default(), 1)?.rows > 0))
    }
}

/// Returns whether a function is a cast or one of evalgraph's functions.
fn is_known(name: &NamedNode) -> bool {
    let own = name.as_str().strip_prefix(EVALGRAPH_FUNCTION);
    // Names that only the program puts into queries begin with a dot.
    is_cast(name.as_ref())
        || own.is_some_and(|local| local.starts_with('.') || OWN_FUNCTIONS.contains(&local))
}

/// A new value for each solution.
fn fresh(function: &Function) -> Term {
    let node = BlankNode::default();
    let bits = node.as_ref().unique_id().unwrap_or_default();
    match function {
        Function::Rand => {
            /// The bits of a random number: a double has 2⁵³ values between one half and one.
            const VALUES: u32 = 53;
            #[expect(clippy::cast_precision_loss, reason = "the number has no more bits")]
            let value = (bits as u64 >> (u64::BITS - VALUES)) as f64 / (1_u64 << VALUES) as f64;
            Literal::from(value).into()
        }
        Function::Uuid => NamedNode::new_unchecked(format!("urn:uuid:{}", uuid(bits))).into(),
        Function::StrUuid => Literal::new_simple_literal(uuid(bits)).into(),
        _ => node.into(),
    }
}

/// A random UUID (RFC 4122, section 4.4).
fn uuid(bits: u128) -> String {
    let bits = bits & !(0xF << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let digits = format!("{bits:032x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_its_version_and_variant() {
        assert_eq!(uuid(0), "00000000-0000-4000-8000-000000000000");
        assert_eq!(uuid(u128::MAX), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }
}
