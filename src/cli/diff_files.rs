//! The two sides of `diff`: the files that each argument names, and the pairs that they form.

use std::path::Path;

use evalgraph_diagnostics::Report;
use evalgraph_engine::input::find::{find_parts, find_sources};
use evalgraph_engine::input::guard::has_keywords;
use evalgraph_engine::input::path_text::shown;
use evalgraph_engine::load::dataset_names::{Names, StoredNames};
use evalgraph_engine::load::json_ld::JsonLd;
use evalgraph_engine::load::named::Named;
use evalgraph_engine::load::opened::{Content, Opened};
use evalgraph_formats::karenina::{ContextForm, Dialect};
use evalgraph_formats::records::comparison::File;

/// A file that both sides have, or one side alone.
pub(super) struct Pair {
    pub(super) before: Option<Named>,
    pub(super) after: Option<Named>,
}

/// The kind of comparison that fits a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Checkpoint,
    Records,
    Other,
}

/// Returns the kind of comparison that fits a file.
fn sort_of(named: &Named) -> Sort {
    match &named.opened.content {
        Content::Json { detection, .. }
            if !matches!(detection.dialect, Dialect::None | Dialect::ResultsExport) =>
        {
            Sort::Checkpoint
        }
        _ if records_of(named).is_some() => Sort::Records,
        _ => Sort::Other,
    }
}

/// Returns the records of a file that is compared record by record: a file of a system, or JSON that is not JSON-LD.
pub(super) fn records_of(named: &Named) -> Option<File<'_>> {
    match &named.opened.content {
        Content::Records { file, recognised, .. } => Some(File { document: file, shape: recognised.shape }),
        Content::Json { file, survey, detection, .. }
            if detection.dialect == Dialect::None
                && survey.marks.context == ContextForm::Absent
                && !has_keywords(file) =>
        {
            Some(File::plain(file))
        }
        _ => None,
    }
}

/// Tells whether a file is of a system.
pub(super) fn is_of_system(named: &Named) -> bool {
    matches!(named.opened.content, Content::Records { .. })
}

impl Pair {
    /// Returns the kind of comparison that fits both files; [`Sort::Other`] for a lone file, or where the kinds
    /// differ.
    pub(super) fn sort(&self) -> Sort {
        let sort = |side: &Option<Named>| side.as_ref().map(sort_of);
        match (sort(&self.before), sort(&self.after)) {
            (Some(before), Some(after)) if before == after => before,
            _ => Sort::Other,
        }
    }

    /// Returns both files, where they are compared by record. A file of no known shape gets the shape of its partner.
    pub(super) fn records(&self) -> Option<(File<'_>, File<'_>)> {
        let (before, after) = (self.before.as_ref()?, self.after.as_ref()?);
        let (left, right) = (records_of(before)?, records_of(after)?);
        let shape = |own: File<'_>, named, other: File<'_>| {
            if is_of_system(named) { own.shape } else { other.shape }
        };
        let shapes = (shape(left, before, right), shape(right, after, left));
        Some((File { shape: shapes.0, ..left }, File { shape: shapes.1, ..right }))
    }

    pub(super) fn has_records(&self) -> bool {
        [&self.before, &self.after].into_iter().flatten().any(|named| sort_of(named) == Sort::Records)
    }
}

/// Opens all files that an argument names; faults are reported.
pub(super) fn open_all(argument: &str, json_ld: &JsonLd, report: &mut Report) -> Vec<Opened> {
    let (mut sources, faults) = find_sources(&[argument.to_owned()]);
    find_parts(&mut sources);
    report.add_all(&faults);
    sources.iter().filter_map(|source| json_ld.open(source, report)).collect()
}

/// Pairs the files of two sides: single files whatever their names are, several files by their paths below the
/// folders. Both files of a pair are one dataset, which is named after the first file.
pub(super) fn paired(a: &str, before: Vec<Opened>, b: &str, after: Vec<Opened>) -> Vec<Pair> {
    let is_one = before.len() == 1 && after.len() == 1;
    let mut after: Vec<(String, Option<Opened>)> =
        after.into_iter().map(|opened| (path_below(b, &opened), Some(opened))).collect();
    let stored = StoredNames::default();
    let mut names = Names::new(None, &stored);
    // Findings on the names of datasets do not concern a comparison.
    let mut ignored = Report::default();
    let mut pairs = Vec::new();
    for opened in before {
        let path = path_below(a, &opened);
        let partner = after.iter_mut().find(|(other, opened)| opened.is_some() && (is_one || *other == path));
        let partner = partner.and_then(|(_, partner)| partner.take());
        let before = names.name(opened, 0, &mut ignored);
        let after = partner.map(|opened| Named {
            opened,
            address: before.address.clone(),
            dataset: before.dataset.clone(),
            part: before.part.clone(),
            size: 0,
        });
        pairs.push(Pair { before: Some(before), after });
    }
    for opened in after.into_iter().filter_map(|(_, opened)| opened) {
        pairs.push(Pair { before: None, after: Some(names.name(opened, 0, &mut ignored)) });
    }
    pairs
}

/// Returns the path of a file below the folder that the argument names, else the name of the file.
fn path_below(argument: &str, opened: &Opened) -> String {
    let path = opened.origin.path();
    let below = path.and_then(|path| path.strip_prefix(Path::new(argument)).ok());
    match below.filter(|below| !below.as_os_str().is_empty()) {
        Some(below) => shown(below),
        None => opened.origin.file_name().unwrap_or_default(),
    }
}
