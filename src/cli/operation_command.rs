//! The common part of the JSON-LD API commands: one document in, one document out.

use super::arguments::OperationArguments;
use super::output::write;
use super::output_form::CommandForms;
use super::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::load::json_ld_operation::JsonLdOperation;
use evalgraph_jsonld::JsonLdLayout;

/// Applies an operation to the input of a command, and writes the result. The output is opened only once there is a
/// result.
pub(super) fn process(
    arguments: &OperationArguments,
    forms: &CommandForms,
    operation: &JsonLdOperation,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.reading.strictness);
    let path = arguments.output.output.as_deref();
    forms.check(path, report)?;
    let session = arguments.processor.session(&arguments.reading)?;
    session.process(operation, &arguments.input, report, |processed| {
        write(path, |output| processed.write_to(JsonLdLayout::Indented, output))
    })?;
    Ok(CommandAnswer::Yes)
}
