//! Validates the data of a session: the files as they are now, against the rules of their systems or against shapes.

use crate::cli::CommandStop;
use crate::cli::line_painter;
use crate::cli::output::write_painted;
use crate::cli::run_ending::cancellation;
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::api::Loader;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::report::ReportFormat;
use evalgraph_engine::report::reported_files::ReportedFiles;
use evalgraph_engine::validation::reading_shapes::ShapesChoice;
use evalgraph_engine::validation::shapes_run::ShapesRun;
use evalgraph_engine::validation::validated_files::{AppliedRules, CheckedInputs, check_inputs};
use evalgraph_shacl::ValidationOptions;

/// Validates the inputs of a session, and writes the report.
///
/// # Errors
///
/// Fails if the shapes or all inputs are faulty, or if the report cannot be written.
pub(super) fn validate(
    loader: &Loader,
    session: &ReadSession,
    shapes: Option<&str>,
    report: &mut RunReport,
) -> Result<(), CommandStop> {
    let (inputs, loading) = loader.options();
    let input = RunInputs { keep_going: true, ..inputs.clone() };
    let checked = match shapes {
        None => check_inputs(AppliedRules::default(), &input, session, report)?,
        Some(shapes) => {
            let names = [shapes.to_owned()];
            let run = ShapesRun {
                shapes: ShapesChoice { names: &names, named_by_data: false },
                input: &input,
                loading,
                each: false,
                options: ValidationOptions { cancellation: cancellation(), ..ValidationOptions::default() },
            };
            let mut checked = CheckedInputs::default();
            let end = run.check(report, |_, file| checked.files.push(file))?;
            checked.add_unchecked(end.unchecked);
            checked
        }
    };
    let reported = ReportedFiles { unchecked: &checked.unchecked, ..ReportedFiles::new(&checked.files) };
    write_painted(None, Some(line_painter::report), |output| ReportFormat::Text.write(&reported, output))
}
