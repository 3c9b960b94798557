//! Reads files with results of models into a [`RunTable`]. Large files are read in pieces, so memory holds only what a
//! comparison needs.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::run_table::{NameNumber, ResultPlace, RunTable};
use crate::input::guard::SecretGuard;
use crate::input::source::InputSource;
use crate::load::document::{Document, DocumentContent};
use crate::load::large_records::LargeRecords;
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, ReportedResult, RunReport, SourceText};
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::runs::{RunFacts, RunReader};
use evalgraph_json::{JsonDocument, RecordReader};
use evalgraph_work::pool::on_all_cores;

/// Reads the results of all sources. A file without results is an error if the user named it, and otherwise a note.
///
/// Files of one run in one folder complete each other: what one of them says about the model, the task and the metrics
/// holds for the results in the others.
pub fn read_runs(
    sources: Vec<ArgumentSource>,
    arguments: usize,
    session: &ReadSession,
    report: &mut RunReport,
) -> ReadRuns {
    let read = on_all_cores(sources, report, |ArgumentSource { argument, source }, part| {
        let mut file = RunFile::new(&source);
        file.read(&source, session, part).ok().map(|()| (argument, file))
    });
    let mut runs = ReadRuns { table: RunTable::default(), arguments: vec![0..0; arguments] };
    let mut facts = Vec::new();
    for (argument, file) in read {
        let first = runs.table.results.len();
        facts.push(RunFileFacts { folder: file.folder, facts: file.facts, first });
        runs.table.absorb(file.table);
        let results = &mut runs.arguments[argument];
        let begin = if results.start == results.end { first } else { results.start };
        *results = begin..runs.table.results.len();
    }
    complete(&mut runs.table, &facts);
    join_parts(&mut runs.table, &facts);
    runs.table.describe_scores();
    runs
}

/// A source, with the index of the argument that names it. The sources of one argument follow each other.
#[derive(Debug)]
pub struct ArgumentSource {
    /// The index of the argument.
    pub argument: usize,
    /// The source.
    pub source: InputSource,
}

/// The results of all sources, and which of them belong to each argument.
#[derive(Debug)]
pub struct ReadRuns {
    /// The results.
    pub table: RunTable,
    /// The results of each argument, by their indices in the table.
    pub arguments: Vec<Range<usize>>,
}

/// The results of one file.
struct RunFile {
    folder: Option<PathBuf>,
    table: RunTable,
    facts: RunFacts,
}

impl RunFile {
    fn new(source: &InputSource) -> Self {
        let folder = source.path().and_then(Path::parent).map(Path::to_owned);
        Self { folder, table: RunTable::default(), facts: RunFacts::default() }
    }

    fn read(
        &mut self,
        source: &InputSource,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> ReportedResult<()> {
        let document = Document::read(source, session, report)?;
        let name: Arc<str> = document.origin.name.as_str().into();
        self.table.files.push(Arc::clone(&name));
        let reader = match &document.content {
            DocumentContent::Records { recognised, .. } => reader_of(recognised),
            DocumentContent::Large(large) => reader_of(&large.found.recognised),
            DocumentContent::Json { .. }
            | DocumentContent::LargeCheckpoint(_)
            | DocumentContent::Other(_) => None,
        };
        let Some(reader) = reader else {
            let is_found = source.path().is_some_and(|path| session.reading.found.leaves_out(path));
            let fault = without_results(&name, &document, is_found);
            return if is_found {
                report.add(&fault);
                Ok(())
            } else {
                Err(report.reported([&fault]))
            };
        };
        match document.content {
            DocumentContent::Records { file, .. } => self.add(&file, 0, &*reader),
            DocumentContent::Large(large) => self.read_in_pieces(*large, &*reader, session, report)?,
            _ => {}
        }
        self.table.push_metrics(&self.facts);
        Ok(())
    }

    fn read_in_pieces(
        &mut self,
        mut large: LargeRecords,
        reader: &dyn RunReader,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> ReportedResult<()> {
        let begun = report.ok_or_report(large.begin())?;
        let found = &large.found;
        let name = begun.origin.name.clone();
        let limits = session.reading.limits;
        let mut records =
            RecordReader::new(begun.into_bytes(), name.as_str(), found.layout.records_in(), limits);
        while let Some(batch) = records.next() {
            let guard = SecretGuard::from_bytes(records.pending());
            let mut batch = report.ok_or_report(guard.checked(batch))?;
            hide_secrets(&mut batch.document, report);
            report.ok_or_report(found.check_kind(&batch.document))?;
            let first = batch.first;
            let document = report.ok_or_report(batch.into_file())?;
            self.add(&document, first, reader);
        }
        report.ok_or_report(session.check_found(found, &name, &records))?;
        if let Some(mut frame) = report.ok_or_report(records.frame())? {
            hide_secrets(&mut frame, report);
            self.add(&frame, 0, reader);
        }
        Ok(())
    }

    /// Adds the results of a document, which may be a piece of the file. `first` is the index of its first record.
    fn add(&mut self, document: &JsonDocument, first: u64, reader: &dyn RunReader) {
        let source = document.source_text();
        let table = &mut self.table;
        reader.results(document, &mut |mut result| {
            result.position = result.position.map(|position| position + first);
            let place = source.place(document.marked(result.at));
            let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
            let place = ResultPlace { file: 0, line: number(place.line), column: number(place.column) };
            table.push(&result, place);
        });
        let RunFacts { run, model, task, metrics } = reader.facts(document);
        let facts = &mut self.facts;
        facts.run = facts.run.take().or(run);
        facts.model = facts.model.take().or(model);
        facts.task = facts.task.take().or(task);
        facts.metrics.extend(metrics);
    }
}

fn hide_secrets(document: &mut JsonDocument, report: &mut RunReport) {
    SecretGuard::from_bytes(document.text().as_bytes()).hide_in_records(document, report);
}

fn reader_of(recognised: &RecognisedRecords) -> Option<Box<dyn RunReader>> {
    recognised.system.entry().run_reader(recognised)
}

/// The finding about a file without results.
fn without_results(name: &Arc<str>, document: &Document, is_found: bool) -> Diagnostic {
    let kind = match &document.content {
        DocumentContent::Records { recognised, .. } => format!("it has {}", recognised.dialect()),
        DocumentContent::Large(large) => format!("it has {}", large.found.recognised.dialect()),
        DocumentContent::Json { detection, .. } => detection.explain(),
        DocumentContent::LargeCheckpoint(_) => "it is a checkpoint".to_owned(),
        DocumentContent::Other(_) => format!("it is {}", document.format.title()),
    };
    let message = format!("the file has no results of models on samples: {kind}");
    let severity = if is_found { FindingSeverity::Note } else { FindingSeverity::Error };
    let whole = SourceText::new(Arc::clone(name), b"").place(0..0);
    let fault = Diagnostic::new(severity, "compare::results", message).at(whole);
    fault.with_help(help![
        "name files with results, such as logs of Inspect, samples of lm-eval or exports of verifications; to compare \
         what files say about questions: ",
        command("diff").with("A").with("B")
    ])
}

/// What a file says about its results.
struct RunFileFacts {
    folder: Option<PathBuf>,
    facts: RunFacts,
    /// The index of its first result.
    first: usize,
}

/// Gives results the model, the run and the task that their file, or another file of their run in the same folder, names.
fn complete(table: &mut RunTable, facts: &[RunFileFacts]) {
    let mut of_runs: HashMap<(Option<&Path>, &str), &RunFacts> = HashMap::new();
    for RunFileFacts { folder, facts, .. } in facts {
        if let Some(run) = facts.run.as_deref().filter(|_| facts.model.is_some()) {
            of_runs.entry((folder.as_deref(), run)).or_insert(facts);
        }
    }
    for (at, RunFileFacts { folder, facts: own, first }) in facts.iter().enumerate() {
        let end = facts.get(at + 1).map_or(table.results.len(), |next| next.first);
        let mut names = |text: Option<&String>| text.map(|text| table.name(text));
        let (own_run, own_model, own_task) =
            (names(own.run.as_ref()), names(own.model.as_ref()), names(own.task.as_ref()));
        let mut known: HashMap<NameNumber, [Option<NameNumber>; 2]> = HashMap::new();
        for result in *first..end {
            let held = &mut table.results[result];
            held.run = held.run.or(own_run);
            held.model = held.model.or(own_model);
            held.task = held.task.or(own_task);
            let Some(run) = held.run.filter(|_| held.model.is_none() || held.task.is_none()) else {
                continue;
            };
            let [model, task] = *known.entry(run).or_insert_with(|| {
                let other = of_runs.get(&(folder.as_deref(), table.text(run)));
                let names = other.map(|facts| [facts.model.clone(), facts.task.clone()]);
                names.unwrap_or_default().map(|text| text.map(|text| table.name(&text)))
            });
            let held = &mut table.results[result];
            held.model = held.model.or(model);
            held.task = held.task.or(task);
        }
    }
}

/// Joins results whose parts are in several files of one run: one has the scores, another the sample.
fn join_parts(table: &mut RunTable, facts: &[RunFileFacts]) {
    let folder_of = |result: usize| {
        let file = facts.partition_point(|file| file.first <= result);
        facts.get(file.wrapping_sub(1)).and_then(|file| file.folder.as_deref())
    };
    let mut with_sample = HashMap::new();
    for (at, result) in table.results.iter().enumerate() {
        if let Some(position) =
            result.position.filter(|_| result.sample.is_some() || result.question.is_some())
        {
            with_sample.entry((folder_of(at), result.run, position)).or_insert(at);
        }
    }
    let mut joined = Vec::new();
    for (at, result) in table.results.iter().enumerate() {
        let Some(position) = result.position.filter(|_| result.sample.is_none() && result.question.is_none())
        else {
            continue;
        };
        if let Some(&sample) = with_sample.get(&(folder_of(at), result.run, position)) {
            joined.push((at, sample));
        }
    }
    for (scores, sample) in joined {
        table.join(scores, sample);
    }
}
