//! One question, with everything that belongs to it: its answers, its template, and questions with the same text.
//!
//! `QuestionTable` is defined in `question_table.rs`.

use serde_json::{Map, Value, json};

use super::answer_sources::sources;
use super::list::cut;
use super::name_lookup::NameLookup;
use super::node_lookup::NodeLookup;
use super::question_reviews::{QuestionReviews, ratings};
use super::question_table::{QuestionRow, QuestionTable};
use super::question_table_reader::{ROOTS, TEMPLATES};
use super::shown_question::{MOST, ShownQuestion};
use super::traits::traits;
use evalgraph_formats::checkpoint::template::{TemplateState, state};
use evalgraph_store::TermId;

/// The most other questions with the same text that are listed.
const MOST_SAME: usize = 100;
/// How many characters of another question's text are shown.
const MOST_TEXT: usize = 300;

impl QuestionTable {
    /// Returns everything about a question except its place in a file and its findings.
    pub(crate) fn question(&self, names: &NameLookup<'_>, at: usize) -> Map<String, Value> {
        let row = &self.rows[at];
        let document = self.document(row);
        let nodes = NodeLookup::of_graph(names, document.graph);
        let asked =
            ShownQuestion { nodes, question: row.node, item: row.item, roots: roots(nodes, document.graph) };
        let text = row.text.map(|text| names.text(text)).unwrap_or_default();
        let card = self.card(names, at);
        let iri = asked.roots.iter().find(|root| names.is_iri(**root)).map(|root| names.text(*root));
        let licence = document.licence.map(|licence| &self.licences[licence as usize]);
        let licences: Vec<&String> =
            self.licences_of(row).iter().map(|licence| &self.licences[*licence as usize]).collect();
        let template = template(&asked, &text);
        let reviews = QuestionReviews::new(&asked);
        let mut question = Map::new();
        let mut put = |name: &str, value: Value| question.insert(name.to_owned(), value);
        put("graph", json!(card.graph));
        put("id", json!(card.id));
        put("localId", json!(card.local_id));
        put("text", json!(text));
        put("system", json!(card.system));
        put(
            "dataset",
            json!({
                "value": card.dataset,
                "iri": iri,
                "name": document.title.as_ref().or(card.dataset.as_ref()),
                "licence": licence,
            }),
        );
        put("licences", json!(licences));
        put("file", json!(card.file));
        put("answer", json!(row.answer.map(|answer| names.text(answer))));
        put("answers", json!(answers(&asked, names)));
        put("finished", json!(card.finished));
        put("answerable", json!(card.answerable));
        put("keywords", json!(card.keywords));
        put("created", json!(asked.text("dateCreated")));
        put("modified", json!(card.modified));
        put("stub", json!(template.as_ref().is_some_and(|_| !row.has_template)));
        put("template", json!(template));
        put("traits", traits(&asked));
        put("ratings", ratings(&asked, &reviews));
        put("ratingsTotal", json!(row.ratings));
        put("disagreement", json!(row.disagreement));
        put("sources", sources(&asked));
        put("feedback", reviews.feedback(&asked));
        put("sameQuestion", self.same(names, at));
        put("properties", json!(nodes.objects(row.node, "additionalProperty").len()));
        question
    }

    /// Returns the other questions with the same text, by the keys of the catalog.
    fn same(&self, names: &NameLookup<'_>, at: usize) -> Value {
        let Some(catalog) = names.catalog else { return json!([]) };
        let of_catalog = NodeLookup::of_graph(names, catalog);
        let keys = of_catalog.objects(self.rows[at].node, "eg:looseKey");
        let same = keys.into_iter().flat_map(|key| of_catalog.subjects("eg:looseKey", key));
        let mut rows: Vec<usize> =
            same.flat_map(|node| self.rows_of(node)).filter(|row| *row != at).collect();
        rows.sort_unstable();
        rows.dedup();
        let other = |row: usize| {
            let QuestionRow { text, .. } = &self.rows[row];
            let document = self.document(&self.rows[row]);
            json!({
                "graph": document.iri,
                "id": self.id(names, row),
                "text": text.map(|text| cut(names.text(text), MOST_TEXT)),
                "system": document.system.map(|system| &self.systems[system as usize]),
                "file": document.file,
            })
        };
        rows.into_iter().take(MOST_SAME).map(other).collect()
    }
}

/// Returns the root nodes of a graph's documents.
fn roots(nodes: NodeLookup<'_>, graph: TermId) -> Vec<TermId> {
    let names = nodes.names;
    let classes = ROOTS.iter().flat_map(|class| names.name(class));
    let of_class =
        classes.flat_map(|class| names.view.triples_of([None, names.rdf_type, Some(class)], Some(graph)));
    of_class.map(|[subject, ..]| subject).collect()
}

/// Returns the texts of all answers: accepted answers, suggested answers, and answers that refer to the question.
fn answers(asked: &ShownQuestion<'_>, names: &NameLookup<'_>) -> Vec<String> {
    let ShownQuestion { nodes, question, .. } = asked;
    let accepted = nodes.objects(*question, "acceptedAnswer");
    let everywhere = nodes.everywhere();
    let suggested = everywhere.objects(*question, "suggestedAnswer");
    let others = everywhere.subjects("parentItem", *question);
    let mut texts: Vec<String> = Vec::new();
    for answer in accepted.into_iter().chain(suggested).chain(others) {
        let said = match names.lexical(answer) {
            Some(text) => vec![text],
            None => everywhere.texts(answer, "text").into_iter().collect(),
        };
        for text in said {
            if !texts.contains(&text) && texts.len() < MOST {
                texts.push(text);
            }
        }
    }
    texts
}

/// Returns the code of the template: one that a person wrote, or otherwise a stub; `None` if it is blank.
fn template(asked: &ShownQuestion<'_>, text: &str) -> Option<String> {
    let nodes = asked.nodes;
    let mut codes: Vec<String> = Vec::new();
    for object in nodes.objects_of(asked.question, &TEMPLATES) {
        match nodes.names.lexical(object) {
            Some(code) => codes.push(code),
            None => codes.extend(nodes.texts(object, "text")),
        }
    }
    let is = |wanted: TemplateState| codes.iter().position(|code| state(code, text) == wanted);
    let chosen = is(TemplateState::Written).or_else(|| is(TemplateState::DefaultStub))?;
    Some(codes.swap_remove(chosen))
}
