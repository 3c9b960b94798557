//! The SPARQL updates of the statistics of a Kwanzaa dataset when a sample is added or removed. Statistics that are
//! wrong before the change stay as they are.

use std::collections::BTreeMap;

use oxrdf::Term;

use super::question_named::QuestionNamed;
use super::question_update_writer::operation;
use super::scope::QuestionScope;
use evalgraph_diagnostics::RunFailure;

/// The tables of the statistics, each with the variable of the value that it counts.
const TABLES: [(&str, &str); 3] =
    [("by_category", "category"), ("by_persona", "persona"), ("by_difficulty", "difficulty")];

/// The name of the total number of samples.
const TOTAL: &str = "total_samples";

/// The statistics of a dataset, each a node with a name and a value.
const FIGURES: &str = "?file a eg:TrainingDataset ; s:variableMeasured ?figure . ?figure s:name ?name .";

/// The values by which a question is counted.
const COUNTED: &str = "OPTIONAL { ?question s:teaches ?category } \
                       OPTIONAL { ?question s:audience/s:educationalRole ?persona } \
                       OPTIONAL { ?question s:educationalLevel ?difficulty }";

type StatisticsCounts = BTreeMap<String, i64>;

/// Returns the update of the statistics for one more sample with these values in the tables. Empty if there are no
/// statistics, or wrong ones.
///
/// # Errors
///
/// If the store is damaged.
pub(super) fn with_one_more(
    scope: QuestionScope<'_>,
    graph: &str,
    values: &[String; 3],
) -> Result<String, RunFailure> {
    let names = TABLES.iter().zip(values).map(|((table, _), value)| format!("{table}.{value}"));
    recounted(scope, graph, &names.collect::<Vec<_>>(), 1)
}

/// Returns the update of the statistics without the sample of a question.
///
/// # Errors
///
/// If the store is damaged.
pub(super) fn with_one_less(scope: QuestionScope<'_>, named: &QuestionNamed) -> Result<String, RunFailure> {
    let [question @ Term::NamedNode(_), _] = &named.terms else { return Ok(String::new()) };
    let pattern = format!("BIND({question} AS ?question) {COUNTED}");
    let rows = scope.rows(&named.graph, &pattern, &TABLES.map(|(_, variable)| variable))?;
    let names: Vec<String> = rows.first().map(|row| names_of(row)).unwrap_or_default();
    recounted(scope, &named.graph, &names, -1)
}

/// Returns the update that adds a number to the total and to the statistics with these names.
fn recounted(scope: QuestionScope<'_>, graph: &str, names: &[String], by: i64) -> Result<String, RunFailure> {
    let figures = scope.rows(graph, &format!("{FIGURES} ?figure s:value ?value ."), &["name", "value"])?;
    let figures: StatisticsCounts =
        figures.iter().filter_map(|row| Some((text(&row[0])?, text(&row[1])?.parse().ok()?))).collect();
    let mut counts = counted(scope, graph)?;
    if !are_right(&figures, &counts) {
        return Ok(String::new());
    }
    for name in names.iter().map(String::as_str).chain([TOTAL]) {
        *counts.entry(name.to_owned()).or_default() += by;
    }
    let (mut changed, mut gone, mut new) = (String::new(), String::new(), String::new());
    for (name, &now) in &counts {
        let has_table =
            table_of(name).is_some_and(|table| figures.keys().any(|known| table_of(known) == Some(table)));
        match figures.get(name) {
            Some(&before) if before == now => {}
            Some(_) if now == 0 && name != TOTAL => gone.push_str(&format!(" \"{name}\"")),
            Some(_) => changed.push_str(&format!(" (\"{name}\" {now})")),
            None if has_table && now > 0 => new.push_str(&format!(" (\"{name}\" {now})")),
            None => {}
        }
    }
    let mut operations = Vec::new();
    if !changed.is_empty() {
        let values = format!("VALUES (?name ?now) {{{changed} }}");
        let pattern = [FIGURES, "?figure s:value ?before .", &values];
        operations.push(operation(graph, ["?figure s:value ?before", "?figure s:value ?now"], &pattern));
    }
    if !gone.is_empty() {
        let values = format!("VALUES ?name {{{gone} }}");
        let delete = "?file s:variableMeasured ?figure . ?figure ?property ?value";
        operations.push(operation(graph, [delete, ""], &[FIGURES, "?figure ?property ?value .", &values]));
    }
    if !new.is_empty() {
        let values = format!("VALUES (?name ?now) {{{new} }}");
        let insert = "?file s:variableMeasured [ a s:PropertyValue ; s:name ?name ; s:value ?now ]";
        operations.push(operation(graph, ["", insert], &["?file a eg:TrainingDataset .", &values]));
    }
    Ok(operations.join(" ;\n"))
}

/// Counts the samples, in total and by the values of each table.
fn counted(scope: QuestionScope<'_>, graph: &str) -> Result<StatisticsCounts, RunFailure> {
    let pattern = format!("?sample a eg:TrainingSample ; s:item ?question . {COUNTED}");
    let variables = ["sample", "category", "persona", "difficulty"];
    let mut counts = StatisticsCounts::from([(TOTAL.to_owned(), 0)]);
    for row in scope.rows(graph, &pattern, &variables)? {
        for name in names_of(&row[1..]).into_iter().chain([TOTAL.to_owned()]) {
            *counts.entry(name).or_default() += 1;
        }
    }
    Ok(counts)
}

/// Returns whether there are statistics, all of them match the counts, and no table lacks a value.
fn are_right(figures: &StatisticsCounts, counts: &StatisticsCounts) -> bool {
    let is_right = |(name, value): (&String, &i64)| counts.get(name).copied().unwrap_or(0) == *value;
    let has = |table: &str| figures.keys().any(|name| table_of(name) == Some(table));
    let is_there = |name: &String| figures.contains_key(name) || !table_of(name).is_some_and(has);
    !figures.is_empty() && figures.iter().all(is_right) && counts.keys().all(is_there)
}

/// Returns the names of the statistics that count a sample with these values in the tables.
fn names_of(values: &[Option<Term>]) -> Vec<String> {
    let tables = TABLES.iter().map(|(table, _)| table);
    tables.zip(values).filter_map(|(table, value)| Some(format!("{table}.{}", text(value)?))).collect()
}

fn table_of(name: &str) -> Option<&str> {
    name.split_once('.').map(|(table, _)| table)
}

fn text(term: &Option<Term>) -> Option<String> {
    match term {
        Some(Term::Literal(literal)) => Some(literal.value().to_owned()),
        _ => None,
    }
}
