//! `/api/questions`: the list of questions of all systems, with filters, counts of further choices, an order and pages.

use std::rc::Rc;

use serde_json::{Value, json};

use super::findings_resource::by_question;
use super::json_answer;
use super::resource_parameters::{check_known, choice, number, truth};
use crate::browse::list::{
    FacetCount, PageSelection, QuestionCard, QuestionFacets, QuestionFilters, QuestionSort, TruthCounts,
};
use crate::browse::name_lookup::NameLookup;
use crate::channel::ReplySender;
use crate::problem::ProblemDetails;
use crate::received_request::ReceivedRequest;
use crate::request_parameters::RequestParameters;
use crate::server_context::ServerContext;
use crate::states::with_findings;
use evalgraph_sparql::CancellationToken;

/// The parameters of the resource.
const PARAMETERS: [&str; 16] = [
    "search",
    "system",
    "dataset",
    "licence",
    "keyword",
    "finished",
    "answerable",
    "template",
    "findings",
    "rated",
    "contested",
    "sort",
    "descending",
    "offset",
    "limit",
    "facets",
];

/// The most questions of a page, and the default.
pub(super) const MOST_OF_PAGE: usize = 1_000;
pub(super) const PAGE: usize = 100;

/// The most words of a search, because each is looked for in all texts.
const MOST_WORDS: usize = 32;

/// Answers with a page of the list.
///
/// # Errors
///
/// The errors of the request and of the data.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    cancellation: &CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    check_known(&asked.parameters, &PARAMETERS)?;
    let (filters, page) = (filters(&asked.parameters)?, page(&asked.parameters)?);
    let seen = context.data.now()?;
    let findings = by_question(context, &seen.name);
    let make = || {
        let questions = context.questions(&seen, cancellation)?;
        cancellation.check()?;
        let names = NameLookup::new(seen.loaded.dataset());
        let list = questions.list(&names, &filters, page, findings.as_ref());
        let card = |row: &usize| {
            let findings = findings.as_ref().map(|counts| counts.get(*row).copied().unwrap_or_default());
            card_to_json(&questions.card(&names, *row), findings)
        };
        let mut answer = json!({
            "state": seen.name,
            "total": list.total,
            "offset": page.offset,
            "questions": list.rows.iter().map(card).collect::<Vec<Value>>(),
        });
        if let Some(facets) = &list.facets {
            answer["facets"] = facets_to_json(facets);
        }
        if let Some(fault) = seen.loaded.dataset().fault() {
            return Err(Box::new(fault.clone()).into());
        }
        Ok(answer)
    };
    let name = if findings.is_some() { with_findings(&seen.name) } else { seen.name.clone() };
    json_answer::answer_of(asked, &name, make, reply)
}

/// Reads the filters of a request. An empty value selects the questions without a value.
fn filters(parameters: &RequestParameters) -> Result<QuestionFilters, ProblemDetails> {
    let text = |name: &str| {
        let value = parameters.one(name)?;
        Ok::<_, ProblemDetails>(value.map(|value| (!value.is_empty()).then(|| value.to_owned())))
    };
    let search = parameters.one("search")?.unwrap_or_default().to_owned();
    if search.split_whitespace().nth(MOST_WORDS).is_some() {
        let message = format!("a search can have at most {MOST_WORDS} words");
        return Err(ProblemDetails::bad("serve::parameter", message));
    }
    Ok(QuestionFilters {
        search,
        system: text("system")?,
        dataset: text("dataset")?,
        licence: text("licence")?,
        keywords: parameters.all("keyword").map(str::to_owned).collect(),
        finished: choice(parameters, "finished")?,
        answerable: choice(parameters, "answerable")?,
        template: truth(parameters, "template")?,
        findings: truth(parameters, "findings")?,
        rated: truth(parameters, "rated")?,
        contested: truth(parameters, "contested")?,
    })
}

fn page(parameters: &RequestParameters) -> Result<PageSelection, ProblemDetails> {
    let sort = match parameters.one("sort")?.unwrap_or("file") {
        "file" => QuestionSort::File,
        "text" => QuestionSort::Text,
        "rating" => QuestionSort::Rating,
        "ratings" => QuestionSort::Ratings,
        "findings" => QuestionSort::Findings,
        "modified" => QuestionSort::Modified,
        "disagreement" => QuestionSort::Disagreement,
        _ => {
            let message =
                "`sort` is `file`, `text`, `rating`, `ratings`, `findings`, `modified` or `disagreement`";
            return Err(ProblemDetails::bad("serve::parameter", message));
        }
    };
    Ok(PageSelection {
        sort,
        is_descending: truth(parameters, "descending")?.unwrap_or(false),
        offset: number(parameters, "offset", 0, u32::MAX as usize)?,
        limit: number(parameters, "limit", PAGE, MOST_OF_PAGE)?,
        has_facets: truth(parameters, "facets")?.unwrap_or(true),
    })
}

fn card_to_json(card: &QuestionCard, findings: Option<u32>) -> Value {
    json!({
        "graph": card.graph,
        "id": card.id,
        "localId": card.local_id,
        "text": card.text,
        "system": card.system,
        "dataset": card.dataset,
        "title": card.title,
        "file": card.file,
        "finished": card.finished,
        "answerable": card.answerable,
        "keywords": card.keywords,
        "template": card.has_template,
        "ratings": card.ratings,
        "rating": card.rating,
        "disagreement": card.disagreement,
        "findings": findings,
        "modified": card.modified,
    })
}

fn facets_to_json(facets: &QuestionFacets) -> Value {
    json!({
        "system": counts_to_json(&facets.system),
        "dataset": counts_to_json(&facets.dataset),
        "licence": counts_to_json(&facets.licence),
        "keyword": counts_to_json(&facets.keyword),
        "finished": truths_to_json(facets.finished),
        "answerable": truths_to_json(facets.answerable),
        "template": truths_to_json(facets.template),
        "findings": facets.findings.map(truths_to_json),
        "rated": truths_to_json(facets.rated),
        "contested": truths_to_json(facets.contested),
    })
}

fn counts_to_json(counts: &[FacetCount]) -> Value {
    let count = |counted: &FacetCount| match &counted.label {
        Some(label) => json!({"value": counted.value, "label": label, "count": counted.count}),
        None => json!({"value": counted.value, "count": counted.count}),
    };
    counts.iter().map(count).collect()
}

fn truths_to_json(truths: TruthCounts) -> Value {
    let counts = [(true, truths.yes), (false, truths.no)];
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    counts.map(|(value, count)| json!({"value": value, "count": count})).collect()
}
