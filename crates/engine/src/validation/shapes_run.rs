//! Validates inputs, a store or the data of a server against shapes.

use super::document_places::{RereadOptions, WantedTerm};
use super::named_nodes::check_known;
use super::reading_shapes::{RunShapes, ShapesChoice, read_shapes};
use super::shapes_report::checked;
use super::shapes_run_data::{ShapesRunData, ShapesRunDocuments};
use super::unchecked_inputs::FoundSources;
use super::unmatched_shapes::FocusNodeTally;
use super::validated_files::ValidatedFile;
use crate::input::input_options::RunInputs;
use crate::load::load_purpose::{LoadPurpose, load};
use crate::load::read_session::LoadOptions;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_shacl::{ValidationOptions, ValidationReport, ValidationResult};

/// A run: the inputs and the shapes to check them against.
///
/// Other methods are in `server_run.rs`.
pub struct ShapesRun<'r> {
    /// The shapes.
    pub shapes: ShapesChoice<'r>,
    /// The inputs.
    pub input: &'r RunInputs,
    /// How they are loaded.
    pub loading: &'r LoadOptions,
    /// How they are validated.
    pub options: ValidationOptions,
    /// `true` if each input is checked against the shapes separately.
    pub each: bool,
}

/// The outcome of a run.
pub struct RunEnd {
    /// The faults of inputs that could not be read.
    pub unchecked: Vec<Diagnostic>,
    /// `true` if a shape has checked any node.
    pub has_matched: bool,
    /// `true` if all constraints were checked.
    pub is_whole: bool,
}

impl ShapesRun<'_> {
    /// Loads shapes and data, validates the data, and passes each report on twice: as it is, and in terms of rules.
    ///
    /// # Errors
    ///
    /// Fails if the shapes are faulty, if an input is faulty and faulty inputs are not skipped or no others remain, or
    /// if the validation fails.
    pub fn check(
        &self,
        report: &mut RunReport,
        mut take: impl FnMut(&ValidationReport<'_, '_>, ValidatedFile),
    ) -> Result<RunEnd, RunFailure> {
        if let Some(server) = &self.input.endpoint {
            return self.check_server(&**server, report, &mut take);
        }
        let mut tally = FocusNodeTally::new(&self.options);
        let check = if self.each { Self::check_each } else { Self::check_union };
        let unchecked = check(self, &mut tally, report, &mut take)?;
        report.add_all(&tally.warning());
        Ok(RunEnd { unchecked, has_matched: tally.has_matched(), is_whole: true })
    }

    pub(super) fn read_shapes(
        &self,
        data: Option<&ShapesRunDocuments>,
        report: &mut RunReport,
    ) -> Result<RunShapes, RunFailure> {
        let reading = self.input.reading.for_files_beside();
        let shapes = read_shapes(self.shapes, &reading, self.loading, data, report)?;
        shapes.shapes.named(&self.options.shapes)?;
        Ok(shapes)
    }

    /// Checks the union of the inputs against shapes.
    fn check_union(
        &self,
        tally: &mut FocusNodeTally<'_>,
        report: &mut RunReport,
        take: &mut dyn FnMut(&ValidationReport<'_, '_>, ValidatedFile),
    ) -> Result<Vec<Diagnostic>, RunFailure> {
        // Mistakes in shapes are reported before the data are loaded, unless the shapes may be in the data.
        let read_before = match self.shapes.may_be_of_data() {
            true => None,
            false => Some(self.read_shapes(None, report)?),
        };
        // Shapes that have not been read yet may use the catalog.
        let wanted = read_before.as_ref().map_or(LoadPurpose::Catalog, RunShapes::wanted);
        let (documents, unchecked) = self.documents(wanted, report)?;
        let shapes = match read_before {
            Some(shapes) => shapes,
            None => self.read_shapes(Some(&documents), report)?,
        };
        let data = documents.into_data(shapes.beside());
        check_known(&self.options.focus_nodes, data.dataset())?;
        self.hold(&shapes, &data, tally, report, take)?;
        Ok(unchecked)
    }

    /// Loads the inputs, or opens the store. Also returns the faults of inputs that could not be read.
    fn documents(
        &self,
        wanted: LoadPurpose,
        report: &mut RunReport,
    ) -> Result<(ShapesRunDocuments, Vec<Diagnostic>), RunFailure> {
        if self.input.is_store() {
            let store = self.input.store.open()?;
            let snapshot = store.snapshot()?;
            return Ok((ShapesRunDocuments::Stored(Box::new((store, snapshot))), Vec::new()));
        }
        let found = FoundSources::find(self.input, report)?;
        let sources = found.sources.clone();
        let loaded = load(sources.clone(), self.input, self.loading, wanted, report)?;
        let unchecked = found.unchecked(loaded.iter().map(|(file, _)| &*file.name), report);
        if loaded.is_empty() && !unchecked.is_empty() {
            return Err(RunFailure::Reported);
        }
        Ok((ShapesRunDocuments::Files { sources, loaded }, unchecked))
    }

    /// Validates the inputs, or the documents of the store, one after the other. Only one of them is in memory at a
    /// time.
    fn check_each(
        &self,
        tally: &mut FocusNodeTally<'_>,
        report: &mut RunReport,
        take: &mut dyn FnMut(&ValidationReport<'_, '_>, ValidatedFile),
    ) -> Result<Vec<Diagnostic>, RunFailure> {
        let shapes = self.read_shapes(None, report)?;
        let found = FoundSources::find(self.input, report)?;
        if found.sources.is_empty() {
            return self.check_union(tally, report, take);
        }
        let mut names = Vec::new();
        for source in &found.sources {
            self.options.cancellation.check()?;
            let sources = vec![source.clone()];
            let loaded = load(sources.clone(), self.input, self.loading, shapes.wanted(), report)?;
            let Some(name) = loaded.first().map(|(file, _)| file.name.clone()) else { continue };
            let data = ShapesRunDocuments::Files { sources, loaded }.into_data(shapes.beside());
            self.hold(&shapes, &data, tally, report, &mut |validated, checked| {
                take(validated, ValidatedFile { name: name.clone(), ..checked });
            })?;
            names.push(name);
        }
        let unchecked = found.unchecked(names.iter().map(String::as_str), report);
        if names.is_empty() && !unchecked.is_empty() {
            return Err(RunFailure::Reported);
        }
        Ok(unchecked)
    }

    /// Validates data, and finds the places of the results.
    fn hold(
        &self,
        shapes: &RunShapes,
        data: &ShapesRunData,
        tally: &mut FocusNodeTally<'_>,
        report: &mut RunReport,
        take: &mut dyn FnMut(&ValidationReport<'_, '_>, ValidatedFile),
    ) -> Result<(), RunFailure> {
        let dataset = data.dataset();
        let options = ValidationOptions { shapes_graphs: shapes.of_data.clone(), ..self.options.clone() };
        let validated = shapes.shapes.validate(dataset, &options)?;
        tally.add(&validated);
        let mut wanted = Vec::with_capacity(validated.results().len());
        validated.results().for_each(|result| push_wanted(&result, &mut wanted));
        let again = RereadOptions { input: self.input, loading: self.loading, report };
        let mut places = data.places(&validated.view(), again, &wanted);
        shapes.read.place_targets(&wanted, &mut places);
        let checked = checked(&validated, places, &shapes.names());
        take(&validated, checked);
        Ok(())
    }
}

/// Appends the statement or node that a result is about, then those of its details.
fn push_wanted(result: &ValidationResult<'_, '_, '_>, wanted: &mut Vec<Vec<WantedTerm>>) {
    let focus = result.focus_node();
    let mut places = Vec::with_capacity(2);
    match result.statement() {
        Some((node, predicate, value)) => {
            places.push(WantedTerm { node, predicate: Some(predicate), value: Some(value) });
        }
        None => {
            // A value that is not of the path may belong to another property.
            let value = result.value().filter(|value| *value != focus);
            let value =
                value.map(|value| WantedTerm { node: focus.clone(), predicate: None, value: Some(value) });
            let property = result.predicate();
            let property = property.map(|predicate| WantedTerm {
                node: focus.clone(),
                predicate: Some(predicate),
                value: None,
            });
            places.extend(value.into_iter().chain(property));
        }
    }
    places.push(WantedTerm::node(focus));
    wanted.push(places);
    result.details().for_each(|detail| push_wanted(&detail, wanted));
}
