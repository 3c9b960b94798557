//! `evalgraph agreement`: how far judges agree on what they all rated.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::arguments::OutputArguments;
use crate::cli::arguments::option_groups::GroupedOptions;
use crate::cli::line_painter::{LineStyler, titled_tables};
use crate::cli::output::{terminal_width, write_json, write_painted};
use crate::cli::side_by_side::{FigureCell, FigureTable};
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_engine::api::{AspectAgreement, JudgePair, LoadedData, Loader};
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::load_purpose::LoadPurpose;
use evalgraph_engine::load::read_session::LoadOptions;
use evalgraph_statistics::AgreementFigures;

const EXAMPLES: &str = "\
Examples:
  evalgraph agreement feedback.json
  evalgraph agreement results-of-gpt.json results-of-claude.json --aspect verify_result
  evalgraph agreement feedback.json --format json -o agreement.json

Judges are people, models and metrics whose ratings the named query `ratings` lists, and the models
that read the answers of others (aspect `verify_result`).

Cohen's kappa compares two judges, Fleiss' kappa all judges of the things that most of them rated,
Krippendorff's alpha all judges of all things, for ratings that are only equal or different
(nominal), that have an order (ordinal), or whose differences have a meaning (interval). 1 is full
agreement, 0 is chance. `-` is not defined: all gave one value, or the values are not numbers.
`agree` is the share of equal pairs, `chance` the share that chance would give.";

/// The arguments of `agreement`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AgreementArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    /// Only this aspect; can be repeated
    #[arg(long, value_name = "NAME")]
    aspect: Vec<String>,
    /// Form of the figures (default: by name of -o, else text)
    #[arg(long, value_name = "FORM")]
    format: Option<AgreementForm>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AgreementForm {
    /// Tables for a person
    Text,
    /// All figures with all digits
    Json,
    /// Tables for a paper or a README
    #[value(alias = "md")]
    Markdown,
}

/// Runs `agreement`.
pub(super) fn run(
    arguments: &AgreementArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let form = output_form::AGREEMENT.value(path, arguments.format, report)?.unwrap_or(AgreementForm::Text);
    report.set_strictness(arguments.input.reading.strictness);
    let loader = Loader::from_options(&arguments.input, &arguments.loading);
    let loaded = LoadedData::read(&loader, LoadPurpose::Quads, report)?;
    let mut found = loaded.agreement().map_err(|error| {
        report.absorb(error.into_report());
        RunFailure::Reported
    })?;
    check_aspects(&arguments.aspect, &found)?;
    if !arguments.aspect.is_empty() {
        found.retain(|aspect| arguments.aspect.contains(&aspect.aspect));
    }
    if found.is_empty() {
        let message = "no two judges have rated the same thing";
        let help = "name files with the ratings of several people or models; `evalgraph query FILE -n ratings` \
                    lists ratings";
        return Err(Diagnostic::error("agreement::judges", message).with_help(help).into());
    }
    let look: Option<LineStyler> = (form == AgreementForm::Text).then_some(titled_tables);
    let width = terminal_width().filter(|_| path.is_none());
    write_painted(path, look, |output| match form {
        AgreementForm::Text => write_each(&found, output, |table, output| table.write_text(width, output)),
        AgreementForm::Markdown => write_each(&found, output, |table, output| table.write_markdown(output)),
        AgreementForm::Json => write_json(&found.iter().map(to_json).collect(), output),
    })?;
    Ok(CommandAnswer::Yes)
}

/// Checks that judges have rated the aspects that the user named.
fn check_aspects(named: &[String], found: &[AspectAgreement]) -> Result<(), CommandStop> {
    for name in named {
        if found.iter().any(|aspect| aspect.aspect == *name) {
            continue;
        }
        let message = format!("no two judges have rated `{name}` of the same thing");
        let fault = Diagnostic::error("agreement::judges", message);
        let names: Vec<&str> = found.iter().map(|aspect| aspect.aspect.as_str()).collect();
        let help = match nearest(name, names.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("they have rated {}", names.join(", ")),
        };
        return Err(fault.with_help(help).into());
    }
    Ok(())
}

fn write_each<W: Write>(
    found: &[AspectAgreement],
    output: &mut W,
    write: impl Fn(&FigureTable, &mut W) -> io::Result<()>,
) -> io::Result<()> {
    write(&aspects_table(found), output)?;
    let pairs = pairs_table(found);
    if pairs.rows.is_empty() {
        return Ok(());
    }
    writeln!(output)?;
    write(&pairs, output)
}

fn coefficient(figures: Option<&AgreementFigures>) -> FigureCell {
    figures.and_then(|figures| figures.coefficient).map_or(FigureCell::Absent, FigureCell::Number)
}

fn aspects_table(found: &[AspectAgreement]) -> FigureTable {
    FigureTable::from_things(
        "Agreement of all judges",
        1,
        found,
        &[
            ("aspect", |aspect: &AspectAgreement| FigureCell::Text(aspect.aspect.clone())),
            ("judges", |aspect| FigureCell::Count(aspect.judges.len())),
            ("things", |aspect| FigureCell::Count(aspect.units)),
            ("ratings", |aspect| FigureCell::Count(aspect.ratings)),
            ("agree", |aspect| {
                aspect
                    .nominal
                    .as_ref()
                    .map_or(FigureCell::Absent, |found| FigureCell::Number(found.exact_agreement))
            }),
            ("Fleiss", |aspect| coefficient(aspect.fleiss.as_ref())),
            ("alpha nominal", |aspect| coefficient(aspect.nominal.as_ref())),
            ("alpha ordinal", |aspect| coefficient(aspect.ordinal.as_ref())),
            ("alpha interval", |aspect| coefficient(aspect.interval.as_ref())),
        ],
    )
}

/// Two judges of an aspect.
struct AspectPair<'a> {
    aspect: &'a str,
    pair: &'a JudgePair,
}

fn pairs_table(found: &[AspectAgreement]) -> FigureTable {
    let pairs: Vec<AspectPair<'_>> = found
        .iter()
        .flat_map(|aspect| aspect.pairs.iter().map(|pair| AspectPair { aspect: &aspect.aspect, pair }))
        .collect();
    FigureTable::from_things(
        "Agreement of two judges",
        3,
        &pairs,
        &[
            ("aspect", |row: &AspectPair<'_>| FigureCell::Text(row.aspect.to_owned())),
            ("judge", |row| FigureCell::Text(row.pair.first.clone())),
            ("other judge", |row| FigureCell::Text(row.pair.second.clone())),
            ("things", |row| FigureCell::Count(row.pair.figures.units)),
            ("agree", |row| FigureCell::Number(row.pair.figures.observed_agreement)),
            ("chance", |row| FigureCell::Number(row.pair.figures.expected_agreement)),
            ("Cohen", |row| coefficient(Some(&row.pair.figures))),
        ],
    )
}

fn to_json(aspect: &AspectAgreement) -> Value {
    let figures = |figures: Option<&AgreementFigures>| {
        figures.map(|figures| {
            let rates = figures.base_rates.iter();
            json!({
                "coefficient": figures.coefficient,
                "observed": figures.observed_agreement,
                "expected": figures.expected_agreement,
                "units": figures.units,
                "ratings": figures.ratings,
                "baseRates": rates.map(|rate| json!({ "value": rate.rating, "share": rate.share })).collect::<Vec<_>>(),
            })
        })
    };
    let pairs = aspect.pairs.iter().map(
        |pair| json!({ "first": pair.first, "second": pair.second, "cohen": figures(Some(&pair.figures)) }),
    );
    json!({
        "aspect": aspect.aspect,
        "judges": aspect.judges,
        "things": aspect.units,
        "ratings": aspect.ratings,
        "fleiss": figures(aspect.fleiss.as_ref()),
        "nominal": figures(aspect.nominal.as_ref()),
        "ordinal": figures(aspect.ordinal.as_ref()),
        "interval": figures(aspect.interval.as_ref()),
        "pairs": pairs.collect::<Vec<_>>(),
    })
}
