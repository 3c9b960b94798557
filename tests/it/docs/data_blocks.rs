//! Blocks of data parse, and every block has a language that somebody looks at.

use super::page::{Block, pages};
use super::yaml;

/// The languages of blocks, with what becomes of them.
const LANGUAGES: [(&str, &str); 10] = [
    ("console", "run, and what is printed compared"),
    ("sh", "run, but for lines that have a reason"),
    ("python", "run where Python has the packages"),
    ("json", "parsed"),
    ("yaml", "parsed"),
    ("toml", "parsed"),
    ("sparql", "parsed"),
    ("text", "not read: usage, in the page that the program writes"),
    ("nginx", "not read: the configuration of another program"),
    ("sql", "not read: tests of the readers of tables run its like"),
];

#[test]
fn every_block_has_a_language_that_is_looked_at() {
    for page in pages() {
        for block in page.blocks() {
            let is_known = LANGUAGES.iter().any(|(language, _)| *language == block.language);
            assert!(is_known, "{}:{}: `{}`", page.path, block.line, block.language);
        }
    }
}

#[test]
fn blocks_of_queries_parse() {
    for page in pages() {
        for block in page.blocks().iter().filter(|block| block.language == "sparql") {
            let place = format!("{}:{}", page.path, block.line);
            let parsed = evalgraph::sparql::Query::parse(&block.text(), &place);
            assert!(parsed.is_ok(), "{place}: {parsed:?}");
        }
    }
}

#[test]
fn blocks_of_data_parse() {
    let mut count = 0;
    let mut faults = Vec::new();
    for page in pages() {
        for block in page.blocks() {
            let Some(parsed) = parse(&block) else { continue };
            count += 1;
            faults.extend(parsed.err().map(|fault| format!("{}:{}: {fault}", page.path, block.line)));
        }
    }
    assert!(count > 8, "{count} blocks of data");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The result for a block of data.
fn parse(block: &Block) -> Option<Result<(), String>> {
    let text = block.text();
    match block.language.as_str() {
        "json" => Some(
            serde_json::from_str(&text).map(|_: serde_json::Value| ()).map_err(|fault| fault.to_string()),
        ),
        "yaml" => Some(yaml::read(&text).map(drop)),
        #[cfg(feature = "net")]
        "toml" => Some(toml::de::DeTable::parse(&text).map(drop).map_err(|fault| fault.to_string())),
        _ => None,
    }
}
