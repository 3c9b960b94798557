//! A series of files that together contain the quads of an export: one file, or parts of a limited size.
//!
//! A label identifies a blank node only within one file; a loader creates another node for it in the next. So quads
//! with blank nodes are not split: they go into a separate file beside the parts, however large it is.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::export_folder::unwritable;
use super::files_export_form::{ExportedFile, FilesExport};
use super::statement_serializer::StatementSerializer;
use crate::input::compression::CompressingWriter;
use evalgraph_diagnostics::RunFailure;
use evalgraph_store::{EncodedQuad, RdfTermKind, TermDictionary};

/// How many bytes of text are written at a time.
const CHUNK: usize = 1 << 16;

/// The files that together contain the quads of an export, or of one of its graphs.
pub(super) struct FileSeries<'s> {
    folder: &'s Path,
    options: &'s FilesExport,
    /// The name of the files, without number and extensions.
    stem: String,
    /// The graph of the quads, if the format has no graph names.
    graph: Option<String>,
    part: Option<SeriesFile>,
    /// The file for quads with blank nodes, if there are parts.
    blank_nodes: Option<SeriesFile>,
    /// How many parts were started.
    parts: usize,
    files: Vec<ExportedFile>,
}

/// A file that is being written.
struct SeriesFile {
    name: String,
    path: PathBuf,
    output: CompressingWriter<BufWriter<File>>,
    statements: StatementSerializer,
    text: Vec<u8>,
    quads: u64,
    /// How many bytes of text the file has, before compression.
    length: u64,
}

impl<'s> FileSeries<'s> {
    pub(super) fn new(
        folder: &'s Path,
        options: &'s FilesExport,
        stem: String,
        graph: Option<String>,
    ) -> Self {
        let (part, blank_nodes, files) = (None, None, Vec::new());
        Self { folder, options, stem, graph, part, blank_nodes, parts: 0, files }
    }

    /// Writes a quad.
    pub(super) fn quad(&mut self, quad: EncodedQuad, terms: &TermDictionary) -> Result<(), RunFailure> {
        let is_blank = |term| terms.kind(term) == RdfTermKind::BlankNode;
        let has_blank_node =
            [Some(quad.subject), Some(quad.object), quad.graph].into_iter().flatten().any(is_blank);
        match self.options.split {
            None => {
                if self.part.is_none() {
                    self.part = Some(self.begin(&self.stem)?);
                }
            }
            Some(_) if has_blank_node => {
                if self.blank_nodes.is_none() {
                    self.blank_nodes = Some(self.begin(&format!("{}-blank-nodes", self.stem))?);
                }
                return self.blank_nodes.iter_mut().try_for_each(|part| part.quad(quad, terms));
            }
            Some(most) => {
                if self.part.as_ref().is_some_and(|part| part.length >= most) {
                    self.files.extend(self.part.take().map(|part| part.finish(&self.graph)).transpose()?);
                }
                if self.part.is_none() {
                    self.parts += 1;
                    self.part = Some(self.begin(&format!("{}-{:04}", self.stem, self.parts))?);
                }
            }
        }
        self.part.iter_mut().try_for_each(|part| part.quad(quad, terms))
    }

    /// Finishes the files, and returns all of them in the order of their names.
    pub(super) fn finish(mut self) -> Result<Vec<ExportedFile>, RunFailure> {
        for part in [self.part.take(), self.blank_nodes.take()].into_iter().flatten() {
            self.files.push(part.finish(&self.graph)?);
        }
        Ok(self.files)
    }

    fn begin(&self, stem: &str) -> Result<SeriesFile, RunFailure> {
        let name = format!("{stem}{}", self.options.extensions());
        let path = self.folder.join(&name);
        let output = File::create_new(&path)
            .and_then(|file| {
                CompressingWriter::new(self.options.compression, BufWriter::with_capacity(CHUNK, file))
            })
            .map_err(|error| unwritable(&path, &error))?;
        let statements = StatementSerializer::new(self.options.format);
        Ok(SeriesFile { name, path, output, statements, text: Vec::new(), quads: 0, length: 0 })
    }
}

impl SeriesFile {
    fn quad(&mut self, quad: EncodedQuad, terms: &TermDictionary) -> Result<(), RunFailure> {
        let before = self.text.len();
        self.statements.quad(quad, terms, &mut self.text);
        self.quads += 1;
        self.length += (self.text.len() - before) as u64;
        if self.text.len() < CHUNK {
            return Ok(());
        }
        self.write()
    }

    fn write(&mut self) -> Result<(), RunFailure> {
        self.output.write_all(&self.text).map_err(|error| unwritable(&self.path, &error))?;
        self.text.clear();
        Ok(())
    }

    fn finish(mut self, graph: &Option<String>) -> Result<ExportedFile, RunFailure> {
        self.statements.end(&mut self.text);
        self.write()?;
        let Self { name, path, output, quads, .. } = self;
        let written = || -> io::Result<u64> {
            let file = output.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            Ok(file.metadata()?.len())
        };
        let bytes = written().map_err(|error| unwritable(&path, &error))?;
        Ok(ExportedFile { name, graph: graph.clone(), quads, bytes })
    }
}
