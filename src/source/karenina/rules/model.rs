//! Objects as tables of fields, and the check of a value against them. The tables are what the library's Pydantic
//! models ask for; nothing here knows which they are.

use super::lax;
use crate::json::{Document, Kind, TokenId};
use crate::source::checking::Rule;
use std::borrow::Cow;

/// An object that the library reads.
pub(super) struct Model {
    /// The rule that its fields are looked at by; none where the object is a part of another's.
    pub(super) rule: Option<&'static Rule>,
    pub(super) fields: &'static [Field],
    /// Whether a key beyond the fields is refused.
    pub(super) closed: bool,
    /// What the fields ask of one another.
    pub(super) also: Option<fn(&mut Reader<'_>, TokenId)>,
}

/// A field of an object.
pub(super) struct Field {
    pub(super) key: &'static str,
    pub(super) holds: FieldType,
    pub(super) presence: Presence,
}

/// Which absences a field allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// It has to be there, and not null.
    Required,
    /// It may be absent, and not null.
    Defaulted,
    /// It may be absent or null.
    Optional,
}

pub(super) const fn required(key: &'static str, holds: FieldType) -> Field {
    Field { key, holds, presence: Presence::Required }
}

pub(super) const fn defaulted(key: &'static str, holds: FieldType) -> Field {
    Field { key, holds, presence: Presence::Defaulted }
}

pub(super) const fn optional(key: &'static str, holds: FieldType) -> Field {
    Field { key, holds, presence: Presence::Optional }
}

/// The least and the most that a number may be; `over` is the bound that it has to be above.
pub(super) enum Bound {
    AtLeast(f64),
    Above(f64),
    Within(f64, f64),
}

/// What a field may hold.
pub(super) enum FieldType {
    /// Any JSON.
    Json,
    /// A string.
    Text,
    /// A string with at least one character.
    NonEmptyText,
    /// A number, a boolean, or a string that spells a number.
    Number,
    /// A number within a bound.
    NumberOf(Bound),
    /// A number without a fraction, or a string that spells one.
    Integer,
    /// An integer within a bound.
    IntegerOf(Bound),
    /// A boolean, 0, 1, or one of the words for them.
    Boolean,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An object, whatever is in it.
    AnyObject,
    /// An object with these fields.
    Object(&'static Model),
    /// An array of this.
    Array(&'static FieldType),
    /// An object whose values are this.
    ByKey(&'static FieldType),
    /// Either of two, and how both are called.
    Either(&'static [FieldType; 2], &'static str),
    /// What a function looks at.
    By(fn(&mut Reader<'_>, Spot, TokenId)),
}

/// Where a value stands: in which object, at which key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) object: TokenId,
    pub(super) key: &'static str,
}

/// What was found at a value, or at the object where there is none.
pub(super) struct Fault {
    pub(super) rule: &'static Rule,
    pub(super) spot: Spot,
    pub(super) value: Option<TokenId>,
    pub(super) message: String,
}

/// Reads objects of a document by their tables, and collects what is wrong with them.
pub(super) struct Reader<'d> {
    pub(super) document: &'d Document,
    pub(super) rule: &'static Rule,
    pub(super) faults: Vec<Fault>,
    /// The rules that had something to look at, in order.
    pub(super) looked: Vec<&'static Rule>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(document: &'d Document, rule: &'static Rule) -> Self {
        Self { document, rule, faults: Vec::new(), looked: Vec::new() }
    }

    /// Notes a fault.
    pub(super) fn fault(&mut self, spot: Spot, value: Option<TokenId>, message: impl Into<String>) {
        self.faults.push(Fault { rule: self.rule, spot, value, message: message.into() });
    }

    /// Whether a value has no fault; nothing is noted.
    pub(super) fn accepts(&self, value: TokenId, holds: &FieldType) -> bool {
        let mut probe = Reader::new(self.document, self.rule);
        probe.value(Spot { object: value, key: "" }, value, holds);
        probe.faults.is_empty()
    }

    /// The value of a key that is there and not null.
    pub(super) fn present(&self, object: TokenId, key: &str) -> Option<TokenId> {
        self.document.get(object, key).filter(|&value| self.document.kind(value) != Kind::Null)
    }

    /// The text of a value, where it is a string.
    pub(super) fn text(&self, value: TokenId) -> Option<Cow<'d, str>> {
        if self.document.is_string(value) { self.document.string(value) } else { None }
    }

    /// Looks at the fields of an object.
    pub(super) fn object(&mut self, object: TokenId, model: &'static Model) {
        let outer = self.rule;
        if let Some(rule) = model.rule {
            self.rule = rule;
            self.looked.push(rule);
        }
        for field in model.fields {
            self.field(object, self.document.get(object, field.key), field);
        }
        if model.closed {
            self.refuse_unknown_keys(object, model);
        }
        if let Some(also) = model.also {
            also(self, object);
        }
        self.rule = outer;
    }

    /// Looks at the value of a field, wherever it was found.
    pub(super) fn field(&mut self, object: TokenId, value: Option<TokenId>, field: &Field) {
        let spot = Spot { object, key: field.key };
        match value {
            None if field.presence == Presence::Required => {
                self.fault(spot, None, format!("`{}` is missing", field.key));
            }
            None => {}
            Some(value)
                if self.document.kind(value) == Kind::Null && field.presence == Presence::Optional => {}
            Some(value) => self.value(spot, value, &field.holds),
        }
    }

    fn refuse_unknown_keys(&mut self, object: TokenId, model: &Model) {
        let document = self.document;
        for member in document.members(object) {
            let key = document.symbol_text(member.symbol);
            if !model.fields.iter().any(|field| field.key == key) {
                let message = format!("`{key}` is no key that the library takes here");
                self.fault(Spot { object, key: "" }, Some(member.value), message);
            }
        }
    }

    /// Looks at a value.
    pub(super) fn value(&mut self, spot: Spot, value: TokenId, holds: &FieldType) {
        let document = self.document;
        match holds {
            FieldType::Object(model) if document.is_object(value) => self.object(value, model),
            FieldType::Array(member) if document.is_array(value) => {
                document.items(value).for_each(|item| self.member(spot, item, member));
            }
            FieldType::ByKey(member) if document.is_object(value) => {
                document.members(value).for_each(|entry| self.member(spot, entry.value, member));
            }
            FieldType::By(look) => look(self, spot, value),
            FieldType::NonEmptyText if document.is_string(value) && document.raw(value) == "\"\"" => {
                self.fault(spot, Some(value), format!("`{}` is empty", spot.key));
            }
            _ if is_scalar_of(document, value, holds) => {}
            FieldType::Either(both, _) if both.iter().any(|holds| self.accepts(value, holds)) => {}
            _ => {
                let message = format!("`{}` is {}, not {}", spot.key, shown(document, value), wanted(holds));
                self.fault(spot, Some(value), message);
            }
        }
    }

    /// Looks at a member of an array, or of an object with free keys.
    fn member(&mut self, spot: Spot, value: TokenId, holds: &FieldType) {
        let before = self.faults.len();
        let is_nested = matches!(holds, FieldType::Object(_)) && self.document.is_object(value);
        self.value(spot, value, holds);
        let own = !is_nested && !matches!(holds, FieldType::By(_)) && self.faults.len() > before;
        if own {
            let what = wanted(holds);
            self.faults.truncate(before);
            self.fault(
                spot,
                Some(value),
                format!("{} in `{}` is not {what}", shown(self.document, value), spot.key),
            );
        }
    }
}

/// Whether a value that is looked at by itself fits.
fn is_scalar_of(document: &Document, value: TokenId, holds: &FieldType) -> bool {
    match holds {
        FieldType::Json => true,
        FieldType::Text | FieldType::NonEmptyText => document.is_string(value),
        FieldType::Number => lax::number(document, value).is_some(),
        FieldType::NumberOf(bound) => lax::number(document, value).is_some_and(|number| bound.holds(number)),
        FieldType::Integer => lax::integer(document, value).is_some(),
        FieldType::IntegerOf(bound) => {
            lax::integer(document, value).is_some_and(|number| bound.holds(number))
        }
        FieldType::Boolean => lax::boolean(document, value).is_some(),
        FieldType::OneOf(names) => {
            lax::text_of(document, value).is_some_and(|text| names.contains(&text.as_str()))
        }
        FieldType::AnyObject => document.is_object(value),
        _ => false,
    }
}

impl Bound {
    fn holds(&self, number: f64) -> bool {
        match *self {
            Self::AtLeast(least) => number >= least,
            Self::Above(least) => number > least,
            Self::Within(least, most) => (least..=most).contains(&number),
        }
    }
}

/// What a field asks for, in words.
fn wanted(holds: &FieldType) -> Cow<'static, str> {
    let of_bound = |bound: &Bound| match *bound {
        Bound::AtLeast(least) => format!(" of at least {least}"),
        Bound::Above(least) => format!(" above {least}"),
        Bound::Within(least, most) => format!(" from {least} to {most}"),
    };
    match holds {
        FieldType::Text | FieldType::NonEmptyText => "a string".into(),
        FieldType::Number => "a number".into(),
        FieldType::NumberOf(bound) => format!("a number{}", of_bound(bound)).into(),
        FieldType::Integer => "an integer".into(),
        FieldType::IntegerOf(bound) => format!("an integer{}", of_bound(bound)).into(),
        FieldType::Boolean => "true or false".into(),
        FieldType::OneOf([name]) => format!("\"{name}\"").into(),
        FieldType::OneOf(names) => listed(names).into(),
        FieldType::AnyObject | FieldType::Object(_) | FieldType::ByKey(_) => "an object".into(),
        FieldType::Array(member) => {
            let of = match member {
                FieldType::Text | FieldType::NonEmptyText => "strings",
                FieldType::AnyObject | FieldType::Object(_) | FieldType::ByKey(_) => "objects",
                _ => "such values",
            };
            format!("an array of {of}").into()
        }
        FieldType::Either(_, name) => (*name).into(),
        FieldType::Json | FieldType::By(_) => "such a value".into(),
    }
}

/// Names in backticks, with commas.
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// A value in backticks, as it is written.
pub(super) fn shown(document: &Document, value: TokenId) -> String {
    format!("`{}`", crate::source::checking::shown(document, value))
}
