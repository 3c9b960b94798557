//! A value in SQL: each of its parts is an expression, which is NULL if the value is missing.

use std::collections::BTreeMap;

use oxrdf::vocab::{rdf, xsd};
use oxrdf::{NamedNodeRef, Term};

use super::dialect::SqlDialect;
use super::sql_refusal::SqlRefusal;
use super::value_kinds::ValueKinds;
use evalgraph_sparql::ColumnValue;
use evalgraph_store::term_number;

/// The values of the variables in a solution.
pub(crate) type SolutionScope = BTreeMap<String, SqlValue>;

/// A part of a value, which has a column of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ValuePart {
    /// The number of the term in the export.
    Number,
    /// An IRI, the label of a blank node, or the lexical form of a literal.
    Text,
    /// `iri`, `blank`, the IRI of a datatype, or a language after `@`.
    Type,
    /// The value of an integer or a decimal.
    Exact,
    /// The nearest double of any number.
    Double,
    Boolean,
    /// Microseconds since the beginning of 1970.
    Time,
    /// `true` if a time has a zone.
    Zoned,
}

impl ValuePart {
    pub(crate) const ALL: [Self; 8] = [
        Self::Number,
        Self::Text,
        Self::Type,
        Self::Exact,
        Self::Double,
        Self::Boolean,
        Self::Time,
        Self::Zoned,
    ];

    /// The end of the name of its column.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Number => "_id",
            Self::Text => "",
            Self::Type => "_type",
            Self::Exact => "_num",
            Self::Double => "_dbl",
            Self::Boolean => "_bool",
            Self::Time => "_us",
            Self::Zoned => "_zoned",
        }
    }

    /// The type of its column.
    pub(crate) fn sql_type(self, dialect: SqlDialect) -> &'static str {
        match self {
            Self::Number | Self::Time => "BIGINT",
            Self::Text | Self::Type => dialect.text_type(),
            Self::Exact => DECIMAL,
            Self::Double => "DOUBLE",
            Self::Boolean | Self::Zoned => "BOOLEAN",
        }
    }
}

/// The type of exact numbers.
pub(crate) const DECIMAL: &str = "DECIMAL(38,18)";

/// The SQL of a value.
#[derive(Debug, Clone)]
pub(crate) struct SqlValue {
    /// The kinds that the value may have.
    pub(crate) kinds: ValueKinds,
    /// The number of the term, if it is one of the export or a constant.
    pub(crate) number: Option<String>,
    pub(crate) text: String,
    /// The type. It is NULL if the value is missing, and only then.
    pub(crate) type_name: String,
    pub(crate) exact: Option<String>,
    pub(crate) double: Option<String>,
    pub(crate) boolean: Option<String>,
    pub(crate) time: Option<String>,
    pub(crate) zoned: Option<String>,
    /// `true` if there is always a value.
    pub(crate) is_certain: bool,
    /// `true` if the text is the one that its value gives, and not one that is written in data.
    pub(crate) is_canonical: bool,
}

impl SqlValue {
    /// A value that is never there.
    pub(crate) fn absent(dialect: SqlDialect) -> Self {
        let text = format!("CAST(NULL AS {})", dialect.text_type());
        Self {
            kinds: ValueKinds::NONE,
            number: None,
            type_name: text.clone(),
            text,
            exact: None,
            double: None,
            boolean: None,
            time: None,
            zoned: None,
            is_certain: false,
            is_canonical: false,
        }
    }

    /// The value of a constant.
    pub(crate) fn from_term(term: &Term, dialect: SqlDialect) -> Result<Self, SqlRefusal> {
        let (text, type_name, mut kinds) = match term {
            Term::NamedNode(node) => (node.as_str(), "iri".to_owned(), ValueKinds::IRI),
            Term::BlankNode(node) => (node.as_str(), "blank".to_owned(), ValueKinds::BLANK),
            Term::Literal(literal) => match literal.language() {
                Some(language) => (literal.value(), format!("@{language}"), ValueKinds::LANGUAGE),
                None => {
                    let kinds = kinds_of_datatype(literal.datatype());
                    (literal.value(), literal.datatype().as_str().to_owned(), kinds)
                }
            },
        };
        if dialect == SqlDialect::DataFusion && text.contains('\0') {
            return Err(SqlRefusal::new(
                "DataFusion has no text with the character U+0000",
                "leave the character out",
            ));
        }
        let mut value = Self {
            kinds,
            number: Some(number(term_number(term))),
            text: dialect.text(text),
            type_name: dialect.text(&type_name),
            is_certain: true,
            ..Self::absent(dialect)
        };
        if let Term::Literal(literal) = term {
            let known = ColumnValue::from_lexical_form(literal.value(), literal.datatype().as_str());
            match known.filter(|_| literal.language().is_none()) {
                Some(ColumnValue::Exact { units, double }) => {
                    value.exact = Some(exact_number(units, text)?);
                    value.double = Some(double_number(double, dialect));
                }
                Some(ColumnValue::Floating(double)) => value.double = Some(double_number(double, dialect)),
                Some(ColumnValue::Boolean(boolean)) => value.boolean = Some(truth_value(boolean)),
                Some(ColumnValue::Instant { units, is_zoned }) => match microseconds(units) {
                    Some(time) => {
                        value.time = Some(number(time));
                        value.zoned = Some(truth_value(is_zoned));
                    }
                    None => kinds = ValueKinds::OTHER,
                },
                None if kinds.are(ValueKinds::TEXT) => {}
                None => kinds = ValueKinds::OTHER,
            }
        }
        value.kinds = kinds;
        Ok(value)
    }

    /// A boolean, which is NULL if there is none.
    pub(crate) fn from_boolean(boolean: &str, dialect: SqlDialect) -> Self {
        let boolean = format!("({boolean})");
        Self {
            kinds: ValueKinds::BOOLEAN,
            text: format!("CASE WHEN {boolean} THEN 'true' WHEN NOT {boolean} THEN 'false' END"),
            type_name: typed(&boolean, xsd::BOOLEAN, dialect),
            boolean: Some(boolean),
            is_canonical: true,
            ..Self::absent(dialect)
        }
    }

    /// A string without a language, which is NULL if there is none.
    pub(crate) fn from_text(text: String, dialect: SqlDialect) -> Self {
        let type_name = typed(&text, xsd::STRING, dialect);
        Self { kinds: ValueKinds::STRING, text, type_name, ..Self::absent(dialect) }
    }

    /// A string with the type of another one.
    pub(crate) fn from_text_of_type(
        text: String,
        type_name: &str,
        kinds: ValueKinds,
        dialect: SqlDialect,
    ) -> Self {
        let type_name = format!("CASE WHEN {text} IS NOT NULL THEN {type_name} END");
        Self { kinds, text, type_name, ..Self::absent(dialect) }
    }

    /// An IRI, which is NULL if there is none.
    pub(crate) fn from_iri(text: String, dialect: SqlDialect) -> Self {
        let type_name = format!("CASE WHEN {text} IS NOT NULL THEN 'iri' END");
        Self { kinds: ValueKinds::IRI, text, type_name, ..Self::absent(dialect) }
    }

    /// An integer: an expression of any type of exact numbers, which is NULL if there is none.
    pub(crate) fn from_integer(integer: &str, dialect: SqlDialect) -> Self {
        let exact = format!("CAST({integer} AS {DECIMAL})");
        Self {
            kinds: ValueKinds::INTEGER,
            text: format!("CAST({integer} AS {})", dialect.text_type()),
            type_name: typed(integer, xsd::INTEGER, dialect),
            double: Some(format!("CAST({integer} AS DOUBLE)")),
            exact: Some(exact),
            is_canonical: true,
            ..Self::absent(dialect)
        }
    }

    /// A number with its parts. `type_name` may be of a type that fits the value whose parts are there.
    pub(crate) fn from_number(
        kinds: ValueKinds,
        [exact, double]: [Option<String>; 2],
        type_name: String,
        dialect: SqlDialect,
    ) -> Self {
        let text = number_text(kinds, [exact.as_deref(), double.as_deref()], &type_name, dialect);
        Self { kinds, text, type_name, exact, double, is_canonical: true, ..Self::absent(dialect) }
    }

    /// Returns a part, if the value may have it.
    pub(crate) fn part(&self, part: ValuePart) -> Option<&str> {
        match part {
            ValuePart::Number => self.number.as_deref(),
            ValuePart::Text => Some(&self.text),
            ValuePart::Type => Some(&self.type_name),
            ValuePart::Exact => self.exact.as_deref(),
            ValuePart::Double => self.double.as_deref(),
            ValuePart::Boolean => self.boolean.as_deref(),
            ValuePart::Time => self.time.as_deref(),
            ValuePart::Zoned => self.zoned.as_deref(),
        }
    }

    /// Returns a value whose parts are made from those of several values.
    pub(crate) fn combined(
        values: &[Self],
        dialect: SqlDialect,
        combine: impl Fn(&[&str]) -> String,
    ) -> Self {
        let combined = |part: ValuePart| {
            let is_there = values.iter().any(|value| value.part(part).is_some());
            let null = format!("CAST(NULL AS {})", part.sql_type(dialect));
            let parts: Vec<&str> = values.iter().map(|value| value.part(part).unwrap_or(&null)).collect();
            is_there.then(|| combine(&parts))
        };
        let kinds = values.iter().fold(ValueKinds::NONE, |kinds, value| kinds | value.kinds);
        let all_have_numbers = values.iter().all(|value| value.number.is_some());
        Self {
            kinds,
            number: combined(ValuePart::Number).filter(|_| all_have_numbers),
            text: combined(ValuePart::Text).unwrap_or_default(),
            type_name: combined(ValuePart::Type).unwrap_or_default(),
            exact: combined(ValuePart::Exact),
            double: combined(ValuePart::Double),
            boolean: combined(ValuePart::Boolean),
            time: combined(ValuePart::Time),
            zoned: combined(ValuePart::Zoned),
            is_certain: false,
            is_canonical: values.iter().all(|value| value.is_canonical),
        }
    }

    /// A condition that is true if there is a value.
    pub(crate) fn is_there(&self) -> String {
        if self.is_certain { "TRUE".to_owned() } else { format!("{} IS NOT NULL", self.type_name) }
    }

    /// A condition that is true if the value is of a datatype.
    pub(crate) fn has_datatype(&self, datatype: NamedNodeRef<'_>, dialect: SqlDialect) -> String {
        format!("{} = {}", self.type_name, dialect.text(datatype.as_str()))
    }
}

/// The kinds of literals of a datatype that have a value, and of those without one.
fn kinds_of_datatype(datatype: NamedNodeRef<'_>) -> ValueKinds {
    match datatype {
        xsd::STRING => ValueKinds::STRING,
        xsd::BOOLEAN => ValueKinds::BOOLEAN,
        xsd::DECIMAL => ValueKinds::DECIMAL,
        xsd::FLOAT => ValueKinds::FLOAT,
        xsd::DOUBLE => ValueKinds::DOUBLE,
        xsd::DATE_TIME => ValueKinds::TIME,
        rdf::LANG_STRING => ValueKinds::LANGUAGE,
        // The types derived from integers have the values of integers.
        _ => ValueKinds::INTEGER,
    }
}

/// An expression for a datatype where another expression has a value.
pub(crate) fn typed(value: &str, datatype: NamedNodeRef<'_>, dialect: SqlDialect) -> String {
    format!("CASE WHEN {value} IS NOT NULL THEN {} END", dialect.text(datatype.as_str()))
}

/// An integer of 64 bits.
pub(crate) fn number(number: i64) -> String {
    match number {
        // The number without its sign would be too large.
        i64::MIN => "CAST('-9223372036854775808' AS BIGINT)".to_owned(),
        number => number.to_string(),
    }
}

fn truth_value(boolean: bool) -> String {
    if boolean { "TRUE" } else { "FALSE" }.to_owned()
}

/// Returns a time in microseconds since the beginning of 1970, if a column has it: in the years 1 to 9999, and without
/// anything finer.
fn microseconds(units: i128) -> Option<i64> {
    const IN_MICROSECOND: i128 = 1_000_000_000_000;
    const UNTIL_1970: i64 = 62_135_596_800_000_000;
    const END: i64 = 315_537_897_600_000_000;
    let time = i64::try_from(units / IN_MICROSECOND).ok().filter(|_| units % IN_MICROSECOND == 0)?;
    (0..END).contains(&time).then_some(time - UNTIL_1970)
}

/// The units of 10⁻¹⁸ that the type of exact numbers has.
const MOST_UNITS: u128 = 99_999_999_999_999_999_999_999_999_999_999_999_999;

fn exact_number(units: i128, text: &str) -> Result<String, SqlRefusal> {
    const ONE: u128 = 1_000_000_000_000_000_000;
    let size = units.unsigned_abs();
    if size > MOST_UNITS {
        let message = format!("the number {text} has more than 20 digits before the point");
        return Err(SqlRefusal::new(message, "write it as an xsd:double").at(text));
    }
    let sign = if units < 0 { "-" } else { "" };
    let digits = format!("{sign}{}.{:018}", size / ONE, size % ONE);
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    Ok(format!("CAST('{digits}' AS {DECIMAL})"))
}

pub(crate) fn double_number(double: f64, dialect: SqlDialect) -> String {
    if double.is_nan() {
        dialect.double("NaN")
    } else if double.is_infinite() {
        dialect.double(if double > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        dialect.double(&format!("{double:E}"))
    }
}

/// The lexical form of a computed number.
fn number_text(
    kinds: ValueKinds,
    [exact, double]: [Option<&str>; 2],
    type_name: &str,
    dialect: SqlDialect,
) -> String {
    let mut cases = Vec::new();
    if let Some(exact) = exact {
        cases.push((format!("{exact} IS NOT NULL"), dialect.call("decimal_text", &[exact])));
    }
    if let Some(double) = double.filter(|_| kinds.may_be(ValueKinds::DOUBLE | ValueKinds::FLOAT)) {
        if kinds.may_be(ValueKinds::FLOAT) {
            let condition = format!("{type_name} = {}", dialect.text(xsd::FLOAT.as_str()));
            cases.push((condition, dialect.call("float_text", &[double])));
        }
        cases.push((format!("{double} IS NOT NULL"), dialect.call("double_text", &[double])));
    }
    case(&cases, None)
}

/// A chain of conditions.
pub(crate) fn case(cases: &[(String, String)], otherwise: Option<&str>) -> String {
    let mut text = String::new();
    for (condition, value) in cases {
        match condition.as_str() {
            "FALSE" => {}
            "TRUE" if text.is_empty() => return value.clone(),
            "TRUE" => return format!("CASE{text} ELSE {value} END"),
            condition => text.push_str(&format!(" WHEN {condition} THEN {value}")),
        }
    }
    match (text.is_empty(), otherwise) {
        (true, otherwise) => otherwise.unwrap_or("NULL").to_owned(),
        (false, Some(otherwise)) => format!("CASE{text} ELSE {otherwise} END"),
        (false, None) => format!("CASE{text} END"),
    }
}
