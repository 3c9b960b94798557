//! `evalgraph flatten`: the Flattening Algorithm, exactly as the specification has it.

use clap::Args;

use super::arguments::{
    CompactionArguments, ContextArguments, IriArguments, JsonLdArguments, OutputArguments, ReadingArguments,
};
use super::json_ld::{JsonLd, Parsed, StrayIds, report_warnings};
use super::output::Output;
use super::report::Report;
use super::{Answer, Stop};
use crate::jsonld::Layout;

const EXAMPLES: &str = "\
Examples:
  evalgraph flatten checkpoint.jsonld
  evalgraph flatten checkpoint.jsonld --context karenina
  evalgraph flatten - --base https://example.org/ < document.jsonld";

/// The arguments of `flatten`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FlattenArguments {
    /// A file, or `-` for stdin; gzip and zstd are opened
    input: String,
    #[command(flatten)]
    context: ContextArguments,
    #[command(flatten)]
    compaction: CompactionArguments,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    iris: IriArguments,
    #[command(flatten)]
    json_ld: JsonLdArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// Runs `flatten`.
pub(super) fn run(arguments: &FlattenArguments, report: &mut Report) -> Result<Answer, Stop> {
    report.set_strictness(arguments.reading.strictness());
    let mut json_ld = JsonLd::new(&arguments.iris, &arguments.json_ld, &arguments.reading)?
        .with_compaction(&arguments.compaction);
    let context = json_ld.context(&arguments.context)?;
    let Parsed { document, origin } = json_ld.parse_only("flatten", &arguments.input, report)?;
    json_ld.with_processor(&origin, |mut processor| {
        let flattened = processor.flatten(&document, context.as_ref()).map_err(|error| error.diagnostic())?;
        report_warnings(flattened.warnings(), StrayIds::Dropped, report);
        if report.has_failed() {
            return Err(Stop::Failed);
        }
        let mut output = Output::open(arguments.output.output.as_deref())?;
        flattened.write_to(Layout::Indented, &mut output).map_err(|error| output.stop(&error))?;
        output.finish()
    })?;
    Ok(Answer::Yes)
}
