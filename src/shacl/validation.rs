//! A validation: every shape with targets is held against its focus nodes, on all cores.

use rayon::prelude::*;

use super::bulk_answers::BulkAnswers;
use super::duplicates::Duplicates;
use super::evaluation::{Evaluation, Stop};
use super::ids::ShapeId;
use super::plan::Plan;
use super::report::ValidationReport;
use super::result::{Finding, Findings};
use super::shape::Severity;
use super::shapes::Shapes;
use crate::load::pool::in_pool;
use crate::sparql::Cancellation;
use crate::store::{Dataset, TermId};

/// How many focus nodes one core takes at a time.
const NODES_AT_ONCE: usize = 512;

/// The options of a validation.
#[derive(Debug, Clone, Default)]
pub struct ValidationOptions {
    /// The severities whose results stand against conformance (SHACL 1.2, `sh:conformanceDisallows`); none stands for all
    /// but `sh:Debug` and `sh:Trace`.
    pub conformance_disallows: Option<Vec<Severity>>,
    /// Ends the validation when it is told to.
    pub cancellation: Cancellation,
}

impl Shapes {
    /// Holds a dataset against the shapes: the union of its graphs.
    ///
    /// The cost grows with the focus nodes and their values; results take some 100 bytes each.
    ///
    /// # Errors
    ///
    /// Where a query of a shape fails, shapes lead to shapes too deep, or the validation is cancelled.
    pub fn validate<'s, 'd>(
        &'s self,
        dataset: &'d Dataset,
        options: &ValidationOptions,
    ) -> Result<ValidationReport<'s, 'd>, Stop> {
        self.find_shapes_graph(dataset)?;
        let plan = Plan::new(self, dataset);
        let cancellation = &options.cancellation;
        let found = in_pool(|| run(&plan, cancellation))?;
        if let Some(fault) = dataset.fault() {
            return Err(Box::new(fault.clone()));
        }
        Ok(ValidationReport::new(
            plan,
            found.findings,
            found.looked_at,
            options.conformance_disallows.as_deref(),
        ))
    }
}

/// The findings of shapes, and how many nodes each shape has looked at.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) findings: Vec<Finding>,
    /// By the number of the shape.
    pub(super) looked_at: Vec<u64>,
}

impl Found {
    fn absorb(&mut self, other: Self) {
        self.findings.extend(other.findings);
        for (own, more) in self.looked_at.iter_mut().zip(other.looked_at) {
            *own += more;
        }
    }
}

fn run(plan: &Plan<'_, '_>, cancellation: &Cancellation) -> Result<Found, Stop> {
    let mut duplicates = Duplicates::default();
    let mut targeted: Vec<(ShapeId, Vec<TermId>)> = Vec::new();
    for (place, shape) in plan.shapes.shapes.iter().enumerate() {
        if shape.targets.is_empty() || shape.is_deactivated {
            continue;
        }
        cancellation.check()?;
        let id = ShapeId(u32::try_from(place).unwrap_or(u32::MAX));
        let answers = BulkAnswers::default();
        let mut evaluation = Evaluation::new(plan, &duplicates, &answers, cancellation);
        let nodes = evaluation.focus_nodes(shape)?;
        let found = evaluation.duplicates_of(id, shape, &nodes)?;
        duplicates.absorb(found);
        targeted.push((id, nodes));
    }
    let mut all = Found { findings: Vec::new(), looked_at: vec![0; plan.shapes.shapes.len()] };
    for (shape, nodes) in targeted {
        let answers = BulkAnswers::ask(plan, shape, &nodes, cancellation)?;
        let check = |nodes: &[TermId]| -> Result<Found, Stop> {
            cancellation.check()?;
            let mut evaluation = Evaluation::new(plan, &duplicates, &answers, cancellation);
            let mut findings = Vec::new();
            for node in nodes {
                evaluation.validate(shape, *node, Findings::All(&mut findings))?;
            }
            Ok(Found { findings, looked_at: evaluation.looked_at })
        };
        if nodes.len() <= NODES_AT_ONCE {
            all.absorb(check(&nodes)?);
            continue;
        }
        let found: Vec<Found> = nodes.par_chunks(NODES_AT_ONCE).map(check).collect::<Result<_, _>>()?;
        found.into_iter().for_each(|found| all.absorb(found));
    }
    Ok(all)
}
