//! Collects the rows of an export, graph by graph, in sorted runs.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

use hashbrown::HashSet;

use super::collected_facts::{CollectedFacts, CollectedGraph, CollectedPredicate};
use super::hashed_terms::{HashedTerms, TermHashes, blank_node_label, is_blank_node};
use super::property_tables::write_row;
use super::record_merge::SortedRecords;
use super::record_run::RecordKey;
use super::record_sorter::RecordSorter;
use super::row_texts::RowTexts;
use crate::export::export_data::ExportTerms;
use crate::export::export_folder::unwritable;
use crate::tables::record_tables::TableRow;
use evalgraph_diagnostics::RunFailure;
use evalgraph_sparql::CancellationToken;
use evalgraph_store::{EncodedQuad, TermId};

/// How many bytes of rows are sorted in memory.
const ROWS: usize = 64 << 20;
/// How many bytes of rows of tables are sorted in memory.
const TABLE_ROWS: usize = 16 << 20;
/// How many bytes of hashes of terms are sorted in memory.
const TERMS: usize = 32 << 20;

/// Rows that are being collected.
pub(super) struct RowCollector<'c> {
    folder: &'c Path,
    cancellation: &'c CancellationToken,
    rows: RecordSorter<'c>,
    terms: TermCollector<'c>,
    tables: RecordSorter<'c>,
    facts: CollectedFacts,
}

/// The rows of an export in their order, by the numbers of predicate, subject, object and graph.
pub(super) struct CollectedRows {
    /// The texts of each row.
    pub(super) rows: SortedRecords,
    /// The number of each term, and its second hash.
    pub(super) terms: SortedRecords,
    /// The rows of tables, by the number of the table.
    pub(super) tables: SortedRecords,
    pub(super) facts: CollectedFacts,
}

/// A row that was written before.
pub(super) struct ReadRow<'r> {
    pub(super) key: RecordKey,
    /// The IRI of the predicate.
    pub(super) iri: &'r str,
    pub(super) texts: RowTexts<'r>,
}

/// The terms of the current document, and the hashes of all terms.
struct TermCollector<'c> {
    hashed: HashedTerms,
    hashes: RecordSorter<'c>,
}

impl TermCollector<'_> {
    fn push(&mut self, hash: TermHashes) -> io::Result<()> {
        self.hashes.push([hash.number, hash.second, 0, 0], |_| {})
    }

    fn number(&mut self, term: TermId, texts: &ExportTerms<'_>) -> io::Result<i64> {
        let hashes = &mut self.hashes;
        self.hashed.number(term, texts.terms(), |hash| hashes.push([hash.number, hash.second, 0, 0], |_| {}))
    }
}

impl<'c> RowCollector<'c> {
    /// Collects rows in files without a name in a folder.
    pub(super) fn new(folder: &'c Path, cancellation: &'c CancellationToken) -> Self {
        let terms =
            TermCollector { hashed: HashedTerms::default(), hashes: RecordSorter::new(folder, TERMS) };
        let rows = RecordSorter::new(folder, ROWS);
        let tables = RecordSorter::new(folder, TABLE_ROWS);
        Self { folder, cancellation, rows, terms, tables, facts: CollectedFacts::default() }
    }

    /// The cancellation of the run.
    pub(super) fn cancellation(&self) -> &'c CancellationToken {
        self.cancellation
    }

    /// Begins with the terms of another dictionary.
    pub(super) fn begin_dictionary(&mut self) {
        self.terms.hashed = HashedTerms::default();
    }

    /// Returns the name of a graph that is a term of the dictionary. A blank node gets its number from `document`.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written.
    pub(super) fn graph_name(
        &mut self,
        graph: TermId,
        document: &str,
        texts: &mut ExportTerms<'_>,
    ) -> Result<NumberedGraph, RunFailure> {
        texts.bound();
        if !is_blank_node(graph, texts.terms()) {
            return Ok(NumberedGraph::from_iri(texts.terms().lexical(graph)));
        }
        let document = NumberedGraph::from_iri(document);
        self.add_blank_nodes(&document, HashSet::from_iter([graph]));
        let number = self.terms.number(graph, texts).map_err(|error| unwritable(self.folder, &error))?;
        Ok(NumberedGraph { name: blank_node_label(number), number })
    }

    fn add_blank_nodes(&mut self, graph: &NumberedGraph, nodes: HashSet<TermId>) {
        let number = graph.number;
        let facts = CollectedGraph { number, file: None, blank_nodes: 0, holders: BTreeSet::new() };
        let facts = self.facts.graphs.entry(graph.name.clone()).or_insert(facts);
        facts.blank_nodes = self.terms.hashed.add_blank_nodes(graph.number, nodes, facts.blank_nodes);
    }

    /// Adds the quads of a graph, which `quads` returns twice. `file` is the path of the graph's file.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written, or the run is cancelled.
    pub(super) fn add_graph<I: Iterator<Item = EncodedQuad>>(
        &mut self,
        graph: &NumberedGraph,
        file: Option<&str>,
        quads: impl Fn() -> I,
        texts: &mut ExportTerms<'_>,
    ) -> Result<(), RunFailure> {
        let mut nodes = HashSet::new();
        for quad in quads() {
            let ends = [quad.subject, quad.object];
            nodes.extend(ends.into_iter().filter(|term| is_blank_node(*term, texts.terms())));
        }
        self.add_blank_nodes(graph, nodes);
        if let (Some(file), Some(facts)) = (file, self.facts.graphs.get_mut(&graph.name)) {
            facts.file = Some(file.to_owned());
        }
        let failed = |error: io::Error| unwritable(self.folder, &error);
        if let Some(hash) = graph.hash() {
            self.terms.push(hash).map_err(failed)?;
        }
        for quad in quads() {
            self.add_row(quad, graph.number, texts).map_err(failed)?;
            texts.bound();
            self.cancellation.check()?;
        }
        Ok(())
    }

    fn add_row(&mut self, quad: EncodedQuad, graph: i64, texts: &ExportTerms<'_>) -> io::Result<()> {
        let predicate = self.terms.number(quad.predicate, texts)?;
        let subject = self.terms.number(quad.subject, texts)?;
        let object = self.terms.number(quad.object, texts)?;
        let facts = || {
            let iri = texts.terms().lexical(quad.predicate).to_owned();
            CollectedPredicate { iri, rows: 0 }
        };
        self.facts.predicates.entry(predicate).or_insert_with(facts).rows += 1;
        self.rows.push([predicate, subject, object, graph], |output| {
            RowTexts::from_quad(quad, texts.terms()).write(output);
        })
    }

    /// Notes that a graph is inside a file.
    pub(super) fn note_holder(&mut self, graph: &NumberedGraph, file: &str) {
        if let Some(facts) = self.facts.graphs.get_mut(&graph.name) {
            facts.holders.insert(file.to_owned());
        }
    }

    /// Adds the rows of a table that are about a graph.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written.
    pub(super) fn add_table_rows(
        &mut self,
        table: i64,
        graph: i64,
        rows: &[TableRow],
    ) -> Result<(), RunFailure> {
        for (at, row) in (0..).zip(rows) {
            self.tables
                .push([table, graph, at, 0], |output| write_row(row, output))
                .map_err(|error| unwritable(self.folder, &error))?;
        }
        Ok(())
    }

    /// Adds hashes of terms.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written.
    pub(super) fn add_hashes(&mut self, hashes: &[TermHashes]) -> Result<(), RunFailure> {
        let pushed = hashes.iter().try_for_each(|hash| self.terms.push(*hash));
        pushed.map_err(|error| unwritable(self.folder, &error))
    }

    /// Adds a row that was written before. The hashes of its terms are added separately.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written.
    pub(super) fn add_read_row(&mut self, row: &ReadRow<'_>) -> Result<(), RunFailure> {
        let facts = || CollectedPredicate { iri: row.iri.to_owned(), rows: 0 };
        self.facts.predicates.entry(row.key[0]).or_insert_with(facts).rows += 1;
        let pushed = self.rows.push(row.key, |output| row.texts.write(output));
        pushed.map_err(|error| unwritable(self.folder, &error))
    }

    /// Adds a row of a table that was written before.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written.
    pub(super) fn add_table_row(&mut self, key: RecordKey, bytes: &[u8]) -> Result<(), RunFailure> {
        let pushed = self.tables.push(key, |output| output.extend_from_slice(bytes));
        pushed.map_err(|error| unwritable(self.folder, &error))
    }

    /// Adds the sorted records of a part: rows, hashes of terms, and rows of tables.
    pub(super) fn add_part(&mut self, [rows, terms, tables]: [Box<dyn Read + Send>; 3]) {
        self.rows.add_run(rows);
        self.terms.hashes.add_run(terms);
        self.tables.add_run(tables);
    }

    /// The predicates and graphs so far.
    pub(super) fn facts_mut(&mut self) -> &mut CollectedFacts {
        &mut self.facts
    }

    /// Returns the rows in their order.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written.
    pub(super) fn finish(self) -> Result<CollectedRows, RunFailure> {
        let failed = |error: io::Error| unwritable(self.folder, &error);
        let rows = self.rows.finish().map_err(failed)?;
        let terms = self.terms.hashes.finish().map_err(failed)?;
        let tables = self.tables.finish().map_err(failed)?;
        Ok(CollectedRows { rows, terms, tables, facts: self.facts })
    }
}

/// A graph: its name as a column has it, and its number.
pub(super) struct NumberedGraph {
    name: String,
    pub(super) number: i64,
}

impl NumberedGraph {
    /// The graph with an IRI.
    pub(super) fn from_iri(iri: &str) -> Self {
        Self { name: iri.to_owned(), number: TermHashes::from_iri(iri).number }
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The hashes of its name; `None` for a blank node, whose hashes are collected already.
    fn hash(&self) -> Option<TermHashes> {
        (!self.name.starts_with("_:")).then(|| TermHashes::from_iri(&self.name))
    }
}
