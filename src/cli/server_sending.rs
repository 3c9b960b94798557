//! Sends graphs to a server.

use std::time::{Duration, Instant};

use super::export_source::counted;
use super::run_ending::{cancellation, listen};
use super::sending_arguments::SendingArguments;
use super::{CommandAnswer, CommandStop, progress};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_engine::export::export_data::ExportData;
use evalgraph_engine::export::server::export::ServerExportResult;
use evalgraph_engine::export::server::server_export_form::{ExistingGraphPolicy, SentTotals, ServerExport};
use evalgraph_engine::export::server_place::ServerPlace;
use evalgraph_engine::input::progress::ProgressDisplay;
use evalgraph_engine::net::{HttpClientOptions, check_address};

/// Sends the graphs that the arguments select to a place on the server with this URL.
///
/// # Errors
///
/// Fails if an input or the server is faulty, or if the server refuses.
pub(super) fn send(
    arguments: &SendingArguments,
    url: &str,
    creates: bool,
    place: impl FnOnce(String) -> ServerPlace,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let chosen = arguments.server.choose(url, &arguments.source.processor.iris.net, report)?;
    let url = chosen.addresses.any().unwrap_or(url).to_owned();
    let mut export = ServerExport::to(place(url.clone()));
    if let ServerPlace::GraphStore { update: Some(update), .. } = &export.place {
        check_address(update)?;
    }
    export.graphs = arguments.source.choice();
    export.server = HttpClientOptions { cancellation: cancellation(), ..chosen.options };
    export.existing = match (arguments.replace, arguments.append) {
        (true, _) => ExistingGraphPolicy::Replaced,
        (_, true) => ExistingGraphPolicy::Extended,
        _ => ExistingGraphPolicy::Kept,
    };
    export.resumes = arguments.resume;
    export.verifies = arguments.verify;
    export.creates = creates;
    listen();
    let source = &arguments.source;
    let session = source.processor.session(&source.input.reading)?;
    let mut data = ExportData::read(&source.input, &session, &source.with, report)?;
    let graphs = data.graphs(&export.graphs)?;
    if source.dry_run {
        report.add(&source.would_go(&data, &graphs));
        return Ok(CommandAnswer::Yes);
    }
    let begin = Instant::now();
    let ServerExportResult { sent, differences } =
        export.send(&mut data, &graphs, ProgressDisplay(progress::quads), report)?;
    report.add_all(&differences);
    report.add(&done(sent, &url, begin.elapsed()));
    Ok(if differences.is_empty() { CommandAnswer::Yes } else { CommandAnswer::No })
}

/// The note about what was sent.
fn done(sent: SentTotals, url: &str, time: Duration) -> Diagnostic {
    let SentTotals { quads, graphs, requests, bytes, .. } = sent;
    let message = format!(
        "exported {} to `{url}`: {} requests, {} bytes of quads, {:.1} seconds",
        counted(quads, usize::try_from(graphs).unwrap_or(usize::MAX)),
        thousands(requests),
        thousands(bytes),
        time.as_secs_f64()
    );
    Diagnostic::new(FindingSeverity::Note, "export::done", message)
}
