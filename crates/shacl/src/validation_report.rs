//! The report of a validation as a value (SHACL, section 3.6).

use oxrdf::{Literal, NamedNode, Term};

use super::evaluation::ShapeEvaluation;
use super::ids::ShapeId;
use super::messages::{default_message, filled_in};
use super::property_path::PropertyPath;
use super::result::ConstraintFinding;
use super::selection::FocusSelection;
use super::shape::{ConstraintCheck, Severity, Shape};
use super::validation_plan::ValidationPlan;
use evalgraph_store::DatasetView;

/// The results of validating a dataset against shapes.
///
/// Other methods are in `report_graph.rs`.
pub struct ValidationReport<'s, 'd> {
    plan: ValidationPlan<'s, 'd>,
    selection: FocusSelection,
    findings: Vec<ConstraintFinding>,
    looked_at: Vec<u64>,
    conforms: bool,
    /// The severities that were named as preventing conformance.
    pub(super) conformance_disallows: Vec<Severity>,
}

impl std::fmt::Debug for ValidationReport<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("ValidationReport");
        debug.field("conforms", &self.conforms).field("results", &self.findings.len()).finish_non_exhaustive()
    }
}

/// A result: a focus node that fails a constraint.
#[derive(Clone, Copy)]
pub struct ValidationResult<'r, 's, 'd> {
    plan: &'r ValidationPlan<'s, 'd>,
    finding: &'r ConstraintFinding,
}

impl std::fmt::Debug for ValidationResult<'_, '_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("ValidationResult");
        debug.field("focus_node", &self.focus_node()).field("value", &self.value());
        debug.field("component", &self.source_constraint_component()).finish_non_exhaustive()
    }
}

/// The path of a result.
#[derive(Debug, Clone)]
pub enum ResultPath<'s> {
    /// The path of the shape.
    OfShape(&'s PropertyPath),
    /// A predicate that the constraint names.
    Predicate(NamedNode),
}

impl<'s, 'd> ValidationReport<'s, 'd> {
    pub(super) fn new(
        plan: ValidationPlan<'s, 'd>,
        selection: FocusSelection,
        findings: Vec<ConstraintFinding>,
        looked_at: Vec<u64>,
        disallowed: Option<&[Severity]>,
    ) -> Self {
        let conforms = !findings.iter().any(|finding| stands_against(&plan, finding, disallowed));
        let conformance_disallows = disallowed.unwrap_or_default().to_vec();
        Self { plan, selection, findings, looked_at, conforms, conformance_disallows }
    }

    /// The data graph.
    pub fn view(&self) -> DatasetView<'d> {
        self.plan.view()
    }

    /// Returns whether no result prevents conformance.
    pub fn conforms(&self) -> bool {
        self.conforms
    }

    /// The results, shape by shape.
    pub fn results(&self) -> impl ExactSizeIterator<Item = ValidationResult<'_, 's, 'd>> {
        self.findings.iter().map(|finding| ValidationResult { plan: &self.plan, finding })
    }

    /// The shapes, each with the number of nodes that were checked against it.
    pub fn looked_at(&self) -> impl ExactSizeIterator<Item = (&'s Shape, u64)> {
        self.plan.shapes.shapes.iter().zip(self.looked_at.iter().copied())
    }

    /// The shapes that were validated separately, each with the number of nodes that were checked against it.
    pub fn asked(&self) -> impl Iterator<Item = (&'s Shape, u64)> {
        let ids = (0..).map(ShapeId);
        let asked = ids.zip(self.looked_at()).filter(|(id, (shape, _))| self.selection.has(*id, shape));
        asked.map(|(_, shape)| shape)
    }

    /// Returns whether a term in a result is a blank node of the data; other blank nodes belong to the shapes graph.
    pub fn is_of_data(&self, term: &Term) -> bool {
        matches!(term, Term::BlankNode(node) if self.plan.terms.dictionary().find_blank_node(node.as_str()).is_some())
    }
}

/// Returns whether a finding prevents conformance. If severities are named, only these do.
pub(super) fn stands_against(
    plan: &ValidationPlan<'_, '_>,
    finding: &ConstraintFinding,
    disallowed: Option<&[Severity]>,
) -> bool {
    let severity = &plan.shape(finding.shape).severity;
    disallowed.map_or_else(|| severity.disallows_conformance(), |named| named.contains(severity))
}

impl<'r, 's, 'd> ValidationResult<'r, 's, 'd> {
    pub(super) fn new(plan: &'r ValidationPlan<'s, 'd>, finding: &'r ConstraintFinding) -> Self {
        Self { plan, finding }
    }

    /// The shape that the node fails.
    pub fn shape(&self) -> &'s Shape {
        self.plan.shape(self.finding.shape)
    }

    fn check(&self) -> &'s ConstraintCheck {
        &self.shape().constraints[self.finding.constraint as usize].check
    }

    /// The node that fails. A blank node has the name from the dataset.
    pub fn focus_node(&self) -> Term {
        self.plan.terms.term(self.finding.focus)
    }

    /// The path to the value; none for a node shape.
    pub fn path(&self) -> Option<ResultPath<'s>> {
        match self.finding.path.map(|path| self.plan.terms.term(path)) {
            Some(Term::NamedNode(node)) => Some(ResultPath::Predicate(node)),
            _ => self.shape().path.as_deref().map(ResultPath::OfShape),
        }
    }

    /// The predicate that is the path, as the data spell it: in their namespace of schema.org.
    pub fn predicate(&self) -> Option<NamedNode> {
        match self.path()? {
            ResultPath::Predicate(predicate) => Some(predicate),
            ResultPath::OfShape(PropertyPath::Predicate(_, constant)) => {
                match &self.plan.shapes.constants[constant.index()] {
                    Term::NamedNode(node) => Some(node.clone()),
                    _ => None,
                }
            }
            ResultPath::OfShape(_) => None,
        }
    }

    /// The statement of the data that contains the value: the last one if the path has several steps, whatever its
    /// direction.
    pub fn statement(&self) -> Option<(Term, NamedNode, Term)> {
        let (focus, value) = (self.finding.focus, self.finding.value?);
        let [subject, predicate, object] = match (self.finding.path, self.shape().path.as_deref()) {
            (Some(predicate), _) => [focus, predicate, value],
            // It is a value of the path, and the path may have very many values.
            (None, Some(PropertyPath::Predicate(_, predicate))) if self.check().has_values_of_path() => {
                [focus, self.plan.id(*predicate), value]
            }
            (None, path) => {
                let (duplicates, answers, cancellation) = Default::default();
                let evaluation = ShapeEvaluation::new(self.plan, &duplicates, &answers, &cancellation);
                evaluation.last_step(focus, path?, value)?
            }
        };
        match self.plan.terms.term(predicate) {
            Term::NamedNode(predicate) => {
                Some((self.plan.terms.term(subject), predicate, self.plan.terms.term(object)))
            }
            _ => None,
        }
    }

    /// The value that fails; none if a set of values fails.
    pub fn value(&self) -> Option<Term> {
        self.finding.value.map(|value| self.plan.terms.term(value))
    }

    /// The IRI of the component whose constraint fails.
    pub fn source_constraint_component(&self) -> Term {
        self.check().component_term()
    }

    /// The constraint in SPARQL that fails.
    pub fn source_constraint(&self) -> Option<&'s Term> {
        match self.check() {
            ConstraintCheck::Sparql(constraint) => Some(&constraint.node),
            _ => None,
        }
    }

    /// The node of the shape that the node fails.
    pub fn source_shape(&self) -> &'s Term {
        &self.shape().node
    }

    /// The named shape that contains the failed shape, if the failed shape has no name.
    pub fn parent_shape(&self) -> Option<&'s Term> {
        self.shape().parent.as_ref()
    }

    /// The severity of the shape.
    pub fn severity(&self) -> &'s Severity {
        &self.shape().severity
    }

    /// The messages: those of the query, of the constraint or of the shape, or else a default sentence.
    pub fn messages(&self) -> Vec<Literal> {
        let solution = self.finding.solution.as_deref();
        if let Some(message) = solution.and_then(|solution| solution.message.as_ref()) {
            return vec![message.clone()];
        }
        match (self.shape().messages_of(self.check()), solution) {
            ([], _) => vec![default_message(self.plan, self.check(), self.finding)],
            (templates, Some(solution)) => {
                templates.iter().map(|message| filled_in(message, &solution.bindings)).collect()
            }
            (own, None) => own.to_vec(),
        }
    }

    /// The failures of inner shapes that led to the result (`sh:detail`); if there are many, the first of them.
    pub fn details(&self) -> impl ExactSizeIterator<Item = ValidationResult<'r, 's, 'd>> {
        let plan = self.plan;
        let findings: &'r [ConstraintFinding] =
            self.finding.details.as_ref().map_or(&[], |details| &details.findings);
        findings.iter().map(move |finding| ValidationResult { plan, finding })
    }

    /// Returns how many further details there are.
    pub fn left_out(&self) -> u64 {
        self.finding.details.as_ref().map_or(0, |details| details.left_out)
    }

    /// The number of the alternative, from 1, that a detail belongs to: the position of its shape in the list of
    /// `sh:or` or `sh:xone`.
    pub fn alternative(&self) -> Option<u32> {
        self.finding.alternative
    }
}
