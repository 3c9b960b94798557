//! Writes the folder of an export as Parquet.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use hashbrown::HashMap;
use oxrdf::NamedNodeRef;
use serde_json::json;

use super::duckdb_views::duckdb_views;
use super::hashed_terms::HashedTerms;
use super::quad_file::QuadFile;
use super::sorted_rows::{HELD, RowSorter, SortedRow, SortedRows};
use crate::export::choice::GraphChoice;
use crate::export::export_data::{ExportData, ExportTerms, check};
use crate::export::export_folder::{self, ExportFolder, LIST, unwritable};
use crate::export::files_export_form::{ExportedFile, FilesExportResult};
use crate::export::files_export_run::ExportWatch;
use crate::input::progress::WorkProgress;
use crate::load::quads::CompanionGraph;
use crate::tables::quad_columns::{GraphRow, NumberedTerm, QuadRow, write_graphs, write_quads};
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_rdf::minted::CATALOG_GRAPH;
use evalgraph_rdf::vocabulary::evalgraph;
use evalgraph_store::{Dataset, EncodedQuad, RdfTermKind, TermId};

/// The folder of the files of quads.
const QUADS: &str = "p";
/// How many characters of a predicate's name appear in the name of its file.
const READABLE: usize = 40;

/// An export as Parquet.
#[derive(Debug, Clone)]
pub struct ParquetExport {
    /// The graphs.
    pub graphs: GraphChoice,
    /// How many rows a predicate has that gets a file of its own.
    pub own_file: u64,
    /// `true` to replace an earlier export in the folder.
    pub replaces: bool,
}

impl ParquetExport {
    /// Rejects a folder that the export would not write into, and graphs that it does not write.
    ///
    /// # Errors
    ///
    /// `export::exists`, `export::other-files`, `export::sidecar`.
    pub fn check(&self, folder: &Path) -> Result<(), RunFailure> {
        if self.graphs.with.contains(&CompanionGraph::Sidecar) {
            let message =
                "sidecars are not exported as Parquet: they are texts of files, and not data to query";
            return Err(Diagnostic::error("export::sidecar", message).into());
        }
        export_folder::check(folder, self.replaces)
    }

    /// Writes graphs into a folder, which appears complete or not at all.
    ///
    /// # Errors
    ///
    /// The errors of [`ParquetExport::check`], and `export::collision`. Also fails if the folder cannot be written, the
    /// store is damaged, or the run is cancelled.
    pub fn write(
        &self,
        data: &mut ExportData<'_>,
        graphs: &[TermId],
        place: &Path,
        watch: &ExportWatch<'_>,
    ) -> Result<FilesExportResult, RunFailure> {
        self.check(place)?;
        let folder = ExportFolder::begin(place, self.replaces)?;
        let path = folder.path();
        let progress = watch.display.begin("exporting", 2 * data.quad_count(graphs));
        let (dataset, texts) = data.quads_and_texts();
        let mut run = ParquetExportRun { dataset, texts, numbers: HashedTerms::default(), folder: &path };
        let counts = run.counts(graphs, watch)?;
        let files = run.files(&counts, self.own_file);
        let mut rows = RowSorter::new(&path, HELD);
        for graph in graphs {
            for quad in dataset.graph_quads(*graph) {
                let row = run.row(quad, *graph, &files);
                rows.push(row).map_err(|error| unwritable(&path, &error))?;
                run.texts.bound();
                watch.cancellation.check()?;
                progress.advance(1);
            }
            check_is_whole(&run)?;
        }
        run.numbers.check(run.texts.terms())?;
        let mut rows = rows.finish().map_err(|error| unwritable(&path, &error))?;
        let mut exported = Vec::new();
        fs::create_dir(path.join(QUADS)).map_err(|error| unwritable(&path, &error))?;
        for (number, file) in (0..).zip(&files) {
            let (quads, bytes) = run.write_file(number, file, &mut rows, watch, &*progress)?;
            exported.push(ExportedFile { name: file.name.clone(), graph: None, quads, bytes });
        }
        let bytes = run.write_graphs(graphs)?;
        exported.push(ExportedFile { name: "graphs.parquet".to_owned(), graph: None, quads: 0, bytes });
        let views = path.join("views.duckdb.sql");
        let text = duckdb_views(&files);
        fs::write(&views, &text).map_err(|error| unwritable(&views, &error))?;
        exported.push(ExportedFile {
            name: "views.duckdb.sql".to_owned(),
            graph: None,
            quads: 0,
            bytes: text.len() as u64,
        });
        write_list(&path, &exported)?;
        folder.finish(self.replaces)?;
        Ok(FilesExportResult { files: exported, graphs: graphs.len() })
    }
}

/// Fails if a file of the store is damaged.
fn check_is_whole(run: &ParquetExportRun<'_>) -> Result<(), RunFailure> {
    check(run.dataset)?;
    run.texts.check()
}

/// The state of an export.
struct ParquetExportRun<'r> {
    dataset: &'r Dataset,
    texts: ExportTerms<'r>,
    numbers: HashedTerms,
    folder: &'r Path,
}

impl ParquetExportRun<'_> {
    /// Counts the rows of each predicate, and notes the blank nodes of each graph.
    fn counts(
        &mut self,
        graphs: &[TermId],
        watch: &ExportWatch<'_>,
    ) -> Result<HashMap<TermId, u64>, RunFailure> {
        let mut counts = HashMap::new();
        for graph in graphs {
            let mut nodes = Vec::new();
            for quad in self.dataset.graph_quads(*graph) {
                *counts.entry(quad.predicate).or_insert(0) += 1;
                let terms = self.texts.terms();
                let ends = [quad.subject, quad.object];
                nodes.extend(ends.into_iter().filter(|term| terms.kind(*term) == RdfTermKind::BlankNode));
                watch.cancellation.check()?;
            }
            self.numbers.add_blank_nodes(*graph, nodes);
        }
        Ok(counts)
    }

    /// Returns the files: the one for all small predicates, and one for each large predicate.
    fn files(&mut self, counts: &HashMap<TermId, u64>, own_file: u64) -> Vec<QuadFile> {
        let large = counts.iter().filter(|(_, count)| **count >= own_file);
        let large: Vec<TermId> = large.map(|(predicate, _)| *predicate).collect();
        let mut predicates: Vec<NumberedTerm> =
            large.into_iter().map(|predicate| self.numbered(predicate)).collect();
        predicates.sort_by(|one, other| one.text.cmp(&other.text));
        let rest = QuadFile { name: format!("{QUADS}/rest.parquet"), predicate: None };
        let own = predicates.into_iter().map(|predicate| {
            let local = predicate.text.rsplit(['/', '#', ':']).next().unwrap_or_default();
            let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
            let local: String = local.chars().map(plain).take(READABLE).collect();
            let name = format!("{QUADS}/{local}-{:016x}.parquet", predicate.number);
            QuadFile { name, predicate: Some(predicate) }
        });
        std::iter::once(rest).chain(own).collect()
    }

    fn numbered(&mut self, term: TermId) -> NumberedTerm {
        let terms = self.texts.terms();
        NumberedTerm { number: self.numbers.number(term, terms), text: self.numbers.text(term, terms) }
    }

    fn row(&mut self, quad: EncodedQuad, graph: TermId, files: &[QuadFile]) -> SortedRow {
        let terms = [quad.predicate, quad.subject, quad.object, graph];
        let numbers = terms.map(|term| self.numbers.number(term, self.texts.terms()));
        let own = files
            .iter()
            .position(|file| file.predicate.as_ref().is_some_and(|predicate| predicate.number == numbers[0]));
        SortedRow { file: own.and_then(|own| own.try_into().ok()).unwrap_or(0), numbers, terms }
    }

    /// Writes a file, and returns how many rows and bytes it has.
    fn write_file(
        &mut self,
        number: u32,
        file: &QuadFile,
        rows: &mut SortedRows,
        watch: &ExportWatch<'_>,
        progress: &dyn WorkProgress,
    ) -> Result<(u64, u64), RunFailure> {
        let path = self.folder.join(&file.name);
        let (mut count, mut stopped) = (0, None);
        let written = |output: &mut BufWriter<File>| {
            write_quads(
                file.predicate.is_none(),
                |write| {
                    while let Some(row) = rows.next_of(number)? {
                        let [predicate, subject, object] = [0, 1, 2].map(|at| self.numbered(row.terms[at]));
                        let terms = self.texts.terms();
                        let term = row.terms[2];
                        let kind = match terms.kind(term) {
                            RdfTermKind::Iri => "iri",
                            RdfTermKind::BlankNode => "blank",
                            _ => "literal",
                        };
                        let datatype = terms.datatype(term).map(|datatype| terms.lexical(datatype));
                        let language = terms.language(term);
                        write(QuadRow {
                            graph: row.numbers[3],
                            subject: &subject,
                            predicate: &predicate,
                            object: &object,
                            kind,
                            datatype,
                            language,
                        })?;
                        count += 1;
                        progress.advance(1);
                        self.texts.bound();
                        if let Err(failure) = watch.cancellation.check() {
                            stopped = Some(failure);
                            return Err(io::Error::from(io::ErrorKind::Interrupted));
                        }
                    }
                    Ok(())
                },
                output,
            )
        };
        let bytes = into_file(&path, written);
        if let Some(failure) = stopped {
            return Err(failure.into());
        }
        self.texts.check()?;
        bytes.map(|bytes| (count, bytes)).map_err(|error| unwritable(&path, &error))
    }

    /// Writes the file of graphs, and returns its size.
    fn write_graphs(&mut self, graphs: &[TermId]) -> Result<u64, RunFailure> {
        let files = self.paths();
        let mut rows: Vec<GraphRow> = Vec::new();
        for graph in graphs {
            let quads = self.dataset.graph_quad_count(*graph) as u64;
            let file = files.get(graph).cloned();
            rows.push(GraphRow { graph: self.numbered(*graph), file, quads });
            self.texts.bound();
        }
        rows.sort_by(|one, other| one.graph.text.cmp(&other.graph.text));
        let path = self.folder.join("graphs.parquet");
        into_file(&path, |output| write_graphs(&rows, output)).map_err(|error| unwritable(&path, &error))
    }

    /// The paths of the files of graphs, which the catalog has.
    fn paths(&self) -> HashMap<TermId, String> {
        let terms = self.texts.terms();
        let find = |iri: &str| terms.find(NamedNodeRef::new_unchecked(iri).into());
        let (Some(catalog), Some(path)) = (find(CATALOG_GRAPH), find(evalgraph::PATH)) else {
            return HashMap::new();
        };
        let quads = self.dataset.graph_quads(catalog).filter(|quad| quad.predicate == path);
        quads.map(|quad| (quad.subject, terms.lexical(quad.object).to_owned())).collect()
    }
}

/// Creates a file, writes it, and returns its size.
fn into_file(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<u64> {
    let mut output = BufWriter::new(File::create_new(path)?);
    write(&mut output)?;
    output.flush()?;
    let file = output.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

/// Writes the list of files, by which a later export recognises them.
fn write_list(folder: &Path, files: &[ExportedFile]) -> Result<(), RunFailure> {
    let row = |ExportedFile { name, quads, bytes, .. }: &ExportedFile| json!({"name": name, "quads": quads, "bytes": bytes});
    let list = json!({"format": "parquet", "files": files.iter().map(row).collect::<Vec<_>>()});
    let path = folder.join(LIST);
    fs::write(&path, format!("{list:#}\n")).map_err(|error| unwritable(&path, &error))
}
