//! `evalgraph diff`: the differences between two files, by question, by record or by triple.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use crate::cli::arguments::{EndpointArguments, OutputArguments, ProcessorArguments};
use crate::cli::canonical_work::WorkArguments;
use crate::cli::diff_files::{FileComparisonKind, FilePair, is_of_system, open_all, paired};
use crate::cli::diff_found::{ComparedNames, DiffFormat, DifferenceReport, FolderDifferences};
use crate::cli::diff_report::FileDifferences;
use crate::cli::diff_triples::TripleComparer;
use crate::cli::line_painter::{LineStyler, difference};
use crate::cli::output::write_painted;
use crate::cli::{CommandAnswer, CommandStop, output_form, unless_failed};
use evalgraph_canonicalization::CanonicalizationOptions;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, SourceText};
use evalgraph_engine::input::input_options::{ReadingOptions, RunInputs};
use evalgraph_engine::load::dataset_document::DatasetDocument;
use evalgraph_engine::load::document::{Document, DocumentContent};
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::workspace::command_sources::sources;
use evalgraph_formats::checkpoint::comparison::{compare, fields};
use evalgraph_formats::checkpoint::model::Checkpoint;
use evalgraph_formats::records::comparison as records;
use evalgraph_sparql::SparqlServer;
use evalgraph_work::pool::in_pool;

const EXAMPLES: &str = "\
Examples:
  evalgraph diff old.jsonld new.jsonld
  evalgraph diff old.jsonld new.jsonld --ignore dateModified --format markdown
  evalgraph diff old/train.json new/train.json
  evalgraph diff old.jsonld new.jsonld --format rdf-patch
  evalgraph diff --by triple data.ttl data.nq && echo the same
  evalgraph diff checkpoint.jsonld --endpoint http://localhost:3030/ds

Two checkpoints are compared by question, whatever their dialects: text, answer, template, traits,
properties, dates, and the checkpoints' own metadata, each difference with both places. A question
is identified by its id, or else by its text. The order of questions, keywords and properties makes
no difference, nor do default values that one program writes and another leaves out.

Two files of records (train.json, Kwanzaa, RLCF, chat, results) are compared record by record, each value
as written: null differs from a missing value, `1` from `1.0`. A record is identified by its id, or
else by its text, by common values, or by its position. The order of keys makes no difference; a
different order of records or items is one difference, `order`.

With `--by triple`, and for all other files, each quad that only one input contains has a line: `-
quad` for the first, `+ quad` for the second. Formats, order and labels of blank nodes make no
difference. Blank nodes are matched by their quads, so a change to one of them does not affect the
others; they have the labels of the first input.

For two folders, files with the same path are compared if any of them contains records; otherwise
all triples of one folder are compared with all triples of the other.

An RDF patch turns the graph of the first file, as loaded, into that of the second. Differences
between records that are not in the graphs are reported.

The exit status is 0 if both are the same, 1 if they differ, 2 if they cannot be compared.";

/// The arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DiffArguments {
    /// File, folder, glob, or `-` for stdin
    pub(super) a: String,
    /// What to compare it with
    #[arg(required_unless_present = "endpoint")]
    pub(super) b: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// What to compare (default: by the kind of files)
    ///
    /// By default questions of two checkpoints, records of two files of records, triples of anything else
    #[arg(long, value_name = "UNIT")]
    by: Option<ComparisonUnit>,
    /// Ignore a field, e.g. dateModified; can be repeated
    ///
    /// The name of a field, property or key
    #[arg(long, value_name = "FIELD")]
    ignore: Vec<String>,
    /// Form of the result (default: by name of -o, else text)
    #[arg(long, value_name = "FORM")]
    format: Option<DiffFormat>,
    #[command(flatten)]
    limit: WorkArguments,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    processor: ProcessorArguments,
}

/// The unit of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ComparisonUnit {
    /// Questions of two checkpoints
    Question,
    /// Records of two files
    Record,
    /// Triples, and quads of named graphs
    Triple,
}

/// Runs `diff`.
pub(super) fn run(arguments: &DiffArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.reading.strictness);
    let path = arguments.output.output.as_deref();
    let format = output_form::DIFF.value(path, arguments.format, report)?.unwrap_or(DiffFormat::Text);
    let others = [("B", arguments.b.is_some())];
    let server = arguments.endpoint.open(&arguments.processor.iris.net, &others, report)?;
    let b = match (&server, &arguments.b) {
        (Some(server), _) => server.place().trim_matches('`').to_owned(),
        (None, b) => b.clone().unwrap_or_default(),
    };
    if arguments.a == "-" && b == "-" {
        return Err(
            Diagnostic::error("input::stdin", "`-` is given twice, but stdin can be read only once").into()
        );
    }
    let session = arguments.processor.session(&arguments.reading)?;
    // For triples only the graph counts. JSON of an unknown format has nothing in a graph.
    let session =
        if arguments.by == Some(ComparisonUnit::Triple) { session } else { session.taking_unknown() };
    let (mut part_a, mut part_b) = (report.part(), report.part());
    let open_a = || open_all(&arguments.a, &session, &mut part_a);
    let open_b = || match &server {
        Some(server) => open_server(server, &arguments.reading, &session, &mut part_b),
        None => Ok(open_all(&b, &session, &mut part_b)),
    };
    let (a, opened_b) = in_pool(|| rayon::join(open_a, open_b));
    report.absorb(part_a);
    report.absorb(part_b);
    unless_failed(report)?;
    let pairs = paired(&arguments.a, a, &b, opened_b?);
    let input = RunInputs {
        inputs: vec![arguments.a.clone(), b.clone()],
        reading: arguments.reading.0.clone(),
        ..RunInputs::default()
    };
    let options = CanonicalizationOptions {
        work_limit: arguments.limit.max_work,
        ..CanonicalizationOptions::default()
    };
    let triples = TripleComparer { session: &session, input: &input, options };
    let has_server = server.is_some();
    let mut differ = DiffRun { arguments, b: &b, has_server, format, triples, known: BTreeSet::new() };
    let (text, is_same) = differ.compare(&pairs, report)?;
    let look: Option<LineStyler> = (format == DiffFormat::Text).then_some(difference);
    write_painted(path, look, |output| output.write_all(text.as_bytes()))?;
    Ok(if is_same { CommandAnswer::Yes } else { CommandAnswer::No })
}

/// Opens the graphs of a server.
fn open_server(
    server: &Arc<dyn SparqlServer>,
    reading: &ReadingOptions,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<Vec<Document>, RunFailure> {
    let input =
        RunInputs { endpoint: Some(Arc::clone(server)), reading: reading.clone(), ..RunInputs::default() };
    Ok(sources(&input, report)?
        .iter()
        .filter_map(|source| Document::read(source, session, report).ok())
        .collect())
}

/// Returns the error for a field of `--ignore` that occurs on neither side.
fn no_field(field: &str, known: &BTreeSet<String>) -> Diagnostic {
    let message = format!("neither side has a field, property or key `{field}` to ignore");
    let fault = Diagnostic::error("diff::ignore", message);
    match nearest(field, known.iter().map(String::as_str)) {
        Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
        None => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            fault.with_help(format!("there are `{}`", known.join("`, `")))
        }
    }
}

struct DiffRun<'a> {
    arguments: &'a DiffArguments,
    /// The second side, as messages name it.
    b: &'a str,
    /// `true` if that is a server, whose graphs are as they were loaded.
    has_server: bool,
    format: DiffFormat,
    triples: TripleComparer<'a>,
    /// The fields that `--ignore` may name. They come from all compared pairs, since one pair may lack a field of
    /// another.
    known: BTreeSet<String>,
}

impl DiffRun<'_> {
    fn names(&self) -> ComparedNames<'_> {
        ComparedNames { a: &self.arguments.a, b: self.b }
    }

    /// Returns the differences in the form of `--format`, and `true` if there are none.
    fn compare(&mut self, pairs: &[FilePair], report: &mut RunReport) -> Result<(String, bool), CommandStop> {
        let by = self.arguments.by;
        if self.format == DiffFormat::RdfPatch {
            self.refuse_ignored()?;
            let (difference, mut has_more) = self.triples.patch(pairs, self.names(), report)?;
            if difference.is_empty() {
                has_more |= self.questions_differ(pairs, report)?;
            }
            return Ok((difference.to_rdf_patch(), difference.is_empty() && !has_more));
        }
        let found = match pairs {
            [pair @ FilePair { before: Some(_), after: Some(_) }] => self.pair(pair, report)?,
            _ if by == Some(ComparisonUnit::Question) => return Err(not_by(ComparisonUnit::Question)),
            _ if by.is_none() && pairs.iter().any(FilePair::has_records)
                || by == Some(ComparisonUnit::Record) =>
            {
                Box::new(self.files(pairs, report)?)
            }
            _ => self.all_triples(pairs, report)?,
        };
        match self.arguments.ignore.iter().find(|field| !self.known.contains(*field)) {
            Some(field) => Err(no_field(field, &self.known).into()),
            None => Ok((found.written(self.format, self.names()), found.is_empty())),
        }
    }

    fn pair<'d>(
        &mut self,
        pair: &'d FilePair,
        report: &mut RunReport,
    ) -> Result<Box<dyn DifferenceReport + 'd>, CommandStop> {
        let sort = pair.sort();
        let unit = self.arguments.by.unwrap_or(match sort {
            FileComparisonKind::Checkpoint => ComparisonUnit::Question,
            // With a context from the command line, records have a meaning as RDF, and are compared by triple.
            FileComparisonKind::Records if !self.triples.session.has_context() => ComparisonUnit::Record,
            FileComparisonKind::Records | FileComparisonKind::Other => ComparisonUnit::Triple,
        });
        match (unit, &pair.before, &pair.after) {
            (ComparisonUnit::Question, Some(before), Some(after)) => {
                let found = self.by_questions(before, after, report)?;
                let is_told = !found.is_empty() || !self.arguments.ignore.is_empty();
                let by_default = self.arguments.by.is_none();
                if is_told || !by_default || !is_rewritten(before, after) {
                    report.add_all(&of_two_dialects(before, after).filter(|_| found.is_empty()));
                    return Ok(Box::new(found));
                }
                // Other parts of the checkpoints may differ even if the questions are the same.
                let others = self.graphs(pair, report)?;
                Ok(if others.is_empty() { Box::new(found) } else { others })
            }
            (ComparisonUnit::Record, Some(_), Some(_)) => self.by_records(pair, report),
            _ => self.graphs(pair, report),
        }
    }

    /// Compares the triples that the specification yields. If these are the same, compares the triples as loaded, which
    /// keep ids that the specification drops.
    fn graphs(
        &self,
        pair: &FilePair,
        report: &mut RunReport,
    ) -> Result<Box<dyn DifferenceReport>, CommandStop> {
        let pair = std::slice::from_ref(pair);
        let found = self.all_triples(pair, report)?;
        if !found.is_empty() || self.arguments.by.is_some() || report.cost() == 0 {
            return Ok(found);
        }
        let (loaded, _) = self.triples.patch(pair, self.names(), report)?;
        Ok(if loaded.is_empty() { found } else { Box::new(loaded) })
    }

    fn by_questions<'d>(
        &mut self,
        before: &'d DatasetDocument,
        after: &'d DatasetDocument,
        report: &mut RunReport,
    ) -> Result<FileDifferences<'d>, CommandStop> {
        let (DocumentContent::Json { file: a, .. }, DocumentContent::Json { file: b, .. }) =
            (&before.opened.content, &after.opened.content)
        else {
            return Err(not_by(ComparisonUnit::Question));
        };
        let (before, after) = in_pool(|| rayon::join(|| Checkpoint::read(a), || Checkpoint::read(b)));
        let (before, after) = (before?, after?);
        let findings = before.findings.iter().chain(&after.findings);
        report.add_all(findings.clone());
        if report.has_failed()
            || findings.into_iter().any(|finding| finding.severity == FindingSeverity::Error)
        {
            return Err(RunFailure::Reported.into());
        }
        if !self.arguments.ignore.is_empty() {
            let fields = fields(&before.checkpoint, &after.checkpoint);
            self.known.extend(fields.into_iter().map(str::to_owned));
        }
        let comparison = compare(&before.checkpoint, &after.checkpoint, &self.arguments.ignore);
        Ok(FileDifferences::of_questions(comparison))
    }

    fn by_records<'d>(
        &mut self,
        pair: &'d FilePair,
        report: &mut RunReport,
    ) -> Result<Box<dyn DifferenceReport + 'd>, CommandStop> {
        let (before, after) = pair.records().ok_or_else(|| not_by(ComparisonUnit::Record))?;
        report.add_all(&of_no_system(pair));
        if !self.arguments.ignore.is_empty() {
            self.known.extend(records::fields(before, after).into_iter().map(str::to_owned));
        }
        Ok(Box::new(FileDifferences::of_records(records::compare(before, after, &self.arguments.ignore))))
    }

    fn all_triples(
        &self,
        pairs: &[FilePair],
        report: &mut RunReport,
    ) -> Result<Box<dyn DifferenceReport>, CommandStop> {
        self.refuse_ignored()?;
        Ok(Box::new(match self.has_server {
            true => self.triples.patch(pairs, self.names(), report)?.0,
            false => self.triples.difference(pairs, self.names(), report)?,
        }))
    }

    /// Returns whether checkpoints differ although their graphs are the same, and reports it.
    fn questions_differ(&mut self, pairs: &[FilePair], report: &mut RunReport) -> Result<bool, CommandStop> {
        for pair in pairs.iter().filter(|pair| pair.sort() == FileComparisonKind::Checkpoint) {
            let (Some(before), Some(after)) = (&pair.before, &pair.after) else { continue };
            // Two dialects may write the same facts differently, and faults of questions do not concern a graph.
            let mut part = report.part();
            if is_rewritten(before, after)
                && let Ok(found) = self.by_questions(before, after, &mut part)
                && !found.is_empty()
            {
                let message = "the files differ by question, but their graphs do not: the patch is empty";
                let place = SourceText::new(after.opened.origin.name.as_str(), b"").place(0..0);
                report.add(&Diagnostic::warning("diff::not-in-graph", message).at(place));
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn refuse_ignored(&self) -> Result<(), CommandStop> {
        if self.arguments.ignore.is_empty() {
            return Ok(());
        }
        let message = "`--ignore` is for fields of questions and records, but this compares triples";
        Err(Diagnostic::error("diff::ignore", message).into())
    }

    /// Compares file by file. Returns the files that both sides have, and those that only one side has.
    fn files<'d>(
        &mut self,
        pairs: &'d [FilePair],
        report: &mut RunReport,
    ) -> Result<FolderDifferences<'d>, CommandStop> {
        let mut files = FolderDifferences::default();
        for pair in pairs {
            let name = |named: &DatasetDocument| named.opened.origin.name.clone();
            match (&pair.before, &pair.after) {
                (Some(before), Some(after)) => {
                    let found = self.pair(pair, report)?;
                    files.both.push((name(before), name(after), found));
                }
                (Some(before), None) => files.removed.push(name(before)),
                (None, Some(after)) => files.added.push(name(after)),
                (None, None) => {}
            }
        }
        Ok(files)
    }
}

/// Returns whether two checkpoints have the same dialect but different texts.
fn is_rewritten(before: &DatasetDocument, after: &DatasetDocument) -> bool {
    match (&before.opened.content, &after.opened.content) {
        (
            DocumentContent::Json { file: a, detection: of_a, .. },
            DocumentContent::Json { file: b, detection: of_b, .. },
        ) => of_a.dialect == of_b.dialect && a.text() != b.text(),
        _ => false,
    }
}

/// A note on checkpoints that differ only in their dialect.
fn of_two_dialects(before: &DatasetDocument, after: &DatasetDocument) -> Option<Diagnostic> {
    let dialect = |named: &DatasetDocument| match &named.opened.content {
        DocumentContent::Json { detection, .. } => Some(detection.dialect),
        _ => None,
    };
    let (before, other) = (dialect(before)?, dialect(after)?);
    let message = format!(
        "the questions are the same, but the dialects {before} and {other} write the rest of the file \
         differently"
    );
    let note =
        Diagnostic::new(FindingSeverity::Note, "diff::dialects", message).with_help("add `--by triple`");
    (before != other).then(|| note.at(SourceText::new(after.opened.origin.name.as_str(), b"").place(0..0)))
}

/// Returns a note if one file belongs to a system and the other does not.
fn of_no_system(pair: &FilePair) -> Option<Diagnostic> {
    let (before, after) = (pair.before.as_ref()?, pair.after.as_ref()?);
    let (lone, known) = match (is_of_system(before), is_of_system(after)) {
        (true, false) => (after, before),
        (false, true) => (before, after),
        _ => return None,
    };
    let message = format!(
        "not a file of a known system; its values are compared with those of `{}`, which is {}",
        known.opened.origin.name,
        known.kind()
    );
    let note = Diagnostic::new(FindingSeverity::Note, "diff::no-system", message);
    Some(note.at(SourceText::new(lone.opened.origin.name.as_str(), b"").place(0..0)))
}

/// Returns the error for a unit that does not fit the files.
fn not_by(unit: ComparisonUnit) -> CommandStop {
    let (code, message) = match unit {
        ComparisonUnit::Record => ("diff::record", "a comparison by record needs two files of records"),
        _ => ("diff::question", "a comparison by question needs two checkpoints, each a single JSON file"),
    };
    Diagnostic::error(code, message).with_help("add `--by triple`").into()
}
