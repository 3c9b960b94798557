//! The one language for fields and types: classes of objects are tables of fields, and values are checked against
//! these. Each system has its own tables.

use super::{FindingCollector, FormatRule, PydanticVersion, shown, violation};
use evalgraph_json::number::is_integer;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use std::borrow::Cow;

/// No upper bound for the length of a string or an array.
pub const ANY: usize = usize::MAX;

/// A string with at least one character.
pub const NON_EMPTY: SchemaFieldType = SchemaFieldType::TextOf(1, ANY);

/// How values are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoercionMode {
    /// Like JSON Schema: an optional field may be absent, but not null.
    Schema,
    /// As written: `4.0` is not an integer. An optional field may be null.
    Written,
    /// Like a version of Pydantic in its lax mode: an optional field may be null.
    Lax(PydanticVersion),
}

impl CoercionMode {
    /// The number that a value is.
    pub fn number(self, document: &JsonDocument, value: TokenId) -> Option<f64> {
        match self {
            Self::Schema | Self::Written => document.number(value)?.parse().ok(),
            Self::Lax(pydantic) => pydantic.number(document, value),
        }
    }

    fn integer(self, document: &JsonDocument, value: TokenId) -> Option<f64> {
        match self {
            Self::Schema => self.number(document, value).filter(|number| number.fract() == 0.0),
            Self::Written => document.number(value).filter(|number| is_integer(number))?.parse().ok(),
            Self::Lax(pydantic) => pydantic.integer(document, value),
        }
    }

    fn is_boolean(self, document: &JsonDocument, value: TokenId) -> bool {
        match self {
            Self::Schema | Self::Written => {
                matches!(document.kind(value), JsonKind::True | JsonKind::False)
            }
            Self::Lax(pydantic) => pydantic.boolean(document, value).is_some(),
        }
    }
}

/// A class of objects.
pub struct ObjectSchema {
    /// The rule that checks its fields; `None` if such objects are only parts of others.
    rule: Option<&'static FormatRule>,
    pub(crate) fields: &'static [SchemaField],
    is_closed: bool,
    /// A check of the fields against one another.
    also: Option<fn(&mut SchemaChecker<'_>, TokenId)>,
}

/// A class with these fields, for objects that are parts of others.
pub const fn part(fields: &'static [SchemaField]) -> ObjectSchema {
    ObjectSchema { rule: None, fields, is_closed: false, also: None }
}

/// A class with exactly these fields, for objects that are parts of others.
pub const fn closed_part(fields: &'static [SchemaField]) -> ObjectSchema {
    part(fields).closed()
}

impl ObjectSchema {
    /// Sets the rule that checks the fields.
    pub const fn by(self, rule: &'static FormatRule) -> Self {
        Self { rule: Some(rule), ..self }
    }

    /// Refuses all other keys.
    pub const fn closed(self) -> Self {
        Self { is_closed: true, ..self }
    }

    /// Returns the rule that checks the fields, unless the class is only a part of others.
    pub const fn rule(&self) -> Option<&'static FormatRule> {
        self.rule
    }

    /// Returns the fields, in the order of the table.
    pub const fn fields(&self) -> &'static [SchemaField] {
        self.fields
    }

    /// Returns whether the class has a field.
    pub fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.key == key)
    }

    /// Adds a function that checks the fields against one another.
    pub const fn also(self, look: fn(&mut SchemaChecker<'_>, TokenId)) -> Self {
        Self { also: Some(look), ..self }
    }
}

/// A field of an object.
#[derive(Clone, Copy)]
pub struct SchemaField {
    /// Its key.
    pub key: &'static str,
    /// The values that it may have.
    pub holds: SchemaFieldType,
    pub(crate) presence: FieldPresence,
}

/// Says whether a field may be absent or null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldPresence {
    /// It must be present, and not null.
    Required,
    /// It may be absent, but not null.
    Defaulted,
    /// It may be absent; it may be null unless values are read like JSON Schema.
    Optional,
}

impl SchemaField {
    /// Returns whether the field may be null if values are not read like JSON Schema.
    pub fn is_nullable(&self) -> bool {
        self.presence == FieldPresence::Optional
    }

    /// Returns whether an object without the field is refused.
    pub fn is_required(&self) -> bool {
        self.presence == FieldPresence::Required
    }
}

pub(crate) const fn required(key: &'static str, holds: SchemaFieldType) -> SchemaField {
    SchemaField { key, holds, presence: FieldPresence::Required }
}

pub(crate) const fn defaulted(key: &'static str, holds: SchemaFieldType) -> SchemaField {
    SchemaField { key, holds, presence: FieldPresence::Defaulted }
}

pub(crate) const fn optional(key: &'static str, holds: SchemaFieldType) -> SchemaField {
    SchemaField { key, holds, presence: FieldPresence::Optional }
}

/// The range of a number.
#[derive(Clone, Copy)]
pub enum NumberBound {
    /// This or more.
    AtLeast(f64),
    /// More than this.
    Above(f64),
    /// Between both bounds, inclusive.
    Within(f64, f64),
}

/// The values that a field may have.
#[derive(Clone, Copy)]
pub enum SchemaFieldType {
    /// Any JSON.
    Json,
    /// Any JSON except null, false, zero, and empty strings, arrays and objects.
    Filled,
    /// A string.
    Text,
    /// A string with a least and a greatest number of characters.
    TextOf(usize, usize),
    /// A string of a form, or a value that counts as such a string.
    Form(&'static StringForm),
    /// A number. In lax mode also a boolean, or a string that spells a number.
    Number,
    /// A number within a bound.
    NumberOf(NumberBound),
    /// A number without a fraction, or a string that spells one.
    Integer,
    /// An integer within a bound.
    IntegerOf(NumberBound),
    /// A boolean. In lax mode also 0, 1, or one of the words for them.
    Boolean,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A string. A rule of its own requires one of the words.
    Words(&'static WordList),
    /// An object with any content.
    AnyObject,
    /// An object with these fields.
    Object(&'static ObjectSchema),
    /// An array with any content.
    AnyArray,
    /// An array of this type.
    Array(&'static SchemaFieldType),
    /// An array of this type, with a least and a greatest number of items.
    ArrayOf(&'static SchemaFieldType, usize, usize),
    /// An object whose values have this type.
    ByKey(&'static SchemaFieldType),
    /// One of two types, and a name for both together.
    Either(&'static [SchemaFieldType; 2], &'static str),
    /// A value that a function checks.
    By(fn(&mut SchemaChecker<'_>, FieldPlace, TokenId)),
}

/// A form of strings.
pub struct StringForm {
    /// A description of the form, with its article.
    pub name: &'static str,
    /// The regular expression of the form for SHACL (`sh:pattern`).
    pub pattern: &'static str,
    /// `true` if a value is of the form.
    pub fits: fn(&JsonDocument, TokenId, CoercionMode) -> bool,
}

/// The words of a field, with the rule that requires one of them.
pub struct WordList {
    /// The rule.
    pub rule: &'static FormatRule,
    /// The words.
    pub words: &'static [&'static str],
    /// Returns the part of the message that follows another word: `is not a status`.
    pub otherwise: fn(&[&str]) -> String,
}

/// Checks an object of a class that has a rule, and passes the findings to the report.
pub fn check_object(
    checker: &mut FindingCollector<'_>,
    object: TokenId,
    class: &'static ObjectSchema,
    mode: CoercionMode,
) {
    let rule = class.rule.expect("a class with its own check has a rule");
    let mut reader = SchemaChecker::new(checker.document(), mode, rule);
    reader.object(object, class);
    reader.hand_over(checker);
}

/// The place of a value: the object, and the key in it.
#[derive(Debug, Clone, Copy)]
pub struct FieldPlace {
    pub(crate) object: TokenId,
    pub(crate) key: &'static str,
}

/// A finding at a value, or at the object where there is no value.
pub struct SchemaFinding {
    pub(crate) rule: &'static FormatRule,
    pub(crate) spot: FieldPlace,
    pub(crate) value: Option<TokenId>,
    pub(crate) message: String,
}

/// Returns whether a value is of a type.
pub fn is_of_type(
    document: &JsonDocument,
    mode: CoercionMode,
    value: TokenId,
    holds: &SchemaFieldType,
) -> bool {
    const UNREPORTED: FormatRule = violation("", "");
    let mut probe = SchemaChecker::new(document, mode, &UNREPORTED);
    probe.value(FieldPlace { object: value, key: "" }, value, holds);
    probe.faults.is_empty()
}

/// Checks objects of a document by their tables, and collects the faults.
pub struct SchemaChecker<'d> {
    pub(crate) document: &'d JsonDocument,
    pub(crate) mode: CoercionMode,
    pub(crate) rule: &'static FormatRule,
    pub(crate) faults: Vec<SchemaFinding>,
    /// The rules that had something to check, in order.
    pub looked: Vec<&'static FormatRule>,
}

impl<'d> SchemaChecker<'d> {
    pub(crate) fn new(document: &'d JsonDocument, mode: CoercionMode, rule: &'static FormatRule) -> Self {
        Self { document, mode, rule, faults: Vec::new(), looked: Vec::new() }
    }

    /// Makes a rule the current one, and notes that it has something to check.
    pub fn look(&mut self, rule: &'static FormatRule) {
        self.rule = rule;
        self.looked.push(rule);
    }

    /// Passes the findings to the report.
    pub fn hand_over(self, checker: &mut FindingCollector<'_>) {
        for rule in self.looked {
            checker.look(rule);
        }
        for SchemaFinding { rule, spot, value, message } in self.faults {
            let path = (!spot.key.is_empty()).then_some(spot.key);
            checker.found(rule, spot.object, path, value, message);
        }
    }

    /// Adds a fault.
    pub fn fault(&mut self, spot: FieldPlace, value: Option<TokenId>, message: impl Into<String>) {
        self.faults.push(SchemaFinding { rule: self.rule, spot, value, message: message.into() });
    }

    /// Adds a fault at the value of a key, or at its object where the key is missing.
    pub fn fault_at(&mut self, object: TokenId, key: &'static str, message: impl Into<String>) {
        self.fault(FieldPlace { object, key }, self.document.get(object, key), message);
    }

    /// Returns whether a value has no fault, without adding any.
    pub fn accepts(&self, value: TokenId, holds: &SchemaFieldType) -> bool {
        is_of_type(self.document, self.mode, value, holds)
    }

    /// The value of a key, if the key is present and not null.
    pub fn present(&self, object: TokenId, key: &str) -> Option<TokenId> {
        self.document.get(object, key).filter(|&value| self.document.kind(value) != JsonKind::Null)
    }

    /// The value of a key, if it is a string.
    pub fn text(&self, object: TokenId, key: &str) -> Option<Cow<'d, str>> {
        self.document.string(self.document.get(object, key)?)
    }

    /// Checks the fields of an object.
    pub fn object(&mut self, object: TokenId, class: &'static ObjectSchema) {
        let outer = self.rule;
        if let Some(rule) = class.rule {
            self.look(rule);
        }
        for field in class.fields {
            self.field(object, self.document.get(object, field.key), field);
        }
        if class.is_closed {
            self.refuse_unknown_keys(object, class);
        }
        if let Some(also) = class.also {
            also(self, object);
        }
        // What follows this object belongs to the outer rule again.
        self.rule = outer;
    }

    /// Checks the value of a field, which need not be in `object` itself.
    pub fn field(&mut self, object: TokenId, value: Option<TokenId>, field: &SchemaField) {
        let spot = FieldPlace { object, key: field.key };
        match value {
            None if field.presence == FieldPresence::Required => {
                self.fault(spot, None, format!("`{}` is missing", field.key));
            }
            None => {}
            Some(value)
                if self.document.kind(value) == JsonKind::Null
                    && field.presence == FieldPresence::Optional
                    && self.mode != CoercionMode::Schema => {}
            Some(value) => self.value(spot, value, &field.holds),
        }
    }

    fn refuse_unknown_keys(&mut self, object: TokenId, class: &ObjectSchema) {
        let document = self.document;
        for member in document.members(object) {
            let key = document.symbol_text(member.symbol);
            if !class.has(key) {
                let message = format!("`{key}` is not allowed in this object");
                self.fault(FieldPlace { object, key: "" }, Some(member.key), message);
            }
        }
    }

    /// Checks a value.
    pub fn value(&mut self, spot: FieldPlace, value: TokenId, holds: &SchemaFieldType) {
        let document = self.document;
        match holds {
            SchemaFieldType::Object(class) if document.is_object(value) => self.object(value, class),
            SchemaFieldType::Array(member) | SchemaFieldType::ArrayOf(member, ..)
                if document.is_array(value) =>
            {
                if let SchemaFieldType::ArrayOf(_, least, most) = *holds
                    && let Some(fault) = fault_of_count(document.items(value).count(), least, most, "")
                {
                    self.fault(spot, Some(value), format!("`{}` is an array of {fault}", spot.key));
                }
                document.items(value).for_each(|item| self.member(spot, item, member));
            }
            SchemaFieldType::ByKey(member) if document.is_object(value) => {
                document.members(value).for_each(|entry| self.member(spot, entry.value, member));
            }
            SchemaFieldType::By(look) => look(self, spot, value),
            SchemaFieldType::TextOf(least, most) if document.is_string(value) => {
                let count = document.string(value).map_or(0, |text| text.chars().count());
                if (count, *least) == (0, 1) {
                    self.fault(spot, Some(value), format!("`{}` is empty", spot.key));
                } else if let Some(fault) = fault_of_count(count, *least, *most, " characters") {
                    self.fault(spot, Some(value), format!("`{}` is a string of {fault}", spot.key));
                }
            }
            SchemaFieldType::Filled if is_empty(document, value) => {
                let message = format!("`{}` is {}, which counts as empty", spot.key, self.show(value));
                self.fault(spot, Some(value), message);
            }
            _ if self.is_scalar_of(value, holds) => {}
            SchemaFieldType::Either(both, _) if both.iter().any(|holds| self.accepts(value, holds)) => {}
            _ => {
                let message =
                    format!("`{}` is {}, not {}", spot.key, self.show(value), expected_words(holds));
                self.fault(spot, Some(value), message);
            }
        }
    }

    /// Checks an item of an array, or a value of an object with free keys.
    fn member(&mut self, spot: FieldPlace, value: TokenId, holds: &SchemaFieldType) {
        let before = self.faults.len();
        let is_nested = matches!(holds, SchemaFieldType::Object(_)) && self.document.is_object(value);
        self.value(spot, value, holds);
        // Faults of plain items are worded for the items. Faults inside of objects name fields of these objects.
        let own = !is_nested && !matches!(holds, SchemaFieldType::By(_)) && self.faults.len() > before;
        if own {
            let what = expected_words(holds);
            self.faults.truncate(before);
            self.fault(spot, Some(value), format!("{} in `{}` is not {what}", self.show(value), spot.key));
        }
    }

    fn is_scalar_of(&self, value: TokenId, holds: &SchemaFieldType) -> bool {
        let Self { document, mode, .. } = *self;
        match holds {
            SchemaFieldType::Json | SchemaFieldType::Filled => true,
            SchemaFieldType::Text | SchemaFieldType::Words(_) => document.is_string(value),
            SchemaFieldType::Form(form) => (form.fits)(document, value, mode),
            SchemaFieldType::Number => mode.number(document, value).is_some(),
            SchemaFieldType::NumberOf(bound) => {
                mode.number(document, value).is_some_and(|it| bound.holds(it))
            }
            SchemaFieldType::Integer => mode.integer(document, value).is_some(),
            SchemaFieldType::IntegerOf(bound) => {
                mode.integer(document, value).is_some_and(|it| bound.holds(it))
            }
            SchemaFieldType::Boolean => mode.is_boolean(document, value),
            SchemaFieldType::OneOf(names) => {
                document.string(value).is_some_and(|text| names.contains(&&*text))
            }
            SchemaFieldType::AnyObject => document.is_object(value),
            SchemaFieldType::AnyArray => document.is_array(value),
            _ => false,
        }
    }

    /// Returns a value as it is written, in backticks.
    pub fn show(&self, value: TokenId) -> String {
        format!("`{}`", shown(self.document, value))
    }
}

/// Returns whether a value is false in Python: null, false, zero, or an empty string, array or object.
pub fn is_empty(document: &JsonDocument, value: TokenId) -> bool {
    match document.kind(value) {
        JsonKind::Null | JsonKind::False => true,
        JsonKind::True => false,
        JsonKind::Number => document.number(value).and_then(|text| text.parse().ok()) == Some(0.0),
        JsonKind::Array => document.items(value).next().is_none(),
        JsonKind::Object => document.members(value).next().is_none(),
        _ => document.string(value).is_some_and(|text| text.is_empty()),
    }
}

/// Describes a number of `things` that is below `least` or above `most`.
fn fault_of_count(count: usize, least: usize, most: usize, things: &str) -> Option<String> {
    if count < least {
        Some(format!("{count}, but must have at least {least}{things}"))
    } else {
        (count > most).then(|| format!("{count}, but may have at most {most}{things}"))
    }
}

impl NumberBound {
    fn holds(&self, number: f64) -> bool {
        match *self {
            Self::AtLeast(least) => number >= least,
            Self::Above(least) => number > least,
            Self::Within(least, most) => (least..=most).contains(&number),
        }
    }
}

/// Describes the expected value of a field.
pub fn expected_words(holds: &SchemaFieldType) -> Cow<'static, str> {
    let of_bound = |bound: &NumberBound| match *bound {
        NumberBound::AtLeast(least) => format!(" of at least {least}"),
        NumberBound::Above(least) => format!(" above {least}"),
        NumberBound::Within(least, most) => format!(" from {least} to {most}"),
    };
    match holds {
        SchemaFieldType::Text | SchemaFieldType::TextOf(..) | SchemaFieldType::Words(_) => "a string".into(),
        SchemaFieldType::Form(form) => form.name.into(),
        SchemaFieldType::Number => "a number".into(),
        SchemaFieldType::NumberOf(bound) => format!("a number{}", of_bound(bound)).into(),
        SchemaFieldType::Integer => "an integer".into(),
        SchemaFieldType::IntegerOf(bound) => format!("an integer{}", of_bound(bound)).into(),
        SchemaFieldType::Boolean => "true or false".into(),
        SchemaFieldType::OneOf([name]) => format!("\"{name}\"").into(),
        SchemaFieldType::OneOf(names) => format!("one of {}", listed(names)).into(),
        SchemaFieldType::AnyObject | SchemaFieldType::Object(_) | SchemaFieldType::ByKey(_) => {
            "an object".into()
        }
        SchemaFieldType::AnyArray => "an array".into(),
        SchemaFieldType::Array(member) | SchemaFieldType::ArrayOf(member, ..) => {
            let of = match member {
                SchemaFieldType::Text | SchemaFieldType::TextOf(..) => "strings",
                SchemaFieldType::AnyObject | SchemaFieldType::Object(_) | SchemaFieldType::ByKey(_) => {
                    "objects"
                }
                _ => "such values",
            };
            format!("an array of {of}").into()
        }
        SchemaFieldType::Either(_, name) => (*name).into(),
        SchemaFieldType::Json | SchemaFieldType::Filled | SchemaFieldType::By(_) => "such a value".into(),
    }
}

/// Returns names in backticks, separated by commas.
pub fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
