//! Reports the losses and the defaults of a conversion. The report is one line, a list by kind with the first lines of
//! the file, or, for programs, each part with its place.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::checkpoint::model::TokenOrigin;
use crate::checkpoint::writer::{ChangeKind, CheckpointForm, PartChange};
use crate::counts::ConversionCounts;
use crate::records::{DescribedLoss, UnreadStatements, in_words};
use crate::registry::file_shapes;
use crate::rewriting::IndexedGraph;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{
    Diagnostic, FindingHelp, FindingSeverity, RunReport, SourcePlace, SourceText, codes, thousands,
};
use evalgraph_json::JsonDocument;

/// How many kinds the one-line summary names.
const NAMED: usize = 3;
/// How many places are listed per kind.
const PLACES: usize = 3;

/// Reports the changes of one document. Losses are warnings, which `--strict` refuses.
pub fn report_changes(
    changes: &[PartChange<'_>],
    form: CheckpointForm,
    name: &str,
    lists: bool,
    report: &mut RunReport,
) {
    let mut places = LossPlaces::default();
    for kind in [ChangeKind::Loss, ChangeKind::Default] {
        let changes: Vec<&PartChange<'_>> = changes.iter().filter(|change| change.kind == kind).collect();
        if changes.is_empty() {
            continue;
        }
        if !lists {
            report.add(&summary(&changes, kind, form, name));
        } else if report.shows_all() {
            for change in changes {
                let message = format!("{}{}", verb(kind, form), change.subject);
                report.add(&finding(kind, message).at(places.place_of(change.origin)));
            }
        } else {
            for (subject, count) in counted(changes.iter().map(|change| change.subject.as_str())) {
                let of_kind = changes.iter().filter(|change| change.subject == subject);
                let lines: Vec<String> =
                    of_kind.take(PLACES).map(|change| places.line(change.origin)).collect();
                let more = if count > PLACES { ", …" } else { "" };
                let times =
                    if count == 1 { String::new() } else { format!("{} times: ", thousands(count as u64)) };
                let message = format!("{}{subject} ({times}{}{more})", verb(kind, form), lines.join(", "));
                report.add_in_full(&finding(kind, message));
            }
        }
    }
}

/// Reports statements of a graph that a file form cannot express.
pub fn report_unread(
    unread: &[UnreadStatements],
    form: &str,
    name: &str,
    graph: &IndexedGraph<'_>,
    report: &mut RunReport,
) {
    if unread.is_empty() {
        return;
    }
    let lost = in_words(unread, &file_shapes(graph));
    let places = graph.quads().places_of(lost.iter().flat_map(|lost| lost.nodes.iter().copied()));
    for DescribedLoss { what, count, nodes } in &lost {
        let times = times(*count);
        let message = format!("{form} cannot hold {what}{times} of `{name}`");
        let mut found: Vec<&SourcePlace> = nodes.iter().filter_map(|node| places.get(node)).collect();
        let mut seen = HashSet::new();
        found.retain(|place| seen.insert((place.line, place.column)));
        let Some((first, more)) = found.split_first() else {
            let first = nodes.first().map(|&node| format!(", the first at {}", graph.shown(node)));
            let message = message + &first.unwrap_or_default();
            report.add(&Diagnostic::warning(codes::CONVERT_LOSS, message));
            continue;
        };
        let lines: Vec<String> =
            more.iter().map(|place| format!("{}:{}", place.line, place.column)).collect();
        let more = if more.is_empty() { String::new() } else { format!(", also at {}", lines.join(", ")) };
        report.add(&Diagnostic::warning(codes::CONVERT_LOSS, message + &more).at((*first).clone()));
    }
}

/// Reports the parts of a file that a form cannot express, by kind.
pub fn report_losses<'l>(
    losses: impl Iterator<Item = (&'l str, u64)>,
    form: &str,
    name: &str,
    report: &mut RunReport,
) {
    for (what, count) in losses {
        let message = format!("{form} cannot hold {what} of `{name}`{}", times(count));
        report.add(&Diagnostic::warning(codes::CONVERT_LOSS, message));
    }
}

/// Reports the omitted questions, by reason.
pub fn report_left_out(left_out: &ConversionCounts, form: &str, name: &str, report: &mut RunReport) {
    for (reason, count) in left_out.iter() {
        let count = thousands(count);
        let message = format!("{form} leaves out {count} of the questions of `{name}`: {reason}");
        report.add(&Diagnostic::warning(codes::CONVERT_LOSS, message));
    }
}

/// Reports parts that are written although the form's own rules reject them, by kind, with the next step.
pub fn report_faults(
    faults: &ConversionCounts,
    form: &str,
    name: &str,
    help: Option<&FindingHelp>,
    report: &mut RunReport,
) {
    for (what, count) in faults.iter() {
        let message = format!("the schema of {form} will reject this in `{name}`: {what}{}", times(count));
        let fault = Diagnostic::warning("convert::refused", message);
        report.add(&help.into_iter().cloned().fold(fault, Diagnostic::with_help));
    }
}

/// Reports defaults that were filled in, by kind.
pub fn report_defaults(defaults: &ConversionCounts, name: &str, report: &mut RunReport) {
    for (what, count) in defaults.iter() {
        let message = format!("filled in for `{name}`: {what}{}", times(count));
        report.add(&Diagnostic::new(FindingSeverity::Note, codes::CONVERT_DEFAULT, message));
    }
}

fn times(count: u64) -> String {
    if count == 1 { String::new() } else { format!(" ({} times)", thousands(count)) }
}

fn verb(kind: ChangeKind, form: CheckpointForm) -> String {
    match kind {
        ChangeKind::Loss => format!("{form} cannot hold "),
        ChangeKind::Default => "filled in ".to_owned(),
    }
}

fn finding(kind: ChangeKind, message: String) -> Diagnostic {
    match kind {
        ChangeKind::Loss => Diagnostic::warning(codes::CONVERT_LOSS, message),
        ChangeKind::Default => Diagnostic::new(FindingSeverity::Note, codes::CONVERT_DEFAULT, message),
    }
}

fn summary(changes: &[&PartChange<'_>], kind: ChangeKind, form: CheckpointForm, name: &str) -> Diagnostic {
    let counts = counted(changes.iter().map(|change| change.subject.as_str()));
    let mut named: Vec<String> = counts
        .iter()
        .take(NAMED)
        .map(|(subject, count)| format!("{}× {subject}", thousands(*count as u64)))
        .collect();
    if let Some(more @ 1..) = counts.len().checked_sub(NAMED) {
        named.push(if more == 1 { "1 more kind".to_owned() } else { format!("{more} more kinds") });
    }
    let parts = match changes.len() {
        1 => "1 part".to_owned(),
        count => format!("{} parts", thousands(count as u64)),
    };
    let message = match kind {
        ChangeKind::Loss => format!("{form} cannot hold {parts} of `{name}`: {}", named.join(", ")),
        ChangeKind::Default => {
            format!("`{name}` lacks {parts} of {form}, which were filled in: {}", named.join(", "))
        }
    };
    let help = match kind {
        ChangeKind::Loss => help![setting("report-loss"), " lists them with their lines"],
        ChangeKind::Default => help![setting("report-loss"), " lists them"],
    };
    finding(kind, message).with_help(help)
}

/// The places of parts. The lines of each document are counted only once.
#[derive(Default)]
struct LossPlaces<'d> {
    sources: HashMap<*const JsonDocument, SourceText<'d>>,
}

impl<'d> LossPlaces<'d> {
    fn place_of(&mut self, origin: TokenOrigin<'d>) -> SourcePlace {
        let TokenOrigin { document, token } = origin;
        let source =
            self.sources.entry(std::ptr::from_ref(document)).or_insert_with(|| document.source_text());
        document.place_in(source, token)
    }

    fn line(&mut self, origin: TokenOrigin<'d>) -> String {
        let place = self.place_of(origin);
        format!("{}:{}", place.source, place.line)
    }
}

/// Counts equal subjects. The most frequent come first.
pub fn counted<'s>(subjects: impl Iterator<Item = &'s str>) -> Vec<(&'s str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for subject in subjects {
        *counts.entry(subject).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    // The sort is stable, so equally frequent subjects stay in the order of their texts.
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}
