//! Looks for findings in the background: rules and the check over the files of the data, on a thread of evaluations, and then to
//! which question each finding belongs.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::context::Context;
use super::data::Seen;
use super::findings::{Finding, Found, Looked, Progress};
use super::problem::Problem;
use crate::browse::belonging::{Beside, Parts, Placed};
use crate::browse::names::Names;
use crate::browse::questions::Questions;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::Findings;
use evalgraph_engine::validation::files::Checked;
use evalgraph_engine::validation::places::WantedInGraph;
use evalgraph_sparql::Cancellation;

/// Looking through all files may take so many times the time of a request.
const PATIENCE: u32 = 20;

/// The findings of a state; none while they are being looked for, which begins here at the first request.
///
/// # Errors
///
/// The reason why looking for them has failed.
pub(super) fn findings(context: &Arc<Context>, seen: &Seen) -> Result<Option<Arc<Found>>, Problem> {
    match context.findings.ask(&seen.name)? {
        Progress::Done(found) => Ok(Some(found)),
        Progress::Running => Ok(None),
        Progress::ToBegin(run) => {
            begin(context, run)?;
            Ok(None)
        }
    }
}

/// Says that a run has failed, unless it has said before how it ended.
struct Ending {
    context: Arc<Context>,
    run: u64,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.context.findings.end(self.run, Err(Problem::panicked()));
    }
}

fn begin(context: &Arc<Context>, run: u64) -> Result<(), Problem> {
    let (own, given_up) = (context.clone(), context.clone());
    let work = move |cancellation: Cancellation, running| {
        let ending = Ending { context: own, run };
        let context = &ending.context;
        context.findings.end(run, look(context, &cancellation));
        context.data.let_go(context.options.cache);
        drop(running);
    };
    let evaluations = context.evaluations.clone().timeout(context.options.timeout * PATIENCE);
    let begun = evaluations.begin(work, move |why: Diagnostic| {
        given_up.findings.end(run, Err(Problem::from(Box::new(why))));
    });
    // If no thread is free, the next request starts the search again.
    begun.map(drop).map_err(|busy| {
        context.findings.end(run, Ok(None));
        Problem::from(busy)
    })
}

/// Looks for the findings of the state of now; nothing where the data have changed meanwhile.
fn look(context: &Context, cancellation: &Cancellation) -> Result<Option<Looked>, Problem> {
    let seen = context.data.now()?;
    let Findings { validated, checked } = context.data.findings(cancellation)?;
    // Files are read anew, and those of a store are the ones of now.
    if context.data.now()?.name != seen.name {
        return Ok(None);
    }
    let questions = context.questions(&seen, cancellation)?;
    let mut unchecked = validated.unchecked;
    for fault in checked.unchecked {
        if !unchecked.iter().any(|known| known.to_string() == fault.to_string()) {
            unchecked.push(fault);
        }
    }
    let (validated, checked) = (validated.files, checked.files);
    let parts = parts(context, &seen, &questions, &[&validated, &checked])?;
    cancellation.check()?;
    let names = Names::of(seen.loaded.dataset());
    let question_of = |finding: &Finding<'_>| {
        let by_place = || parts.get(finding.file)?.question_of(finding.pointer()?);
        // What has no pointer is of a file in which nodes have names.
        let by_node = || questions.question_of(&names, finding.focus?);
        if finding.pointer().is_some() { by_place() } else { by_node() }
    };
    let found = Found::of(validated, checked, unchecked, questions.len(), question_of);
    if let Some(fault) = seen.loaded.dataset().fault() {
        return Err(Box::new(fault.clone()).into());
    }
    Ok(Some(Looked { state: seen.name, found }))
}

/// The parts of the files with findings that belong to one question each, by the names of the files.
fn parts(
    context: &Context,
    seen: &Seen,
    questions: &Questions,
    checked: &[&[Checked]],
) -> Result<HashMap<String, Parts>, Problem> {
    let results = checked.iter().flat_map(|files| files.iter());
    let with_findings: HashSet<&str> = results
        .flat_map(|file| file.report.results.iter().map(move |result| (file, result)))
        .map(|(file, result)| result.place.as_ref().map_or(&*file.name, |place| &*place.source))
        .collect();
    let files = seen.loaded.files()?;
    let names = Names::of(seen.loaded.dataset());
    let (mut asked, mut rows) = (Vec::new(), Vec::new());
    for (graph, file) in files.iter().filter(|(_, file)| with_findings.contains(file.as_str())) {
        let mut of_file: Vec<usize> = questions.rows_in(graph).collect();
        let mut wanted: Vec<_> = of_file.iter().map(|row| questions.wanted(&names, *row)).collect();
        for Beside { row, wanted: beside } in questions.beside(&names, questions.rows_in(graph)) {
            of_file.push(row);
            wanted.push(vec![beside]);
        }
        asked.push(WantedInGraph { graph, wanted });
        rows.push((file, of_file));
    }
    let found = context.data.places_of_graphs(&seen.loaded, &asked)?;
    let mut parts = HashMap::new();
    for ((file, rows), places) in rows.into_iter().zip(&found) {
        let placed = rows
            .into_iter()
            .zip(places)
            .filter_map(|(row, place)| Some(Placed { row, pointer: place.as_ref()?.pointer.as_deref()? }));
        parts.insert(file.clone(), Parts::of(&placed.collect::<Vec<_>>()));
    }
    Ok(parts)
}
