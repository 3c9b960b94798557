//! Searches for findings in the background: runs the rules and the check over the files of the data, on an evaluation
//! thread, and then finds the question of each finding.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::findings_cache::{FindingsProgress, SearchedState, ShownFinding, StateFindings};
use super::problem::ProblemDetails;
use super::served_data::DataSnapshot;
use super::server_context::ServerContext;
use super::server_options::ServerOptions;
use crate::browse::name_lookup::NameLookup;
use crate::browse::question_parts::{QuestionNeighbour, QuestionParts, QuestionPointer};
use crate::browse::question_table::QuestionTable;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::ServedFileFindings;
use evalgraph_engine::validation::document_places::WantedInGraph;
use evalgraph_engine::validation::switched_rules::switch_rules;
use evalgraph_engine::validation::validated_files::ValidatedFile;
use evalgraph_sparql::CancellationToken;

/// The search through all files may take this many times the time of a request.
const PATIENCE: u32 = 20;

/// Returns the findings of a state; `None` while the search is running. The first request starts it.
///
/// # Errors
///
/// The reason why the search failed.
pub(super) fn findings(
    context: &Arc<ServerContext>,
    seen: &DataSnapshot,
) -> Result<Option<Arc<StateFindings>>, ProblemDetails> {
    match context.findings.ask(&seen.name)? {
        FindingsProgress::Done(found) => Ok(Some(found)),
        FindingsProgress::Running => Ok(None),
        FindingsProgress::ToBegin(run) => {
            begin(context, run)?;
            Ok(None)
        }
    }
}

/// Reports that a run has failed, unless the run has already reported how it ended.
struct FindingsRunGuard {
    context: Arc<ServerContext>,
    run: u64,
}

impl Drop for FindingsRunGuard {
    fn drop(&mut self) {
        self.context.findings.end(self.run, Err(ProblemDetails::panicked()));
    }
}

fn begin(context: &Arc<ServerContext>, run: u64) -> Result<(), ProblemDetails> {
    let (own, given_up) = (context.clone(), context.clone());
    let work = move |cancellation: CancellationToken, running| {
        let ending = FindingsRunGuard { context: own, run };
        let context = &ending.context;
        context.findings.end(run, look(context, &cancellation));
        context.data.let_go(context.options.cache);
        drop(running);
    };
    let evaluations = context.evaluations.clone().timeout(context.options.timeout * PATIENCE);
    let begun = evaluations.begin(work, move |why: Diagnostic| {
        given_up.findings.end(run, Err(ProblemDetails::from(Box::new(why))));
    });
    // If no thread is free, the next request starts the search again.
    begun.map(drop).map_err(|busy| {
        context.findings.end(run, Ok(None));
        ProblemDetails::from(busy)
    })
}

/// Searches for the findings of the current state; `None` if the data have changed in the meantime.
fn look(
    context: &ServerContext,
    cancellation: &CancellationToken,
) -> Result<Option<SearchedState>, ProblemDetails> {
    let seen = context.data.now()?;
    let ServedFileFindings { mut validated, mut checked } = context.data.findings(cancellation)?;
    let ServerOptions { rules, folder, .. } = &context.options;
    for found in [&mut validated, &mut checked] {
        // Wrong names of rules were reported when the server began.
        switch_rules(rules, folder, &mut found.files);
    }
    // Files are read again, and those of a store are the current ones.
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
    let names = NameLookup::new(seen.loaded.dataset());
    let question_of = |finding: &ShownFinding<'_>| {
        let by_place = || parts.get(finding.file)?.question_of(finding.pointer()?);
        // If there is no pointer, the nodes of the file have names.
        let by_node = || questions.question_of(&names, finding.focus?);
        if finding.pointer().is_some() { by_place() } else { by_node() }
    };
    let found = StateFindings::new(validated, checked, unchecked, questions.len(), question_of);
    if let Some(fault) = seen.loaded.dataset().fault() {
        return Err(Box::new(fault.clone()).into());
    }
    Ok(Some(SearchedState { state: seen.name, found }))
}

/// Returns the parts of the files with findings that belong to one question each, by the names of the files.
fn parts(
    context: &ServerContext,
    seen: &DataSnapshot,
    questions: &QuestionTable,
    checked: &[&[ValidatedFile]],
) -> Result<HashMap<String, QuestionParts>, ProblemDetails> {
    let results = checked.iter().flat_map(|files| files.iter());
    let with_findings: HashSet<&str> = results
        .flat_map(|file| file.report.results.iter().map(move |result| (file, result)))
        .map(|(file, result)| result.place.as_ref().map_or(&*file.name, |place| &*place.source))
        .collect();
    let files = seen.loaded.files()?;
    let names = NameLookup::new(seen.loaded.dataset());
    let (mut asked, mut rows) = (Vec::new(), Vec::new());
    for (graph, file) in files.iter().filter(|(_, file)| with_findings.contains(file.as_str())) {
        let mut of_file: Vec<usize> = questions.rows_in(graph).collect();
        let mut wanted: Vec<_> = of_file.iter().map(|row| questions.wanted(&names, *row)).collect();
        for QuestionNeighbour { row, wanted: beside } in questions.beside(&names, questions.rows_in(graph)) {
            of_file.push(row);
            wanted.push(vec![beside]);
        }
        asked.push(WantedInGraph { graph, wanted });
        rows.push((file, of_file));
    }
    let found = context.data.places_of_graphs(&seen.loaded, &asked)?;
    let mut parts = HashMap::new();
    for ((file, rows), places) in rows.into_iter().zip(&found) {
        let placed = rows.into_iter().zip(places).filter_map(|(row, place)| {
            Some(QuestionPointer { row, pointer: place.as_ref()?.pointer.as_deref()? })
        });
        parts.insert(file.clone(), QuestionParts::from_pointers(&placed.collect::<Vec<_>>()));
    }
    Ok(parts)
}
