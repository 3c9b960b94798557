//! RDF lists: the items of a list, and the statements that have an item's list as value.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use foldhash::fast::RandomState;

use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{DatasetView, TermDictionary, TermId};

pub(super) struct RdfLists<'c> {
    view: &'c DatasetView<'c>,
    /// `rdf:first`, if the data have lists.
    first: Option<TermId>,
    rest: Option<TermId>,
    nil: Option<TermId>,
    /// The owners of the cells that were looked up.
    owners: RefCell<HashMap<TermId, Rc<[ListOwner]>, RandomState>>,
}

/// A node and the predicate that leads from it to a list.
pub(super) type ListOwner = (TermId, TermId);

impl<'c> RdfLists<'c> {
    pub(super) fn new(view: &'c DatasetView<'c>, dictionary: &'c TermDictionary) -> Self {
        let find = |iri| dictionary.find(oxrdf::NamedNodeRef::new_unchecked(iri).into());
        let has_items = |first: &TermId| view.default_triples(None, Some(*first), None).next().is_some();
        let first = find(rdf::FIRST).filter(has_items);
        Self { view, first, rest: find(rdf::REST), nil: find(rdf::NIL), owners: RefCell::default() }
    }

    /// The items of a list, including those of lists in it; none for a node that is not a list.
    pub(super) fn items(&self, node: TermId) -> Option<Vec<TermId>> {
        if Some(node) == self.nil {
            return Some(Vec::new());
        }
        if !self.is_cell(node) {
            return None;
        }
        let (mut items, mut seen, mut cells) = (Vec::new(), HashSet::new(), vec![node]);
        while let Some(cell) = cells.pop() {
            if !seen.insert(cell) {
                continue;
            }
            cells.extend(self.objects(cell, self.rest));
            for item in self.objects(cell, self.first) {
                match self.is_cell(item) || Some(item) == self.nil {
                    true => cells.push(item),
                    false => items.push(item),
                }
            }
        }
        Some(items)
    }

    /// The subjects and predicates of the lists that a node is an item of.
    pub(super) fn owners(&self, node: TermId) -> Vec<ListOwner> {
        let cells = self.first.map(|first| self.view.default_triples(None, Some(first), Some(node)));
        cells.into_iter().flatten().flat_map(|[cell, ..]| self.owners_of_cell(cell).to_vec()).collect()
    }

    /// The subject and predicate of the list that a cell belongs to; the first if there are several.
    pub(super) fn owner_of_cell(&self, cell: TermId) -> Option<ListOwner> {
        self.owners_of_cell(cell).first().copied()
    }

    /// The owners of a cell. Those of the cells before it are the same if only one cell leads to the next, so a long
    /// list is walked through only once.
    fn owners_of_cell(&self, cell: TermId) -> Rc<[ListOwner]> {
        let (mut walked, mut cell) = (HashSet::new(), cell);
        let owners = loop {
            if let Some(known) = self.owners.borrow().get(&cell) {
                break Rc::clone(known);
            }
            match (walked.insert(cell), self.only_cell_before(cell)) {
                (true, Some(before)) => cell = before,
                _ => break self.look_for_owners(cell).into(),
            }
        };
        self.owners.borrow_mut().extend(walked.into_iter().map(|cell| (cell, Rc::clone(&owners))));
        owners
    }

    /// The cell before a cell, if nothing else leads to it.
    fn only_cell_before(&self, cell: TermId) -> Option<TermId> {
        let mut statements = self.view.default_triples(None, None, Some(cell));
        let [before, predicate, _] = statements.next()?;
        (self.leads_on(predicate) && statements.next().is_none()).then_some(before)
    }

    fn look_for_owners(&self, cell: TermId) -> Vec<ListOwner> {
        let (mut owners, mut seen, mut cells) = (Vec::new(), HashSet::new(), vec![cell]);
        while let Some(cell) = cells.pop() {
            if !seen.insert(cell) {
                continue;
            }
            for [subject, predicate, _] in self.view.default_triples(None, None, Some(cell)) {
                match self.leads_on(predicate) {
                    true => cells.push(subject),
                    false => owners.push((subject, predicate)),
                }
            }
        }
        owners
    }

    /// Returns whether a predicate leads from a cell to the next one, or into a list in it.
    fn leads_on(&self, predicate: TermId) -> bool {
        [self.first, self.rest].contains(&Some(predicate))
    }

    fn is_cell(&self, node: TermId) -> bool {
        self.first.is_some() && self.objects(node, self.first).next().is_some()
    }

    fn objects(&self, node: TermId, predicate: Option<TermId>) -> impl Iterator<Item = TermId> + use<'c> {
        let triples = predicate.map(|predicate| self.view.default_triples(Some(node), Some(predicate), None));
        triples.into_iter().flatten().map(|[_, _, object]| object)
    }
}
