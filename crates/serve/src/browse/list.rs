//! A list of questions: those that pass filters, in an order, page by page, with the number of questions for each
//! further choice.
//!
//! `QuestionTable` is defined in `question_table.rs`.

use std::collections::HashMap;
use std::sync::Arc;

use super::name_lookup::NameLookup;
use super::number_order::largest_first;
use super::question_table::{QuestionRow, QuestionTable};

/// How many keywords are listed with counts.
const MOST_KEYWORDS: usize = 100;
/// A mean is shown with nine digits, because sums of decimals are not exact.
const MEAN_DIGITS: f64 = 1e9;
/// How many characters of a text a list shows.
const MOST_TEXT: usize = 1_000;

/// A wanted value; `None` selects the questions without a value.
pub(crate) type FilterChoice<T> = Option<T>;

/// The filters of a list. A filter of `None` passes all questions.
#[derive(Debug, Default, Clone)]
pub(crate) struct QuestionFilters {
    /// The question must have all of these words, in its text, answer, id or file.
    pub search: String,
    pub system: Option<FilterChoice<String>>,
    pub dataset: Option<FilterChoice<String>>,
    pub licence: Option<FilterChoice<String>>,
    /// The question must have all of these keywords.
    pub keywords: Vec<String>,
    pub finished: Option<FilterChoice<bool>>,
    pub answerable: Option<FilterChoice<bool>>,
    pub template: Option<bool>,
    pub findings: Option<bool>,
    pub rated: Option<bool>,
    pub contested: Option<bool>,
}

/// The sort order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum QuestionSort {
    /// By file, and within a file in its order.
    #[default]
    File,
    Text,
    Rating,
    Ratings,
    Findings,
    Modified,
    Disagreement,
}

/// The order and the part of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageSelection {
    pub sort: QuestionSort,
    pub is_descending: bool,
    pub offset: usize,
    pub limit: usize,
    /// `true` if further choices are counted.
    pub has_facets: bool,
}

/// The number of findings of each question, by row.
pub(crate) type FindingCounts = Arc<Vec<u32>>;

/// A page of a list.
#[derive(Debug)]
pub(crate) struct QuestionPage {
    pub total: usize,
    /// The rows of the page.
    pub rows: Vec<usize>,
    pub facets: Option<QuestionFacets>,
}

/// The number of questions for each further choice.
#[derive(Debug, Default)]
pub(crate) struct QuestionFacets {
    pub system: Vec<FacetCount>,
    pub dataset: Vec<FacetCount>,
    pub licence: Vec<FacetCount>,
    pub keyword: Vec<FacetCount>,
    pub finished: TruthCounts,
    pub answerable: TruthCounts,
    pub template: TruthCounts,
    /// `None` if the findings are not known yet.
    pub findings: Option<TruthCounts>,
    pub rated: TruthCounts,
    pub contested: TruthCounts,
}

/// A value, and the number of questions that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FacetCount {
    pub value: String,
    /// The name that people use, if it differs from the value.
    pub label: Option<String>,
    pub count: usize,
}

/// How many questions have a trait, and how many do not. The others are not counted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TruthCounts {
    pub yes: usize,
    pub no: usize,
}

impl TruthCounts {
    fn add(&mut self, truth: Option<bool>) {
        match truth {
            Some(true) => self.yes += 1,
            Some(false) => self.no += 1,
            None => {}
        }
    }
}

/// A question in a list.
#[derive(Debug)]
pub(crate) struct QuestionCard {
    pub graph: String,
    pub id: String,
    pub local_id: Option<String>,
    pub text: String,
    pub system: Option<String>,
    pub dataset: Option<String>,
    pub title: Option<String>,
    pub file: Option<String>,
    pub finished: Option<bool>,
    pub answerable: Option<bool>,
    pub keywords: Vec<String>,
    pub has_template: bool,
    pub ratings: u32,
    pub rating: Option<f64>,
    pub disagreement: Option<f64>,
    pub modified: Option<String>,
}

/// The filters that a row fails, as bits.
mod fails {
    pub(super) const SYSTEM: u16 = 1;
    pub(super) const DATASET: u16 = 1 << 1;
    pub(super) const LICENCE: u16 = 1 << 2;
    pub(super) const FINISHED: u16 = 1 << 3;
    pub(super) const ANSWERABLE: u16 = 1 << 4;
    pub(super) const TEMPLATE: u16 = 1 << 5;
    pub(super) const FINDINGS: u16 = 1 << 6;
    pub(super) const RATED: u16 = 1 << 7;
    pub(super) const CONTESTED: u16 = 1 << 8;
    /// Keywords are combined with "and", so another keyword does not replace the chosen one.
    pub(super) const KEYWORD: u16 = 1 << 9;
}

/// The filters, with the numbers of values instead of strings.
struct NumberedFilters {
    system: Option<FilterChoice<u32>>,
    dataset: Option<FilterChoice<u32>>,
    licence: Option<FilterChoice<u32>>,
    keywords: Vec<u32>,
}

/// No value has this number.
const UNKNOWN: u32 = u32::MAX;

impl NumberedFilters {
    fn from_filters(questions: &QuestionTable, filters: &QuestionFilters) -> Self {
        let number = |texts: &[String], text: &String| {
            texts.iter().position(|known| known == text).map_or(UNKNOWN, |at| at as u32)
        };
        let choice = |texts: &[String], wanted: &Option<FilterChoice<String>>| {
            wanted.as_ref().map(|choice| choice.as_ref().map(|text| number(texts, text)))
        };
        Self {
            system: choice(&questions.systems, &filters.system),
            dataset: choice(&questions.datasets, &filters.dataset),
            licence: choice(&questions.licences, &filters.licence),
            keywords: filters.keywords.iter().map(|text| number(&questions.keywords, text)).collect(),
        }
    }
}

/// The counts, indexed by the numbers of values.
struct FacetCounter {
    system: Vec<usize>,
    dataset: Vec<usize>,
    licence: Vec<usize>,
    keyword: Vec<usize>,
    facets: QuestionFacets,
}

impl QuestionTable {
    /// Returns the questions that pass the filters.
    pub(crate) fn list(
        &self,
        names: &NameLookup<'_>,
        filters: &QuestionFilters,
        page: PageSelection,
        findings: Option<&FindingCounts>,
    ) -> QuestionPage {
        let found = self.searched.find(&filters.search, |row| self.rows[row].document);
        let wanted = NumberedFilters::from_filters(self, filters);
        let mut counting = page.has_facets.then(|| self.counting(findings.is_some()));
        let mut passes = vec![false; self.rows.len()];
        let mut total = 0;
        for (at, row) in self.rows.iter().enumerate() {
            if found.as_ref().is_some_and(|found| !found[at]) {
                continue;
            }
            let has_findings = findings.map(|counts| counts.get(at).is_some_and(|count| *count > 0));
            let fails = self.fails(row, has_findings, filters, &wanted);
            if fails == 0 {
                passes[at] = true;
                total += 1;
            }
            if let Some(counting) = &mut counting {
                self.count(row, has_findings, fails, counting);
            }
        }
        let rows = self.page(names, page, &passes, findings);
        QuestionPage { total, rows, facets: counting.map(|counting| self.facets(counting)) }
    }

    /// Returns the filters that a row fails.
    fn fails(
        &self,
        row: &QuestionRow,
        has_findings: Option<bool>,
        filters: &QuestionFilters,
        wanted: &NumberedFilters,
    ) -> u16 {
        let document = self.document(row);
        let mut fails = 0;
        let mut fail = |fails_one: bool, bit: u16| fails |= if fails_one { bit } else { 0 };
        fail(wanted.system.is_some_and(|choice| choice != document.system), fails::SYSTEM);
        fail(wanted.dataset.is_some_and(|choice| choice != document.dataset), fails::DATASET);
        let is_licence = |choice: FilterChoice<u32>| match choice {
            Some(licence) => self.licences_of(row).contains(&licence),
            None => self.licences_of(row).is_empty(),
        };
        fail(wanted.licence.is_some_and(|choice| !is_licence(choice)), fails::LICENCE);
        fail(filters.finished.is_some_and(|choice| choice != row.finished), fails::FINISHED);
        fail(filters.answerable.is_some_and(|choice| choice != row.answerable), fails::ANSWERABLE);
        fail(filters.template.is_some_and(|choice| choice != row.has_template), fails::TEMPLATE);
        fail(filters.findings.is_some_and(|choice| Some(choice) != has_findings), fails::FINDINGS);
        fail(filters.rated.is_some_and(|choice| choice != (row.ratings > 0)), fails::RATED);
        fail(filters.contested.is_some_and(|choice| choice != row.is_contested), fails::CONTESTED);
        let keywords = self.keywords_of(row);
        fail(!wanted.keywords.iter().all(|keyword| keywords.contains(keyword)), fails::KEYWORD);
        fails
    }

    fn counting(&self, are_findings_known: bool) -> FacetCounter {
        FacetCounter {
            system: vec![0; self.systems.len()],
            dataset: vec![0; self.datasets.len()],
            licence: vec![0; self.licences.len()],
            keyword: vec![0; self.keywords.len()],
            facets: QuestionFacets {
                findings: are_findings_known.then(TruthCounts::default),
                ..QuestionFacets::default()
            },
        }
    }

    /// Counts a row for each choice that would let it pass.
    fn count(&self, row: &QuestionRow, has_findings: Option<bool>, fails: u16, counting: &mut FacetCounter) {
        let counts = |bit: u16| fails & !bit == 0;
        // No single other choice would let a row pass that fails several filters.
        if fails.count_ones() > 1 {
            return;
        }
        let document = self.document(row);
        if let Some(system) = document.system.filter(|_| counts(fails::SYSTEM)) {
            counting.system[system as usize] += 1;
        }
        if let Some(dataset) = document.dataset.filter(|_| counts(fails::DATASET)) {
            counting.dataset[dataset as usize] += 1;
        }
        if counts(fails::LICENCE) {
            self.licences_of(row).iter().for_each(|licence| counting.licence[*licence as usize] += 1);
        }
        if fails == 0 {
            self.keywords_of(row).iter().for_each(|keyword| counting.keyword[*keyword as usize] += 1);
        }
        let facets = &mut counting.facets;
        let count = |bit: u16, truths: &mut TruthCounts, truth: Option<bool>| {
            if counts(bit) {
                truths.add(truth);
            }
        };
        count(fails::FINISHED, &mut facets.finished, row.finished);
        count(fails::ANSWERABLE, &mut facets.answerable, row.answerable);
        count(fails::TEMPLATE, &mut facets.template, Some(row.has_template));
        if let Some(findings) = &mut facets.findings {
            count(fails::FINDINGS, findings, has_findings);
        }
        count(fails::RATED, &mut facets.rated, Some(row.ratings > 0));
        count(fails::CONTESTED, &mut facets.contested, Some(row.is_contested));
    }

    fn facets(&self, counting: FacetCounter) -> QuestionFacets {
        let FacetCounter { system, dataset, licence, keyword, facets } = counting;
        let titles: HashMap<u32, &String> = self
            .documents
            .iter()
            .filter_map(|document| Some((document.dataset?, document.title.as_ref()?)))
            .collect();
        let plain = |texts: &[String], counts: Vec<usize>| -> Vec<FacetCount> {
            let value =
                |(at, count): (usize, usize)| FacetCount { value: texts[at].clone(), label: None, count };
            largest_first(texts, counts).into_iter().map(value).collect()
        };
        let of_dataset = |(at, count): (usize, usize)| FacetCount {
            value: self.datasets[at].clone(),
            label: titles.get(&(at as u32)).map(|title| (*title).clone()),
            count,
        };
        let mut keyword = plain(&self.keywords, keyword);
        keyword.truncate(MOST_KEYWORDS);
        QuestionFacets {
            system: plain(&self.systems, system),
            dataset: largest_first(&self.datasets, dataset).into_iter().map(of_dataset).collect(),
            licence: plain(&self.licences, licence),
            keyword,
            ..facets
        }
    }

    /// Returns a question as a list shows it.
    pub(crate) fn card(&self, names: &NameLookup<'_>, at: usize) -> QuestionCard {
        let row = &self.rows[at];
        let document = self.document(row);
        let mut keywords: Vec<String> =
            self.keywords_of(row).iter().map(|keyword| self.keywords[*keyword as usize].clone()).collect();
        keywords.sort();
        QuestionCard {
            graph: document.iri.clone(),
            id: self.id(names, at),
            local_id: row.local_id.map(|id| names.text(id)),
            text: row.text.map(|text| cut(names.text(text), MOST_TEXT)).unwrap_or_default(),
            system: document.system.map(|system| self.systems[system as usize].clone()),
            dataset: document.dataset.map(|dataset| self.datasets[dataset as usize].clone()),
            title: document.title.clone(),
            file: document.file.clone(),
            finished: row.finished,
            answerable: row.answerable,
            keywords,
            has_template: row.has_template,
            ratings: row.ratings,
            rating: (row.ratings > 0).then_some((row.rating * MEAN_DIGITS).round() / MEAN_DIGITS),
            disagreement: row.disagreement,
            modified: row.modified.map(|date| names.text(date)),
        }
    }
}

/// Returns the first characters of a text, with an ellipsis if there are more.
pub(super) fn cut(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
    text
}
