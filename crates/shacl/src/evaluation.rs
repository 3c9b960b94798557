//! Checks nodes against shapes: one evaluation per thread (SHACL, sections 3 and 4).

use std::ops::Range;

use super::bulk_answers::BulkAnswers;
use super::duplicates::DuplicateFocusNodes;
use super::ids::ShapeId;
use super::property_path::PropertyPath;
use super::result::{CheckFindings, ConstraintFinding, InnerFailures, ResultSolution};
use super::shape::{Constraint, ConstraintCheck, Shape};
use super::validation_plan::ValidationPlan;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::{DatasetView, PatternTriples, SubjectRun, TermId};
use evalgraph_work::CancellationToken;

/// How deep the evaluation of shapes within shapes may be nested.
const MAX_DEPTH: usize = 2_000;

/// How many checks of a node against a shape pass between two checks for cancellation.
const STEPS_AT_ONCE: u32 = 1 << 12;

/// The reason why a validation ends early.
pub(super) type ValidationStop = Box<Diagnostic>;

/// The evaluation of shapes over a dataset.
///
/// Other methods are in `checks.rs`, `details.rs`, `focus_nodes.rs`, `last_step.rs`, `list_checks.rs`,
/// `path_values.rs`, `property_pairs.rs`, `sparql_checks.rs` and `unique_values.rs`.
pub(super) struct ShapeEvaluation<'p, 's, 'd> {
    pub(super) plan: &'p ValidationPlan<'s, 'd>,
    pub(super) view: DatasetView<'d>,
    pub(super) cancellation: &'p CancellationToken,
    pub(super) duplicates: &'p DuplicateFocusNodes,
    pub(super) answers: &'p BulkAnswers,
    /// The value nodes of the shapes that are being evaluated, as a stack.
    pub(super) values: Vec<TermId>,
    /// The nodes that are being checked against recursive shapes.
    asked: Vec<(ShapeId, TermId)>,
    depth: usize,
    /// How many times a node was checked against a shape.
    steps: u32,
    /// The triples of the subject that was last looked up.
    run: (Option<TermId>, SubjectRun<'d>),
    /// How many nodes were checked against each shape, by the number of the shape.
    pub(super) looked_at: Vec<u64>,
    pub(super) explaining: ExplanationBudget,
}

/// The limits for explaining a known failure.
#[derive(Debug, Default)]
pub(super) struct ExplanationBudget {
    /// How deeply nested the failure is that is being explained; none while results are being searched for.
    pub(super) level: usize,
    /// How many failures may still explain others.
    pub(super) room: usize,
}

/// A constraint that is checked for the value nodes of a focus node.
#[derive(Debug, Clone)]
pub(super) struct ConstraintCase<'s> {
    pub(super) shape: ShapeId,
    pub(super) of: &'s Shape,
    /// The index of the constraint among those of the shape.
    pub(super) constraint: usize,
    pub(super) check: &'s ConstraintCheck,
    pub(super) focus: TermId,
    /// The value nodes, as positions in [`ShapeEvaluation::values`].
    pub(super) values: Range<usize>,
}

impl<'p, 's, 'd> ShapeEvaluation<'p, 's, 'd> {
    pub(super) fn new(
        plan: &'p ValidationPlan<'s, 'd>,
        duplicates: &'p DuplicateFocusNodes,
        answers: &'p BulkAnswers,
        cancellation: &'p CancellationToken,
    ) -> Self {
        let (values, asked) = Default::default();
        let looked_at = vec![0; plan.shapes.shapes.len()];
        let (view, run) = (plan.view(), (None, SubjectRun::none()));
        let (depth, steps, explaining) = (0, 0, ExplanationBudget::default());
        Self {
            plan,
            view,
            cancellation,
            duplicates,
            answers,
            values,
            asked,
            depth,
            steps,
            run,
            looked_at,
            explaining,
        }
    }

    /// The triples of the data that match a pattern, each once. Terms that are not in the data match nothing.
    #[inline]
    pub(super) fn triples(
        &self,
        subject: Option<TermId>,
        predicate: Option<TermId>,
        object: Option<TermId>,
    ) -> PatternTriples<'d> {
        let is_of_data = |id: Option<TermId>| id.is_none_or(|id| self.plan.terms.is_of_data(id));
        if is_of_data(subject) && is_of_data(predicate) && is_of_data(object) {
            self.view.default_triples(subject, predicate, object)
        } else {
            PatternTriples::none()
        }
    }

    /// Looks up the triples of a subject. If several shapes in a row check the same node, its triples are looked up
    /// once.
    #[inline]
    fn look_up(&mut self, subject: TermId) {
        if self.run.0 != Some(subject) {
            let is_of_data = self.plan.terms.is_of_data(subject);
            let run = if is_of_data { self.view.subject_run(subject) } else { SubjectRun::none() };
            self.run = (Some(subject), run);
        }
    }

    /// Returns whether a node conforms to a shape.
    pub(super) fn conforms(&mut self, shape: ShapeId, node: TermId) -> Result<bool, ValidationStop> {
        if !self.plan.tests_node(shape) {
            return self.validate(shape, node, CheckFindings::Only);
        }
        self.note_look(shape);
        let constraints = &self.plan.shape(shape).constraints;
        Ok(constraints.iter().all(|constraint| self.is_allowed(&constraint.check, node)))
    }

    fn note_look(&mut self, shape: ShapeId) {
        self.looked_at[shape.index()] += u64::from(self.explaining.level == 0);
    }

    /// Checks a node against a shape, and returns whether it conforms.
    pub(super) fn validate(
        &mut self,
        id: ShapeId,
        focus: TermId,
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        let shape = self.plan.shape(id);
        if shape.is_deactivated {
            return Ok(true);
        }
        let is_recursive = self.plan.is_recursive(id);
        if is_recursive {
            // A node conforms to a shape that is already being checked for it, see `recursion.rs`.
            if self.asked.contains(&(id, focus)) {
                return Ok(true);
            }
            self.asked.push((id, focus));
        }
        if self.depth == MAX_DEPTH {
            let message = format!("shapes lead to shapes more than {MAX_DEPTH} times");
            return Err(Box::new(Diagnostic::error("shacl::depth", message)));
        }
        self.depth += 1;
        // Shapes that share inner shapes may check one node very often.
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS_AT_ONCE) {
            self.cancellation.check()?;
        }
        self.note_look(id);
        let start = self.values.len();
        match &shape.path {
            None => self.values.push(focus),
            Some(path) => self.push_path(focus, path),
        }
        let values = start..self.values.len();
        let mut conforms = true;
        for (constraint, Constraint { check }) in shape.constraints.iter().enumerate() {
            let case =
                ConstraintCase { shape: id, of: shape, constraint, check, focus, values: values.clone() };
            conforms &= self.check(&case, findings.again())?;
            // Without findings, one failure decides. With findings, every constraint reports its own (section 3.6).
            if !conforms && !findings.wants_all() {
                break;
            }
        }
        self.values.truncate(start);
        self.depth -= 1;
        if is_recursive {
            self.asked.pop();
        }
        Ok(conforms)
    }

    /// Appends the values of a path at a node to the value nodes.
    pub(super) fn push_path(&mut self, node: TermId, path: &PropertyPath) {
        if let PropertyPath::Predicate(_, predicate) = path {
            self.look_up(node);
            self.values.extend(self.run.1.objects(self.plan.id(*predicate)));
            return;
        }
        let mut values = std::mem::take(&mut self.values);
        self.push_values(node, path, &mut values);
        self.values = values;
    }

    /// The value nodes of a case.
    pub(super) fn value_nodes(&self, case: &ConstraintCase<'_>) -> &[TermId] {
        &self.values[case.values.clone()]
    }
}

impl ConstraintCase<'_> {
    /// A failure of the focus node, with the failing value.
    pub(super) fn finding(&self, value: Option<TermId>) -> ConstraintFinding {
        ConstraintFinding {
            shape: self.shape,
            constraint: u32::try_from(self.constraint).unwrap_or(u32::MAX),
            focus: self.focus,
            value,
            path: None,
            count: None,
            alternative: None,
            details: None,
            solution: None,
        }
    }

    /// Records a failure if all are wanted. Always returns false, since the focus node fails.
    pub(super) fn fail(&self, value: Option<TermId>, findings: &mut CheckFindings<'_>) -> bool {
        if let CheckFindings::All(all) = findings {
            all.push(self.finding(value));
        }
        false
    }

    /// Like [`ConstraintCase::fail`] for the whole set of values, with the number that was counted.
    pub(super) fn fail_counted(&self, count: u64, findings: &mut CheckFindings<'_>) -> bool {
        if let CheckFindings::All(all) = findings {
            all.push(ConstraintFinding { count: Some(count), ..self.finding(None) });
        }
        false
    }

    /// Like [`ConstraintCase::fail`], with the inner failures that led to this one.
    pub(super) fn fail_with(
        &self,
        value: Option<TermId>,
        count: Option<u64>,
        details: InnerFailures,
        findings: &mut CheckFindings<'_>,
    ) -> bool {
        if let CheckFindings::All(all) = findings {
            let details = (!details.findings.is_empty() || details.left_out > 0).then(|| Box::new(details));
            all.push(ConstraintFinding { count, details, ..self.finding(value) });
        }
        false
    }

    /// Like [`ConstraintCase::fail`], for a solution of a query.
    pub(super) fn fail_by(
        &self,
        value: Option<TermId>,
        path: Option<TermId>,
        solution: ResultSolution,
        findings: &mut CheckFindings<'_>,
    ) -> bool {
        if let CheckFindings::All(all) = findings {
            all.push(ConstraintFinding { path, solution: Some(Box::new(solution)), ..self.finding(value) });
        }
        false
    }
}
