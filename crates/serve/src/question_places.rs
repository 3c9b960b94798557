//! Finds the places of questions in their files, with the lines around them. All places of a file are found at once,
//! because the file has to be loaded again, and are cached for a state of the data.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::problem::ProblemDetails;
use super::served_data::{DataSnapshot, ServedData};
use crate::browse::name_lookup::NameLookup;
use crate::browse::question_table::QuestionTable;
use evalgraph_diagnostics::{SourcePlace, SourceText, without_passwords};
use evalgraph_engine::validation::document_places::WantedTerm;

/// A longer text is not kept, and its lines are not shown.
const MOST_OF_TEXT: u64 = 32 << 20;
/// The most bytes of texts that are kept at the same time.
const MOST_OF_TEXTS: usize = 64 << 20;

/// How many lines are shown before the line of a question, and the most lines in total.
const LINES_BEFORE: usize = 3;
const LINES: usize = 9;
/// How many characters of a line are shown, and how many of these before the place.
const CHARACTERS: usize = 400;
const CHARACTERS_BEFORE: usize = 100;

/// The places of the questions of documents, by the first row of each document.
#[derive(Debug, Default)]
pub(super) struct QuestionPlaces(Mutex<HashMap<usize, PlacesSlot>>);

/// The places of one document, after they are found.
type PlacesSlot = Arc<OnceLock<Option<DocumentPlaces>>>;

#[derive(Debug)]
struct DocumentPlaces {
    /// By row, counted from the first of the document.
    at: Vec<Option<LineColumn>>,
    text: Option<Vec<u8>>,
}

/// A line and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineColumn {
    pub(super) line: u64,
    pub(super) column: u64,
}

/// The place of a question.
#[derive(Debug)]
pub(super) struct ShownPlace {
    pub(super) at: LineColumn,
    pub(super) lines: Option<FileExcerpt>,
}

/// Lines of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileExcerpt {
    /// The number of the first line.
    pub(super) first: u64,
    pub(super) lines: Vec<String>,
}

impl QuestionPlaces {
    /// Returns the place of a question; `None` if it is not known.
    ///
    /// # Errors
    ///
    /// An error if the store cannot be read.
    pub(super) fn place_of(
        &self,
        data: &ServedData,
        seen: &DataSnapshot,
        questions: &QuestionTable,
        row: usize,
    ) -> Result<Option<ShownPlace>, ProblemDetails> {
        let rows = questions.rows_beside(row);
        let slot = {
            let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let held: usize = slots.values().filter_map(|slot| Some(slot.get()?.as_ref()?.size())).sum();
            if held > MOST_OF_TEXTS && !slots.contains_key(&rows.start) {
                slots.clear();
            }
            slots.entry(rows.start).or_default().clone()
        };
        let mut fault = None;
        let found = slot.get_or_init(|| {
            let names = NameLookup::new(seen.loaded.dataset());
            let wanted: Vec<Vec<WantedTerm>> =
                rows.clone().map(|row| questions.wanted(&names, row)).collect();
            match data.places(&seen.loaded, questions.graph(row), &wanted, MOST_OF_TEXT) {
                Ok(found) => found.map(|found| DocumentPlaces {
                    at: found
                        .places
                        .iter()
                        .map(|place| place.as_ref().and_then(LineColumn::from_place))
                        .collect(),
                    text: found.text,
                }),
                Err(problem) => {
                    fault = Some(problem);
                    None
                }
            }
        });
        if let Some(problem) = fault {
            // A failure is not kept, because the next try may succeed.
            self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&rows.start);
            return Err(problem);
        }
        let Some(found) = found else { return Ok(None) };
        let text = found.text.as_deref();
        let at = found.at.get(row - rows.start).copied().flatten();
        let at = at.or_else(|| {
            let said = questions.text(&NameLookup::new(seen.loaded.dataset()), row)?;
            LineColumn::of_text(&said, text?)
        });
        Ok(at.map(|at| ShownPlace { at, lines: text.map(|text| lines_around(text, at)) }))
    }
}

impl DocumentPlaces {
    fn size(&self) -> usize {
        self.text.as_ref().map_or(0, Vec::len)
    }
}

impl LineColumn {
    fn from_place(place: &SourcePlace) -> Option<Self> {
        (!place.is_whole()).then_some(Self { line: place.line, column: place.column })
    }

    /// Finds a string in a file as JSON, if it occurs only once. Files that were converted have no places of their own.
    fn of_text(said: &str, text: &[u8]) -> Option<Self> {
        let written = serde_json::to_string(said).ok()?;
        let mut found = memchr::memmem::find_iter(text, written.as_bytes());
        let at = found.next().filter(|_| found.next().is_none())?;
        let place = SourceText::new("", text).place(at..at + written.len());
        Some(Self { line: place.line, column: place.column })
    }
}

/// Returns the lines around a place. Of long lines, the beginning is shown; of the line itself, the part around the
/// place.
fn lines_around(text: &[u8], at: LineColumn) -> FileExcerpt {
    // A text that ends with a line feed has no further line.
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let wanted = usize::try_from(at.line).unwrap_or(usize::MAX);
    let first = wanted.saturating_sub(LINES_BEFORE).max(1);
    let ends = memchr::memchr_iter(b'\n', text);
    let begin = first.checked_sub(2).map_or(Some(0), |ends_before| Some(ends.clone().nth(ends_before)? + 1));
    let begin = begin.unwrap_or(text.len());
    // A byte order mark is not part of the text.
    let text = &text[begin..];
    let text = if first == 1 { text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text) } else { text };
    let mut lines = Vec::new();
    for (line, number) in text.split(|byte| *byte == b'\n').take(LINES).zip(first..) {
        let skipped = match usize::try_from(at.column) {
            Ok(column) if number == wanted && column > CHARACTERS => column - 1 - CHARACTERS_BEFORE,
            _ => 0,
        };
        lines.push(shown(line, skipped));
    }
    FileExcerpt { first: first as u64, lines }
}

/// Returns some characters of a line, after those that are skipped.
fn shown(line: &[u8], skipped: usize) -> String {
    // A character has at most four bytes.
    let line = &line[..line.len().min(4 * (skipped + CHARACTERS + 2))];
    let line = String::from_utf8_lossy(line);
    let line = line.strip_suffix('\r').unwrap_or(&line);
    let is_longer = line.chars().nth(skipped + CHARACTERS).is_some();
    let mut text: String = line.chars().skip(skipped).take(CHARACTERS).collect();
    if skipped > 0 {
        text.insert(0, '…');
    }
    if is_longer {
        text.push('…');
    }
    without_passwords(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(text: &str, line: u64, column: u64) -> FileExcerpt {
        lines_around(text.as_bytes(), LineColumn { line, column })
    }

    #[test]
    fn lines_around_a_place_are_few_and_short() {
        assert_eq!(around("one\ntwo\n", 2, 1).lines, ["one", "two"]);
        let text: String = (1..=20).map(|number| format!("line {number}\r\n")).collect();
        let middle = around(&text, 10, 1);
        assert_eq!((middle.first, middle.lines.len()), (7, 9));
        assert_eq!((&*middle.lines[0], &*middle.lines[3]), ("line 7", "line 10"));
        let first = around(&text, 1, 1);
        assert_eq!((first.first, &*first.lines[0]), (1, "line 1"));
        let last = around(&text, 20, 1);
        assert_eq!((last.first, last.lines.len(), &*last.lines[3]), (17, 4, "line 20"));
        assert_eq!(around("\u{feff}one", 1, 1).lines, ["one"]);
        assert_eq!(around("one", 7, 1).lines, [""]);
    }

    #[test]
    fn a_text_has_a_place_where_it_stands_once() {
        let text = "[\n \"a\\\"b\", \"c\",\n \"c\"]";
        assert_eq!(LineColumn::of_text("a\"b", text.as_bytes()), Some(LineColumn { line: 2, column: 2 }));
        assert_eq!(LineColumn::of_text("c", text.as_bytes()), None);
        assert_eq!(LineColumn::of_text("d", text.as_bytes()), None);
    }

    #[test]
    fn of_a_long_line_the_place_is_shown() {
        let line = format!("{}here{}", "ä".repeat(5_000), "ö".repeat(5_000));
        let shown = around(&line, 1, 5_001);
        assert_eq!(shown.lines[0].chars().count(), CHARACTERS + 2);
        assert!(shown.lines[0].starts_with("…ä") && shown.lines[0].contains("ähere"), "{:?}", shown.lines[0]);
        let begin = around(&line, 1, 1);
        assert!(begin.lines[0].starts_with('ä') && begin.lines[0].ends_with("ä…"));
    }
}
