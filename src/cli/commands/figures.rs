//! `evalgraph figures`: the authority of experts, their disagreement and their consensus.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::io::{self, Write};

use clap::builder::{PossibleValue, ValueParser};
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::cli::arguments::{OutputArguments, ProcessorArguments, choice};
use crate::cli::drawn_chart::{DrawnChart, write_picture};
use crate::cli::figures_tables::FiguresPart;
use crate::cli::line_painter::{LineStyler, titled_tables};
use crate::cli::output::{ResultOutput, terminal_width, write_json, write_painted};
use crate::cli::side_by_side::FigureTable;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_engine::convert::gathered_records::gather;
use evalgraph_engine::input::find::find_sources;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::input::syntax::RecordSyntax;
use evalgraph_engine::load::parsed_input::ParsedInput;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::workspace::command_sources::sources;
use evalgraph_formats::rlcf::figures::{
    AuthorityOf, BrokenReferences, FigureMethod, FigureSettings, NoConsensus, PositionKey, RlcfFigures,
    RlcfProfile, UnscoredCredential,
};
use evalgraph_formats::rlcf::gathered_feedback::GatheredFeedback;

const EXAMPLES: &str = "\
Examples:
  evalgraph figures export.json
  evalgraph figures replies/ --show experts --profile both
  evalgraph figures export.json --show contested --format csv
  evalgraph figures export.json --show experts -o experts.svg
  evalgraph figures export.json --profile shipped --position feedback --format json
  evalgraph figures export.nq --config model_config.json

The inputs are RLCF's records, in separate files, in one file, or as a graph in any RDF format. All
inputs form one dataset: a record is identified by its kind and id.

Authority is the sum of baseline credentials, track record and recent performance, each times its
weight. A task is contested if its disagreement, the entropy of the authority behind each position,
is above the threshold. The profile decides which weights and thresholds are used: seed uses those
of the documents, shipped those of the program, and both shows them side by side.

Two experts hold the same position if they give the same answer. RLCF's program compares the whole
feedback instead, including the reasoning: --position feedback.

Opinions are weighed with the authority that is stored with the expert. If that is 0 for all experts,
there is no result: --authority computed weighs opinions with the authority computed from the
records.

--config takes JSON with the keys of RLCF's model_config, and additionally thresholds.contention,
.rating_majority, .bias_high, .bias_medium, track_record.initial.";

/// The arguments of `figures`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FiguresArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    /// Which weights and thresholds to use
    #[arg(long, value_name = "PROFILE", default_value = "seed", value_parser = profiles())]
    profile: &'static [RlcfProfile],
    /// An expert's position: the answer, or all
    #[arg(long, value_name = "answer|feedback", default_value = "answer", value_parser = positions(),
          hide_possible_values = true)]
    position: PositionKey,
    /// Weigh opinions with stored or computed authority
    #[arg(long, value_name = "stored|computed", default_value = "stored", value_parser = authorities(),
          hide_possible_values = true)]
    authority: AuthorityOf,
    /// Weights and thresholds, in place of the profile's
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// What to show; can be repeated
    ///
    /// Everything but feedback by default
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    show: Vec<FiguresPart>,
    /// Form of the figures (default: by name of -o, else text)
    #[arg(long, value_name = "FORM")]
    format: Option<FiguresFormat>,
    /// Draw a chart of one part: an SVG, or a PNG with -o
    #[arg(long, value_name = "KIND", conflicts_with = "format")]
    chart: Option<DrawnChart>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    processor: ProcessorArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FiguresFormat {
    /// Tables for a person
    Text,
    /// One object with all digits, by profile
    Json,
    /// One table with all digits: name it with --show
    Csv,
    /// Tables for a paper or a README
    #[value(alias = "md")]
    Markdown,
    /// Bars of one table: name it with --show
    Svg,
    /// The same as a picture of dots
    Png,
}

impl FiguresFormat {
    /// Returns whether the form has one table.
    fn is_of_one_table(self) -> bool {
        matches!(self, Self::Csv | Self::Svg | Self::Png)
    }
}

fn profiles() -> ValueParser {
    let value = |name, help| PossibleValue::new(name).help(help);
    let shipped = value("shipped", "Those that RLCF's program ships; `code` is the same").alias("code");
    choice([
        (value("seed", "Those of RLCF's documents"), &[RlcfProfile::Seed][..]),
        (shipped, &[RlcfProfile::Shipped]),
        (value("both", "Both, side by side"), &RlcfProfile::ALL),
    ])
}

fn positions() -> ValueParser {
    choice(PositionKey::ALL.map(|position| (position.name(), position)))
}

fn authorities() -> ValueParser {
    choice([("stored", AuthorityOf::Stored), ("computed", AuthorityOf::Computed)])
}

/// Runs `figures`.
pub(super) fn run(
    arguments: &FiguresArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let usual = if arguments.chart.is_some() { FiguresFormat::Svg } else { FiguresFormat::Text };
    let form = output_form::FIGURES.value(path, arguments.format, report)?.unwrap_or(usual);
    let parts = parts(arguments, form)?;
    let session = arguments.processor.session(&arguments.input.reading)?;
    let config = match &arguments.config {
        Some(path) => Some(config(path, &session, report)?),
        None => None,
    };
    let mut methods = Vec::new();
    for &profile in arguments.profile {
        methods.push((profile, method(profile, config.as_ref(), arguments)?));
    }
    let mut gathered = GatheredFeedback::default();
    gather(&sources(&arguments.input, report)?, &arguments.input, &session, &mut gathered, report)?;
    let records = gathered.into_dataset(report)?;
    let figures: Vec<(RlcfProfile, RlcfFigures<'_>)> =
        methods.iter().map(|(profile, method)| (*profile, RlcfFigures::compute(&records, method))).collect();
    for (number, (_, figures)) in figures.iter().enumerate() {
        report_unscored(&figures.unscored, report);
        if number == 0 {
            report_unresolved(&figures.unresolved, report);
            report_weightless(figures, arguments.authority, report);
        }
    }
    if let FiguresFormat::Svg | FiguresFormat::Png = form {
        let Some(table) = table(parts[0], &figures) else { return Ok(CommandAnswer::No) };
        let chart = arguments.chart.unwrap_or(DrawnChart::Bar);
        let column = table.columns.get(table.keys).map_or("", String::as_str);
        let picture = chart.draw(&format!("{}: {column}", table.title), &table.bars());
        write_picture(&picture, path)?;
        return Ok(CommandAnswer::Yes);
    }
    let look: Option<LineStyler> = (form == FiguresFormat::Text).then_some(titled_tables);
    let width = terminal_width().filter(|_| path.is_none());
    write_painted(path, look, |output| match form {
        FiguresFormat::Text => {
            write_each(&parts, &figures, output, |table, output| table.write_text(width, output))
        }
        FiguresFormat::Markdown => {
            write_each(&parts, &figures, output, |table, output| table.write_markdown(output))
        }
        FiguresFormat::Json => write_json(&to_json(&parts, &figures), output),
        FiguresFormat::Csv | FiguresFormat::Svg | FiguresFormat::Png => {
            table(parts[0], &figures).map_or(Ok(()), |table| table.write_csv(output))
        }
    })?;
    Ok(CommandAnswer::Yes)
}

/// Reads the file of `--config`.
fn config(path: &str, session: &ReadSession, report: &mut RunReport) -> Result<ParsedInput, CommandStop> {
    let (sources, faults) = find_sources(&[path.to_owned()]);
    report.add_all(&faults);
    let [source] = sources.as_slice() else {
        let message = format!("`--config` takes one file, but `{path}` is {}", sources.len());
        return Err(if faults.is_empty() {
            Diagnostic::error("figures::config", message).into()
        } else {
            RunFailure::Reported.into()
        });
    };
    let mut input = session.read(source)?;
    if let Some(syntax) = RecordSyntax::from_input(&input.origin.name, &input.bytes) {
        input.origin.syntax = syntax;
    }
    Ok(session.parse_data(input, report)?)
}

fn parts(arguments: &FiguresArguments, form: FiguresFormat) -> Result<Vec<FiguresPart>, CommandStop> {
    match arguments.show.as_slice() {
        parts if form.is_of_one_table() && parts.len() != 1 => {
            let message = match form {
                FiguresFormat::Csv => "CSV holds only one table, which `--show` has to name",
                _ => "a chart shows only one table, which `--show` has to name",
            };
            let help = "add one of `--show experts`, tasks, contested, bias, feedback, system";
            Err(Diagnostic::error("figures::csv", message).with_help(help).into())
        }
        [] => Ok(vec![
            FiguresPart::Experts,
            FiguresPart::Tasks,
            FiguresPart::Contested,
            FiguresPart::Bias,
            FiguresPart::System,
        ]),
        parts => Ok(parts.to_vec()),
    }
}

fn method(
    profile: RlcfProfile,
    config: Option<&ParsedInput>,
    arguments: &FiguresArguments,
) -> Result<FigureMethod, CommandStop> {
    let settings = FigureSettings::from_profile(profile);
    let settings = match config {
        Some(config) => settings.with(&config.document)?,
        None => settings,
    };
    Ok(FigureMethod { settings, position: arguments.position, authority: arguments.authority })
}

fn report_unscored(unscored: &[UnscoredCredential], report: &mut RunReport) {
    for one in unscored {
        let (kind, value, user) = (&one.credential_type, &one.value, &one.user_id);
        let message = format!("{kind} `{value}` of user `{user}` counts 0: {}", one.reason);
        report.add(&Diagnostic::warning("rlcf::score", message));
    }
}

fn report_unresolved(unresolved: &BrokenReferences, report: &mut RunReport) {
    let counts = [
        (unresolved.responses, "responses", "task"),
        (unresolved.feedback_without_response, "feedback", "response"),
        (unresolved.feedback_without_user, "feedback", "user"),
        (unresolved.ratings, "ratings", "feedback"),
    ];
    for (count, what, missing) in counts.into_iter().filter(|(count, ..)| *count > 0) {
        let message = format!("{count} of the {what}: the {missing} is missing, so they do not count");
        report.add(&Diagnostic::warning("rlcf::reference", message));
    }
}

fn report_weightless(figures: &RlcfFigures<'_>, authority: AuthorityOf, report: &mut RunReport) {
    let reasons = figures.tasks.iter().filter_map(|one| one.aggregation.as_ref().err());
    let weightless = reasons.filter(|reason| **reason == NoConsensus::NoWeight).count();
    if weightless > 0 {
        let message = format!("{weightless} of the tasks: all who gave feedback have an authority of 0");
        let warning = Diagnostic::warning("rlcf::weight", message);
        report.add(&match authority {
            AuthorityOf::Stored => warning.with_help("compute the authority: `--authority computed`"),
            AuthorityOf::Computed => warning,
        });
    }
}

/// A part of the figures as one table, with the figures of all profiles.
fn table(part: FiguresPart, figures: &[(RlcfProfile, RlcfFigures<'_>)]) -> Option<FigureTable> {
    let tables = figures.iter().map(|(profile, figures)| (profile.name(), part.table(figures)));
    FigureTable::side_by_side(&tables.collect::<Vec<_>>())
}

/// Writes a table for each part, with an empty line between two.
fn write_each(
    parts: &[FiguresPart],
    figures: &[(RlcfProfile, RlcfFigures<'_>)],
    output: &mut ResultOutput,
    write: impl Fn(&FigureTable, &mut ResultOutput) -> io::Result<()>,
) -> io::Result<()> {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            writeln!(output)?;
        }
        if let Some(table) = table(*part, figures) {
            write(&table, output)?;
        }
    }
    Ok(())
}

fn to_json(parts: &[FiguresPart], figures: &[(RlcfProfile, RlcfFigures<'_>)]) -> Value {
    let by_profile = figures.iter().map(|(profile, figures)| {
        let parts: Value = parts.iter().map(|part| part.json(figures)).collect();
        (profile.name(), parts)
    });
    by_profile.collect()
}
