//! A validation: every shape with targets is checked for its focus nodes, on all cores.
//!
//! `Shapes` is defined in `ready_shapes.rs`.

use rayon::prelude::*;

use super::bulk_answers::BulkAnswers;
use super::data_graph::data_graph;
use super::duplicates::DuplicateFocusNodes;
use super::evaluation::{ShapeEvaluation, ValidationStop};
use super::ids::ShapeId;
use super::ready_shapes::Shapes;
use super::result::{CheckFindings, ConstraintFinding};
use super::selection::FocusSelection;
use super::validation_options::ValidationOptions;
use super::validation_plan::ValidationPlan;
use super::validation_report::{ValidationReport, ValidationResult, stands_against};
use evalgraph_store::{Dataset, TermId};
use evalgraph_work::CancellationToken;
use evalgraph_work::pool::in_pool;

/// How many focus nodes one core takes at a time.
const NODES_AT_ONCE: usize = 512;

/// How many focus nodes all cores check before results are passed on.
const NODES_IN_WAVE: usize = 1 << 15;

/// How many focus nodes a query of the shapes covers at most. Each query may read all data, so queries are evaluated
/// only a few times: for the first nodes, whose results then come early, and for the rest.
const NODES_ASKED: usize = 1 << 18;

impl Shapes {
    /// Validates a dataset against the shapes: the union of its graphs, or of the named ones. A focus node that is not
    /// in the data is validated like any other.
    ///
    /// The cost grows with the number of focus nodes and their values; each result takes some 100 bytes.
    ///
    /// # Errors
    ///
    /// If a named graph or shape does not exist, a query of a shape fails, shapes are nested too deeply, or the
    /// validation is cancelled.
    pub fn validate<'s, 'd>(
        &'s self,
        dataset: &'d Dataset,
        options: &ValidationOptions,
    ) -> Result<ValidationReport<'s, 'd>, ValidationStop> {
        let mut found: Vec<(ShapeId, Vec<ConstraintFinding>)> = Vec::new();
        let mut take = |_: &ValidationPlan<'s, 'd>, shape, findings| found.push((shape, findings));
        let ValidatedShapes { plan, selection, looked_at } = self.find(dataset, options, &mut take)?;
        found.sort_by_key(|(shape, _)| *shape);
        let findings = found.into_iter().flat_map(|(_, findings)| findings).collect();
        let disallowed = options.conformance_disallows.as_deref();
        Ok(ValidationReport::new(plan, selection, findings, looked_at, disallowed))
    }

    /// Like [`Shapes::validate`], but passes each result on as soon as its focus node and those near it are checked,
    /// and keeps none. Returns whether the dataset conforms.
    ///
    /// # Errors
    ///
    /// The errors of [`Shapes::validate`]. Results may have been passed on before.
    pub fn validate_each(
        &self,
        dataset: &Dataset,
        options: &ValidationOptions,
        mut take: impl FnMut(ValidationResult<'_, '_, '_>) + Send,
    ) -> Result<bool, ValidationStop> {
        let disallowed = options.conformance_disallows.as_deref();
        let mut conforms = true;
        self.find(dataset, options, &mut |plan, _, findings| {
            for finding in &findings {
                conforms &= !stands_against(plan, finding, disallowed);
                take(ValidationResult::new(plan, finding));
            }
        })?;
        Ok(conforms)
    }

    /// Finds all failures.
    fn find<'s, 'd>(
        &'s self,
        dataset: &'d Dataset,
        options: &ValidationOptions,
        take: &mut TakeFindings<'_, 's, 'd>,
    ) -> Result<ValidatedShapes<'s, 'd>, ValidationStop> {
        self.find_shapes_graph(dataset)?;
        let plan = ValidationPlan::new(self, dataset, data_graph(dataset, options, self.with_catalog)?);
        let selection = FocusSelection::new(&plan, options)?;
        let (duplicates, cancellation) = (DuplicateFocusNodes::default(), &options.cancellation);
        let run = ShapesValidationRun { plan: &plan, selection: &selection, duplicates, cancellation };
        let looked_at = in_pool(|| run.find(take))?;
        match dataset.fault() {
            Some(fault) => Err(Box::new(fault.clone())),
            None => Ok(ValidatedShapes { plan, selection, looked_at }),
        }
    }
}

/// The shapes that were validated, and for which nodes.
struct ValidatedShapes<'s, 'd> {
    plan: ValidationPlan<'s, 'd>,
    selection: FocusSelection,
    /// How many nodes were checked against each shape, by the number of the shape.
    looked_at: Vec<u64>,
}

/// Receives the findings of a shape as they are found.
type TakeFindings<'t, 's, 'd> =
    dyn FnMut(&ValidationPlan<'s, 'd>, ShapeId, Vec<ConstraintFinding>) + Send + 't;

/// Shapes with the same focus nodes.
struct FocusGroup {
    shapes: Vec<ShapeId>,
    nodes: Vec<TermId>,
}

/// The findings of a group at some of its nodes.
struct GroupFindings {
    /// By the index of the shape in its group.
    findings: Vec<Vec<ConstraintFinding>>,
    looked_at: Vec<u64>,
}

/// A validation in progress.
struct ShapesValidationRun<'p, 's, 'd> {
    plan: &'p ValidationPlan<'s, 'd>,
    selection: &'p FocusSelection,
    duplicates: DuplicateFocusNodes,
    cancellation: &'p CancellationToken,
}

impl<'s, 'd> ShapesValidationRun<'_, 's, 'd> {
    fn find(mut self, take: &mut TakeFindings<'_, 's, 'd>) -> Result<Vec<u64>, ValidationStop> {
        let groups = self.groups()?;
        let mut looked_at = vec![0; self.plan.shapes.shapes.len()];
        for FocusGroup { shapes, nodes } in groups {
            let (first, rest) = nodes.split_at(NODES_AT_ONCE.min(nodes.len()));
            let asked = std::iter::once(first).chain(rest.chunks(NODES_ASKED));
            for asked in asked.filter(|asked| !asked.is_empty()) {
                let answers = BulkAnswers::ask(self.plan, &shapes, asked, self.cancellation)?;
                let check = |nodes: &[TermId]| self.check(&shapes, &answers, nodes);
                for wave in asked.chunks(NODES_IN_WAVE) {
                    let found: Vec<GroupFindings> = match wave.len() <= NODES_AT_ONCE {
                        true => vec![check(wave)?],
                        false => wave.par_chunks(NODES_AT_ONCE).map(check).collect::<Result<_, _>>()?,
                    };
                    for found in found {
                        for (shape, findings) in shapes.iter().zip(found.findings) {
                            if !findings.is_empty() {
                                take(self.plan, *shape, findings);
                            }
                        }
                        looked_at.iter_mut().zip(found.looked_at).for_each(|(own, more)| *own += more);
                    }
                }
            }
        }
        Ok(looked_at)
    }

    /// The shapes that have targets, grouped by the nodes that they choose. Duplicates among these nodes are found as
    /// well.
    fn groups(&mut self) -> Result<Vec<FocusGroup>, ValidationStop> {
        let mut groups: Vec<FocusGroup> = Vec::new();
        for (place, shape) in self.plan.shapes.shapes.iter().enumerate() {
            let id = ShapeId(u32::try_from(place).unwrap_or(u32::MAX));
            if shape.is_deactivated || !self.selection.has(id, shape) {
                continue;
            }
            self.cancellation.check()?;
            let answers = BulkAnswers::default();
            let mut evaluation =
                ShapeEvaluation::new(self.plan, &self.duplicates, &answers, self.cancellation);
            let mut nodes = evaluation.focus_nodes(shape)?;
            if nodes.is_empty() {
                nodes = self.selection.nodes_of(nodes);
            }
            // Keys are unique among all focus nodes of the shape, whichever nodes are chosen.
            let found = evaluation.duplicates_of(id, shape, &nodes)?;
            self.duplicates.absorb(found);
            let nodes = self.selection.nodes_of(nodes);
            match groups.iter_mut().find(|group| group.nodes == nodes) {
                Some(group) => group.shapes.push(id),
                None => groups.push(FocusGroup { shapes: vec![id], nodes }),
            }
        }
        Ok(groups)
    }

    /// Checks nodes against shapes: all shapes in turn at one node, whose triples are then read once.
    fn check(
        &self,
        shapes: &[ShapeId],
        answers: &BulkAnswers,
        nodes: &[TermId],
    ) -> Result<GroupFindings, ValidationStop> {
        self.cancellation.check()?;
        let mut evaluation = ShapeEvaluation::new(self.plan, &self.duplicates, answers, self.cancellation);
        let mut findings: Vec<Vec<ConstraintFinding>> = shapes.iter().map(|_| Vec::new()).collect();
        for node in nodes {
            for (shape, findings) in shapes.iter().zip(&mut findings) {
                evaluation.validate(*shape, *node, CheckFindings::All(findings))?;
            }
        }
        Ok(GroupFindings { findings, looked_at: evaluation.looked_at })
    }
}
