//! RLCF files, made from RLCF records, or from the questions of other inputs, which become tasks for experts.

use super::RLCF;
use super::records_of_graph::{file_of_graph, file_of_graphs, has_named_records};
use super::tasks_from_items::tasks_of_items;
use crate::items::QuestionItem;
use crate::records::DecomposedFile;
use crate::rewriting::{IndexedGraph, JsonStyle, StyledJson};
use crate::writing::document_graphs::DocumentGraphs;
use crate::writing::loss_reports::{report_defaults, report_losses, report_unread};
use crate::writing::written_questions::{joined, questions_of};
use crate::writing::{FormOptions, WrittenFile, WrittenFiles, parsed};
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// The name of the form.
const FORM: &str = RLCF.name();

/// What a graph without records and questions does not have, before the word `questions`.
const LACKS: &str = "neither records nor";

/// Writes the records of all graphs, and the questions of graphs without records: one file per input if the options take
/// several, otherwise one file.
///
/// # Errors
///
/// `convert::no-questions` without records and questions; `rlcf::clash` if two records would become one.
pub(super) fn task_files(
    quads: &QuadBuffer,
    options: &FormOptions<'_>,
    report: &mut RunReport,
) -> Result<WrittenFiles, RunFailure> {
    let now = (options.now)()?;
    let had_failed = report.has_failed();
    // RLCF's program stores times in UTC without a time zone.
    let time = now.format("%Y-%m-%dT%H:%M:%S").to_string();
    let documents = DocumentGraphs::from_quads(quads);
    let graphs = documents.documents();
    let mut texts = Vec::new();
    match (options.takes_several, graphs.as_slice()) {
        (false, [_, _, ..]) => texts.extend(one_file(&documents, &graphs, &time, report)?),
        (_, graphs) => {
            for &graph in graphs {
                texts.extend(file_of(&documents, graph, &time, report)?);
            }
        }
    }
    if texts.is_empty() {
        let message = "the inputs have neither records of rlcf nor questions";
        return Err(Diagnostic::error("convert::no-questions", message).into());
    }
    report.check(had_failed)?;
    let files = texts.into_iter().map(|(text, stem)| WrittenFile::of_stem(&stem, "json", text)).collect();
    Ok(WrittenFiles { files, ..WrittenFiles::default() })
}

/// Returns the file of one graph, with its name. Records are written as the table of their file or under their names.
/// Without records, questions become tasks. `None` for a graph with neither.
fn file_of(
    documents: &DocumentGraphs<'_>,
    graph: Option<BufferTermId>,
    time: &str,
    report: &mut RunReport,
) -> Result<Option<(String, String)>, RunFailure> {
    let name = documents.name_of(graph);
    let found = documents.graph(graph);
    let records = match file_of_graph(&found) {
        Some(records) => Some(records),
        None if has_named_records(&found) => Some(file_of_graphs(documents.graphs(), &[graph])?),
        None => None,
    };
    if let Some(DecomposedFile { json, unread, .. }) = records {
        report_unread(&unread, FORM, &name, &found, report);
        let document = parsed(FORM, json)?;
        return Ok(Some((laid_out(&document, None), name)));
    }
    let questions = questions_of(documents, graph, FORM, LACKS, report);
    Ok(questions.map(|(items, name)| (tasks(&items, 1, time, &name, report), name)))
}

/// Returns one file for all graphs. With records, it is an object of arrays under their names. The tasks made from
/// questions follow the other tasks.
fn one_file(
    documents: &DocumentGraphs<'_>,
    graphs: &[Option<BufferTermId>],
    time: &str,
    report: &mut RunReport,
) -> Result<Option<(String, String)>, RunFailure> {
    let is_of_records = |graph: &Option<BufferTermId>| has_named_records(&documents.graph(*graph));
    let (of_records, others): (Vec<_>, Vec<_>) = graphs.iter().copied().partition(is_of_records);
    let questions: Vec<(Vec<QuestionItem>, String)> =
        others.iter().filter_map(|&graph| questions_of(documents, graph, FORM, LACKS, report)).collect();
    if of_records.is_empty() && questions.is_empty() {
        return Ok(None);
    }
    let (items, name) = joined(questions);
    if of_records.is_empty() {
        return Ok(Some((tasks(&items, 1, time, &name, report), name)));
    }
    let records = file_of_graphs(documents.graphs(), &of_records)?;
    let graphs = documents.graphs();
    let of_all =
        IndexedGraph::with_quads(graphs.quads(), of_records.iter().flat_map(|graph| graphs.quads_of(*graph)));
    let of_records = documents.name_of(of_records[0]);
    report_unread(&records.unread, FORM, &of_records, &of_all, report);
    let document = parsed(FORM, records.json)?;
    let more = match items.as_slice() {
        [] => None,
        items => Some(parsed(FORM, tasks(items, next_id(&document), time, &name, report))?),
    };
    Ok(Some((laid_out(&document, more.as_ref()), of_records)))
}

fn tasks(items: &[QuestionItem], first: u64, time: &str, name: &str, report: &mut RunReport) -> String {
    let written = tasks_of_items(items, first, time);
    report_losses(written.losses.iter(), FORM, name, report);
    report_defaults(&written.defaults, name, report);
    written.tasks
}

/// Returns the first number after the ids of all tasks.
fn next_id(document: &JsonDocument) -> u64 {
    let tasks = document.get(document.root(), "tasks");
    let ids = tasks
        .into_iter()
        .flat_map(|tasks| document.items(tasks))
        .filter_map(|task| document.number(document.get(task, "id")?)?.parse::<u64>().ok());
    ids.max().unwrap_or(0).saturating_add(1)
}

/// Returns the text of a file, with more tasks after its own.
fn laid_out(document: &JsonDocument, more: Option<&JsonDocument>) -> String {
    let mut json = StyledJson::new(JsonStyle::default());
    let root = document.root();
    let Some(more) = more else {
        json.json(document, root);
        return json.finish() + "\n";
    };
    let write_tasks = |json: &mut StyledJson, own: Option<TokenId>| {
        json.open('[');
        for task in own.into_iter().flat_map(|own| document.items(own)) {
            json.item();
            json.json(document, task);
        }
        for task in more.items(more.root()) {
            json.item();
            json.json(more, task);
        }
        json.close(']');
    };
    json.open('{');
    for member in document.members(root) {
        json.key(document.symbol_text(member.symbol));
        match document.symbol_text(member.symbol) {
            "tasks" => write_tasks(&mut json, Some(member.value)),
            _ => json.json(document, member.value),
        }
    }
    if document.get(root, "tasks").is_none() {
        json.key("tasks");
        write_tasks(&mut json, None);
    }
    json.close('}');
    json.finish() + "\n"
}
