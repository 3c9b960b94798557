//! Parses text as documents: JSON, JSON-LD in pages, records in other syntaxes.
//!
//! `ReadSession` is defined in `read_session.rs`.

use std::sync::Arc;

use super::read_session::{EmptyPage, ReadSession};
use super::record_recognition::check_sizes;
use crate::input::guard::SecretGuard;
use crate::input::origin::DocumentOrigin;
use crate::input::source::RawInput;
use crate::input::syntax::{RecordSyntax, of_sheet};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, ReportedResult, RunReport};
use evalgraph_json::JsonDocument;
use evalgraph_jsonld::{LoadDocumentOptions, RemoteDocument};
use evalgraph_rdf::detect::html_page;

/// A document that was parsed, and where it comes from.
#[derive(Debug)]
pub struct ParsedInput {
    /// The document.
    pub document: Arc<JsonDocument>,
    pub(crate) origin: DocumentOrigin,
}

impl ReadSession {
    /// Parses JSON, or the first script of a page.
    ///
    /// # Errors
    ///
    /// If the input is at fault, which is reported.
    pub fn parse(&self, input: RawInput, report: &mut RunReport) -> ReportedResult<ParsedInput> {
        self.parse_with(input, false, EmptyPage::Empty, report)
    }

    /// Parses JSON, or all scripts of a page, which must have at least one.
    ///
    /// # Errors
    ///
    /// If the input is at fault, which is reported.
    pub fn parse_data(&self, input: RawInput, report: &mut RunReport) -> ReportedResult<ParsedInput> {
        self.parse_with(input, true, self.empty_pages, report)
    }

    fn parse_with(
        &self,
        input: RawInput,
        all_scripts: bool,
        empty_pages: EmptyPage,
        report: &mut RunReport,
    ) -> ReportedResult<ParsedInput> {
        let guard = SecretGuard::from_bytes(&input.bytes);
        let most_of_record = input.most_of_record;
        let parsed = self.parse_input(input, all_scripts, empty_pages, report);
        let mut parsed = report.ok_or_report(guard.checked(parsed))?;
        // Tables and YAML are never JSON-LD.
        let is_of_records = self.reading.named_system().is_some()
            || matches!(parsed.origin.syntax, RecordSyntax::Csv | RecordSyntax::Yaml);
        // Scripts of a page are JSON-LD.
        if !parsed.document.text().trim_start().starts_with('<') {
            let document = Arc::get_mut(&mut parsed.document);
            let document = document.expect("a document that was just parsed has one owner");
            match is_of_records {
                true => guard.hide_in_records(document, report),
                false => guard.hide(document, report),
            }
        }
        report.ok_or_report(most_of_record.map_or(Ok(()), |most| check_sizes(&parsed.document, most)))?;
        report_duplicate_keys(&parsed.document, report);
        Ok(parsed)
    }

    fn parse_input(
        &self,
        input: RawInput,
        all_scripts: bool,
        empty_pages: EmptyPage,
        report: &mut RunReport,
    ) -> Result<ParsedInput, Box<Diagnostic>> {
        let RawInput { mut origin, mut bytes, most_of_record, cells, findings, .. } = input;
        report.add_all(&findings);
        let limits = match most_of_record {
            Some(_) => self.limits_of_own_text(),
            None => self.reading.limits,
        };
        if let Some(cells) = cells {
            let document = of_sheet(&origin.name, bytes, &cells, &self.reading.rows, limits)?;
            return Ok(ParsedInput { document: Arc::new(document.of_cells(Some(cells))), origin });
        }
        if let Some(parsed) = origin.syntax.parse(&origin.name, &mut bytes, &self.reading.rows, limits) {
            return Ok(ParsedInput { document: parsed?, origin });
        }
        let options = LoadDocumentOptions {
            extract_all_scripts: self.extract_all_scripts.unwrap_or(all_scripts),
            ..LoadDocumentOptions::default()
        };
        let media_type = self.reading.content_type.as_ref().or(origin.media_type());
        let url = origin.url().or(self.options.document_url.as_deref()).unwrap_or_default();
        let remote = RemoteDocument::from_bytes(&origin.name, url, bytes, media_type, &options, limits)?;
        let document = remote.document;
        // The root is empty only if there is no script: JSON has at least one character.
        if document.bytes(document.root()).is_empty() {
            if empty_pages == EmptyPage::Refused {
                return Err(html_page(&origin.name, document.text().as_bytes()));
            }
            let empty = Diagnostic::warning("html::no-script", "the page has no JSON-LD script");
            report.add(&empty.at(document.source_text().place(0..0)));
        }
        origin.base_href = remote.base_href;
        Ok(ParsedInput { document, origin })
    }
}

/// Reports duplicate keys in objects.
pub fn report_duplicate_keys(document: &JsonDocument, report: &mut RunReport) {
    for duplicate in document.duplicate_keys() {
        report.add_with(FindingSeverity::Warning, "json::duplicate-key", None, || {
            let key = document.string(duplicate.kept).unwrap_or_default();
            let message = format!("the key `{key}` occurs twice in one object; the last one counts");
            Diagnostic::warning("json::duplicate-key", message)
                .at(document.place(duplicate.kept))
                .with_related(document.place(duplicate.replaced), "the first value, which is ignored")
        });
    }
}
