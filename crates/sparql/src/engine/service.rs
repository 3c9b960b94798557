//! SERVICE (SPARQL 1.1 Federated Query): the answer of a service is a table, which is joined as others are. A service that a variable
//! names is asked for each value that the patterns beside it give the variable.

use std::rc::Rc;

use oxrdf::{Term, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::NamedNodePattern;

use super::context::{Engine, known};
use super::distinct::Distinct;
use super::limits::Unfit;
use super::node::{Node, Service};
use super::plan::Planner;
use super::quad_pattern::Slot;
use super::seeds::seed_of;
use super::table::{Column, Table, Var, Vars, number};
use crate::environment::{EvaluationError, question_for};
use crate::evaluate::{unbound_service, unknown_service};
use evalgraph_diagnostics::Diagnostic;

impl Planner<'_, '_> {
    /// The solutions that a service has for a pattern.
    pub(super) fn service(
        &mut self,
        name: &NamedNodePattern,
        pattern: &GraphPattern,
        is_silent: bool,
    ) -> Option<Node> {
        let name = match name {
            NamedNodePattern::NamedNode(name) => self.constant(name.clone().into()),
            NamedNodePattern::Variable(name) => Slot::Variable(self.var(name)?),
        };
        let (query, variables) = question_for(pattern, self.base);
        let column = |planner: &mut Self, variable: Variable| Some((planner.var(&variable)?, variable));
        let columns = variables.into_iter().map(|variable| column(self, variable)).collect::<Option<_>>()?;
        Some(Node::Service(Service { name, query: Rc::new(query), columns, is_silent }))
    }
}

impl Node {
    /// The variable that names a service, and needs a value from the patterns beside it.
    pub(super) fn asks(&self) -> Option<Var> {
        match self {
            Self::Service(service) => service.name.var(),
            Self::Filter(inner, _) | Self::Extend(inner, ..) => inner.asks(),
            _ => None,
        }
    }
}

impl Engine<'_, '_> {
    /// The values of a table with which a node begins; all of those that name the services that it asks.
    pub(super) fn seed_for(&self, node: &Node, table: &Table) -> Result<Option<Table>, Unfit> {
        let Some(var) = node.asks() else { return seed_of(table, node.vars(), &self.ticks) };
        let Some(column) = table.column(var) else { return Ok(None) };
        let names = column.gathered(&Distinct::of(&[column], table.rows, &self.ticks)?.first, &self.ticks)?;
        Ok(Some(Table { rows: names.numbers.len(), columns: vec![(var, names)], sorted_by: None }))
    }

    /// The solutions that a service has.
    pub(super) fn service(
        &self,
        service: &Service,
        wanted: Vars,
        seed: Option<&Table>,
    ) -> Result<Table, Unfit> {
        let var = match service.name {
            Slot::Constant(name) => return self.answer_of(service, self.view.term(name), wanted),
            Slot::Variable(var) => var,
        };
        let mut all = Table::empty(service.vars().both(wanted));
        let Some(names) = seed.and_then(|seed| seed.column(var)) else {
            return match service.is_silent {
                true => Ok(Table::unit()),
                false => Err(Unfit::Failed(Box::new(unbound_service()))),
            };
        };
        for name in &names.numbers {
            let mut table = match evalgraph_store::TermId::of_number(*name) {
                Some(id) => self.answer_of(service, self.view.term(id), wanted.and(Vars::of([var])))?,
                None if service.is_silent => Table::unit(),
                None => return Err(Unfit::Failed(Box::new(unbound_service()))),
            };
            if let Some(own) = table.numbers(var) {
                // The pattern has the variable, too.
                let rows = (0_u32..).zip(own).filter(|(_, own)| [0, *name].contains(own)).map(|(row, _)| row);
                table = table.filtered(&rows.collect::<Vec<_>>(), &self.ticks)?;
            }
            table.set(var, Column::of(vec![*name; table.rows]));
            table.keep(wanted);
            all.append(&table, &self.ticks)?;
        }
        Ok(all)
    }

    /// The answer of the service with a name; one empty solution where that is silent about a fault.
    fn answer_of(&self, service: &Service, name: Term, wanted: Vars) -> Result<Table, Unfit> {
        match self.ask(service, name) {
            Ok(mut table) => {
                table.keep(wanted);
                Ok(table)
            }
            Err(_) if service.is_silent => Ok(Table::unit()),
            Err(error) => Err(Unfit::Failed(error)),
        }
    }

    fn ask(&self, service: &Service, name: Term) -> Result<Table, EvaluationError> {
        let Term::NamedNode(name) = name else {
            let message = format!("SERVICE names `{name}`, which is not an IRI");
            return Err(Box::new(Diagnostic::error("sparql::service", message)));
        };
        let Some(services) = self.evaluation.services() else {
            return Err(Box::new(unknown_service(name.as_str())));
        };
        let answer = services.select(name.as_str(), &service.query)?;
        let mut table = Table { rows: answer.rows.len(), ..Table::default() };
        for (var, variable) in &service.columns {
            let Some(place) = answer.variables.iter().position(|own| own == variable) else { continue };
            let value = |row: &Vec<Option<Term>>| {
                row.get(place)
                    .and_then(Option::as_ref)
                    .map_or(0, |term| number(known(self.view, term.clone())))
            };
            table.set(*var, Column::of(answer.rows.iter().map(value).collect()));
        }
        Ok(table)
    }
}
