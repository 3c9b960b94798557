//! The orders of a list of questions: which rows a page has.

use std::cmp::Ordering;

use super::list::{FindingCounts, Page, Sort};
use super::names::Names;
use super::questions::{ORDERS, Questions};
use super::sorting::put_in_order;

impl Questions {
    /// The rows of a page, of those that pass.
    pub(super) fn page(
        &self,
        names: &Names<'_>,
        page: Page,
        passes: &[bool],
        findings: Option<&FindingCounts>,
    ) -> Vec<usize> {
        let made;
        let order = match page.sort {
            Sort::File if !page.is_descending => &self.by_file,
            Sort::Findings => {
                made = self.by_findings(page.is_descending, passes, findings);
                &made
            }
            sort => self.order(names, sort, page.is_descending),
        };
        let rows = order.iter().map(|row| *row as usize).filter(|row| passes[*row]);
        rows.skip(page.offset).take(page.limit).collect()
    }

    /// An order, which is made once. Rows without a value stand behind all others, and equal rows as in their files.
    fn order(&self, names: &Names<'_>, sort: Sort, is_descending: bool) -> &[u32] {
        let in_direction = |place: usize| 2 * place + usize::from(is_descending);
        let place = match sort {
            Sort::Text => in_direction(0),
            Sort::Rating => in_direction(1),
            Sort::Ratings => in_direction(2),
            Sort::Modified => in_direction(3),
            Sort::Disagreement => in_direction(4),
            Sort::File | Sort::Findings => ORDERS - 1,
        };
        self.orders[place].get_or_init(|| match sort {
            Sort::Text => {
                let text = |row: usize| Some(self.searched.first(row)).filter(|text| !text.is_empty());
                self.sorted(is_descending, text, Ord::cmp)
            }
            Sort::Rating => {
                let rating = |row: usize| (self.rows[row].ratings > 0).then(|| self.rows[row].rating);
                self.sorted(is_descending, rating, f64::total_cmp)
            }
            Sort::Ratings => self.sorted(is_descending, |row| Some(self.rows[row].ratings), Ord::cmp),
            Sort::Modified => {
                // Dates are compared as texts: files write local times without a zone.
                let dates: Vec<Option<String>> =
                    self.rows.iter().map(|row| row.modified.map(|date| names.text(date))).collect();
                self.sorted(is_descending, |row| dates[row].as_deref(), Ord::cmp)
            }
            Sort::Disagreement => {
                self.sorted(is_descending, |row| self.rows[row].disagreement, f64::total_cmp)
            }
            Sort::File | Sort::Findings => self.by_file.iter().rev().copied().collect(),
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

    /// Findings come later than the data: their order is made for each page, of the rows that pass.
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
