//! Finds the list cells that contain the values of findings. For an item of a list, the check names the node and
//! property of the list, but in the document the item belongs to a cell.

use std::collections::{HashMap, HashSet};

use oxrdf::{NamedNode, NamedNodeRef, Term};

use crate::validation::document_places::WantedTerm;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_schema_org::FaultyStatement;
use evalgraph_store::{Dataset, DatasetView, DefaultGraph, TermId};

/// Cells by their items.
type CellsByItem = HashMap<TermId, Vec<TermId>>;

/// Finds cells. Each list is traversed once.
pub(super) struct ListCells<'d> {
    dataset: &'d Dataset,
    view: DatasetView<'d>,
    first: Option<TermId>,
    /// `rdf:rest`, if the data contain lists.
    rest: Option<TermId>,
    known: HashMap<[TermId; 2], CellsByItem>,
}

impl<'d> ListCells<'d> {
    pub(super) fn new(dataset: &'d Dataset) -> Self {
        let find = |iri| dataset.dictionary().find(NamedNodeRef::new_unchecked(iri).into());
        let view = dataset.view(DefaultGraph::Union);
        let is_used = |rest: &TermId| view.default_triples(None, Some(*rest), None).next().is_some();
        let (first, rest) = (find(rdf::FIRST), find(rdf::REST).filter(is_used));
        Self { dataset, view, first, rest, known: HashMap::new() }
    }

    /// The statements of the cells whose item is the value of a statement. Empty if there are no lists.
    pub(super) fn wanted(&mut self, statement: &FaultyStatement) -> Vec<WantedTerm> {
        let cells = match &statement.cell {
            Some(cell) => vec![cell.clone()],
            None => self.with_item(statement).unwrap_or_default(),
        };
        let first = Some(NamedNode::new_unchecked(rdf::FIRST));
        let of_cell = |node| WantedTerm { node, predicate: first.clone(), value: statement.value.clone() };
        cells.into_iter().map(of_cell).collect()
    }

    /// The cells whose item is the value of a statement.
    fn with_item(&mut self, statement: &FaultyStatement) -> Option<Vec<Term>> {
        self.rest?;
        let dictionary = self.dataset.dictionary();
        let id = |term: &Term| match term {
            Term::BlankNode(node) => dictionary.find_blank_node(node.as_str()),
            term => dictionary.find(term.as_ref()),
        };
        let predicate = dictionary.find(statement.predicate.as_ref()?.as_ref().into())?;
        let (node, item) = (id(&statement.node)?, id(statement.value.as_ref()?)?);
        let cells = self.cells([node, predicate]).get(&item)?;
        Some(cells.iter().map(|cell| dictionary.term(*cell)).collect())
    }

    /// The cells of all lists under a property of a node.
    fn cells(&mut self, [node, predicate]: [TermId; 2]) -> &CellsByItem {
        let Self { view, first, rest, known, .. } = self;
        known.entry([node, predicate]).or_insert_with(|| {
            let objects = |subject: TermId, predicate: Option<TermId>| {
                let triples = predicate.map(|_| view.default_triples(Some(subject), predicate, None));
                triples.into_iter().flatten().map(|[_, _, object]| object)
            };
            let (mut cells, mut seen) = (CellsByItem::new(), HashSet::new());
            let mut waiting: Vec<TermId> = objects(node, Some(predicate)).collect();
            while let Some(cell) = waiting.pop() {
                let (items, tails): (Vec<TermId>, Vec<TermId>) =
                    (objects(cell, *first).collect(), objects(cell, *rest).collect());
                // A node without `rdf:rest` is not a cell.
                if tails.is_empty() || !seen.insert(cell) {
                    continue;
                }
                waiting.extend(tails.iter().chain(&items));
                items.into_iter().for_each(|item| cells.entry(item).or_default().push(cell));
            }
            cells
        })
    }
}
