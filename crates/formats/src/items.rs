//! Reads questions from a graph of any system, with their answers and the texts on which the answers rest.
//!
//! Each system writes its own files from these items. A conversion loses the statements that are in no item.

pub use super::item::{ItemContext, QuestionItem, SourceId, is_answer};
use crate::own_properties::{
    CONTEXTS, IS_IMPOSSIBLE, KEYWORDS, SOURCE_ID, SOURCES, contexts_of_json, contexts_of_sources,
    keywords_of_text,
};
use crate::records::{TrackedGraph, UnreadStatements};
use crate::rewriting::IndexedGraph;
use evalgraph_rdf::minted::is_ours;
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::EVALGRAPH;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// The questions of a graph.
#[derive(Debug, Clone)]
pub struct DatasetItems {
    /// The name of the dataset.
    pub name: Option<String>,
    /// The description of the dataset.
    pub description: Option<String>,
    /// The questions by their positions, or without positions in the order of the graph.
    pub items: Vec<QuestionItem>,
    /// The statements that are in no item.
    pub unread: Vec<UnreadStatements>,
}

/// Reads the questions of a graph: the items of a feed or of a dataset, and the tasks of experts. A question that is a
/// remark on an answer is left out.
pub fn items_of(graph: &IndexedGraph<'_>) -> DatasetItems {
    let mut reader = ItemReader::new(graph);
    let (name, description) = reader.dataset();
    let items = reader.items();
    DatasetItems { name, description, items, unread: reader.reading.unread() }
}

/// Returns the same items as [`items_of`], but does not search for statements that are in no item.
pub fn questions_of(graph: &IndexedGraph<'_>) -> Vec<QuestionItem> {
    ItemReader::new(graph).items()
}

/// The beginning of the datatypes of scalars.
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// The properties by which a checkpoint keeps members of another system's question.
#[derive(Default)]
struct OwnProperties {
    source_id: Option<SourceId>,
    is_impossible: Option<bool>,
    contexts: Vec<ItemContext>,
    keywords: Vec<String>,
}

impl OwnProperties {
    /// Reads a property by its name, if its value has the form that evalgraph writes.
    fn take(&mut self, name: &str, value: BufferTermId, reader: &ItemReader<'_>) -> Option<()> {
        let lexical = reader.lexical(value)?;
        match name {
            SOURCE_ID => self.source_id = Some(reader.literal_id(value)?),
            IS_IMPOSSIBLE => self.is_impossible = Some(lexical.parse().ok()?),
            CONTEXTS => self.contexts = contexts_of_json(lexical)?,
            SOURCES => self.contexts = contexts_of_sources(lexical)?,
            KEYWORDS => self.keywords = keywords_of_text(lexical)?,
            _ => return None,
        }
        Some(())
    }
}

/// The content of a question, which is the same for each of its items.
struct QuestionContent {
    node: BufferTermId,
    own: OwnProperties,
    question: String,
    answer: Option<String>,
    contexts: Vec<ItemContext>,
    /// `true` if it has no answer. `None` until an item needs it.
    is_refusal: Option<bool>,
}

/// The ids of a question, or of its item in a feed.
struct QuestionIds {
    row_id: Option<SourceId>,
    identifier: Option<SourceId>,
    is_task: bool,
}

/// The content of a node with at least this many statements is cached: the node may be the question of as many items,
/// and would be read again for each.
const MANY_STATEMENTS: usize = 64;

/// The content of nodes with many statements.
#[derive(Default)]
struct NodeCache {
    texts: HashMap<(BufferTermId, &'static str), Rc<[String]>>,
    first_texts: HashMap<(BufferTermId, &'static str), Option<String>>,
    truths: HashMap<(BufferTermId, &'static str), Option<bool>>,
    ids: HashMap<BufferTermId, Rc<QuestionIds>>,
    classes: HashSet<BufferTermId>,
}

struct ItemReader<'g> {
    reading: TrackedGraph<'g>,
    graph: &'g IndexedGraph<'g>,
    known: NodeCache,
    /// The properties and classes used so far, by name.
    terms: HashMap<&'static str, Rc<[BufferTermId]>>,
    /// The statements that make a question the item of a feed, and their subjects. Two questions with one id are one
    /// node with two items.
    feed_items: HashMap<BufferTermId, Vec<(BufferTermId, usize)>>,
}

impl<'g> ItemReader<'g> {
    fn new(graph: &'g IndexedGraph<'g>) -> Self {
        let terms = HashMap::new();
        let mut reader = Self {
            reading: TrackedGraph::new(graph),
            graph,
            known: NodeCache::default(),
            terms,
            feed_items: HashMap::new(),
        };
        let item = reader.term("item");
        for &node in graph.subjects() {
            for number in graph.statement_numbers(node) {
                let (predicate, object) = graph.statement(number);
                if item.contains(&predicate) {
                    reader.feed_items.entry(object).or_default().push((node, number));
                }
            }
        }
        reader
    }

    fn items(&mut self) -> Vec<QuestionItem> {
        let mut found: Vec<(u64, QuestionItem)> = Vec::new();
        for question in self.questions() {
            let mut asked = self.asked(question);
            match self.feed_items.get(&question).cloned() {
                None => found.push(self.item(&mut asked, None)),
                Some(of_feeds) => {
                    let items = of_feeds.into_iter().map(|feed_item| self.item(&mut asked, Some(feed_item)));
                    found.extend(items);
                }
            }
        }
        found.sort_by_key(|(position, _)| *position);
        found.into_iter().map(|(_, item)| item).collect()
    }

    /// A property or class by its name in the tables of records.
    fn term(&mut self, name: &'static str) -> Rc<[BufferTermId]> {
        let graph = self.graph;
        let found = self.terms.entry(name).or_insert_with(|| match name.strip_prefix("eg:") {
            Some(name) => graph.quads().find_iri(&format!("{EVALGRAPH}{name}")).into_iter().collect(),
            None => graph.schema_org(name).into(),
        });
        Rc::clone(found)
    }

    /// The statements of a node with a property: their numbers and objects.
    fn statements(
        &mut self,
        node: BufferTermId,
        property: &'static str,
    ) -> impl Iterator<Item = (usize, BufferTermId)> + use<'g> {
        let property = self.term(property);
        let graph = self.graph;
        graph.statement_numbers(node).filter_map(move |number| {
            let (predicate, object) = graph.statement(number);
            property.contains(&predicate).then_some((number, object))
        })
    }

    /// The text of a literal.
    fn lexical(&self, term: BufferTermId) -> Option<&'g str> {
        match self.graph.quads().term(term) {
            TermRef::Literal { lexical, .. } => Some(lexical),
            _ => None,
        }
    }

    fn is_a(&mut self, node: BufferTermId, class: &'static str) -> bool {
        let classes = self.term(class);
        let graph = self.graph;
        let mut types = graph.rdf_type().into_iter().flat_map(|rdf_type| graph.objects(node, rdf_type));
        types.any(|found| classes.contains(&found))
    }

    /// Returns the name and description of the node that is not part of any other.
    fn dataset(&mut self) -> (Option<String>, Option<String>) {
        let classes = ["DataFeed", "Dataset"];
        let mut roots = self.graph.subjects().iter().copied();
        let root = roots.find(|&node| classes.iter().any(|class| self.is_a(node, class)));
        let Some(root) = root else { return (None, None) };
        self.read_all_classes(root);
        for property in ["dataFeedElement", "hasPart", "distribution"] {
            self.objects(root, property);
        }
        (self.text(root, "name"), self.text(root, "description"))
    }

    fn questions(&mut self) -> Vec<BufferTermId> {
        let comments: HashSet<BufferTermId> = {
            let comment = self.term("comment");
            let statements = self.graph.subjects().iter().flat_map(|&node| self.graph.statements(node));
            statements.filter(|(predicate, _)| comment.contains(predicate)).map(|found| found.1).collect()
        };
        let classes = [&*self.term("Question"), &*self.term("eg:LegalTask")].concat();
        let Some(rdf_type) = self.graph.rdf_type() else { return Vec::new() };
        let is_question =
            |node: &BufferTermId| self.graph.objects(*node, rdf_type).any(|found| classes.contains(&found));
        let subjects = self.graph.subjects().iter().copied();
        subjects.filter(is_question).filter(|node| !comments.contains(node)).collect()
    }

    fn asked(&mut self, node: BufferTermId) -> QuestionContent {
        self.read_all_classes(node);
        let own = self.own_properties(node);
        let question = self.text(node, "text").or_else(|| self.text(node, "name")).unwrap_or_default();
        let (answer, mut contexts) = self.answer(node);
        contexts.extend(own.contexts.iter().cloned());
        QuestionContent { node, own, question, answer, contexts, is_refusal: None }
    }

    fn item(
        &mut self,
        asked: &mut QuestionContent,
        feed_item: Option<(BufferTermId, usize)>,
    ) -> (u64, QuestionItem) {
        let node = asked.node;
        if let Some((feed_item, number)) = feed_item {
            self.reading.read(number);
            self.read_all_classes(feed_item);
        }
        let feed_item = feed_item.map(|(node, _)| node);
        // The item of a feed comes first: several items may share the question, but each has its own id and dates.
        let holders: Vec<BufferTermId> = feed_item.into_iter().chain([node]).collect();
        let first_of = |reader: &mut Self, property: &'static str| {
            holders.iter().find_map(|&holder| reader.text(holder, property))
        };
        let named = holders.iter().find_map(|&holder| {
            // Both are read: a row has its id as a value and as a string.
            let (identifier, row) = (self.text(holder, "identifier"), self.text(holder, "eg:rowId"));
            identifier.or(row).or_else(|| self.id(holder))
        });
        let local_id = named.unwrap_or_default();
        let source_id = asked.own.source_id.clone().or_else(|| self.source_id(&holders));
        let position = first_of(self, "position").and_then(|position| position.parse().ok());
        let no_answer = first_of(self, "eg:noAnswer");
        let is_impossible = asked.own.is_impossible.or_else(|| {
            let said = holders.iter().find_map(|&holder| self.truth(holder, "eg:isImpossible"));
            said.or_else(|| asked.is_refusal.get_or_insert_with(|| self.is_refusal(node)).then_some(true))
        });
        let (answer, no_answer) = match asked.answer.clone() {
            // A placeholder such as `-` says only that there is no answer.
            Some(text) if !is_answer(&text) => (None, no_answer.or(Some(text))),
            answer => (answer, no_answer),
        };
        let mut keywords = asked.own.keywords.clone();
        for &holder in &holders {
            keywords.extend(self.texts(holder, "keywords").iter().cloned());
        }
        keywords.sort();
        let date_created = first_of(self, "dateCreated");
        let date_modified = first_of(self, "dateModified");
        let item = QuestionItem {
            node,
            local_id,
            source_id,
            question: asked.question.clone(),
            answer,
            no_answer,
            is_impossible,
            contexts: asked.contexts.clone(),
            keywords,
            date_created,
            date_modified,
        };
        (position.unwrap_or(u64::MAX), item)
    }

    /// The id of a row or record as written there, otherwise the IRI that the file gives the item.
    fn source_id(&mut self, holders: &[BufferTermId]) -> Option<SourceId> {
        let ids: Vec<Rc<QuestionIds>> = holders.iter().map(|&holder| self.ids(holder)).collect();
        let mut rows = ids.iter().filter_map(|ids| ids.row_id.as_ref());
        let mut identifiers = ids.iter().filter_map(|ids| ids.identifier.as_ref());
        if let Some(id) = rows.next().or_else(|| identifiers.next()) {
            // The table of tasks has strings in place of numbers.
            let is_task = ids.iter().any(|ids| ids.is_task);
            let is_string = id.is_string && !(is_task && id.text.parse::<u64>().is_ok());
            return Some(SourceId { text: id.text.clone(), is_string });
        }
        let text = holders.iter().find_map(|&holder| self.id(holder))?;
        (!is_ours(&text)).then_some(SourceId { text, is_string: true })
    }

    fn ids(&mut self, node: BufferTermId) -> Rc<QuestionIds> {
        if let Some(known) = self.known.ids.get(&node) {
            return Rc::clone(known);
        }
        let mut first = |property| {
            let mut found = self.statements(node, property);
            found.find_map(|(_, object)| self.literal_id(object))
        };
        let (row_id, identifier) = (first("eg:rowId"), first("identifier"));
        let ids = Rc::new(QuestionIds { row_id, identifier, is_task: self.is_a(node, "eg:LegalTask") });
        if self.is_kept(node) {
            self.known.ids.insert(node, Rc::clone(&ids));
        }
        ids
    }

    /// Returns whether the content of a node is cached.
    fn is_kept(&self, node: BufferTermId) -> bool {
        self.graph.statement_numbers(node).len() > MANY_STATEMENTS
    }

    /// Returns a literal as an id.
    fn literal_id(&self, term: BufferTermId) -> Option<SourceId> {
        let TermRef::Literal { lexical, kind } = self.graph.quads().term(term) else { return None };
        let is_string = match kind {
            BufferLiteralKind::Datatype(_, datatype) if datatype.ends_with("#JSON") => return None,
            BufferLiteralKind::Datatype(_, datatype) => !datatype.starts_with(XSD),
            _ => true,
        };
        Some(SourceId { text: lexical.to_owned(), is_string })
    }

    /// Reads the properties that evalgraph writes for members that have no equivalent in checkpoints. A property of
    /// another form is from another program, and stays unread.
    fn own_properties(&mut self, question: BufferTermId) -> OwnProperties {
        let mut own = OwnProperties::default();
        for (number, property) in self.statements(question, "additionalProperty") {
            let mut one = |wanted| self.statements(property, wanted).next();
            let (Some((name_number, name)), Some((value_number, value))) = (one("name"), one("value")) else {
                continue;
            };
            let Some(name) = self.lexical(name) else { continue };
            if own.take(name, value, self).is_some() {
                for number in [number, name_number, value_number] {
                    self.reading.read(number);
                }
                self.read_classes(property, &["PropertyValue"]);
            }
        }
        own
    }

    /// Reads a boolean. A string that looks like a boolean is not one, and stays unread.
    fn truth(&mut self, node: BufferTermId, property: &'static str) -> Option<bool> {
        if let Some(known) = self.known.truths.get(&(node, property)) {
            return *known;
        }
        let truth = self.read_truth(node, property);
        if self.is_kept(node) {
            self.known.truths.insert((node, property), truth);
        }
        truth
    }

    fn read_truth(&mut self, node: BufferTermId, property: &'static str) -> Option<bool> {
        let graph = self.graph;
        let (number, said) = self.statements(node, property).find_map(|(number, object)| {
            let TermRef::Literal { lexical, kind: BufferLiteralKind::Datatype(_, datatype) } =
                graph.quads().term(object)
            else {
                return None;
            };
            let said = lexical.parse().ok().filter(|_| datatype.ends_with("#boolean"))?;
            Some((number, said))
        })?;
        self.reading.read(number);
        Some(said)
    }

    /// Reads the text of the accepted answer, and the documents on which the answer or the question rests.
    fn answer(&mut self, question: BufferTermId) -> (Option<String>, Vec<ItemContext>) {
        let mut text = None;
        let mut contexts = Vec::new();
        for answer in self.objects(question, "acceptedAnswer") {
            match self.lexical(answer) {
                Some(lexical) => text = text.or_else(|| Some(lexical.to_owned())),
                None => {
                    self.read_classes(answer, &["Answer"]);
                    text = text.or_else(|| self.text(answer, "text"));
                    // The first of several accepted texts is the text of the answer. The others are lost.
                    if let Some(first) = &text {
                        self.says(answer, "eg:acceptedText", first);
                    }
                    contexts.extend(self.contexts(answer));
                }
            }
        }
        contexts.extend(self.contexts(question));
        let results = self.results(question);
        // A search result has the text of the cited document.
        contexts.retain(|cited| cited.text.is_some() || results.iter().all(|found| found.name != cited.name));
        contexts.extend(results);
        // A task always has a context, which may be empty.
        let says_something = |text: &String| !text.trim().is_empty();
        contexts.retain(|found| found.name.is_some() || found.text.as_ref().is_some_and(says_something));
        (text, contexts)
    }

    /// Returns whether a sample has no answer: it shows a refusal, or its answer says that the data are insufficient.
    fn is_refusal(&mut self, question: BufferTermId) -> bool {
        let feed_item = self.feed_items.get(&question).and_then(|found| found.first());
        let is_sample = feed_item.is_some_and(|&(node, _)| {
            let class = self.graph.quads().find_iri(&format!("{EVALGRAPH}TrainingSample"));
            let rdf_type = self.graph.rdf_type();
            let of_class = |(rdf_type, class)| self.graph.objects(node, rdf_type).any(|found| found == class);
            rdf_type.zip(class).is_some_and(of_class)
        });
        // Conversations are made from samples.
        if !is_sample && !self.is_a(question, "eg:AskedQuestion") {
            return false;
        }
        let is_category = self.text(question, "teaches").is_some_and(|category| category == "refusal");
        let answers = self.objects(question, "acceptedAnswer");
        let is_insufficient =
            answers.into_iter().any(|answer| self.says(answer, "eg:completeness", "insufficient_data"));
        is_category || is_insufficient
    }

    /// Returns whether a property has this value, and marks that value as read. Other values stay unread.
    fn says(&mut self, node: BufferTermId, property: &'static str, text: &str) -> bool {
        let found = self.statements(node, property).find(|&(_, object)| self.lexical(object) == Some(text));
        found.map(|(number, _)| self.reading.read(number)).is_some()
    }

    /// Returns the results of the search for a question, in the order of their ranks.
    fn results(&mut self, question: BufferTermId) -> Vec<ItemContext> {
        let mut found = Vec::new();
        for search in self.objects(question, "eg:search") {
            self.read_classes(search, &["SearchAction"]);
            for list in self.objects(search, "result") {
                self.read_classes(list, &["ItemList"]);
                let mut results = self.objects(list, "itemListElement");
                results.sort_by_cached_key(|&result| self.position(result));
                for result in results {
                    self.read_classes(result, &["ListItem", "eg:RetrievalResult"]);
                    self.text(result, "position");
                    let pieces = self.objects(result, "item");
                    found.extend(pieces.into_iter().map(|piece| self.context(piece)));
                }
            }
        }
        found
    }

    fn contexts(&mut self, node: BufferTermId) -> Vec<ItemContext> {
        let mut found = Vec::new();
        for property in ["isBasedOn", "citation"] {
            let mut sources = self.objects(node, property);
            sources.sort_by_cached_key(|&source| self.position(source));
            for source in sources {
                found.push(match self.lexical(source) {
                    Some(text) => ItemContext { text: Some(text.to_owned()), ..ItemContext::default() },
                    None => self.context(source),
                });
            }
        }
        found
    }

    /// Reads a document, or a piece of one.
    fn context(&mut self, source: BufferTermId) -> ItemContext {
        let classes = ["DigitalDocument", "Quotation", "CreativeWork", "eg:Context", "eg:Source"];
        self.read_classes(source, &classes);
        self.text(source, "position");
        let text = self.text(source, "text");
        let mut name = self.one_text(source, "name");
        let mut id = None;
        for document in self.objects(source, "isPartOf") {
            self.read_classes(document, &["DigitalDocument", "DataDownload", "CreativeWork"]);
            // These are facts about the file, so leaving them out is not a loss.
            for property in ["encodingFormat", "contentSize"] {
                self.texts(document, property);
            }
            if !self.is_a(document, "Collection") {
                name = name.or_else(|| self.one_text(document, "name"));
                id = id.or_else(|| Some(self.first(document, "identifier")?.1.to_owned()));
            }
        }
        ItemContext { name, text, document: id }
    }

    /// Reads the first string in code point order. The others stay unread.
    fn one_text(&mut self, node: BufferTermId, property: &'static str) -> Option<String> {
        let (number, text) = self.first(node, property)?;
        self.reading.read(number);
        Some(text.to_owned())
    }

    fn first(&mut self, node: BufferTermId, property: &'static str) -> Option<(usize, &'g str)> {
        let found = self.statements(node, property);
        let texts = found.filter_map(|(number, object)| Some((number, self.lexical(object)?)));
        texts.min_by_key(|(_, text)| *text)
    }

    fn position(&mut self, node: BufferTermId) -> u64 {
        let first = self.statements(node, "position").next();
        let position = first.and_then(|(_, object)| self.lexical(object)?.parse().ok());
        position.unwrap_or(u64::MAX)
    }

    /// Returns the objects of a property, and marks their statements as read.
    fn objects(&mut self, node: BufferTermId, property: &'static str) -> Vec<BufferTermId> {
        let mut objects = Vec::new();
        for (number, object) in self.statements(node, property) {
            self.reading.read(number);
            objects.push(object);
        }
        objects
    }

    fn texts(&mut self, node: BufferTermId, property: &'static str) -> Rc<[String]> {
        if let Some(known) = self.known.texts.get(&(node, property)) {
            return Rc::clone(known);
        }
        let texts: Rc<[String]> = self.read_texts(node, property).into();
        if self.is_kept(node) {
            self.known.texts.insert((node, property), Rc::clone(&texts));
        }
        texts
    }

    fn read_texts(&mut self, node: BufferTermId, property: &'static str) -> Vec<String> {
        let mut texts = Vec::new();
        for (number, object) in self.statements(node, property) {
            // A JSON literal is not text.
            if let TermRef::Literal { lexical, kind } = self.graph.quads().term(object)
                && !matches!(kind, BufferLiteralKind::Datatype(_, datatype) if datatype.ends_with("#JSON"))
            {
                self.reading.read(number);
                texts.push(lexical.to_owned());
            }
        }
        texts
    }

    /// Reads the first string in code point order.
    fn text(&mut self, node: BufferTermId, property: &'static str) -> Option<String> {
        if let Some(known) = self.known.first_texts.get(&(node, property)) {
            return known.clone();
        }
        let text = self.read_texts(node, property).into_iter().min();
        if self.is_kept(node) {
            self.known.first_texts.insert((node, property), text.clone());
        }
        text
    }

    /// Marks all classes of a node as read: the kind of record is a property of the format.
    fn read_all_classes(&mut self, node: BufferTermId) {
        if self.is_kept(node) && !self.known.classes.insert(node) {
            return;
        }
        self.reading.read_classes(node, |_| true);
    }

    fn read_classes(&mut self, node: BufferTermId, classes: &[&'static str]) {
        let classes: Vec<BufferTermId> = classes.iter().flat_map(|class| self.term(class).to_vec()).collect();
        self.reading.read_classes(node, |found| classes.contains(&found));
    }

    fn id(&self, node: BufferTermId) -> Option<String> {
        match self.graph.quads().term(node) {
            TermRef::Iri(iri) => Some(self.graph.original_id(iri)),
            _ => None,
        }
    }
}
