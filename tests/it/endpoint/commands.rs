//! The commands over a server that holds the fixtures, whichever server it is.

use std::fs;
use std::path::Path;

use crate::cli::input::{run, run_at};
use crate::fixture_files::root;
use crate::rdf::isomorphism::{isomorphic, read_n_quads};

/// The files, of all systems.
pub(crate) const FILES: [&str; 7] = [
    "across/handbook.json",
    "across/library.json",
    "across/repairs.jsonld",
    "across/review.json",
    "across/tenancy.jsonld",
    "karenina/p1-physics.jsonld",
    "karenina/s0-cell-biology.jsonld",
];

/// The time of exports, which the catalog tells.
pub(crate) const TIME: i64 = 1_766_000_000;

/// The graph of the file that is changed.
const PHYSICS: &str = "urn:evalgraph:graph:urn%3Auuid%3Akarenina-checkpoint-1759413600.100000";

/// Queries of every form, and of every way to see graphs.
const QUERIES: [&str; 12] = [
    "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
    "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g",
    "SELECT (COUNT(DISTINCT ?g) AS ?n) { ?q a s:Question GRAPH ?g { ?q s:text ?t } }",
    "SELECT ?q ?system { GRAPH <urn:evalgraph:graph:catalog> { ?q eg:system ?system ; eg:textKey ?key } FILTER(isIRI(?q)) }",
    "SELECT ?text { ?q a s:Question ; s:text ?text } ORDER BY ?text LIMIT 3",
    "SELECT ?t FROM <urn:evalgraph:graph:urn%3Auuid%3Akarenina-checkpoint-1759413600.100000> { ?q a s:Question ; s:text ?t }",
    "SELECT ?name { ?q s:hasPart+/s:name ?name FILTER NOT EXISTS { ?q s:text ?text } }",
    "ASK { ?q a <https://schema.org/Question> }",
    "ASK { ?q a s:Answer ; s:text \"No answer has this text\" }",
    "CONSTRUCT { ?q s:name ?text } WHERE { ?q a s:Question ; s:text ?text FILTER(isIRI(?q)) }",
    "CONSTRUCT { _:new s:about ?q } WHERE { ?q a s:Question FILTER(isIRI(?q)) }",
    "DESCRIBE <urn:nothing>",
];

/// A server, and a folder with the files.
pub(crate) struct Place<'p> {
    /// The address of queries.
    pub(crate) url: String,
    /// The arguments that tell who asks.
    pub(crate) login: Vec<&'p str>,
    pub(crate) folder: &'p Path,
    /// `true` if graphs come back with all that was sent, blank nodes that two of them share included.
    pub(crate) is_exact: bool,
}

impl Place<'_> {
    /// What a command says of the server, with its status.
    fn says(&self, arguments: &[&str]) -> (i32, String, String) {
        run(self.folder, &[arguments, &["--endpoint", &self.url], &self.login].concat())
    }
}

/// Copies the files into a folder, and returns their graphs with all that stands beside these, as N-Quads.
pub(crate) fn exported(folder: &Path) -> String {
    for file in FILES {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().expect("it is in a folder")).expect("the folder is ours");
        fs::copy(root().join(file), to).expect("the fixture is there");
    }
    let arguments = [&["export", "files", "out"], &FILES[..], &["--with", "catalog,sidecar"]].concat();
    let (status, _, stderr) = run_at(TIME, folder, &arguments);
    assert_eq!(status, 0, "{stderr}");
    fs::read_to_string(folder.join("out/data.nq")).expect("it was exported")
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Asks all that is only read, and compares it with what is said of the files.
pub(crate) fn says_what_files_say(place: &Place<'_>) {
    queries_have_the_same_answers(place);
    let list = |arguments: &[&str]| place.says(&[&["graphs"], arguments].concat());
    let (status, graphs, stderr) = list(&["--format", "json"]);
    assert_eq!((status, graphs.matches("\"graph\":").count()), (0, FILES.len()), "{graphs}{stderr}");
    assert!(graphs.contains(PHYSICS) && !graphs.contains("graph:catalog"), "{graphs}");

    let (status, dumped, stderr) = place.says(&["dump", "--all-graphs"]);
    assert_eq!(status, 0, "{stderr}");
    let given = fs::read_to_string(place.folder.join("out/data.nq")).expect("it was exported");
    assert_eq!(dumped.lines().count(), given.lines().count());
    if place.is_exact {
        assert!(isomorphic(&read_n_quads(&dumped), &read_n_quads(&given)), "the dump is another graph");
    }
    let figures = |text: &str| {
        let others = ["sha256", "warnings"];
        let lines = text.lines().filter(|line| !others.iter().any(|other| line.trim().starts_with(other)));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let (status, stats, stderr) = place.says(&["stats"]);
    let (_, of_files, _) = run(place.folder, &[&["stats"], &FILES[..]].concat());
    assert_eq!(status, 0, "{stderr}");
    if place.is_exact {
        let (mut ours, mut theirs) = (figures(&stats), figures(&of_files));
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs);
        files_come_back(place);
    }
    let (status, _, stderr) = place.says(&["check", "--format", "json"]);
    assert_eq!(status, 1, "{stderr}");
}

fn queries_have_the_same_answers(place: &Place<'_>) {
    for query in QUERIES {
        let form = if query.starts_with("CONSTRUCT") || query.starts_with("DESCRIBE") { "nt" } else { "tsv" };
        let arguments = ["query", "-q", query, "--format", form];
        let (status, ours, stderr) = place.says(&arguments);
        let (expected_status, expected, _) = run(place.folder, &[&arguments, &FILES[..]].concat());
        assert_eq!(status, expected_status, "{}: {query}\n{stderr}", place.url);
        if form == "nt" {
            assert!(
                isomorphic(&read_n_quads(&ours), &read_n_quads(&expected)),
                "{query}\n{ours}\n{expected}"
            );
        } else {
            assert_eq!(sorted(&ours), sorted(&expected), "{}: {query}\n{stderr}", place.url);
        }
    }
    for name in ["overview", "systems", "keywords", "differing-answers"] {
        let arguments = ["query", "-n", name, "--format", "tsv"];
        let (status, ours, stderr) = place.says(&arguments);
        let (_, expected, _) = run(place.folder, &[&arguments, &FILES[..]].concat());
        assert_eq!((status, sorted(&ours)), (0, sorted(&expected)), "{}: {name}\n{stderr}", place.url);
    }
    let (_, all, _) =
        place.says(&["query", "-q", "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }", "--all-graphs"]);
    assert!(all.contains("graph:catalog") && all.contains("graph:sidecar:"), "{all}");
}

/// Each file comes back as it was, and a graph without its sidecar says what its file says.
fn files_come_back(place: &Place<'_>) {
    let (status, _, stderr) = place.says(&["convert", "--to", "same", "-o", "same/"]);
    assert_eq!(status, 0, "{stderr}");
    for file in FILES {
        let name = Path::new(file).file_name().expect("it is a file");
        let back = fs::read_to_string(place.folder.join("same").join(name)).expect("it was written");
        assert_eq!(back, fs::read_to_string(root().join(file)).expect("the fixture is there"), "{file}");
    }
    let physics = ["--default-graph-uri", PHYSICS];
    let (status, found, stderr) =
        place.says(&[&["diff", "karenina/p1-physics.jsonld"], &physics[..]].concat());
    assert_eq!((status, found.as_str()), (0, ""), "{stderr}");
}

/// A graph that was changed on the server becomes a checkpoint with the change; catalog and sidecar are told to stay behind.
pub(crate) fn takes_updates(place: &Place<'_>) {
    let update = "DELETE { GRAPH ?g { ?q s:text ?t } } INSERT { GRAPH ?g { ?q s:text ?new } }
        WHERE { GRAPH ?g { ?q s:text ?t FILTER (CONTAINS(?t, \"half-life\") && STRSTARTS(?t, \"What\")) } }";
    let (status, _, stderr) = place.says(&["update", "-q", update, "-p", "new=\"How old is it?\""]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("note[endpoint::not-kept]"), "{stderr}");
    let physics = ["--default-graph-uri", PHYSICS];
    let (status, found, stderr) =
        place.says(&[&["diff", "karenina/p1-physics.jsonld"], &physics[..]].concat());
    assert_eq!(status, 1, "{stderr}");
    let texts = ["How old is it?", "What is the half-life of carbon-14?"];
    assert!(texts.iter().all(|text| found.contains(text)) && found.lines().count() < 8, "{found}");

    let convert = ["convert", "--to", "karenina", "-o", "changed.jsonld"];
    let (status, _, stderr) = place.says(&[&convert[..], &physics].concat());
    assert_eq!(status, 0, "{stderr}");
    let expected =
        fs::read_to_string(root().join("karenina/p1-physics.jsonld")).expect("the fixture is there");
    fs::write(place.folder.join("expected.jsonld"), expected.replace(texts[1], texts[0]))
        .expect("the folder is ours");
    let convert = ["convert", "expected.jsonld", "--to", "karenina", "-o", "expected.jsonld"];
    let (status, _, stderr) = run(place.folder, &convert);
    assert_eq!(status, 0, "{stderr}");
    let (status, found, stderr) = run(place.folder, &["diff", "expected.jsonld", "changed.jsonld"]);
    assert_eq!(status, 0, "{found}{stderr}");
}
