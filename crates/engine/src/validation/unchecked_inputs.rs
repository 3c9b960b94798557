//! The inputs that a run could not check, each with the fault that explains why.

use std::collections::HashSet;

use crate::input::input_options::RunInputs;
use crate::input::source::InputSource;
use crate::workspace::command_sources::sources;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport, SourceText};

/// The sources of a run, and the faults of inputs without a source.
pub(crate) struct FoundSources {
    pub sources: Vec<InputSource>,
    missing: Vec<Diagnostic>,
    /// How many errors were reported before the sources were read.
    errors_before: usize,
}

impl FoundSources {
    /// Finds the sources.
    ///
    /// # Errors
    ///
    /// Fails if there is no source, or if the store is faulty.
    pub(crate) fn find(input: &RunInputs, report: &mut RunReport) -> Result<Self, RunFailure> {
        let before = report.errors().len();
        let sources = sources(input, report)?;
        let missing = report.errors()[before..].to_vec();
        Ok(Self { sources, missing, errors_before: report.errors().len() })
    }

    /// The faults of all inputs that were not checked. `checked` has the names of the inputs that were.
    pub(crate) fn unchecked<'n>(
        self,
        checked: impl IntoIterator<Item = &'n str>,
        report: &RunReport,
    ) -> Vec<Diagnostic> {
        let checked: HashSet<&str> = checked.into_iter().collect();
        let errors = report.errors().get(self.errors_before..).unwrap_or_default();
        let names = self.sources.iter().map(InputSource::name);
        let left_out = names.filter(|name| !checked.contains(&**name));
        let faults = left_out.filter_map(|name| fault_of(&name, errors));
        self.missing.into_iter().chain(faults).collect()
    }
}

/// The error about a source. `None` if the document has another name because a server has redirected the request.
fn fault_of(name: &str, errors: &[Diagnostic]) -> Option<Diagnostic> {
    let whole = || SourceText::new(name, b"").place(0..0);
    let has_place = |fault: &&Diagnostic| fault.place.as_ref().is_some_and(|place| *place.source == *name);
    let names_it =
        |fault: &&Diagnostic| fault.place.is_none() && fault.message.contains(&format!("`{name}`"));
    let known = errors.iter().find(has_place).or_else(|| errors.iter().find(names_it));
    known.map(|fault| if fault.place.is_some() { fault.clone() } else { fault.clone().at(whole()) })
}
