//! Comparing runs of evaluations.
//!
//! `Loader` is defined in `file_loader.rs`.

use super::error::Error;
use super::file_loader::Loader;
use crate::runs::compared_inputs::compare_inputs;
use crate::runs::run_comparison::{RunComparison, RunComparisonOptions};
use evalgraph_diagnostics::RunReport;

impl Loader {
    /// Compares runs of evaluations sample by sample, as `evalgraph compare` does, and returns the findings of reading them.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// use evalgraph::Loader;
    /// use evalgraph::runs::{ComparisonForm, RunComparisonOptions, SideKey};
    ///
    /// let options = RunComparisonOptions { by: SideKey::Model, ..RunComparisonOptions::default() };
    /// let (comparison, _) = Loader::new().compare(["fixtures/runs/two-models.csv"], &options)?;
    /// assert_eq!(comparison.sides.len(), 2);
    /// let mut text = Vec::new();
    /// ComparisonForm::Text.write(&comparison, 10, &mut text)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid, with file, line and column; and if the runs cannot be compared.
    pub fn compare<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        options: &RunComparisonOptions,
    ) -> Result<(RunComparison, RunReport), Error> {
        let loader = self.reading(inputs)?;
        loader.reported(|report| compare_inputs(&loader.inputs, &loader.loading, options, report))
    }
}
