//! The store on disk: what was put in comes out, whatever happens to the files or to the power.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use evalgraph::diagnostic::Diagnostic;
use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{
    CompressedText, Dataset, DefaultGraph, DocumentEntry, FolderMedium, NewDocument, StoreFolder,
    StoreSnapshot,
};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::share::one_of;
use crate::store::dataset::document;
use crate::store::medium::{
    Files, Operation, Recorder, after_power_loss, files_of, put_files, safe_operations,
};

/// The quads of a dataset by graph, blank nodes by what is said of them.
fn quads_of(dataset: &Dataset) -> BTreeSet<String> {
    let term = |id| dataset.dictionary().term(id).to_string();
    let mut labels: BTreeMap<String, String> = BTreeMap::new();
    for quad in dataset.quads().filter(|quad| term(quad.subject).starts_with("_:")) {
        let said = format!("{} {} ", term(quad.predicate), term(quad.object));
        labels.entry(term(quad.subject)).or_default().push_str(&said);
    }
    let shown = |id| {
        let shown = term(id);
        labels.get(&shown).map_or(shown, |label| format!("[{label}]"))
    };
    let quads = dataset.quads().map(|quad| {
        let graph = quad.graph.map(term).unwrap_or_default();
        format!("{} {} {} {graph}", shown(quad.subject), term(quad.predicate), shown(quad.object))
    });
    quads.collect()
}

fn entry(graph: &str) -> DocumentEntry {
    DocumentEntry {
        graph: graph.to_owned(),
        dataset: graph.to_owned(),
        quads: 0,
        source: None,
        is_edited: false,
    }
}

fn new_document(graph: &str, n_quads: &str) -> NewDocument {
    let builder = document(graph, n_quads).builder;
    NewDocument { entry: entry(graph), builder, source: CompressedText::from_text(n_quads.as_bytes()).ok() }
}

fn put(store: &StoreFolder, documents: &[(&str, &str)]) -> Result<(), Box<Diagnostic>> {
    let mut change = store.change("a test")?;
    for (graph, n_quads) in documents {
        change.put(new_document(graph, n_quads))?;
    }
    change.commit()
}

/// Puts a document in line by line, as if hardly anything fitted into memory.
fn put_in_pieces(store: &StoreFolder, graph: &str, n_quads: &str) -> Result<(), Box<Diagnostic>> {
    let mut change = store.change("a test")?;
    let mut writer = change.document().with_triples_in_memory(7);
    for line in n_quads.split_inclusive('\n') {
        writer.piece(document(graph, line).builder)?;
        writer.text(line.as_bytes())?;
    }
    writer.finish(entry(graph))?;
    change.commit()
}

fn snapshot(folder: &Path) -> Result<StoreSnapshot, Box<Diagnostic>> {
    StoreFolder::open(Arc::new(FolderMedium::new(folder)))?.snapshot()
}

/// All that a reader sees: every quad, and the texts that documents were read from.
fn state(folder: &Path) -> Result<BTreeSet<String>, Box<Diagnostic>> {
    let store = StoreFolder::open(Arc::new(FolderMedium::new(folder)))?;
    let snapshot = store.snapshot()?;
    let mut state = quads_of(snapshot.dataset());
    for document in snapshot.documents()? {
        let text = store.source(document)?.unwrap_or_default();
        state.insert(format!("{} was {}", document.entry.graph, String::from_utf8_lossy(&text)));
    }
    match snapshot.dataset().fault() {
        Some(fault) => Err(Box::new(fault.clone())),
        None => Ok(state),
    }
}

const ADA: &str = "<urn:ada> <urn:name> \"Ada\" .\n<urn:ada> <urn:age> \"36\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n\
    <urn:ada> <urn:knows> _:b .\n_:b <urn:name> \"Grace\"@en .\n<urn:x> <urn:odd> \"1\"^^<urn:type> <urn:named> .\n";
const BOB: &str =
    "<urn:bob> <urn:name> \"Bob\" .\n<urn:bob> <urn:knows> <urn:ada> .\n<urn:bob> <urn:age> \"7\" .\n";
const EVE: &str = "<urn:eve> <urn:name> \"Eve\" .\n";

fn long_text(number: usize) -> String {
    (0..200)
        .map(|line| format!("<urn:s{line}> <urn:p{number}> \"text {number} {}\" .\n", "x".repeat(300)))
        .collect()
}

#[test]
fn what_is_put_in_comes_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    let mut expected = Vec::new();
    for number in 0..7 {
        let (graph, text) = (format!("urn:g{number}"), long_text(number));
        put(&store, &[(&graph, &text)]).expect("it is put in");
        expected.push((graph, text));
    }
    put(&store, &[("urn:a", ADA), ("urn:b", BOB)]).expect("both are put in");
    let documents = expected.iter().map(|(graph, text)| document(graph, text));
    let all = documents.chain([document("urn:a", ADA), document("urn:b", BOB)]).collect();
    let snapshot = store.snapshot().expect("it opens");
    let in_memory = Dataset::from_documents(all);
    assert_eq!(quads_of(snapshot.dataset()), quads_of(&in_memory));
    assert_eq!(snapshot.dataset().quad_count(), in_memory.quad_count());
    assert!(snapshot.dataset().fault().is_none());
    // Files of terms are merged, so that there are few, of this state and of the one before.
    let names = files_of(folder.path());
    assert!(names.keys().filter(|name| name.starts_with("terms-")).count() <= 8, "{:?}", names.keys());
}

#[test]
fn pieces_are_one_document() {
    let mut lines: Vec<String> = (0..100)
        .flat_map(|number| {
            let text = "x".repeat(number * 7 % 400);
            [
                format!("<urn:s{}> <urn:p{}> \"{text}\" .\n", number % 31, number % 3),
                format!("<urn:s{number}> <urn:p> <urn:s{}> .\n", number % 5),
                format!(
                    "<urn:s{number}> <urn:p> \"{number}\"^^<urn:type{}> <urn:named{}> .\n",
                    number % 2,
                    number % 4
                ),
                format!("<urn:s{number}> <urn:p> \"{text}\"@de <urn:evalgraph:graph:sidecar:a> .\n"),
            ]
        })
        .collect();
    // What is said twice is said once.
    lines.extend_from_within(100..200);
    let text: String = lines.concat();
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    put(&store, &[("urn:a", ADA)]).expect("it is put in");
    put_in_pieces(&store, "urn:b", &text).expect("it is put in");
    let snapshot = store.snapshot().expect("it opens");
    let whole = vec![document("urn:a", ADA), document("urn:b", &text)];
    let in_memory = Dataset::from_documents(whole);
    assert_eq!(quads_of(snapshot.dataset()), quads_of(&in_memory));
    assert_eq!(snapshot.dataset().quad_count(), in_memory.quad_count());
    let of_sidecar = |quad: &&String| quad.ends_with("<urn:evalgraph:graph:sidecar:a>");
    let other = snapshot.documents().expect("they are whole")[1].entry.quads;
    let quads = quads_of(&Dataset::from_documents(vec![document("urn:b", &text)]));
    assert_eq!(other as usize, quads.len() - quads.iter().filter(of_sidecar).count());
    assert_eq!(
        store.source(&snapshot.documents().expect("they are whole")[1]).expect("it is whole"),
        Some(text.into_bytes())
    );
    assert!(files_of(folder.path()).keys().all(|name| !name.starts_with("run-")));
}

#[test]
fn a_document_is_replaced_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    put(&store, &[("urn:a", ADA), ("urn:b", BOB)]).expect("both are put in");
    let reader = store.snapshot().expect("it opens");
    put(&store, &[("urn:a", EVE)]).expect("it is replaced");
    let expected = Dataset::from_documents(vec![document("urn:a", EVE), document("urn:b", BOB)]);
    assert_eq!(quads_of(store.snapshot().expect("it opens").dataset()), quads_of(&expected));
    let mut change = store.change("a test").expect("a change");
    change.remove("urn:b");
    change.commit().expect("it is removed");
    let expected = Dataset::from_documents(vec![document("urn:a", EVE)]);
    assert_eq!(quads_of(store.snapshot().expect("it opens").dataset()), quads_of(&expected));
    // Who has opened it before sees what it was then.
    let before = Dataset::from_documents(vec![document("urn:a", ADA), document("urn:b", BOB)]);
    assert_eq!(quads_of(reader.dataset()), quads_of(&before));
    let of_graphs = files_of(folder.path()).keys().filter(|name| name.starts_with("graphs-")).count();
    assert_eq!(of_graphs, 2, "what neither the manifest nor the one before names is removed");
}

#[test]
fn a_second_writer_is_told_who_the_first_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    let _change = store.change("process 4711, evalgraph load").expect("a change");
    let fault = store.change("another").expect_err("there is one already");
    assert_eq!(fault.code, "store::locked");
    assert!(fault.message.contains("process 4711, evalgraph load"), "{}", fault.message);
    store.snapshot().expect("reading is possible");
}

#[test]
fn a_second_writer_waits_as_long_as_it_is_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    let change = store.change("the first").expect("a change");
    let waiting = store.clone().waiting(Duration::from_secs(600));
    let second = std::thread::spawn(move || waiting.change("the second").map(drop));
    let fault = store.waiting(Duration::from_millis(50)).change("the third").expect_err("it goes on");
    assert_eq!(fault.code, "store::locked");
    assert!(!second.is_finished());
    drop(change);
    second.join().expect("it does not panic").expect("its turn has come");
}

#[test]
fn a_folder_without_store_and_one_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let medium = Arc::new(FolderMedium::new(folder.path()));
    assert_eq!(StoreFolder::open(medium.clone()).expect_err("there is none").code, "store::missing");
    StoreFolder::create(medium.clone()).expect("a store");
    assert_eq!(StoreFolder::create(medium).expect_err("there is one").code, "store::exists");
}

/// Queries of every kind over the small dataset.
const QUERIES: [&str; 14] = [
    "SELECT * { ?s ?p ?o }",
    "SELECT ?name { <urn:ada> <urn:name> ?name }",
    "SELECT ?s { ?s <urn:age> ?age FILTER(?age > 7) }",
    "SELECT ?p { <urn:bob> ?p <urn:ada> }",
    "SELECT (COUNT(*) AS ?n) { ?s <urn:name> ?o }",
    "SELECT ?s ?n { ?s <urn:knows>/<urn:name> ?n }",
    "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g",
    "SELECT ?s { ?s <urn:name> ?n FILTER(CONTAINS(?n, \"a\")) } ORDER BY ?n",
    "SELECT ?s { ?s <urn:name> ?n FILTER NOT EXISTS { ?s <urn:knows> ?x } }",
    "SELECT ?s ?k { ?s <urn:name> ?n OPTIONAL { ?s <urn:knows> ?k } }",
    "ASK { <urn:x> ?p ?o }",
    "CONSTRUCT { ?o <urn:of> ?s } WHERE { ?s <urn:knows> ?o }",
    "DESCRIBE <urn:ada>",
    "SELECT ?o { GRAPH <urn:named> { ?s <urn:odd> ?o } }",
];

/// The answers to all queries; an error of the query or of the files is none.
fn answers(dataset: &Dataset) -> Result<Vec<BTreeSet<String>>, String> {
    let mut answers = Vec::new();
    for text in QUERIES {
        let query = Query::parse_plain(text, "query").expect("the query is right");
        let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
        let mut rows = BTreeSet::new();
        match results.map_err(|fault| fault.message.clone())? {
            QueryResults::Boolean(answer) => {
                rows.insert(answer.to_string());
            }
            QueryResults::Solutions(solutions) => {
                for solution in solutions {
                    let solution = solution.map_err(|fault| fault.message.clone())?;
                    // Labels of blank nodes say nothing.
                    let shown = solution.values().iter().map(|term| match term {
                        Some(oxrdf::Term::BlankNode(_)) => "_:b".to_owned(),
                        Some(term) => term.to_string(),
                        None => String::new(),
                    });
                    rows.insert(shown.collect::<Vec<_>>().join(" "));
                }
            }
            QueryResults::Graph(triples) => {
                for triple in triples {
                    let triple = triple.map_err(|fault| fault.message.clone())?;
                    rows.insert(
                        format!("{} {}", triple.predicate, triple.object).replace(char::is_numeric, ""),
                    );
                }
            }
        }
        answers.push(rows);
    }
    Ok(answers)
}

/// A store of two small documents.
fn small_store(folder: &Path) -> Files {
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder))).expect("a store");
    put(&store, &[("urn:a", ADA)]).expect("it is put in");
    put(&store, &[("urn:b", BOB)]).expect("it is put in");
    let mut files = files_of(folder);
    // Whom the lock names is for people only.
    files.remove("lock");
    files
}

/// What is done to a file: a byte becomes another, or the file ends.
enum Harm {
    Byte(usize, u8),
    End(usize),
}

fn harms(content: &[u8]) -> Vec<Harm> {
    let bytes = content.iter().enumerate().flat_map(|(at, byte)| {
        let changed = [byte ^ 1, byte ^ 255, 0];
        changed.into_iter().filter(move |changed| changed != byte).map(move |changed| Harm::Byte(at, changed))
    });
    bytes.chain((0..content.len()).map(Harm::End)).collect()
}

/// All that a reader can ask for: every quad and every kept text, and the answers to the queries.
type Everything = (BTreeSet<String>, Vec<BTreeSet<String>>);

fn everything(folder: &Path) -> Result<Everything, Box<Diagnostic>> {
    let answers = answers(snapshot(folder)?.dataset());
    let state = state(folder)?;
    Ok((state, answers.expect("the queries run where everything can be read")))
}

#[test]
fn a_damaged_byte_is_never_a_wrong_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = small_store(folder.path());
    let whole = everything(folder.path()).expect("it is whole");
    let work: Vec<(&String, &Vec<u8>, Harm)> = files
        .iter()
        .flat_map(|(name, content)| harms(content).into_iter().map(move |harm| (name, content, harm)))
        .step_by(one_of(2))
        .collect();
    let look = |(name, content, harm): &(&String, &Vec<u8>, Harm), folder: &Path| {
        let (changed, what) = match harm {
            Harm::Byte(at, byte) => {
                let mut changed = (*content).clone();
                changed[*at] = *byte;
                (changed, format!("byte {at} of {name} is {byte}"))
            }
            Harm::End(length) => (content[..*length].to_vec(), format!("{name} ends after {length} bytes")),
        };
        std::fs::write(folder.join(name), changed).expect("the file can be written");
        match everything(folder) {
            Ok(found) => assert_eq!(found, whole, "{what}"),
            Err(fault) => assert!(fault.code.starts_with("store::"), "{what}: {}", fault.code),
        }
        // What can be asked before the damage is met has the right answer, too.
        if let Ok(snapshot) = snapshot(folder)
            && let Ok(found) = answers(snapshot.dataset())
        {
            assert_eq!(found, whole.1, "{what}");
        }
        std::fs::write(folder.join(name), content).expect("the file can be written");
    };
    let halves = work.split_at(work.len() / 2);
    std::thread::scope(|scope| {
        for half in [halves.0, halves.1] {
            let (look, files) = (&look, &files);
            scope.spawn(move || {
                let folder = tempfile::tempdir().expect("a folder");
                put_files(folder.path(), files);
                half.iter().for_each(|harm| look(harm, folder.path()));
            });
        }
    });
    println!("{} harms", work.len());
    assert!(work.len() * one_of(2) > 1000);
}

#[test]
fn damaged_checksums_are_never_taken_for_whole_blocks() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    // The checksums of this text, which does not shrink, have several checksums themselves.
    let mut text = vec![0; 5 << 20];
    StdRng::seed_from_u64(21).fill(&mut text[..]);
    let builder = document("urn:a", ADA).builder;
    let source = CompressedText::from_text(&text).ok();
    let mut change = store.change("a test").expect("a change");
    change.put(NewDocument { entry: entry("urn:a"), builder, source }).expect("it is written");
    change.commit().expect("it is put in");
    let read = || store.source(&store.documents()?[0]);
    assert_eq!(read().expect("it is whole"), Some(text));
    let files = files_of(folder.path());
    let (name, content) = files.iter().find(|(name, _)| name.starts_with("source-")).expect("it is there");
    let end = content.len() - 24;
    let body = u64::from_le_bytes(content[end..end + 8].try_into().expect("it has eight bytes")) as usize;
    assert!(end - body > 4096 + 1024);
    for place in (body..content.len()).step_by(61) {
        let mut harmed = content.clone();
        harmed[place] ^= 1;
        std::fs::write(folder.path().join(name), harmed).expect("the file can be written");
        assert_eq!(read().expect_err("it is damaged").code, "store::damaged", "{place}");
    }
}

#[test]
fn what_is_looked_for_in_a_long_run_is_found() {
    // A subject, an object and a predicate of 5,000 triples each, whose other terms repeat between one and 2,000 times.
    let share = |number: usize| [number, number % 3, number % 70 / 60][number % 3];
    let text: String = (0..5000)
        .map(|number| {
            let predicate = share(number);
            format!("<urn:hub> <urn:p{predicate}> <urn:o{number}> .\n<urn:s{number}> <urn:p{predicate}> <urn:end> .\n")
        })
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    put(&store, &[("urn:a", &text)]).expect("it is put in");
    let snapshot = store.snapshot().expect("it opens");
    let in_memory = Dataset::from_documents(vec![document("urn:a", &text)]);
    for number in (0..5010).step_by(7).chain(0..3) {
        let patterns = [
            format!("<urn:hub> <urn:p{number}> ?x"),
            format!("?x <urn:p{number}> <urn:end>"),
            format!("<urn:hub> <urn:p{}> <urn:o{number}>", share(number)),
            format!("<urn:hub> <urn:p{number}> <urn:o{}>", number + 1),
        ];
        for pattern in patterns {
            let text = format!("SELECT (COUNT(*) AS ?n) (MIN(STR(?x)) AS ?first) {{ {pattern} }}");
            let query = Query::parse_plain(&text, "query").expect("it is right");
            let answer = |dataset: &Dataset| {
                let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default());
                let Ok(QueryResults::Solutions(mut solutions)) = results else { panic!("{text}") };
                let solution = solutions.next().expect("there is a row").expect("it is whole");
                solution
                    .values()
                    .iter()
                    .map(|value| value.as_ref().map(ToString::to_string))
                    .collect::<Vec<_>>()
            };
            assert_eq!(answer(snapshot.dataset()), answer(&in_memory), "{text}");
        }
    }
}

/// Documents enough that those behind them share files.
fn put_many(store: &StoreFolder, others: &[(&str, &str)]) {
    let mut change = store.change("a test").expect("a change");
    for number in 0..256 {
        let quad = format!("<urn:filler:{number}> <urn:name> \"{number}\" .\n");
        change.put(new_document(&format!("urn:filler:{number}"), &quad)).expect("it is written");
    }
    for (graph, n_quads) in others {
        change.put(new_document(graph, n_quads)).expect("it is written");
    }
    change.commit().expect("all are put in");
}

/// The files that documents share, and the one that lists them.
fn shared_files(folder: &Path) -> Files {
    let mut files = files_of(folder);
    let number = |name: &str| name.rsplit('-').next().and_then(|number| number.parse::<u64>().ok());
    files.retain(|name, _| number(name).is_some_and(|number| number > 513));
    files
}

#[test]
fn small_documents_share_files_where_there_are_many() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    put_many(&store, &[("urn:a", ADA), ("urn:b", BOB), ("urn:e", EVE)]);
    let mut expected: Vec<(String, String)> = (0..256)
        .map(|number| {
            let quad = format!("<urn:filler:{number}> <urn:name> \"{number}\" .\n");
            (format!("urn:filler:{number}"), quad)
        })
        .chain([("urn:a", ADA), ("urn:b", BOB), ("urn:e", EVE)].map(|(a, b)| (a.to_owned(), b.to_owned())))
        .collect();
    let check = |expected: &[(String, String)]| {
        let snapshot =
            StoreFolder::open(Arc::new(FolderMedium::new(folder.path()))).expect("a store").snapshot();
        let snapshot = snapshot.expect("it opens");
        let documents = expected.iter().map(|(graph, quads)| document(graph, quads)).collect();
        let in_memory = Dataset::from_documents(documents);
        assert_eq!(quads_of(snapshot.dataset()), quads_of(&in_memory));
        assert_eq!(answers(snapshot.dataset()), answers(&in_memory));
        for (stored, (graph, quads)) in snapshot.documents().expect("they are whole").iter().zip(expected) {
            assert_eq!(stored.entry.graph, *graph);
            assert_eq!(store.source(stored).expect("it is whole").as_deref(), Some(quads.as_bytes()));
        }
        assert!(store.examine().expect("it can be read").is_whole());
        let names = files_of(folder.path());
        let count = |kind: &str| names.keys().filter(|name| name.starts_with(kind)).count();
        // Those of this state, and those of the one before that are not of this one.
        assert!(count("graphs-") <= 272 && count("source-") <= 272, "{names:?}", names = names.keys());
        assert!((1..=2).contains(&count("documents-")));
    };
    check(&expected);
    // Change after change: one is replaced, one comes, one goes, those with files of their own among them.
    for round in 0..24 {
        let mut change = store.change("a test").expect("a change");
        let new = format!("<urn:new> <urn:round> \"{round}\" .\n");
        change.put(new_document("urn:b", &new)).expect("it is written");
        expected.iter_mut().filter(|(graph, _)| graph == "urn:b").for_each(|known| known.1.clone_from(&new));
        change.put(new_document(&format!("urn:more:{round}"), &new)).expect("it is written");
        expected.push((format!("urn:more:{round}"), new));
        let goes =
            if round % 2 == 0 { format!("urn:more:{}", round / 2) } else { format!("urn:filler:{round}") };
        change.remove(&goes);
        expected.retain(|(graph, _)| *graph != goes);
        change.commit().expect("the change is made");
        check(&expected);
    }
    // What was loaded once keeps no file that is mostly unused.
    let mut repair = store.repair("a test").expect("a repair");
    assert!(!repair.has_work());
    repair.put(new_document("urn:e", EVE));
    repair.commit_unless(true, || Ok(())).expect("all is written anew");
    check(&expected);
}

#[test]
fn damage_of_shared_files_is_never_a_wrong_answer_and_is_repaired() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    put_many(&store, &[("urn:a", ADA), ("urn:b", BOB)]);
    let whole = everything(folder.path()).expect("it is whole");
    let files = shared_files(folder.path());
    let kinds: BTreeSet<&str> = files.keys().filter_map(|name| name.split('-').next()).collect();
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["documents", "graphs", "source"]);
    let mut random = StdRng::seed_from_u64(3);
    for (name, content) in &files {
        let all = harms(content);
        for _ in 0..20 {
            let mut changed = content.clone();
            match all[random.random_range(0..all.len())] {
                Harm::Byte(at, byte) => changed[at] = byte,
                Harm::End(length) => changed.truncate(length),
            }
            std::fs::write(folder.path().join(name), &changed).expect("the file can be written");
            match everything(folder.path()) {
                Ok(found) => assert_eq!(found, whole, "{name}"),
                Err(fault) => assert!(fault.code.starts_with("store::"), "{name}: {}", fault.code),
            }
            match store.examine() {
                Ok(found) if name.starts_with("graphs-") => {
                    let damaged: Vec<&str> =
                        found.damaged.iter().map(|damaged| damaged.document.entry.graph.as_str()).collect();
                    assert!(!damaged.is_empty() && damaged.iter().all(|graph| !graph.contains("filler")));
                }
                Ok(found) if name.starts_with("source-") => assert!(!found.texts.is_empty()),
                Ok(_) => panic!("{name} names documents, and is damaged"),
                Err(fault) => assert!(fault.code.starts_with("store::"), "{name}: {}", fault.code),
            }
        }
        std::fs::write(folder.path().join(name), content).expect("the file can be written");
    }
    assert_eq!(everything(folder.path()).expect("it is whole"), whole);
}

#[test]
fn a_loss_of_power_among_shared_files_leaves_one_state_or_the_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::new(folder.path());
    let store = StoreFolder::create(Arc::new(recorder.clone())).expect("a store");
    put_many(&store, &[("urn:a", ADA), ("urn:b", BOB)]);
    recorder.take();
    let files = files_of(folder.path());
    let old = state(folder.path()).expect("it is whole");
    let mut change = store.change("a test").expect("a change");
    change.put(new_document("urn:a", EVE)).expect("it is written");
    change.put(new_document("urn:c", BOB)).expect("it is written");
    change.remove("urn:b");
    change.commit().expect("it is changed");
    let operations: Vec<Operation> = recorder.take();
    let new = state(folder.path()).expect("it is whole");
    let after = tempfile::tempdir().expect("a folder");
    let mut random = StdRng::seed_from_u64(7);
    let mut states = [0, 0];
    for moment in (0..=operations.len()).rev().step_by(one_of(3)) {
        for _ in 0..4 {
            let found = after_power_loss(&files, &operations[..moment], || random.random());
            put_files(after.path(), &found);
            let found =
                state(after.path()).unwrap_or_else(|fault| panic!("moment {moment}: {}", fault.message));
            assert!(found == old || found == new, "moment {moment}: neither the old state nor the new one");
            states[usize::from(found == new)] += 1;
            assert!(moment < operations.len() || found == new, "a change that is done stays done");
        }
    }
    assert!(states[0] > 10 && states[1] > 0, "both states are met");
}

#[test]
fn a_full_disk_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::new(folder.path());
    let store = StoreFolder::create(Arc::new(recorder.clone())).expect("a store");
    put(&store, &[("urn:a", ADA), ("urn:b", BOB)]).expect("both are put in");
    let before = state(folder.path()).expect("it is whole");
    for operations in 0.. {
        recorder.fail_after(operations, io::ErrorKind::StorageFull);
        let text = format!("{}{EVE}", long_text(1));
        let result = put_in_pieces(&store, "urn:c", &text);
        recorder.mend();
        let Err(fault) = result else {
            assert!(operations > 10, "many operations can fail");
            break;
        };
        let after = state(folder.path()).expect("it is whole");
        assert_eq!(fault.code, "store::disk-full", "{}", fault.message);
        // The new manifest can be in its place before the disk says that its name is not safe.
        if fault.message.contains("the change is made") {
            assert!(after.iter().any(|quad| quad.contains("Eve")), "all of the change has happened");
            let mut change = store.change("a test").expect("a change");
            change.remove("urn:c");
            change.commit().expect("it is removed");
            assert_eq!(state(folder.path()).expect("it is whole"), before);
            continue;
        }
        assert_eq!(after, before, "{}", fault.message);
        assert!(
            fault.help.iter().any(|help| help.to_string().contains("the store is as it was")),
            "{fault:?}"
        );
        let names = files_of(folder.path());
        assert!(!names.contains_key("manifest.next"), "nothing is left over: {:?}", names.keys());
    }
}

#[test]
fn a_loss_of_power_leaves_the_old_state_or_the_new_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::new(folder.path());
    let store = StoreFolder::create(Arc::new(recorder.clone())).expect("a store");
    put(&store, &[("urn:a", ADA), ("urn:b", BOB)]).expect("both are put in");
    recorder.take();
    let files = files_of(folder.path());
    let old = state(folder.path()).expect("it is whole");
    let mut change = store.change("a test").expect("a change");
    change.put(new_document("urn:a", EVE)).expect("it is written");
    change.put(new_document("urn:c", &long_text(2))).expect("it is written");
    change.remove("urn:b");
    change.commit().expect("it is changed");
    let operations: Vec<Operation> = recorder.take();
    let new = state(folder.path()).expect("it is whole");
    let after = tempfile::tempdir().expect("a folder");
    let mut random = StdRng::seed_from_u64(7);
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let (mut seen, mut states) = (HashSet::new(), [0, 0]);
    for moment in 0..=operations.len() {
        let asked = &operations[..moment];
        let unsafe_operations = safe_operations(asked).iter().filter(|is_safe| !**is_safe).count();
        let subsets = 1_u64.checked_shl(u32::try_from(unsafe_operations).unwrap_or(64)).unwrap_or(u64::MAX);
        for subset in 0..subsets.min(1024) {
            let mut bits = if subsets <= 1024 { subset } else { random.random() };
            let found = after_power_loss(&files, asked, || {
                let is_lost = bits & 1 == 1;
                bits >>= 1;
                is_lost
            });
            // Many losses come to the same files.
            if !seen.insert(hasher.hash_one(&found)) {
                continue;
            }
            put_files(after.path(), &found);
            let found =
                state(after.path()).unwrap_or_else(|fault| panic!("moment {moment}: {}", fault.message));
            assert!(found == old || found == new, "moment {moment}: neither the old state nor the new one");
            states[usize::from(found == new)] += 1;
            if moment == operations.len() {
                assert!(found == new, "a change that is done stays done");
            }
        }
    }
    println!("{} operations, {} folders: {} old, {} new", operations.len(), seen.len(), states[0], states[1]);
    assert!(states[0] > 10 && states[1] > 0, "both states are met");
}

#[test]
fn readers_see_whole_states_while_a_writer_replaces_graphs() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = StoreFolder::create(Arc::new(FolderMedium::new(folder.path()))).expect("a store");
    // In every state the two graphs say the same.
    let text = |round: usize| format!("<urn:s> <urn:round> \"{round}\" .\n{}", long_text(round % 3));
    put(&store, &[("urn:a", &text(0)), ("urn:b", &text(0))]).expect("both are put in");
    let seconds =
        std::env::var("EVALGRAPH_READERS_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let is_done = AtomicBool::new(false);
    let reads = std::thread::scope(|scope| {
        let read = || {
            let mut reads = 0;
            while !is_done.load(Ordering::Relaxed) {
                let snapshot = snapshot(folder.path()).expect("a reader always finds a whole store");
                let query =
                    "SELECT (COUNT(DISTINCT ?r) AS ?n) (COUNT(*) AS ?all) { GRAPH ?g { ?s <urn:round> ?r } }";
                let query = Query::parse_plain(query, "query").expect("the query is right");
                let view = snapshot.dataset().view(DefaultGraph::Union);
                let Ok(QueryResults::Solutions(mut rows)) = query.execute(view, ExecuteOptions::default())
                else {
                    panic!("the query runs");
                };
                let row = rows.next().expect("there is a row").expect("the query runs");
                let shown: Vec<String> = row.values().iter().flatten().map(ToString::to_string).collect();
                assert!(
                    shown[0].starts_with("\"1\"") && shown[1].starts_with("\"2\""),
                    "a torn state: {shown:?}"
                );
                assert!(snapshot.dataset().fault().is_none());
                reads += 1;
            }
            reads
        };
        let readers: Vec<_> = (0..8).map(|_| scope.spawn(read)).collect();
        let end = std::time::Instant::now() + Duration::from_secs(seconds);
        let mut round = 1;
        while std::time::Instant::now() < end {
            let replaced = put(&store, &[("urn:a", &text(round)), ("urn:b", &text(round))]);
            if replaced.is_err() {
                // Readers that nobody tells to end would read for ever.
                is_done.store(true, Ordering::Relaxed);
            }
            replaced.expect("both are replaced");
            round += 1;
        }
        is_done.store(true, Ordering::Relaxed);
        let reads: usize = readers.into_iter().map(|reader| reader.join().expect("no reader fails")).sum();
        println!("{reads} reads, {round} states");
        reads
    });
    assert!(reads > 8);
}
