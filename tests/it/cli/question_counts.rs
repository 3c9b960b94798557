//! Questions are counted alike by every command, from files and from a store: `stats`, the catalog, a query of
//! the graphs, the overview.

use crate::cli::input::run;
use crate::cli::query_figures::{data_files, number, rows, stats};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The questions of a file as `stats` counts them; none where its figures have no questions.
fn questions_of_stats(file: &Value) -> Option<u64> {
    let keys = ["questions", "rows", "samples"];
    let sum_of = ["tasks", "taskRequests", "yamlTasks", "datasetRows"];
    let counts: Vec<u64> = sum_of.iter().filter_map(|key| file[key].as_u64()).collect();
    let sum = (!counts.is_empty()).then(|| counts.iter().sum());
    keys.iter().find_map(|key| file[key].as_u64()).or(sum)
}

/// What commands count over files, or over the store of a folder, is the same for each file.
fn counted_alike(folder: &Path, files: &[String]) -> usize {
    let by_path = |query: &str| -> BTreeMap<String, u64> {
        let rows = rows(folder, &["-q", query], files);
        rows.iter().map(|row| (row["path"].clone(), number(row, "n"))).collect()
    };
    const CATALOG: &str = "GRAPH <urn:evalgraph:graph:catalog>";
    let in_catalog =
        by_path(&format!("SELECT ?path ?n {{ {CATALOG} {{ ?g eg:path ?path ; eg:questionCount ?n }} }}"));
    let in_graph = by_path(&format!(
        "SELECT ?path (COUNT(DISTINCT ?q) AS ?n) {{ {CATALOG} {{ ?g eg:path ?path }}
         OPTIONAL {{ GRAPH ?g {{ ?q a s:Question }} }} }} GROUP BY ?path"
    ));
    assert_eq!(in_graph, in_catalog);
    let with_keys = by_path(&format!(
        "SELECT ?path (COUNT(DISTINCT ?q) AS ?n) {{ {CATALOG} {{ ?g eg:path ?path }}
         OPTIONAL {{ GRAPH ?g {{ ?q a s:Question }} {CATALOG} {{ ?q eg:answerable ?any }} }} }} GROUP BY ?path"
    ));
    assert_eq!(with_keys, in_catalog);
    let overview = rows(folder, &["-n", "overview"], files);
    let sum: u64 = overview.iter().map(|row| number(row, "questions")).sum();
    assert_eq!(sum, in_catalog.values().sum::<u64>());
    assert_eq!(overview.len(), in_catalog.values().filter(|count| **count > 0).count());
    let mut compared = 0;
    for file in stats(folder, files) {
        let name = file["file"].as_str().expect("a path");
        let Some(counted) = questions_of_stats(&file) else {
            assert_eq!(in_catalog.get(name).copied().unwrap_or(0), 0, "{file}");
            continue;
        };
        assert_eq!(Some(&counted), in_catalog.get(name), "{name}");
        compared += 1;
    }
    compared
}

#[test]
fn every_command_counts_the_same_questions() {
    let files = data_files();
    let from_files = counted_alike(Path::new("."), &files);
    let folder = tempfile::tempdir().expect("a temporary folder");
    run(folder.path(), &["init"]);
    let mut load = vec!["load", "--keep-going"];
    load.extend(files.iter().map(String::as_str));
    run(folder.path(), &load);
    assert_eq!(counted_alike(folder.path(), &[]), from_files);
    assert!(from_files > 50, "{from_files}");
    let (status, graphs, stderr) = run(folder.path(), &["graphs", "--format", "json"]);
    assert_eq!(status, 0, "{stderr}");
    let graphs: Value = serde_json::from_str(&graphs).expect("it is JSON");
    let of_graphs: BTreeSet<&str> =
        graphs.as_array().expect("a list").iter().filter_map(|graph| graph["graph"].as_str()).collect();
    let query = "SELECT ?g { GRAPH <urn:evalgraph:graph:catalog> { ?g eg:questionCount ?n } }";
    let of_catalog = rows(folder.path(), &["-q", query], &[]);
    assert_eq!(of_catalog.iter().map(|row| row["g"].as_str()).collect::<BTreeSet<_>>(), of_graphs);
    // Each folder by itself: names of datasets do not depend on what else there is.
    let mut folders: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in &files {
        let (folder, _) = file.rsplit_once('/').expect("it is a path");
        folders.entry(folder).or_default().push(file.clone());
    }
    for files in folders.values() {
        counted_alike(Path::new("."), files);
    }
}
