//! Strings and their languages as SQL (SPARQL 1.1, sections 17.4.2 and 17.4.3).

use oxrdf::vocab::{rdf, xsd};

use super::dialect::SqlDialect;
use super::sql_value::{SqlValue, case};
use super::value_kinds::ValueKinds;

/// The text of a string with or without a language, or NULL.
pub(crate) fn text(value: &SqlValue, dialect: SqlDialect) -> String {
    if value.kinds.are(ValueKinds::TEXT) {
        return value.text.clone();
    }
    let string = dialect.text(xsd::STRING.as_str());
    let mut condition = format!("{} = {string}", value.type_name);
    if value.kinds.may_be(ValueKinds::LANGUAGE) {
        condition = format!("{condition} OR {}", dialect.starts_with(&value.type_name, "'@'"));
    }
    if value.kinds.may_be(ValueKinds::TEXT) {
        format!("CASE WHEN {condition} THEN {} END", value.text)
    } else {
        format!("CAST(NULL AS {})", dialect.text_type())
    }
}

/// The text of a string without a language, or NULL.
pub(crate) fn simple(value: &SqlValue, dialect: SqlDialect) -> String {
    if value.kinds.are(ValueKinds::STRING) {
        return value.text.clone();
    }
    let string = dialect.text(xsd::STRING.as_str());
    format!("CASE WHEN {} = {string} THEN {} END", value.type_name, value.text)
}

/// A text with the type of another string.
pub(crate) fn of_text_type(text: String, value: &SqlValue, dialect: SqlDialect) -> SqlValue {
    SqlValue::from_text_of_type(text, &value.type_name, value.kinds & ValueKinds::TEXT, dialect)
}

pub(crate) fn language(value: &SqlValue, dialect: SqlDialect) -> String {
    let has_language = dialect.starts_with(&value.type_name, "'@'");
    let tag = format!("substring({}, 2)", value.type_name);
    let tag = if dialect == SqlDialect::DataFusion { format!("substr({}, 2)", value.type_name) } else { tag };
    let is_literal = format!("{} NOT IN ('iri', 'blank')", value.type_name);
    case(&[(has_language, tag), (is_literal, "''".to_owned())], None)
}

pub(crate) fn datatype(value: &SqlValue, dialect: SqlDialect) -> String {
    let has_language = dialect.starts_with(&value.type_name, "'@'");
    let is_literal = format!("{} NOT IN ('iri', 'blank')", value.type_name);
    let of_language = dialect.text(rdf::LANG_STRING.as_str());
    case(&[(has_language, of_language), (is_literal, value.type_name.clone())], None)
}

/// Section 17.4.3.2: a range is a tag or the beginning of one, or `*`.
pub(crate) fn language_matches(tag: &SqlValue, range: &SqlValue, dialect: SqlDialect) -> String {
    let (tag, range) = (simple(tag, dialect), simple(range, dialect));
    let begins = dialect.starts_with(&format!("lower({tag})"), &format!("lower({range}) || '-'"));
    format!(
        "CASE WHEN {range} = '*' THEN {tag} <> '' WHEN {range} IS NOT NULL THEN lower({tag}) = lower({range}) OR {begins} END"
    )
}

/// A condition on two strings, of which the second has no language or that of the first.
pub(crate) fn in_same_language(
    value: &SqlValue,
    part: &SqlValue,
    condition: String,
    dialect: SqlDialect,
) -> String {
    if part.kinds.are(ValueKinds::STRING) {
        return condition;
    }
    let string = dialect.text(xsd::STRING.as_str());
    format!(
        "CASE WHEN {} = {string} OR {} = {} THEN {condition} END",
        part.type_name, part.type_name, value.type_name
    )
}

pub(crate) fn substring(values: &[SqlValue], dialect: SqlDialect) -> SqlValue {
    let absent = SqlValue::absent(dialect);
    let at = |at: usize| values.get(at).unwrap_or(&absent);
    let integer = |value: &SqlValue| {
        let exact = value.exact.clone().unwrap_or_else(|| "NULL".to_owned());
        // A constant is written as it is.
        let digits =
            exact.strip_prefix("CAST('").and_then(|rest| rest.split_once('\'')).map(|(digits, _)| digits);
        if let Some(digits) = digits.filter(|digits| value.is_certain && digits.parse::<i32>().is_ok()) {
            return digits.to_owned();
        }
        match value.kinds.may_be(ValueKinds::DECIMAL) {
            false => format!("CAST({exact} AS BIGINT)"),
            true => {
                let is_decimal = value.has_datatype(xsd::DECIMAL, dialect);
                format!("CASE WHEN NOT ({is_decimal}) THEN CAST({exact} AS BIGINT) END")
            }
        }
    };
    let own = text(at(0), dialect);
    let start = integer(at(1));
    let name = if dialect == SqlDialect::DataFusion { "substr" } else { "substring" };
    // Places before the first character count, so a length may end before it.
    let from = format!("greatest({start}, 1)");
    let part = match values.len() {
        3 => {
            let length = integer(at(2));
            let count = format!("greatest(CAST({start} AS DECIMAL(38,0)) + {length} - {from}, 0)");
            let count = format!("CAST(least({count}, 2147483647) AS BIGINT)");
            format!("{name}({own}, least({from}, 2147483647), {count})")
        }
        _ => format!("{name}({own}, least({from}, 2147483647))"),
    };
    let are_there = match values.len() {
        3 => format!("{start} IS NOT NULL AND {} IS NOT NULL", integer(at(2))),
        _ => format!("{start} IS NOT NULL"),
    };
    of_text_type(format!("CASE WHEN {are_there} THEN {part} END"), at(0), dialect)
}

/// STRBEFORE and STRAFTER.
pub(crate) fn around(value: &SqlValue, part: &SqlValue, is_before: bool, dialect: SqlDialect) -> SqlValue {
    let (own, sought) = (text(value, dialect), text(part, dialect));
    let place = dialect.place_of(&own, &sought);
    let name = if dialect == SqlDialect::DataFusion { "substr" } else { "substring" };
    let found = match is_before {
        true => format!("{name}({own}, 1, {place} - 1)"),
        false => format!("{name}({own}, {place} + {})", dialect.length(&sought)),
    };
    let empty = match is_before {
        true => "''".to_owned(),
        false => own.clone(),
    };
    // An empty text is found at the beginning.
    let cut = format!(
        "CASE WHEN {sought} = '' THEN CASE WHEN {own} IS NOT NULL THEN {empty} END WHEN {place} = 0 THEN '' WHEN {place} > 0 THEN {found} END"
    );
    let cut = in_same_language(value, part, cut, dialect);
    let string = dialect.text(xsd::STRING.as_str());
    let type_name =
        format!("CASE WHEN {sought} = '' OR {place} > 0 THEN {} ELSE {string} END", value.type_name);
    SqlValue::from_text_of_type(
        cut,
        &type_name,
        (value.kinds & ValueKinds::TEXT) | ValueKinds::STRING,
        dialect,
    )
}

pub(crate) fn concatenated(values: &[SqlValue], dialect: SqlDialect) -> SqlValue {
    let texts: Vec<String> = values.iter().map(|value| text(value, dialect)).collect();
    let joined = match texts.is_empty() {
        true => "''".to_owned(),
        false => format!("({})", texts.join(" || ")),
    };
    let string = dialect.text(xsd::STRING.as_str());
    let [first, others @ ..] = values else { return SqlValue::from_text(joined, dialect) };
    if !first.kinds.may_be(ValueKinds::LANGUAGE)
        || others.iter().any(|other| !other.kinds.may_be(ValueKinds::LANGUAGE))
    {
        return SqlValue::from_text(joined, dialect);
    }
    let mut same = vec![dialect.starts_with(&first.type_name, "'@'")];
    same.extend(others.iter().map(|other| format!("{} = {}", other.type_name, first.type_name)));
    let type_name = format!("CASE WHEN {} THEN {} ELSE {string} END", same.join(" AND "), first.type_name);
    SqlValue::from_text_of_type(joined, &type_name, ValueKinds::TEXT, dialect)
}
