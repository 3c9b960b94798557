//! The parts of a node on two threads, where a query takes long: the second one evaluates parts of its own over a view of its own, whose
//! computed terms get their numbers in the first one's view. Solutions are taken in the order of parts, as one thread has them.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use oxiri::Iri;
use oxrdf::{Term, Variable};

use super::context::Engine;
use super::data::{Data, Part, PortableData};
use super::limits::{Ticks, Unfit};
use super::node::Node;
use super::parts::{ALL, MOST_ROWS_OF_PART, Parts};
use super::table::{Table, Vars, number};
use crate::sparql::environment::Environment;
use crate::sparql::evaluate::{Evaluation, ExecuteOptions};

/// How long one thread is alone.
const ALONE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 0 } else { 10 });

/// As much as the first thread has; only what is used becomes memory.
const STACK: usize = 128 << 20;

/// How many parts may be finished before their turn.
const AHEAD: usize = 4;

impl<'d> Engine<'_, 'd> {
    /// Calls for the solutions of each part of a node, with the columns that are wanted.
    pub(super) fn each_part(
        &self,
        node: &Node,
        wanted: Vars,
        mut take: impl FnMut(Table) -> Result<(), Unfit>,
    ) -> Result<(), Unfit> {
        let begin = Instant::now();
        let mut parts = Parts::of(self, node, ALL);
        let mut is_alone = true;
        while let Some(table) = parts.next(self, node, wanted)? {
            take(table)?;
            if is_alone
                && begin.elapsed() > ALONE
                && let Some(part) = parts.take_next()
            {
                is_alone = false;
                let part = match self.portable(node) {
                    Some(portable) => {
                        self.is_alone.set(false);
                        let most = self.ticks.most.get();
                        let rest = self.in_two_threads(portable, node, wanted, part, &mut take);
                        self.ticks.most.set(most);
                        self.is_alone.set(true);
                        rest?
                    }
                    None => Some(part),
                };
                parts = Parts::from(part);
            }
        }
        Ok(())
    }

    /// What another thread needs; none where the node is not for two.
    fn portable(&self, node: &Node) -> Option<Portable<'_, 'd>> {
        let has_two = thread::available_parallelism().is_ok_and(|threads| threads.get() > 1);
        let is_fit = has_two && self.is_alone.get() && self.steps.get().is_none() && node.is_repeatable();
        let kept = || self.kept.borrow().iter().map(|(node, table)| (node.addr(), table.clone())).collect();
        is_fit.then(|| {
            Some(Portable {
                data: self.data.portable()?,
                environment: self.evaluation.environment(),
                names: self.names,
                base: self.base,
                kept: kept(),
                first_computed: self.view.next_computed(),
            })
        })?
    }

    /// Calls for the solutions of parts from one on, as long as none has too many; returns the part that comes next, if there is one.
    fn in_two_threads(
        &self,
        portable: Portable<'_, 'd>,
        node: &Node,
        wanted: Vars,
        mut part: Part<'d>,
        take: &mut impl FnMut(Table) -> Result<(), Unfit>,
    ) -> Result<Option<Part<'d>>, Unfit> {
        let (length, first) = (part.length, portable.first_computed);
        let turns = Turns { next: AtomicUsize::new(part.start), is_over: AtomicBool::new(false), length };
        let (sender, receiver) = sync_channel(AHEAD);
        thread::scope(|scope| {
            let other = thread::Builder::new().name("evaluation".to_owned()).stack_size(STACK);
            let own_turns = &turns;
            let spawned = other.spawn_scoped(scope, move || portable.work(own_turns, node, wanted, &sender));
            // Dropped, it ends the other thread that waits for room.
            let receiver = receiver;
            if spawned.is_err() {
                return Ok(Some(part));
            }
            let _over = Over(&turns.is_over);
            let (mut pending, mut numbers) = (BTreeMap::new(), Renumbering { first, own: Vec::new() });
            let mut due = part.start;
            loop {
                let is_over = self.receive(&receiver, &mut pending, due, &mut numbers);
                if let Some(done) = pending.remove(&due) {
                    let Some((table, is_last)) = done else {
                        return Ok(Some(Part { walk: None, start: due, length, at: 0 }));
                    };
                    take(table)?;
                    if is_last {
                        return Ok(None);
                    }
                    due += length;
                    continue;
                }
                if is_over && turns.next.load(Ordering::Relaxed) > due {
                    return Ok(Some(Part { walk: None, at: 0, start: due, length }));
                }
                let start = turns.take();
                self.ticks.most.set(MOST_ROWS_OF_PART);
                let (found, rest) = self.one_part(node, wanted, Part { start, length, ..part });
                let is_last = rest.is_none();
                part = rest.unwrap_or(Part { walk: None, start, length, at: 0 });
                pending.insert(
                    start,
                    match found {
                        Ok(table) => Some((table, is_last)),
                        Err(Unfit::TooLarge) => None,
                        Err(unfit) => return Err(unfit),
                    },
                );
            }
        })
    }

    /// The solutions of one part, and what comes behind it.
    fn one_part(
        &self,
        node: &Node,
        wanted: Vars,
        part: Part<'d>,
    ) -> (Result<Table, Unfit>, Option<Part<'d>>) {
        let outer = (self.part.take(), self.rest.take());
        self.part.set(Some(part));
        let found = self.run(node, wanted);
        let rest = self.rest.take();
        self.part.set(outer.0);
        self.rest.set(outer.1);
        (found, rest)
    }

    /// Notes what the other thread has found, and tells whether it has ended; waits for what is due where much else is pending.
    fn receive(
        &self,
        receiver: &Receiver<Done>,
        pending: &mut Pending,
        due: usize,
        numbers: &mut Renumbering,
    ) -> bool {
        loop {
            let waits = pending.len() >= AHEAD && !pending.contains_key(&due);
            let done = if waits { receiver.recv().map_err(TryRecvError::from) } else { receiver.try_recv() };
            let mut done = match done {
                Ok(done) => done,
                Err(ended) => return ended == TryRecvError::Disconnected,
            };
            if let Some((table, _)) = &mut done.table {
                self.renumber(table, done.computed, numbers);
            }
            pending.insert(done.start, done.table);
        }
    }

    /// Gives the computed terms of a table of the other thread the numbers that they have here.
    fn renumber(&self, table: &mut Table, computed: Vec<Term>, numbers: &mut Renumbering) {
        numbers.own.extend(computed.into_iter().map(|term| number(self.view.intern(term))));
        if numbers.own.is_empty() {
            return;
        }
        for own in table.columns.iter_mut().flat_map(|(_, column)| &mut column.numbers) {
            let place = own.checked_sub(numbers.first).map(|place| place as usize);
            if let Some(known) = place.and_then(|place| numbers.own.get(place)) {
                *own = *known;
            }
        }
    }
}

/// The numbers here of the terms that the other thread has computed, the first of which has the number `first` there.
struct Renumbering {
    first: u32,
    own: Vec<u32>,
}

/// The parts that are found before their turn: solutions, and whether no part comes behind; none of a part with too many.
type Pending = BTreeMap<usize, Option<(Table, bool)>>;

/// A part that the other thread has found.
struct Done {
    start: usize,
    table: Option<(Table, bool)>,
    /// The terms that it has computed for that.
    computed: Vec<Term>,
}

/// Which part is next.
struct Turns {
    next: AtomicUsize,
    is_over: AtomicBool,
    length: usize,
}

impl Turns {
    fn take(&self) -> usize {
        self.next.fetch_add(self.length, Ordering::Relaxed)
    }
}

/// Ends the other thread.
struct Over<'o>(&'o AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// An evaluation that another thread can go on with.
struct Portable<'e, 'd> {
    data: PortableData<'d>,
    environment: Environment,
    names: &'e [Variable],
    base: Option<&'e Iri<String>>,
    kept: HashMap<usize, Table>,
    /// The number that the next computed term gets.
    first_computed: u32,
}

impl Portable<'_, '_> {
    /// Evaluates parts until there are no more, or the first thread ends.
    fn work(self, turns: &Turns, node: &Node, wanted: Vars, sender: &SyncSender<Done>) {
        let data = Data::from(self.data);
        let evaluation = Evaluation::new(ExecuteOptions::default(), &self.environment, false);
        let kept = self.kept.into_iter().map(|(node, table)| (std::ptr::without_provenance(node), table));
        let engine = Engine {
            data: &data,
            view: &data.view,
            evaluation: &evaluation,
            names: self.names,
            base: self.base,
            ticks: Ticks::of(&evaluation.deadline.cancellation),
            is_alone: Cell::new(false),
            steps: Cell::new(None),
            part: Cell::new(None),
            rest: Cell::new(None),
            kept: &RefCell::new(kept.collect()),
        };
        engine.ticks.most.set(MOST_ROWS_OF_PART);
        let (mut walk, mut at) = (None, 0);
        while !turns.is_over.load(Ordering::Relaxed) {
            let start = turns.take();
            let known = data.view.computed_count();
            let part = Part { walk, start, length: turns.length, at };
            let (found, rest) = engine.one_part(node, wanted, part);
            let is_last = rest.is_none();
            // The first thread meets a fault again, in its turn.
            let table = found.ok().map(|table| (table, is_last));
            let is_failed = table.is_none();
            let computed = data.view.computed_after(known);
            if sender.send(Done { start, table, computed }).is_err() || is_last || is_failed {
                return;
            }
            (walk, at) = rest.map_or((None, 0), |rest| (rest.walk, rest.at));
        }
    }
}
