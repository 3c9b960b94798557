//! Loads documents for `query` and `stats`: reads and parses them on all cores, names their
//! datasets, and makes a graph of each.
//!
//! What loading changes beyond the specification is for [`source`](crate::source) to say; here it
//! is counted and switched off by `--plain`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::dataset_names::{Names, StoredNames};
use super::documents::Inputs;
use super::json_ld::{JsonLd, JsonLdSettings, StrayIds};
use super::large_checkpoint::CheckpointPieces;
use super::large_records::LargeRecords;
use super::named::{Content, DIGESTED, Named, Opened, in_datasets};
use super::one_namespace::OneNamespace;
use super::progress::Progress;
use super::records::{base, each_document};
use super::stats_pieces::{CountedFile, HeldAgainst};
use super::stats_records::{Held, RecordFile, gold, is_rows};
use super::{documents, threads};
use crate::diagnostic::{Diagnostic, Failure, Report, Severity, SourceText, thousands};
use crate::input::corpus::corpus_beside;
use crate::input::options::IriOptions;
use crate::input::origin::Origin;
use crate::input::source::{Input, InputSource};
use crate::json::Document;
use crate::jsonld::LoadMode;
use crate::rdf::iri::percent_encode_into;
use crate::rdf::{QuadSink, RdfFormat};
use crate::source::catalog;
use crate::source::karenina::figures::Figures;
use crate::source::karenina::{Adaptation, Detection, Survey};
use crate::source::train::describe_corpus;
use crate::source::train::figures::Gold;
use crate::store::{DocumentBuilder, NamedDocument};

/// How documents reach a dataset.
#[derive(Debug, Clone, Default)]
pub(super) struct LoadOptions {
    /// Whether exactly what the specification yields is loaded: no merged namespaces, no minted ids.
    pub(super) plain: bool,
    /// The name of the dataset, where it is not to be the root's `@id` or the file's stem.
    pub(super) dataset: Option<String>,
    pub(super) iris: IriOptions,
    pub(super) json_ld: JsonLdSettings,
}

/// What is known of a document besides its quads.
#[derive(Debug)]
pub(super) struct Loaded {
    /// The name in messages.
    pub(super) name: String,
    /// The format it was read in.
    pub(super) format: RdfFormat,
    /// The name of its dataset.
    pub(super) dataset: String,
    /// What it was found to be; none for a format other than JSON-LD.
    pub(super) detection: Option<Detection>,
    /// Its figures, where it is a checkpoint.
    pub(super) figures: Option<Figures>,
    /// The file, where it is one of records and its figures are wanted.
    pub(super) records: Option<RecordFile>,
    /// How many distinct quads it holds.
    pub(super) quads: u64,
    /// How many warnings there were.
    pub(super) warnings: u64,
    /// How many triples are missing.
    pub(super) lost: u64,
    changes: Changes,
}

/// What loading changed in a document beyond the specification.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Changes {
    /// How many ids were made distinct.
    ids: u64,
    /// How often an IRI was moved to the one namespace of schema.org.
    iris: u64,
}

impl Changes {
    /// That many IRIs were moved, and no id was made distinct.
    pub(super) fn of_iris(iris: u64) -> Self {
        Self { ids: 0, iris }
    }

    /// Adds what was changed in another part.
    pub(super) fn add(&mut self, other: Self) {
        self.ids += other.ids;
        self.iris += other.iris;
    }
}

/// What loading a document has changed and cost.
#[derive(Clone, Copy)]
pub(super) struct Costs {
    pub(super) changes: Changes,
    pub(super) warnings: u64,
    pub(super) lost: u64,
}

/// A document with its quads, and what is known of it; its figures where it is to be counted.
pub(super) fn loaded(
    named: Named,
    mut builder: DocumentBuilder,
    is_counted: bool,
    costs: Costs,
) -> (Loaded, NamedDocument) {
    let (mut detection, mut figures, mut records) = (None, None, None);
    match &named.opened.content {
        Content::Json { document, survey, detection: found, .. } => {
            detection = Some(found.clone());
            let count = || Figures { dialect: found.dialect, ..Figures::of(document, survey) };
            figures = is_counted.then(count);
        }
        Content::Records { file, recognised, .. } => {
            let path = named.opened.origin.path().map(Path::to_owned);
            let (held, recognised) = (Held::Document(Arc::clone(file)), recognised.clone());
            records = is_counted.then_some(RecordFile { held, recognised, path });
        }
        Content::LargeCheckpoint(large) => detection = Some(large.detection.clone()),
        Content::Large(_) | Content::Other(_) => {}
    }
    let quads = builder.finish() as u64;
    let graph = named.graph();
    let Named { opened: Opened { name, format, .. }, dataset, .. } = named;
    let Costs { changes, warnings, lost } = costs;
    let loaded =
        Loaded { name, format, dataset, detection, figures, records, quads, warnings, lost, changes };
    (loaded, NamedDocument { graph, builder })
}

/// What is wanted of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Their quads.
    Quads,
    /// Their quads, and their entries in the catalog.
    Catalog,
    /// How many quads they have, and their figures.
    Figures {
        /// Files of records are read in pieces of that many bytes, however small they are. Without it those
        /// are that are large.
        in_pieces_of: Option<u64>,
    },
}

/// Loads all inputs; each comes with its graph.
///
/// # Errors
///
/// Stops after all inputs were looked at, where one was at fault and the rest is not wanted.
pub(super) fn load(
    input: &Inputs,
    loading: &LoadOptions,
    wanted: Wanted,
    report: &mut Report,
) -> Result<Vec<(Loaded, NamedDocument)>, Failure> {
    let json_ld = JsonLd::new(&loading.iris, &loading.json_ld, &input.reading)?;
    // Who asks for quads asks for a result: that must not drown in what was changed where.
    let tells_changes = matches!(wanted, Wanted::Figures { .. }) || report.shows_all();
    let pieces = match wanted {
        Wanted::Figures { in_pieces_of } => in_pieces_of.map_or(Pieces::OfLarge, Pieces::Of),
        Wanted::Quads | Wanted::Catalog => Pieces::Never,
    };
    let is_plain = loading.plain;
    let loader = Loader { pieces, ..Loader::new(input, &json_ld, is_plain, tells_changes) };
    let (named, progress) = loader.open_all(loading.dataset.as_deref(), report)?;
    let groups = match wanted {
        Wanted::Catalog => in_datasets(named),
        Wanted::Quads | Wanted::Figures { .. } => named.into_iter().map(|named| vec![named]).collect(),
    };
    let of =
        |group: &[Named], has: fn(&Content) -> bool| group.iter().any(|named| has(&named.opened.content));
    let is_wanted = groups.iter().any(|group| of(group, Content::is_evaluation));
    // What is read once is measured when all is known that it is held against.
    let (later, now): (Vec<_>, Vec<_>) =
        groups.into_iter().enumerate().partition(|(_, group)| of(group, Content::is_measured_once));
    let load_group = |(at, group): (usize, Vec<Named>), gold: &Gold, part: &mut Report| {
        let size = group.iter().map(|named| named.size).sum();
        let loaded = loader.load(group, (wanted, HeldAgainst { gold, is_wanted }), part);
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
    documents::check(input, report)?;
    if !tells_changes {
        report.add_all(&all_changes(loaded.iter().map(|(loaded, _)| loaded.changes)));
    }
    Ok(loaded)
}

/// Does the work on all cores where there is more than one piece. Findings and results come in the
/// order of the pieces; a piece without result is at fault.
pub(super) fn on_all_cores<T: Send, R: Send>(
    pieces: Vec<T>,
    report: &mut Report,
    work: impl Fn(T, &mut Report) -> Option<R> + Sync,
) -> Vec<R> {
    if pieces.len() <= 1 {
        return pieces.into_iter().filter_map(|piece| work(piece, report)).collect();
    }
    threads::begin_pool();
    let empty = report.part();
    let done: Vec<(Report, Option<R>)> = pieces
        .into_par_iter()
        .map(|piece| {
            let mut part = empty.part();
            let result = work(piece, &mut part);
            (part, result)
        })
        .collect();
    let mut results = Vec::with_capacity(done.len());
    for (part, result) in done {
        report.absorb(part);
        results.extend(result);
    }
    results
}

impl Loaded {
    pub(super) fn changes(&self) -> Changes {
        self.changes
    }
}

/// Which files of records are read in pieces, which yields no quads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pieces {
    /// None.
    Never,
    /// Large ones.
    OfLarge,
    /// All, in pieces of that many bytes.
    Of(u64),
}

/// The way of documents into a sink.
pub(super) struct Loader<'l> {
    pub(super) input: &'l Inputs,
    pub(super) json_ld: &'l JsonLd,
    /// Whether nothing is changed beyond the specification.
    pub(super) is_plain: bool,
    /// Whether each change is a finding of its own.
    pub(super) tells_changes: bool,
    /// Which files of records are read in pieces.
    pub(super) pieces: Pieces,
    /// Whether it will be told where nodes stand.
    pub(super) tells_places: bool,
    /// Whether the SHA-256 of files is wanted.
    pub(super) is_hashed: bool,
    /// Which checkpoints are read in pieces, by [`Loader::pieces_of`].
    pub(super) checkpoints_in_pieces: Option<CheckpointPieces>,
}

impl<'l> Loader<'l> {
    /// The way of inputs, which are read whole.
    pub(super) fn new(input: &'l Inputs, json_ld: &'l JsonLd, is_plain: bool, tells_changes: bool) -> Self {
        let (tells_places, is_hashed, pieces) = (false, false, Pieces::Never);
        let checkpoints_in_pieces = None;
        Self {
            input,
            json_ld,
            is_plain,
            tells_changes,
            tells_places,
            is_hashed,
            pieces,
            checkpoints_in_pieces,
        }
    }

    /// Reads all inputs and names their datasets. What loads them then moves the progress on.
    ///
    /// # Errors
    ///
    /// As [`documents::sources`]. Other faults are reported.
    pub(super) fn open_all(
        &self,
        dataset: Option<&str>,
        report: &mut Report,
    ) -> Result<(Vec<Named>, Progress), Failure> {
        let sources = documents::sources(self.input, report)?;
        self.open_sources(sources, dataset, &StoredNames::default(), report)
    }

    /// Reads sources and names their datasets, beside those that a store has.
    ///
    /// # Errors
    ///
    /// None of its own: faults are reported.
    pub(super) fn open_sources(
        &self,
        sources: Vec<InputSource>,
        dataset: Option<&str>,
        names: &StoredNames,
        report: &mut Report,
    ) -> Result<(Vec<Named>, Progress), Failure> {
        let progress = Progress::start("loading", 2 * sources.iter().map(InputSource::size).sum::<u64>());
        let named = self.open_batch(sources, &mut Names::new(dataset, names), &progress, report);
        Ok((named, progress))
    }

    /// Reads sources and names their datasets beside those that have names. Faults are reported.
    pub(super) fn open_batch(
        &self,
        sources: Vec<InputSource>,
        names: &mut Names<'_>,
        progress: &Progress,
        report: &mut Report,
    ) -> Vec<Named> {
        let opened = on_all_cores(sources, report, |source, part| {
            let opened = self.open(&source, part);
            progress.advance(source.size());
            opened.map(|opened| (opened, source.size()))
        });
        opened.into_iter().map(|opened| names.name(opened, report)).collect()
    }

    /// Hands what one input says to a sink, under the name that its dataset has by itself; none where
    /// it is at fault, which is reported.
    pub(super) fn fill_from<S: QuadSink>(
        &self,
        source: &InputSource,
        sink: &mut S,
        lost_costs: impl Fn(&mut S) -> BTreeMap<u32, u64>,
        report: &mut Report,
    ) -> Option<Named> {
        let opened = self.open(source, report)?;
        let named = Names::new(None, &StoredNames::default()).name((opened, 0), report);
        self.fill(&named, sink, lost_costs, report)?;
        Some(named)
    }

    /// One input as a document of a dataset.
    pub(super) fn document(&self, source: &InputSource, report: &mut Report) -> Option<NamedDocument> {
        let mut builder = DocumentBuilder::new();
        let named = self.fill_from(source, &mut builder, DocumentBuilder::take_lost_costs, report)?;
        Some(NamedDocument { graph: named.graph(), builder })
    }

    fn open(&self, source: &InputSource, report: &mut Report) -> Option<Opened> {
        let begun = self.json_ld.begin(source).map_err(|fault| report.add(&fault)).ok()?;
        let is_large = match self.pieces {
            Pieces::Never => false,
            Pieces::OfLarge => begun.has_more(),
            Pieces::Of(_) => true,
        };
        if is_large {
            let found = self.json_ld.records_of(&begun).map_err(|fault| report.add(&fault)).ok()?;
            if let Some(found) = found {
                let (name, origin) = (begun.name.clone(), Origin::of_begun(&begun));
                let large = LargeRecords::new(found, begun, source.clone(), DIGESTED);
                let content = Content::Large(Box::new(large));
                return Some(Opened {
                    name,
                    origin,
                    format: RdfFormat::JsonLd,
                    root_id: None,
                    content,
                    sha256: None,
                });
            }
        }
        let begun = match self.open_in_pieces(begun, source, report) {
            Ok(opened) => return Some(opened),
            Err(begun) => *begun?,
        };
        let (input, format) = documents::open_begun(begun, self.json_ld, &self.input.reading, report)?;
        // What was in another encoding is not as it stands in the file.
        let is_as_in_file = self.input.reading.encoding.is_none() || input.path.is_none();
        let sha256 = (self.is_hashed && is_as_in_file).then(|| catalog::sha256(&input.bytes));
        let opened = self.json_ld.opened(input, format, report)?;
        Some(Opened { sha256, ..opened })
    }

    /// Loads documents, which are one or the parts of one dataset; those at fault are left out.
    fn load(
        &self,
        group: Vec<Named>,
        (wanted, held_against): (Wanted, HeldAgainst<'_>),
        report: &mut Report,
    ) -> Vec<(Loaded, NamedDocument)> {
        if matches!(wanted, Wanted::Catalog) {
            return self.load_with_catalog(group, report);
        }
        let load = |named: Named| {
            if matches!(named.opened.content, Content::Large(_)) {
                return self.load_in_pieces(named, held_against, report);
            }
            let mut part = report.part();
            let mut builder = DocumentBuilder::new();
            let changes = self.fill(&named, &mut builder, DocumentBuilder::take_lost_costs, &mut part);
            let (warnings, lost) = (part.count(Severity::Warning), part.cost());
            report.absorb(part);
            let is_counted = matches!(wanted, Wanted::Figures { .. });
            Some(loaded(named, builder, is_counted, Costs { changes: changes?, warnings, lost }))
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
        let Named { opened: Opened { name, format, origin, content, .. }, dataset, .. } = named;
        let Content::Large(mut large) = content else { return None };
        let piece = match self.pieces {
            Pieces::Of(bytes) => Some(bytes),
            Pieces::Never | Pieces::OfLarge => None,
        };
        let counted = self.count_in_pieces(&mut large, (&origin, &dataset), (held_against, piece), report)?;
        let CountedFile { tally, gold, quads, warnings, lost, changes } = counted;
        let path = origin.path().map(Path::to_owned);
        let held = Held::Counted(tally, gold);
        let records = Some(RecordFile { held, recognised: large.found.recognised, path });
        let (detection, figures) = (None, None);
        let loaded =
            Loaded { name, format, dataset, detection, figures, records, quads, warnings, lost, changes };
        Some((loaded, NamedDocument { graph, builder: DocumentBuilder::new() }))
    }

    /// Hands what a document says to a sink; none where it is at fault, which is reported.
    /// `lost_costs` asks the sink what each loss has cost.
    pub(super) fn fill<S: QuadSink>(
        &self,
        named: &Named,
        sink: &mut S,
        lost_costs: impl Fn(&mut S) -> BTreeMap<u32, u64>,
        report: &mut Report,
    ) -> Option<Changes> {
        match &named.opened.content {
            Content::Json { document, survey, .. } => {
                let adaptation = self.adapt(document, survey, &named.dataset, report);
                self.fill_json((document, &named.opened.origin), adaptation, (sink, lost_costs), report)
            }
            Content::Records { file, recognised, .. } => {
                let mut changes = Changes::default();
                let dataset = (named.dataset.as_str(), named.part.as_deref());
                each_document(file, recognised, dataset, report, |document, mode, report| {
                    let source = (document, &named.opened.origin);
                    changes.iris += self.convert(source, (mode, 0), (sink, &lost_costs), report)?.iris;
                    Some(())
                })?;
                let path = named.opened.origin.path().filter(|_| is_rows(recognised));
                let corpus = path.map_or(Ok(None), corpus_beside).map_err(|fault| report.add(&fault)).ok()?;
                if let Some(corpus) = corpus {
                    describe_corpus(&corpus, &base(recognised, &named.dataset), sink);
                }
                Some(changes)
            }
            // These are counted, and have nothing for a sink.
            Content::Large(_) => None,
            // These go to whoever takes pieces.
            Content::LargeCheckpoint(_) => None,
            Content::Other(input) => self.fill_other(input, named.opened.format, sink, report),
        }
    }

    /// What loading changes in a document; that is told where it is asked for.
    pub(super) fn adapt(
        &self,
        document: &Document,
        survey: &Survey,
        dataset: &str,
        report: &mut Report,
    ) -> Option<Adaptation> {
        let mut encoded = String::new();
        percent_encode_into(dataset, &mut encoded);
        let adaptation = (!self.is_plain).then(|| survey.adapt(document, &encoded))?;
        if self.tells_changes {
            report.add_all(&adaptation.diagnostics(document));
        }
        Some(adaptation)
    }

    /// Hands what a document in JSON-LD says to a sink.
    pub(super) fn fill_json<S: QuadSink>(
        &self,
        (document, origin): (&Arc<Document>, &Origin),
        adaptation: Option<Adaptation>,
        (sink, lost_costs): (&mut S, impl FnOnce(&mut S) -> BTreeMap<u32, u64>),
        report: &mut Report,
    ) -> Option<Changes> {
        let ids = adaptation.as_ref().map_or(0, Adaptation::renamed) as u64;
        let mode = adaptation.map(|adaptation| adaptation.load_mode).unwrap_or_default();
        self.convert((document, origin), (mode, ids), (sink, lost_costs), report)
    }

    /// Converts JSON-LD, in which that many ids were made distinct.
    pub(super) fn convert<S: QuadSink>(
        &self,
        (document, origin): (&Arc<Document>, &Origin),
        (mode, ids): (LoadMode, u64),
        (sink, lost_costs): (&mut S, impl FnOnce(&mut S) -> BTreeMap<u32, u64>),
        report: &mut Report,
    ) -> Option<Changes> {
        let mut changes = Changes { ids, iris: 0 };
        let stray = if self.is_plain { StrayIds::Dropped } else { StrayIds::Kept };
        let how = (mode, stray);
        changes.iris = self.json_ld.convert_into((document, origin), how, (sink, lost_costs), report)?;
        self.tell_moved(document.name(), changes.iris, report);
        Some(changes)
    }

    fn fill_other<S: QuadSink>(
        &self,
        input: &Input,
        format: RdfFormat,
        sink: &mut S,
        report: &mut Report,
    ) -> Option<Changes> {
        if self.is_plain {
            return self.json_ld.read_other(input, format, sink, report).map(|_| Changes::default());
        }
        let mut sink = OneNamespace::new(sink);
        let reading = self.json_ld.read_other(input, format, &mut sink, report);
        let changes = Changes { ids: 0, iris: sink.moved };
        self.tell_moved(&input.name, changes.iris, report);
        reading.map(|_| changes)
    }

    pub(super) fn tell_moved(&self, name: &str, count: u64, report: &mut Report) {
        if count > 0 && self.tells_changes {
            let message = format!("{} moved to the namespace `http://schema.org/`", iris_were(count));
            let note = Diagnostic::new(Severity::Note, "load::schema-org", message);
            report.add(&note.at(SourceText::new(name, b"").place(0..0)));
        }
    }
}

fn iris_were(count: u64) -> String {
    if count == 1 { "1 IRI was".to_owned() } else { format!("{} IRIs were", thousands(count)) }
}

/// One finding for what was changed in all documents.
pub(super) fn all_changes(changes: impl Iterator<Item = Changes>) -> Option<Diagnostic> {
    let (mut files, mut ids, mut iris) = (0, 0, 0);
    for change in changes.filter(|change| change.ids + change.iris > 0) {
        files += 1;
        ids += change.ids;
        iris += change.iris;
    }
    let counted = |count: u64, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{} {many}", thousands(count))),
    };
    let files = counted(files, "file", "files")?;
    let ids = counted(ids, "id made distinct", "ids made distinct");
    let iris = counted(iris, "IRI moved to `http://schema.org/`", "IRIs moved to `http://schema.org/`");
    let what: Vec<String> = ids.into_iter().chain(iris).collect();
    let message = format!(
        "{files} changed on load: {} (`evalgraph stats` tells where, `--plain` switches it off)",
        what.join(", ")
    );
    Some(Diagnostic::new(Severity::Note, "load::changed", message))
}
