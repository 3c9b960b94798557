//! The keys of Karenina's files, looked up once per distinct key of a document.

use evalgraph_json::{JsonDocument, JsonKind, JsonMember, TokenId};

/// The keys of Karenina's files, each with its name in Rust.
macro_rules! keys {
    ($($key:ident = $text:literal),* $(,)?) => {
        /// A key that this module knows; all others are [`CheckpointKey::Other`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum CheckpointKey { Other, $($key),* }

        impl CheckpointKey {
            fn from_text(text: &str) -> Self {
                match text { $($text => Self::$key,)* _ => Self::Other }
            }
        }
    };
}

keys! {
    Context = "@context", Id = "@id", Type = "@type", AcceptedAnswer = "acceptedAnswer",
    AdditionalProperty = "additionalProperty", AdditionalType = "additionalType",
    AnswerTemplate = "answerTemplate", Author = "author", BestRating = "bestRating",
    Checkpoint = "checkpoint", DataFeedElement = "dataFeedElement", DateCreated = "dateCreated",
    DateModified = "dateModified", FormatVersion = "format_version", GlobalRubric = "globalRubric",
    HasPart = "hasPart", Item = "item", Keywords = "keywords", Kind = "kind", MaxScore = "max_score",
    MinScore = "min_score", Name = "name", Rating = "rating", RatingValue = "ratingValue",
    Results = "results", Rubric = "rubric", Text = "text", Value = "value", Version = "version",
    WorstRating = "worstRating",
}

/// Returns the value inside a value object, which names its datatype or language, as JSON-LD made from a graph does.
/// Any other object under `value` is data, whatever its keys: Karenina's programs write no value objects, and their
/// users write any keys.
pub(crate) fn value_object(document: &JsonDocument, value: TokenId) -> Option<TokenId> {
    const KEYWORDS: [&str; 5] = ["@value", "@type", "@language", "@direction", "@index"];
    let inner = document.get(value, "@value")?;
    let has_keywords = |member: JsonMember| KEYWORDS.contains(&document.symbol_text(member.symbol));
    let text = |key| document.get(value, key).filter(|&value| document.is_string(value));
    let datatype = text("@type").and_then(|datatype| document.string(datatype));
    let is_typed = match datatype.as_deref() {
        Some("@json") => true,
        Some(datatype) => document.is_scalar(inner) && !datatype.starts_with('@'),
        None => document.is_string(inner) && (text("@language").is_some() || text("@direction").is_some()),
    };
    (is_typed && document.members(value).all(has_keywords)).then_some(inner)
}

/// A document with its keys looked up.
pub(crate) struct KeyedDocument<'d> {
    pub(crate) document: &'d JsonDocument,
    keys: Vec<CheckpointKey>,
}

impl<'d> KeyedDocument<'d> {
    pub(crate) fn new(document: &'d JsonDocument) -> Self {
        let keys =
            document.symbols().map(|symbol| CheckpointKey::from_text(document.symbol_text(symbol))).collect();
        Self { document, keys }
    }

    /// Returns the members of an object with their looked-up keys.
    pub(crate) fn members(&self, object: TokenId) -> impl Iterator<Item = (CheckpointKey, TokenId)> + '_ {
        self.document.members(object).map(|member| (self.keys[member.symbol.index()], member.value))
    }

    /// Returns the value of a member.
    pub(crate) fn get(&self, object: TokenId, key: CheckpointKey) -> Option<TokenId> {
        self.members(object).find(|&(found, _)| found == key).map(|(_, value)| value)
    }

    /// Returns the values of an array, or a single value that is written without an array.
    pub(crate) fn each(&self, value: TokenId) -> impl Iterator<Item = TokenId> + use<'d> {
        let single = (!self.document.is_array(value)).then_some(value);
        self.document.items(value).chain(single)
    }

    /// Returns whether `@type` of an object names the class, with or without a prefix or namespace.
    pub(crate) fn is_a(&self, object: TokenId, class: &str) -> bool {
        self.get(object, CheckpointKey::Type).is_some_and(|types| self.names(types, class))
    }

    /// Returns whether a value of `@type` names the class.
    pub(crate) fn names(&self, types: TokenId, class: &str) -> bool {
        self.each(types).any(|value| {
            let name = self.document.string(value);
            name.is_some_and(|name| name.rsplit(['/', '#', ':']).next() == Some(class))
        })
    }

    /// Returns whether a value is the string `text`.
    pub(crate) fn is_text(&self, value: TokenId, text: &str) -> bool {
        self.document.string(value).is_some_and(|string| string == text)
    }

    /// Returns the value as a number. As in Karenina's reader, a string is converted.
    pub(crate) fn number(&self, value: TokenId) -> Option<f64> {
        match self.document.kind(value) {
            JsonKind::Number => self.document.number(value)?.parse().ok(),
            JsonKind::String | JsonKind::EscapedString => self.document.string(value)?.trim().parse().ok(),
            JsonKind::True => Some(1.0),
            JsonKind::False => Some(0.0),
            _ => None,
        }
    }

    /// Returns the value of the first property of that name in an `additionalProperty` list.
    pub(crate) fn property(&self, properties: TokenId, name: &str) -> Option<TokenId> {
        let named = |&property: &TokenId| {
            self.get(property, CheckpointKey::Name).is_some_and(|found| self.is_text(found, name))
        };
        self.each(properties).find(named).and_then(|property| self.get(property, CheckpointKey::Value))
    }
}
