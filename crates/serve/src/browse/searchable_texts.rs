//! The texts for searches: the text, the answer and the id of each question, without case and accents, and joined.

use memchr::memmem::Finder;

use evalgraph_text_keys::without_marks;

/// The texts of rows, and the names of files.
#[derive(Debug, Default)]
pub(super) struct SearchableTexts {
    text: Vec<u8>,
    /// The end of the text of each row.
    ends: Vec<usize>,
    /// The names of the files of documents.
    files: Vec<String>,
}

/// The end of a text. It is in no word, so no match extends over two texts.
const END: u8 = b'\n';

impl SearchableTexts {
    pub(super) fn of_files<'f>(files: impl Iterator<Item = Option<&'f str>>) -> Self {
        let files = files.map(|file| file.map(without_marks).unwrap_or_default()).collect();
        Self { files, ..Self::default() }
    }

    /// Adds a text to the current row.
    pub(super) fn add(&mut self, text: &str) {
        self.text.extend_from_slice(without_marks(text).as_bytes());
        self.text.push(END);
    }

    /// Ends a row.
    pub(super) fn end_row(&mut self) {
        self.ends.push(self.text.len());
    }

    /// Appends the rows of another part.
    pub(super) fn append(&mut self, other: &Self) {
        let before = self.text.len();
        self.text.extend_from_slice(&other.text);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// Frees unused capacity.
    pub(super) fn finish(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Returns the first text that was added to a row.
    pub(super) fn first(&self, row: usize) -> &[u8] {
        let text = self.row(row);
        &text[..text.iter().position(|byte| *byte == END).unwrap_or(text.len())]
    }

    fn row(&self, row: usize) -> &[u8] {
        let begin = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[begin..self.ends[row]]
    }

    /// Returns the rows that have all words, each anywhere; `None` if there is no word. `document` returns the document
    /// of a row.
    pub(super) fn find(&self, search: &str, document: impl Fn(usize) -> u32) -> Option<Vec<bool>> {
        let search = without_marks(search);
        let mut found: Option<Vec<bool>> = None;
        for word in search.split_whitespace() {
            let in_file: Vec<bool> = self.files.iter().map(|file| file.contains(word)).collect();
            let finder = Finder::new(word.as_bytes());
            let mut has = match &found {
                None => self.rows_with(&finder),
                Some(before) => {
                    let has = |row: usize| before[row] && finder.find(self.row(row)).is_some();
                    (0..self.ends.len()).map(has).collect()
                }
            };
            if in_file.contains(&true) {
                for (row, has) in has.iter_mut().enumerate() {
                    let is_left = found.as_ref().is_none_or(|before| before[row]);
                    *has |= is_left && in_file[document(row) as usize];
                }
            }
            found = Some(has);
        }
        found
    }

    /// Returns the rows that have a word: one search through all texts, which continues after each row that it finds.
    fn rows_with(&self, finder: &Finder<'_>) -> Vec<bool> {
        let mut has = vec![false; self.ends.len()];
        let (mut at, mut row) = (0, 0);
        while let Some(found) = finder.find(&self.text[at..]) {
            let position = at + found;
            // The next row is usually near. If it is not, a binary search is faster than single steps.
            if self.ends[row] <= position {
                row += self.ends[row..].partition_point(|end| *end <= position);
            }
            has[row] = true;
            at = self.ends[row];
            row += 1;
            if row == has.len() {
                break;
            }
        }
        has
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evalgraph_text_keys::folded;

    fn searched(rows: &[Vec<String>]) -> SearchableTexts {
        let mut searched = SearchableTexts::of_files([Some("One.json"), None].into_iter());
        for row in rows {
            row.iter().for_each(|text| searched.add(text));
            searched.end_row();
        }
        searched
    }

    proptest::proptest! {
        #[test]
        fn a_search_finds_what_each_row_has(
            rows in proptest::collection::vec(proptest::collection::vec("[abAB ]{0,6}", 0..3), 0..12),
            words in proptest::collection::vec("[abAB]{1,3}|one", 1..4),
        ) {
            let found = searched(&rows).find(&words.join(" "), |row| row as u32 % 2).expect("there are words");
            for (at, row) in rows.iter().enumerate() {
                let has = |word: &String| {
                    let word = word.to_lowercase();
                    row.iter().any(|text| folded(text).contains(&word)) || at % 2 == 0 && "one.json".contains(&word)
                };
                proptest::prop_assert_eq!(found[at], words.iter().all(has), "{}", at);
            }
        }
    }

    #[test]
    fn case_is_folded_in_full_and_no_word_reaches_into_the_next_text() {
        let rows = [vec!["Die Straße".to_owned(), "Ab".to_owned()], vec!["bc".to_owned()]];
        let searched = searched(&rows);
        assert_eq!(searched.find("STRASSE", |_| 1), Some(vec![true, false]));
        assert_eq!(searched.find("abbc", |_| 1), Some(vec![false, false]));
        assert_eq!(searched.find(" \n ", |_| 1), None);
        assert_eq!(searched.first(0), without_marks("Die Straße").as_bytes());
    }

    #[test]
    fn a_search_ignores_case_and_accents() {
        let searched = searched(&[vec!["Où est ZÜRICH ?".to_owned()], vec!["Zurich".to_owned()]]);
        for (search, found) in [("zurich", [true, true]), ("Zürich", [true, true]), ("OU zur", [true, false])]
        {
            assert_eq!(searched.find(search, |_| 1), Some(found.to_vec()), "{search}");
        }
    }
}
