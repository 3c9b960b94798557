//! Figures of records files that are read in pieces. Memory holds one piece of a file, its ids as hashes, and the
//! distinct values that the figures need.
//!
//! `DocumentLoading` is defined in `document_loading.rs`.

use super::document_loading::DocumentLoading;
use super::large_records::{LargeRecords, RecordsOfHead};
use super::loaded_document_facts::{HeldAgainst, HeldRecords, LoadingChanges, LoadingCosts, tally_of};
use super::parsed_input::report_duplicate_keys;
use super::read_session::PiecePolicy;
use super::record_recognition::{UnknownKeys, base, report_misplaced};
use crate::input::corpus::corpus_of;
use crate::input::guard::told_hidden;
use crate::input::origin::DocumentOrigin;
use evalgraph_diagnostics::{Diagnostic, ReportedResult, RunReport, codes};
use evalgraph_formats::corpus::{GoldDocuments, describe_corpus};
use evalgraph_formats::named_figures::RecordTally;
use evalgraph_formats::records::{
    ComposedDocument, QuadCount, RecordComposer, TakenRecordIris, shared_kinds,
};
use evalgraph_formats::rows::{RowOptions, is_rows};
use evalgraph_formats::secrets::{self, HiddenSecrets};
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
    /// Counts a records file piece by piece. Returns the figures, the number of quads, and the costs.
    ///
    /// # Errors
    ///
    /// If the file is at fault, which is reported.
    pub fn count_in_pieces(
        &self,
        large: &mut LargeRecords,
        origin: &DocumentOrigin,
        dataset: &str,
        held_against: HeldAgainst<'_>,
        report: &mut RunReport,
    ) -> ReportedResult<(HeldRecords, u64, LoadingCosts)> {
        let begun = report.ok_or_report(large.begin())?;
        let found = &large.found;
        let name = begun.origin.name.clone();
        let limits = self.session.reading.limits;
        let mut reader =
            RecordReader::new(begun.into_bytes(), name.as_str(), found.layout.records_in(), limits);
        if let PiecePolicy::Of(bytes) = self.session.record_pieces {
            reader = reader.with_batch(usize::try_from(bytes).unwrap_or(usize::MAX));
        }
        let mut counting = RecordFileCounts::new(found, origin, dataset, held_against, report.part());
        while let Some(batch) = reader.next() {
            let counted = batch.map_err(|fault| {
                let is_secret = counting.may_have_secrets || secrets::are_possible(reader.pending());
                if is_secret { secrets::without_text(fault) } else { fault }
            });
            counting.batch(report.ok_or_report(counted)?, self, report)?;
        }
        report.ok_or_report(self.session.check_found(found, &name, &reader))?;
        counting.frame(reader, self, report)?;
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

    /// Counts a batch of records.
    fn batch(
        &mut self,
        mut batch: RecordBatch,
        loader: &DocumentLoading<'_>,
        report: &mut RunReport,
    ) -> ReportedResult<()> {
        self.hide_secrets(&mut batch.document);
        report_duplicate_keys(&batch.document, report);
        report.ok_or_report(self.found.check_kind(&batch.document))?;
        let first = batch.first;
        let document = report.ok_or_report(batch.into_file())?;
        self.tally.iter_mut().for_each(|tally| tally.add(&document, self.held_against.gold));
        if self.held_against.is_wanted && is_rows(&self.found.recognised) {
            self.gold.add(&document);
        }
        self.convert(&document, first, loader, report)
    }

    /// Counts the members around the records.
    fn frame<R: std::io::Read>(
        &mut self,
        reader: RecordReader<'_, R>,
        loader: &DocumentLoading<'_>,
        report: &mut RunReport,
    ) -> ReportedResult<()> {
        let Some(mut frame) = report.ok_or_report(reader.frame())? else { return Ok(()) };
        self.hide_secrets(&mut frame);
        report_duplicate_keys(&frame, report);
        let list = self.found.layout.key();
        let is_twice =
            |key: &&evalgraph_json::DuplicateKey| frame.pointer(key.kept).strip_prefix('/') == list;
        if let Some(twice) = frame.duplicate_keys().iter().find(is_twice) {
            let message = "the key has a second list, but a file of this size is read only once";
            let fault = Diagnostic::error(codes::JSON_RECORDS, message).at(frame.place(twice.kept));
            return Err(report.reported([&fault]));
        }
        self.tally.iter_mut().for_each(|tally| tally.add(&frame, self.held_against.gold));
        self.convert(&frame, 0, loader, report)
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
        report: &mut RunReport,
    ) -> ReportedResult<()> {
        let shape = &self.found.recognised.shape;
        // Ids are distinct within the whole file, so each part continues with the ids of the parts before it.
        let taken = std::mem::take(&mut self.taken);
        let mut composer = RecordComposer::new(document, shape, &self.base).after(taken, first);
        while let Some(composed) = composer.next_document() {
            let ComposedDocument { document, json_values } = report.ok_or_report(composed)?;
            let mode = LoadMode { json_values, ..LoadMode::default() };
            let (quads, part) = (&mut self.quads, &mut self.part);
            if let Err(reported) = loader.session.json_ld_into(&document, self.origin, mode, quads, part) {
                let empty = part.part();
                report.absorb(std::mem::replace(part, empty));
                return Err(reported);
            }
        }
        let (account, taken) = composer.finish();
        report_misplaced(document, &account, &mut self.part);
        self.unknown.add(document, account);
        self.taken = taken;
        self.quads.end_part();
        Ok(())
    }

    fn finish(
        mut self,
        name: &str,
        report: &mut RunReport,
    ) -> ReportedResult<(HeldRecords, u64, LoadingCosts)> {
        if self.hidden.count > 0 {
            report.add(&told_hidden(name, &self.hidden));
        }
        // A file that is read in pieces has no assigned columns.
        self.unknown.report(self.found.recognised.system, &RowOptions::default(), &mut self.part);
        let corpus = corpus_of(&self.found.recognised, self.origin.path());
        if let Some(corpus) = report.ok_or_report(corpus)? {
            describe_corpus(&corpus, &self.base, &mut self.quads);
        }
        let costs = LoadingCosts::from_report(LoadingChanges::default(), &self.part);
        report.absorb(self.part);
        Ok((HeldRecords::Counted(self.tally, self.gold), self.quads.count(), costs))
    }
}
