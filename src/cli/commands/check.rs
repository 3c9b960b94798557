//! `evalgraph check`: reports where data deviate from schema.org or Croissant, and what to write instead.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::path::Path;
use std::sync::Arc;

use clap::Args;

use crate::cli::arguments::{EndpointArguments, ProcessorArguments, report_formats};
use crate::cli::check_fixes::FixArguments;
use crate::cli::input_watch::watch_inputs;
use crate::cli::result_arguments::{ResultArguments, ResultReporting};
use crate::cli::run_ending;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{RunReport, RunStrictness};
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::report::ReportFormat;
use evalgraph_engine::report::reported_finding::ReportWords;
use evalgraph_engine::validation::schema_org::SchemaOrgRun;
use evalgraph_engine::validation::schema_org::schema_org_vocabulary::read_vocabulary;
use evalgraph_schema_org::{CheckLevel, CheckOptions, CheckRule};

const EXAMPLES: &str = "\
Examples:
  evalgraph check page.html
  evalgraph check 'pages/*.jsonld' --strict
  evalgraph check data.ttl --level domain=error --level no-type=off
  evalgraph check data/ --format jsonl -o findings.jsonl
  evalgraph check data/ -o report.sarif --baseline old.sarif
  evalgraph check data/ --pending --schema-org schemaorg-all-https.nt
  evalgraph check metadata.json --level croissant-checksum=error
  evalgraph check page.html --watch
  evalgraph check pages/ --fix --dry-run
  evalgraph check page.html --fix --normalize https
  evalgraph check checkpoint.jsonld --fix-context

Terms that schema.org does not have are errors; known terms that are not used as it describes are
warnings; forms that it tolerates are infos. `evalgraph explain` lists the rules, and
`evalgraph explain unknown-type` explains one.

Croissant metadata, recognised by `conformsTo`, are also checked against Croissant's rules.

Each input is checked separately, as written: http and https are not merged into one namespace. For
a document of the store, the text that the store keeps is checked.

--fix changes JSON-LD and pages in place. It only changes names and namespaces that have one right
answer. Files are written beside the old ones and renamed; if any input is faulty, none is changed.
Contexts from elsewhere cannot be changed. Everything that is not fixed is in the report.

The exit status is 0 if there is no error, 1 if there is one, 2 if a file cannot be checked; the
report of the others is still written. With --strict, warnings count as errors.";

/// The arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// Level of a rule: error, warning, info, off; repeatable
    #[arg(long = "level", value_name = "CODE=LEVEL", value_parser = level)]
    levels: Vec<(CheckRule, CheckLevel)>,
    /// Report pending terms: proposed, not settled yet
    #[arg(long)]
    pending: bool,
    /// Check against another release, or an extension
    ///
    /// A file in any form of RDF, or a table of terms
    #[arg(long, value_name = "FILE")]
    schema_org: Option<String>,
    /// Check again at each change, until Ctrl-C
    ///
    /// Files are checked for changes four times a second; the exit status is that of the last check
    #[arg(long, requires = "inputs")]
    watch: bool,
    /// Form of the report (default: by name of -o, else text)
    #[arg(long, value_name = "FORM", value_parser = report_formats())]
    format: Option<ReportFormat>,
    #[command(flatten)]
    fixing: FixArguments,
    #[command(flatten)]
    results: ResultArguments,
    #[command(flatten)]
    processor: ProcessorArguments,
}

/// A rule and the level of its findings.
fn level(text: &str) -> Result<(CheckRule, CheckLevel), String> {
    let (code, level) = text.split_once('=').ok_or("expected `CODE=LEVEL`, such as domain=error")?;
    let unknown = || match nearest(code, CheckRule::all().map(CheckRule::name)) {
        Some(meant) => format!("there is no rule `{code}`; did you mean `{meant}`?"),
        None => format!("there is no rule `{code}`; `evalgraph explain` lists all"),
    };
    let of_code = CheckRule::named(code).ok_or_else(unknown)?;
    let named = CheckLevel::named(level);
    let level =
        named.ok_or_else(|| format!("`{level}` is not a level; known are error, warning, info, off"))?;
    Ok((of_code, level))
}

/// Runs `check`.
pub(super) fn run(arguments: &CheckArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let vocabulary = arguments.schema_org.as_deref().map(Path::new);
    let others = [("--fix", !arguments.fixing.reports()), ("--watch", arguments.watch)];
    let net = &arguments.processor.iris.net;
    let input = arguments.endpoint.instead_of(&arguments.input, net, &others, report)?;
    let input = arguments.results.inputs(&input, &[vocabulary]);
    if !arguments.watch {
        return check(arguments, &input, report);
    }
    let named = [vocabulary, arguments.results.baseline_path()];
    watch_inputs(&input, &[], &named, |input, report| check(arguments, input, report))
}

/// Checks once.
fn check(
    arguments: &CheckArguments,
    input: &RunInputs,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let CheckArguments { results, processor, .. } = arguments;
    let named = arguments.format.map(ReportFormat::name);
    let format = match arguments.fixing.reports() {
        true => output_form::CHECK.chosen(results.path(), named, report)?,
        false => None,
    };
    let format = format.and_then(ReportFormat::from_name).unwrap_or(ReportFormat::Text);
    let session = processor.session(&input.reading)?.taking_any();
    let baseline = results.baseline(&session, report)?;
    let strictness = input.reading.strictness;
    let options = CheckOptions {
        levels: arguments.levels.iter().copied().collect(),
        pending: arguments.pending,
        strict: strictness == RunStrictness::Strict,
        vocabulary: None,
        cancellation: run_ending::cancellation(),
    };
    let options = match &arguments.schema_org {
        Some(file) => {
            let reading = input.reading.for_files_beside();
            let vocabulary = Some(Arc::new(read_vocabulary(file, &reading, &processor.iris, report)?));
            CheckOptions { vocabulary, ..options }
        }
        None => options,
    };
    let run = SchemaOrgRun { input, session: &session, options };
    if let Some(answer) = arguments.fixing.done(&run, results.path(), report)? {
        return Ok(answer);
    }
    let checked = run.check(report)?;
    let telling = ResultReporting { format: Some(format), words: ReportWords::Findings, strictness };
    results.write(checked, baseline, &telling, report)
}
