//! Surveys a file in one walk: the marks that distinguish the dialects, and the places where the conversion to RDF
//! would lose something.
//!
//! The walk visits the positions where Karenina's files have their objects and skips everything else. It takes a few
//! milliseconds for a file of 40 MB.

use super::checkpoint_keys::{CheckpointKey, KeyedDocument, value_object};
use evalgraph_contexts::is_schema_org_context;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// The class of the root; only these matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootType {
    /// `Dataset`
    Dataset,
    /// `DataFeed`
    DataFeed,
    /// `Question`
    Question,
    /// Another class, or none.
    #[default]
    Other,
}

/// The form in which `@context` is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContextForm {
    /// It is absent.
    #[default]
    Absent,
    /// An object, or an array with one.
    Object,
    /// An address of schema.org's context.
    SchemaOrg,
    /// A path that ends in `contexts/schema-org.jsonld`.
    Sample,
    /// Another string.
    Reference,
}

/// The namespace of the vocabulary that `@context` sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VocabularyNamespace {
    /// None, or one that is known only after loading the context.
    #[default]
    Unknown,
    /// `http://schema.org/`
    Http,
    /// `https://schema.org/`
    Https,
}

/// The marks that distinguish the dialects.
///
/// Other methods are in `dialect.rs` and `survey_in_pieces.rs`.
#[derive(Debug, Clone, Default)]
pub struct DialectMarks {
    /// The class of the root.
    pub root_type: RootType,
    /// How `@context` is given.
    pub context: ContextForm,
    /// The namespace of the vocabulary.
    pub vocabulary: VocabularyNamespace,
    /// The IRI that the context gives to `rating`, without its namespace.
    pub rating_term: Option<String>,
    /// `version` is "2.0" and `checkpoint` an object.
    pub version_2: bool,
    /// A v2.0 rubric has `llm_traits`, `regex_traits` or `callable_traits`.
    pub split_traits: bool,
    /// A v2.0 rubric has `manual_traits`, or `metric_traits` beside `traits`.
    pub manual_traits: bool,
    /// The root has `format_version` and `results`.
    pub results_export: bool,
    /// The root has `hasPart`.
    pub has_part: bool,
    /// The root has `dataFeedElement`.
    pub data_feed_element: bool,
    /// `dataFeedElement` is an empty list.
    pub empty_list: bool,
    /// The root has a scenario.
    pub scenarios: bool,
    /// The number of listed items of class `DataFeedItem`.
    pub items: u64,
    /// The number of questions that are listed directly, not as the `item` of an item.
    pub direct_questions: u64,
    /// The root is a question with a template.
    pub single_question: bool,
    /// Some question has an `@id`.
    pub question_ids: bool,
    /// Some question has the `@id` of its item.
    pub shared_item_ids: bool,
    /// The root has ratings.
    pub root_ratings: bool,
    /// Some rating has `author`.
    pub authors: bool,
    /// Some rating has `additionalType` without a prefix.
    pub plain_types: bool,
    /// Some rating has `additionalType` with the prefix `karenina:`.
    pub prefixed_types: bool,
    /// Some rating is of a `…LLMRubricTrait` type.
    pub llm_types: bool,
    /// Some rating has a `higher_is_better` property.
    pub higher_is_better: bool,
    /// Some rating has `ratingValue`.
    pub rating_values: bool,
    /// Some rating has an `@id` with the user interface's prefix.
    pub interface_rating_ids: bool,
    /// The root has the property `checkpoint_format_version`.
    pub checkpoint_format: bool,
    /// The root has the property `benchmark_format_version`.
    pub benchmark_format: bool,
}

/// The results of one walk over a file.
///
/// Other methods are in `adapt.rs`, `dialect.rs` and `refusal.rs`.
#[derive(Debug, Default)]
pub struct CheckpointSurvey {
    /// The marks that distinguish the dialects.
    pub marks: DialectMarks,
    /// The value of the root's `@id`.
    pub root_id: Option<TokenId>,
    /// The values of `@id` of all ratings, in document order.
    pub(super) rating_ids: Vec<TokenId>,
    /// The `@id` of an item and the equal `@id` of its question.
    pub(super) shared_item_ids: Vec<(TokenId, TokenId)>,
    /// Values of properties that are arrays or objects.
    pub(super) json_values: Vec<TokenId>,
    /// Scenarios: the items of the root's `hasPart`, or its only value.
    pub(super) scenarios: Vec<TokenId>,
}

impl CheckpointSurvey {
    /// Returns whether the checkpoint has scenarios.
    pub fn has_scenarios(&self) -> bool {
        !self.scenarios.is_empty()
    }

    /// Surveys a document.
    pub fn from_document(document: &JsonDocument) -> Self {
        let keyed = KeyedDocument::new(document);
        let mut survey = Self::default();
        // A document may be an array with one node.
        let root = keyed.each(document.root()).next();
        if let Some(root) = root.filter(|&root| document.is_object(root)) {
            survey.root(&keyed, root);
        }
        survey
    }

    fn root(&mut self, keyed: &KeyedDocument<'_>, root: TokenId) {
        let mut versions = (false, false);
        let mut export = (false, false);
        for (key, value) in keyed.members(root) {
            match key {
                CheckpointKey::Context => self.context(keyed, value),
                CheckpointKey::Id => self.root_id = Some(value),
                CheckpointKey::Type => self.marks.root_type = root_type(keyed, value),
                CheckpointKey::Version => versions.0 = keyed.is_text(value, "2.0"),
                CheckpointKey::Checkpoint => versions.1 = keyed.document.is_object(value),
                CheckpointKey::FormatVersion => export.0 = true,
                CheckpointKey::Results => export.1 = true,
                CheckpointKey::DataFeedElement => {
                    self.marks.data_feed_element = true;
                    let document = keyed.document;
                    self.marks.empty_list =
                        document.is_array(value) && document.items(value).next().is_none();
                    self.list(keyed, value);
                }
                CheckpointKey::HasPart => {
                    self.marks.has_part = true;
                    self.list(keyed, value);
                }
                CheckpointKey::Rating => {
                    self.marks.root_ratings = true;
                    self.ratings(keyed, value);
                }
                CheckpointKey::AdditionalProperty => {
                    self.marks.checkpoint_format |= has_property(keyed, value, "checkpoint_format_version");
                    self.marks.benchmark_format |= has_property(keyed, value, "benchmark_format_version");
                    self.properties(keyed, value);
                }
                _ => {}
            }
        }
        self.marks.version_2 = versions == (true, true);
        self.marks.results_export = export == (true, true);
        if self.marks.version_2 {
            self.rubrics(keyed);
        }
        if self.marks.root_type == RootType::Question {
            self.marks.single_question = has_template(keyed, root);
            self.question(keyed, root, None);
        }
    }

    fn context(&mut self, keyed: &KeyedDocument<'_>, context: TokenId) {
        for part in keyed.each(context) {
            match keyed.document.kind(part) {
                JsonKind::Object => {
                    self.marks.context = ContextForm::Object;
                    self.inline_context(keyed.document, part);
                }
                JsonKind::String | JsonKind::EscapedString if self.marks.context != ContextForm::Object => {
                    let url = keyed.document.string(part).unwrap_or_default();
                    self.marks.context = reference_form(&url);
                }
                _ => {}
            }
        }
    }

    fn inline_context(&mut self, document: &JsonDocument, context: TokenId) {
        if let Some(vocabulary) = document.get(context, "@vocab").and_then(|value| document.string(value)) {
            self.marks.vocabulary = match vocabulary.as_ref() {
                "http://schema.org/" => VocabularyNamespace::Http,
                "https://schema.org/" => VocabularyNamespace::Https,
                _ => VocabularyNamespace::Unknown,
            };
        }
        if let Some(term) = document.get(context, "rating") {
            let id = document.get(term, "@id").unwrap_or(term);
            let name = document.string(id);
            self.marks.rating_term =
                name.and_then(|name| name.rsplit(['/', '#', ':']).next().map(str::to_owned));
        }
    }

    /// Records the lists of rubrics in which the stages of v2.0 differ.
    fn rubrics(&mut self, keyed: &KeyedDocument<'_>) {
        let document = keyed.document;
        let has = |name: &str| document.find_symbol(name).is_some();
        self.marks.split_traits = has("llm_traits") || has("regex_traits") || has("callable_traits");
        self.marks.manual_traits = has("manual_traits") || (has("traits") && has("metric_traits"));
    }

    fn list(&mut self, keyed: &KeyedDocument<'_>, list: TokenId) {
        for entry in keyed.each(list) {
            let Some(types) = keyed.get(entry, CheckpointKey::Type) else { continue };
            if keyed.names(types, "DataFeedItem") {
                self.marks.items += 1;
                self.item(keyed, entry);
            } else if keyed.names(types, "Question") {
                self.marks.direct_questions += 1;
                self.question(keyed, entry, None);
            } else if keyed.names(types, "Scenario") {
                self.marks.scenarios = true;
                self.scenarios.push(entry);
            }
        }
    }

    fn item(&mut self, keyed: &KeyedDocument<'_>, item: TokenId) {
        let id = keyed.get(item, CheckpointKey::Id);
        for (key, value) in keyed.members(item) {
            match key {
                CheckpointKey::Item => self.question(keyed, value, id),
                CheckpointKey::AdditionalProperty => self.properties(keyed, value),
                CheckpointKey::Rating => self.ratings(keyed, value),
                _ => {}
            }
        }
    }

    fn question(&mut self, keyed: &KeyedDocument<'_>, question: TokenId, item_id: Option<TokenId>) {
        for (key, value) in keyed.members(question) {
            match key {
                CheckpointKey::Id => {
                    self.marks.question_ids = true;
                    if let Some(item_id) = item_id.filter(|&item_id| same_text(keyed, item_id, value)) {
                        self.marks.shared_item_ids = true;
                        self.shared_item_ids.push((item_id, value));
                    }
                }
                CheckpointKey::Rating => self.ratings(keyed, value),
                CheckpointKey::AdditionalProperty => self.properties(keyed, value),
                _ => {}
            }
        }
    }

    fn ratings(&mut self, keyed: &KeyedDocument<'_>, ratings: TokenId) {
        for rating in keyed.each(ratings) {
            for (key, value) in keyed.members(rating) {
                match key {
                    CheckpointKey::Id => {
                        let id = keyed.document.string(value);
                        self.marks.interface_rating_ids |=
                            id.is_some_and(|id| id.starts_with("urn:uuid:rating-"));
                        self.rating_ids.push(value);
                    }
                    CheckpointKey::Author => self.marks.authors = true,
                    CheckpointKey::RatingValue => self.marks.rating_values = true,
                    CheckpointKey::AdditionalType => self.rating_type(keyed, value),
                    CheckpointKey::AdditionalProperty => {
                        self.marks.higher_is_better |= has_property(keyed, value, "higher_is_better");
                        self.properties(keyed, value);
                    }
                    _ => {}
                }
            }
        }
    }

    fn rating_type(&mut self, keyed: &KeyedDocument<'_>, value: TokenId) {
        let Some(name) = keyed.document.string(value) else { return };
        let is_prefixed = name.starts_with("karenina:");
        self.marks.prefixed_types |= is_prefixed;
        self.marks.plain_types |= !is_prefixed;
        self.marks.llm_types |= name.ends_with("LLMRubricTrait");
    }

    fn properties(&mut self, keyed: &KeyedDocument<'_>, properties: TokenId) {
        for property in keyed.each(properties) {
            for (key, value) in keyed.members(property) {
                // RDF can represent a value object directly, by its datatype or language.
                let structured = match keyed.document.kind(value) {
                    JsonKind::Array => true,
                    JsonKind::Object => value_object(keyed.document, value).is_none(),
                    _ => false,
                };
                if key == CheckpointKey::Value && structured {
                    self.json_values.push(value);
                }
            }
        }
    }
}

fn root_type(keyed: &KeyedDocument<'_>, types: TokenId) -> RootType {
    let classes =
        [("Dataset", RootType::Dataset), ("DataFeed", RootType::DataFeed), ("Question", RootType::Question)];
    let named = classes.into_iter().find(|(class, _)| keyed.names(types, class));
    named.map_or(RootType::Other, |(_, root_type)| root_type)
}

fn reference_form(url: &str) -> ContextForm {
    if is_schema_org_context(url) {
        ContextForm::SchemaOrg
    } else if url.ends_with("contexts/schema-org.jsonld") {
        ContextForm::Sample
    } else {
        ContextForm::Reference
    }
}

fn has_template(keyed: &KeyedDocument<'_>, question: TokenId) -> bool {
    let Some(parts) = keyed.get(question, CheckpointKey::HasPart) else { return false };
    keyed.each(parts).any(|part| keyed.is_a(part, "SoftwareSourceCode"))
}

fn has_property(keyed: &KeyedDocument<'_>, properties: TokenId, name: &str) -> bool {
    let names = keyed.each(properties).filter_map(|property| keyed.get(property, CheckpointKey::Name));
    names.into_iter().any(|found| keyed.is_text(found, name))
}

fn same_text(keyed: &KeyedDocument<'_>, one: TokenId, other: TokenId) -> bool {
    let text = keyed.document.string(one);
    text.is_some() && text == keyed.document.string(other)
}
