//! Loads documents: reads and parses them on all cores, names their datasets, and makes a graph of each.

use std::path::Path;

use super::dataset_names::StoredNames;
use super::json_ld::{JsonLd, LoadOptions};
use super::loaded::{HeldAgainst, Loaded, RecordFile, all_changes, gold, loaded};
use super::loader::{Loader, Pieces};
use super::named::{Named, in_datasets};
use super::opened::{Content, Opened};
use crate::input::options::Inputs;
use crate::input::source::InputSource;
use evalgraph_diagnostics::{Failure, Report};
use evalgraph_formats::train::figures::Gold;
use evalgraph_store::{DocumentBuilder, NamedDocument};
use evalgraph_work::pool::on_all_cores;

/// The result that is wanted of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Their quads.
    Quads,
    /// Their quads, and their entries in the catalog.
    Catalog,
    /// How many quads they have, and their figures.
    Figures {
        /// The size of pieces for all files of records, however small they are. Without it, only large files
        /// are read in pieces.
        in_pieces_of: Option<u64>,
    },
}

/// Loads sources, each into a graph of its own.
///
/// # Errors
///
/// Where an input is at fault and the rest is not wanted; all inputs are looked at first.
pub fn load(
    sources: Vec<InputSource>,
    input: &Inputs,
    loading: &LoadOptions,
    wanted: Wanted,
    report: &mut Report,
) -> Result<Vec<(Loaded, NamedDocument)>, Failure> {
    let json_ld = JsonLd::new(&loading.iris, &loading.json_ld, &input.reading)?;
    // A list of single changes must not bury the result of a query; figures come with that list.
    let tells_changes = matches!(wanted, Wanted::Figures { .. }) || report.shows_all();
    let pieces = match wanted {
        Wanted::Figures { in_pieces_of } => in_pieces_of.map_or(Pieces::OfLarge, Pieces::Of),
        Wanted::Quads | Wanted::Catalog => Pieces::Never,
    };
    let is_plain = loading.plain;
    let loader = Loader { pieces, ..Loader::new(input, &json_ld, is_plain, tells_changes) };
    let names = StoredNames::default();
    let (named, progress) = loader.open_sources(sources, loading.dataset.as_deref(), &names, report);
    let groups = match wanted {
        Wanted::Catalog => in_datasets(named),
        Wanted::Quads | Wanted::Figures { .. } => named.into_iter().map(|named| vec![named]).collect(),
    };
    let of =
        |group: &[Named], has: fn(&Content) -> bool| group.iter().any(|named| has(&named.opened.content));
    let is_wanted = groups.iter().any(|group| of(group, Content::is_evaluation));
    // Evaluations that are read in pieces are measured last, because recall needs the rows of every other file.
    let (later, now): (Vec<_>, Vec<_>) =
        groups.into_iter().enumerate().partition(|(_, group)| of(group, Content::is_measured_once));
    let load_group = |(at, group): (usize, Vec<Named>), gold: &Gold, part: &mut Report| {
        let size = group.iter().map(|named| named.size).sum();
        let loaded = loader.load(group, wanted, HeldAgainst { gold, is_wanted }, part);
        progress.advance(size);
        Some((at, loaded))
    };
    let mut loaded = on_all_cores(now, report, |group, part| load_group(group, &Gold::default(), part));
    if !later.is_empty() {
        let done = loaded.iter().flat_map(|(_, loaded)| loaded);
        let gold = gold(done.filter_map(|(loaded, _)| loaded.records.as_ref()));
        loaded.extend(on_all_cores(later, report, |group, part| load_group(group, &gold, part)));
        loaded.sort_by_key(|(at, _)| *at);
    }
    let loaded: Vec<_> = loaded.into_iter().flat_map(|(_, loaded)| loaded).collect();
    input.check(report)?;
    if !tells_changes {
        report.add_all(&all_changes(loaded.iter().map(|(loaded, _)| loaded.costs.changes)));
    }
    Ok(loaded)
}

impl Loader<'_> {
    /// Loads the documents of one group; documents at fault are left out.
    fn load(
        &self,
        group: Vec<Named>,
        wanted: Wanted,
        held_against: HeldAgainst<'_>,
        report: &mut Report,
    ) -> Vec<(Loaded, NamedDocument)> {
        if matches!(wanted, Wanted::Catalog) {
            return self.load_with_catalog(group, report);
        }
        let load = |named: Named| {
            if matches!(named.opened.content, Content::Large(_)) {
                return self.load_in_pieces(named, held_against, report);
            }
            let (builder, costs) = self.built(&named, report)?;
            Some(loaded(named, builder, matches!(wanted, Wanted::Figures { .. }), costs))
        };
        group.into_iter().filter_map(load).collect()
    }

    /// Counts a file that is read in pieces; its graph stays empty.
    fn load_in_pieces(
        &self,
        named: Named,
        held_against: HeldAgainst<'_>,
        report: &mut Report,
    ) -> Option<(Loaded, NamedDocument)> {
        let graph = named.graph();
        let Named { opened: Opened { format, origin, content, .. }, dataset, .. } = named;
        let Content::Large(mut large) = content else { return None };
        let (held, quads, costs) =
            self.count_in_pieces(&mut large, &origin, &dataset, held_against, report)?;
        let path = origin.path().map(Path::to_owned);
        let records = Some(RecordFile { held, recognised: large.found.recognised, path });
        let (detection, figures) = (None, None);
        let name = origin.name;
        let loaded = Loaded { name, format, dataset, detection, figures, records, quads, costs };
        Some((loaded, NamedDocument { graph, builder: DocumentBuilder::new() }))
    }
}
