//! Each triple of each fixture, changed and deleted, one at a time: the file written back says it when it is read
//! again, or what does not arrive is told. Nothing is lost in silence.
//!
//! A sample of the edits is made, the same in every run. `EVALGRAPH_EDITS` says how many of each fixture: a
//! number, or `all`.

use crate::fixture_files::{FOREIGN, OF_SHAPES};
use crate::karenina::fixtures::path;
use crate::share::one_of;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::jsonld::{
    BuiltIn, CheckpointSampleContext, JsonLdOptions, JsonLdProcessor, LoadMode, LoaderChain,
};
use evalgraph::rdf::canonicalization::CanonicalizationOptions;
use evalgraph::rdf::difference::difference as graph_difference;
use evalgraph::rdf::quad_buffer::{BufferLiteralKind, BufferQuad, BufferTermId, TermRef};
use evalgraph::rdf::vocabulary::rdf;
use evalgraph::rdf::{InGraph, QuadBuffer, QuadSink};
use evalgraph::source::checkpoint::writer::Version2Shape;
use evalgraph::source::checkpoint::{CheckpointDialect, CheckpointSurvey, version_2_json_ld};
use evalgraph::source::records::{ComposedDocument, RecognisedRecords, RecordComposer};
use evalgraph::source::rewriting::{DocumentLayout, IndexedGraph};
use evalgraph::source::rows::{RowFormat, RowOptions, read_rows};
use evalgraph::source::sidecar::file_form::FileNotation;
use evalgraph::source::sidecar::{
    DocumentSidecars, TracedDocument, difference, encode, graph_digests, record_sidecar,
    version_2_sidecar as restored_version_2,
};
use evalgraph::source::system_name::SystemName;
use evalgraph::source::yaml::read_yaml;
use evalgraph::source::{registry, secrets};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

const GRAPH: &str = "urn:evalgraph:graph:d";
/// How many edits of a fixture are made where nothing else is said.
const SAMPLE: usize = 8;

/// The files below the folder of fixtures that can be loaded.
fn fixtures() -> Vec<PathBuf> {
    let root = path("");
    let (mut files, mut folders) = (Vec::new(), vec![root]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if path.is_dir() {
                // These are not data: documents of a corpus, broken JSON-LD, frames, copies with a fault.
                let is_other = ["corpus", "broken", FOREIGN, "frames", OF_SHAPES]
                    .iter()
                    .any(|name| path.ends_with(name));
                folders.extend((!is_other).then_some(path));
            } else if ["json", "jsonl", "jsonld", "yaml", "csv"].contains(&extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A file, read as the program reads it.
struct Read {
    document: Arc<JsonDocument>,
    recognised: Option<RecognisedRecords>,
    notation: FileNotation,
}

fn read(name: &str, text: &str, system: Option<SystemName>) -> Option<Read> {
    let limits = Limits::default();
    let rows = |format| read_rows(name, text.to_owned(), format, &RowOptions::default(), limits).ok();
    let extension = name.rsplit('.').next().unwrap_or_default();
    let (mut document, notation) = match extension {
        "yaml" => (read_yaml(name, text, limits).ok()?, FileNotation::Yaml),
        "csv" => (rows(RowFormat::Csv)?, FileNotation::Csv(None)),
        "jsonl" => (rows(RowFormat::JsonLines)?, FileNotation::Json),
        _ => (parse(name, text.to_owned(), limits).ok()?, FileNotation::Json),
    };
    let root = document.root();
    let first = document.items(root).next().unwrap_or(root);
    let is_json_ld =
        document.members(first).any(|member| document.symbol_text(member.symbol).starts_with('@'));
    let mut recognised = None;
    if !is_json_ld {
        secrets::hide(&mut document);
        recognised = match system {
            Some(SystemName::JSON_LD) | None => registry::recognise(&document, None, None).ok()?,
            Some(system) => registry::recognise(&document, Some(system), None).ok()?,
        };
    }
    Some(Read { document: Arc::new(document), recognised, notation })
}

/// Hands what a file says to a sink; none where that cannot be done.
fn fill<S: QuadSink>(read: &Read, sink: &mut S) -> Option<Arc<JsonDocument>> {
    let loader = LoaderChain::default().and(&BuiltIn).and(&CheckpointSampleContext);
    let context_base = Some("file:///somewhere/".to_owned());
    let mut process = |document: &Arc<JsonDocument>, mode: LoadMode| {
        let options = JsonLdOptions { context_base: context_base.clone(), ..JsonLdOptions::default() };
        let mut processor = JsonLdProcessor::new(options, &loader).with_load_mode(mode);
        processor.to_rdf(document, sink).ok().map(drop)
    };
    if let Some(recognised) = &read.recognised {
        let base = format!("urn:evalgraph:{}:d:", recognised.system);
        let mut composer = RecordComposer::new(&read.document, &recognised.shape, &base);
        while let Some(composed) = composer.next_document() {
            let ComposedDocument { document, json_values } = composed.ok()?;
            process(&document, LoadMode { json_values, ..LoadMode::default() })?;
        }
        return Some(Arc::clone(&read.document));
    }
    let document = match version_2_json_ld::as_json_ld(&read.document) {
        None => Arc::clone(&read.document),
        Some(made) => Arc::new(made.ok()?.0),
    };
    let adaptation = CheckpointSurvey::from_document(&document).adapt(&document, "d");
    process(&document, adaptation.load_mode)?;
    Some(document)
}

/// A fixture in its document graph, with its sidecar.
struct Loaded {
    name: String,
    system: Option<SystemName>,
    quads: QuadBuffer,
}

fn load(name: &str, text: &str) -> Option<Loaded> {
    let is_of = |system: SystemName| name.contains(&format!("/{system}/"));
    let mut of_records = SystemName::ALL.into_iter().filter(|system| *system != SystemName::JSON_LD);
    let said = of_records.find(|&system| is_of(system));
    let read = read(name, text, said)?;
    let mut quads = QuadBuffer::new();
    quads.keep_node_tokens();
    let document = fill(&read, &mut InGraph::new(&mut quads, GRAPH))?;
    let nodes = quads.take_node_tokens()?;
    let graph = IndexedGraph::new(&quads, quads.find_iri(GRAPH));
    if let Some(recognised) = &read.recognised {
        let root = quads.find_iri(&format!("urn:evalgraph:{}:d", recognised.system))?;
        let file =
            record_sidecar::file_layout(&read.document, &graph, root, &recognised.shape, read.notation)
                .ok()?;
        let layout = DocumentLayout { digest: Some(graph_digests(&graph)), ..DocumentLayout::default() };
        encode(&layout, root, GRAPH, &recognised.dialect(), &mut quads);
        file.encode(GRAPH, &mut quads);
    } else {
        let adaptation = CheckpointSurvey::from_document(&document).adapt(&document, "d");
        let loader = LoaderChain::default().and(&BuiltIn).and(&CheckpointSampleContext);
        let source = TracedDocument {
            document: &document,
            nodes: &nodes,
            replaced_ids: &adaptation.load_mode.replaced_ids,
            loader: &loader,
            base: Some("file:///somewhere/"),
        };
        let (root, mut layout) = difference(&graph, source)?;
        layout.digest = Some(graph_digests(&graph));
        let dialect = CheckpointSurvey::from_document(&read.document).detect().dialect;
        encode(&layout, root, GRAPH, dialect.id(), &mut quads);
        let file = Version2Shape::from_dialect(dialect)
            .and_then(|shape| restored_version_2::file_layout(&read.document, &document, shape));
        if let Some(file) = file {
            file.encode(GRAPH, &mut quads);
        }
    }
    let system = read.recognised.map(|recognised| recognised.system);
    Some(Loaded { name: name.to_owned(), system, quads })
}

/// A change of one quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    Changed,
    Deleted,
}

/// The quads with one changed; none where it cannot be.
fn edited(quads: &QuadBuffer, at: usize, edit: Edit) -> QuadBuffer {
    let mut copy = QuadBuffer::new();
    let before = quads.quads()[..at].iter().chain(&quads.quads()[at + 1..]).copied();
    if edit == Edit::Deleted {
        quads.copy_some_into(before, &mut copy);
        return copy;
    }
    // The changed one goes first, so that its terms are those of the others.
    let quad = quads.quads()[at];
    let mut whole = QuadBuffer::new();
    quads.copy_some_into(before.chain([quad]), &mut whole);
    let old = whole.quads()[whole.len() - 1];
    let object = other(&mut whole, old.object);
    let kept = whole.len() - 1;
    whole.truncate(kept);
    whole.quad(old.subject, old.predicate, object, old.graph);
    whole
}

/// Another term of the same kind.
fn other(quads: &mut QuadBuffer, term: BufferTermId) -> BufferTermId {
    enum Owned {
        Iri(String),
        Plain(String),
        Language(String, String),
        Typed(String, String),
    }
    let owned = match quads.term(term) {
        TermRef::Iri(iri) => Owned::Iri(format!("{iri}x")),
        TermRef::BlankNode => Owned::Iri("urn:other:node".to_owned()),
        TermRef::Literal { lexical, kind } => match kind {
            BufferLiteralKind::String => Owned::Plain(format!("{lexical} and more")),
            BufferLiteralKind::Language(language) => {
                Owned::Language(format!("{lexical}x"), language.to_owned())
            }
            BufferLiteralKind::Datatype(_, datatype) => {
                Owned::Typed(other_lexical(lexical, datatype), datatype.to_owned())
            }
        },
    };
    match owned {
        Owned::Iri(iri) => quads.iri(&iri),
        Owned::Plain(text) => quads.string(&text),
        Owned::Language(text, language) => quads.language_string(&text, &language),
        Owned::Typed(lexical, datatype) => {
            let datatype = quads.iri(&datatype);
            quads.typed_literal(&lexical, datatype)
        }
    }
}

fn other_lexical(lexical: &str, datatype: &str) -> String {
    match datatype.rsplit(['#', '/']).next().unwrap_or_default() {
        "boolean" => (lexical != "true").to_string(),
        "integer" => lexical.parse::<i64>().map_or("7".to_owned(), |number| (number + 3).to_string()),
        "decimal" => format!("{lexical}5"),
        "double" => "7.25E0".to_owned(),
        "dateTime" | "date" => format!("1999{}", &lexical[4..]),
        "JSON" if lexical == "{}" => "{\"another\":1}".to_owned(),
        "JSON" if lexical.starts_with('{') => format!("{},\"another\":1}}", &lexical[..lexical.len() - 1]),
        "JSON" => "[\"another\"]".to_owned(),
        _ => format!("{lexical}x"),
    }
}

/// What becomes of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// The file says what the graph says.
    Arrived,
    /// It does not, and that is told.
    Told,
    /// It arrives, and a loss is told all the same.
    ToldForNothing,
    /// Nothing is written, and why is told.
    Refused,
    /// It does not arrive, and nothing is told.
    Silent,
}

fn fate(loaded: &Loaded, edit: (usize, Edit)) -> Fate {
    let quads = edited(&loaded.quads, edit.0, edit.1);
    let datasets = DocumentSidecars::new(&quads);
    let Ok(mut restored) = datasets.restore(GRAPH) else { return Fate::Refused };
    restored.reading = restored.reading.of_name(&loaded.name);
    let shape = CheckpointDialect::from_id(&restored.dialect).and_then(Version2Shape::from_dialect);
    let text = match shape {
        None => restored.text.clone(),
        Some(shape) => {
            let limits = Limits::default();
            let document = parse("v2", restored.text.clone(), limits).expect("our own JSON is well formed");
            let layout = restored.file.clone().unwrap_or_default();
            match restored_version_2::restored(&document, shape, GRAPH, &layout) {
                Ok(file) => file.text,
                Err(_) => return Fate::Refused,
            }
        }
    };
    let told = datasets.arrival(&restored, &text, JsonLdOptions::default());
    let is_told = told.map_or(true, |arrival| !arrival.is_complete());
    match (arrives(loaded, &quads, edit.0, &text), is_told) {
        (true, false) => Fate::Arrived,
        (true, true) => Fate::ToldForNothing,
        (false, true) => Fate::Told,
        (false, false) => Fate::Silent,
    }
}

/// Returns whether a file that is read again says what a graph says, of which that quad of the fixture was edited.
fn arrives(loaded: &Loaded, quads: &QuadBuffer, at: usize, text: &str) -> bool {
    let Some(read) = read(&loaded.name, text, loaded.system) else { return false };
    let mut again = QuadBuffer::new();
    if fill(&read, &mut again).is_none() {
        return false;
    }
    let graph = quads.find_iri(GRAPH);
    let of_graph = quads.quads().iter().filter(|quad| quad.graph == graph);
    let mut wanted = QuadBuffer::new();
    quads.copy_some_into(of_graph.map(|quad| BufferQuad { graph: None, ..*quad }), &mut wanted);
    let options = CanonicalizationOptions::default();
    let Ok(difference) = graph_difference(&wanted, &again, options) else { return false };
    // Who changes a word of a value that is kept whole changes the whole as well.
    let is_whole = |line: &String| line.ends_with("#JSON> .");
    let is_word = !matches!(
        loaded.quads.term(loaded.quads.quads()[at].object),
        TermRef::Literal { kind: BufferLiteralKind::Datatype(_, rdf::JSON), .. }
    );
    difference.is_empty() || is_word && difference.removed.iter().chain(&difference.added).all(is_whole)
}

/// An edit in words.
fn shown(loaded: &Loaded, (at, edit): (usize, Edit)) -> String {
    let quads = &loaded.quads;
    let quad = quads.quads()[at];
    let graph = IndexedGraph::new(quads, quads.find_iri(GRAPH));
    let [subject, predicate, object] =
        [quad.subject, quad.predicate, quad.object].map(|term| graph.shown(term));
    format!("{edit:?} {subject} {predicate} {object}")
}

#[test]
fn no_edit_of_a_fixture_is_lost_in_silence() {
    let sample = match std::env::var("EVALGRAPH_EDITS").as_deref() {
        Ok("all") => usize::MAX,
        Ok(number) => number.parse().expect("EVALGRAPH_EDITS is a number or `all`"),
        Err(_) => SAMPLE / one_of(2),
    };
    let mut fates = BTreeMap::new();
    let (mut silent, mut loaded_files) = (Vec::new(), 0_usize);
    for file in fixtures() {
        let name = file.to_str().expect("fixtures have plain names");
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let Some(loaded) = load(name, &text) else {
            continue;
        };
        loaded_files += 1;
        let graph = loaded.quads.find_iri(GRAPH);
        let quads = loaded.quads.quads().iter().enumerate();
        let edits: Vec<(usize, Edit)> = quads
            .filter(|(_, quad)| quad.graph == graph)
            .flat_map(|(at, _)| [(at, Edit::Changed), (at, Edit::Deleted)])
            .collect();
        // An odd step reaches changes and deletions alike.
        let step = if sample >= edits.len() { 1 } else { (edits.len() / sample) | 1 };
        for &edit in edits.iter().step_by(step) {
            let fate = fate(&loaded, edit);
            *fates.entry(fate).or_insert(0) += 1;
            if matches!(fate, Fate::Silent | Fate::ToldForNothing) {
                silent.push(format!("{fate:?} {name}: {}", shown(&loaded, edit)));
            }
        }
    }
    println!("{fates:?} in {loaded_files} files");
    assert!(loaded_files > 110, "{loaded_files} files were loaded");
    assert!(silent.is_empty(), "{} edits: {silent:#?}", silent.len());
    let [arrived, told] = [Fate::Arrived, Fate::Told].map(|fate| fates.get(&fate).copied().unwrap_or(0));
    // Words and numbers arrive; it is the links, classes and positions that a tree has in another way.
    assert!(2 * arrived > told, "{fates:?}");
}
