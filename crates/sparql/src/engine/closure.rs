//! Paths of any length (SPARQL 1.1, section 18.4, ALP): a search over the pairs of one step, from each node that is
//! needed. `PlanEvaluator` is defined in `plan_evaluator.rs`. `PathClosure` is defined in `node.rs`.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::distinct::DistinctRows;
use super::limits::{CancellationTicker, SolutionTableError};
use super::node::PathClosure;
use super::plan_evaluator::PlanEvaluator;
use super::quad_pattern::PatternTerm;
use super::queryable_dataset::GraphSelector;
use super::solution_table::{
    BindingNumber, SolutionColumn, SolutionTable, VariableNumber, VariableSet, number,
};
use evalgraph_store::TermId;

/// The cost of looking up the steps of a node, in steps of a walk.
const LOOKUP: usize = 20;

impl PlanEvaluator<'_, '_> {
    /// The pairs of ends of a path, with the wanted columns: all that are compatible with a row of `seed`, and maybe
    /// others.
    pub(super) fn closure(
        &self,
        closure: &PathClosure,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let search = ClosureSearch::new(closure, seed);
        let graph = closure.graph();
        let starts = match &search.starts {
            None if closure.has_zero => Some(self.nodes(graph)?),
            starts => starts.clone(),
        };
        let steps =
            PathAdjacency::new(&self.steps_of(closure, &search)?, &search, starts.as_deref(), &self.ticks)?;
        let mut found = ClosurePairs::new(&search, wanted);
        // `seen` has the place of the last search that reached a node, so nothing is cleared between searches.
        let mut seen = vec![0; steps.numbers.len()];
        let mut waiting = Vec::new();
        for (place, start) in (1_u32..).zip(&steps.starts) {
            let begin = steps.numbers[*start as usize];
            let before = found.rows;
            // Without zero steps the start is not seen yet: a cycle may lead back to it, and then it is an end, too.
            if closure.has_zero && self.has_zero(&search, begin, graph) {
                seen[*start as usize] = place;
                found.add(begin, begin);
            }
            waiting.push(*start);
            // A node waits once in a search, the start at most twice, so a search costs at most twice the pairs of
            // one step.
            while let Some(node) = waiting.pop() {
                let targets = steps.targets(node);
                self.ticks.tick(1 + targets.len())?;
                for target in targets {
                    if std::mem::replace(&mut seen[*target as usize], place) != place {
                        found.add(begin, steps.numbers[*target as usize]);
                        if closure.repeats {
                            waiting.push(*target);
                        }
                    }
                }
            }
            self.ticks.tick(found.rows - before)?;
            self.ticks.grown(found.rows)?;
        }
        Ok(found.into_table())
    }

    /// The pairs of one step: those that begin at the starts if these are known and few, else all.
    fn steps_of(
        &self,
        closure: &PathClosure,
        search: &ClosureSearch,
    ) -> Result<SolutionTable, SolutionTableError> {
        let vars = VariableSet::from_numbers(closure.between);
        let Some(starts) = &search.starts else { return self.run(&closure.step, vars) };
        let all = self.expected(&closure.step);
        let mut known: HashSet<BindingNumber> = HashSet::new();
        let mut frontier = starts.clone();
        let mut pairs = [Vec::new(), Vec::new()];
        // The steps of the nodes in `known` are in `pairs`; those of the nodes in `frontier` are looked up next.
        while !frontier.is_empty() {
            // From here on, one walk over all pairs is less work than the lookups, and replaces those made so far.
            if frontier.len().saturating_mul(LOOKUP) >= all {
                return self.run(&closure.step, vars);
            }
            known.extend(&frontier);
            let rows = frontier.len();
            let columns = vec![(search.from, SolutionColumn::bound(frontier))];
            let found =
                self.run_for(&closure.step, vars, Some(&SolutionTable { rows, columns, sorted_by: None }))?;
            let [from, to] = [search.from, search.to].map(|var| found.numbers(var).unwrap_or_default());
            let mut next = Vec::new();
            // `run_for` may also find steps of other nodes. A later round finds those again if they are needed.
            for (from, to) in from.iter().zip(to).filter(|(from, _)| known.contains(from)) {
                pairs[0].push(*from);
                pairs[1].push(*to);
                if closure.repeats && !known.contains(to) {
                    next.push(*to);
                }
            }
            next.sort_unstable();
            next.dedup();
            frontier = next;
        }
        let rows = pairs[0].len();
        let [from, to] = pairs.map(SolutionColumn::bound);
        Ok(SolutionTable { rows, columns: vec![(search.from, from), (search.to, to)], sorted_by: None })
    }

    /// Returns whether a path without steps leads from a term to itself: this is so for terms of the query and for
    /// nodes of the graph.
    fn has_zero(&self, search: &ClosureSearch, start: BindingNumber, graph: GraphSelector) -> bool {
        let Some(id) = TermId::of_number(start) else { return false };
        // Without known starts, the search begins only at nodes of the graph (section 18.4).
        search.starts.is_none()
            || [search.start, search.end].contains(&PatternTerm::Constant(id))
            || self.data.contains([Some(id), None, None], graph)
            || self.data.contains([None, None, Some(id)], graph)
    }

    /// The nodes of a graph: its subjects and objects.
    fn nodes(&self, graph: GraphSelector) -> Result<Vec<BindingNumber>, SolutionTableError> {
        let mut nodes = Vec::new();
        let walked = self.data.for_each([None; 3], graph, |triple, _| {
            nodes.extend([number(triple[0]), number(triple[2])]);
            match self.ticks.tick(1) {
                Ok(()) => ControlFlow::Continue(()),
                Err(unfit) => ControlFlow::Break(unfit),
            }
        });
        if let ControlFlow::Break(unfit) = walked {
            return Err(unfit);
        }
        self.ticks.sort(&mut nodes, 1, BindingNumber::cmp)?;
        nodes.dedup();
        Ok(nodes)
    }
}

impl PathClosure {
    /// The graph of the path.
    fn graph(&self) -> GraphSelector {
        self.scope.map(|scope| match scope {
            PatternTerm::Constant(graph) => Some(graph),
            PatternTerm::Variable(_) => None,
        })
    }
}

/// The end at which the search begins, and the direction that it takes.
struct ClosureSearch {
    start: PatternTerm,
    end: PatternTerm,
    from: VariableNumber,
    to: VariableNumber,
    /// The nodes where the path may begin, in ascending order, or `None` if it may begin anywhere.
    starts: Option<Vec<BindingNumber>>,
}

impl ClosureSearch {
    fn new(closure: &PathClosure, seed: Option<&SolutionTable>) -> Self {
        let ([subject, object], [from, to]) = (closure.ends, closure.between);
        let [subjects, objects] = closure.ends.map(|end| known(end, seed));
        let is_backwards = match (&subjects, &objects) {
            (Some(subjects), Some(objects)) => objects.len() < subjects.len(),
            (subjects, objects) => subjects.is_none() && objects.is_some(),
        };
        if is_backwards {
            Self { start: object, end: subject, from: to, to: from, starts: objects }
        } else {
            Self { start: subject, end: object, from, to, starts: subjects }
        }
    }
}

/// The known values of an end of a path.
fn known(end: PatternTerm, seed: Option<&SolutionTable>) -> Option<Vec<BindingNumber>> {
    match end {
        PatternTerm::Constant(term) => Some(vec![number(term)]),
        PatternTerm::Variable(var) => {
            let mut values = seed?.column(var).filter(|column| column.is_bound)?.numbers.clone();
            values.sort_unstable();
            values.dedup();
            Some(values)
        }
    }
}

/// The pairs of one step by their first node. Nodes are numbered consecutively, by their index in `numbers`.
struct PathAdjacency {
    numbers: Vec<BindingNumber>,
    offsets: Vec<u32>,
    targets: Vec<u32>,
    /// The indexes of the nodes at which the search begins.
    starts: Vec<u32>,
}

impl PathAdjacency {
    fn new(
        pairs: &SolutionTable,
        search: &ClosureSearch,
        starts: Option<&[BindingNumber]>,
        ticks: &CancellationTicker<'_>,
    ) -> Result<Self, SolutionTableError> {
        let [from, to] = [search.from, search.to].map(|var| pairs.numbers(var).unwrap_or_default());
        let all = SolutionColumn::bound([from, to, starts.unwrap_or_default()].concat());
        let DistinctRows { first, place } = DistinctRows::new(&[&all], all.numbers.len(), ticks)?;
        let numbers: Vec<BindingNumber> = first.iter().map(|row| all.numbers[*row as usize]).collect();
        let (ends, begins) = place.split_at(from.len() + to.len());
        let (from, to) = ends.split_at(from.len());
        let mut offsets = vec![0_u32; numbers.len() + 1];
        from.iter().for_each(|node| offsets[*node as usize + 1] += 1);
        for node in 0..numbers.len() {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; to.len()];
        for (from, to) in from.iter().zip(to) {
            let place = &mut next[*from as usize];
            targets[*place as usize] = *to;
            *place += 1;
        }
        let mut starts = match starts {
            Some(_) => begins.to_vec(),
            None => from.to_vec(),
        };
        // The pairs are found start by start, and the table of the result counts as sorted by its starts.
        starts.sort_unstable_by_key(|node| numbers[*node as usize]);
        starts.dedup();
        Ok(Self { numbers, offsets, targets, starts })
    }

    fn targets(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }
}

/// The pairs that are found, as columns of the variables of the ends.
struct ClosurePairs {
    start: Option<VariableNumber>,
    end: PatternTerm,
    is_loop: bool,
    rows: usize,
    columns: [(Option<VariableNumber>, Vec<BindingNumber>); 2],
}

impl ClosurePairs {
    fn new(search: &ClosureSearch, wanted: VariableSet) -> Self {
        let kept = |slot: PatternTerm| slot.var().filter(|var| wanted.has(*var));
        let is_loop = search.start == search.end && search.end.var().is_some();
        let end = if is_loop { None } else { kept(search.end) };
        let start = kept(search.start);
        Self { start, end: search.end, is_loop, rows: 0, columns: [(start, Vec::new()), (end, Vec::new())] }
    }

    fn add(&mut self, start: BindingNumber, end: BindingNumber) {
        let is_end = match self.end {
            PatternTerm::Constant(term) => number(term) == end,
            PatternTerm::Variable(_) => !self.is_loop || start == end,
        };
        if !is_end {
            return;
        }
        for ((var, numbers), node) in self.columns.iter_mut().zip([start, end]) {
            if var.is_some() {
                numbers.push(node);
            }
        }
        self.rows += 1;
    }

    fn into_table(self) -> SolutionTable {
        let columns = self
            .columns
            .into_iter()
            .filter_map(|(var, numbers)| Some((var?, SolutionColumn::bound(numbers))));
        SolutionTable { rows: self.rows, columns: columns.collect(), sorted_by: self.start }
    }
}
