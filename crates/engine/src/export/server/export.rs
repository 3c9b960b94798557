//! The export of graphs to a server, from the first request to the last.
//!
//! `ServerExport` is defined in `server_export_form.rs`.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::account::{FailedExport, named};
use super::batch_transfer::BatchTransfer;
use super::pieces::StagedGraph;
use super::place_addresses::PlaceAddresses;
use super::register::{self, RegisterRow, StagingState};
use super::requests::ServerRequests;
use super::server_export_form::{ExistingGraphPolicy, SentTotals, ServerExport};
use super::source_graph::{SourceGraph, SourceGraphQuads};
use crate::export::export_data::{ExportData, ExportPart, ExportTerms};
use crate::export::shared_nodes::SharedNodes;
use crate::export::verification::ExportVerification;
use crate::input::progress::ProgressDisplay;
use crate::load::quads::CompanionGraph;
use crate::net::HttpClient;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_rdf::minted::{STAGING_GRAPH, sidecar_graph, staging_graph};
use evalgraph_store::{RdfTermKind, TermDictionary, TermId};

/// How many quads and graphs a batch has, unless a single graph has more. Servers move graphs in memory, and accept
/// forms of about 200,000 bytes.
const BATCH_QUADS: u64 = 200_000;
const BATCH_GRAPHS: usize = 50;

/// How many graphs a message names.
const SHOWN: usize = 8;

/// The result of an export.
#[derive(Debug, Default)]
pub struct ServerExportResult {
    /// The totals of what the server has accepted.
    pub sent: SentTotals,
    /// Differences in the graphs that the server has not kept as they were sent. These graphs were not put in place.
    pub differences: Vec<Diagnostic>,
}

impl ServerExport {
    /// Sends graphs to the server.
    ///
    /// # Errors
    ///
    /// Fails if a graph already exists and is neither replaced nor extended, and with the faults of the server and the
    /// store.
    pub fn send(
        &self,
        data: &mut ExportData<'_>,
        graphs: &[TermId],
        watch: ProgressDisplay,
        report: &mut RunReport,
    ) -> Result<ServerExportResult, RunFailure> {
        let cancellation = &self.server.cancellation;
        let remote = PlaceAddresses::from_place(&self.place, self.server.credentials.is_some());
        let requests =
            ServerRequests::new(HttpClient::new(self.server.clone())?, remote, cancellation.clone());
        let total = data.quad_count(graphs);
        let batches = BatchTransfer {
            requests: &requests,
            existing: self.existing,
            resumes: self.resumes,
            verifies: self.verifies,
            verification: ExportVerification::new(requests.remote.product),
            progress: watch.begin("exporting", total),
            differences: Vec::new(),
            placed: Vec::new(),
            moving: Vec::new(),
            quads: 0,
        };
        let mut run = ServerExportRun {
            export: self,
            requests: &requests,
            batches,
            notes: Vec::new(),
            total: graphs.len(),
        };
        let result = run.all(data, graphs, report);
        report.add_all(&run.notes);
        if let Err(failure) = result {
            report.add_all(&run.batches.differences);
            return Err(run.with_account(failure));
        }
        report.add_all(&run.batches.verification.notes());
        let (count, bytes) = requests.sent();
        let BatchTransfer { differences, placed, quads, .. } = run.batches;
        let sent = SentTotals { quads, graphs: placed.len() as u64, requests: count, bytes };
        Ok(ServerExportResult { sent, differences })
    }
}

/// An export in progress.
struct ServerExportRun<'r> {
    export: &'r ServerExport,
    requests: &'r ServerRequests,
    batches: BatchTransfer<'r>,
    notes: Vec<Diagnostic>,
    /// How many graphs are sent, as far as that is known.
    total: usize,
}

impl ServerExportRun<'_> {
    fn all(
        &mut self,
        data: &mut ExportData<'_>,
        graphs: &[TermId],
        report: &mut RunReport,
    ) -> Result<(), RunFailure> {
        if self.export.creates {
            self.requests.create()?;
        }
        // This reports a wrong address before anything is sent to it.
        self.requests.counts(&[STAGING_GRAPH])?;
        let rows = register::read(self.requests)?;
        {
            let (_, texts) = data.quads_and_texts();
            self.check_targets(&names(graphs, texts.terms())?, &rows)?;
        }
        let mut parted = SharedNodes::default();
        data.each_part(&self.export.graphs, graphs, report, |part| self.part(part, &rows, &mut parted))?;
        if parted.count() > 0 {
            self.notes.push(self.are_parted(parted.count()));
        }
        Ok(register::remove(self.requests, &self.batches.placed)?)
    }

    /// Rejects graphs that already exist, unless they are replaced or extended.
    fn check_targets(&self, names: &[String], rows: &[RegisterRow]) -> Result<(), RunFailure> {
        if self.export.existing != ExistingGraphPolicy::Kept {
            return Ok(());
        }
        let of_sidecars = names.iter().filter(|_| self.export.graphs.with.contains(&CompanionGraph::Sidecar));
        let of_sidecars = of_sidecars.filter_map(|name| sidecar_graph(name));
        let is_ours = |name: &str| {
            let is_placed = |row: &RegisterRow| row.graph == name && row.state == StagingState::Placed;
            self.export.resumes && rows.iter().any(is_placed)
        };
        let mut all: Vec<String> = names.iter().cloned().chain(of_sidecars).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|name| !is_ours(name));
        let mut there = Vec::new();
        for chunk in all.chunks(BATCH_GRAPHS) {
            let names: Vec<&str> = chunk.iter().map(String::as_str).collect();
            let counts = self.requests.counts(&names)?;
            there.extend(
                chunk.iter().zip(counts).filter(|(_, count)| *count > 0).map(|(name, _)| name.as_str()),
            );
        }
        if there.is_empty() { Ok(()) } else { Err(exist(&there).into()) }
    }

    /// Sends the graphs of a part, batch by batch. A blank node label means a different node in each request.
    fn part(
        &mut self,
        part: ExportPart<'_>,
        rows: &[RegisterRow],
        parted: &mut SharedNodes,
    ) -> Result<(), RunFailure> {
        let ExportPart { dataset, texts, graphs, sidecars, terms, is_whole } = part;
        self.total += sidecars.len();
        let (texts, terms) = (RefCell::new(texts), RefCell::new(ExportTerms::Loaded(terms)));
        let names = names(&graphs, texts.borrow().terms())?;
        let of_store = names
            .into_iter()
            .zip(graphs)
            .map(|(name, graph)| SourceGraph::new(name, SourceGraphQuads::Dataset(dataset, graph), &texts));
        let made = sidecars.iter().map(|sidecar| {
            let name = terms.borrow().terms().lexical(sidecar.name).to_owned();
            SourceGraph::new(name, SourceGraphQuads::Made(sidecar), &terms)
        });
        let sources = beside_their_documents(of_store.chain(made).collect());
        let takes_quads = self.requests.remote.quads.is_some();
        let (mut shared, mut surveys) = (SharedNodes::default(), Vec::with_capacity(sources.len()));
        for (at, source) in sources.iter().enumerate() {
            let see = |quad, terms: &TermDictionary| {
                shared.see(quad, terms);
                if !(takes_quads && is_whole) {
                    parted.see(quad, terms);
                }
            };
            surveys.push(source.survey(see, &self.requests.cancellation)?);
            if sources.get(at + 1).is_none_or(|next| next.document() != source.document()) {
                shared.next_graph();
            }
            if !takes_quads {
                parted.next_graph();
            }
        }
        parted.next_graph();
        let staged = sources.iter().zip(&surveys).map(|(graph, survey)| {
            let staging = staging_graph(&survey.digest, &graph.name);
            StagedGraph { graph, survey, staging }
        });
        let all = self.after_earlier_runs(staged.collect(), rows)?;
        for batch in self.in_batches(all, shared.count() > 0) {
            self.batches.batch(&batch)?;
        }
        Ok(())
    }

    /// When resuming, leaves out graphs that an earlier run has put in place, and removes what it has left of the
    /// others.
    fn after_earlier_runs<'b, 's>(
        &mut self,
        all: Vec<StagedGraph<'b, 's>>,
        rows: &[RegisterRow],
    ) -> Result<Vec<StagedGraph<'b, 's>>, RunFailure> {
        let ours: HashSet<(&str, &str)> =
            all.iter().map(|staged| (staged.graph.name.as_str(), staged.staging.as_str())).collect();
        let names: HashSet<&str> = ours.iter().map(|(name, _)| *name).collect();
        let is_same = |row: &RegisterRow| ours.contains(&(row.graph.as_str(), row.staging.as_str()));
        let of_ours = rows.iter().filter(|row| names.contains(row.graph.as_str()));
        let (kept, stale): (Vec<&RegisterRow>, Vec<&RegisterRow>) =
            of_ours.partition(|row| self.export.resumes && is_same(row));
        let stale: Vec<RegisterRow> = stale.into_iter().cloned().collect();
        register::remove(self.requests, &stale)?;
        let placed: Vec<RegisterRow> =
            kept.into_iter().filter(|row| row.state == StagingState::Placed).cloned().collect();
        let stagings: HashSet<String> = placed.iter().map(|row| row.staging.clone()).collect();
        let (done, left): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|staged| stagings.contains(&staged.staging));
        for staged in done {
            self.batches.quads += staged.survey.quads;
            self.batches.progress.advance(staged.survey.quads);
        }
        self.batches.placed.extend(placed);
        Ok(left)
    }

    /// Groups graphs into batches. A sidecar goes with its document. If other graphs share blank nodes, all graphs with
    /// shared nodes go together.
    fn in_batches<'b, 's>(
        &self,
        all: Vec<StagedGraph<'b, 's>>,
        are_shared: bool,
    ) -> Vec<Vec<StagedGraph<'b, 's>>> {
        if self.requests.remote.quads.is_none() {
            return all.into_iter().map(|staged| vec![staged]).collect();
        }
        let (together, alone): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|staged| are_shared && staged.survey.with_nodes > 0);
        let mut batches = if together.is_empty() { Vec::new() } else { vec![together] };
        let (mut batch, mut quads) = (Vec::new(), 0);
        for staged in alone {
            let count = staged.survey.quads;
            let is_beside = batch
                .last()
                .is_some_and(|last: &StagedGraph<'_, '_>| last.graph.document() == staged.graph.document());
            let is_full = quads + count > BATCH_QUADS || batch.len() >= BATCH_GRAPHS;
            if is_full && !batch.is_empty() && !is_beside {
                batches.push(std::mem::take(&mut batch));
                quads = 0;
            }
            quads += count;
            batch.push(staged);
        }
        batches.extend((!batch.is_empty()).then_some(batch));
        batches
    }

    /// The warning about blank nodes that occur in several graphs and are split by the transfer.
    fn are_parted(&self, count: u64) -> Diagnostic {
        let shared = match count {
            1 => "a blank node occurs".to_owned(),
            _ => format!("{count} blank nodes occur"),
        };
        let why = match self.requests.remote.quads {
            Some(_) => "too many to be sent together",
            None => "sent one by one to this server",
        };
        let message = format!("{shared} in several graphs, which are {why}: each graph gets its own copy");
        Diagnostic::new(FindingSeverity::Warning, "export::shared-nodes", message)
    }

    /// Adds to a failure what was done before it, and what was not.
    fn with_account(&self, failure: RunFailure) -> RunFailure {
        let RunFailure::Fault(mut fault) = failure else { return failure };
        let BatchTransfer { placed, moving, existing, .. } = &self.batches;
        let account = FailedExport {
            placed: placed.iter().map(|row| row.graph.as_str()).collect(),
            moving: moving.iter().map(String::as_str).collect(),
            total: self.total,
            has_sent: self.requests.sent().1 > 0,
            has_arrived: self.requests.has_arrived() || self.export.resumes,
            extends: *existing == ExistingGraphPolicy::Extended,
            is_registered: self.requests.remote.update.is_some(),
        };
        fault.help.extend(account.words());
        RunFailure::Fault(fault)
    }
}

/// Moves sidecars behind the graphs of their documents.
fn beside_their_documents(mut sources: Vec<SourceGraph<'_>>) -> Vec<SourceGraph<'_>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    for (at, source) in sources.iter().enumerate() {
        places.entry(source.document()).or_insert(at);
    }
    sources.sort_by_key(|source| places.get(&source.document()).copied());
    sources
}

/// The names of graphs.
fn names(graphs: &[TermId], terms: &TermDictionary) -> Result<Vec<String>, RunFailure> {
    let name = |graph: &TermId| match terms.kind(*graph) {
        RdfTermKind::Iri => Ok(terms.lexical(*graph).to_owned()),
        _ => {
            let message = "a graph is named by a blank node, so it cannot be requested from a server";
            let fault = Diagnostic::error("export::unnamed-graph", message);
            Err(fault.with_help("give the graph an IRI").into())
        }
    };
    graphs.iter().map(name).collect()
}

fn exist(graphs: &[&str]) -> Diagnostic {
    let named = named(graphs, SHOWN);
    let are = if graphs.len() == 1 { "is" } else { "are" };
    let message = format!("{named} {are} there already");
    let fault = Diagnostic::error("export::graph-exists", message);
    fault.with_help(help![setting("replace"), " replaces, ", setting("append"), " adds to what is there"])
}
