//! The transfer of a batch of graphs: its pieces go to staging graphs, are compared there, and are put in place
//! together.

use std::ops::ControlFlow;

use super::account::{NAMED, named};
use super::graph_placement;
use super::pieces::{BatchPiece, StagedGraph, pieces, pieces_sent};
use super::register::{self, RegisterRow, StagingState};
use super::requests::ServerRequests;
use super::server_export_form::ExistingGraphPolicy;
use crate::export::verification::ExportVerification;
use crate::input::progress::WorkProgress;
use crate::net::{is_passing, may_be_done};
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_store::{EncodedQuad, TermDictionary};

/// How often a batch is sent if the server has not kept the graph as it was sent, or has not confirmed what it has
/// kept.
const TRIES: usize = 2;

/// The work on the batches of an export.
pub(super) struct BatchTransfer<'w> {
    pub(super) requests: &'w ServerRequests,
    pub(super) existing: ExistingGraphPolicy,
    pub(super) resumes: bool,
    pub(super) verifies: bool,
    pub(super) verification: ExportVerification,
    pub(super) progress: Box<dyn WorkProgress>,
    /// Differences in graphs that the server has not kept as they were sent.
    pub(super) differences: Vec<Diagnostic>,
    /// The register rows of graphs that are in place.
    pub(super) placed: Vec<RegisterRow>,
    /// The graphs that are being put in place.
    pub(super) moving: Vec<String>,
    /// How many quads are in place.
    pub(super) quads: u64,
}

impl BatchTransfer<'_> {
    /// Sends a batch, and puts its graphs in place.
    pub(super) fn batch(&mut self, batch: &[StagedGraph<'_, '_>]) -> Result<(), RunFailure> {
        let rows: Vec<RegisterRow> = batch.iter().map(row).collect();
        let mut sent = self.sent_before(batch, &rows)?;
        for tries_left in (0..TRIES).rev() {
            let is_last = tries_left == 0;
            if !self.send(batch, sent, is_last)? {
                self.begin_anew(&rows)?;
                sent = 0;
                continue;
            }
            let differences = self.differences(batch)?;
            if !is_last && differences.iter().any(Option::is_some) {
                self.begin_anew(&rows)?;
                sent = 0;
                continue;
            }
            let (good, bad): (Vec<_>, Vec<_>) =
                batch.iter().zip(differences).partition(|(_, found)| found.is_none());
            let bad_rows: Vec<RegisterRow> = bad.iter().map(|(staged, _)| row(staged)).collect();
            let differences = bad.into_iter().filter_map(|(_, difference)| difference);
            self.differences.extend(differences.map(not_placed));
            self.forget(&bad_rows)?;
            let good: Vec<&StagedGraph<'_, '_>> = good.into_iter().map(|(staged, _)| staged).collect();
            if good.is_empty() || self.place(&good)? {
                return Ok(());
            }
            self.begin_anew(&rows)?;
            sent = 0;
        }
        let names: Vec<&str> = batch.iter().map(|staged| staged.graph.name.as_str()).collect();
        Err(not_in_place(&names).into())
    }

    /// How many pieces an earlier run has sent. If what it has left is not a whole number of pieces, that is removed.
    fn sent_before(&self, batch: &[StagedGraph<'_, '_>], rows: &[RegisterRow]) -> Result<usize, RunFailure> {
        if self.resumes {
            let names: Vec<&str> = batch.iter().map(|staged| staged.staging.as_str()).collect();
            let (sizes, found) = (sizes(batch), self.requests.counts(&names)?);
            if let Some(sent) = pieces_sent(&pieces(&sizes), &sizes, &found) {
                register::add(self.requests, rows)?;
                return Ok(sent);
            }
        }
        // Without a register there is no record of what an earlier run has left.
        if self.resumes || self.requests.remote.update.is_none() {
            self.forget(rows)?;
        }
        register::add(self.requests, rows)?;
        Ok(0)
    }

    /// Sends the pieces from number `from` on. Returns whether the server has confirmed all of them.
    fn send(&self, batch: &[StagedGraph<'_, '_>], from: usize, is_last: bool) -> Result<bool, RunFailure> {
        let sizes = sizes(batch);
        for (at, piece) in pieces(&sizes).iter().enumerate() {
            if at >= from {
                match self.requests.send(batch, piece) {
                    // A second copy of the blank nodes would be different nodes, so the graph would contain them twice.
                    Err(fault) if *piece == BatchPiece::Nodes && !is_last && is_passing(&fault) => {
                        return Ok(false);
                    }
                    sent => sent?,
                }
            }
            batch.iter().try_for_each(|staged| staged.graph.check())?;
            self.progress.advance(piece.len(&sizes));
        }
        Ok(true)
    }

    /// The difference in each graph, if there is one.
    fn differences(&mut self, batch: &[StagedGraph<'_, '_>]) -> Result<Vec<Option<Diagnostic>>, RunFailure> {
        let names: Vec<&str> = batch.iter().map(|staged| staged.staging.as_str()).collect();
        let counts = if self.verifies { Vec::new() } else { self.requests.counts(&names)? };
        let mut differences = Vec::new();
        for (at, staged) in batch.iter().enumerate() {
            let is_counted = counts.get(at) == Some(&staged.survey.quads);
            differences.push(if is_counted { None } else { self.difference(staged)? });
        }
        Ok(differences)
    }

    fn difference(&mut self, staged: &StagedGraph<'_, '_>) -> Result<Option<Diagnostic>, RunFailure> {
        let cancellation = &self.requests.cancellation;
        let verification = &mut self.verification;
        let mut ours =
            |take: &mut dyn FnMut(EncodedQuad, &TermDictionary) -> ControlFlow<()>| staged.graph.each(take);
        self.requests.graph(&staged.staging, |theirs| {
            let theirs = theirs.map(|triple| {
                cancellation.check()?;
                triple
            });
            verification.graph(&staged.graph.name, &mut ours, theirs)
        })
    }

    /// Puts graphs in place. Returns whether they are in place afterwards.
    fn place(&mut self, batch: &[&StagedGraph<'_, '_>]) -> Result<bool, RunFailure> {
        self.requests.cancellation.check()?;
        let staged_in: Vec<&str> = batch.iter().map(|staged| staged.staging.as_str()).collect();
        let names: Vec<&str> = batch.iter().map(|staged| staged.graph.name.as_str()).collect();
        let rows: Vec<RegisterRow> = batch.iter().map(|staged| row(staged)).collect();
        // Some servers accept MOVE of an empty graph. Then an earlier request that was still running would go
        // unnoticed.
        let before = self.requests.counts(&staged_in)?;
        if before.contains(&0) {
            return Ok(false);
        }
        let moved = match self.requests.remote.update {
            Some(_) => {
                let update = graph_placement::update(&rows, self.existing, self.requests.remote.moving);
                self.requests.update(&update, false)
            }
            None => batch.iter().try_for_each(|staged| {
                self.requests.send_to_place(staged, self.existing != ExistingGraphPolicy::Extended)
            }),
        };
        if moved.as_ref().err().is_none_or(|fault| may_be_done(fault)) {
            self.moving = names.iter().map(ToString::to_string).collect();
        }
        if moved.is_err() && !self.are_placed(&rows).unwrap_or(false) {
            moved?;
        }
        let after = self.requests.counts(&names)?;
        let is_there = |before: &u64, after: &u64| match self.existing {
            ExistingGraphPolicy::Extended => after >= before,
            _ => after == before,
        };
        if !before.iter().zip(&after).all(|(before, after)| is_there(before, after)) {
            return match self.existing {
                // Adding them again would duplicate the blank nodes.
                ExistingGraphPolicy::Extended => Err(not_in_place(&names).into()),
                _ => Ok(false),
            };
        }
        self.moving.clear();
        self.quads += batch.iter().map(|staged| staged.survey.quads).sum::<u64>();
        self.placed.extend(rows.iter().map(|row| RegisterRow { state: StagingState::Placed, ..row.clone() }));
        if self.requests.remote.update.is_none() {
            self.forget(&rows)?;
        }
        Ok(true)
    }

    /// Returns whether graphs are in place. Used after a request without a response.
    fn are_placed(&self, rows: &[RegisterRow]) -> Result<bool, RunFailure> {
        let known = register::read(self.requests)?;
        let is_placed =
            |row: &RegisterRow| known.contains(&RegisterRow { state: StagingState::Placed, ..row.clone() });
        Ok(rows.iter().all(is_placed))
    }

    /// Removes what was sent of a batch, so it can be sent again.
    fn begin_anew(&self, rows: &[RegisterRow]) -> Result<(), RunFailure> {
        self.forget(rows)?;
        Ok(register::add(self.requests, rows)?)
    }

    /// Removes staging graphs.
    fn forget(&self, rows: &[RegisterRow]) -> Result<(), RunFailure> {
        if self.requests.remote.update.is_some() {
            return Ok(register::remove(self.requests, rows)?);
        }
        Ok(rows.iter().try_for_each(|row| self.requests.delete(&row.staging))?)
    }
}

/// The difference in a graph, with a note on what happens to the graph.
fn not_placed(difference: Diagnostic) -> Diagnostic {
    difference.with_help("the graph was not put in place: the server still has what it had before")
}

/// The register row of a graph that is being sent.
fn row(staged: &StagedGraph<'_, '_>) -> RegisterRow {
    RegisterRow {
        graph: staged.graph.name.clone(),
        staging: staged.staging.clone(),
        state: StagingState::Staged,
    }
}

/// The number of quads without and with blank nodes, for each graph.
fn sizes(batch: &[StagedGraph<'_, '_>]) -> Vec<(u64, u64)> {
    let size = |staged: &StagedGraph<'_, '_>| {
        let survey = staged.survey;
        (survey.quads - survey.with_nodes, survey.with_nodes)
    };
    batch.iter().map(size).collect()
}

fn not_in_place(graphs: &[&str]) -> Diagnostic {
    let graphs = named(graphs, NAMED);
    let message = format!("the server accepted every request, but did not put {graphs} in place");
    Diagnostic::error("export::not-in-place", message).with_help("does another program change these graphs?")
}
