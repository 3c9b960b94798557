//! The quads of a checkpoint that is read in pieces. Memory holds only the pieces being converted and the pieces being
//! read at the same time.
//!
//! `DocumentLoading` is defined in `document_loading.rs`.

use std::collections::HashSet;
use std::io::Read;
use std::sync::Arc;

use rayon::prelude::*;

use super::dataset_document::{DatasetDocument, beside_questions};
use super::document::DocumentContent;
use super::document_loading::DocumentLoading;
use super::document_quads::report_moved;
use super::large_checkpoint::{KnownPiece, LargeCheckpoint, hash_of};
use super::loaded_document_facts::LoadingChanges;
use super::read_session::report_warnings;
use crate::input::compression::DecompressedStream;
use crate::input::files_read::FilesRead;
use crate::input::origin::DocumentOrigin;
use evalgraph_diagnostics::{AlreadyReported, Diagnostic, ReportedResult, RunReport, SourceText};
use evalgraph_formats::catalog;
use evalgraph_formats::checkpoint::CheckpointSurvey;
use evalgraph_formats::rewriting::IndexedGraph;
use evalgraph_formats::system_name::SystemName;
use evalgraph_json::{JsonDocument, ListHead, ListText};
use evalgraph_jsonld::{JsonLdWarning, LoadMode};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::iri::percent_encode_into;
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_store::DocumentBuilder;
use evalgraph_work::pool::side_by_side;

/// The quads of a piece of a checkpoint, and its text.
pub struct CheckpointPiece {
    /// The quads, with those of the catalog. The root has the same IRI in all pieces; each blank node belongs to a
    /// single piece.
    pub builder: DocumentBuilder,
    /// The text. Concatenating the texts of all pieces gives the file.
    pub text: Vec<u8>,
    /// The questions in the piece.
    pub questions: PieceQuestions,
    /// The IRIs that were moved into the single schema.org namespace.
    moved: Vec<Box<str>>,
}

/// The questions of a piece. A question can occur in several pieces.
#[derive(Default)]
pub struct PieceQuestions {
    /// Hashes of the IRIs of questions that have one.
    named: HashSet<u64>,
    /// How many questions are blank nodes, each of which belongs to a single piece.
    unnamed: u64,
}

impl PieceQuestions {
    /// Collects the questions among nodes.
    fn from_nodes(nodes: impl Iterator<Item = BufferTermId>, quads: &QuadBuffer) -> Self {
        let mut questions = Self::default();
        for node in nodes {
            match quads.term(node) {
                TermRef::Iri(iri) => drop(questions.named.insert(hash_of(iri.as_bytes()))),
                _ => questions.unnamed += 1,
            }
        }
        questions
    }

    /// Adds the questions of another piece.
    pub fn add(&mut self, other: Self) {
        self.named.extend(other.named);
        self.unnamed += other.unnamed;
    }

    /// Returns the number of distinct questions.
    pub fn count(&self) -> u64 {
        self.named.len() as u64 + self.unnamed
    }
}

/// A piece from the second reading.
struct PieceRead<'k> {
    text: ListText,
    /// What the first reading found out about it.
    known: &'k KnownPiece,
}

/// The second reading of a file.
struct CheckpointRereading<'r> {
    loader: &'r DocumentLoading<'r>,
    origin: &'r DocumentOrigin,
    /// The name of the dataset.
    name: &'r str,
    large: &'r LargeCheckpoint,
    /// The same name, percent-encoded for IRIs.
    dataset: String,
}

impl DocumentLoading<'_> {
    /// Passes the pieces of a large checkpoint to `take` in file order: first the object around its list, then the
    /// items.
    ///
    /// # Errors
    ///
    /// If a piece is at fault, which is reported, and the errors of `take`.
    pub fn pieces_of(
        &self,
        named: &DatasetDocument,
        report: &mut RunReport,
        take: &mut dyn FnMut(CheckpointPiece, &mut RunReport) -> ReportedResult<()>,
    ) -> ReportedResult<LoadingChanges> {
        let DocumentContent::LargeCheckpoint(large) = &named.opened.content else {
            return Err(AlreadyReported);
        };
        let mut dataset = String::new();
        percent_encode_into(&named.dataset, &mut dataset);
        let (origin, name) = (&named.opened.origin, named.dataset.as_str());
        let reading = CheckpointRereading { loader: self, origin, name, large, dataset };
        let mut frame = reading.frame(report)?;
        let mut moved = HashSet::from_iter(frame.moved.drain(..));
        take(frame, report)?;
        reading.each(&mut moved, report, take)?;
        if self.tells_changes {
            report_moved(&named.opened.origin.name, moved.len() as u64, report);
        }
        Ok(LoadingChanges::default())
    }
}

impl CheckpointRereading<'_> {
    /// Returns the object around the list as a piece.
    fn frame(&self, report: &mut RunReport) -> ReportedResult<CheckpointPiece> {
        let frame = &self.large.frame;
        let mode = self.mode(frame.document(), true);
        let (mut builder, moved) = self.convert(frame.document(), mode, None, report)?;
        let text = frame.before().as_bytes().to_vec();
        let questions = self.add_to_catalog(&mut builder, report)?;
        Ok(CheckpointPiece { builder, text, questions, moved })
    }

    /// Converts the items, on all cores.
    fn each(
        &self,
        moved: &mut HashSet<Box<str>>,
        report: &mut RunReport,
        take: &mut dyn FnMut(CheckpointPiece, &mut RunReport) -> ReportedResult<()>,
    ) -> ReportedResult<()> {
        let count = side_by_side();
        let mut stream = self.begin(report)?;
        let mut left = self.large.pieces.iter();
        let mut group = self.read(&mut stream, left.by_ref().take(count), report)?;
        let mut done = 0;
        while !group.is_empty() {
            let (empty, mut found) = (report.part(), report.part());
            let convert = |read: PieceRead<'_>| {
                let mut part = empty.part();
                (self.piece(read, &mut part), part)
            };
            let (next, converted) = rayon::join(
                || self.read(&mut stream, left.by_ref().take(count), &mut found),
                || group.into_par_iter().map(convert).collect::<Vec<_>>(),
            );
            for (converted, part) in converted {
                report.absorb(part);
                let mut piece = converted?;
                moved.extend(piece.moved.drain(..));
                done += 1;
                if done == self.large.pieces.len() {
                    piece.text.extend_from_slice(self.large.frame.behind().as_bytes());
                }
                take(piece, report)?;
            }
            // Findings about the next pieces come after those about this group, as in the file.
            report.absorb(found);
            group = next?;
        }
        self.end(&mut stream, report)
    }

    /// Begins to read the file again, up to the first item.
    fn begin(&self, report: &mut RunReport) -> ReportedResult<DecompressedStream> {
        let mut stream = report.ok_or_report(self.large.source.begin(&FilesRead::default()))?.into_bytes();
        let before = self.large.frame.before().as_bytes();
        let mut text = Vec::with_capacity(before.len());
        let read = stream.by_ref().take(before.len() as u64).read_to_end(&mut text);
        self.same(read.is_ok() && text == before, report)?;
        Ok(stream)
    }

    /// Reads the text after the last item.
    fn end(&self, stream: &mut dyn Read, report: &mut RunReport) -> ReportedResult<()> {
        let behind = self.large.frame.behind().as_bytes();
        let mut text = Vec::with_capacity(behind.len());
        // One more byte shows whether the file has grown.
        let read = stream.take(behind.len() as u64 + 1).read_to_end(&mut text);
        self.same(read.is_ok() && text == behind, report)
    }

    /// Reads some pieces.
    fn read<'k>(
        &self,
        stream: &mut dyn Read,
        pieces: impl Iterator<Item = &'k KnownPiece>,
        report: &mut RunReport,
    ) -> ReportedResult<Vec<PieceRead<'k>>> {
        let mut read = Vec::new();
        for known in pieces {
            let mut text = self.large.head.begin(known.piece.length);
            let length = stream.take(known.piece.length as u64).read_to_end(&mut text);
            self.same(length.is_ok_and(|length| length == known.piece.length), report)?;
            read.push(PieceRead { text: ListText { piece: known.piece, text }, known });
        }
        Ok(read)
    }

    /// Converts a piece.
    fn piece(&self, read: PieceRead<'_>, report: &mut RunReport) -> ReportedResult<CheckpointPiece> {
        let PieceRead { text, known } = read;
        let (head, limits) = (&self.large.head, self.loader.session.reading.limits);
        self.same(hash_of(head.bytes_in(&text.text)) == known.hash, report)?;
        let document = Arc::new(report.ok_or_report(head.parse(text, limits))?);
        let mode = self.mode(&document, known.keeps_json);
        let (mut builder, moved) = self.convert(&document, mode, Some(head), report)?;
        let questions = self.add_to_catalog(&mut builder, report)?;
        Ok(CheckpointPiece { builder, text: head.text_of(document), questions, moved })
    }

    /// Adds the catalog entries about the content of a piece. Returns its questions.
    fn add_to_catalog(
        &self,
        builder: &mut DocumentBuilder,
        report: &mut RunReport,
    ) -> ReportedResult<PieceQuestions> {
        let (classes, properties) = beside_questions(&self.large.detection);
        let excerpt = builder.excerpt(classes, properties);
        let entries = self.loader.entries_of(&IndexedGraph::new(&excerpt.quads, None), None, report)?;
        let system = SystemName::JSON_LD.name();
        catalog::encode_content(&entries, system, self.name, builder, |node| excerpt.term(node));
        let nodes = entries.questions.iter().map(|question| question.node);
        Ok(PieceQuestions::from_nodes(nodes, &excerpt.quads))
    }

    fn mode(&self, document: &JsonDocument, keeps_json: bool) -> LoadMode {
        if self.loader.is_plain {
            return LoadMode::default();
        }
        let detection = &self.large.detection;
        match keeps_json {
            true => CheckpointSurvey::from_document(document).load_mode_of_piece(detection, &self.dataset),
            false => CheckpointSurvey::load_mode_of_any(&self.dataset),
        }
    }

    /// Returns the quads of a document, and the IRIs that were moved. Warnings about the head of a piece are dropped
    /// because they were reported for the frame.
    fn convert(
        &self,
        document: &Arc<JsonDocument>,
        mode: LoadMode,
        head: Option<&ListHead>,
        report: &mut RunReport,
    ) -> ReportedResult<(DocumentBuilder, Vec<Box<str>>)> {
        let mut builder = DocumentBuilder::new();
        let mints_ids = mode.mint_below.is_some();
        let converted = self.loader.session.with_processor(self.origin, |processor| {
            processor.with_load_mode(mode).to_rdf(document, &mut builder)
        });
        let mut conversion = converted.map_err(|error| report.reported([&error.diagnostic()]))?;
        if let Some(head) = head {
            let is_of_piece = |warning: &JsonLdWarning| {
                Arc::ptr_eq(&warning.document, document) && head.is_in_piece(document, warning.token)
            };
            conversion.warnings.retain(is_of_piece);
        }
        report_warnings(&conversion.warnings, mints_ids, report);
        Ok((builder, conversion.moved_to_schema_org))
    }

    /// Reports that a file changed between the two readings.
    fn same(&self, is_same: bool, report: &mut RunReport) -> ReportedResult<()> {
        if is_same {
            return Ok(());
        }
        let name = self.large.source.name();
        let fault = Diagnostic::error("input::changed", format!("`{name}` was changed while it was read"));
        Err(report.reported([&fault.at(SourceText::new(name, b"").place(0..0))]))
    }
}
