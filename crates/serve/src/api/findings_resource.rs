//! `/api/findings`: the findings of rules and of the check, page by page, grouped by rule, or as a file.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write as _};
use std::rc::Rc;
use std::sync::Arc;

use hyper::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{HeaderMap, StatusCode};
use serde_json::{Map, Value, json};

use super::json_answer;
use super::resource_parameters::{check_known, number};
use crate::browse::list::FindingCounts;
use crate::browse::name_lookup::NameLookup;
use crate::browse::question_table::QuestionTable;
use crate::channel::ReplySender;
use crate::findings_cache::{FindingOrigin, IndexedFinding, SEVERITIES, ShownFinding, StateFindings};
use crate::findings_search;
use crate::head::ResponseHead;
use crate::pieces::ReplyWriter;
use crate::problem::ProblemDetails;
use crate::received_request::ReceivedRequest;
use crate::request_parameters::RequestParameters;
use crate::resource::FindingsForm;
use crate::served_data::DataSnapshot;
use crate::server_context::ServerContext;
use crate::states::begin;
use evalgraph_engine::report::ReportFormat;
use evalgraph_engine::report::reported_files::ReportedFiles;
use evalgraph_engine::report::reported_finding::ReportWords;
use evalgraph_sparql::CancellationToken;
use evalgraph_text_keys::without_marks;

/// The filters, which can also be used for files.
const FILTERS: [&str; 5] = ["code", "severity", "file", "search", "by"];
/// The parameters of a page.
const OF_PAGE: [&str; 7] = ["code", "severity", "file", "search", "by", "offset", "limit"];
/// How many findings a page has by default, and the most.
const LIMIT: usize = 100;
const MOST: usize = 1_000;
/// How many files are listed with their counts.
const MOST_FILES: usize = 200;

/// Answers with the findings of the current state, or says that the search for them is running.
///
/// # Errors
///
/// `serve::parameter`, and the reason why the search failed.
pub(super) fn answer(
    context: &Arc<ServerContext>,
    asked: &ReceivedRequest,
    download: FindingsForm,
    cancellation: &CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let is_page = download == FindingsForm::Page;
    check_known(&asked.parameters, if is_page { &OF_PAGE } else { &FILTERS })?;
    let filters = FindingFilters::from_parameters(&asked.parameters)?;
    let seen = context.data.now()?;
    let Some(found) = findings_search::findings(context, &seen)? else { return wait(asked, &seen, reply) };
    let Some(format) = format_of(download) else {
        let (offset, limit) = (
            number(&asked.parameters, "offset", 0, usize::MAX)?,
            number(&asked.parameters, "limit", LIMIT, MOST)?,
        );
        let make = || {
            let questions = context.questions(&seen, cancellation)?;
            let teller =
                FindingRenderer { questions: &questions, names: NameLookup::new(seen.loaded.dataset()) };
            Ok(page(&seen, &found, &filters, offset, limit, &teller))
        };
        return json_answer::answer_of(asked, &seen.name, make, reply);
    };
    if begin(asked, head(format), Some(&seen.name), reply) {
        let output = ReplyWriter::new(reply, asked.compression());
        // An error here means that the client has disconnected.
        let _ = write(&found, &filters, format, output);
    }
    Ok(())
}

/// Returns how many findings each question of a state has, by row; `None` while the search is running.
pub(super) fn by_question(context: &ServerContext, state: &str) -> Option<FindingCounts> {
    Some(context.findings.now(state)?.by_question())
}

/// Returns the findings of a question; `None` while the search is running.
pub(super) fn of_question(
    context: &ServerContext,
    seen: &DataSnapshot,
    questions: &QuestionTable,
    row: usize,
) -> Value {
    let Some(found) = context.findings.now(&seen.name) else { return Value::Null };
    let teller = FindingRenderer { questions, names: NameLookup::new(seen.loaded.dataset()) };
    let is_of_question =
        |item: &&IndexedFinding| item.question.is_some_and(|question| question as usize == row);
    let items = found.items().iter().filter(is_of_question).take(MOST);
    Value::Array(items.map(|item| teller.to_json(&found, item)).collect())
}

/// Answers that the findings are not there yet.
fn wait(asked: &ReceivedRequest, seen: &DataSnapshot, reply: &Rc<ReplySender>) -> Result<(), ProblemDetails> {
    let value = json!({ "state": seen.name, "running": true });
    let mut head = json_answer::head(StatusCode::ACCEPTED);
    head.headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    json_answer::answer_with(asked, head, None, &value, reply)
}

/// The selection of findings that is asked for.
#[derive(Debug)]
struct FindingFilters {
    code: Option<String>,
    severity: Option<&'static str>,
    file: Option<String>,
    by: Option<FindingOrigin>,
    /// The words of the search, without case and accents.
    words: Vec<String>,
}

/// The filters that a finding passes. If it fails exactly one, it counts for the choices of that filter.
struct PassedFilters {
    code: bool,
    severity: bool,
    file: bool,
    others: bool,
}

impl PassedFilters {
    fn all(&self) -> bool {
        self.code && self.severity && self.file && self.others
    }
}

impl FindingFilters {
    fn from_parameters(parameters: &RequestParameters) -> Result<Self, ProblemDetails> {
        let text =
            |name: &str| Ok::<_, ProblemDetails>(parameters.one(name)?.filter(|text| !text.is_empty()));
        let unknown = |name: &str, known: &[&str]| {
            let message = format!("`{name}` must be one of {}", known.join(", "));
            ProblemDetails::bad("serve::parameter", message)
        };
        let severity = text("severity")?
            .map(|name| {
                let known = SEVERITIES.into_iter().find(|known| *known == name);
                known.ok_or_else(|| unknown("severity", &SEVERITIES))
            })
            .transpose()?;
        let by = text("by")?
            .map(|name| {
                let known = FindingOrigin::ALL.into_iter().find(|known| known.name() == name);
                known.ok_or_else(|| unknown("by", &FindingOrigin::ALL.map(FindingOrigin::name)))
            })
            .transpose()?;
        let search = without_marks(text("search")?.unwrap_or_default());
        Ok(Self {
            code: text("code")?.map(str::to_owned),
            severity,
            file: text("file")?.map(str::to_owned),
            by,
            words: search.split_whitespace().map(str::to_owned).collect(),
        })
    }

    fn of_finding(&self, finding: &ShownFinding<'_>) -> PassedFilters {
        PassedFilters {
            code: self.code.as_deref().is_none_or(|code| code == finding.code),
            severity: self.severity.is_none_or(|name| name == finding.severity),
            file: self.file.as_deref().is_none_or(|file| file == finding.file),
            others: self.by.is_none_or(|by| by == finding.by) && finding.has_words(&self.words),
        }
    }
}

/// Renders findings with the questions that they belong to.
struct FindingRenderer<'t> {
    questions: &'t QuestionTable,
    names: NameLookup<'t>,
}

impl FindingRenderer<'_> {
    fn to_json(&self, found: &StateFindings, item: &IndexedFinding) -> Value {
        let finding = found.finding(item);
        let spot = finding.spot();
        let row = item.question.map(|row| row as usize);
        json!({
            "by": finding.by.name(),
            "code": finding.code,
            "severity": finding.severity,
            "message": finding.message,
            "file": finding.file,
            "line": spot.map(|place| place.line),
            "column": spot.map(|place| place.column),
            "pointer": finding.pointer(),
            "graph": row.map(|row| self.questions.graph(row)),
            "id": row.map(|row| self.questions.id(&self.names, row)),
            "focus": finding.focus,
            "path": finding.path,
            "value": finding.value,
            "help": finding.help(),
        })
    }
}

/// A rule with its findings.
#[derive(Default)]
struct FindingsByRule<'f> {
    severity: &'static str,
    by: Option<FindingOrigin>,
    count: usize,
    files: HashSet<&'f str>,
}

/// Returns a page of the list, with the counts of further choices.
fn page(
    seen: &DataSnapshot,
    found: &StateFindings,
    filters: &FindingFilters,
    offset: usize,
    limit: usize,
    teller: &FindingRenderer<'_>,
) -> Value {
    let mut counts = SEVERITIES.map(|_| 0_usize);
    let mut groups: HashMap<&str, FindingsByRule<'_>> = HashMap::new();
    let mut files: HashMap<&str, usize> = HashMap::new();
    let mut listed = Vec::new();
    let mut total = 0;
    for item in found.items() {
        let finding = found.finding(item);
        let PassedFilters { code, severity, file, others: true } = filters.of_finding(&finding) else {
            continue;
        };
        if code
            && file
            && let Some(at) = SEVERITIES.iter().position(|name| *name == finding.severity)
        {
            counts[at] += 1;
        }
        if severity && file {
            let group = groups.entry(finding.code).or_default();
            (group.severity, group.by) = (finding.severity, Some(finding.by));
            group.count += 1;
            group.files.insert(finding.file);
        }
        if code && severity {
            *files.entry(finding.file).or_default() += 1;
        }
        if code && severity && file {
            if total >= offset && listed.len() < limit {
                listed.push(teller.to_json(found, item));
            }
            total += 1;
        }
    }
    let counts: Map<String, Value> =
        SEVERITIES.iter().zip(counts).map(|(name, count)| ((*name).to_owned(), json!(count))).collect();
    json!({
        "state": seen.name,
        "total": total,
        "offset": offset,
        "counts": counts,
        "groups": groups_to_json(found, groups),
        "files": files_to_json(files),
        "findings": listed,
    })
}

/// Returns the groups, with the worst and largest first.
fn groups_to_json(found: &StateFindings, groups: HashMap<&str, FindingsByRule<'_>>) -> Vec<Value> {
    let titles = found.titles();
    let rank = |severity: &str| SEVERITIES.iter().position(|name| *name == severity);
    let mut groups: Vec<(&str, FindingsByRule<'_>)> = groups.into_iter().collect();
    groups.sort_unstable_by(|(code, group), (other_code, other)| {
        rank(group.severity)
            .cmp(&rank(other.severity))
            .then(other.count.cmp(&group.count))
            .then(code.cmp(other_code))
    });
    let to_json = |(code, group): (&str, FindingsByRule<'_>)| {
        json!({
            "code": code,
            "title": titles.get(code).copied().unwrap_or(code),
            "severity": group.severity,
            "by": group.by.map(FindingOrigin::name),
            "count": group.count,
            "files": group.files.len(),
        })
    };
    groups.into_iter().map(to_json).collect()
}

/// Returns the files with the most findings.
fn files_to_json(files: HashMap<&str, usize>) -> Vec<Value> {
    let mut files: Vec<(&str, usize)> = files.into_iter().collect();
    files
        .sort_unstable_by(|(file, count), (other, other_count)| other_count.cmp(count).then(file.cmp(other)));
    files.truncate(MOST_FILES);
    files.into_iter().map(|(file, count)| json!({ "file": file, "count": count })).collect()
}

/// Returns the format of a file; `None` for a page.
fn format_of(download: FindingsForm) -> Option<ReportFormat> {
    match download {
        FindingsForm::Page => None,
        FindingsForm::Sarif => Some(ReportFormat::Sarif),
        FindingsForm::Html => Some(ReportFormat::Html),
        FindingsForm::Csv => Some(ReportFormat::Csv),
        FindingsForm::Json => Some(ReportFormat::Json),
    }
}

fn head(format: ReportFormat) -> ResponseHead {
    let media_type = match format {
        ReportFormat::Sarif => "application/sarif+json",
        ReportFormat::Html => "text/html; charset=utf-8",
        ReportFormat::Csv => "text/csv; charset=utf-8",
        _ => "application/json",
    };
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    let disposition = format!("attachment; filename=\"findings.{}\"", format.name());
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(CONTENT_DISPOSITION, disposition);
    }
    ResponseHead { status: StatusCode::OK, headers }
}

/// Writes the selected findings as a report.
fn write(
    found: &StateFindings,
    filters: &FindingFilters,
    format: ReportFormat,
    mut output: ReplyWriter,
) -> io::Result<()> {
    let by = FindingOrigin::ALL.into_iter().filter(|by| filters.by.is_none_or(|wanted| wanted == *by));
    let select = |by| found.selected(by, |finding| filters.of_finding(finding).all());
    let mut files: Vec<_> = by.flat_map(select).collect();
    if let Some(file) = &filters.file {
        files.retain(|checked| checked.name == *file || !checked.report.results.is_empty());
    }
    // If all findings are from the check, the report uses its own wording.
    let words =
        if filters.by == Some(FindingOrigin::Check) { ReportWords::Findings } else { ReportWords::Shacl };
    let unchecked = if filters.is_of_all() { found.unchecked.as_slice() } else { &[] };
    format.write(&ReportedFiles { words, unchecked, ..ReportedFiles::new(&files) }, &mut output)?;
    output.flush()?;
    output.finish()
}

impl FindingFilters {
    /// Returns whether nothing is filtered out.
    fn is_of_all(&self) -> bool {
        let Self { code, severity, file, by, words } = self;
        code.is_none() && severity.is_none() && file.is_none() && by.is_none() && words.is_empty()
    }
}
