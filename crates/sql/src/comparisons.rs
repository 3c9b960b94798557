//! `=`, `<` and the effective boolean value as SQL (SPARQL 1.1, sections 17.2.2 and 17.3). NULL is an error.

use oxrdf::NamedNodeRef;
use oxrdf::vocab::xsd;

use super::dialect::SqlDialect;
use super::sql_value::{SqlValue, case};
use super::value_kinds::ValueKinds;

/// How a condition is used: an error may become false, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TruthUse {
    /// Only solutions for which the condition is true count.
    Filter,
    /// True, false and an error differ.
    Exact,
}

/// The datatypes whose values are ordered and have no column.
const TEMPORAL: [NamedNodeRef<'_>; 11] = [
    xsd::DATE_TIME,
    xsd::DATE,
    xsd::TIME,
    xsd::G_YEAR,
    xsd::G_YEAR_MONTH,
    xsd::G_MONTH,
    xsd::G_MONTH_DAY,
    xsd::G_DAY,
    xsd::DURATION,
    xsd::YEAR_MONTH_DURATION,
    xsd::DAY_TIME_DURATION,
];

const NUMERIC: [NamedNodeRef<'_>; 16] = [
    xsd::INTEGER,
    xsd::DECIMAL,
    xsd::DOUBLE,
    xsd::FLOAT,
    xsd::BYTE,
    xsd::SHORT,
    xsd::INT,
    xsd::LONG,
    xsd::UNSIGNED_BYTE,
    xsd::UNSIGNED_SHORT,
    xsd::UNSIGNED_INT,
    xsd::UNSIGNED_LONG,
    xsd::NON_NEGATIVE_INTEGER,
    xsd::POSITIVE_INTEGER,
    xsd::NON_POSITIVE_INTEGER,
    xsd::NEGATIVE_INTEGER,
];

const FOURTEEN_HOURS: i64 = 14 * 3600 * 1_000_000;

/// Returns a condition on the type of a value.
pub(crate) fn is_among(value: &SqlValue, datatypes: &[NamedNodeRef<'_>], dialect: SqlDialect) -> String {
    let names: Vec<String> = datatypes.iter().map(|name| dialect.text(name.as_str())).collect();
    format!("{} IN ({})", value.type_name, names.join(", "))
}

pub(crate) fn is_numeric_type(value: &SqlValue, dialect: SqlDialect) -> String {
    is_among(value, &NUMERIC, dialect)
}

/// Returns a condition: the value is a number.
pub(crate) fn is_number(value: &SqlValue) -> String {
    match &value.double {
        None => "FALSE".to_owned(),
        Some(_) if value.is_certain && value.kinds.are(ValueKinds::NUMBER) => "TRUE".to_owned(),
        Some(double) => format!("{double} IS NOT NULL"),
    }
}

/// Returns a condition: the value is a date without a zone, whose order is that of its text.
pub(crate) fn is_plain_date(value: &SqlValue, dialect: SqlDialect) -> String {
    if !value.kinds.may_be(ValueKinds::OTHER) {
        return "FALSE".to_owned();
    }
    let text = &value.text;
    let has_form = dialect.matches(text, "^[0-9]{4}-[0-9]{2}-[0-9]{2}\\z");
    let is_date = value.has_datatype(xsd::DATE, dialect);
    format!("({is_date} AND {has_form} AND {} AND {text} >= '0001')", dialect.is_day(text))
}

/// Returns a condition: the value may have an order that its columns do not have.
fn is_temporal(value: &SqlValue, dialect: SqlDialect) -> String {
    if !value.kinds.may_be(ValueKinds::OTHER) {
        return "FALSE".to_owned();
    }
    let is_of_type = is_among(value, &TEMPORAL, dialect);
    match &value.time {
        Some(time) => format!("({is_of_type} AND {time} IS NULL)"),
        None => is_of_type,
    }
}

/// Returns a condition: the value is a literal whose value has no column.
fn is_other(value: &SqlValue, dialect: SqlDialect) -> String {
    if !value.kinds.may_be(ValueKinds::OTHER) {
        return "FALSE".to_owned();
    }
    let type_name = &value.type_name;
    let string = dialect.text(xsd::STRING.as_str());
    let mut parts = vec![
        format!("{type_name} NOT IN ('iri', 'blank', {string})"),
        format!("NOT {}", dialect.starts_with(type_name, "'@'")),
    ];
    for part in [&value.double, &value.time, &value.boolean].into_iter().flatten() {
        parts.push(format!("{part} IS NULL"));
    }
    format!("({})", parts.join(" AND "))
}

fn both(one: &str, other: &str) -> String {
    match (one, other) {
        ("FALSE", _) | (_, "FALSE") => "FALSE".to_owned(),
        ("TRUE", condition) | (condition, "TRUE") => condition.to_owned(),
        (one, other) => format!("{one} AND {other}"),
    }
}

/// Returns the comparison of two numbers by an operator. NaN is not equal to anything, and has no order.
fn compared_numbers(operator: &str, left: &SqlValue, right: &SqlValue, dialect: SqlDialect) -> String {
    let mut cases = Vec::new();
    if let (Some(one), Some(other)) = (&left.exact, &right.exact) {
        let condition = if left.kinds.are(ValueKinds::EXACT) && right.kinds.are(ValueKinds::EXACT) {
            "TRUE".to_owned()
        } else {
            format!("{one} IS NOT NULL AND {other} IS NOT NULL")
        };
        cases.push((condition, format!("{one} {operator} {other}")));
    }
    let [one, other] = [left, right].map(|value| value.double.clone().unwrap_or_default());
    let guarded = |one: &str, other: &str| {
        let mut parts = vec![format!("{one} {operator} {other}")];
        for (value, sql) in [(left, one), (right, other)] {
            // A constant is not NaN unless it is written so.
            let is_constant = sql.starts_with("CAST('") && !sql.contains("'NaN'");
            if value.kinds.may_be(ValueKinds::FLOAT | ValueKinds::DOUBLE) && !is_constant {
                parts.push(format!("NOT {}", dialect.is_nan(sql)));
            }
        }
        format!("({})", parts.join(" AND "))
    };
    if left.kinds.may_be(ValueKinds::FLOAT) || right.kinds.may_be(ValueKinds::FLOAT) {
        let is_double = |value: &SqlValue| match value.kinds {
            kinds if !kinds.may_be(ValueKinds::DOUBLE) => "FALSE".to_owned(),
            _ => value.has_datatype(xsd::DOUBLE, dialect),
        };
        let doubles: Vec<String> = [is_double(left), is_double(right)]
            .into_iter()
            .filter(|condition| condition != "FALSE")
            .collect();
        let as_float = |value: &SqlValue| as_float(value, dialect);
        let of_floats = guarded(&as_float(left), &as_float(right));
        if !doubles.is_empty() {
            cases.push((doubles.join(" OR "), guarded(&one, &other)));
        }
        cases.push(("TRUE".to_owned(), of_floats));
    } else {
        cases.push(("TRUE".to_owned(), guarded(&one, &other)));
    }
    case(&cases, None)
}

/// A number as a float. A decimal is rounded once.
pub(crate) fn as_float(value: &SqlValue, dialect: SqlDialect) -> String {
    let double = value.double.clone().unwrap_or_default();
    match &value.exact {
        None => format!("CAST({double} AS FLOAT)"),
        Some(exact) => {
            let text = dialect.text_type();
            format!(
                "CASE WHEN {exact} IS NOT NULL THEN CAST(CAST({exact} AS {text}) AS FLOAT) ELSE CAST({double} AS FLOAT) END"
            )
        }
    }
}

/// Returns `left = right`.
pub(crate) fn equality(left: &SqlValue, right: &SqlValue, truth: TruthUse, dialect: SqlDialect) -> String {
    let kinds = [left.kinds, right.kinds];
    let share = |kind: ValueKinds| kinds.iter().all(|kinds| kinds.may_be(kind));
    let is_same = format!("{} = {} AND {} = {}", left.text, right.text, left.type_name, right.type_name);
    let mut cases = Vec::new();
    if truth == TruthUse::Exact {
        let absent: Vec<String> = [left, right]
            .into_iter()
            .filter(|value| !value.is_certain)
            .map(|value| format!("{} IS NULL", value.type_name))
            .collect();
        if !absent.is_empty() {
            cases.push((absent.join(" OR "), "NULL".to_owned()));
        }
    }
    if share(ValueKinds::NUMBER) {
        let condition = both(&is_number(left), &is_number(right));
        cases.push((condition, compared_numbers("=", left, right, dialect)));
    }
    if let (Some(one), Some(other)) = (&left.time, &right.time) {
        let condition = format!("{one} IS NOT NULL AND {other} IS NOT NULL");
        cases.push((condition, format!("({one} = {other} AND {})", same_zones(left, right))));
    }
    if let (Some(one), Some(other)) = (&left.boolean, &right.boolean) {
        cases.push((format!("{one} IS NOT NULL AND {other} IS NOT NULL"), format!("{one} = {other}")));
    }
    if kinds.iter().any(|kinds| kinds.may_be(ValueKinds::OTHER)) {
        cases.extend(other_equality(left, right, &is_same, truth, dialect));
    }
    // Terms of other kinds are equal if they are the same.
    let otherwise = match () {
        () if left.kinds.are(ValueKinds::NUMBER) || right.kinds.are(ValueKinds::NUMBER) => "FALSE".to_owned(),
        () => format!("({is_same})"),
    };
    format!("({})", case(&cases, Some(&otherwise)))
}

/// The cases of `=` in which a value has no column.
fn other_equality(
    left: &SqlValue,
    right: &SqlValue,
    is_same: &str,
    truth: TruthUse,
    dialect: SqlDialect,
) -> Vec<(String, String)> {
    let refusal = dialect.refuse_truth("two times or durations are compared whose values have no columns");
    let temporal = both(&is_temporal(left, dialect), &is_temporal(right, dialect));
    let plain = both(&is_plain_date(left, dialect), &is_plain_date(right, dialect));
    let mut cases = Vec::new();
    if temporal != "FALSE" {
        cases.push((format!("{temporal} AND {is_same}"), "TRUE".to_owned()));
        cases.push((plain, "FALSE".to_owned()));
        cases.push((temporal, refusal));
    }
    if truth == TruthUse::Filter {
        return cases;
    }
    for (one, other) in [(left, right), (right, left)] {
        let is_other_one = is_other(one, dialect);
        let is_without_value = is_other(other, dialect);
        let is_comparable = format!(
            "({} NOT IN ('iri', 'blank') AND NOT {})",
            other.type_name,
            dialect.starts_with(&other.type_name, "'@'")
        );
        cases.push((both(&is_other_one, &is_without_value), format!("CASE WHEN {is_same} THEN TRUE END")));
        // A date is a value, which differs from values of other kinds.
        cases.push((both(&is_plain_date(one, dialect), &is_comparable), "FALSE".to_owned()));
        cases.push((
            both(&is_temporal(one, dialect), &is_comparable),
            dialect.refuse_truth("a time or a duration is compared whose value has no column"),
        ));
        cases.push((both(&is_other_one, &is_comparable), "NULL".to_owned()));
    }
    cases
}

fn same_zones(left: &SqlValue, right: &SqlValue) -> String {
    match (&left.zoned, &right.zoned) {
        (Some(one), Some(other)) => format!("{one} = {other}"),
        _ => "TRUE".to_owned(),
    }
}

/// Returns `left < right`, or another order.
pub(crate) fn ordering(operator: &str, left: &SqlValue, right: &SqlValue, dialect: SqlDialect) -> String {
    let share = |kind: ValueKinds| left.kinds.may_be(kind) && right.kinds.may_be(kind);
    let mut cases = Vec::new();
    if share(ValueKinds::NUMBER) {
        let condition = both(&is_number(left), &is_number(right));
        cases.push((condition, compared_numbers(operator, left, right, dialect)));
    }
    let string = dialect.text(xsd::STRING.as_str());
    let of_texts = format!("{} {operator} {}", left.text, right.text);
    if share(ValueKinds::STRING) {
        let is_string = |value: &SqlValue| match value.kinds {
            kinds if value.is_certain && kinds.are(ValueKinds::STRING) => "TRUE".to_owned(),
            _ => format!("{} = {string}", value.type_name),
        };
        cases.push((both(&is_string(left), &is_string(right)), of_texts.clone()));
    }
    if share(ValueKinds::LANGUAGE) {
        let has_language = dialect.starts_with(&left.type_name, "'@'");
        let condition = format!("{has_language} AND {} = {}", left.type_name, right.type_name);
        cases.push((condition, of_texts.clone()));
    }
    if let (Some(one), Some(other)) = (&left.boolean, &right.boolean) {
        cases.push((
            format!("{one} IS NOT NULL AND {other} IS NOT NULL"),
            format!("{one} {operator} {other}"),
        ));
    }
    if let (Some(one), Some(other)) = (&left.time, &right.time) {
        let condition = format!("{one} IS NOT NULL AND {other} IS NOT NULL");
        let zones = [&left.zoned, &right.zoned].map(|zoned| zoned.clone().unwrap_or_default());
        let in_order = case(
            &[
                (same_zones(left, right), format!("{one} {operator} {other}")),
                // With one zone, the order is known if the times are far enough apart.
                (format!("{} AND {one} > {other} + {FOURTEEN_HOURS}", zones[0]), greater(operator)),
                (format!("{} AND {one} < {other} - {FOURTEEN_HOURS}", zones[0]), less(operator)),
                (format!("{} AND {one} + {FOURTEEN_HOURS} < {other}", zones[1]), less(operator)),
                (format!("{} AND {one} - {FOURTEEN_HOURS} > {other}", zones[1]), greater(operator)),
            ],
            None,
        );
        cases.push((condition, in_order));
    }
    if share(ValueKinds::OTHER) {
        cases.push((both(&is_plain_date(left, dialect), &is_plain_date(right, dialect)), of_texts));
        let refusal =
            dialect.refuse_truth("two times or durations are compared whose values have no columns");
        cases.push((both(&is_temporal(left, dialect), &is_temporal(right, dialect)), refusal));
    }
    format!("({})", case(&cases, Some("CAST(NULL AS BOOLEAN)")))
}

fn less(operator: &str) -> String {
    if operator.starts_with('<') { "TRUE" } else { "FALSE" }.to_owned()
}

fn greater(operator: &str) -> String {
    if operator.starts_with('>') { "TRUE" } else { "FALSE" }.to_owned()
}

/// Returns the effective boolean value.
pub(crate) fn truth(value: &SqlValue, dialect: SqlDialect) -> String {
    let mut cases = Vec::new();
    if let Some(boolean) = &value.boolean {
        if value.kinds.are(ValueKinds::BOOLEAN) {
            return boolean.clone();
        }
        cases.push((format!("{boolean} IS NOT NULL"), boolean.clone()));
    }
    if let Some(double) = &value.double {
        let is_true = match value.kinds.may_be(ValueKinds::FLOAT | ValueKinds::DOUBLE) {
            true => format!("({double} <> 0 AND NOT {})", dialect.is_nan(double)),
            false => format!("{double} <> 0"),
        };
        cases.push((format!("{double} IS NOT NULL"), is_true));
    }
    let string = dialect.text(xsd::STRING.as_str());
    if value.kinds.may_be(ValueKinds::TEXT) {
        let is_text =
            format!("{} = {string} OR {}", value.type_name, dialect.starts_with(&value.type_name, "'@'"));
        cases.push((is_text, format!("{} <> ''", value.text)));
    }
    if value.kinds.may_be(ValueKinds::OTHER) {
        let numeric = is_numeric_type(value, dialect);
        let is_large = format!(
            "{numeric} AND {} AND {}",
            dialect.matches(&value.text, "^[+-]?[0-9]*[.]?[0-9]*\\z"),
            dialect.matches(&value.text, "[1-9]")
        );
        cases.push((is_large, dialect.refuse_truth("a number is too large, or is not of its datatype")));
        // An ill-formed number or boolean is false, and no error.
        let is_known = format!("{numeric} OR {}", value.has_datatype(xsd::BOOLEAN, dialect));
        cases.push((is_known, "FALSE".to_owned()));
    }
    format!("({})", case(&cases, Some("CAST(NULL AS BOOLEAN)")))
}

/// The keys by which values are sorted: no value, blank nodes, IRIs, literals by kind (section 15.1).
pub(crate) fn order_keys(value: &SqlValue, dialect: SqlDialect) -> Vec<String> {
    let type_name = &value.type_name;
    let mut keys = Vec::new();
    let is_date = is_plain_date(value, dialect);
    let mut ranks = vec![(format!("{type_name} IS NULL"), "-1".to_owned())];
    if value.kinds.may_be(ValueKinds::BLANK) {
        ranks.push((format!("{type_name} = 'blank'"), "0".to_owned()));
    }
    if value.kinds.may_be(ValueKinds::IRI) {
        ranks.push((format!("{type_name} = 'iri'"), "1".to_owned()));
    }
    for (part, rank) in [(&value.double, 2), (&value.time, 3)] {
        if let Some(part) = part {
            ranks.push((format!("{part} IS NOT NULL"), rank.to_string()));
        }
    }
    ranks.push((is_date, "4".to_owned()));
    if let Some(boolean) = &value.boolean {
        ranks.push((format!("{boolean} IS NOT NULL"), "5".to_owned()));
    }
    let refusal = dialect.refuse("times or durations are sorted whose values have no columns");
    ranks.push((is_temporal(value, dialect), refusal));
    keys.push(case(&ranks, Some("13")));
    keys.extend([&value.double, &value.exact, &value.time, &value.boolean].into_iter().flatten().cloned());
    // The values of these have no order by text.
    let has_value: Vec<String> = [&value.double, &value.time, &value.boolean]
        .into_iter()
        .flatten()
        .map(|part| format!("{part} IS NULL"))
        .collect();
    if has_value.is_empty() {
        keys.push(value.text.clone());
    } else {
        keys.push(format!("CASE WHEN {} THEN {} END", has_value.join(" AND "), value.text));
    }
    if value.kinds.may_be(ValueKinds::TEXT | ValueKinds::OTHER) {
        keys.push(type_name.clone());
    }
    // A constant has no order.
    keys.retain(|key| !key.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '\''));
    keys
}

/// Returns a condition: the value is a time, a date or a duration.
pub(crate) fn is_moment(value: &SqlValue, dialect: SqlDialect) -> String {
    is_among(value, &TEMPORAL, dialect)
}
