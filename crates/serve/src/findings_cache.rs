//! The findings of rules and of the check in one state of the data. They are searched for once, in the background, and
//! cached.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::problem::ProblemDetails;
use crate::browse::list::FindingCounts;
use crate::browse::number_order::put_in_order;
use evalgraph_diagnostics::validation::{ResultAdvice, ResultSeverity, RuleResult, RuleSummary};
use evalgraph_diagnostics::{Diagnostic, SourcePlace};
use evalgraph_engine::validation::validated_files::ValidatedFile;
use evalgraph_text_keys::without_marks;

/// The codes for files without rules, which are not faults of the files.
const WITHOUT_RULES: [&str; 2] = ["validate::format", "validate::profile"];

/// The findings of the last state that was asked for.
#[derive(Debug, Default)]
pub(super) struct FindingsCache(Mutex<FindingsCacheState>);

#[derive(Debug, Default)]
struct FindingsCacheState {
    slot: FindingsSlot,
    /// The number of runs that were started.
    runs: u64,
}

#[derive(Debug, Default)]
enum FindingsSlot {
    #[default]
    Empty,
    /// The run with this number is searching for them.
    Running(u64),
    Done {
        state: String,
        found: Arc<StateFindings>,
    },
    /// The search failed. The next request gets the reason, and the request after that starts a new search.
    Failed(ProblemDetails),
}

/// The progress of the search in a state.
#[derive(Debug)]
pub(super) enum FindingsProgress {
    Done(Arc<StateFindings>),
    Running,
    /// The search has not begun. The caller has to start the run with this number.
    ToBegin(u64),
}

impl FindingsCache {
    /// Returns the progress for a state. A caller that gets [`FindingsProgress::ToBegin`] has to start the run, and
    /// report how it ended.
    ///
    /// # Errors
    ///
    /// The reason why the search failed.
    pub(super) fn ask(&self, state: &str) -> Result<FindingsProgress, ProblemDetails> {
        let mut own = self.lock();
        match &own.slot {
            // Only one search runs at a time, even if the state has changed since it began.
            FindingsSlot::Running(_) => return Ok(FindingsProgress::Running),
            FindingsSlot::Done { state: known, found } if known == state => {
                return Ok(FindingsProgress::Done(found.clone()));
            }
            FindingsSlot::Failed(_) | FindingsSlot::Done { .. } | FindingsSlot::Empty => {}
        }
        if let FindingsSlot::Failed(problem) = std::mem::take(&mut own.slot) {
            return Err(problem);
        }
        own.runs += 1;
        own.slot = FindingsSlot::Running(own.runs);
        Ok(FindingsProgress::ToBegin(own.runs))
    }

    /// Returns the findings of a state, if they are there already.
    pub(super) fn now(&self, state: &str) -> Option<Arc<StateFindings>> {
        match &self.lock().slot {
            FindingsSlot::Done { state: known, found } if known == state => Some(found.clone()),
            _ => None,
        }
    }

    /// Notes how a run ended: with `None` if the data have changed since. The result of a run that was cancelled, or
    /// that has reported before, is ignored.
    pub(super) fn end(&self, run: u64, ended: Result<Option<SearchedState>, ProblemDetails>) {
        let mut own = self.lock();
        if !matches!(own.slot, FindingsSlot::Running(running) if running == run) {
            return;
        }
        own.slot = match ended {
            Ok(Some(SearchedState { state, found })) => FindingsSlot::Done { state, found: Arc::new(found) },
            Ok(None) => FindingsSlot::Empty,
            Err(problem) => FindingsSlot::Failed(problem),
        };
    }

    fn lock(&self) -> MutexGuard<'_, FindingsCacheState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The findings of a state after the search.
#[derive(Debug)]
pub(super) struct SearchedState {
    pub(super) state: String,
    pub(super) found: StateFindings,
}

/// The origin of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum FindingOrigin {
    /// The rules of a system.
    Validate,
    /// The check against schema.org.
    Check,
}

impl FindingOrigin {
    /// All origins.
    pub(super) const ALL: [Self; 2] = [Self::Validate, Self::Check];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Validate => "validate",
            Self::Check => "check",
        }
    }
}

/// The findings of a state.
#[derive(Debug)]
pub(super) struct StateFindings {
    validated: Vec<ValidatedFile>,
    checked: Vec<ValidatedFile>,
    /// The reasons why files could not be checked.
    pub(super) unchecked: Vec<Diagnostic>,
    /// All findings, sorted by file, and within a file by place.
    items: Vec<IndexedFinding>,
    by_question: FindingCounts,
}

/// The position of a finding, and the row of its question.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexedFinding {
    which: FindingIndex,
    pub(super) question: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
enum FindingIndex {
    Result { by: FindingOrigin, file: u32, at: u32 },
    Unchecked(u32),
}

/// A finding as the reader sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShownFinding<'f> {
    pub(super) by: FindingOrigin,
    pub(super) code: &'f str,
    pub(super) severity: &'static str,
    pub(super) message: &'f str,
    pub(super) file: &'f str,
    place: Option<&'f SourcePlace>,
    /// The node or the object that it is about.
    pub(super) focus: Option<&'f str>,
    pub(super) path: Option<&'f str>,
    pub(super) value: Option<&'f str>,
    advice: Option<&'f ResultAdvice>,
    fault: Option<&'f Diagnostic>,
}

impl<'f> ShownFinding<'f> {
    fn of_result(by: FindingOrigin, result: &'f RuleResult, checked: &'f ValidatedFile) -> Self {
        let place = result.place.as_deref();
        Self {
            by,
            code: &result.rule,
            severity: severity_name(result.severity),
            message: &result.message,
            file: place.map_or(&checked.name, |place| &place.source),
            place,
            focus: Some(result.focus.as_str()),
            path: result.path.as_deref(),
            value: result.value.as_deref(),
            advice: result.advice.as_deref(),
            fault: None,
        }
    }

    fn of_fault(fault: &'f Diagnostic) -> Self {
        let place = fault.place.as_deref();
        Self {
            by: FindingOrigin::Validate,
            code: &fault.code,
            severity: severity_name(ResultSeverity::Violation),
            message: &fault.message,
            file: place.map_or("", |place| &place.source),
            place,
            focus: None,
            path: None,
            value: None,
            advice: None,
            fault: Some(fault),
        }
    }

    /// Returns the place, if it has a line.
    pub(super) fn spot(&self) -> Option<&'f SourcePlace> {
        self.place.filter(|place| !place.is_whole())
    }

    /// Returns the JSON Pointer.
    pub(super) fn pointer(&self) -> Option<&'f str> {
        self.place?.pointer.as_deref()
    }

    /// Returns what to do about it, one line each.
    pub(super) fn help(&self) -> Vec<String> {
        let of_fault = self.fault.iter().flat_map(|fault| fault.help.iter().map(ToString::to_string));
        let suggest = self.advice.and_then(|advice| advice.suggest.as_ref());
        let page = self.advice.and_then(|advice| advice.page.as_ref());
        let of_advice = suggest.map(|name| format!("write `{name}`"));
        of_fault.chain(of_advice).chain(page.map(|page| format!("see {page}"))).collect()
    }

    /// Returns whether all words, which are in lower case, occur in the text that the reader sees.
    pub(super) fn has_words(&self, words: &[String]) -> bool {
        if words.is_empty() {
            return true;
        }
        let texts =
            [Some(self.code), Some(self.message), Some(self.file), self.path, self.value, self.pointer()];
        let shown = texts.into_iter().flatten().collect::<Vec<_>>().join("\n");
        let shown = without_marks(&shown);
        words.iter().all(|word| shown.contains(word.as_str()))
    }
}

/// The names of the severities, from worst to least.
pub(super) const SEVERITIES: [&str; 3] = ["error", "warning", "information"];

fn severity_name(severity: ResultSeverity) -> &'static str {
    match severity {
        ResultSeverity::Violation => SEVERITIES[0],
        ResultSeverity::Warning => SEVERITIES[1],
        ResultSeverity::Info => SEVERITIES[2],
    }
}

impl StateFindings {
    /// Makes the findings of runs. `question_of` returns the row of the question that a finding belongs to, out of
    /// `questions` rows.
    pub(super) fn new(
        validated: Vec<ValidatedFile>,
        checked: Vec<ValidatedFile>,
        unchecked: Vec<Diagnostic>,
        questions: usize,
        question_of: impl Fn(&ShownFinding<'_>) -> Option<usize>,
    ) -> Self {
        let mut found =
            Self { validated, checked, unchecked, items: Vec::new(), by_question: Arc::default() };
        let mut items = Vec::new();
        for by in FindingOrigin::ALL {
            for (file, checked) in found.files(by).iter().enumerate() {
                let results = 0..checked.report.results.len();
                items.extend(results.map(|at| FindingIndex::Result { by, file: file as u32, at: at as u32 }));
            }
        }
        let is_shown = |(_, fault): &(usize, &Diagnostic)| !WITHOUT_RULES.contains(&&*fault.code);
        let faults = found.unchecked.iter().enumerate().filter(is_shown);
        items.extend(faults.map(|(at, _)| FindingIndex::Unchecked(at as u32)));
        let place = |which: &FindingIndex| {
            let finding = found.finding_of(*which);
            let spot = finding.spot().map(|place| (place.line, place.column));
            (finding.file, spot)
        };
        let places: Vec<_> = items.iter().map(place).collect();
        let mut by_place: Vec<u32> = (0..items.len() as u32).collect();
        put_in_order(&mut by_place, &|one, other| places[one].cmp(&places[other]));
        let mut counts = vec![0_u32; questions];
        let items = by_place.into_iter().map(|at| {
            let which = items[at as usize];
            let question = question_of(&found.finding_of(which));
            if let Some(count) = question.and_then(|row| counts.get_mut(row)) {
                *count += 1;
            }
            IndexedFinding { which, question: question.map(|row| row as u32) }
        });
        found.items = items.collect();
        found.by_question = Arc::new(counts);
        found
    }

    /// Returns the files that rules or the check looked at.
    pub(super) fn files(&self, by: FindingOrigin) -> &[ValidatedFile] {
        match by {
            FindingOrigin::Validate => &self.validated,
            FindingOrigin::Check => &self.checked,
        }
    }

    /// Returns all findings.
    pub(super) fn items(&self) -> &[IndexedFinding] {
        &self.items
    }

    /// Returns the number of findings of each question, by row.
    pub(super) fn by_question(&self) -> FindingCounts {
        self.by_question.clone()
    }

    pub(super) fn finding(&self, item: &IndexedFinding) -> ShownFinding<'_> {
        self.finding_of(item.which)
    }

    fn finding_of(&self, which: FindingIndex) -> ShownFinding<'_> {
        match which {
            FindingIndex::Result { by, file, at } => {
                let checked = &self.files(by)[file as usize];
                ShownFinding::of_result(by, &checked.report.results[at as usize], checked)
            }
            FindingIndex::Unchecked(at) => ShownFinding::of_fault(&self.unchecked[at as usize]),
        }
    }

    /// Returns the files with the selected findings only, for a report. Whether a file conforms does not change.
    pub(super) fn selected(
        &self,
        by: FindingOrigin,
        is_wanted: impl Fn(&ShownFinding<'_>) -> bool,
    ) -> Vec<ValidatedFile> {
        let select = |checked: &ValidatedFile| {
            let mut report = checked.report.clone();
            report.results.retain(|result| is_wanted(&ShownFinding::of_result(by, result, checked)));
            let mut counts: HashMap<&str, u64> = HashMap::new();
            report.results.iter().for_each(|result| *counts.entry(&result.rule).or_default() += 1);
            for rule in &mut report.rules {
                let count = counts.get(&*rule.id).copied().unwrap_or_default();
                report.fails_unseen |= count < rule.results && rule.severity >= report.against;
                rule.results = count;
            }
            ValidatedFile { name: checked.name.clone(), what: checked.what.clone(), report }
        };
        self.files(by).iter().map(select).collect()
    }

    /// Returns the titles of the rules.
    pub(super) fn titles(&self) -> HashMap<&str, &str> {
        let rules = self.validated.iter().chain(&self.checked).flat_map(|file| &file.report.rules);
        rules.map(|RuleSummary { id, title, .. }| (&**id, &**title)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> StateFindings {
        StateFindings::new(Vec::new(), Vec::new(), Vec::new(), 0, |_| None)
    }

    #[test]
    fn one_begins_and_the_others_wait() {
        let findings = FindingsCache::default();
        let looked = |state: &str| Ok(Some(SearchedState { state: state.to_owned(), found: nothing() }));
        assert!(matches!(findings.ask("a"), Ok(FindingsProgress::ToBegin(1))));
        assert!(matches!(findings.ask("a"), Ok(FindingsProgress::Running)));
        assert!(findings.now("a").is_none());
        findings.end(1, looked("a"));
        assert!(matches!(findings.ask("a"), Ok(FindingsProgress::Done(_))));
        assert!(findings.now("a").is_some() && findings.now("b").is_none());
        // Another state is searched again, and a late result changes nothing.
        assert!(matches!(findings.ask("b"), Ok(FindingsProgress::ToBegin(2))));
        findings.end(1, Err(ProblemDetails::panicked()));
        assert!(matches!(findings.ask("b"), Ok(FindingsProgress::Running)));
        findings.end(2, Err(ProblemDetails::panicked()));
        findings.end(2, looked("b"));
        assert!(findings.ask("b").is_err());
        assert!(matches!(findings.ask("b"), Ok(FindingsProgress::ToBegin(3))));
        findings.end(3, Ok(None));
        assert!(matches!(findings.ask("b"), Ok(FindingsProgress::ToBegin(4))));
    }
}
