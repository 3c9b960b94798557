//! Figures of records files that are read in pieces. Memory holds one piece of a file, its ids as hashes, and the
//! distinct values that the figures need.
//!
//! `DocumentLoading` is defined in `document_loading.rs`.

use super::document_loading::{DocumentLoading, PiecePolicy};
use super::large_records::{LargeRecords, RecordsOfHead};
use super::loaded_document_facts::{HeldAgainst, HeldRecords, LoadingChanges, LoadingCosts, tally_of};
use super::parsed_input::report_duplicate_keys;
use super::record_recognition::{UnknownKeys, base, report_misplaced};
use crate::input::corpus::corpus_of;
use crate::input::guard::told_hidden;
use crate::input::origin::DocumentOrigin;
use evalgraph_diagnostics::{Diagnostic, RunReport, codes};
use evalgraph_formats::named_figures::RecordTally;
use evalgraph_formats::records::{
    ComposedDocument, QuadCount, RecordComposer, TakenRecordIris, shared_kinds,
};
use evalgraph_formats::secrets::{self, HiddenSecrets};
use evalgraph_formats::train::retrieval_figures::GoldDocuments;
use evalgraph_formats::train::{describe_corpus, is_rows};
use evalgraph_json::{JsonDocument, RecordBatch, RecordReader};
use evalgraph_jsonld::LoadMode;

/// The counts of a file so far.
struct RecordFileCounts<'c> {
    found: &'c RecordsOfHead,
    origin: &'c DocumentOrigin,
    base: String,
    held_against: HeldAgainst<'c>,
    tally: Option<Box<dyn RecordTally>>,
    gold: GoldDocuments,
    quads: QuadCount,
    taken: TakenRecordIris,
    unknown: UnknownKeys,
    hidden: HiddenSecrets,
    may_have_secrets: bool,
    /// The findings of the conversion.
    part: RunReport,
}

impl DocumentLoading<'_> {
    /// Counts a records file piece by piece. Returns the figures, the number of quads, and the costs, or `None` if the
    /// file is at fault, which is reported.
    pub fn count_in_pieces(
        &self,
        large: &mut LargeRecords,
        origin: &DocumentOrigin,
        dataset: &str,
        held_against: HeldAgainst<'_>,
        report: &mut RunReport,
    ) -> Option<(HeldRecords, u64, LoadingCosts)> {
        let begun = report.told(large.begin())?;
        let found = &large.found;
        let name = begun.origin.name.clone();
        let limits = self.json_ld.reading.limits;
        let mut reader =
            RecordReader::new(begun.into_bytes(), name.as_str(), found.layout.records_in(), limits);
        if let PiecePolicy::Of(bytes) = self.pieces {
            reader = reader.with_batch(usize::try_from(bytes).unwrap_or(usize::MAX));
        }
        let mut counting = RecordFileCounts::new(found, origin, dataset, held_against, report.part());
        while let Some(batch) = reader.next() {
            let counted = batch.map_err(|fault| {
                let is_secret = counting.may_have_secrets || secrets::are_possible(reader.pending());
                if is_secret { secrets::without_text(fault) } else { fault }
            });
            let counted = counted.and_then(|batch| counting.batch(batch, self, report));
            report.told(counted)??;
        }
        report.told(self.json_ld.check_found(found, &name, &reader))?;
        let frame = counting.frame(reader, self, report);
        report.told(frame)??;
        counting.finish(&name, report)
    }
}

impl<'c> RecordFileCounts<'c> {
    fn new(
        found: &'c RecordsOfHead,
        origin: &'c DocumentOrigin,
        dataset: &str,
        held_against: HeldAgainst<'c>,
        part: RunReport,
    ) -> Self {
        let recognised = &found.recognised;
        let base = base(recognised, dataset);
        Self {
            found,
            origin,
            held_against,
            tally: tally_of(recognised),
            gold: GoldDocuments::default(),
            quads: QuadCount::new(&base, &shared_kinds(&recognised.shape)),
            taken: TakenRecordIris::default(),
            unknown: UnknownKeys::default(),
            hidden: HiddenSecrets { count: 0, pointers: Vec::new(), comments: 0 },
            may_have_secrets: false,
            part,
            base,
        }
    }

    /// Counts a batch of records. `None` if a record cannot be converted, which is reported.
    fn batch(
        &mut self,
        mut batch: RecordBatch,
        loader: &DocumentLoading<'_>,
        report: &mut RunReport,
    ) -> Result<Option<()>, Box<Diagnostic>> {
        self.hide_secrets(&mut batch.document);
        report_duplicate_keys(&batch.document, report);
        self.found.check_kind(&batch.document)?;
        let first = batch.first;
        let document = batch.into_file()?;
        self.tally.iter_mut().for_each(|tally| tally.add(&document, self.held_against.gold));
        if self.held_against.is_wanted && is_rows(&self.found.recognised) {
            self.gold.add(&document);
        }
        self.convert(&document, first, loader)
    }

    /// Counts the members around the records.
    fn frame<R: std::io::Read>(
        &mut self,
        reader: RecordReader<'_, R>,
        loader: &DocumentLoading<'_>,
        report: &mut RunReport,
    ) -> Result<Option<()>, Box<Diagnostic>> {
        let Some(mut frame) = reader.frame()? else { return Ok(Some(())) };
        self.hide_secrets(&mut frame);
        report_duplicate_keys(&frame, report);
        let list = self.found.layout.key();
        let is_twice =
            |key: &&evalgraph_json::DuplicateKey| frame.pointer(key.kept).strip_prefix('/') == list;
        if let Some(twice) = frame.duplicate_keys().iter().find(is_twice) {
            let message = "the key has a second list, but a file of this size is read only once";
            return Err(Box::new(
                Diagnostic::error(codes::JSON_RECORDS, message).at(frame.place(twice.kept)),
            ));
        }
        self.tally.iter_mut().for_each(|tally| tally.add(&frame, self.held_against.gold));
        self.convert(&frame, 0, loader)
    }

    fn hide_secrets(&mut self, document: &mut JsonDocument) {
        if !secrets::are_possible(document.text().as_bytes()) {
            return;
        }
        self.may_have_secrets = true;
        if let Some(hidden) = secrets::hide(document) {
            self.hidden.add(hidden);
        }
    }

    /// Counts the quads of a part of the file. `first` is the index of its first record.
    fn convert(
        &mut self,
        document: &JsonDocument,
        first: u64,
        loader: &DocumentLoading<'_>,
    ) -> Result<Option<()>, Box<Diagnostic>> {
        let shape = &self.found.recognised.shape;
        // Ids are distinct within the whole file, so each part continues with the ids of the parts before it.
        let taken = std::mem::take(&mut self.taken);
        let mut composer = RecordComposer::new(document, shape, &self.base).after(taken, first);
        while let Some(composed) = composer.next_document() {
            let ComposedDocument { document, json_values } = composed?;
            let mode = LoadMode { json_values, ..LoadMode::default() };
            let converted = loader.convert(&document, self.origin, mode, &mut self.quads, &mut self.part);
            if converted.is_none() {
                return Ok(None);
            }
        }
        let (account, taken) = composer.finish();
        report_misplaced(document, &account, &mut self.part);
        self.unknown.add(document, account);
        self.taken = taken;
        self.quads.end_part();
        Ok(Some(()))
    }

    fn finish(mut self, name: &str, report: &mut RunReport) -> Option<(HeldRecords, u64, LoadingCosts)> {
        if self.hidden.count > 0 {
            report.add(&told_hidden(name, &self.hidden));
        }
        self.unknown.report(self.found.recognised.system, &mut self.part);
        let corpus = corpus_of(&self.found.recognised, self.origin.path());
        if let Some(corpus) = report.told(corpus)? {
            describe_corpus(&corpus, &self.base, &mut self.quads);
        }
        let costs = LoadingCosts::from_report(LoadingChanges::default(), &self.part);
        report.absorb(self.part);
        Some((HeldRecords::Counted(self.tally, self.gold), self.quads.count(), costs))
    }
}
