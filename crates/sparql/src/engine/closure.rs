//! Paths of any length (SPARQL 1.1, section 18.4, ALP): a search from each node that is asked for, over the pairs of one step.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::context::Engine;
use super::data::Graph;
use super::distinct::Distinct;
use super::limits::{Ticks, Unfit};
use super::node::Closure;
use super::quad_pattern::Slot;
use super::table::{Column, Number, Table, Var, Vars, number};
use evalgraph_store::TermId;

/// What it costs to look up the steps of a node, in steps that are walked over.
const LOOKUP: usize = 20;

impl Engine<'_, '_> {
    /// The pairs of ends of a path, with the columns that are wanted; those that go with a row of `seed`, and maybe others.
    pub(super) fn closure(
        &self,
        closure: &Closure,
        wanted: Vars,
        seed: Option<&Table>,
    ) -> Result<Table, Unfit> {
        let search = Search::of(closure, seed);
        let graph = closure.graph();
        let starts = match &search.starts {
            None if closure.has_zero => Some(self.nodes(graph)?),
            starts => starts.clone(),
        };
        let steps = Steps::of(&self.steps_of(closure, &search)?, &search, starts.as_deref(), &self.ticks)?;
        let mut found = Found::new(&search, wanted);
        let mut seen = vec![0; steps.numbers.len()];
        let mut waiting = Vec::new();
        for (place, start) in (1_u32..).zip(&steps.starts) {
            let begin = steps.numbers[*start as usize];
            let before = found.rows;
            if closure.has_zero && self.has_zero(&search, begin, graph) {
                seen[*start as usize] = place;
                found.add(begin, begin);
            }
            waiting.push(*start);
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

    /// The pairs of one step: those that the starts lead to where these are known and few, else all.
    fn steps_of(&self, closure: &Closure, search: &Search) -> Result<Table, Unfit> {
        let vars = Vars::of(closure.between);
        let Some(starts) = &search.starts else { return self.run(&closure.step, vars) };
        let all = self.expected(&closure.step);
        let mut known: HashSet<Number> = HashSet::new();
        let mut frontier = starts.clone();
        let mut pairs = [Vec::new(), Vec::new()];
        while !frontier.is_empty() {
            if frontier.len().saturating_mul(LOOKUP) >= all {
                return self.run(&closure.step, vars);
            }
            known.extend(&frontier);
            let rows = frontier.len();
            let columns = vec![(search.from, Column::bound(frontier))];
            let found = self.run_for(&closure.step, vars, Some(&Table { rows, columns, sorted_by: None }))?;
            let [from, to] = [search.from, search.to].map(|var| found.numbers(var).unwrap_or_default());
            let mut next = Vec::new();
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
        let [from, to] = pairs.map(Column::bound);
        Ok(Table { rows, columns: vec![(search.from, from), (search.to, to)], sorted_by: None })
    }

    /// Tells whether a path without a step leads from a term to itself: from a term of the query, and from nodes of the graph.
    fn has_zero(&self, search: &Search, start: Number, graph: Graph) -> bool {
        let Some(id) = TermId::of_number(start) else { return false };
        search.starts.is_none()
            || [search.start, search.end].contains(&Slot::Constant(id))
            || self.data.contains([Some(id), None, None], graph)
            || self.data.contains([None, None, Some(id)], graph)
    }

    /// The nodes of a graph: its subjects and objects.
    fn nodes(&self, graph: Graph) -> Result<Vec<Number>, Unfit> {
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
        self.ticks.sort(&mut nodes, 1, Number::cmp)?;
        nodes.dedup();
        Ok(nodes)
    }
}

impl Closure {
    /// The graph that it leads through.
    fn graph(&self) -> Graph {
        self.scope.map(|scope| match scope {
            Slot::Constant(graph) => Some(graph),
            Slot::Variable(_) => None,
        })
    }
}

/// The end at which the search begins, and the direction that it takes.
struct Search {
    start: Slot,
    end: Slot,
    from: Var,
    to: Var,
    /// The nodes that are known to be at the beginning, in ascending order; none if that may be any.
    starts: Option<Vec<Number>>,
}

impl Search {
    fn of(closure: &Closure, seed: Option<&Table>) -> Self {
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

/// The values that an end of a path has.
fn known(end: Slot, seed: Option<&Table>) -> Option<Vec<Number>> {
    match end {
        Slot::Constant(term) => Some(vec![number(term)]),
        Slot::Variable(var) => {
            let mut values = seed?.column(var).filter(|column| column.is_bound)?.numbers.clone();
            values.sort_unstable();
            values.dedup();
            Some(values)
        }
    }
}

/// The pairs of one step, by the node that they begin at. Nodes have places in place of their numbers.
struct Steps {
    numbers: Vec<Number>,
    offsets: Vec<u32>,
    targets: Vec<u32>,
    /// The places of the nodes at which the search begins.
    starts: Vec<u32>,
}

impl Steps {
    fn of(
        pairs: &Table,
        search: &Search,
        starts: Option<&[Number]>,
        ticks: &Ticks<'_>,
    ) -> Result<Self, Unfit> {
        let [from, to] = [search.from, search.to].map(|var| pairs.numbers(var).unwrap_or_default());
        let all = Column::bound([from, to, starts.unwrap_or_default()].concat());
        let Distinct { first, place } = Distinct::of(&[&all], all.numbers.len(), ticks)?;
        let numbers: Vec<Number> = first.iter().map(|row| all.numbers[*row as usize]).collect();
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
struct Found {
    start: Option<Var>,
    end: Slot,
    is_loop: bool,
    rows: usize,
    columns: [(Option<Var>, Vec<Number>); 2],
}

impl Found {
    fn new(search: &Search, wanted: Vars) -> Self {
        let kept = |slot: Slot| slot.var().filter(|var| wanted.has(*var));
        let is_loop = search.start == search.end && search.end.var().is_some();
        let end = if is_loop { None } else { kept(search.end) };
        let start = kept(search.start);
        Self { start, end: search.end, is_loop, rows: 0, columns: [(start, Vec::new()), (end, Vec::new())] }
    }

    fn add(&mut self, start: Number, end: Number) {
        let is_end = match self.end {
            Slot::Constant(term) => number(term) == end,
            Slot::Variable(_) => !self.is_loop || start == end,
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

    fn into_table(self) -> Table {
        let columns =
            self.columns.into_iter().filter_map(|(var, numbers)| Some((var?, Column::bound(numbers))));
        Table { rows: self.rows, columns: columns.collect(), sorted_by: self.start }
    }
}
