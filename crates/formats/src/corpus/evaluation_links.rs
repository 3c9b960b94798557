//! Links the files of an evaluation to each other and to the rows whose questions were asked: figures to answers, by
//! position, and answers to questions, by the id of the row or the text of the question.
//!
//! No single file has these links, so they are not part of a file's graph.

use crate::catalog::text_key;
use crate::items::items_of;
use crate::rewriting::IndexedGraph;
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use std::collections::HashMap;
use std::path::Path;

/// A loaded file with rows, with evaluation data, or with figures by row.
#[derive(Debug)]
pub struct EvaluationFile<'f> {
    /// Its recognised kind: `rows`, `evaluation data`, `evaluation results`.
    pub kind: &'f str,
    /// Its path; empty if it has none.
    pub path: &'f Path,
    /// Its graph.
    pub graph: &'f IndexedGraph<'f>,
}

/// A statement that follows from several files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationLink {
    /// The index of the file that has its subject.
    pub file: usize,
    /// The IRI of a figure, or of a generated answer.
    pub subject: String,
    /// The name of the property in schema.org: `itemReviewed` or `parentItem`.
    pub property: &'static str,
    /// The IRI of the reviewed answer, or of the answered question.
    pub object: String,
}

/// A row of evaluation data.
struct AnsweredRow {
    position: usize,
    id: String,
    text_key: String,
    /// The IRI of the generated answer, or of the question if there is no answer.
    answer: String,
    has_answer: bool,
}

/// Finds the links. Figures belong to the only evaluation data, or else to evaluation data in the same folder whose
/// name begins alike, if the numbers of rows agree. An answer belongs to the question with the same id and text, or
/// else to the only question with the text. The id is not enough, since it may come from another dataset.
pub fn evaluation_links(files: &[EvaluationFile<'_>]) -> Vec<EvaluationLink> {
    let questions = RowQuestionIndex::from_files(files);
    let of_kind = |kind| files.iter().enumerate().filter(move |(_, file)| file.kind == kind);
    let data: Vec<(usize, Vec<AnsweredRow>)> =
        of_kind("evaluation data").map(|(at, file)| (at, answered(file.graph))).collect();
    let mut links = Vec::new();
    for (at, file) in of_kind("evaluation results") {
        let about = match data.as_slice() {
            [only] => Some(only),
            several => several.iter().find(|(data, _)| is_of_one_run(file.path, files[*data].path)),
        };
        let judgements = judgements(file.graph);
        let Some((_, rows)) = about else { continue };
        let count = judgements.iter().map(|(position, _)| position + 1).max();
        if count != Some(rows.len()) {
            continue;
        }
        let by_position: HashMap<usize, &AnsweredRow> = rows.iter().map(|row| (row.position, row)).collect();
        for (position, subject) in judgements {
            let Some(row) = by_position.get(&position) else { continue };
            let object = row.answer.clone();
            links.push(EvaluationLink { file: at, subject, property: "itemReviewed", object });
        }
    }
    for (at, rows) in data {
        for row in rows.into_iter().filter(|row| row.has_answer) {
            if let Some(question) = questions.of_row(&row) {
                let (subject, object) = (row.answer, question.to_owned());
                links.push(EvaluationLink { file: at, subject, property: "parentItem", object });
            }
        }
    }
    links
}

/// Returns whether two files are in one folder, and have the same name except for the evaluator's endings.
fn is_of_one_run(results: &Path, data: &Path) -> bool {
    let run = |path: &Path, end: &str| {
        let name = path.file_name()?.to_str()?;
        Some((path.parent()?.to_owned(), name.split_once(end)?.0.to_owned()))
    };
    let results = run(results, "_evaluation_results");
    results.is_some() && results == run(data, "_evaluation_data")
}

/// The questions of rows, by id and text, and by text only.
struct RowQuestionIndex {
    /// `None` if two questions have the same id and text, in one dataset or in two: neither is linked.
    by_id: HashMap<(String, String), Option<String>>,
    by_text: HashMap<String, Option<String>>,
}

impl RowQuestionIndex {
    fn from_files(files: &[EvaluationFile<'_>]) -> Self {
        let (mut by_id, mut by_text) = (HashMap::new(), HashMap::new());
        for file in files.iter().filter(|file| file.kind == "rows") {
            for item in items_of(file.graph).items {
                let Some(iri) = iri_of(file.graph, item.node) else { continue };
                let key = text_key(&item.question);
                let only = |known: &mut Option<String>| *known = None;
                by_id.entry((item.local_id, key.clone())).and_modify(only).or_insert(Some(iri.clone()));
                by_text.entry(key).and_modify(only).or_insert(Some(iri));
            }
        }
        Self { by_id, by_text }
    }

    fn of_row(&self, row: &AnsweredRow) -> Option<&str> {
        let by_id = self.by_id.get(&(row.id.clone(), row.text_key.clone()));
        by_id.or_else(|| self.by_text.get(&row.text_key))?.as_deref()
    }
}

/// Returns the rows of evaluation data.
fn answered(graph: &IndexedGraph<'_>) -> Vec<AnsweredRow> {
    let (position, suggested) = (graph.schema_org("position"), graph.schema_org("suggestedAnswer"));
    let rows = items_of(graph).items.into_iter().filter_map(|item| {
        let generated = suggested.iter().find_map(|&property| graph.objects(item.node, property).next());
        Some(AnsweredRow {
            position: number(graph, item.node, &position)?,
            text_key: text_key(&item.question),
            id: item.local_id,
            answer: iri_of(graph, generated.unwrap_or(item.node))?,
            has_answer: generated.is_some(),
        })
    });
    rows.collect()
}

/// Returns the figures about rows, with the positions of the rows.
fn judgements(graph: &IndexedGraph<'_>) -> Vec<(usize, String)> {
    let aspect = graph.schema_org("reviewAspect");
    let position = graph.schema_org("position");
    let reviews = graph
        .subjects()
        .iter()
        .copied()
        .filter(|&node| aspect.iter().any(|&aspect| graph.objects(node, aspect).next().is_some()));
    reviews.filter_map(|node| Some((number(graph, node, &position)?, iri_of(graph, node)?))).collect()
}

fn number(graph: &IndexedGraph<'_>, node: BufferTermId, properties: &[BufferTermId]) -> Option<usize> {
    let mut values = properties.iter().flat_map(|&property| graph.objects(node, property));
    values.find_map(|value| match graph.quads().term(value) {
        TermRef::Literal { lexical, .. } => lexical.parse().ok(),
        _ => None,
    })
}

fn iri_of(graph: &IndexedGraph<'_>, node: BufferTermId) -> Option<String> {
    match graph.quads().term(node) {
        TermRef::Iri(iri) => Some(iri.to_owned()),
        _ => None,
    }
}
