//! Checks files against the rules of their systems, against shapes and against schema.org.
//!
//! `Loader` is defined in `file_loader.rs`.

use std::io::{self, Write};

use super::api_store::Store;
use super::error::Error;
use super::file_loader::Loader;
use crate::report::baseline::ReportBaseline;
use crate::report::reported_files::{ReportedFiles, keep_from};
use crate::report::reported_finding::ReportWords;
use crate::report::severity_totals::SeverityTotals;
use crate::report::{BaselineComparison, ReportFormat};
use crate::validation::reading_shapes::{ShapesChoice, read_shapes};
use crate::validation::record_validation::RuleSets;
use crate::validation::schema_org::SchemaOrgRun;
use crate::validation::shapes_run::ShapesRun;
use crate::validation::validated_files::{AppliedRules, CheckedInputs, ValidatedFile, check_inputs};
use evalgraph_diagnostics::validation::ResultSeverity;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_formats::checking::ProfileName;
use evalgraph_json::JsonDocument;
use evalgraph_schema_org::CheckOptions;
use evalgraph_shacl::{Shapes, ValidationOptions};

/// The result of a check.
#[derive(Debug)]
#[non_exhaustive]
pub struct ValidationOutcome {
    /// The files with their results. Results of rules that concern several files come last.
    pub files: Vec<ValidatedFile>,
    /// The findings from reading the files.
    pub report: RunReport,
    /// The lowest severity of the results.
    least: ResultSeverity,
    /// How many results were left out, by file. `None` if nothing was compared.
    known: Option<Vec<SeverityTotals>>,
    /// The faults of the inputs that could not be checked.
    unchecked: Vec<Diagnostic>,
    /// The words in which each result is reported.
    words: ReportWords,
}

impl ValidationOutcome {
    fn new(checked: CheckedInputs, words: ReportWords, report: RunReport) -> Self {
        let CheckedInputs { files, unchecked } = checked;
        Self { files, report, least: ResultSeverity::Info, known: None, unchecked, words }
    }

    /// Returns whether no file has a violation.
    pub fn conforms(&self) -> bool {
        self.files.iter().all(|file| file.report.conforms())
    }
}

/// The findings in the files of a server.
#[derive(Default)]
pub struct ServedFileFindings {
    /// Findings from the rules of the files' systems.
    pub validated: CheckedInputs,
    /// Findings from the check against schema.org.
    pub checked: CheckedInputs,
}

/// Checks inputs; see [`Loader::validate`].
///
/// # Errors
///
/// The errors of [`Loader::validate`].
pub fn validate<I: Into<String>>(inputs: impl IntoIterator<Item = I>) -> Result<ValidationOutcome, Error> {
    Loader::new().validate(inputs)
}

/// Checks inputs against schema.org; see [`Loader::check`].
///
/// # Errors
///
/// The errors of [`Loader::check`].
pub fn check<I: Into<String>>(inputs: impl IntoIterator<Item = I>) -> Result<ValidationOutcome, Error> {
    Loader::new().check(inputs, &CheckOptions::default())
}

impl ValidationOutcome {
    /// Writes a report of all results in a format.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let checked = evalgraph::validate(["fixtures/karenina/p1-physics.jsonld"])?;
    /// let mut sarif = Vec::new();
    /// checked.write(evalgraph::ReportFormat::Sarif, &mut sarif)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If writing to the output fails.
    pub fn write(&self, format: ReportFormat, output: &mut impl Write) -> io::Result<()> {
        let (least, strictness) = (self.least, self.report.strictness());
        let (known, unchecked, words) = (self.known.as_deref(), &*self.unchecked, self.words);
        let reported =
            ReportedFiles { least, strictness, known, unchecked, words, ..ReportedFiles::new(&self.files) };
        format.write(&reported, output)
    }

    /// Drops the results of lower severity. This does not change whether the files conform.
    pub fn keep_from(&mut self, least: ResultSeverity) {
        self.least = self.least.max(least);
        self.files.iter_mut().for_each(|file| keep_from(least, &mut file.report));
    }

    /// Drops the results that are already in a report that was saved as JSON or SARIF. Results are the same if they
    /// have the same rule, object, path, value and file, even if their lines have moved. The files then conform if they
    /// have no new violation.
    ///
    /// # Errors
    ///
    /// `validate::baseline` if the document is not such a report, with file, line and column.
    pub fn leave_out(&mut self, baseline: &JsonDocument) -> Result<BaselineComparison, Error> {
        let (known, compared) = ReportBaseline::read(baseline)?.leave_out(&mut self.files);
        self.known = Some(match self.known.take() {
            Some(before) => before.into_iter().zip(known).map(|(one, other)| one.plus(other)).collect(),
            None => known,
        });
        Ok(compared)
    }
}

impl Store {
    /// Checks the data of the store against shapes, as [`Loader::validate_by_shapes`] checks files. Results have their
    /// places in the files that the store keeps.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// # let folder = tempfile::tempdir()?;
    /// let mut store = evalgraph::Store::create(folder.path())?;
    /// store.load(["fixtures/karenina/s0-cell-biology.jsonld"])?;
    /// let checked = store.validate_by_shapes(["karenina-spec"], &evalgraph::shacl::ValidationOptions::default())?;
    /// assert!(!checked.conforms());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Loader::shapes`], and an error if the store is damaged or a query of a shape fails.
    pub fn validate_by_shapes<S: Into<String>>(
        &self,
        shapes: impl IntoIterator<Item = S>,
        options: &ValidationOptions,
    ) -> Result<ValidationOutcome, Error> {
        self.loader.checked_by_shapes(shapes, options)
    }
}

impl Loader {
    /// Checks inputs against the rules of the program that writes their dialect, as `evalgraph validate` does.
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid (with file, line and column), or if there are no rules for it.
    pub fn validate<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
    ) -> Result<ValidationOutcome, Error> {
        self.measured(inputs, AppliedRules::default())
    }

    /// Checks inputs against the rules with this name. Each system has its own rules under the name.
    ///
    /// # Errors
    ///
    /// The errors of [`Loader::validate`].
    pub fn validate_by<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        profile: ProfileName,
    ) -> Result<ValidationOutcome, Error> {
        self.measured(inputs, AppliedRules { profile: Some(profile), ..AppliedRules::default() })
    }

    /// Checks inputs like [`Loader::validate`], but with custom thresholds: an object with one object per system, which
    /// maps names to numbers.
    ///
    /// # Errors
    ///
    /// The errors of [`Loader::validate`], and `validate::config` if the thresholds are not valid, with file, line and
    /// column.
    pub fn validate_by_thresholds<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        thresholds: &JsonDocument,
    ) -> Result<ValidationOutcome, Error> {
        self.measured(inputs, AppliedRules { rules: RuleSets::read(thresholds)?, ..AppliedRules::default() })
    }

    /// Reads SHACL shapes, to validate data against them with [`LoadedData::validate`](super::LoadedData::validate).
    /// Each name is a file, a mapped URL or a built-in shape, as for `evalgraph validate --shapes`.
    ///
    /// # Errors
    ///
    /// If a file is missing or invalid; and every fault of the shapes.
    pub fn shapes<I: Into<String>>(&self, names: impl IntoIterator<Item = I>) -> Result<Shapes, Error> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let choice = ShapesChoice { names: &names, named_by_data: false };
        let reading = self.inputs.reading.for_files_beside();
        let work = |report: &mut RunReport| read_shapes(choice, &reading, &self.loading, None, report);
        let (read, _) = self.reported(work)?;
        Ok(read.shapes)
    }

    /// Checks the union of inputs against shapes, as `evalgraph validate --shapes` does. Results have their places in
    /// the files. `shapes` are named as for [`Loader::shapes`], and can also be graphs of the inputs. The loader's
    /// cancellation ends the validation.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// use evalgraph::shacl::{Severity, ValidationOptions};
    ///
    /// let disallows = Some(vec![Severity::Violation]);
    /// let options = ValidationOptions { conformance_disallows: disallows, ..ValidationOptions::default() };
    /// let inputs = ["fixtures/karenina/p1-physics.jsonld"];
    /// let checked = evalgraph::Loader::new().validate_by_shapes(inputs, ["karenina"], &options)?;
    /// println!("{} results", checked.files[0].report.results.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Loader::shapes`], and an error if an input is missing or invalid, or if a query of a shape
    /// fails.
    pub fn validate_by_shapes<I: Into<String>, S: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        shapes: impl IntoIterator<Item = S>,
        options: &ValidationOptions,
    ) -> Result<ValidationOutcome, Error> {
        self.reading(inputs)?.checked_by_shapes(shapes, options)
    }

    /// Checks the loader's own inputs, files or a store, against shapes.
    fn checked_by_shapes<S: Into<String>>(
        &self,
        shapes: impl IntoIterator<Item = S>,
        options: &ValidationOptions,
    ) -> Result<ValidationOutcome, Error> {
        let names: Vec<String> = shapes.into_iter().map(Into::into).collect();
        let run = ShapesRun {
            shapes: ShapesChoice { names: &names, named_by_data: false },
            input: &self.inputs,
            loading: &self.loading,
            each: false,
            options: ValidationOptions { cancellation: self.cancellation.clone(), ..options.clone() },
        };
        let work = |report: &mut RunReport| {
            let mut files = Vec::new();
            let end = run.check(report, |_, checked| files.push(checked))?;
            Ok(CheckedInputs { files, unchecked: end.unchecked })
        };
        let (checked, report) = self.reported(work)?;
        Ok(ValidationOutcome::new(checked, ReportWords::Shacl, report))
    }

    /// Checks each input separately against schema.org, as `evalgraph check` does. The loader's cancellation ends the
    /// check.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// use evalgraph::schema_org::CheckOptions;
    ///
    /// let inputs = ["fixtures/karenina/p1-physics.jsonld"];
    /// let checked = evalgraph::Loader::new().check(inputs, &CheckOptions::default())?;
    /// for result in &checked.files[0].report.results {
    ///     println!("{}: {}", result.rule, result.message);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid, with file, line and column.
    pub fn check<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        options: &CheckOptions,
    ) -> Result<ValidationOutcome, Error> {
        let loader = self.reading(inputs)?;
        let options = CheckOptions { cancellation: loader.cancellation.clone(), ..options.clone() };
        let work = |report: &mut RunReport| {
            let session = loader.session()?.taking_any();
            SchemaOrgRun { input: &loader.inputs, session: &session, options }.check(report)
        };
        let (checked, report) = loader.reported(work)?;
        Ok(ValidationOutcome::new(checked, ReportWords::Findings, report))
    }

    /// Returns what the rules and the check find at this moment in the inputs, or in the documents of the store. Inputs
    /// that are invalid or have no rules are named; the other inputs are still checked.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or if the work is cancelled.
    pub fn findings(&self) -> Result<ServedFileFindings, Error> {
        let mut loader = self.reading_anew().keep_going();
        let is_store = loader.inputs.inputs.is_empty();
        // Stdin cannot be read a second time.
        loader.inputs.inputs.retain(|input| input != "-");
        if loader.inputs.inputs.is_empty() && !is_store {
            return Ok(ServedFileFindings::default());
        }
        let validated = loader.unless_all_at_fault(|report| {
            check_inputs(AppliedRules::default(), &loader.inputs, &loader.session()?, report)
        })?;
        let options = CheckOptions { cancellation: loader.cancellation.clone(), ..CheckOptions::default() };
        let checked = loader.unless_all_at_fault(|report| {
            let session = loader.session()?.taking_any();
            SchemaOrgRun { input: &loader.inputs, session: &session, options }.check(report)
        })?;
        Ok(ServedFileFindings { validated, checked })
    }

    /// Runs work that fails if all inputs are at fault. The faults are then part of the result.
    fn unless_all_at_fault(
        &self,
        work: impl FnOnce(&mut RunReport) -> Result<CheckedInputs, RunFailure>,
    ) -> Result<CheckedInputs, Error> {
        let done = self.reported_here(work);
        self.cancellation.check()?;
        match done {
            Ok((checked, _)) => Ok(checked),
            Err(error) if error.findings().any(|fault| fault.code.starts_with("store::")) => Err(error),
            Err(error) => {
                Ok(CheckedInputs { files: Vec::new(), unchecked: error.findings().cloned().collect() })
            }
        }
    }

    fn measured<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        measure: AppliedRules,
    ) -> Result<ValidationOutcome, Error> {
        let loader = self.reading(inputs)?;
        let work = |report: &mut RunReport| check_inputs(measure, &loader.inputs, &loader.session()?, report);
        let (checked, report) = loader.reported(work)?;
        Ok(ValidationOutcome::new(checked, ReportWords::Shacl, report))
    }
}
