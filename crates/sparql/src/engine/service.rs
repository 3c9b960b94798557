//! SERVICE (SPARQL 1.1 Federated Query): the answer of a service is a table, which is joined like any other. If a
//! variable names the service, each service that the neighbouring patterns bind to the variable is asked.
//! `PlanEvaluator` is defined in `plan_evaluator.rs`. `QueryPlanner` is defined in `query_plan.rs`. `AlgebraNode` is
//! defined in `node.rs`.

use std::rc::Rc;

use oxrdf::{Term, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::NamedNodePattern;

use super::distinct::DistinctRows;
use super::limits::SolutionTableError;
use super::node::{AlgebraNode, ServicePattern};
use super::plan_evaluator::{PlanEvaluator, known};
use super::quad_pattern::PatternTerm;
use super::query_plan::QueryPlanner;
use super::seeds::seed_of;
use super::solution_table::{SolutionColumn, SolutionTable, VariableNumber, VariableSet, number};
use crate::environment::{EvaluationError, question_for};
use crate::evaluate::{unbound_service, unknown_service};
use evalgraph_diagnostics::Diagnostic;

impl QueryPlanner<'_, '_> {
    /// Plans SERVICE.
    pub(super) fn service(
        &mut self,
        name: &NamedNodePattern,
        pattern: &GraphPattern,
        is_silent: bool,
    ) -> Option<AlgebraNode> {
        let name = match name {
            NamedNodePattern::NamedNode(name) => self.constant(name.clone().into()),
            NamedNodePattern::Variable(name) => PatternTerm::Variable(self.var(name)?),
        };
        let (query, variables) = question_for(pattern, self.base);
        let column = |planner: &mut Self, variable: Variable| Some((planner.var(&variable)?, variable));
        let columns = variables.into_iter().map(|variable| column(self, variable)).collect::<Option<_>>()?;
        Some(AlgebraNode::Service(ServicePattern { name, query: Rc::new(query), columns, is_silent }))
    }
}

impl AlgebraNode {
    /// The variable that names the service. It needs a value from the neighbouring patterns.
    pub(super) fn asks(&self) -> Option<VariableNumber> {
        match self {
            Self::Service(service) => service.name.var(),
            Self::Filter(inner, _) | Self::Extend(inner, ..) => inner.asks(),
            _ => None,
        }
    }
}

impl PlanEvaluator<'_, '_> {
    /// The values of a table with which a node begins. If a variable names the service, all its values are included.
    pub(super) fn seed_for(
        &self,
        node: &AlgebraNode,
        table: &SolutionTable,
    ) -> Result<Option<SolutionTable>, SolutionTableError> {
        let Some(var) = node.asks() else { return seed_of(table, node.vars(), &self.ticks) };
        let Some(column) = table.column(var) else { return Ok(None) };
        let names =
            column.gathered(&DistinctRows::new(&[column], table.rows, &self.ticks)?.first, &self.ticks)?;
        Ok(Some(SolutionTable { rows: names.numbers.len(), columns: vec![(var, names)], sorted_by: None }))
    }

    /// The solutions of a service.
    pub(super) fn service(
        &self,
        service: &ServicePattern,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let var = match service.name {
            PatternTerm::Constant(name) => return self.answer_of(service, self.view.term(name), wanted),
            PatternTerm::Variable(var) => var,
        };
        let mut all = SolutionTable::empty(service.vars().both(wanted));
        let Some(names) = seed.and_then(|seed| seed.column(var)) else {
            return match service.is_silent {
                true => Ok(SolutionTable::unit()),
                false => Err(SolutionTableError::Failed(Box::new(unbound_service()))),
            };
        };
        for name in &names.numbers {
            let mut table = match evalgraph_store::TermId::of_number(*name) {
                Some(id) => {
                    self.answer_of(service, self.view.term(id), wanted.and(VariableSet::from_numbers([var])))?
                }
                None if service.is_silent => SolutionTable::unit(),
                None => return Err(SolutionTableError::Failed(Box::new(unbound_service()))),
            };
            if let Some(own) = table.numbers(var) {
                // The pattern also contains the variable.
                let rows = (0_u32..).zip(own).filter(|(_, own)| [0, *name].contains(own)).map(|(row, _)| row);
                table = table.filtered(&rows.collect::<Vec<_>>(), &self.ticks)?;
            }
            table.set(var, SolutionColumn::from_numbers(vec![*name; table.rows]));
            table.keep(wanted);
            all.append(&table, &self.ticks)?;
        }
        Ok(all)
    }

    /// The answer of the named service. If it fails and is SILENT, one empty solution.
    fn answer_of(
        &self,
        service: &ServicePattern,
        name: Term,
        wanted: VariableSet,
    ) -> Result<SolutionTable, SolutionTableError> {
        match self.ask(service, name) {
            Ok(mut table) => {
                table.keep(wanted);
                Ok(table)
            }
            Err(_) if service.is_silent => Ok(SolutionTable::unit()),
            Err(error) => Err(SolutionTableError::Failed(error)),
        }
    }

    fn ask(&self, service: &ServicePattern, name: Term) -> Result<SolutionTable, EvaluationError> {
        let Term::NamedNode(name) = name else {
            let message = format!("SERVICE names `{name}`, which is not an IRI");
            return Err(Box::new(Diagnostic::error("sparql::service", message)));
        };
        let Some(services) = self.evaluation.services() else {
            return Err(Box::new(unknown_service(name.as_str())));
        };
        let answer = services.select(name.as_str(), &service.query)?;
        let mut table = SolutionTable { rows: answer.rows.len(), ..SolutionTable::default() };
        for (var, variable) in &service.columns {
            let Some(place) = answer.variables.iter().position(|own| own == variable) else { continue };
            let value = |row: &Vec<Option<Term>>| {
                row.get(place)
                    .and_then(Option::as_ref)
                    .map_or(0, |term| number(known(self.view, term.clone())))
            };
            table.set(*var, SolutionColumn::from_numbers(answer.rows.iter().map(value).collect()));
        }
        Ok(table)
    }
}
