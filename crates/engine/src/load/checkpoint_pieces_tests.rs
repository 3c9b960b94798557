//! Tests that checkpoints read in pieces give the same results as the same files read as a whole: quads, texts,
//! findings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::dataset_document::DatasetDocument;
use super::dataset_names::StoredNames;
use super::document::DocumentContent;
use super::document_loading::DocumentLoading;
use super::large_checkpoint::CheckpointPieces;
use super::read_session::{JsonLdSettings, ReadSession};
use crate::input::input_options::{IriOptions, ReadingOptions, RunInputs};
use crate::input::source::InputSource;
use evalgraph_canonicalization::{CanonicalizationOptions, canonicalize};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_json::Limits;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::is_beside_documents;

/// How a file is loaded.
#[derive(Clone, Copy, Default)]
struct PieceTestOptions {
    is_plain: bool,
    limits: Limits,
}

const PLAIN: [bool; 2] = [false, true];

/// The result of loading a file.
#[derive(Debug, Default, PartialEq, Eq)]
struct PieceTestOutcome {
    quads: BTreeSet<String>,
    text: Vec<u8>,
    /// Its kind, the name of its dataset, its digest and its SHA-256.
    what: Vec<String>,
    changes: String,
    findings: Vec<String>,
}

/// Loads a file, either in pieces of this many bytes or as a whole. The number is that of the pieces, 0 for a whole
/// file.
fn load(path: &Path, bytes: Option<usize>, how: PieceTestOptions) -> (PieceTestOutcome, usize) {
    load_after(path, bytes, how, || ())
}

/// Like [`load`], but runs `between` between the two readings of the file.
fn load_after(
    path: &Path,
    bytes: Option<usize>,
    how: PieceTestOptions,
    between: impl FnOnce(),
) -> (PieceTestOutcome, usize) {
    let reading = ReadingOptions { limits: how.limits, ..ReadingOptions::default() };
    let input = RunInputs { reading, ..RunInputs::default() };
    let session = ReadSession::new(&IriOptions::default(), &JsonLdSettings::default(), &input.reading);
    let session = session.expect("the options are right");
    let checkpoint_pieces = bytes.map(|bytes| CheckpointPieces { from: 0, bytes });
    let session = ReadSession { is_hashed: true, checkpoint_pieces, ..session };
    let loader = DocumentLoading::new(&input, &session, how.is_plain, true);
    let mut report = RunReport::default();
    let sources = vec![InputSource::File(path.to_owned())];
    let (named, _) = loader.open_sources(sources, None, &StoredNames::default(), &mut report);
    let mut outcome = PieceTestOutcome::default();
    let mut pieces = 0;
    between();
    if let Some(named) = named.first() {
        pieces = fill(&loader, named, &mut outcome, &mut report);
    }
    outcome.findings = report.findings().map(told).collect();
    // In pieces, the object around the list is converted first.
    outcome.findings.sort();
    (outcome, pieces)
}

/// Describes a finding without its line number, which ends at a different place in a piece.
fn told(finding: &Diagnostic) -> String {
    let Diagnostic { severity, help, cost, place, related, .. } = finding;
    let pointer = place.as_ref().and_then(|place| place.pointer.as_deref());
    let marked = place.as_ref().map(|place| &place.excerpt.text[place.excerpt.marked.clone()]);
    let related: Vec<String> = related.iter().map(|(place, label)| format!("{place} {label}")).collect();
    format!("{severity} {finding} {pointer:?} {marked:?} {related:?} {help:?} {cost:?}")
}

fn fill(
    loader: &DocumentLoading<'_>,
    named: &DatasetDocument,
    outcome: &mut PieceTestOutcome,
    report: &mut RunReport,
) -> usize {
    let mut quads = QuadBuffer::new();
    let mut pieces = 0;
    let changes = if let DocumentContent::LargeCheckpoint(large) = &named.opened.content {
        let changes = loader.pieces_of(named, report, &mut |piece, _| {
            pieces += 1;
            let terms = piece.builder.dictionary();
            // The catalog is compared elsewhere: where it is stored.
            let is_of_file = |graph| !is_beside_documents(terms.lexical(graph));
            let of_file = piece.builder.quads().filter(|quad| quad.graph.is_none_or(is_of_file));
            terms.copy_into(of_file, &mut quads);
            outcome.text.extend(piece.text);
            Ok(())
        });
        assert!(changes.is_err() || large.size == outcome.text.len() as u64);
        changes
    } else {
        outcome.text = named.text().into_owned();
        loader.fill(named, &mut quads, report).map(|made| made.counts)
    };
    let canonical = canonicalize(&quads, CanonicalizationOptions::default()).expect("it is not a trap");
    let mut lines = Vec::new();
    canonical.write(&mut lines).expect("memory takes all");
    outcome.quads = String::from_utf8(lines).expect("it is UTF-8").lines().map(str::to_owned).collect();
    outcome.changes = format!("{changes:?}");
    if changes.is_err() {
        // The quads before a fault are not compared.
        (outcome.quads, outcome.text) = (BTreeSet::new(), Vec::new());
    }
    let sha256 = named.opened.sha256.clone().unwrap_or_default();
    outcome.what = vec![named.kind(), named.dataset.clone(), named.opened.digest(), sha256];
    pieces
}

/// Returns the checkpoints in a folder, sorted by name.
fn checkpoints(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension != "md"));
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("it is a file").to_string_lossy().into_owned()
}

/// Creates a separate file with this text.
fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".jsonld").tempfile().expect("there is room");
    fs::write(file.path(), text).expect("there is room");
    file
}

/// Compares the checkpoints of a folder in pieces with the whole files. Returns how many pieces the divisible ones
/// have.
fn fit_for_pieces(folder: &str) -> Vec<String> {
    let mut fit = Vec::new();
    for path in checkpoints(folder) {
        for how in PLAIN.map(|is_plain| PieceTestOptions { is_plain, ..PieceTestOptions::default() }) {
            let (whole, _) = load(&path, None, how);
            for bytes in [1, 3 << 10] {
                let (outcome, pieces) = load(&path, Some(bytes), how);
                assert_eq!(outcome, whole, "{} in pieces of {bytes}", path.display());
                if pieces > 0 && bytes == 1 && !how.is_plain {
                    fit.push(format!("{} {pieces}", name_of(&path)));
                }
            }
        }
    }
    fit
}

#[test]
fn pieces_yield_what_the_whole_yields() {
    let expected = [
        "gdev-geology.jsonld 5",
        "m-history.jsonld 5",
        "p0-programming.jsonld 6",
        "p1-physics.jsonld 5",
        "p2-awkward-ids.jsonld 6",
        "p2-dialogue.jsonld 2",
        "p2-genomics.jsonld 7",
        "p2-md5-arithmetic.jsonld 5",
        "p2-scenario.jsonld 5",
        "s0c-pharmacology.jsonld 5",
        "s1-astronomy.jsonld 5",
    ];
    assert_eq!(fit_for_pieces("fixtures/karenina"), expected);
}

#[test]
#[ignore = "needs ../shared/karenina"]
fn pieces_of_files_of_the_programs_yield_what_the_whole_yields() {
    let expected = [
        "md5_ids.jsonld 3",
        "minimal.jsonld 2",
        "python-2025-08-example_benchmark.jsonld 3",
        "with_rubrics.jsonld 8",
    ];
    assert_eq!(fit_for_pieces("../shared/karenina"), expected);
}

/// The beginning of a checkpoint whose context allows division.
const FRONT: &str = r#"{"@context": {"@vocab": "http://schema.org/", "hasPart": {"@container": "@set"}},
  "@type": "Dataset", "@id": "urn:example:set", "name": "set",
"#;

/// The list of the checkpoint, and the text after the list.
const PARTS: &str = r#"  "hasPart": [
    {"@type": "DataFeedItem", "@id": "urn:example:1", "item": {"@type": "Question", "text": "Why?"}},
    {"@type": "DataFeedItem", "@id": "urn:example:2", "item": {"@type": "Question", "text": "How?"}},
    {"@type": "DataFeedItem", "@id": "urn:example:3", "item": {"@type": "Question", "text": "Wer, ä?"}} ,
    {"@type": "DataFeedItem", "@id": "urn:example:4", "item": [7, null, {"text": ["a", "b"]}]}
  ],
  "version": "1"
}
"#;

/// Asserts that a text yields the same in pieces and as a whole. Returns how many pieces there are.
fn held_against_whole(text: &str, how: PieceTestOptions) -> (PieceTestOutcome, usize) {
    let file = file(text);
    let (whole, _) = load(file.path(), None, how);
    let mut most = 0;
    for bytes in [1, 150] {
        let (outcome, pieces) = load(file.path(), Some(bytes), how);
        assert_eq!(outcome.findings, whole.findings, "in pieces of {bytes}: {text}");
        assert_eq!(outcome, whole, "in pieces of {bytes}: {text}");
        most = most.max(pieces);
    }
    (whole, most)
}

#[test]
fn what_reaches_beyond_a_piece_is_read_whole() {
    let text = format!("{FRONT}{PARTS}");
    assert_eq!(held_against_whole(&text, PieceTestOptions::default()).1, 5, "it is fit as it is");
    for (old, new) in [
        ("\"@id\": \"urn:example:set\",", ""),
        ("\"@id\": \"urn:example:set\"", "\"@id\": \"_:set\""),
        ("\"@id\": \"urn:example:2\"", "\"@id\": \"_:b\""),
        ("\"@id\": \"urn:example:2\"", r#""@id": "\u005f\u003Ab""#),
        ("\"name\": \"set\"", "\"name\": {\"@id\": \"_:b\"}"),
        ("\"version\": \"1\"", "\"version\": {\"@id\": \"_:b\"}"),
        ("\"@set\"", "\"@list\""),
        ("{\"@container\": \"@set\"}", "{\"@type\": \"@json\"}"),
        ("{\"@container\": \"@set\"}", "{\"@reverse\": \"isPartOf\"}"),
        ("{\"@container\": \"@set\"}", "{\"@context\": {\"text\": \"urn:example:text\"}}"),
        ("{\"@container\": \"@set\"}", "null"),
        ("{\"@container\": \"@set\"}", "\"@included\""),
        ("\"hasPart\": {", "\"id\": \"@id\", \"hasPart\": {"),
        ("\"hasPart\": {", "\"Question\": {\"@context\": {\"@vocab\": \"urn:x:\"}}, \"hasPart\": {"),
        ("\"hasPart\": {", "\"other\": {\"@container\": \"@index\"}, \"hasPart\": {"),
        ("\"hasPart\": {", "\"other\": {\"@id\": \"_:other\"}, \"hasPart\": {"),
        ("{\"@context\":", "{\"x\": 1, \"@context\":"),
        ("\"version\": \"1\"", "\"hasPart\": []"),
        ("\"version\": \"1\"", "\"@id\": \"urn:example:other\""),
        ("\"text\": \"How?\"", "\"@context\": {\"text\": null}, \"text\": \"How?\""),
        ("\"text\": \"How?\"", "\"@graph\": [{\"text\": \"How?\"}]"),
        ("\"text\": \"How?\"", "\"@index\": \"a\", \"text\": \"How?\""),
    ] {
        let changed = text.replace(old, new);
        assert_ne!(changed, text, "{old}");
        assert_eq!(held_against_whole(&changed, PieceTestOptions::default()).1, 0, "{changed}");
    }
    let rating = r#""rating": {"@type": "Rating", "@id": "urn:uuid:rating-1"}, "text": "#;
    let shared = text.replace("\"text\": \"", &format!("{rating}\""));
    assert_eq!(held_against_whole(&shared, PieceTestOptions::default()).1, 0, "their ids are made distinct");
}

#[test]
fn what_is_lost_is_told_once_and_where_it_stands() {
    let front = FRONT.replace("\"hasPart\": {", "\"@odd\": \"urn:x:odd\", \"hasPart\": {");
    let front = front.replace("\"name\": \"set\"", "\"name\": [null, {\"@id\": \"a b\"}]");
    let parts = PARTS.replace("\"Why?\"", "\"Why?\", \"text\": null, \"@odd\": 1");
    // The same loss in two pieces costs in both of them.
    let parts = ["Why?", "How?", "Wer, ä?"].into_iter().fold(parts, |parts, text| {
        let lossy =
            format!(r#""@id": "no {text}", "additionalType": {{"@id": "a b {text}"}}, "text": "{text}""#);
        parts.replace(&format!(r#""text": "{text}""#), &lossy)
    });
    let parts = parts
        .replace("\"version\": \"1\"", "\"version\": {\"@id\": \"no iri\", \"name\": 1, \"name\": null}");
    for how in PLAIN.map(|is_plain| PieceTestOptions { is_plain, ..PieceTestOptions::default() }) {
        let (whole, pieces) = held_against_whole(&format!("{front}{parts}"), how);
        assert_eq!(pieces, 5);
        assert!(whole.findings.len() > 8, "{:#?}", whole.findings);
    }
    let moved = FRONT.replace("http://schema.org/", "https://schema.org/");
    let (whole, pieces) = held_against_whole(&format!("{moved}{PARTS}"), PieceTestOptions::default());
    assert_eq!(pieces, 5);
    let told = whole.findings.iter().filter(|finding| finding.contains("8 IRIs were moved")).count();
    assert_eq!(told, 1, "{:#?}", whole.findings);
}

#[test]
fn a_fault_is_told_as_of_the_whole() {
    let text = format!("{FRONT}{PARTS}");
    for (old, new) in [
        ("\"urn:example:3\",", "\"urn:example:3\""),
        ("\"Wer, ä?\"}", "\"Wer, ä?\",}"),
        ("\"Wer, ä?\"}", "\"Wer, ä?\"]"),
        ("\"Wer, ä?\"", "\"Wer, \\x?\""),
        ("\"Wer, ä?\"", "Wer"),
        ("\"Wer, ä?\"", "{'a': 1}"),
        ("}} ,", "}}"),
        ("}} ,", "}} ,,"),
        ("}} ,", "}} , // no\n"),
        ("[7, null", "[7 null"),
        ("]}\n  ],", "]},\n  ],"),
        ("]}\n  ],", "]}\n  },"),
        ("]}\n  ],", "]}\n  ]"),
        ("\"1\"\n}", "\"1\"\n} {}"),
        ("\"1\"\n}", "\"1\",\n}"),
        ("\"Wer, ä?\"", "\"api_key: sk-1\", \"x\": \"Wer, \\x?\""),
        ("\"@vocab\": \"http://schema.org/\"", "\"@vocab\": 1"),
        ("\"urn:example:3\"", "3"),
        ("[\"a\", \"b\"]", "{\"@value\": 1, \"@id\": \"a:b\"}"),
    ] {
        let changed = text.replace(old, new);
        assert_ne!(changed, text, "{old}");
        let (whole, _) = held_against_whole(&changed, PieceTestOptions::default());
        assert_eq!(
            whole.findings.iter().filter(|finding| finding.starts_with("error")).count(),
            1,
            "{changed}"
        );
        assert!(!whole.findings.concat().contains("sk-1"));
    }
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        held_against_whole(&text[..end], PieceTestOptions::default());
    }
}

#[test]
fn the_limit_on_size_is_on_one_item() {
    let text = format!("{FRONT}{PARTS}");
    let file = file(&text);
    let how =
        PieceTestOptions { limits: Limits { size: 300, ..Limits::default() }, ..PieceTestOptions::default() };
    let (whole, _) = load(file.path(), None, PieceTestOptions::default());
    let (outcome, pieces) = load(file.path(), Some(1), how);
    assert_eq!((outcome, pieces), (whole, 5));
    let (refused, _) = load(file.path(), None, how);
    assert!(refused.findings[0].contains("input::too-large"), "{:?}", refused.findings);
    fs::write(file.path(), text.replace("How?", &"How".repeat(100))).expect("there is room");
    let (refused, _) = load(file.path(), Some(1), how);
    let [fault] = refused.findings.as_slice() else { panic!("{:?}", refused.findings) };
    assert!(fault.contains("json::size") && fault.contains("the record 1 has more bytes"), "{fault}");
    assert!(fault.contains(".jsonld:5:"), "{fault}");
}

#[test]
fn what_is_compressed_is_read_twice_as_well() {
    use std::io::Write as _;
    let text = format!("\u{feff}{FRONT}{PARTS}");
    let (whole, pieces) = held_against_whole(&text, PieceTestOptions::default());
    assert_eq!(pieces, 5);
    let plain = tempfile::Builder::new().suffix(".jsonld.gz").tempfile().expect("there is room");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).expect("memory takes all");
    let packed = packed.finish().expect("memory takes all");
    fs::write(plain.path(), &packed).expect("there is room");
    let (outcome, pieces) = load(plain.path(), Some(1), PieceTestOptions::default());
    assert_eq!((&outcome.text, &outcome.quads, pieces), (&whole.text, &whole.quads, 5));
    assert_eq!(outcome, load(plain.path(), None, PieceTestOptions::default()).0);
    fs::write(plain.path(), &packed[..packed.len() - 20]).expect("there is room");
    let (cut_off, _) = load(plain.path(), Some(1), PieceTestOptions::default());
    assert_eq!(cut_off, load(plain.path(), None, PieceTestOptions::default()).0);
}

#[test]
fn a_file_that_changes_while_it_is_read_is_refused() {
    let text = format!("{FRONT}{PARTS}");
    for (old, new) in [("Why?", "Who?"), ("\"set\"", "\"sea\""), ("\"1\"", "\"2\""), ("\"1\"\n}\n", "")] {
        let file = file(&text);
        let change = || fs::write(file.path(), text.replace(old, new)).expect("there is room");
        let (outcome, _) = load_after(file.path(), Some(1), PieceTestOptions::default(), change);
        let faults = outcome.findings.iter().filter(|finding| finding.contains("input::changed"));
        assert_eq!(faults.count(), 1, "{:?}", outcome.findings);
        assert_eq!(outcome.changes, "Err(AlreadyReported)");
    }
}
