//! What the systems have in common: questions with their answers and the texts these rest on, read from
//! a graph whatever system it came from.
//!
//! Each system writes its own files of items; what no item holds is what the conversion loses.

use crate::rdf::quad_buffer::{LiteralKind, TermId, TermRef};
use crate::rdf::vocabulary::EVALGRAPH;
use crate::source::records::{Reading, Unread};
use crate::source::rewriting::Graph;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The question's node.
    pub node: TermId,
    /// The id that its file gives it, that of its item where it has one; empty where it has none.
    pub local_id: String,
    /// Its text.
    pub question: String,
    /// The text of its accepted answer.
    pub answer: Option<String>,
    /// What stands in the place of an answer where there is none, such as `-`.
    pub no_answer: Option<String>,
    /// Whether its file says that it has no answer.
    pub is_impossible: Option<bool>,
    /// What the answer rests on.
    pub contexts: Vec<ItemContext>,
    /// Its keywords.
    pub keywords: Vec<String>,
    /// When it was made, as its file says.
    pub date_created: Option<String>,
    /// When it was changed last, as its file says.
    pub date_modified: Option<String>,
}

impl Item {
    /// The text of the answer, where it is one.
    pub fn given_answer(&self) -> Option<&str> {
        self.answer.as_deref().filter(|answer| is_answer(answer))
    }
}

/// Whether a text is an answer. Blanks are none, and neither is `-`, which stands in the place of an answer
/// where a row has none, and in copies of such a row.
///
/// ```
/// use evalgraph::source::items::is_answer;
///
/// assert!(is_answer("-1"));
/// assert!(!is_answer("-") && !is_answer(" \n"));
/// ```
pub fn is_answer(text: &str) -> bool {
    !matches!(text.trim(), "" | "-")
}

/// A document, or a piece of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemContext {
    /// The name of the document: of its file, where it is one.
    pub name: Option<String>,
    /// The text.
    pub text: Option<String>,
}

/// The questions of a graph.
#[derive(Debug, Clone)]
pub struct Items {
    /// The name of the dataset.
    pub name: Option<String>,
    /// What the dataset is about.
    pub description: Option<String>,
    /// The questions by their positions, else in the order in which they came.
    pub items: Vec<Item>,
    /// What no item holds.
    pub unread: Vec<Unread>,
}

/// Reads the questions of a graph: those that are items of a feed or of a dataset, and the tasks of
/// experts. A question that is a remark on an answer is none of them.
pub fn items_of(graph: &Graph<'_>) -> Items {
    let mut reader = ItemReader::of(graph);
    let (name, description) = reader.dataset();
    let items = reader.items();
    Items { name, description, items, unread: reader.reading.unread() }
}

/// The items alone, as [`items_of`] has them: what they do not hold is not looked for.
pub fn questions_of(graph: &Graph<'_>) -> Vec<Item> {
    ItemReader::of(graph).items()
}

struct ItemReader<'g> {
    reading: Reading<'g>,
    graph: &'g Graph<'g>,
    /// The properties and classes that were asked for, by their names.
    terms: HashMap<&'static str, Rc<[TermId]>>,
    /// The statement that makes a question the item of a feed, and its subject.
    feed_items: HashMap<TermId, (TermId, usize)>,
}

impl<'g> ItemReader<'g> {
    fn of(graph: &'g Graph<'g>) -> Self {
        let terms = HashMap::new();
        let mut reader = Self { reading: Reading::of(graph), graph, terms, feed_items: HashMap::new() };
        let item = reader.term("item");
        for &node in graph.subjects() {
            for number in graph.statement_numbers(node) {
                let (predicate, object) = graph.statement(number);
                if item.contains(&predicate) {
                    reader.feed_items.entry(object).or_insert((node, number));
                }
            }
        }
        reader
    }

    fn items(&mut self) -> Vec<Item> {
        let mut found: Vec<(u64, Item)> = self.questions().into_iter().map(|node| self.item(node)).collect();
        found.sort_by_key(|(position, _)| *position);
        found.into_iter().map(|(_, item)| item).collect()
    }

    /// A property or class by its name as the tables of records have it.
    fn term(&mut self, name: &'static str) -> Rc<[TermId]> {
        let graph = self.graph;
        let found = self.terms.entry(name).or_insert_with(|| match name.strip_prefix("eg:") {
            Some(name) => graph.quads().find_iri(&format!("{EVALGRAPH}{name}")).into_iter().collect(),
            None => graph.schema_org(name).into(),
        });
        Rc::clone(found)
    }

    fn is_a(&mut self, node: TermId, class: &'static str) -> bool {
        let classes = self.term(class);
        let graph = self.graph;
        let mut types = graph.rdf_type().into_iter().flat_map(|rdf_type| graph.objects(node, rdf_type));
        types.any(|found| classes.contains(&found))
    }

    /// Name and description of the node that is no part of anything else.
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

    fn questions(&mut self) -> Vec<TermId> {
        let comments: HashSet<TermId> = {
            let comment = self.term("comment");
            let statements = self.graph.subjects().iter().flat_map(|&node| self.graph.statements(node));
            statements.filter(|(predicate, _)| comment.contains(predicate)).map(|found| found.1).collect()
        };
        let classes = [&*self.term("Question"), &*self.term("eg:LegalTask")].concat();
        let Some(rdf_type) = self.graph.rdf_type() else { return Vec::new() };
        let is_question =
            |node: &TermId| self.graph.objects(*node, rdf_type).any(|found| classes.contains(&found));
        let subjects = self.graph.subjects().iter().copied();
        subjects.filter(is_question).filter(|node| !comments.contains(node)).collect()
    }

    fn item(&mut self, node: TermId) -> (u64, Item) {
        let feed_item = self.feed_item(node);
        self.read_all_classes(node);
        let holders: Vec<TermId> = feed_item.into_iter().chain([node]).collect();
        let first_of = |reader: &mut Self, property: &'static str| {
            holders.iter().find_map(|&holder| reader.text(holder, property))
        };
        let named = holders.iter().find_map(|&holder| {
            // Both are read: a row has its id as a value and as a text.
            let (identifier, row) = (self.text(holder, "identifier"), self.text(holder, "eg:rowId"));
            identifier.or(row).or_else(|| self.id(holder))
        });
        let local_id = named.unwrap_or_default();
        let position = first_of(self, "position").and_then(|position| position.parse().ok());
        let question = self.text(node, "text").or_else(|| self.text(node, "name")).unwrap_or_default();
        let (answer, contexts) = self.answer(node);
        let no_answer = first_of(self, "eg:noAnswer");
        let is_impossible = first_of(self, "eg:isImpossible").map(|value| value == "true");
        let is_impossible = is_impossible.or_else(|| self.is_refusal(node).then_some(true));
        // What stands in the place of an answer says no more than that there is none.
        self.text(node, "eg:noAnswer");
        let mut keywords = Vec::new();
        for &holder in &holders {
            keywords.extend(self.texts(holder, "keywords"));
        }
        keywords.sort();
        let date_created = first_of(self, "dateCreated");
        let date_modified = first_of(self, "dateModified");
        let item = Item {
            node,
            local_id,
            question,
            answer,
            no_answer,
            is_impossible,
            contexts,
            keywords,
            date_created,
            date_modified,
        };
        (position.unwrap_or(u64::MAX), item)
    }

    fn feed_item(&mut self, question: TermId) -> Option<TermId> {
        let &(node, number) = self.feed_items.get(&question)?;
        self.reading.read(number);
        self.read_all_classes(node);
        Some(node)
    }

    /// The text of the accepted answer, and what the answer or the question rests on.
    fn answer(&mut self, question: TermId) -> (Option<String>, Vec<ItemContext>) {
        let mut text = None;
        let mut contexts = Vec::new();
        for answer in self.objects(question, "acceptedAnswer") {
            match self.graph.quads().term(answer) {
                TermRef::Literal { lexical, .. } => text = text.or_else(|| Some(lexical.to_owned())),
                _ => {
                    self.read_classes(answer, &["Answer"]);
                    text = text.or_else(|| self.text(answer, "text"));
                    contexts.extend(self.contexts(answer));
                }
            }
        }
        contexts.extend(self.contexts(question));
        let results = self.results(question);
        // What was found has the text of what is cited.
        contexts.retain(|cited| cited.text.is_some() || results.iter().all(|found| found.name != cited.name));
        contexts.extend(results);
        (text, contexts)
    }

    /// Whether a sample has no answer: it shows how to refuse, or its answer says that the data are
    /// insufficient for one.
    fn is_refusal(&mut self, question: TermId) -> bool {
        let is_sample = self.feed_items.get(&question).is_some_and(|&(node, _)| {
            let class = self.graph.quads().find_iri(&format!("{EVALGRAPH}TrainingSample"));
            let rdf_type = self.graph.rdf_type();
            let of_class = |(rdf_type, class)| self.graph.objects(node, rdf_type).any(|found| found == class);
            rdf_type.zip(class).is_some_and(of_class)
        });
        // A conversation is made of a sample.
        if !is_sample && !self.is_a(question, "eg:AskedQuestion") {
            return false;
        }
        let is_category = self.text(question, "teaches").is_some_and(|category| category == "refusal");
        let answers = self.objects(question, "acceptedAnswer");
        let is_insufficient =
            answers.into_iter().any(|answer| self.says(answer, "eg:completeness", "insufficient_data"));
        is_category || is_insufficient
    }

    /// Whether a property has that text, which is read by this; another text is not.
    fn says(&mut self, node: TermId, property: &'static str, text: &str) -> bool {
        let property = self.term(property);
        let is_text = |object| matches!(self.graph.quads().term(object), TermRef::Literal { lexical, .. } if lexical == text);
        let found = self.graph.statement_numbers(node).find(|&number| {
            let (predicate, object) = self.graph.statement(number);
            property.contains(&predicate) && is_text(object)
        });
        found.map(|number| self.reading.read(number)).is_some()
    }

    /// What a search has found for a question, in the order of the ranks.
    fn results(&mut self, question: TermId) -> Vec<ItemContext> {
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

    fn contexts(&mut self, node: TermId) -> Vec<ItemContext> {
        let mut found = Vec::new();
        for property in ["isBasedOn", "citation"] {
            let mut sources = self.objects(node, property);
            sources.sort_by_cached_key(|&source| self.position(source));
            for source in sources {
                if let TermRef::Literal { lexical, .. } = self.graph.quads().term(source) {
                    found.push(ItemContext { name: None, text: Some(lexical.to_owned()) });
                    continue;
                }
                found.push(self.context(source));
            }
        }
        found
    }

    /// A document, or a piece of one.
    fn context(&mut self, source: TermId) -> ItemContext {
        let classes = ["DigitalDocument", "Quotation", "CreativeWork", "eg:Context", "eg:Source"];
        self.read_classes(source, &classes);
        self.text(source, "position");
        let text = self.text(source, "text");
        let mut name = self.text(source, "name");
        for document in self.objects(source, "isPartOf") {
            self.read_classes(document, &["DigitalDocument", "DataDownload", "CreativeWork"]);
            // What is known of its file, the file says itself.
            for property in ["encodingFormat", "contentSize"] {
                self.texts(document, property);
            }
            if !self.is_a(document, "Collection") {
                name = name.or_else(|| self.text(document, "name"));
            }
        }
        ItemContext { name, text }
    }

    fn position(&mut self, node: TermId) -> u64 {
        let position = self.term("position");
        let mut found = self.graph.statements(node).iter().filter(|found| position.contains(&found.0));
        let text = found.next().and_then(|&(_, object)| match self.graph.quads().term(object) {
            TermRef::Literal { lexical, .. } => lexical.parse().ok(),
            _ => None,
        });
        text.unwrap_or(u64::MAX)
    }

    /// The objects of a property, which are read by this.
    fn objects(&mut self, node: TermId, property: &'static str) -> Vec<TermId> {
        let property = self.term(property);
        let mut objects = Vec::new();
        for number in self.graph.statement_numbers(node) {
            let (predicate, object) = self.graph.statement(number);
            if property.contains(&predicate) {
                self.reading.read(number);
                objects.push(object);
            }
        }
        objects
    }

    fn texts(&mut self, node: TermId, property: &'static str) -> Vec<String> {
        let property = self.term(property);
        let mut texts = Vec::new();
        for number in self.graph.statement_numbers(node) {
            let (predicate, object) = self.graph.statement(number);
            if !property.contains(&predicate) {
                continue;
            }
            // JSON that is kept whole is no text.
            if let TermRef::Literal { lexical, kind } = self.graph.quads().term(object)
                && !matches!(kind, LiteralKind::Datatype(_, datatype) if datatype.ends_with("#JSON"))
            {
                self.reading.read(number);
                texts.push(lexical.to_owned());
            }
        }
        texts
    }

    /// The first text in code point order.
    fn text(&mut self, node: TermId, property: &'static str) -> Option<String> {
        self.texts(node, property).into_iter().min()
    }

    /// What kind of record something is, is the format's affair.
    fn read_all_classes(&mut self, node: TermId) {
        self.reading.read_classes(node, |_| true);
    }

    fn read_classes(&mut self, node: TermId, classes: &[&'static str]) {
        let classes: Vec<TermId> = classes.iter().flat_map(|class| self.term(class).to_vec()).collect();
        self.reading.read_classes(node, |found| classes.contains(&found));
    }

    fn id(&self, node: TermId) -> Option<String> {
        match self.graph.quads().term(node) {
            TermRef::Iri(iri) => Some(self.graph.original_id(iri)),
            _ => None,
        }
    }
}
