//! Exports of all fixtures in all forms, read back as bulk loaders read files: a blank node of one file is another one in the
//! next.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use evalgraph::rdf::RdfFormat;
use evalgraph::{CompanionGraph, ExportedFile, FileCompression, FilesExport, GraphChoice, Loader, Store};
use oxttl::{NQuadsParser, TriGParser};

use crate::cli::input::run;
use crate::fixture_files::{files_below, root, short};
use crate::rdf::isomorphism::{Quad, Term, from_oxrdf, isomorphic, read_n_quads};

fn forms() -> Vec<FilesExport> {
    let mut forms = Vec::new();
    for (format, compression, split) in [
        (RdfFormat::NQuads, None, None),
        (RdfFormat::NQuads, Some(FileCompression::Gzip), Some(3000)),
        (RdfFormat::TriG, Some(FileCompression::Zstd), None),
        (RdfFormat::TriG, None, Some(700)),
        (RdfFormat::NTriples, None, Some(5000)),
        (RdfFormat::Turtle, None, None),
    ] {
        let mut form = FilesExport::from(format);
        (form.compression, form.split) = (compression, split);
        forms.push(form);
    }
    forms
}

/// The text of a file, decompressed.
fn text(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("the file is there");
    let mut text = String::new();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => {
            flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut text).expect("it is whole");
        }
        Some("zst") => {
            text = String::from_utf8(zstd::decode_all(&*bytes).expect("it is whole")).expect("UTF-8");
        }
        _ => text = String::from_utf8(bytes).expect("it is UTF-8"),
    }
    text
}

/// The quads of the files of an export, each file with blank nodes of its own.
fn read_back(folder: &Path, files: &[ExportedFile]) -> BTreeSet<Quad> {
    let mut quads = BTreeSet::new();
    for (number, file) in files.iter().enumerate() {
        let text = text(&folder.join(&file.name));
        // TriG includes Turtle, and N-Quads N-Triples.
        let of_file: Vec<oxrdf::Quad> = match file.name.contains(".t") {
            true => TriGParser::new().for_slice(&text).collect::<Result<_, _>>().expect("it is TriG"),
            false => NQuadsParser::new().for_slice(&text).collect::<Result<_, _>>().expect("it is N-Quads"),
        };
        assert_eq!(of_file.len() as u64, file.quads, "{}", file.name);
        quads.extend(of_file.iter().map(from_oxrdf).map(|mut quad| {
            for term in &mut quad {
                if let Term::Blank(label) = term {
                    label.insert_str(0, &format!("f{number}"));
                }
            }
            if let Some(graph) = &file.graph {
                quad[3] = Term::Ground(format!("<{graph}>"));
            }
            quad
        }));
    }
    quads
}

fn n_quads(dataset: &evalgraph::store::Dataset) -> String {
    let mut text = Vec::new();
    dataset.quads_of_data().for_each(|quad| dataset.dictionary().write_n_quad(quad, &mut text));
    String::from_utf8(text).expect("it is UTF-8")
}

#[test]
fn exports_of_all_fixtures_are_read_back() {
    let (forms, mut count) = (forms(), 0);
    let fixtures = ["karenina", "train", "kwanzaa", "rlcf"].iter().flat_map(|system| files_below(system));
    for (at, path) in fixtures.enumerate() {
        let input = [path.display().to_string()];
        // Fixtures that are at fault have no quads to export.
        let Ok(loaded) = Loader::new().load(&input) else { continue };
        let expected = read_n_quads(&n_quads(loaded.dataset()));
        // Each file in two forms: all in all forms would take minutes.
        for form in [&forms[at % forms.len()], &forms[(at + 1) % forms.len()]] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let exported =
                Loader::new().export_files(&input, form.clone(), folder.path()).expect("it is exported");
            let found = read_back(folder.path(), &exported.files);
            assert!(isomorphic(&expected, &found), "{}: {form:?}", short(&path));
            count += 1;
        }
    }
    assert!(count > 150, "{count} exports");
}

/// Two graphs that share a blank node, and one that is named by it.
const SHARED: &str = "<urn:a> <urn:p> _:x <urn:g> .\n<urn:b> <urn:p> _:x <urn:h> .\n<urn:c> <urn:p> <urn:d> _:x .\n\
    <urn:c> <urn:p> \"a \\\"b\\\" \\\\ \\n\\t\\u0001 ü\"@en <urn:g> .\n";

#[test]
fn a_blank_node_stays_one_across_parts_and_graphs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("shared.nq");
    std::fs::write(&file, SHARED).expect("the folder is ours");
    let expected = read_n_quads(SHARED);
    for (at, form) in forms().into_iter().enumerate() {
        let out = folder.path().join(format!("out{at}"));
        let exported = Loader::new().export_files([file.display().to_string()], form.clone(), &out);
        let exported = exported.expect("it is exported");
        let is_told = exported.report.findings().any(|finding| finding.code == "export::shared-nodes");
        assert_eq!(is_told, !form.format.has_graph_names(), "{form:?}");
        if form.format.has_graph_names() {
            assert!(isomorphic(&expected, &read_back(&out, &exported.files)), "{form:?}");
        }
    }
}

#[test]
fn a_store_is_exported_with_the_graphs_that_are_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let mut store = Store::create(path).expect("the folder is ours");
    let files = files_below("karenina");
    let files =
        files.iter().filter(|file| file.display().to_string().contains("/p")).map(|file| file.display());
    store.load(files.map(|file| file.to_string())).expect("the fixtures are good");
    let export = |names: &[&str], with: &[CompanionGraph], out: &str| {
        let mut export = FilesExport::from(RdfFormat::NQuads);
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        export.graphs = GraphChoice { names, with: with.to_vec() };
        store.export_files(export, path.join(out)).map(|_| text(&path.join(out).join("data.nq")))
    };
    let dump = |arguments: &[&str]| run(path, &[&["dump"][..], arguments].concat()).1;
    assert_eq!(export(&[], &[], "all").expect("it is whole"), dump(&[]));
    assert_eq!(
        export(&[], &[CompanionGraph::Catalog], "catalog").expect("it is whole"),
        dump(&["--all-graphs"])
    );
    let physics = "urn:uuid:karenina-checkpoint-1759413600.100000";
    let one = export(&[physics], &[], "one").expect("it is whole");
    assert!(!one.is_empty());
    assert_eq!(one, dump(&[physics]));
    let fault = export(&["nothing"], &[], "none").expect_err("there is no such graph");
    assert!(fault.to_string().contains("the store has no graph `nothing`"), "{fault}");
    assert!(!path.join("none").exists());
}

#[test]
fn files_come_back_from_an_export_of_a_store_with_sidecars() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let mut store = Store::create(path).expect("the folder is ours");
    let fixtures =
        ["karenina/p1-physics.jsonld", "karenina/s0-cell-biology.jsonld", "train/support-desk.json"];
    let fixtures = fixtures.map(|name| root().join(name));
    store
        .load(fixtures.each_ref().map(|fixture| fixture.display().to_string()))
        .expect("the fixtures are good");
    let mut export = FilesExport::from(RdfFormat::NQuads);
    export.graphs.with = vec![CompanionGraph::Catalog, CompanionGraph::Sidecar];
    store.export_files(export, path.join("out")).expect("it is exported");
    let (status, _, stderr) = run(path, &["convert", "out/data.nq", "--to", "same", "-o", "back/"]);
    assert_eq!(status, 0, "{stderr}");
    for fixture in fixtures {
        let back = path.join("back").join(fixture.file_name().expect("a file has a name"));
        assert_eq!(std::fs::read(&back).ok(), std::fs::read(&fixture).ok(), "{}", back.display());
    }
}
