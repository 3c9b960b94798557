//! `evalgraph load`: puts files into the store, each into a graph of its own, or all of them not.

use std::collections::{HashMap, HashSet};
use std::io::Read as _;
use std::path::Path;

use clap::Args;
use sha2::{Digest, Sha256};

use super::arguments::InputArguments;
use super::dataset_names::StoredNames;
use super::documents;
use super::input::InputSource;
use super::json_ld::JsonLd;
use super::load::{Loaded, Loader, LoadingArguments, all_changes, on_all_cores};
use super::named::{Named, in_datasets};
use super::render::thousands;
use super::report::Report;
use super::store::{absolute, who};
use super::time_of_run::time_of_run;
use super::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::catalog::{hexadecimal, sha256};
use crate::store::{Change, CompressedText, DocumentEntry, DocumentSource, NewDocument, StoredDocument};

const EXAMPLES: &str = "\
Examples:
  evalgraph load checkpoints/
  evalgraph load run-7.jsonld --dry-run          (what would change)
  evalgraph load run-7.jsonld --replace          (although an update has changed its graph)

A file that is loaded again replaces its graph; one that has not changed is left alone. All files are
loaded or none, unless `--keep-going` is given.";

/// The arguments of `load`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct LoadArguments {
    #[command(flatten)]
    input: InputArguments,
    /// Load files again whose graphs were changed since, and lose these changes
    #[arg(long)]
    replace: bool,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    loading: LoadingArguments,
}

/// What a load has done, for the summary.
#[derive(Debug, Default)]
struct Summary {
    new: u64,
    replaced: u64,
    unchanged: u64,
    quads: u64,
}

/// Runs `load`.
pub(super) fn run(arguments: &LoadArguments, report: &mut Report) -> Result<Answer, Stop> {
    report.set_strictness(arguments.input.reading.strictness());
    if arguments.input.inputs.is_empty() {
        let missing = Diagnostic::error("input::none", "there is no file to load");
        return Err(missing.with_help("name files, directories or `-`").into());
    }
    let store = arguments.input.store.open()?;
    let mut change = store.change(&who("load"))?;
    let json_ld = JsonLd::new(&arguments.loading.iris, &arguments.loading.json_ld, &arguments.input.reading)?;
    let loader = Loader::new(&arguments.input, &json_ld, arguments.loading.plain, report.shows_all());
    let loader = Loader { is_hashed: true, ..loader };
    let mut summary = Summary::default();
    let sources = documents::sources(&arguments.input, report)?;
    let sources: Vec<InputSource> = sources
        .into_iter()
        .filter(|source| is_to_be_read(source, &change, arguments.replace, &mut summary, report))
        .collect();
    documents::check(&arguments.input, report)?;
    let names = names_in(&change);
    let (named, progress) =
        loader.open_sources(sources, arguments.loading.dataset.as_deref(), &names, report)?;
    let loaded = on_all_cores(in_datasets(named), report, |group, part| {
        let size = group.iter().map(|named| named.size).sum();
        let loaded = load_group(&loader, group, part);
        progress.advance(size);
        loaded
    });
    let loaded: Vec<(Loaded, NewDocument)> = loaded.into_iter().flatten().collect();
    documents::check(&arguments.input, report)?;
    if !loader.tells_changes {
        report.add_all(&all_changes(loaded.iter().map(|(loaded, _)| loaded.changes())));
    }
    for (_, document) in loaded {
        put(&mut change, document, &mut summary)?;
    }
    if !arguments.dry_run && summary.new + summary.replaced > 0 {
        change.commit()?;
    }
    report.add(&summary.told(arguments.dry_run));
    Ok(Answer::Yes)
}

/// Whether a file has to be read: not where it is in the store as it is. Where the graph in the store was
/// changed, that is a fault unless the changes may go.
fn is_to_be_read(
    source: &InputSource,
    change: &Change,
    may_replace: bool,
    summary: &mut Summary,
    report: &mut Report,
) -> bool {
    let Some(path) = path_of(source) else { return true };
    let Some(known) = document_of(change, &absolute(path)) else { return true };
    if known.entry.is_edited && !may_replace {
        let graph = &known.entry.graph;
        let message =
            format!("`{}` was loaded before, and its graph `{graph}` was changed since", path.display());
        let fault = Diagnostic::error("store::edited", message);
        report.add(&fault.with_help("`--replace` loads the file and loses these changes; `evalgraph convert --to same` writes them to a file first"));
        return false;
    }
    let is_same = || known.entry.source.as_ref().map(|source| source.sha256.clone()) == digest_of(path);
    if !known.entry.is_edited && is_same() {
        summary.unchanged += 1;
        return false;
    }
    true
}

fn path_of(source: &InputSource) -> Option<&Path> {
    match source {
        InputSource::File(path) | InputSource::Part(path, _) => Some(path),
        InputSource::Stdin | InputSource::Url(_) | InputSource::Stored(_) => None,
    }
}

/// The SHA-256 of what stands in a file, opened where it is compressed; none where it cannot be read, which reading
/// it tells.
fn digest_of(path: &Path) -> Option<String> {
    let mut bytes = InputSource::File(path.to_owned()).begin().ok()?.into_bytes();
    let mut digest = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match bytes.read(&mut chunk).ok()? {
            0 => return Some(hexadecimal(&digest.finalize())),
            length => digest.update(&chunk[..length]),
        }
    }
}

/// The names that are taken, and those that files have.
fn names_in(change: &Change) -> StoredNames {
    let mut names = StoredNames { taken: HashSet::new(), of_paths: HashMap::new() };
    for document in change.documents() {
        let entry = &document.entry;
        names.taken.insert(entry.dataset.clone());
        if let Some(source) = &entry.source {
            names.of_paths.insert(source.path.clone(), entry.dataset.clone());
        }
    }
    names
}

fn document_of<'c>(change: &'c Change, path: &str) -> Option<&'c StoredDocument> {
    let is_of =
        |document: &&StoredDocument| document.entry.source.as_ref().is_some_and(|source| source.path == path);
    change.documents().iter().find(is_of)
}

/// Loads documents, which are one or the parts of one dataset; none where the time of the run is at fault.
fn load_group(
    loader: &Loader<'_>,
    group: Vec<Named>,
    report: &mut Report,
) -> Option<Vec<(Loaded, NewDocument)>> {
    let time = time_of_run().map_err(|_| ()).ok()?;
    let mut sources: HashMap<String, (DocumentSource, CompressedText)> = HashMap::new();
    for named in &group {
        let text = named.text();
        let path = named.address();
        let of_file = || digest_of(Path::new(&path)).unwrap_or_else(|| sha256(&text));
        let source = DocumentSource {
            sha256: named.opened.sha256.clone().unwrap_or_else(of_file),
            path,
            bytes: text.len() as u64,
            loaded: time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            kind: named.kind(),
        };
        let kept = CompressedText::of(&text)
            .map_err(|error| report.add(&not_compressed(&named.opened.name, &error)))
            .ok()?;
        sources.insert(named.graph(), (source, kept));
    }
    let loaded = loader.load_with_catalog(group, report).into_iter().map(|(loaded, document)| {
        let (source, text) = sources.remove(&document.graph).unzip();
        let (graph, dataset) = (document.graph, loaded.dataset.clone());
        let entry = DocumentEntry { graph, dataset, quads: loaded.quads, source, is_edited: false };
        (loaded, NewDocument { entry, builder: document.builder, source: text })
    });
    Some(loaded.collect())
}

fn not_compressed(name: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error("store::io", format!("the text of `{name}` cannot be compressed: {error}"))
}

/// Puts a document in; what was read from the same file before goes.
fn put(change: &mut Change, document: NewDocument, summary: &mut Summary) -> Result<(), Stop> {
    let path = document.entry.source.as_ref().map(|source| source.path.clone()).unwrap_or_default();
    match document_of(change, &path).map(|known| known.entry.graph.clone()) {
        Some(graph) => {
            if graph != document.entry.graph {
                change.remove(&graph);
            }
            summary.replaced += 1;
        }
        None => summary.new += 1,
    }
    summary.quads += document.entry.quads;
    change.put(document)?;
    Ok(())
}

impl Summary {
    fn told(&self, is_dry: bool) -> Diagnostic {
        let counted = |count: u64, what: &str| (count > 0).then(|| format!("{} {what}", thousands(count)));
        let parts = [
            counted(self.new, "new"),
            counted(self.replaced, "replaced"),
            counted(self.unchanged, "unchanged"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let parts = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
        let verb = if is_dry { "would load" } else { "loaded" };
        let message = format!("{verb} {parts}: {} quads", thousands(self.quads));
        Diagnostic::new(Severity::Note, "store::loaded", message)
    }
}
