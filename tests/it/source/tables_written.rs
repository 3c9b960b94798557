//! Tables as spreadsheets and scripts write them: rows of any cells, in every separator, line end and encoding, come back
//! equal.

use crate::cli::input::run;
use evalgraph::source::csv::{read_csv, separator_of};
use proptest::prelude::*;
use serde_json::Value;
use std::fs;

const SEPARATORS: [char; 3] = [',', ';', '\t'];
const LINE_ENDS: [&str; 3] = ["\n", "\r\n", "\r"];

/// Pieces of cells that tables, JSON, Python or RDF treat in their own ways.
const PIECES: [&str; 25] = [
    "a",
    "B",
    "7",
    " ",
    "\"",
    "\"\"",
    "'",
    "\n",
    "\r\n",
    "\r",
    "\t",
    ",",
    ";",
    "|",
    "\\",
    "\\n",
    "[",
    "]",
    "{\"b\": 1}",
    "['x', 'y']",
    "None",
    "nan",
    "sep=;",
    "#",
    "=1+2",
];

#[derive(Debug, Clone, Copy)]
enum Encoding {
    Utf8,
    Utf8WithMark,
    Utf16LittleEndian,
    Utf16BigEndian,
    Latin1,
    Windows1252,
    Windows1250,
}

/// Characters with their bytes in encodings of one byte a character.
const LATIN_1: &[(char, u8)] = &[('é', 0xE9), ('ß', 0xDF), ('ø', 0xF8), ('¿', 0xBF)];
const WINDOWS_1252: &[(char, u8)] = &[('é', 0xE9), ('€', 0x80), ('“', 0x93), ('”', 0x94), ('–', 0x96)];
const WINDOWS_1250: &[(char, u8)] =
    &[('ż', 0xBF), ('ł', 0xB3), ('ś', 0x9C), ('č', 0xE8), ('ő', 0xF5), ('€', 0x80)];

impl Encoding {
    const ALL: [Self; 7] = [
        Self::Utf8,
        Self::Utf8WithMark,
        Self::Utf16LittleEndian,
        Self::Utf16BigEndian,
        Self::Latin1,
        Self::Windows1252,
        Self::Windows1250,
    ];

    /// The option that names the encoding; none where the text says it by itself.
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Utf8 | Self::Utf8WithMark | Self::Utf16LittleEndian | Self::Utf16BigEndian => &[],
            Self::Latin1 => &["--encoding", "latin1"],
            Self::Windows1252 => &["--encoding", "windows-1252"],
            Self::Windows1250 => &["--encoding", "windows-1250"],
        }
    }

    /// The characters beyond ASCII that have one byte; none in Unicode.
    fn single_bytes(self) -> &'static [(char, u8)] {
        match self {
            Self::Utf8 | Self::Utf8WithMark | Self::Utf16LittleEndian | Self::Utf16BigEndian => &[],
            Self::Latin1 => LATIN_1,
            Self::Windows1252 => WINDOWS_1252,
            Self::Windows1250 => WINDOWS_1250,
        }
    }

    /// Letters beyond ASCII that the encoding has.
    fn letters(self) -> Vec<String> {
        match self.single_bytes() {
            [] => ["é", "ł", "€", "船", "\u{1F600}", "\u{301}"].map(str::to_owned).to_vec(),
            known => known.iter().map(|(character, _)| character.to_string()).collect(),
        }
    }

    fn bytes(self, text: &str) -> Vec<u8> {
        let units = || format!("\u{FEFF}{text}").encode_utf16().collect::<Vec<u16>>();
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf8WithMark => format!("\u{FEFF}{text}").into_bytes(),
            Self::Utf16LittleEndian => units().into_iter().flat_map(u16::to_le_bytes).collect(),
            Self::Utf16BigEndian => units().into_iter().flat_map(u16::to_be_bytes).collect(),
            Self::Latin1 | Self::Windows1252 | Self::Windows1250 => {
                text.chars().map(|character| self.byte(character)).collect()
            }
        }
    }

    fn byte(self, character: char) -> u8 {
        let known = self.single_bytes().iter().find(|(known, _)| *known == character);
        match known {
            Some((_, byte)) => *byte,
            None => u8::try_from(character).ok().filter(u8::is_ascii).expect("its letters are in the table"),
        }
    }
}

/// How a cell holds several texts.
#[derive(Debug, Clone, Copy)]
enum Lists {
    Json,
    Python,
}

#[derive(Debug, Clone)]
struct Row {
    question: String,
    answer: String,
    contexts: Vec<String>,
    lists: Lists,
    /// The cell where there are no contexts.
    no_contexts: &'static str,
}

/// How a table is laid out beside its separator and line ends.
#[derive(Debug, Clone, Copy)]
struct Layout {
    quotes_all: bool,
    has_separator_line: bool,
    has_unnamed_columns: bool,
    ends_last_line: bool,
}

fn cell(letters: Vec<String>) -> impl Strategy<Value = String> {
    let pieces = PIECES.map(str::to_owned).into_iter().chain(letters).collect::<Vec<_>>();
    prop::collection::vec(prop::sample::select(pieces), 0..6).prop_map(|pieces| pieces.concat())
}

fn row(letters: Vec<String>) -> impl Strategy<Value = Row> {
    let contexts = prop::collection::vec(cell(letters.clone()), 0..4);
    let lists = prop::sample::select(vec![Lists::Json, Lists::Python]);
    let no_contexts = prop::sample::select(vec!["", "[]", "None", "nan"]);
    (cell(letters.clone()), cell(letters), contexts, lists, no_contexts).prop_map(
        |(question, answer, contexts, lists, no_contexts)| Row {
            // Blank texts, and an answer that is a dash, have meanings that are tested elsewhere.
            question: format!("q{question}?"),
            answer: format!("a{answer}."),
            contexts: contexts.into_iter().map(|context| format!("c{context}.")).collect(),
            lists,
            no_contexts,
        },
    )
}

fn layout() -> impl Strategy<Value = Layout> {
    any::<[bool; 4]>().prop_map(|[quotes_all, has_separator_line, has_unnamed_columns, ends_last_line]| {
        Layout { quotes_all, has_separator_line, has_unnamed_columns, ends_last_line }
    })
}

fn written_cell(text: &str, separator: char, quotes_all: bool) -> String {
    match quotes_all || text.contains([separator, '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

fn written(records: &[Vec<String>], separator: char, line_end: &str, layout: Layout) -> String {
    let line = |record: &Vec<String>| {
        let cells = record.iter().map(|text| written_cell(text, separator, layout.quotes_all));
        cells.collect::<Vec<_>>().join(&separator.to_string())
    };
    let first = layout.has_separator_line.then(|| format!("sep={separator}"));
    let lines: Vec<String> = first.into_iter().chain(records.iter().map(line)).collect();
    lines.join(line_end) + if layout.ends_last_line { line_end } else { "" }
}

/// A text as Python's `repr` writes it.
fn python_text(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut written = String::from(quote);
    for character in text.chars() {
        match character {
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            '\\' => written.push_str("\\\\"),
            character if character == quote => written.extend(['\\', quote]),
            character => written.push(character),
        }
    }
    written.push(quote);
    written
}

fn contexts_cell(row: &Row) -> String {
    match row.lists {
        _ if row.contexts.is_empty() => row.no_contexts.to_owned(),
        Lists::Json => serde_json::to_string(&row.contexts).expect("texts are JSON"),
        Lists::Python => {
            let texts: Vec<String> = row.contexts.iter().map(|text| python_text(text)).collect();
            format!("[{}]", texts.join(", "))
        }
    }
}

/// The records of a table: the names and the rows.
fn records(rows: &[Row], layout: Layout) -> Vec<Vec<String>> {
    let names = ["question", "answer", "contexts"].map(str::to_owned);
    let cells = rows.iter().map(|row| [row.question.clone(), row.answer.clone(), contexts_cell(row)]);
    let records = std::iter::once(names).chain(cells).enumerate().map(|(at, cells)| {
        if !layout.has_unnamed_columns {
            return Vec::from(cells);
        }
        // An index, as pandas writes it, and remarks beside the table.
        let index = if at == 0 { String::new() } else { (at - 1).to_string() };
        let remark = if at == 0 { "" } else { "checked" };
        [index].into_iter().chain(cells).chain([remark.to_owned()]).collect()
    });
    records.collect()
}

/// The rows that the program makes of a table.
fn rows_read(table: &[u8], encoding: Encoding) -> Result<Vec<[Value; 3]>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("t.csv"), table).expect("the folder is ours");
    let command: &[&str] = &["convert", "t.csv", "--to", "train", "--no-corpus"];
    let (status, stdout, stderr) = run(folder.path(), &[command, encoding.options()].concat());
    let Ok(Value::Array(rows)) = serde_json::from_str(&stdout) else {
        return Err(format!("{status}: {stderr}"));
    };
    Ok(rows.iter().map(|row| ["question", "answer", "contexts"].map(|key| row[key].clone())).collect())
}

proptest! {
    #![proptest_config(crate::generated::cases(14))]

    #[test]
    fn rows_come_back_from_every_separator_and_line_end(
        (encoding, rows) in prop::sample::select(Encoding::ALL.to_vec()).prop_flat_map(|encoding| {
            (Just(encoding), prop::collection::vec(row(encoding.letters()), 1..5))
        }),
        layout in layout(),
    ) {
        let expected: Vec<[Value; 3]> = rows
            .iter()
            .map(|row| {
                let Row { question, answer, contexts, .. } = row.clone();
                [Value::from(question), Value::from(answer), Value::from(contexts)]
            })
            .collect();
        for (separator, line_end) in SEPARATORS.iter().flat_map(|&one| LINE_ENDS.map(|end| (one, end))) {
            let table = written(&records(&rows, layout), separator, line_end, layout);
            let found = rows_read(&encoding.bytes(&table), encoding);
            prop_assert_eq!(found.as_ref(), Ok(&expected), "{:?} {:?}", encoding, table);
        }
    }
}

proptest! {
    #![proptest_config(crate::generated::cases(300))]

    #[test]
    fn cells_come_back_from_every_separator_and_line_end(
        rows in prop::collection::vec(row(Encoding::Utf8.letters()), 1..5),
        layout in layout(),
    ) {
        let layout = Layout { has_separator_line: false, ..layout };
        let expected = records(&rows, layout);
        for (separator, line_end) in SEPARATORS.iter().flat_map(|&one| LINE_ENDS.map(|end| (one, end))) {
            let table = written(&expected, separator, line_end, layout);
            prop_assert_eq!(char::from(separator_of(&table)), separator, "{:?}", table);
            let read = read_csv("t.csv", &table, separator_of(&table));
            let cells: Vec<Vec<String>> = read
                .map_err(|fault| TestCaseError::fail(format!("{fault} {table:?}")))?
                .into_iter()
                .map(|record| record.into_iter().map(|field| field.text).collect())
                .collect();
            prop_assert_eq!(&cells, &expected, "{:?}", table);
        }
    }
}
