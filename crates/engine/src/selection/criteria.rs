//! The criteria by which records are chosen.

use super::opened_records::{OpenedRecords, RecordFacts};
pub use super::where_expression::{VARIABLES, WhereExpression};
use evalgraph_diagnostics::RunFailure;
use evalgraph_formats::system_name::SystemName;
use evalgraph_text_keys::without_marks;

/// Criteria, all of which a record has to meet. Several values of one criterion are alternatives.
#[derive(Debug, Default)]
pub struct RecordCriteria {
    /// The system of the file.
    pub systems: Vec<SystemName>,
    /// The ids of the records.
    pub ids: Vec<String>,
    /// Their states.
    pub states: Vec<String>,
    /// Their keywords.
    pub keywords: Vec<String>,
    /// Their types.
    pub types: Vec<String>,
    /// Texts that the question or the answer contains.
    pub texts: Vec<String>,
    /// The beginning of a date: the record was changed or created then or later.
    pub since: Option<String>,
    /// The beginning of a date: the record was changed or created then or earlier.
    pub until: Option<String>,
    /// An expression that is true of the record.
    pub expression: Option<WhereExpression>,
    /// `true` to choose the records that do not meet the criteria.
    pub are_inverted: bool,
}

impl RecordCriteria {
    /// Returns whether there is no criterion.
    pub fn are_empty(&self) -> bool {
        let lists = [&self.ids, &self.states, &self.keywords, &self.types, &self.texts];
        let dates = [&self.since, &self.until];
        self.systems.is_empty()
            && lists.iter().all(|list| list.is_empty())
            && dates.iter().all(|date| date.is_none())
            && self.expression.is_none()
    }

    /// Returns the numbers of the records that meet the criteria, in order.
    ///
    /// # Errors
    ///
    /// If the evaluation of the expression fails.
    pub fn chosen(&self, opened: &mut OpenedRecords) -> Result<Vec<usize>, RunFailure> {
        let is_of_system = self.systems.is_empty() || self.systems.contains(&opened.system);
        let expressed = match &self.expression {
            Some(expression) if is_of_system => Some(expression.records(opened)?),
            _ => None,
        };
        let texts: Vec<String> = self.texts.iter().map(|text| without_marks(text)).collect();
        let is_met = |record: &usize| {
            is_of_system
                && self.are_met_by(&opened.facts[*record], &texts)
                && expressed.as_ref().is_none_or(|records| records.contains(record))
        };
        let records = 0..opened.facts.len();
        Ok(records.filter(|record| is_met(record) != self.are_inverted).collect())
    }

    fn are_met_by(&self, facts: &RecordFacts, texts: &[String]) -> bool {
        let has = |values: &[String], wanted: &str| {
            values.iter().any(|value| without_marks(value) == without_marks(wanted))
        };
        let contains = |text: &Option<String>, part: &str| {
            text.as_ref().is_some_and(|text| without_marks(text).contains(part))
        };
        let date = facts.modified.as_ref().or(facts.created.as_ref());
        let begin = |date: &str, bound: &str| date.chars().take(bound.chars().count()).collect::<String>();
        is_one_of(&self.ids, |wanted| facts.id.as_deref() == Some(wanted))
            && is_one_of(&self.states, |wanted| has(facts.state.as_slice(), wanted))
            && is_one_of(&self.keywords, |wanted| has(&facts.keywords, wanted))
            && is_one_of(&self.types, |wanted| has(&facts.types, wanted))
            && is_one_of(texts, |part| contains(&facts.text, part) || contains(&facts.answer, part))
            && self.since.as_ref().is_none_or(|since| date.is_some_and(|date| date >= since))
            && self
                .until
                .as_ref()
                .is_none_or(|until| date.is_some_and(|date| begin(date, until).as_str() <= until.as_str()))
    }
}

/// Returns whether one of the wanted values applies, or none is wanted.
fn is_one_of(wanted: &[String], applies: impl Fn(&str) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(|wanted| applies(wanted))
}
