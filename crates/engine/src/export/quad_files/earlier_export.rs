//! An export that was written before, whose rows are read back when files are added to it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use oxrdf::{Literal, NamedNode};
use serde_json::Value;

use super::collected_facts::CollectedGraph;
use super::export_making::{ExportMaking, InnerGraph, MADE};
use super::folder_writing::STORED_TABLE_ROWS;
use super::hashed_terms::{TermHashes, blank_node_label};
use super::quad_file::{FilePredicate, QUADS};
use super::record_run::RecordRun;
use super::record_sorter::opened;
use super::row_collector::{ReadRow, RowCollector};
use super::row_texts::{RowObject, RowTexts};
use crate::export::export_folder::{ExportFolder, LIST, MOST_OF_LIST};
use crate::input::path_text::plain;
use crate::input::source::InputSource;
use crate::load::dataset_names::StoredNames;
use crate::tables::read_quads::{QuadFileReader, ReadQuad, read_graphs};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_files::read_regular;
use evalgraph_rdf::minted::dataset_and_part;
use evalgraph_store::hashed_text;

/// How many numbers of terms are remembered, so that their hashes are not made again.
const MOST: usize = 1 << 20;
/// The second hash of blank nodes, which have no text.
const OF_BLANK_NODES: i64 = 0;

/// An export that was written before.
pub(super) struct EarlierExport {
    place: PathBuf,
    /// The text of its list, which says whether it has been replaced in the meantime.
    list: Vec<u8>,
    /// The names of its files.
    files: Vec<String>,
    pub(super) making: ExportMaking,
    graphs: Vec<EarlierGraph>,
}

/// A graph of the export.
struct EarlierGraph {
    name: String,
    number: i64,
    file: Option<String>,
}

/// The graphs of an earlier export that are kept.
#[derive(Debug, Default)]
pub(super) struct KeptGraphs {
    /// The names of their datasets.
    pub(super) names: StoredNames,
    /// The graphs of documents.
    pub(super) documents: HashSet<String>,
    /// The numbers of the graphs that are not kept.
    replaced: HashSet<i64>,
}

impl EarlierExport {
    /// Reads what is known about the export in a folder.
    ///
    /// # Errors
    ///
    /// `export::append` if files cannot be added to it, and `export::damaged`.
    pub(super) fn read(place: &Path) -> Result<Self, RunFailure> {
        let path = place.join(LIST);
        if !path.exists() && place.parent().is_some_and(Path::exists) {
            // A run that was killed at its very end has left the export in its hidden folder.
            drop(ExportFolder::begin(place, true)?);
        }
        let list = read_regular(&path, MOST_OF_LIST).unwrap_or_default();
        let parsed = serde_json::from_slice::<Value>(&list).unwrap_or_default();
        let Some(making) = ExportMaking::from_json(&parsed[MADE]) else {
            return Err(unfit(place, parsed["format"] == "parquet"));
        };
        let mut files = Vec::new();
        for file in parsed["files"].as_array().into_iter().flatten() {
            let name = file["name"].as_str().unwrap_or_default();
            let path = place.join(name);
            let size = fs::metadata(&path).map_err(|error| damaged(&path, &error))?.len();
            if file["bytes"].as_u64() != Some(size) {
                return Err(damaged(&path, &io::ErrorKind::InvalidData.into()));
            }
            files.push(name.to_owned());
        }
        let path = place.join("graphs.parquet");
        let graphs = File::open(&path).and_then(read_graphs).map_err(|error| damaged(&path, &error))?;
        let graphs = graphs.into_iter().map(|graph| EarlierGraph {
            name: graph.name.unwrap_or_else(|| blank_node_label(graph.number)),
            number: graph.number,
            file: graph.file,
        });
        let empty = making.documents.iter().map(|(name, file)| EarlierGraph {
            name: name.clone(),
            number: TermHashes::from_iri(name).number,
            file: Some(file.clone()),
        });
        let graphs = graphs.chain(empty).collect();
        Ok(Self { place: place.to_owned(), list, files, making, graphs })
    }

    /// Returns the graphs that are kept if files are added. Those of files that are there already are replaced.
    ///
    /// # Errors
    ///
    /// `export::same-graph` if a file is there already and must not be replaced, or if one of its graphs is also inside
    /// another file.
    pub(super) fn kept(&self, sources: &[InputSource], replaces: bool) -> Result<KeptGraphs, RunFailure> {
        let added: HashSet<String> = sources.iter().map(InputSource::name).collect();
        let mut kept = KeptGraphs::default();
        for graph in &self.graphs {
            let inner = self.making.inner.get(&graph.name);
            let holders = inner.iter().flat_map(|inner| &inner.holders);
            let there = graph.file.iter().chain(holders).find(|file| added.contains(*file));
            if let Some(file) = there {
                if !replaces {
                    return Err(is_there(file, &graph.name));
                }
                check_alone(graph, inner, &added)?;
                kept.replaced.insert(graph.number);
                continue;
            }
            kept.names.taken.extend(dataset_and_part(&graph.name).map(|(dataset, _)| dataset));
            if inner.is_none() {
                kept.documents.insert(graph.name.clone());
            }
        }
        Ok(kept)
    }

    /// Adds the rows of the graphs that are kept.
    ///
    /// # Errors
    ///
    /// `export::damaged`. Also fails if the rows cannot be collected, or the run is cancelled.
    pub(super) fn add_rows(
        &self,
        kept: &KeptGraphs,
        collector: &mut RowCollector<'_>,
    ) -> Result<(), RunFailure> {
        let mut reading = RowReading { kept, collector, seen: HashSet::new() };
        for graph in self.graphs.iter().filter(|graph| !kept.replaced.contains(&graph.number)) {
            self.add_graph(graph, &mut reading)?;
        }
        for name in self.files.iter().filter(|name| name.starts_with(&format!("{QUADS}/"))) {
            let path = self.place.join(name);
            let own = self
                .making
                .predicates
                .get(name)
                .map(|iri| FilePredicate { number: TermHashes::from_iri(iri).number, text: iri.clone() });
            let failed = |error: io::Error| damaged(&path, &error);
            let file = File::open(&path).map_err(failed)?;
            let mut reader = QuadFileReader::new(file, own.is_none()).map_err(failed)?;
            while let Some(rows) = reader.next_rows().map_err(failed)? {
                reading.collector.cancellation().check()?;
                for row in rows.rows() {
                    let row = row.and_then(|row| FoundRow::new(row, own.as_ref()));
                    let row = row.ok_or_else(|| failed(io::ErrorKind::InvalidData.into()))?;
                    if !reading.add(&row)? {
                        return Err(failed(io::ErrorKind::InvalidData.into()));
                    }
                }
            }
        }
        self.add_table_rows(kept, collector)
    }

    /// Adds a graph without its rows.
    fn add_graph(&self, graph: &EarlierGraph, reading: &mut RowReading<'_, '_>) -> Result<(), RunFailure> {
        let EarlierGraph { name, number, file } = graph;
        let inner = self.making.inner.get(name).cloned();
        let InnerGraph { blank_nodes, holders } = inner.unwrap_or_default();
        let facts = CollectedGraph { number: *number, file: file.clone(), blank_nodes, holders };
        reading.collector.facts_mut().graphs.insert(name.clone(), facts);
        let hashes = match name.starts_with("_:") {
            true => TermHashes { number: *number, second: OF_BLANK_NODES },
            false => TermHashes::from_iri(name),
        };
        if hashes.number != *number {
            let path = self.place.join("graphs.parquet");
            return Err(damaged(&path, &io::ErrorKind::InvalidData.into()));
        }
        reading.collector.add_hashes(&[hashes])
    }

    /// Adds the rows of tables that are about graphs that are kept.
    fn add_table_rows(&self, kept: &KeptGraphs, collector: &mut RowCollector<'_>) -> Result<(), RunFailure> {
        if !self.making.has_tables {
            return Ok(());
        }
        let path = self.place.join(STORED_TABLE_ROWS);
        let failed = |error: io::Error| damaged(&path, &error);
        let mut rows = RecordRun::from_reader(File::open(&path).and_then(opened).map_err(failed)?);
        while let Some(key) = rows.advance().map_err(failed)? {
            if !kept.replaced.contains(&key[1]) {
                collector.add_table_row(key, rows.bytes())?;
            }
        }
        Ok(())
    }

    /// Rejects the export if another run has replaced it since it was read.
    ///
    /// # Errors
    ///
    /// `export::append`.
    pub(super) fn check_unchanged(&self) -> Result<(), RunFailure> {
        let list = read_regular(&self.place.join(LIST), MOST_OF_LIST).unwrap_or_default();
        if list == self.list {
            return Ok(());
        }
        let message =
            format!("another run has replaced the export in `{}` in the meantime", self.place.display());
        Err(Diagnostic::error("export::append", message).with_help("run the same command again").into())
    }
}

/// The fault of a file that is in the export already.
fn is_there(file: &str, graph: &str) -> RunFailure {
    let message = format!("`{file}` is in the export already, with the graph `{graph}`; nothing is added");
    let help = help![setting("update"), " replaces its graphs; or leave the file out"];
    Diagnostic::error("export::same-graph", message).with_help(help).into()
}

/// Rejects a graph that is also inside a file which is not added again.
fn check_alone(
    graph: &EarlierGraph,
    inner: Option<&InnerGraph>,
    added: &HashSet<String>,
) -> Result<(), RunFailure> {
    let holders = inner.iter().flat_map(|inner| &inner.holders);
    let Some(other) = graph.file.iter().chain(holders).find(|file| !added.contains(*file)) else {
        return Ok(());
    };
    let message = format!(
        "the graph `{}` is also in `{other}`, and its quads cannot be told apart; nothing is replaced",
        graph.name
    );
    let help = help!["name that file, too, or export all files again with ", setting("replace")];
    Err(Diagnostic::error("export::same-graph", message).with_help(help).into())
}

/// A row with its texts.
struct FoundRow<'r> {
    quad: ReadQuad<'r>,
    predicate: i64,
    iri: &'r str,
    texts: RowTexts<'r>,
}

impl<'r> FoundRow<'r> {
    /// Returns the row of a quad; `own` is the predicate that all rows of its file share. `None` if it is damaged.
    fn new(quad: ReadQuad<'r>, own: Option<&'r FilePredicate>) -> Option<Self> {
        let (predicate, iri) = match (own, quad.predicate) {
            (Some(own), _) => (own.number, own.text.as_str()),
            (None, own) => own.map(|own| (own.number, own.text))?,
        };
        let text = |text: Option<&'r str>| text.filter(|text| !text.starts_with("_:"));
        let object = match quad.kind {
            "blank" => RowObject::BlankNode,
            "iri" => RowObject::Iri(quad.object_text?),
            "literal" => RowObject::Literal {
                lexical: quad.object_text?,
                datatype: quad.datatype?,
                language: quad.language,
            },
            _ => return None,
        };
        let texts = RowTexts { subject: text(quad.subject_text), object };
        Some(Self { quad, predicate, iri, texts })
    }

    /// Returns the hashes of the object.
    fn object_hashes(&self) -> TermHashes {
        match self.texts.object {
            RowObject::Iri(iri) => TermHashes::from_iri(iri),
            RowObject::BlankNode => TermHashes { number: self.quad.object, second: OF_BLANK_NODES },
            RowObject::Literal { lexical, datatype, language } => {
                let literal = match language {
                    Some(language) => Literal::new_language_tagged_literal_unchecked(lexical, language),
                    None => Literal::new_typed_literal(lexical, NamedNode::new_unchecked(datatype)),
                };
                TermHashes::from_text(&hashed_text(&literal.into()))
            }
        }
    }
}

/// The rows while they are read.
struct RowReading<'k, 'c> {
    kept: &'k KeptGraphs,
    collector: &'k mut RowCollector<'c>,
    /// The numbers of terms whose hashes are collected.
    seen: HashSet<i64>,
}

impl RowReading<'_, '_> {
    /// Adds a row unless its graph is replaced. Returns `false` if a term does not have its number.
    fn add(&mut self, row: &FoundRow<'_>) -> Result<bool, RunFailure> {
        let FoundRow { quad, predicate, iri, texts } = row;
        if self.kept.replaced.contains(&quad.graph) {
            return Ok(true);
        }
        if self.seen.len() >= MOST {
            self.seen.clear();
        }
        let mut hashes = Vec::new();
        if self.seen.insert(*predicate) {
            hashes.push((*predicate, TermHashes::from_iri(iri)));
        }
        if self.seen.insert(quad.subject) {
            let of_node = || TermHashes { number: quad.subject, second: OF_BLANK_NODES };
            hashes.push((quad.subject, texts.subject.map_or_else(of_node, TermHashes::from_iri)));
        }
        if self.seen.insert(quad.object) {
            hashes.push((quad.object, row.object_hashes()));
        }
        if hashes.iter().any(|(number, hashes)| *number != hashes.number) {
            return Ok(false);
        }
        hashes.iter().try_for_each(|(_, hashes)| self.collector.add_hashes(&[*hashes]))?;
        let key = [*predicate, quad.subject, quad.object, quad.graph];
        self.collector.add_read_row(&ReadRow { key, iri, texts: *texts })?;
        Ok(true)
    }
}

/// The fault of a folder that files cannot be added to.
fn unfit(place: &Path, is_export: bool) -> RunFailure {
    let place = place.display();
    let (message, help) = match is_export {
        true => (
            format!(
                "the export in `{place}` was written from a store, with the catalog, or by another version; files are not added to it"
            ),
            help!["write it again with ", setting("replace")],
        ),
        false => (
            format!("`{place}` has no export as Parquet that files can be added to"),
            help!["leave ", setting("append"), " and ", setting("update"), " out to write a new one"],
        ),
    };
    Diagnostic::error("export::append", message).with_help(help).into()
}

/// The fault of a damaged file of the export.
fn damaged(path: &Path, error: &io::Error) -> RunFailure {
    let message = format!("`{}` is not as it was written: {}", path.display(), plain(error));
    let help = help!["write the export again with ", setting("replace")];
    Diagnostic::error("export::damaged", message).with_help(help).into()
}
