//! The orders of a list of questions, which decide the rows of a page.
//!
//! `QuestionTable` is defined in `question_table.rs`.

use std::cmp::Ordering;

use super::list::{FindingCounts, PageSelection, QuestionSort};
use super::name_lookup::NameLookup;
use super::number_order::put_in_order;
use super::question_table::{ORDERS, QuestionTable};

impl QuestionTable {
    /// Returns the rows of a page, taken from the rows that pass.
    pub(super) fn page(
        &self,
        names: &NameLookup<'_>,
        page: PageSelection,
        passes: &[bool],
        findings: Option<&FindingCounts>,
    ) -> Vec<usize> {
        let made;
        let order = match page.sort {
            QuestionSort::File if !page.is_descending => &self.by_file,
            QuestionSort::Findings => {
                made = self.by_findings(page.is_descending, passes, findings);
                &made
            }
            sort => self.order(names, sort, page.is_descending),
        };
        let rows = order.iter().map(|row| *row as usize).filter(|row| passes[*row]);
        rows.skip(page.offset).take(page.limit).collect()
    }

    /// Returns an order, which is made once. Rows without a value come last, and equal rows keep the order of their
    /// files.
    fn order(&self, names: &NameLookup<'_>, sort: QuestionSort, is_descending: bool) -> &[u32] {
        let in_direction = |place: usize| 2 * place + usize::from(is_descending);
        let place = match sort {
            QuestionSort::Text => in_direction(0),
            QuestionSort::Rating => in_direction(1),
            QuestionSort::Ratings => in_direction(2),
            QuestionSort::Modified => in_direction(3),
            QuestionSort::Disagreement => in_direction(4),
            QuestionSort::File | QuestionSort::Findings => ORDERS - 1,
        };
        self.orders[place].get_or_init(|| match sort {
            QuestionSort::Text => {
                let text = |row: usize| Some(self.searched.first(row)).filter(|text| !text.is_empty());
                self.sorted(is_descending, text, Ord::cmp)
            }
            QuestionSort::Rating => {
                let rating = |row: usize| (self.rows[row].ratings > 0).then(|| self.rows[row].rating);
                self.sorted(is_descending, rating, f64::total_cmp)
            }
            QuestionSort::Ratings => self.sorted(is_descending, |row| Some(self.rows[row].ratings), Ord::cmp),
            QuestionSort::Modified => {
                // Dates are compared as strings, because files contain local times without a zone.
                let dates: Vec<Option<String>> =
                    self.rows.iter().map(|row| row.modified.map(|date| names.text(date))).collect();
                self.sorted(is_descending, |row| dates[row].as_deref(), Ord::cmp)
            }
            QuestionSort::Disagreement => {
                self.sorted(is_descending, |row| self.rows[row].disagreement, f64::total_cmp)
            }
            QuestionSort::File | QuestionSort::Findings => self.by_file.iter().rev().copied().collect(),
        })
    }

    fn sorted<T>(
        &self,
        is_descending: bool,
        value: impl Fn(usize) -> Option<T>,
        compare: impl Fn(&T, &T) -> Ordering,
    ) -> Vec<u32> {
        let values: Vec<Option<T>> = (0..self.rows.len()).map(value).collect();
        let mut rows = self.by_file.clone();
        put_in_order(&mut rows, &|one, other| match (&values[one], &values[other]) {
            (Some(one), Some(other)) if is_descending => compare(other, one),
            (Some(one), Some(other)) => compare(one, other),
            (one, other) => one.is_none().cmp(&other.is_none()),
        });
        rows
    }

    /// Findings come later than the data, so their order is made for each page, from the rows that pass.
    fn by_findings(
        &self,
        is_descending: bool,
        passes: &[bool],
        findings: Option<&FindingCounts>,
    ) -> Vec<u32> {
        let mut rows: Vec<u32> = self.by_file.iter().copied().filter(|row| passes[*row as usize]).collect();
        if let Some(counts) = findings {
            let count = |row: usize| counts.get(row).copied().unwrap_or_default();
            put_in_order(&mut rows, &|one, other| {
                let ascending = count(one).cmp(&count(other));
                if is_descending { ascending.reverse() } else { ascending }
            });
        }
        rows
    }
}
