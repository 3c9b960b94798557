//! The figures of a checkpoint for `stats`, counted in the file itself, not in the graph made from it.

use super::checkpoint_keys::{CheckpointKey, KeyedDocument};
use super::dialect::CheckpointDialect;
use super::survey::CheckpointSurvey;
use super::template::{self, TemplateState};
use super::traits::{self, TraitKind, TraitScope};
use crate::checking::PydanticVersion;
use crate::items::is_answer;
use evalgraph_json::{JsonDocument, JsonKind, Limits, TokenId, parse};
use hashbrown::HashSet;

/// The figures of one checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckpointFigures {
    /// The dialect.
    pub dialect: CheckpointDialect,
    /// The name of the checkpoint.
    pub name: Option<String>,
    /// The version of its content.
    pub version: Option<String>,
    /// Its `@id`, as written.
    pub id: Option<String>,
    /// `dateCreated`, as written.
    pub date_created: Option<String>,
    /// `dateModified`, as written.
    pub date_modified: Option<String>,
    /// How many questions there are.
    pub questions: u64,
    /// How many of them are finished; a question without `finished` is not.
    pub finished: u64,
    /// How many have an answer; a blank text or `-` is not an answer.
    pub answers: u64,
    /// How many have a template other than the default stub.
    pub templates: u64,
    /// How many have the default stub.
    pub stubs: u64,
    /// Distinct global traits by kind, as in [`TraitKind::ALL`].
    pub global_traits: [u64; TraitKind::ALL.len()],
    /// Traits of single questions by kind, as in [`TraitKind::ALL`].
    pub question_traits: [u64; TraitKind::ALL.len()],
    /// Rating objects, every copy counted.
    pub ratings: u64,
    /// Rating objects with a value given.
    pub rating_values: u64,
    /// Scenarios.
    pub scenarios: u64,
    /// Distinct keywords.
    pub keywords: u64,
}

impl CheckpointFigures {
    /// Counts a document.
    ///
    /// Cost: a walk over the document. `survey` must be a survey of the same document.
    pub fn from_document(document: &JsonDocument, survey: &CheckpointSurvey) -> Self {
        let keyed = KeyedDocument::new(document);
        let (dialect, scenarios) = (survey.detect().dialect, survey.scenarios.len() as u64);
        let figures = Self { dialect, scenarios, ..Self::default() };
        let mut counter =
            CheckpointCounter { figures, keyed: &keyed, global: HashSet::new(), keywords: HashSet::new() };
        let root = keyed.each(document.root()).next();
        if let Some(root) = root.filter(|_| dialect.is_checkpoint()) {
            counter.root(root);
        }
        counter.figures
    }

    /// Questions with neither a template nor the default stub.
    pub fn without_template(&self) -> u64 {
        self.questions - self.templates - self.stubs
    }

    /// Returns the percentage of finished questions, if there are questions.
    pub fn progress(&self) -> Option<u64> {
        (self.finished * 100).checked_div(self.questions)
    }

    /// Returns the figures as rows of label and value, without those that the file does not have.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let mut rows = vec![("dialect", format!("{} ({})", self.dialect, self.dialect.description()))];
        let texts = [
            ("name", &self.name),
            ("version", &self.version),
            ("id", &self.id),
            ("created", &self.date_created),
            ("modified", &self.date_modified),
        ];
        rows.extend(texts.into_iter().filter_map(|(label, text)| Some((label, text.clone()?))));
        if !self.dialect.has_questions() {
            return rows;
        }
        rows.push(("questions", self.questions.to_string()));
        let progress = self.progress().map_or_else(String::new, |percent| format!(" ({percent} %)"));
        rows.push(("finished", format!("{}{progress}", self.finished)));
        rows.push(("answers", self.answers.to_string()));
        rows.push(("templates", self.templates_row()));
        rows.push(("global traits", traits_row(&self.global_traits)));
        rows.push(("question traits", traits_row(&self.question_traits)));
        rows.push(("ratings", format!("{}, {} with a value", self.ratings, self.rating_values)));
        rows.push(("keywords", self.keywords.to_string()));
        rows.push(("scenarios", self.scenarios.to_string()));
        rows
    }

    fn templates_row(&self) -> String {
        let mut row = self.templates.to_string();
        for (count, what) in [(self.stubs, "default stub"), (self.without_template(), "empty")] {
            if count > 0 {
                row.push_str(&format!(", {count} {what}"));
            }
        }
        row
    }
}

/// Writes counts as `5: 2 boolean, 3 regex`.
fn traits_row(counts: &[u64; TraitKind::ALL.len()]) -> String {
    let named = TraitKind::ALL.iter().zip(counts).filter(|&(_, &count)| count > 0);
    let parts: Vec<String> = named.map(|(kind, count)| format!("{count} {}", kind.name())).collect();
    let total: u64 = counts.iter().sum();
    if parts.is_empty() { total.to_string() } else { format!("{total}: {}", parts.join(", ")) }
}

struct CheckpointCounter<'d> {
    figures: CheckpointFigures,
    keyed: &'d KeyedDocument<'d>,
    global: HashSet<String>,
    keywords: HashSet<String>,
}

impl CheckpointCounter<'_> {
    fn root(&mut self, root: TokenId) {
        if self.keyed.is_a(root, "Question") {
            self.figures.id = self.text_of(root, CheckpointKey::Id);
            self.question(root);
        } else {
            self.head(root);
        }
        self.figures.keywords = self.keywords.len() as u64;
    }

    fn head(&mut self, root: TokenId) {
        let keyed = self.keyed;
        // Trait definitions in JSON strings take precedence over ratings, so they are counted first.
        if let Some(properties) = keyed.get(root, CheckpointKey::AdditionalProperty) {
            self.trait_texts(properties);
        }
        for (key, value) in keyed.members(root) {
            match key {
                CheckpointKey::Id => self.figures.id = scalar(keyed, value),
                CheckpointKey::Name => self.figures.name = scalar(keyed, value),
                CheckpointKey::Version => self.figures.version = scalar(keyed, value),
                CheckpointKey::DateCreated => self.figures.date_created = scalar(keyed, value),
                CheckpointKey::DateModified => self.figures.date_modified = scalar(keyed, value),
                CheckpointKey::Keywords => self.count_keywords(value),
                CheckpointKey::Rating => self.ratings(value, true),
                CheckpointKey::Rubric | CheckpointKey::GlobalRubric => {
                    self.rubric(keyed, value, TraitScope::Global);
                }
                CheckpointKey::DataFeedElement | CheckpointKey::HasPart => self.list(value),
                _ => {}
            }
        }
    }

    fn list(&mut self, list: TokenId) {
        let keyed = self.keyed;
        for entry in keyed.each(list) {
            if keyed.is_a(entry, "Question") {
                self.question(entry);
            } else if keyed.is_a(entry, "DataFeedItem") {
                if let Some(keywords) = keyed.get(entry, CheckpointKey::Keywords) {
                    self.count_keywords(keywords);
                }
                if let Some(question) = keyed.get(entry, CheckpointKey::Item) {
                    self.question(question);
                }
            }
        }
    }

    fn question(&mut self, question: TokenId) {
        let keyed = self.keyed;
        let mut text = None;
        let mut code = None;
        self.figures.questions += 1;
        for (key, value) in keyed.members(question) {
            match key {
                CheckpointKey::Text => text = keyed.document.string(value),
                CheckpointKey::Name if text.is_none() => text = keyed.document.string(value),
                CheckpointKey::AcceptedAnswer => self.answer(value),
                CheckpointKey::HasPart => code = code.or_else(|| self.template_in(value)),
                CheckpointKey::AnswerTemplate => code = Some(value),
                CheckpointKey::AdditionalProperty => self.finished(value),
                CheckpointKey::Rating => self.ratings(value, false),
                CheckpointKey::Rubric => self.rubric(keyed, value, TraitScope::Question),
                CheckpointKey::Keywords => self.count_keywords(value),
                _ => {}
            }
        }
        let code = code.and_then(|code| keyed.document.string(code)).unwrap_or_default();
        match template::state(&code, text.as_deref().unwrap_or_default()) {
            TemplateState::Written => self.figures.templates += 1,
            TemplateState::DefaultStub => self.figures.stubs += 1,
            TemplateState::Empty => {}
        }
    }

    fn answer(&mut self, answers: TokenId) {
        let given = self.keyed.each(answers).any(|answer| {
            let text = self.text_of(answer, CheckpointKey::Text);
            text.is_some_and(|text| is_answer(&text))
        });
        self.figures.answers += u64::from(given);
    }

    fn template_in(&self, parts: TokenId) -> Option<TokenId> {
        let mut parts = self.keyed.each(parts);
        let part = parts.find(|&part| self.keyed.is_a(part, "SoftwareSourceCode"))?;
        self.keyed.get(part, CheckpointKey::Text)
    }

    /// Counts a value that the library takes as true, which includes `"yes"` and 1.
    fn finished(&mut self, properties: TokenId) {
        let value = self.keyed.property(properties, "finished");
        let truth = value.and_then(|value| PydanticVersion::Later.boolean(self.keyed.document, value));
        let finished = truth == Some(true);
        self.figures.finished += u64::from(finished);
    }

    fn ratings(&mut self, ratings: TokenId, at_root: bool) {
        for rating in self.keyed.each(ratings) {
            self.figures.ratings += 1;
            self.figures.rating_values +=
                u64::from(self.keyed.get(rating, CheckpointKey::RatingValue).is_some());
            let scope = traits::scope_of(self.keyed, rating, at_root);
            let kind = traits::kind_of(self.keyed, rating);
            let name = self.text_of(rating, CheckpointKey::Name).unwrap_or_default();
            self.count_trait(scope, kind, name);
        }
    }

    /// Counts a trait; a global trait counts once, however often it is copied onto questions.
    fn count_trait(&mut self, scope: TraitScope, kind: TraitKind, name: String) {
        let counts = match scope {
            TraitScope::Question => &mut self.figures.question_traits,
            TraitScope::Global if self.global.insert(name) => &mut self.figures.global_traits,
            TraitScope::Global => return,
        };
        counts[kind as usize] += 1;
    }

    /// Counts the traits of a rubric object, which has one list for each kind of trait.
    fn rubric(&mut self, keyed: &KeyedDocument<'_>, rubric: TokenId, scope: TraitScope) {
        for member in keyed.document.members(rubric) {
            self.definitions(keyed, keyed.document.symbol_text(member.symbol), member.value, scope);
        }
    }

    fn definitions(
        &mut self,
        keyed: &KeyedDocument<'_>,
        list: &str,
        definitions: TokenId,
        scope: TraitScope,
    ) {
        for definition in keyed.each(definitions).filter(|&value| keyed.document.is_object(value)) {
            let Some(kind) = traits::kind_in_rubric(keyed, list, definition) else { return };
            let name =
                keyed.get(definition, CheckpointKey::Name).and_then(|name| keyed.document.string(name));
            self.count_trait(scope, kind, name.unwrap_or_default().into_owned());
        }
    }

    /// Counts the global traits in properties that are JSON strings; a string that is not JSON has none.
    fn trait_texts(&mut self, properties: TokenId) {
        for (property, list) in traits::TRAIT_TEXTS {
            let value = self.keyed.property(properties, property);
            let Some(text) = value.and_then(|value| self.keyed.document.string(value)) else { continue };
            let Ok(inner) = parse(property, text.into_owned(), Limits::default()) else { continue };
            let keyed = KeyedDocument::new(&inner);
            self.definitions(&keyed, list, inner.root(), TraitScope::Global);
        }
    }

    fn count_keywords(&mut self, keywords: TokenId) {
        let texts = self.keyed.each(keywords).filter_map(|keyword| self.keyed.document.string(keyword));
        let texts: Vec<String> = texts.map(std::borrow::Cow::into_owned).collect();
        self.keywords.extend(texts);
    }

    fn text_of(&self, object: TokenId, key: CheckpointKey) -> Option<String> {
        let value = self.keyed.get(object, key)?;
        self.keyed.document.string(value).map(std::borrow::Cow::into_owned)
    }
}

/// Returns the text of a string, and any other scalar as written in the file.
fn scalar(keyed: &KeyedDocument<'_>, value: TokenId) -> Option<String> {
    match keyed.document.kind(value) {
        JsonKind::Array | JsonKind::Object | JsonKind::Null => None,
        JsonKind::String | JsonKind::EscapedString => {
            keyed.document.string(value).map(std::borrow::Cow::into_owned)
        }
        _ => Some(keyed.document.raw(value).to_owned()),
    }
}
