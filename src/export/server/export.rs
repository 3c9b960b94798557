//! The export of graphs to a server, from the first question to the last.

use std::cell::RefCell;
use std::collections::HashSet;

use super::account::{Account, named};
use super::batch::Batches;
use super::form::{Existing, Sent, ServerExport};
use super::pieces::Staged;
use super::register::{self, Row, State};
use super::remote::Remote;
use super::requests::Requests;
use super::source_graph::{Quads, SourceGraph, Survey};
use crate::diagnostic::help::{help, setting};
use crate::diagnostic::{Diagnostic, Failure, Report, Severity};
use crate::export::data::{ExportData, Texts};
use crate::export::shared_nodes::SharedNodes;
use crate::export::verification::Verification;
use crate::input::progress::Watch;
use crate::load::quads::With;
use crate::net::Server;
use crate::rdf::minted::{STAGING_GRAPH, sidecar_graph, staging_graph};
use crate::store::{Dictionary, Kind, TermId};

/// How many quads and graphs a batch has, unless one graph has more: servers change places in memory, and take forms of some
/// 200,000 bytes.
const BATCH_QUADS: u64 = 200_000;
const BATCH_GRAPHS: usize = 50;

/// How many graphs a message names.
const SHOWN: usize = 8;

/// The result of an export.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) sent: Sent,
    /// The graphs that the server has not kept as they were sent, which have not taken their places.
    pub(crate) differences: Vec<Diagnostic>,
}

impl ServerExport {
    /// Sends graphs to the server.
    ///
    /// # Errors
    ///
    /// Where a graph is there and neither replaced nor extended; the faults of the server and of the store.
    pub(crate) fn send(
        &self,
        data: &mut ExportData<'_>,
        graphs: &[TermId],
        watch: Watch,
        report: &mut Report,
    ) -> Result<Outcome, Failure> {
        let cancellation = &self.server.cancellation;
        let remote = Remote::of(&self.place, self.server.credentials.is_some());
        let requests = Requests::new(Server::new(self.server.clone())?, remote, cancellation.clone());
        let total = graphs.iter().map(|graph| data.dataset().graph_quad_count(*graph) as u64).sum();
        let batches = Batches {
            requests: &requests,
            existing: self.existing,
            resumes: self.resumes,
            verifies: self.verifies,
            verification: Verification::new(requests.remote.product),
            progress: watch.begin("exporting", total),
            differences: Vec::new(),
            placed: Vec::new(),
            moving: Vec::new(),
            quads: 0,
        };
        let mut run =
            Run { export: self, requests: &requests, batches, notes: Vec::new(), total: graphs.len() };
        let result = run.all(data, graphs, report);
        report.add_all(&run.notes);
        if let Err(failure) = result {
            report.add_all(&run.batches.differences);
            return Err(run.with_account(failure));
        }
        report.add_all(&run.batches.verification.notes());
        let (count, bytes) = requests.sent();
        let Batches { differences, placed, quads, .. } = run.batches;
        let sent = Sent { quads, graphs: placed.len() as u64, requests: count, bytes };
        Ok(Outcome { sent, differences })
    }
}

/// An export that goes on.
struct Run<'r> {
    export: &'r ServerExport,
    requests: &'r Requests,
    batches: Batches<'r>,
    notes: Vec<Diagnostic>,
    /// How many graphs go, as far as that is known.
    total: usize,
}

impl Run<'_> {
    fn all(
        &mut self,
        data: &mut ExportData<'_>,
        graphs: &[TermId],
        report: &mut Report,
    ) -> Result<(), Failure> {
        if self.export.creates {
            self.requests.create()?;
        }
        // A wrong address is told before anything is sent to it.
        self.requests.counts(&[STAGING_GRAPH])?;
        let rows = register::read(self.requests)?;
        {
            let (dataset, texts) = data.quads_and_texts();
            let texts = RefCell::new(texts);
            let names = names(graphs, texts.borrow().terms())?;
            self.check_targets(&names, &rows)?;
            let sources: Vec<SourceGraph<'_>> = names
                .iter()
                .zip(graphs)
                .map(|(name, graph)| SourceGraph::new(name.clone(), Quads::Dataset(dataset, *graph), &texts))
                .collect();
            self.graphs(&sources, &rows)?;
        }
        data.each_kept_sidecar(&self.export.graphs, report, |mut sidecar, terms| {
            // What was made anew may say a thing twice.
            sidecar.triples.sort_unstable();
            sidecar.triples.dedup();
            let texts = RefCell::new(Texts::Loaded(terms));
            let name = terms.lexical(sidecar.name).to_owned();
            self.total += 1;
            self.graphs(&[SourceGraph::new(name, Quads::Made(&sidecar), &texts)], &rows)
        })?;
        Ok(register::remove(self.requests, &self.batches.placed)?)
    }

    /// Refuses graphs that are there, unless they are replaced or extended.
    fn check_targets(&self, names: &[String], rows: &[Row]) -> Result<(), Failure> {
        if self.export.existing != Existing::Kept {
            return Ok(());
        }
        let of_sidecars = names.iter().filter(|_| self.export.graphs.with.contains(&With::Sidecar));
        let of_sidecars = of_sidecars.filter_map(|name| sidecar_graph(name));
        let is_ours = |name: &str| {
            let is_placed = |row: &Row| row.graph == name && row.state == State::Placed;
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

    /// Sends graphs, batch by batch.
    fn graphs(&mut self, sources: &[SourceGraph<'_>], rows: &[Row]) -> Result<(), Failure> {
        let mut shared = SharedNodes::default();
        let survey = |source: &SourceGraph<'_>| source.survey(&mut shared, &self.requests.cancellation);
        let surveys = sources.iter().map(survey).collect::<Result<Vec<Survey>, _>>()?;
        let all: Vec<Staged<'_, '_>> = sources
            .iter()
            .zip(&surveys)
            .map(|(graph, survey)| {
                let staging = staging_graph(&survey.digest, &graph.name);
                Staged { graph, survey, staging }
            })
            .collect();
        let all = self.after_earlier_runs(all, rows)?;
        let are_shared = shared.count() > 0;
        if are_shared && self.requests.remote.quads.is_none() {
            self.notes.push(parted(shared.count()));
        }
        for batch in self.in_batches(all, are_shared) {
            self.batches.batch(&batch)?;
        }
        Ok(())
    }

    /// Leaves out graphs that an earlier run has put in place, where this one goes on with it, and removes what it has left
    /// of others.
    fn after_earlier_runs<'b, 's>(
        &mut self,
        all: Vec<Staged<'b, 's>>,
        rows: &[Row],
    ) -> Result<Vec<Staged<'b, 's>>, Failure> {
        let ours: HashSet<(&str, &str)> =
            all.iter().map(|staged| (staged.graph.name.as_str(), staged.staging.as_str())).collect();
        let names: HashSet<&str> = ours.iter().map(|(name, _)| *name).collect();
        let is_same = |row: &Row| ours.contains(&(row.graph.as_str(), row.staging.as_str()));
        let of_ours = rows.iter().filter(|row| names.contains(row.graph.as_str()));
        let (kept, stale): (Vec<&Row>, Vec<&Row>) =
            of_ours.partition(|row| self.export.resumes && is_same(row));
        let stale: Vec<Row> = stale.into_iter().cloned().collect();
        register::remove(self.requests, &stale)?;
        let placed: Vec<Row> = kept.into_iter().filter(|row| row.state == State::Placed).cloned().collect();
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

    /// Puts graphs into batches; those that share blank nodes go together, since a blank node of one request is another one
    /// in the next.
    fn in_batches<'b, 's>(&self, all: Vec<Staged<'b, 's>>, are_shared: bool) -> Vec<Vec<Staged<'b, 's>>> {
        if self.requests.remote.quads.is_none() {
            return all.into_iter().map(|staged| vec![staged]).collect();
        }
        let (together, alone): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|staged| are_shared && staged.survey.with_nodes > 0);
        let mut batches = if together.is_empty() { Vec::new() } else { vec![together] };
        let (mut batch, mut quads) = (Vec::new(), 0);
        for staged in alone {
            let count = staged.survey.quads;
            if !batch.is_empty() && (quads + count > BATCH_QUADS || batch.len() == BATCH_GRAPHS) {
                batches.push(std::mem::take(&mut batch));
                quads = 0;
            }
            quads += count;
            batch.push(staged);
        }
        batches.extend((!batch.is_empty()).then_some(batch));
        batches
    }

    /// A failure that says what was done before it, and what was not.
    fn with_account(&self, failure: Failure) -> Failure {
        let Failure::Fault(mut fault) = failure else { return failure };
        let Batches { placed, moving, existing, .. } = &self.batches;
        let account = Account {
            placed: placed.iter().map(|row| row.graph.as_str()).collect(),
            moving: moving.iter().map(String::as_str).collect(),
            total: self.total,
            has_sent: self.requests.sent().1 > 0,
            has_arrived: self.requests.has_arrived() || self.export.resumes,
            extends: *existing == Existing::Extended,
            is_registered: self.requests.remote.update.is_some(),
        };
        fault.help.extend(account.words());
        Failure::Fault(fault)
    }
}

/// The names of graphs.
fn names(graphs: &[TermId], terms: &Dictionary) -> Result<Vec<String>, Failure> {
    let name = |graph: &TermId| match terms.kind(*graph) {
        Kind::Iri => Ok(terms.lexical(*graph).to_owned()),
        _ => {
            let message = "a graph has a blank node for its name, by which a server cannot be asked for it";
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

/// The warning about blank nodes of several graphs.
fn parted(shared: u64) -> Diagnostic {
    let message = match shared {
        1 => "a blank node stands in several graphs, and is another one in each on this server".to_owned(),
        _ => format!("{shared} blank nodes stand in several graphs, and are others in each on this server"),
    };
    Diagnostic::new(Severity::Warning, "export::shared-nodes", message)
}
