//! Constraints, components and targets in SPARQL (SHACL, sections 5 and 6): their queries are evaluated with the focus
//! node bound.
//!
//! `ShapeEvaluation` is defined in `evaluation.rs`.

use oxrdf::{Literal, Term};

use super::bindings::{SolutionBindings, bindings_of, borrowed, shape_bindings};
use super::evaluation::{ConstraintCase, ShapeEvaluation, ValidationStop};
use super::result::{CheckFindings, ResultSolution};
use super::shape::{AppliedComponent, SparqlConstraint, SparqlTarget};
use super::shapes_graph::shown;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_sparql::PreboundQuery;
use evalgraph_store::TermId;

impl ShapeEvaluation<'_, '_, '_> {
    /// The bindings that every query of a case has.
    fn bindings(&self, case: &ConstraintCase<'_>, more: &[(String, Term)]) -> SolutionBindings {
        let mut bindings = more.to_vec();
        bindings.push(("this".to_owned(), self.plan.terms.term(case.focus)));
        bindings.extend(shape_bindings(self.plan, case.shape));
        bindings
    }

    pub(super) fn check_sparql(
        &mut self,
        case: &ConstraintCase<'_>,
        constraint: &SparqlConstraint,
        findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        self.check_select(case, &constraint.query, &[], findings)
    }

    /// Checks a focus node against a SELECT. Each of its solutions is a failure.
    fn check_select(
        &mut self,
        case: &ConstraintCase<'_>,
        query: &PreboundQuery,
        more: &[(String, Term)],
        findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        let known = self.answers.solutions_for(case.shape, case.constraint, case.focus);
        if known.is_some_and(<[SolutionBindings]>::is_empty) {
            return Ok(true);
        }
        let bindings = self.bindings(case, more);
        if let Some(solutions) = known {
            return self.take_solutions(case, solutions, &bindings, findings);
        }
        let solutions = self.select(query, &bindings)?;
        self.take_solutions(case, &solutions, &bindings, findings)
    }

    fn select(
        &self,
        query: &PreboundQuery,
        bindings: &[(String, Term)],
    ) -> Result<Vec<SolutionBindings>, ValidationStop> {
        let solutions = query.select(self.view.clone(), &borrowed(bindings), self.cancellation)?;
        Ok(solutions.iter().map(bindings_of).collect())
    }

    pub(super) fn check_component(
        &mut self,
        case: &ConstraintCase<'_>,
        component: &AppliedComponent,
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        if !component.is_ask {
            return self.check_select(case, &component.query, &component.bindings, findings);
        }
        let mut conforms = true;
        for place in case.values.clone() {
            let value = self.values[place];
            let known = self.answers.accepts(case.shape, case.constraint, case.focus, value);
            if known == Some(true) {
                continue;
            }
            let mut bindings = self.bindings(case, &component.bindings);
            bindings.push(("value".to_owned(), self.plan.terms.term(value)));
            let is_accepted = match known {
                Some(known) => known,
                None => component.query.ask(self.view.clone(), &borrowed(&bindings), self.cancellation)?,
            };
            if !is_accepted {
                let solution = ResultSolution { message: None, bindings };
                conforms = case.fail_by(Some(value), None, solution, &mut findings);
                if !findings.wants_all() {
                    break;
                }
            }
        }
        Ok(conforms)
    }

    /// Turns each solution into a result (section 5.3.2).
    fn take_solutions(
        &self,
        case: &ConstraintCase<'_>,
        solutions: &[SolutionBindings],
        bound: &[(String, Term)],
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        if solutions
            .iter()
            .flatten()
            .any(|binding| *binding == ("failure".to_owned(), Literal::from(true).into()))
        {
            return Err(self.failure(case));
        }
        self.plan.count_solutions(solutions.len())?;
        let mut conforms = true;
        for solution in solutions {
            let of = |name: &str| solution.iter().find(|(known, _)| known == name).map(|(_, term)| term);
            let default = case.of.path.is_none().then_some(case.focus);
            let value = of("value").map(|term| self.plan.terms.of_query(term)).or(default);
            let path =
                of("path").filter(|term| term.is_named_node()).map(|term| self.plan.terms.of_query(term));
            let message = match of("message") {
                Some(Term::Literal(literal)) => Some(literal.clone()),
                _ => None,
            };
            let rest = bound.iter().filter(|(name, _)| of(name).is_none()).cloned().collect::<Vec<_>>();
            let bindings = solution.iter().cloned().chain(rest).collect();
            conforms = case.fail_by(value, path, ResultSolution { message, bindings }, &mut findings);
            if !findings.wants_all() {
                break;
            }
        }
        Ok(conforms)
    }

    fn failure(&self, case: &ConstraintCase<'_>) -> ValidationStop {
        let [shape, focus] = [&case.of.node, &self.plan.terms.term(case.focus)].map(shown);
        let message = format!("a query of {shape} returned `?failure` for {focus}");
        Box::new(Diagnostic::error("shacl::failure", message))
    }

    /// The nodes that a target in SPARQL chooses.
    pub(super) fn select_target(&mut self, target: &SparqlTarget) -> Result<Vec<TermId>, ValidationStop> {
        let solutions = self.select(&target.query, &target.bindings)?;
        let this = |solution: SolutionBindings| solution.into_iter().find(|(name, _)| name == "this");
        Ok(solutions.into_iter().filter_map(this).map(|(_, term)| self.plan.terms.of_query(&term)).collect())
    }
}
