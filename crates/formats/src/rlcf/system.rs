//! RLCF as a source system.

use super::facts::CountedRecords;
use super::file_shapes::{file_shape_of_graph, is_error_reply, recognise, recognise_as};
use super::rules::{Profile, Register, Settings, validate};
use super::telling::{RecordName, tell};
use crate::checking::{CheckedFile, RecordRules};
use crate::facts::RecordTally;
use crate::records::{FileShape, Recognised, Records};
use crate::registry::SourceSystem;
use crate::rewriting::Graph;
use crate::system::System;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::validation::ValidationReport;
use evalgraph_json::Document;
use evalgraph_rdf::quad_buffer::TermId;

/// Legal feedback.
pub(crate) struct Rlcf;

impl RecordName {
    /// The system whose records have names.
    pub const SYSTEM: System = System::Rlcf;
}

impl SourceSystem for Rlcf {
    fn files(&self) -> &'static str {
        "RLCF"
    }

    fn recognise(&self, document: &Document) -> Result<Option<Recognised>, Box<Diagnostic>> {
        recognise(document)
    }

    // The kinds of its records may be unclear even where the user names the system.
    fn recognise_named(
        &self,
        document: &Document,
        record: Option<RecordName>,
    ) -> Result<Option<Recognised>, Box<Diagnostic>> {
        recognise_as(document, record).map(Some)
    }

    fn is_error_reply(&self, document: &Document) -> bool {
        is_error_reply(document)
    }

    fn file_shape(&self, graph: &Graph<'_>, root: TermId) -> Option<FileShape> {
        file_shape_of_graph(graph, root)
    }

    // Replies of the API are parts of one dataset; an object with arrays under their names is a dataset by itself.
    fn is_part(&self, recognised: &Recognised) -> bool {
        !matches!(recognised.shape.records, Records::InRoot)
    }

    fn record_of<'k>(&self, kind: &'k str) -> Option<&'k str> {
        RecordName::parse(kind).is_ok().then_some(kind)
    }

    fn has_record_names(&self) -> bool {
        true
    }

    fn tally(&self, recognised: &Recognised) -> Option<Box<dyn RecordTally>> {
        Some(Box::new(CountedRecords::new(recognised.shape)))
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::<OverFiles>::default())
    }
}

/// The rules over several files, because references may lead from one file to another.
#[derive(Default)]
struct OverFiles {
    settings: Settings,
    register: Register,
}

impl RecordRules for OverFiles {
    fn read_settings(&mut self, document: &Document) -> Result<(), Box<Diagnostic>> {
        self.settings = Settings::read(document)?;
        Ok(())
    }

    fn notice(&mut self, document: &Document, record: Option<RecordName>) -> Result<(), Box<Diagnostic>> {
        self.register.add(document, &tell(document, document.name(), record)?);
        Ok(())
    }

    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<ValidationReport>, Box<Diagnostic>> {
        let profile = match profile {
            None | Some("seed") => Profile::Seed,
            Some("code") => Profile::Shipped,
            Some(_) => return Ok(None),
        };
        let told = tell(file.document, file.document.name(), file.record)?;
        Ok(Some(validate(file.document, &told, profile, &self.settings, &self.register)))
    }
}
