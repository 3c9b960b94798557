//! Files of systems that are no JSON-LD, on their way to JSON-LD.

use std::sync::Arc;

use super::Stop;
use super::json_ld::JsonLd;
use super::render::thousands;
use super::report::Report;
use crate::diagnostic::{Diagnostic, Severity, SourceText};
use crate::json::Document;
use crate::jsonld::LoadMode;
use crate::rdf::RdfFormat;
use crate::rdf::iri::percent_encode_into;
use crate::source::records::{Account, Composed, Recognised, RecordComposer};
use crate::source::rlcf::recognise_as;
use crate::source::secrets::{self, Hidden};
use crate::source::system::{self, System};

/// How many keys without a meaning are reported one by one.
const KEYS_REPORTED: usize = 20;

impl JsonLd {
    /// Whether a document is JSON-LD, and so of nobody else: it was said, or it has keywords.
    fn is_json_ld(&self, document: &Document) -> bool {
        let is_said = self.named_format() == Some(RdfFormat::JsonLd) || self.has_context();
        self.named_system().is_none() && (is_said || has_keywords(document))
    }

    /// Overwrites the keys of services in a document that has no keywords, and tells their paths. What
    /// has keywords, or stands in a page, is JSON-LD and no record of a service.
    pub(super) fn hide_secrets(&self, document: &mut Arc<Document>, report: &mut Report) {
        let is_page = document.text().trim_start().starts_with('<');
        if is_page || has_keywords(document) && self.named_system().is_none() {
            return;
        }
        let document = Arc::get_mut(document).expect("a document that was just parsed is nobody else's");
        let Some(Hidden { count, pointers }) = secrets::hide(document) else { return };
        let rest = count - pointers.len() as u64;
        let more = if rest == 0 { String::new() } else { format!(" and {} more", thousands(rest)) };
        let message = format!("keys of services are overwritten with `*`: `{}`{more}", pointers.join("`, `"));
        let place = SourceText::new(document.name().clone(), b"").place(0..0);
        report.add(&Diagnostic::new(Severity::Note, "input::secret", message).at(place));
    }

    /// Whose records a document holds, where it is no JSON-LD; what is unclear is reported.
    ///
    /// # Errors
    ///
    /// Where it is not of the system that was named, or could be of several.
    pub(super) fn recognise(
        &self,
        document: &Document,
        report: &mut Report,
    ) -> Result<Option<Recognised>, Stop> {
        let named = self.named_system();
        if self.is_json_ld(document) {
            return Ok(None);
        }
        let found = match named {
            // What its records are may be unclear although it is said whose they are.
            Some(System::Rlcf) => recognise_as(document, self.record()).map(Some),
            _ => system::recognise(document, named),
        };
        found.map_err(|fault| {
            report.add(&fault);
            Stop::Failed
        })
    }
}

/// Whether the outermost object, or the first of the outermost array, has a keyword of JSON-LD.
pub(super) fn has_keywords(document: &Document) -> bool {
    let root = document.root();
    let object = document.items(root).next().unwrap_or(root);
    document.members(object).any(|member| document.symbol_text(member.symbol).starts_with('@'))
}

/// Hands the records of a file on as JSON-LD, document by document, with how each is loaded. What means
/// nothing is reported. None where something is at fault, which is reported.
pub(super) fn each_document(
    file: &Document,
    recognised: &Recognised,
    dataset: &str,
    report: &mut Report,
    mut take: impl FnMut(&Arc<Document>, LoadMode, &mut Report) -> Option<()>,
) -> Option<()> {
    let base = base(recognised, dataset);
    let mut composer = RecordComposer::new(file, &recognised.shape, &base);
    while let Some(composed) = composer.next_document() {
        let Composed { document, json_values } = composed.map_err(|fault| report.add(&fault)).ok()?;
        take(&document, LoadMode { json_values, ..LoadMode::default() }, report)?;
    }
    report_unknown_keys(file, recognised, &composer.account(), report);
    Some(())
}

/// What the IRIs of a dataset's nodes begin with.
pub(super) fn base(recognised: &Recognised, dataset: &str) -> String {
    let mut base = format!("urn:evalgraph:{}:", recognised.system);
    percent_encode_into(dataset, &mut base);
    base.push(':');
    base
}

fn report_unknown_keys(file: &Document, recognised: &Recognised, account: &Account, report: &mut Report) {
    let source = file.source_text();
    let mut unknown: Vec<_> = account.unknown.iter().collect();
    unknown.sort_by_key(|(_, (_, first))| *first);
    for (key, (count, first)) in unknown.iter().take(KEYS_REPORTED) {
        let times = if *count == 1 { String::new() } else { format!(" ({} times)", thousands(*count)) };
        let system = recognised.system;
        let message = format!("`{key}` is no key of {system}: it is not in the graph{times}");
        let warning = Diagnostic::warning("records::unknown-key", message);
        report.add(&warning.at(file.place_in(&source, *first)));
    }
    if let Some(more @ 1..) = unknown.len().checked_sub(KEYS_REPORTED) {
        let message = format!("{more} more keys mean nothing and are not in the graph");
        report.add(&Diagnostic::warning("records::unknown-key", message));
    }
}
