//! Holds inputs, or a store, against shapes.

use super::data::Data;
use super::files::Checked;
use super::places::WantedTerm;
use super::reading_shapes::{RunShapes, read_shapes};
use super::shapes::checked;
use super::unchecked::FoundSources;
use super::unmatched::Tally;
use crate::diagnostic::{Diagnostic, Failure, Report};
use crate::input::options::Inputs;
use crate::load::json_ld::LoadOptions;
use crate::load::loading::load;
use crate::shacl::{ValidationOptions, ValidationReport, ValidationResult};

/// A run: which inputs are held against which shapes.
pub(crate) struct ShapesRun<'r> {
    /// The names of the shapes: files, URLs, or names of built-in shapes.
    pub(crate) shapes: &'r [String],
    pub(crate) input: &'r Inputs,
    pub(crate) loading: &'r LoadOptions,
    pub(crate) options: ValidationOptions,
    /// Whether each input is held against the shapes by itself, without the others.
    pub(crate) each: bool,
}

/// The end of a run.
pub(crate) struct RunEnd {
    /// The faults of the inputs that could not be read.
    pub(crate) unchecked: Vec<Diagnostic>,
    /// Whether a shape has looked at any node.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
    pub(crate) has_matched: bool,
}

impl ShapesRun<'_> {
    /// Reads shapes and data, holds these against those, and hands each report on, once as it is and once in the words
    /// of rules.
    ///
    /// # Errors
    ///
    /// Where the shapes are at fault, where an input is and the rest is not wanted or there is no rest, and where the
    /// validation fails.
    pub(crate) fn check(
        &self,
        report: &mut Report,
        mut take: impl FnMut(&ValidationReport<'_, '_>, Checked),
    ) -> Result<RunEnd, Failure> {
        let shapes = read_shapes(self.shapes, self.input, self.loading, report)?;
        let mut tally = Tally::default();
        let check = if self.each { Self::check_each } else { Self::check_union };
        let unchecked = check(self, &shapes, &mut tally, report, &mut take)?;
        report.add_all(&tally.warning());
        Ok(RunEnd { unchecked, has_matched: tally.has_matched() })
    }

    /// Holds the union of the inputs against shapes.
    fn check_union(
        &self,
        shapes: &RunShapes,
        tally: &mut Tally,
        report: &mut Report,
        take: &mut dyn FnMut(&ValidationReport<'_, '_>, Checked),
    ) -> Result<Vec<Diagnostic>, Failure> {
        if self.input.inputs.is_empty() {
            let data = Data::of_store(self.input.store.open()?.snapshot()?);
            self.hold(shapes, &data, tally, take)?;
            return Ok(Vec::new());
        }
        let found = FoundSources::find(self.input, report)?;
        let loaded = load(found.sources.clone(), self.input, self.loading, shapes.wanted(), report)?;
        let names: Vec<String> = loaded.iter().map(|(file, _)| file.name.clone()).collect();
        let data = Data::of_files(&found.sources, loaded, shapes.beside());
        let unchecked = found.unchecked(names.iter().map(String::as_str), report);
        if names.is_empty() && !unchecked.is_empty() {
            return Err(Failure::Reported);
        }
        self.hold(shapes, &data, tally, take)?;
        Ok(unchecked)
    }

    /// Holds the inputs, or the documents of the store, against shapes one after the other: one of them is in memory.
    fn check_each(
        &self,
        shapes: &RunShapes,
        tally: &mut Tally,
        report: &mut Report,
        take: &mut dyn FnMut(&ValidationReport<'_, '_>, Checked),
    ) -> Result<Vec<Diagnostic>, Failure> {
        let found = FoundSources::find(self.input, report)?;
        if found.sources.is_empty() {
            return self.check_union(shapes, tally, report, take);
        }
        let mut names = Vec::new();
        for source in &found.sources {
            self.options.cancellation.check()?;
            let sources = std::slice::from_ref(source);
            let loaded = load(sources.to_vec(), self.input, self.loading, shapes.wanted(), report)?;
            let Some(name) = loaded.first().map(|(file, _)| file.name.clone()) else { continue };
            let data = Data::of_files(sources, loaded, shapes.beside());
            self.hold(shapes, &data, tally, &mut |validated, checked| {
                take(validated, Checked { name: name.clone(), ..checked });
            })?;
            names.push(name);
        }
        let unchecked = found.unchecked(names.iter().map(String::as_str), report);
        if names.is_empty() && !unchecked.is_empty() {
            return Err(Failure::Reported);
        }
        Ok(unchecked)
    }

    /// Holds data against shapes, and finds where the results stand.
    fn hold(
        &self,
        shapes: &RunShapes,
        data: &Data,
        tally: &mut Tally,
        take: &mut dyn FnMut(&ValidationReport<'_, '_>, Checked),
    ) -> Result<(), Failure> {
        let dataset = data.dataset();
        let validated = shapes.shapes.validate(dataset, &self.options)?;
        tally.add(&validated);
        let mut wanted = Vec::with_capacity(validated.results().len());
        validated.results().for_each(|result| push_wanted(&result, &mut wanted));
        let places = match wanted.is_empty() {
            true => Vec::new(),
            false => data.read.places(dataset, &validated.view(), self.input, self.loading, &wanted),
        };
        let checked = checked(&validated, places, &shapes.names());
        take(&validated, checked);
        Ok(())
    }
}

/// Appends the node and the value whose place a result has, then those of its details.
fn push_wanted(result: &ValidationResult<'_, '_, '_>, wanted: &mut Vec<WantedTerm>) {
    let predicate = result.predicate();
    let value = predicate.as_ref().and_then(|_| result.value());
    wanted.push(WantedTerm { node: result.focus_node(), predicate, value });
    result.details().for_each(|detail| push_wanted(&detail, wanted));
}
