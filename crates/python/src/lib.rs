//! The native part of the Python package `evalgraph`. What users see is defined in `python/evalgraph`.

#![allow(clippy::needless_pass_by_value, reason = "arguments come from Python by value")]

mod answer_rows;
mod arrow_stream;
mod call;
mod catalogued_data;
mod checks;
mod collected_rows;
mod collected_terms;
mod collection_files;
mod collection_queries;
mod collection_snapshots;
mod collection_state;
mod conversions;
mod datasets;
mod finding_rows;
mod graphs;
mod json_ld;
mod json_ld_reading;
mod python_errors;
mod python_terms;
mod quad_collections;
mod quad_orders;
mod queries;
mod read_options;
mod run_comparisons;
mod shacl_reports;
mod stores;
mod term_values;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::answer_rows::{PythonRowIterator, PythonRows};
    #[pymodule_export]
    use super::checks::{PythonValidation, check, validate};
    #[pymodule_export]
    use super::collected_rows::{PythonBindingRows, PythonQuadMatches};
    #[pymodule_export]
    use super::conversions::{PythonConversion, convert};
    #[pymodule_export]
    use super::datasets::{PythonDataset, read, read_again};
    #[pymodule_export]
    use super::graphs::PythonGraph;
    #[pymodule_export]
    use super::json_ld::{json_ld, json_ld_from_rdf};
    #[pymodule_export]
    use super::json_ld_reading::read_json_ld;
    #[pymodule_export]
    use super::quad_collections::PythonQuadCollection;
    #[pymodule_export]
    use super::queries::{queries, sql};
    #[pymodule_export]
    use super::run_comparisons::{PythonComparison, compare};
    #[pymodule_export]
    use super::shacl_reports::shacl_report;
    #[pymodule_export]
    use super::stores::PythonStore;

    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Runs the command line with the arguments of the process, and ends the process.
    #[pyfunction]
    fn main(py: Python<'_>) -> PyResult<()> {
        let words: Vec<OsString> = py.import("sys")?.getattr("argv")?.extract()?;
        py.detach(|| evalgraph::cli::main_with(words));
        Ok(())
    }
}
