//! `evalgraph compact`: the Compaction Algorithm, exactly as the specification has it.

use clap::Args;

use crate::cli::arguments::OperationArguments;
use crate::cli::output::Output;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::{Diagnostic, Failure, Report};
use crate::jsonld::Layout;
use crate::load::json_ld::{CompactionOptions, ContextOptions, JsonLd, StrayIds, report_warnings};
use crate::load::parsing::Parsed;

const EXAMPLES: &str = "\
Examples:
  evalgraph compact expanded.jsonld --context karenina
  evalgraph compact - -c context.jsonld --base https://example.org/ < document.jsonld
  evalgraph compact doc.jsonld -c https://example.org/context --map https://example.org/context=context.jsonld";

/// The arguments of `compact`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompactArguments {
    #[command(flatten)]
    context: ContextOptions,
    #[command(flatten)]
    compaction: CompactionOptions,
    #[command(flatten)]
    operation: OperationArguments,
}

/// Runs `compact`.
pub(super) fn run(arguments: &CompactArguments, report: &mut Report) -> Result<Answer, Stop> {
    let operation = &arguments.operation;
    report.set_strictness(operation.reading.strictness);
    output_form::COMPACT.check(operation.output.output.as_deref(), report)?;
    let mut json_ld = JsonLd::new(&operation.iris, &operation.json_ld, &operation.reading)?
        .with_compaction(arguments.compaction);
    let context = json_ld.context(&arguments.context)?.ok_or_else(no_context)?;
    let Parsed { document, origin } = json_ld.parse_only("compact", &operation.input, report)?;
    json_ld.with_processor(&origin, |mut processor| {
        let compacted = processor.compact(&document, &context).map_err(|error| error.diagnostic())?;
        report_warnings(&compacted.warnings, StrayIds::Dropped, report);
        if report.has_failed() {
            return Err(Failure::Reported.into());
        }
        let mut output = Output::open(operation.output.output.as_deref())?;
        compacted.write_to(Layout::Indented, &mut output).map_err(|error| output.stop(&error))?;
        output.finish()
    })?;
    Ok(Answer::Yes)
}

fn no_context() -> Stop {
    let names = "karenina, karenina-spec, karenina-gui, schema.org";
    Diagnostic::error("input::no-context", "`compact` wants a context")
        .with_help(format!("name a file, a URL or one of {names}: `--context FILE`"))
        .into()
}
