//! Checkpoints that are too large to keep in memory. A first pass over the pieces finds out their dialect, where they
//! can be cut, and whether the pieces yield the same quads as the whole file.
//!
//! A file that is not certain to yield the same quads is read as a whole.
//!
//! `ReadSession` is defined in `read_session.rs`.

use std::io::{self, Read};
use std::sync::Arc;

use md5::Md5;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::document::{DIGESTED, Document, DocumentContent};
use super::large_checkpoint::{CheckpointPieces, KnownPiece, LargeCheckpoint, hash_of};
use super::large_records::RecordLayout;
use super::parsed_input::report_duplicate_keys;
use super::read_session::ReadSession;
use crate::input::compression::DecompressedStream as OpenedStream;
use crate::input::files_read::FilesRead;
use crate::input::origin::DocumentOrigin;
use crate::input::source::{BegunInput, InputSource};
use evalgraph_diagnostics::{Diagnostic, ReportedResult, RunReport, codes};
use evalgraph_formats::catalog::hexadecimal;
use evalgraph_formats::checkpoint::{CheckpointSurvey, PieceSurvey, SurveyInPieces};
use evalgraph_formats::secrets;
use evalgraph_json::{JsonDocument, Limits, ListFrame, ListHead, ListReader, ListText, TokenId};
use evalgraph_jsonld::has_labels;
use evalgraph_rdf::iri::is_iri;
use evalgraph_rdf::{RdfFormat, detect};
use evalgraph_work::pool::side_by_side;

/// The reason why a file is not read in pieces.
enum DivisionRefusal {
    /// The pieces may yield different quads than the whole file.
    Whole,
    /// The file is at fault.
    AtFault(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for DivisionRefusal {
    fn from(fault: Box<Diagnostic>) -> Self {
        // Reading the file as a whole gives a better message.
        if fault.code == codes::INPUT_UNREADABLE { Self::Whole } else { Self::AtFault(fault) }
    }
}

impl ReadSession {
    /// Examines a checkpoint in order to read it in pieces. The error is the beginning of a file that has to be read as
    /// a whole, or the fault of the file, which is reported.
    pub fn read_in_pieces(
        &self,
        mut begun: BegunInput,
        source: &InputSource,
        report: &mut RunReport,
    ) -> Result<Document, ReportedResult<Box<BegunInput>>> {
        let Some(pieces) = self.checkpoint_pieces.filter(|_| self.may_be_divided(source)) else {
            return Err(Ok(Box::new(begun)));
        };
        let is_beyond = report.ok_or_report(begun.is_beyond(pieces.from)).map_err(Err)?;
        // The beginning is examined only for large files.
        let Some(key) = is_beyond.then(|| list_key(&begun)).flatten() else {
            return Err(Ok(Box::new(begun)));
        };
        let origin = begun.origin.clone();
        let mut part = report.part();
        match self.large_checkpoint(begun, source, &key, pieces, &mut part) {
            Ok((large, sha256)) => {
                report.absorb(part);
                let document = large.frame.document();
                let root_id =
                    CheckpointSurvey::from_document(document).root_id.and_then(|id| document.string(id));
                let root_id = root_id.map(|id| id.into_owned());
                let content = DocumentContent::LargeCheckpoint(Box::new(large));
                Ok(Document { origin, format: RdfFormat::JsonLd, root_id, content, sha256 })
            }
            Err(DivisionRefusal::AtFault(fault)) => {
                report.absorb(part);
                let is_secret = may_have_secrets(source);
                let fault = if is_secret { secrets::without_text(fault) } else { fault };
                Err(Err(report.reported([&*fault])))
            }
            Err(DivisionRefusal::Whole) => Err(report.ok_or_report(self.remote.begin(source)).map(Box::new)),
        }
    }

    /// Returns whether an input can be read twice, and no option of the user needs all of it at once.
    fn may_be_divided(&self, source: &InputSource) -> bool {
        matches!(source, InputSource::File(_))
            && self.takes_pieces()
            && self.reading.named_system().is_none()
            && self.reading.encoding.is_none()
    }

    /// Examines all pieces of a file. The string is the SHA-256 of the file, if requested.
    fn large_checkpoint(
        &self,
        begun: BegunInput,
        source: &InputSource,
        key: &str,
        pieces: CheckpointPieces,
        report: &mut RunReport,
    ) -> Result<(LargeCheckpoint, Option<String>), DivisionRefusal> {
        let (origin, limits) = (begun.origin.clone(), self.reading.limits);
        let mut seen = StreamSummary::new(self.is_hashed);
        let stream = ObservedStream { stream: begun.into_bytes(), seen: &mut seen };
        let mut reader = ListReader::new(stream, origin.name.as_str(), key, limits).with_piece(pieces.bytes);
        let head = reader.head()?.ok_or(DivisionRefusal::Whole)?;
        let front = reader.front().ok_or(DivisionRefusal::Whole)?;
        // The front ends at the list, so `divides` knows only a context that precedes the list.
        if !begins_with_context(front) || !self.divides(front, &origin, key) {
            return Err(DivisionRefusal::Whole);
        }
        let mut findings = report.part();
        let (known, survey) = look_at_all(&mut reader, &head, limits, &mut findings)?;
        let frame = reader.frame()?.ok_or(DivisionRefusal::Whole)?;
        let document = frame.document();
        let frame_survey = CheckpointSurvey::from_document(document);
        let detection = survey.detect(&frame_survey, document).ok_or(DivisionRefusal::Whole)?;
        let head = frame.head(&["@context", "@id"]).ok_or(DivisionRefusal::Whole)?;
        if known.is_empty() || !is_fit(&frame, &frame_survey) {
            return Err(DivisionRefusal::Whole);
        }
        report_duplicate_keys(document, report);
        report.absorb(findings);
        let (size, digest, sha256) = seen.finish();
        let source = source.clone();
        Ok((LargeCheckpoint { detection, size, digest, frame, head, pieces: known, source }, sha256))
    }

    /// Returns whether the context allows the list to be divided. Faults of the context are reported where it is used.
    fn divides(&self, front: &Arc<JsonDocument>, origin: &DocumentOrigin, key: &str) -> bool {
        self.with_processor(origin, |mut processor| processor.divides_at(front, key)).unwrap_or(true)
    }
}

/// Returns the key of the list at which the beginning ends, or `None` if the file is not clearly one JSON object.
fn list_key(begun: &BegunInput) -> Option<String> {
    let Some(RecordLayout::Key(key)) = RecordLayout::from_head(&begun.origin.name, &begun.head) else {
        return None;
    };
    let detection = detect(&begun.origin.name, &begun.head).ok()?;
    let is_json_ld = detection.format == RdfFormat::JsonLd && detection.note.is_none();
    is_json_ld.then_some(key)
}

/// Returns whether the first key of the outermost object is `@context`.
fn begins_with_context(document: &JsonDocument) -> bool {
    let first = document.members(document.root()).next();
    first.is_some_and(|first| first.key.index() == 1 && document.symbol_text(first.symbol) == "@context")
}

/// Returns whether the object around the list has an id for all pieces, and no duplicate keys.
fn is_fit(frame: &ListFrame, survey: &CheckpointSurvey) -> bool {
    let document = frame.document();
    let id = survey.root_id.and_then(|id| document.string(id));
    let has_id = id.is_some_and(|id| is_iri(&id) && !id.starts_with("_:"));
    let is_of_root = |token: TokenId| document.pointer(token).matches('/').count() == 1;
    let is_twice = document.duplicate_keys().iter().any(|duplicate| is_of_root(duplicate.kept));
    // Each blank node belongs to one piece, so a label in the frame could not refer to a node of a piece.
    has_id && !is_twice && !has_labels(document)
}

/// Examines the pieces of a file on all cores. While some pieces are examined, the next ones are read.
fn look_at_all(
    reader: &mut ListReader<'_, ObservedStream<'_>>,
    head: &ListHead,
    limits: Limits,
    report: &mut RunReport,
) -> Result<(Vec<KnownPiece>, SurveyInPieces), DivisionRefusal> {
    let count = side_by_side();
    let empty = report.part();
    let (mut known, mut survey) = (Vec::new(), SurveyInPieces::default());
    let mut group: Vec<_> = reader.take(count).collect();
    while !group.is_empty() {
        let look = |text: Result<ListText, Box<Diagnostic>>| look_at(text?, head, limits, empty.part());
        let (next, looked) = rayon::join(
            || reader.take(count).collect::<Vec<_>>(),
            || group.into_par_iter().map(look).collect::<Vec<_>>(),
        );
        for looked in looked {
            let (piece, shown, part) = looked?;
            known.push(piece);
            survey.add(shown);
            report.absorb(part);
        }
        // One piece that depends on another decides. The rest of the file need not be examined.
        if !survey.stand_alone() {
            return Err(DivisionRefusal::Whole);
        }
        group = next;
    }
    Ok((known, survey))
}

fn look_at(
    text: ListText,
    head: &ListHead,
    limits: Limits,
    mut report: RunReport,
) -> Result<(KnownPiece, PieceSurvey, RunReport), Box<Diagnostic>> {
    let (piece, hash) = (text.piece, hash_of(head.bytes_in(&text.text)));
    let document = head.parse(text, limits)?;
    report_duplicate_keys(&document, &mut report);
    let survey = PieceSurvey::from_document(&document);
    Ok((KnownPiece { piece, hash, keeps_json: survey.keeps_json }, survey, report))
}

/// Returns whether a file may contain API keys, which no message may show.
fn may_have_secrets(source: &InputSource) -> bool {
    let Ok(begun) = source.begin(&FilesRead::default()) else { return true };
    let mut stream = begun.into_bytes();
    let mut text = Vec::new();
    loop {
        // A name may be split between two pieces.
        let kept = text.len().saturating_sub(LONGEST_NAME);
        text.drain(..kept);
        match stream.by_ref().take(1 << 20).read_to_end(&mut text) {
            Ok(0) => return false,
            Ok(_) if secrets::are_possible(&text) => return true,
            Ok(_) => {}
            Err(_) => return true,
        }
    }
}

/// More bytes than the name of a secret has in any spelling.
const LONGEST_NAME: usize = 256;

/// The size, the digest and both ends of a file, collected while it is read.
struct StreamSummary {
    size: u64,
    sha256: Option<Sha256>,
    first: Vec<u8>,
    last: Vec<u8>,
}

impl StreamSummary {
    fn new(is_hashed: bool) -> Self {
        let sha256 = is_hashed.then(Sha256::new);
        Self { size: 0, sha256, first: Vec::new(), last: Vec::new() }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.size += bytes.len() as u64;
        if let Some(digest) = &mut self.sha256 {
            digest.update(bytes);
        }
        let first = bytes.len().min(DIGESTED - self.first.len());
        self.first.extend_from_slice(&bytes[..first]);
        self.last.extend_from_slice(&bytes[bytes.len().saturating_sub(DIGESTED)..]);
        self.last.drain(..self.last.len().saturating_sub(DIGESTED));
    }

    /// Returns the size, a digest like [`Document::digest`], and the SHA-256.
    fn finish(self) -> (u64, String, Option<String>) {
        let size = self.size as usize;
        // The two ends of a short file overlap.
        let twice = (self.first.len() + self.last.len()).saturating_sub(size);
        let mut digest = Md5::new();
        digest.update(&self.first);
        digest.update(&self.last[twice..]);
        if size > 2 * DIGESTED {
            digest.update(size.to_le_bytes());
        }
        let digest = digest.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        (self.size, digest, self.sha256.map(|digest| hexadecimal(&digest.finalize())))
    }
}

/// A stream whose bytes are observed while they are read.
struct ObservedStream<'s> {
    stream: OpenedStream,
    seen: &'s mut StreamSummary,
}

impl Read for ObservedStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.stream.read(buffer)?;
        self.seen.add(&buffer[..length]);
        Ok(length)
    }
}
