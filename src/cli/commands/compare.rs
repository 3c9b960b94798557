//! `evalgraph compare`: is one run better than another, and is the difference more than chance?

use clap::{Args, ValueEnum};

use crate::cli::arguments::OutputArguments;
use crate::cli::arguments::option_groups::GroupedOptions;
use crate::cli::line_painter::{LineStyler, comparison};
use crate::cli::output::write_painted;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::read_session::LoadOptions;
use evalgraph_engine::report::ReportFormat;
use evalgraph_engine::runs::compared_inputs::compare_inputs;
use evalgraph_engine::runs::forms::ComparisonForm;
use evalgraph_engine::runs::run_comparison::RunComparisonOptions;
use evalgraph_engine::runs::run_sides::SideKey;

const EXAMPLES: &str = "\
Examples:
  evalgraph compare old.json new.json
  evalgraph compare base/ tuned/ --metric accuracy --shown 50
  evalgraph compare results.json --by model --against gpt-4o
  evalgraph compare main.jsonl branch.jsonl --fail-on-regression --margin 0.01
  evalgraph compare old.json new.json --format markdown -o comparison.md

The first input is A, the baseline; each other one is compared with it. Samples are paired by their
ids, or else by the texts of their questions, within each task, and never by position. What has no
partner is counted and listed. Several attempts at a sample count as one, with their mean score.

Right or wrong is tested with McNemar's exact test, other scores with the paired bootstrap (seed:
--seed), or with the t test where there are under 20 or over 10,000 pairs. Samples of one group are
resampled together. p is corrected by Holm's method for the rows of a table. `shows` is the smallest
difference that so many samples show in four of five cases. Scores on different scales are not
compared.

The exit status is 0, or 1 with --fail-on-regression if any row is worse; 2 if runs cannot be
compared.";

/// The arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompareArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    /// What the sides are (default: inputs, or models of one input)
    #[arg(long, value_name = "UNIT")]
    by: Option<ComparedBy>,
    /// The input, model or run to compare with (default: the first)
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Compare only this metric; can be repeated
    #[arg(long, value_name = "NAME")]
    metric: Vec<String>,
    /// Exit with 1 if any row is worse by more than chance
    #[arg(long)]
    fail_on_regression: bool,
    /// How much lower a score may be without being worse
    #[arg(long, value_name = "DIFFERENCE", default_value_t = 0.0, value_parser = margin)]
    margin: f64,
    /// Samples that lists show, for people
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    shown: usize,
    /// The seed of the bootstrap
    #[arg(long, value_name = "NUMBER", default_value_t = RunComparisonOptions::default().seed)]
    seed: u64,
    /// Form of the result (default: by name of -o, else text)
    #[arg(long, value_name = "FORM")]
    format: Option<CompareForm>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

/// What distinguishes the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ComparedBy {
    /// Each input is a side
    Input,
    /// Each model is a side
    Model,
    /// Each run is a side
    Run,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CompareForm {
    /// Tables for a person
    Text,
    /// Tables for a comment on a change
    #[value(alias = "md")]
    Markdown,
    /// A page for a browser
    Html,
    /// All figures and all samples that differ
    Jsonl,
    /// A test case for each row, in XML
    Junit,
    /// Regressions, and samples that got worse, for code scanning
    Sarif,
    /// The same as annotations of GitHub
    Github,
}

impl CompareForm {
    fn form(self) -> ComparisonForm {
        match self {
            Self::Text => ComparisonForm::Text,
            Self::Markdown => ComparisonForm::Markdown,
            Self::Html => ComparisonForm::Html,
            Self::Jsonl => ComparisonForm::JsonLines,
            Self::Junit => ComparisonForm::Report(ReportFormat::JUnit),
            Self::Sarif => ComparisonForm::Report(ReportFormat::Sarif),
            Self::Github => ComparisonForm::Report(ReportFormat::GitHub),
        }
    }
}

fn margin(text: &str) -> Result<f64, String> {
    let margin = text.parse().ok().filter(|margin: &f64| margin.is_finite() && *margin >= 0.0);
    margin.ok_or_else(|| "expected a difference of scores, such as 0.01".to_owned())
}

/// Runs `compare`.
pub(super) fn run(
    arguments: &CompareArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let form = output_form::COMPARE.value(path, arguments.format, report)?.unwrap_or(CompareForm::Text);
    let by = match arguments.by {
        Some(ComparedBy::Input) => SideKey::Argument,
        Some(ComparedBy::Model) => SideKey::Model,
        Some(ComparedBy::Run) => SideKey::Run,
        None if arguments.input.inputs.len() > 1 => SideKey::Argument,
        None => SideKey::Model,
    };
    let options = RunComparisonOptions {
        by,
        baseline: arguments.against.clone(),
        metrics: arguments.metric.clone(),
        margin: arguments.margin,
        seed: arguments.seed,
    };
    let compared = compare_inputs(&arguments.input, &arguments.loading, &options, report)?;
    let look: Option<LineStyler> = (form == CompareForm::Text).then_some(comparison);
    write_painted(path, look, |output| form.form().write(&compared, arguments.shown, output))?;
    let fails = arguments.fail_on_regression && compared.has_regression(arguments.margin);
    Ok(if fails { CommandAnswer::No } else { CommandAnswer::Yes })
}
