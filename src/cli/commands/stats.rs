//! `evalgraph stats`: the kind and contents of each file.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::path::Path;

use clap::Args;
use serde_json::{Value, json};

use crate::cli::arguments::{EndpointArguments, OutputArguments, size};
use crate::cli::drawn_chart::{DrawnChart, write_picture};
use crate::cli::line_painter::{LineStyler, facts};
use crate::cli::output::{write_facts, write_json, write_painted, write_text};
use crate::cli::output_form::ListForm;
use crate::cli::render::triples;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::{Diagnostic, RunReport, SourceText, thousands};
use evalgraph_engine::api::statistics::{FileStatistics, statistics};
use evalgraph_engine::drawing::chart_number::ChartBar;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::document::{Document, DocumentContent};
use evalgraph_engine::load::load_purpose::{LoadPurpose, load};
use evalgraph_engine::load::read_session::{LoadOptions, ReadSession};
use evalgraph_engine::workspace::command_sources::sources;
use evalgraph_formats::checkpoint::TraitKind;
use evalgraph_formats::checkpoint::checkpoint_figures::CheckpointFigures;
use evalgraph_formats::counted_list::DatasetReport;
use evalgraph_formats::registry::dataset_report;

const EXAMPLES: &str = "\
Examples:
  evalgraph stats checkpoint.jsonld
  evalgraph stats 'runs/**/*.jsonld' --format json
  evalgraph stats unknown.jsonld --explain
  evalgraph stats checkpoints/ -o questions.svg
  evalgraph stats --endpoint http://localhost:3030/ds
  evalgraph stats data/training/*.json --report -o report.md";

/// The arguments of `stats`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct StatsArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// Say which mark decided the dialect of each file
    #[arg(long)]
    explain: bool,
    /// Form of the figures (default: by name of -o, else table)
    #[arg(long, value_name = "FORM")]
    format: Option<ListForm>,
    /// Draw the questions of each file: an SVG, or a PNG with -o
    ///
    /// If no file has questions, their quads are drawn
    #[arg(long, value_name = "KIND", conflicts_with_all = ["explain", "format", "report"])]
    chart: Option<DrawnChart>,
    /// Write a report on Kwanzaa's datasets, in Markdown
    ///
    /// Samples by kind, quality, principles, and what the rules of every profile find
    #[arg(long, conflicts_with_all = ["explain", "format"])]
    report: bool,
    /// Read files of records in pieces of that many bytes, even small files; the figures are the same
    #[arg(long, value_name = "SIZE", value_parser = size, hide = true)]
    in_pieces_of: Option<u64>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

/// Runs `stats`.
pub(super) fn run(arguments: &StatsArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let input = arguments.endpoint.instead_of(&arguments.input, &arguments.loading.iris.net, &[], report)?;
    if arguments.report {
        output_form::STATS_REPORT.check(path, report)?;
        return write_report(&input, &arguments.loading, path, report);
    }
    if arguments.chart.is_some() {
        output_form::STATS_CHART.check(path, report)?;
    }
    let is_drawn = arguments.chart.is_some() || path.is_some_and(|path| output_form::STATS_CHART.has(path));
    let form = output_form::STATS.value(path, arguments.format, report)?.unwrap_or(ListForm::Table);
    let wanted = LoadPurpose::Figures { in_pieces_of: arguments.in_pieces_of };
    let loaded = load(sources(&input, report)?, &input, &arguments.loading, wanted, report)?;
    let files = statistics(loaded.into_iter().map(|(file, _)| file).collect(), report);
    if is_drawn {
        let chart = arguments.chart.unwrap_or(DrawnChart::Bar);
        let (title, bars) = bars(&files);
        write_picture(&chart.draw(title, &bars), path)?;
        return Ok(CommandAnswer::Yes);
    }
    let explain = arguments.explain;
    let look: Option<LineStyler> = (form == ListForm::Table).then_some(facts);
    write_painted(path, look, |output| match form {
        ListForm::Table => write_facts(files.iter().map(|file| (&*file.name, rows(file, explain))), output),
        ListForm::Json => write_json(&files.iter().map(|file| to_json(file, explain)).collect(), output),
    })?;
    Ok(CommandAnswer::Yes)
}

/// The number of questions of each file, or of quads if no file has questions, with a title.
fn bars(files: &[FileStatistics]) -> (&'static str, Vec<ChartBar>) {
    let questions = |file: &FileStatistics| {
        let is_count = |key: &str| ["questions", "samples", "rows", "tasks", "conversations"].contains(&key);
        let figures = file.figures.as_ref().map(|figures| figures.questions as f64);
        let mut facts = file.facts.iter().flatten();
        figures.or_else(|| facts.find(|fact| is_count(fact.key))?.value.as_f64())
    };
    let has_questions = files.iter().any(|file| questions(file).is_some());
    let bars = files.iter().map(|file| {
        let value = if has_questions { questions(file).unwrap_or(0.0) } else { file.quads as f64 };
        ChartBar { label: file.name.clone(), value }
    });
    (if has_questions { "Questions by file" } else { "Quads by file" }, bars.collect())
}

fn rows(file: &FileStatistics, explain: bool) -> Vec<(&str, String)> {
    let mut rows = match (&file.figures, &file.facts) {
        (Some(figures), _) => figures.rows(),
        (None, Some(facts)) => facts.iter().map(|fact| (fact.label.as_str(), fact.shown.clone())).collect(),
        (None, None) => vec![("format", file.format.title().to_owned())],
    };
    if let Some(why) = file.why.clone().filter(|_| explain) {
        rows.insert(1, ("decided by", why));
    }
    if explain && let Some(detection) = &file.detection {
        rows.insert(1, ("decided by", detection.explain()));
    }
    rows.push(("dataset", file.dataset.clone()));
    rows.push(("quads", thousands(file.quads)));
    let lost = match file.lost {
        0 => String::new(),
        lost => format!(", {} lost", triples(lost)),
    };
    rows.push(("warnings", format!("{}{lost}", thousands(file.warnings))));
    rows
}

fn to_json(file: &FileStatistics, explain: bool) -> Value {
    let mut object = json!({
        "file": file.name,
        "format": file.format.name(),
        "dataset": file.dataset,
        "quads": file.quads,
        "warnings": file.warnings,
        "lost": file.lost,
    });
    if let Some(figures) = &file.figures {
        add_figures(&mut object, figures);
    }
    for fact in file.facts.iter().flatten() {
        object[fact.key] = fact.value.clone();
    }
    if let Some(why) = file.why.as_ref().filter(|_| explain) {
        object["decidedBy"] = json!(why);
    }
    if explain && let Some(detection) = &file.detection {
        object["decidedBy"] = json!(detection.explain());
    }
    object
}

fn add_figures(object: &mut Value, figures: &CheckpointFigures) {
    object["dialect"] = json!(figures.dialect.id());
    object["name"] = json!(figures.name);
    object["version"] = json!(figures.version);
    object["id"] = json!(figures.id);
    object["dateCreated"] = json!(figures.date_created);
    object["dateModified"] = json!(figures.date_modified);
    if !figures.dialect.has_questions() {
        return;
    }
    object["questions"] = json!(figures.questions);
    object["finished"] = json!(figures.finished);
    object["answers"] = json!(figures.answers);
    object["templates"] = json!(figures.templates);
    object["stubs"] = json!(figures.stubs);
    object["globalTraits"] = traits(&figures.global_traits);
    object["questionTraits"] = traits(&figures.question_traits);
    object["ratings"] = json!(figures.ratings);
    object["ratingValues"] = json!(figures.rating_values);
    object["keywords"] = json!(figures.keywords);
    object["scenarios"] = json!(figures.scenarios);
}

fn traits(counts: &[u64]) -> Value {
    let named = TraitKind::ALL.iter().zip(counts);
    named
        .map(|(kind, count)| (kind.name().to_owned(), json!(count)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Writes one report on the contents of datasets and on the results of their rules.
fn write_report(
    input: &RunInputs,
    loading: &LoadOptions,
    path: Option<&Path>,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let session = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading)?;
    let Some(mut collected) = dataset_report() else { return Ok(CommandAnswer::No) };
    for source in sources(input, report)? {
        let Ok(opened) = Document::read(&source, &session, report) else { continue };
        if let Err(fault) = add_dataset(&opened, &mut *collected) {
            report.add(&fault);
        }
    }
    input.check(report)?;
    write_text(&collected.to_markdown(), path)?;
    Ok(CommandAnswer::Yes)
}

fn add_dataset(opened: &Document, collected: &mut dyn DatasetReport) -> Result<(), Box<Diagnostic>> {
    let place = match &opened.content {
        DocumentContent::Records { file, .. } if collected.takes(file) => {
            collected.add(file);
            return Ok(());
        }
        DocumentContent::Records { file, .. } | DocumentContent::Json { file, .. } => file.place(file.root()),
        _ => SourceText::new(opened.origin.name.as_str(), b"").place(0..0),
    };
    let message = "not a Kwanzaa dataset, and reports are made only from these";
    let fault = Diagnostic::error("stats::report", message).at(place);
    Err(Box::new(fault.with_help("`evalgraph stats` without `--report` takes every format")))
}
