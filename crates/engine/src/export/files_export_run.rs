//! An export into files for bulk loaders.
//!
//! `FilesExport` is defined in `files_export_form.rs`.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use serde_json::json;

use super::export_data::{ExportData, ExportPart, check};
use super::export_folder::{self, ExportFolder, LIST, unwritable};
use super::files_export_form::{ExportedFile, FORMATS, FilesExport, FilesExportResult};
use super::series::FileSeries;
use super::shared_nodes::SharedNodes;
use crate::input::compression::FileCompression;
use crate::input::progress::ProgressDisplay;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_rdf::RdfFormat;
use evalgraph_rdf::minted::document_name;
use evalgraph_sparql::CancellationToken;
use evalgraph_store::{EncodedQuad, TermDictionary, TermId};

/// The name, without extensions, of the files of a format with graph names.
const ALL: &str = "data";

/// How many characters of a graph's name appear in its file name.
const READABLE: usize = 60;

/// What watches an export.
pub struct ExportWatch<'w> {
    /// Shows how many quads were written.
    pub display: ProgressDisplay,
    /// Ends the export early.
    pub cancellation: &'w CancellationToken,
}

impl FilesExport {
    /// Rejects a folder that the export would not write into, and a format that cannot be written quad by quad.
    ///
    /// # Errors
    ///
    /// `export::exists`, `export::other-files`, `output::format`.
    pub fn check(&self, folder: &Path) -> Result<(), RunFailure> {
        if !FORMATS.contains(&self.format) {
            let message = format!("{} is not written quad by quad", self.format);
            let names = FORMATS.map(RdfFormat::name).join(", ");
            let fault = Diagnostic::error("output::format", message);
            return Err(fault.with_help(help![setting("to"), format!(" may be {names}")]).into());
        }
        export_folder::check(folder, self.replaces)
    }

    /// Writes graphs into files in a folder, which appears complete or not at all.
    ///
    /// # Errors
    ///
    /// The errors of [`FilesExport::check`]. Also fails if the folder cannot be written, the store is damaged, or the
    /// run is cancelled.
    pub fn write(
        &self,
        data: &mut ExportData<'_>,
        graphs: &[TermId],
        place: &Path,
        watch: &ExportWatch<'_>,
        report: &mut RunReport,
    ) -> Result<FilesExportResult, RunFailure> {
        self.check(place)?;
        let folder = ExportFolder::begin(place, self.replaces)?;
        let path = folder.path();
        let mut writing = FilesExportRun::begin(self, &path);
        let progress = watch.display.begin("exporting", data.quad_count(graphs));
        data.each_part(
            &self.graphs,
            graphs,
            report,
            |ExportPart { dataset, mut texts, graphs, sidecars, terms, .. }| {
                for graph in graphs {
                    writing.graph(graph, texts.terms())?;
                    for quad in dataset.graph_quads(graph) {
                        writing.quad(quad, texts.terms())?;
                        texts.bound();
                        watch.cancellation.check()?;
                        progress.advance(1);
                    }
                    check(dataset)?;
                    texts.check()?;
                }
                for sidecar in &sidecars {
                    watch.cancellation.check()?;
                    writing.graph(sidecar.name, terms)?;
                    sidecar.quads().try_for_each(|quad| writing.quad(quad, terms))?;
                }
                Ok(())
            },
        )?;
        let (exported, shared) = writing.finish()?;
        self.write_list(&path, &exported.files)?;
        folder.finish(self.replaces)?;
        report.add_all(&told(shared));
        Ok(exported)
    }

    /// Writes the list of files. A later export recognises its files by it, and a reader finds the graph of each file
    /// in it.
    fn write_list(&self, folder: &Path, files: &[ExportedFile]) -> Result<(), RunFailure> {
        let row = |ExportedFile { name, graph, quads, bytes }: &ExportedFile| {
            let mut row = json!({"name": name, "quads": quads, "bytes": bytes});
            if let Some(graph) = graph {
                row["graph"] = json!(graph);
            }
            row
        };
        let list = json!({
            "format": self.format.name(),
            "compression": self.compression.map(FileCompression::name),
            "files": files.iter().map(row).collect::<Vec<_>>(),
        });
        let path = folder.join(LIST);
        let written = File::create_new(&path).and_then(|mut file| {
            writeln!(file, "{list:#}")?;
            file.sync_all()
        });
        written.map_err(|error| unwritable(&path, &error))
    }
}

/// The state of an export while its files are written.
struct FilesExportRun<'w> {
    export: &'w FilesExport,
    folder: &'w Path,
    series: FileSeries<'w>,
    shared: SharedNodes,
    exported: FilesExportResult,
}

impl<'w> FilesExportRun<'w> {
    fn begin(export: &'w FilesExport, folder: &'w Path) -> Self {
        let series = FileSeries::new(folder, export, ALL.to_owned(), None);
        Self {
            export,
            folder,
            series,
            shared: SharedNodes::default(),
            exported: FilesExportResult::default(),
        }
    }

    /// Starts a graph.
    fn graph(&mut self, graph: TermId, terms: &TermDictionary) -> Result<(), RunFailure> {
        self.exported.graphs += 1;
        if self.export.format.has_graph_names() {
            return Ok(());
        }
        let (stem, name) = names_of(graph, self.exported.graphs, terms);
        let series = FileSeries::new(self.folder, self.export, stem, Some(name));
        self.exported.files.extend(std::mem::replace(&mut self.series, series).finish()?);
        self.shared.next_graph();
        Ok(())
    }

    /// Writes a quad of the graph.
    fn quad(&mut self, quad: EncodedQuad, terms: &TermDictionary) -> Result<(), RunFailure> {
        if !self.export.format.has_graph_names() {
            self.shared.see(quad, terms);
        }
        self.series.quad(quad, terms)
    }

    /// Finishes the files. Also returns how many blank nodes occur in several graphs.
    fn finish(self) -> Result<(FilesExportResult, u64), RunFailure> {
        let Self { series, shared, mut exported, .. } = self;
        exported.files.extend(series.finish()?);
        Ok((exported, shared.count()))
    }
}

/// The stem of the file name of a graph, made unique by a number, and the name of the graph.
fn names_of(graph: TermId, number: usize, terms: &TermDictionary) -> (String, String) {
    let mut name = Vec::new();
    terms.write_n_triples(graph, &mut name);
    let name = String::from_utf8_lossy(&name).trim_matches(['<', '>']).to_owned();
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-._".contains(character);
    let readable = document_name(&name).unwrap_or(&name).chars();
    let readable: String =
        readable.map(|character| if is_plain(character) { character } else { '_' }).take(READABLE).collect();
    (format!("{number:04}-{readable}"), name)
}

/// The warning about blank nodes that occur in several graphs.
fn told(shared: u64) -> Option<Diagnostic> {
    let message = match shared {
        0 => return None,
        1 => "a blank node occurs in several graphs, and becomes a different node in each file".to_owned(),
        _ => format!("{shared} blank nodes occur in several graphs, and become different nodes in each file"),
    };
    let warning = Diagnostic::warning("export::shared-nodes", message);
    Some(warning.with_help(help![setting("to").to("nq"), " keeps all graphs in one file"]))
}
