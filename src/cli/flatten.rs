//! `evalgraph flatten`: the Flattening Algorithm, exactly as the specification has it.

use clap::Args;

use super::arguments::{
    CompactionArguments, ContextArguments, IriArguments, JsonLdArguments, OutputArguments, ReadingArguments,
};
use super::input::find_sources;
use super::json_ld::{JsonLd, StrayIds, report_warnings};
use super::output::Output;
use super::report::Report;
use super::{Answer, Stop};
use crate::diagnostic::Diagnostic;
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
    let (sources, faults) = find_sources(std::slice::from_ref(&arguments.input));
    report.add_all(&faults);
    let [source] = sources.as_slice() else {
        return Err(one_input(sources.len()));
    };
    let input = source.read(arguments.reading.max_size)?;
    let path = input.path.clone();
    let document = json_ld.parse(input, report).ok_or(Stop::Failed)?;
    json_ld.with_processor(path.as_deref(), |mut processor| {
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

fn one_input(found: usize) -> Stop {
    if found == 0 {
        return Stop::Failed;
    }
    let message = format!("`flatten` takes one document, and the input is {found} files");
    Diagnostic::error("input::several", message).into()
}
