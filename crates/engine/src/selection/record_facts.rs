//! What is known about each record of a file, whatever its system: the id, the texts, the state, the dates.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use super::record_places::PlacedQuads;
use evalgraph_formats::file_records::FileRecords;
use evalgraph_formats::items::{QuestionItem, questions_of};
use evalgraph_formats::rewriting::IndexedGraph;
use evalgraph_rdf::minted::is_ours;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// What is known about a record. All texts are as written.
#[derive(Debug, Clone, Default)]
pub struct RecordFacts {
    /// The question's node, or else a node of the record.
    pub(super) node: Option<BufferTermId>,
    /// Its id in its file.
    pub id: Option<String>,
    /// The text of its question.
    pub text: Option<String>,
    /// The text of the accepted answer.
    pub answer: Option<String>,
    /// The keywords.
    pub keywords: Vec<String>,
    /// The state: finished or unfinished, or the status of a task.
    pub state: Option<String>,
    /// The types: of a task, of a sample, or the additional types of a question.
    pub types: Vec<String>,
    /// When it was created.
    pub created: Option<String>,
    /// When it was last changed.
    pub modified: Option<String>,
}

impl RecordFacts {
    /// Returns whether two records say the same, apart from their ids.
    pub(super) fn has_same_content(&self, other: &Self) -> bool {
        let texts = |facts: &Self| {
            let Self { text, answer, state, created, modified, .. } = facts.clone();
            [text, answer, state, created, modified]
        };
        let lists = |facts: &Self| {
            let mut lists = [facts.keywords.clone(), facts.types.clone()];
            lists.iter_mut().for_each(|list| list.sort());
            lists
        };
        texts(self) == texts(other) && lists(self) == lists(other)
    }
}

/// The state of a question that is marked as finished, and that of one that could be but is not.
const FINISHED: [&str; 2] = ["finished", "unfinished"];
/// How the value of the mark may be written.
const YES: [&str; 6] = ["true", "1", "yes", "y", "t", "on"];

/// Returns the facts about each record of a list.
pub(super) fn facts_of(list: &FileRecords<'_>, sink: &PlacedQuads, is_checkpoint: bool) -> Vec<RecordFacts> {
    let graph = IndexedGraph::new(&sink.quads, None);
    let reader = FactReader::new(&graph, is_checkpoint);
    let mut facts = vec![RecordFacts::default(); list.len()];
    let items = questions_of(&graph);
    // A document that was made from the file has no places, but its questions in the order of the file.
    if list.is_keyed() && items.len() == facts.len() {
        for (record, item) in items.into_iter().enumerate() {
            let id = list.id(record).map(Cow::into_owned);
            facts[record] = RecordFacts { id, ..reader.facts(item) };
        }
        return facts;
    }
    // The items of a question that is in several records come in the order of these.
    let mut used: HashMap<BufferTermId, HashSet<usize>> = HashMap::new();
    for item in items {
        let places = sink.places.get(&item.node).map(Vec::as_slice).unwrap_or_default();
        let of_node = used.entry(item.node).or_default();
        let mut records = places.iter().filter_map(|&place| list.record_at(place));
        let Some(record) = records.find(|record| !of_node.contains(record)) else { continue };
        of_node.insert(record);
        // A conversation has several questions. Its first one is used.
        if facts[record].node.is_none() {
            facts[record] = reader.facts(item);
        }
    }
    for (&node, places) in &sink.places {
        let first = places.iter().filter_map(|&place| list.record_at(place)).next();
        if let Some(facts) = first.map(|record| &mut facts[record])
            && facts.text.is_none()
        {
            // The node that is interned first is the outermost one.
            facts.node = Some(facts.node.map_or(node, |other| other.min(node)));
        }
    }
    for (record, facts) in facts.iter_mut().enumerate() {
        let is_made = facts.id.as_deref().is_none_or(is_ours);
        if is_made && let Some(id) = list.id(record) {
            facts.id = Some(id.into_owned());
        }
    }
    facts
}

/// Reads facts that the item of a question does not have.
struct FactReader<'g> {
    graph: &'g IndexedGraph<'g>,
    is_checkpoint: bool,
    properties: Vec<BufferTermId>,
    names: Vec<BufferTermId>,
    values: Vec<BufferTermId>,
    states: Vec<BufferTermId>,
    types: Vec<BufferTermId>,
    owners: HashMap<BufferTermId, BufferTermId>,
}

impl<'g> FactReader<'g> {
    fn new(graph: &'g IndexedGraph<'g>, is_checkpoint: bool) -> Self {
        let item = graph.schema_org("item");
        let mut owners = HashMap::new();
        for &owner in graph.subjects() {
            let questions = graph.statements(owner).iter().filter(|(predicate, _)| item.contains(predicate));
            owners.extend(questions.map(|&(_, question)| (question, owner)));
        }
        Self {
            graph,
            is_checkpoint,
            properties: graph.schema_org("additionalProperty"),
            names: graph.schema_org("name"),
            values: graph.schema_org("value"),
            states: graph.schema_org("creativeWorkStatus"),
            types: [graph.schema_org("additionalType"), graph.schema_org("teaches")].concat(),
            owners,
        }
    }

    fn facts(&self, item: QuestionItem) -> RecordFacts {
        let node = item.node;
        let around = [Some(node), self.owners.get(&node).copied()].into_iter().flatten();
        let values = |predicates: &[BufferTermId]| -> Vec<String> {
            let statements = around.clone().flat_map(|node| self.graph.statements(node).iter());
            let found = statements.filter(|(predicate, _)| predicates.contains(predicate));
            found.filter_map(|&(_, value)| self.shown(value)).collect()
        };
        let state = match self.is_checkpoint {
            true => Some(FINISHED[usize::from(!self.is_finished(node))].to_owned()),
            false => values(&self.states).into_iter().next(),
        };
        let id = (!item.local_id.is_empty()).then_some(item.local_id);
        RecordFacts {
            node: Some(node),
            id: id.or(item.source_id.map(|id| id.text)).or_else(|| self.graph.iri(node).map(str::to_owned)),
            text: Some(item.question),
            answer: item.answer,
            keywords: item.keywords,
            state,
            types: values(&self.types),
            created: item.date_created,
            modified: item.date_modified,
        }
    }

    /// The text of a literal, or the name at the end of an IRI.
    fn shown(&self, value: BufferTermId) -> Option<String> {
        self.graph.lexical(value).or_else(|| self.graph.local_name(value)).map(str::to_owned)
    }

    fn is_finished(&self, question: BufferTermId) -> bool {
        let has = |node: BufferTermId, predicates: &[BufferTermId], is_wanted: &dyn Fn(&str) -> bool| {
            let mut statements = self.graph.statements(node).iter();
            statements.any(|(predicate, value)| {
                predicates.contains(predicate) && self.graph.lexical(*value).is_some_and(is_wanted)
            })
        };
        let mut properties = self
            .graph
            .statements(question)
            .iter()
            .filter(|(predicate, _)| self.properties.contains(predicate));
        properties.any(|&(_, property)| {
            has(property, &self.names, &|name| name == "finished")
                && has(property, &self.values, &|value| YES.contains(&value.to_lowercase().as_str()))
        })
    }
}
