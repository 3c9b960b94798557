//! The book holds together: each page is in the summary, each link leads somewhere, no page is too long.

use std::collections::BTreeMap;
use std::path::Path;

use super::page::{GENERATED, Page, page_at, pages, root};

const SUMMARY: &str = "docs/SUMMARY.md";
/// It is linked, and not part of the book.
const ARCHITECTURE: &str = "ARCHITECTURE.md";
/// It says how to change the program.
const CONTRIBUTING: &str = "CONTRIBUTING.md";
/// Two screens.
const MOST_LINES_OF_README: usize = 120;
const MOST_LINES: usize = 300;

#[test]
fn every_page_is_in_the_summary_once() {
    let listed = page_at(SUMMARY).links();
    for page in pages().iter().filter(|page| page.path != "README.md" && page.path != SUMMARY) {
        let times = listed.iter().filter(|link| format!("docs/{link}") == page.path).count();
        assert_eq!(times, 1, "{} in {SUMMARY}", page.path);
    }
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages = pages();
    let mut anchors: BTreeMap<String, Vec<String>> =
        pages.iter().map(|page| (page.path.clone(), page.anchors())).collect();
    anchors.insert(ARCHITECTURE.to_owned(), page_at(ARCHITECTURE).anchors());
    let faults: Vec<String> = pages
        .iter()
        .flat_map(|page| page.links().into_iter().map(move |link| (page, link)))
        .filter(|(_, link)| !link.starts_with("http://") && !link.starts_with("https://"))
        .filter(|(page, link)| !leads_somewhere(page, link, &anchors))
        .map(|(page, link)| format!("{}: {link}", page.path))
        .collect();
    assert!(faults.is_empty(), "links to nothing:\n{}", faults.join("\n"));
}

/// Where the map looks for a path that begins in the middle.
const BEGINNINGS: [&str; 5] =
    ["", "crates/", "crates/engine/src/", "crates/shacl/src/", "crates/sparql/src/engine/"];

#[test]
fn the_map_is_short_and_names_what_is_there() {
    for (path, most) in [(ARCHITECTURE, 12_000), (CONTRIBUTING, 6_000)] {
        let page = page_at(path);
        assert!(page.text.len() <= most, "{path} has {} bytes", page.text.len());
        let prose = page.text.split("```").step_by(2);
        let quoted = prose.flat_map(|prose| prose.split('`').skip(1).step_by(2));
        let is_path = |text: &&str| {
            (text.contains('/') || text.ends_with(".rs"))
                && !text.contains(['*', '<', ' ', ':', '$'])
                && !text.starts_with("..")
        };
        let links = page.links();
        let links = links.iter().map(|link| link.split('#').next().unwrap_or_default());
        let is_there =
            |path: &&str| BEGINNINGS.iter().any(|beginning| root().join(beginning).join(path).exists());
        let missing: Vec<&str> = quoted.filter(is_path).chain(links).filter(|path| !is_there(path)).collect();
        assert!(missing.is_empty(), "{path}: {missing:?}");
    }
}

fn leads_somewhere(page: &Page, link: &str, anchors: &BTreeMap<String, Vec<String>>) -> bool {
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = if file.is_empty() { page.path.clone() } else { beside(&page.path, file) };
    let is_there = root().join(&target).is_file() || GENERATED.contains(&target.as_str());
    is_there
        && anchor.is_none_or(|anchor| {
            anchors.get(&target).is_some_and(|known| known.iter().any(|name| name == anchor))
        })
}

/// A path that a page names, below the root.
fn beside(page: &str, file: &str) -> String {
    let mut parts: Vec<&str> =
        Path::new(page).parent().into_iter().flat_map(Path::iter).filter_map(|part| part.to_str()).collect();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn pages_are_short() {
    for page in pages().iter().filter(|page| !GENERATED.contains(&page.path.as_str())) {
        let most = if page.path == "README.md" { MOST_LINES_OF_README } else { MOST_LINES };
        let lines = page.text.lines().count();
        assert!(lines <= most, "{} has {lines} lines", page.path);
    }
}

#[test]
fn every_page_begins_with_its_heading() {
    for page in pages() {
        assert!(page.text.starts_with("# "), "{}", page.path);
    }
}

#[test]
fn a_console_block_stands_on_one_page() {
    let pages = pages();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for page in pages.iter().filter(|page| page.path != "README.md") {
        for block in page.blocks().into_iter().filter(|block| block.language == "console") {
            let place = format!("{}:{}", page.path, block.line);
            if let Some(other) = seen.insert(block.text(), place.clone()) {
                panic!("{place} says what {other} says");
            }
        }
    }
}
