//! Tables of fields: which keys an object has and what each may hold, and the check of an object by
//! such a table.
//!
//! The documents are JSON Schema: a key that may be absent may not be null, and formats count. The shipped
//! code reads with Pydantic in its [lax mode](super::lax): null stands for absent where the code says so.

use super::lax;
use crate::json::{Document, Kind, TokenId};
use crate::rdf::iri::is_iri;
use crate::source::checking::{Checker, Rule};
use crate::source::karenina::rules::Timestamp;
use crate::source::kwanzaa::samples::number;

/// What a field may hold.
pub(super) enum FieldType {
    /// A string of so many characters, from and to.
    Text(usize, usize),
    /// A string of a form.
    Form(Form),
    /// One of some strings.
    OneOf(&'static [&'static str]),
    /// A whole number, from and to.
    Integer(i64, i64),
    /// A number from 0 to 1.
    Fraction,
    /// True or false.
    Boolean,
    /// A value that is neither null nor false, zero or empty.
    Filled,
    /// A value, be it null.
    Anything,
    /// Whatever object.
    AnyObject,
    /// Whatever array.
    AnyArray,
    /// An array of whatever objects.
    AnyObjects,
    /// An object whose values are whole numbers.
    Counts,
    /// An object with fields of its own.
    Object(&'static Class),
    /// An array of so many objects, from and to.
    Objects(&'static Class, usize, usize),
    /// An array of so many strings, from and to, of so many characters at most.
    Texts(usize, usize, usize),
    /// An array with so many at least of some strings.
    Names(usize, &'static [&'static str]),
}

/// Forms of strings.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// `^[a-z0-9_]+$`
    SampleId,
    /// `^\d+\.\d+\.\d+$`
    DatasetVersion,
    /// `^kwanzaa\.answer\.v[0-9]+$`
    AnswerVersion,
    /// A date and time with a zone (RFC 3339); to the shipped code all that Pydantic takes for one.
    DateTime,
    /// An absolute URI.
    Uri,
    /// A UUID in its groups of 8, 4, 4, 4 and 12.
    Uuid,
}

impl Form {
    fn fits(self, text: &str) -> bool {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Self::SampleId => is_sample_id(text),
            Self::DatasetVersion => text.split('.').count() == 3 && text.split('.').all(digits),
            Self::AnswerVersion => text.strip_prefix("kwanzaa.answer.v").is_some_and(digits),
            Self::DateTime => is_date_time(text),
            Self::Uri => text.is_ascii() && is_iri(text),
            Self::Uuid => is_uuid(text),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::SampleId => "an id of a-z, 0-9 and _",
            Self::DatasetVersion => "a version such as 1.0.0",
            Self::AnswerVersion => "a version such as kwanzaa.answer.v1",
            Self::DateTime => "a date and time with a zone, such as 2026-01-31T09:00:00Z",
            Self::Uri => "an absolute URI",
            Self::Uuid => "a UUID",
        }
    }
}

/// Seconds are given, and hours and minutes of the zone have a colon between them.
fn is_date_time(text: &str) -> bool {
    let text = text.to_ascii_uppercase();
    let bytes = text.as_bytes();
    let has = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
    let has_zone = text.ends_with('Z') || bytes.len().checked_sub(3).is_some_and(|at| has(at, b':'));
    has(16, b':')
        && has_zone
        && !text.contains(',')
        && matches!(Timestamp::parse(&text), Some(Timestamp::Zoned(..)))
}

pub(super) fn is_sample_id(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.bytes().all(fits)
}

fn is_uuid(text: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let mut groups = text.split('-');
    let is_group =
        |group: &str, length| group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit());
    lengths.into_iter().all(|length| groups.next().is_some_and(|group| is_group(group, length)))
        && groups.next().is_none()
}

/// A field of an object.
pub(super) struct Field {
    key: &'static str,
    holds: FieldType,
    presence: Presence,
}

/// Whether a field has to be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    /// It may be absent, and to the shipped code null.
    Optional,
    /// It may be absent, and null to nobody, since absence stands for another value.
    Defaulted,
}

pub(super) const fn required(key: &'static str, holds: FieldType) -> Field {
    Field { key, holds, presence: Presence::Required }
}

pub(super) const fn optional(key: &'static str, holds: FieldType) -> Field {
    Field { key, holds, presence: Presence::Optional }
}

pub(super) const fn defaulted(key: &'static str, holds: FieldType) -> Field {
    Field { key, holds, presence: Presence::Defaulted }
}

/// What an object may have.
pub(super) struct Class {
    /// What is broken where it is not so.
    pub(super) rule: Rule,
    pub(super) fields: &'static [Field],
    /// Whether it has no other keys.
    pub(super) is_closed: bool,
}

pub(super) const fn class(rule: Rule, fields: &'static [Field]) -> Class {
    Class { rule, fields, is_closed: false }
}

/// How values are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// As JSON Schema has them.
    Schema,
    /// As Pydantic has them.
    Lax,
}

/// Where a value stands: the object, the key, and what the object is.
#[derive(Clone, Copy)]
struct Spot {
    rule: &'static Rule,
    object: TokenId,
    key: &'static str,
    mode: Mode,
}

/// Looks at an object by its table.
pub(super) fn check_object(checker: &mut Checker<'_>, object: TokenId, class: &'static Class, mode: Mode) {
    checker.look(&class.rule);
    let document = checker.document();
    for field in class.fields {
        let key = field.key;
        match document.get(object, key) {
            None if field.presence == Presence::Required => {
                checker.found(&class.rule, object, Some(key), None, format!("`{key}` is missing"));
            }
            None => {}
            Some(value)
                if document.kind(value) == Kind::Null
                    && field.presence == Presence::Optional
                    && mode == Mode::Lax => {}
            Some(value) => {
                let spot = Spot { rule: &class.rule, object, key, mode };
                check_value(checker, spot, value, &field.holds);
            }
        }
    }
    if class.is_closed {
        for member in document.members(object) {
            let key = document.symbol_text(member.symbol);
            if !class.fields.iter().any(|field| field.key == key) {
                let message = format!("`{key}` is no key of the contract, which allows no other");
                checker.found(&class.rule, object, None, Some(member.key), message);
            }
        }
    }
}

fn check_value(checker: &mut Checker<'_>, spot: Spot, value: TokenId, holds: &FieldType) {
    match holds {
        FieldType::Object(class) if checker.document().is_object(value) => {
            check_object(checker, value, class, spot.mode);
        }
        FieldType::Objects(class, least, most) => {
            check_array(checker, spot, value, (*least, *most), |checker, item| {
                check_value(checker, spot, item, &FieldType::Object(class));
            });
        }
        FieldType::AnyArray => check_array(checker, spot, value, (0, usize::MAX), |_, _| {}),
        FieldType::Counts if checker.document().is_object(value) => check_counts(checker, spot, value),
        FieldType::AnyObjects => {
            check_array(checker, spot, value, (0, usize::MAX), |checker, item| {
                check_value(checker, spot, item, &FieldType::AnyObject);
            });
        }
        FieldType::Texts(least, most, longest) => {
            check_array(checker, spot, value, (*least, *most), |checker, item| {
                check_value(checker, spot, item, &FieldType::Text(0, *longest));
            });
        }
        FieldType::Names(least, names) => {
            check_array(checker, spot, value, (*least, usize::MAX), |checker, item| {
                check_value(checker, spot, item, &FieldType::OneOf(names));
            });
        }
        scalar => {
            if let Some(fault) = fault_of_scalar(checker, value, scalar, spot.mode) {
                wrong(checker, spot, value, &fault);
            }
        }
    }
}

fn check_array(
    checker: &mut Checker<'_>,
    spot: Spot,
    value: TokenId,
    (least, most): (usize, usize),
    check_item: impl Fn(&mut Checker<'_>, TokenId),
) {
    let document = checker.document();
    if !document.is_array(value) {
        wrong(checker, spot, value, "not an array");
        return;
    }
    let count = document.items(value).count();
    if count < least {
        wrong(checker, spot, value, &format!("an array of {count}, which has to have {least} at least"));
    } else if count > most {
        wrong(checker, spot, value, &format!("an array of {count}, which may have {most} at most"));
    }
    for item in document.items(value) {
        check_item(checker, item);
    }
}

fn check_counts(checker: &mut Checker<'_>, spot: Spot, table: TokenId) {
    let document = checker.document();
    for member in document.members(table) {
        let integer = FieldType::Integer(i64::MIN, i64::MAX);
        if let Some(fault) = fault_of_scalar(checker, member.value, &integer, spot.mode) {
            let message = format!("`{}` of `{}` is {fault}", document.symbol_text(member.symbol), spot.key);
            checker.found(spot.rule, spot.object, Some(spot.key), Some(member.value), message);
        }
    }
}

/// Says what is wrong with a value: `value` is not what it has to be.
fn wrong(checker: &mut Checker<'_>, spot: Spot, value: TokenId, what: &str) {
    let message = format!("`{}` is {what}", spot.key);
    checker.found(spot.rule, spot.object, Some(spot.key), Some(value), message);
}

/// What is wrong with a value that is no array; none where nothing is.
fn fault_of_scalar(checker: &Checker<'_>, value: TokenId, holds: &FieldType, mode: Mode) -> Option<String> {
    let document = checker.document();
    let text = if document.is_string(value) { document.string(value) } else { None };
    let shown = || checker.show(value);
    match holds {
        FieldType::Text(least, most) => match text.map(|text| text.chars().count()) {
            None => Some(format!("{}, not a string", shown())),
            Some(count) if count < *least => {
                Some(format!("a text of {count}, which has to have {least} characters at least"))
            }
            Some(count) if count > *most => {
                Some(format!("a text of {count}, which may have {most} characters at most"))
            }
            Some(_) => None,
        },
        FieldType::Form(form) => {
            let fits = match (form, mode) {
                (Form::DateTime, Mode::Lax) => lax::is_date_time(document, value),
                _ => text.is_some_and(|text| form.fits(&text)),
            };
            (!fits).then(|| format!("{}, not {}", shown(), form.name()))
        }
        FieldType::OneOf(names) => {
            let fits = text.is_some_and(|text| names.contains(&text.as_ref()));
            (!fits).then(|| format!("{}, not one of {}", shown(), names.join(", ")))
        }
        FieldType::Integer(least, most) => {
            let integer = match mode {
                Mode::Schema => number(document, value).filter(|number| number.fract() == 0.0),
                Mode::Lax => lax::integer(document, value),
            };
            match integer {
                Some(number) => {
                    // The ends of the type stand for no limit.
                    let is_enough = *least == i64::MIN || *least as f64 <= number;
                    let fits = is_enough && (*most == i64::MAX || number <= *most as f64);
                    (!fits).then(|| out_of_range(&shown(), *least, *most))
                }
                None => Some(format!("{}, not a whole number", shown())),
            }
        }
        FieldType::Fraction => match number_in(document, value, mode) {
            Some(number) => (!(0.0..=1.0).contains(&number)).then(|| format!("{}, not from 0 to 1", shown())),
            None => Some(format!("{}, not a number", shown())),
        },
        FieldType::Boolean => {
            let is_boolean = matches!(document.kind(value), Kind::True | Kind::False)
                || mode == Mode::Lax && lax::is_boolean(document, value);
            (!is_boolean).then(|| format!("{}, not true or false", shown()))
        }
        FieldType::Filled => lax::is_empty(document, value).then(|| format!("{}, which is nothing", shown())),
        FieldType::Anything => None,
        _ => (!document.is_object(value)).then(|| format!("{}, not an object", shown())),
    }
}

fn out_of_range(shown: &str, least: i64, most: i64) -> String {
    if most == i64::MAX {
        format!("{shown}, not a number from {least} on")
    } else {
        format!("{shown}, not from {least} to {most}")
    }
}

/// The value of a number as a mode reads it.
pub(super) fn number_in(document: &Document, value: TokenId, mode: Mode) -> Option<f64> {
    match mode {
        Mode::Schema => number(document, value),
        Mode::Lax => lax::number(document, value),
    }
}
