//! Warnings about changes of a graph that are missing in the file written from it.

use crate::sidecar::{ArrivalComparison, DocumentSidecars, RestoredFile, UnwrittenStatements};
use evalgraph_diagnostics::help::setting;
use evalgraph_diagnostics::{Diagnostic, FindingHelp, FindingSeverity, RunReport, thousands};
use evalgraph_jsonld::JsonLdOptions;

/// How many statements are reported individually.
const TOLD: usize = 10;

/// Reports the statements of a graph that are missing in the text written from it.
pub fn report_unwritten(
    datasets: &DocumentSidecars<'_>,
    restored: &RestoredFile,
    text: &str,
    name: &str,
    report: &mut RunReport,
) {
    if let Ok(found) = report.ok_or_report(arrival(datasets, restored, text, JsonLdOptions::default(), name))
    {
        report.add_all(&diagnostics(&found, name));
        report.add_all(&found.is_untold.then(|| untold(restored, name)));
    }
}

/// Compares a graph with the text written from it.
///
/// # Errors
///
/// A warning that the text cannot be read again.
pub fn arrival(
    datasets: &DocumentSidecars<'_>,
    restored: &RestoredFile,
    text: &str,
    options: JsonLdOptions,
    name: &str,
) -> Result<ArrivalComparison, Box<Diagnostic>> {
    datasets.arrival(restored, text, options).map_err(|fault| Box::new(not_read(&fault, name)))
}

/// Returns a warning for each node and property that differ between graph and file, up to a limit, and one warning for
/// the rest. If only names that depend on positions differ, returns a single note.
pub fn diagnostics(
    ArrivalComparison { unwritten, is_renamed, .. }: &ArrivalComparison,
    name: &str,
) -> Vec<Diagnostic> {
    if *is_renamed {
        let message = format!(
            "records of `{name}` without an id, or nodes in its lists, are named by their positions, which \
            are different in the file"
        );
        return vec![Diagnostic::new(FindingSeverity::Note, "sidecar::renamed", message)];
    }
    let one = |unwritten: &UnwrittenStatements| {
        let help = help(unwritten.property.as_deref(), name);
        Diagnostic::warning("sidecar::not-written", format!("{unwritten}")).with_help(help)
    };
    let mut told: Vec<Diagnostic> = unwritten.iter().take(TOLD).map(one).collect();
    let more: usize = unwritten.iter().skip(TOLD).map(UnwrittenStatements::count).sum();
    if more > 0 {
        let message =
            format!("{} more statements differ between the file and the graph", thousands(more as u64));
        told.push(Diagnostic::warning("sidecar::not-written", message).with_help(help(None, name)));
    }
    told
}

/// Returns help on what to change instead.
fn help(property: Option<&str>, name: &str) -> String {
    let instead = match property {
        Some("position" | "ingestionIndex") => "the position follows from its place in the list",
        Some("type") => "the class follows from its place in the file",
        _ => "the file states it in another place, or has no place for it",
    };
    format!("{instead}: change the file of `{name}` itself, and load it again")
}

fn untold(restored: &RestoredFile, name: &str) -> Diagnostic {
    let (system, kind) = restored.reading.system_and_kind();
    let mut help = vec!["read it with ".into(), setting("from").to(system).into()];
    if let Some(kind) = kind {
        help.extend([" and ".into(), setting("record").to(kind).into()]);
    }
    let message = format!("nothing in the file written from `{name}` shows which system it belongs to");
    Diagnostic::new(FindingSeverity::Note, "sidecar::untold", message).with_help(FindingHelp::new(help))
}

fn not_read(fault: &Diagnostic, name: &str) -> Diagnostic {
    let message = format!("the file written from `{name}` cannot be read again: {}", fault.message);
    Diagnostic::warning("sidecar::not-written", message)
}
