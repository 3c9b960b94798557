//! The tables of the page `docs/documents.md` are made of the rows; what stands around them is written by hand.

use std::fs;
use std::path::Path;

use super::DOCUMENTS;
use super::rows::{Expected, Row, of_document};

const END: &str = "<!-- end of the table -->";

/// A line of the page: all rows of one statement.
struct Line {
    section: String,
    statement: String,
    commands: Vec<String>,
    shown: Vec<String>,
}

#[test]
fn the_page_has_the_rows_of_the_tables() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/documents.md");
    let written = fs::read_to_string(&path).expect("there is a page");
    let made = DOCUMENTS.into_iter().fold(written.clone(), |page, document| with_table(&page, document));
    if std::env::var("EVALGRAPH_DOCUMENTS").is_ok_and(|value| value == "write") {
        fs::write(path, made).expect("the page can be written");
        return;
    }
    let differs = written.lines().zip(made.lines()).find(|(written, made)| written != made);
    assert!(
        written == made,
        "{differs:?}; make it anew: EVALGRAPH_DOCUMENTS=write cargo test documents::page"
    );
}

/// Puts the table of a document into the page.
fn with_table(page: &str, document: &'static str) -> String {
    let begin = format!("<!-- table of {document} -->\n");
    let (before, rest) = page.split_once(&begin).expect("the page has a place for each table");
    let (_, after) = rest.split_once(END).expect("the table ends");
    format!("{before}{begin}\n{}\n{END}{after}", table(&of_document(document)))
}

fn table(rows: &[Row]) -> String {
    let mut lines: Vec<Line> = Vec::new();
    for row in rows {
        let is_of_row = |line: &Line| line.section == row.section && line.statement == row.statement;
        let at = lines.iter().position(is_of_row).unwrap_or_else(|| {
            let (section, statement) = (row.section.clone(), row.statement.clone());
            lines.push(Line { section, statement, commands: Vec::new(), shown: Vec::new() });
            lines.len() - 1
        });
        let line = &mut lines[at];
        add(&mut line.commands, Some(command(row)));
        add(&mut line.shown, shown(row));
    }
    let cell = |texts: &[String]| texts.join("<br>").replace('|', "\\|");
    let mut table = "| section | statement | command | rule |\n|---|---|---|---|\n".to_owned();
    for Line { section, statement, commands, shown } in &lines {
        let shown = if shown.is_empty() { "conforms".to_owned() } else { shown.join(", ") };
        table.push_str(&format!("| {section} | {statement} | {} | {shown} |\n", cell(commands)));
    }
    table
}

fn add(texts: &mut Vec<String>, text: Option<String>) {
    if let Some(text) = text.filter(|text| !texts.contains(text)) {
        texts.push(text);
    }
}

fn command(row: &Row) -> String {
    match &row.expected {
        Expected::Elsewhere { .. } => row.command.trim_matches(['(', ')']).to_owned(),
        _ => format!("`{}`", row.command),
    }
}

/// The cell of the rule; none where the file conforms.
fn shown(row: &Row) -> Option<String> {
    match &row.expected {
        Expected::Rules { rules, .. } => Some(format!("`{}`", rules[0])),
        Expected::Message { code, .. } => Some(format!("`{code}`")),
        // A code says more than the file that it is made in.
        Expected::Elsewhere { text, .. } if text.contains("::") => Some(format!("`{text}`")),
        Expected::Elsewhere { file, .. } => Some(format!("`{file}`")),
        Expected::Output(_) => Some("its output".to_owned()),
        Expected::Conforms { .. } => None,
    }
}
