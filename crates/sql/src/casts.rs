//! Casts, and literals made from texts, as SQL (SPARQL 1.1, section 17.5).

use oxrdf::NamedNodeRef;
use oxrdf::vocab::xsd;

use super::comparisons::{is_among, is_moment, is_plain_date};
use super::dialect::SqlDialect;
use super::sql_refusal::SqlRefusal;
use super::sql_value::{DECIMAL, SqlValue, case, typed};
use super::strings::text;
use super::value_kinds::ValueKinds;

const INTEGER_FORM: &str = "^[+-]?[0-9]+\\z";
const DECIMAL_FORM: &str = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)\\z";
/// More digits than a decimal has after the point, which are not all zero.
const FINE_DECIMAL: &str = "[.][0-9]{18}[0-9]*[1-9]";
const DOUBLE_FORM: &str = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?\\z";
const BLANKS: &str = "' ' || chr(9) || chr(10) || chr(13)";

/// Casts a value to a datatype.
pub(crate) fn cast(
    value: &SqlValue,
    datatype: NamedNodeRef<'_>,
    dialect: SqlDialect,
) -> Result<SqlValue, SqlRefusal> {
    let of_text = trimmed(value, dialect);
    match datatype {
        xsd::STRING => Ok(SqlValue::from_text(as_text(value, dialect), dialect)),
        xsd::BOOLEAN => Ok(SqlValue::from_boolean(&as_boolean(value, &of_text, dialect), dialect)),
        xsd::INTEGER => {
            let mut cases = of_numbers(value, |exact| dialect.call("truncated", &[exact]));
            if value.kinds.may_be(ValueKinds::FLOAT | ValueKinds::DOUBLE) {
                let double = value.double.clone().unwrap_or_default();
                cases.push((format!("{double} IS NOT NULL"), dialect.call("double_as_integer", &[&double])));
            }
            cases.extend(of_boolean(value, "1", "0"));
            let digits = digits(&of_text, INTEGER_FORM, dialect);
            cases.push(digits);
            let exact = dialect.call("exact", &["FALSE", &case(&cases, None)]);
            Ok(number(ValueKinds::INTEGER, Some(exact), None, xsd::INTEGER, dialect))
        }
        xsd::DECIMAL => {
            let mut cases = of_numbers(value, str::to_owned);
            if value.kinds.may_be(ValueKinds::FLOAT | ValueKinds::DOUBLE) {
                let double = value.double.clone().unwrap_or_default();
                cases.push((format!("{double} IS NOT NULL"), dialect.call("double_as_decimal", &[&double])));
            }
            cases.extend(of_boolean(value, "1", "0"));
            cases.extend(decimal(&of_text, dialect));
            let exact = format!("CAST({} AS {DECIMAL})", case(&cases, None));
            Ok(number(ValueKinds::DECIMAL, Some(exact), None, xsd::DECIMAL, dialect))
        }
        xsd::DOUBLE => {
            let mut cases = Vec::new();
            if let Some(double) = &value.double {
                cases.push((format!("{double} IS NOT NULL"), double.clone()));
            }
            cases.extend(of_boolean(value, "1", "0"));
            cases.extend(floating(&of_text, "DOUBLE", dialect));
            let double = format!("CAST({} AS DOUBLE)", case(&cases, None));
            Ok(number(ValueKinds::DOUBLE, None, Some(double), xsd::DOUBLE, dialect))
        }
        xsd::FLOAT => {
            let mut cases = Vec::new();
            if value.double.is_some() {
                let double = value.double.clone().unwrap_or_default();
                cases.push((format!("{double} IS NOT NULL"), super::comparisons::as_float(value, dialect)));
            }
            cases.extend(of_boolean(value, "1", "0"));
            cases.extend(floating(&of_text, "FLOAT", dialect));
            let double = format!("CAST(CAST({} AS FLOAT) AS DOUBLE)", case(&cases, None));
            Ok(number(ValueKinds::FLOAT, None, Some(double), xsd::FLOAT, dialect))
        }
        xsd::DATE_TIME => Ok(as_time(value, &of_text, dialect)),
        other => {
            let why = "only xsd:string, boolean, integer, decimal, float and double are casts in SQL";
            Err(SqlRefusal::from_function(&format!("<{}>", other.as_str()), why))
        }
    }
}

/// A time as it is written, if it is written as its value is.
const USUAL_TIME: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{0,5}[1-9])?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])?\\z";

/// A cast to `xsd:dateTime`.
fn as_time(value: &SqlValue, text: &str, dialect: SqlDialect) -> SqlValue {
    let own = match &value.time {
        Some(time) => format!("CASE WHEN {time} IS NOT NULL THEN {} ELSE {text} END", value.text),
        None => text.to_owned(),
    };
    let is_usual =
        format!("{} AND {own} >= '0001' AND {own} NOT LIKE '%00:00'", dialect.matches(&own, USUAL_TIME));
    let microseconds = dialect.call("time", &[&own]);
    let looks_so = dialect.matches(&own, "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T");
    let mut cases =
        vec![(is_usual, microseconds), (looks_so, dialect.refuse("a time in an unusual form is cast"))];
    if value.kinds.may_be(ValueKinds::OTHER) {
        cases
            .push((is_moment(value, dialect), dialect.refuse("a date in an unusual form is cast to a time")));
    }
    let time = case(&cases, None);
    let type_name = typed(&time, xsd::DATE_TIME, dialect);
    SqlValue {
        kinds: ValueKinds::TIME,
        zoned: Some(format!(
            "CASE WHEN {time} IS NOT NULL THEN {} END",
            dialect.matches(&own, "(Z|[+-][0-9]{2}:[0-9]{2})\\z")
        )),
        text: format!("CASE WHEN {time} IS NOT NULL THEN {own} END"),
        time: Some(time),
        type_name,
        ..SqlValue::absent(dialect)
    }
}

/// A literal with a text and a datatype (STRDT). It keeps the text.
pub(crate) fn typed_text(text: &str, datatype: NamedNodeRef<'_>, dialect: SqlDialect) -> SqlValue {
    let type_name = typed(text, datatype, dialect);
    let base = SqlValue { text: text.to_owned(), type_name, ..SqlValue::absent(dialect) };
    let other = ValueKinds::OTHER;
    match datatype {
        xsd::STRING => SqlValue { kinds: ValueKinds::STRING, ..base },
        xsd::INTEGER => {
            let exact =
                dialect.call("exact", &["FALSE", &case(&[digits(text, INTEGER_FORM, dialect)], None)]);
            let double = Some(dialect.text_as_double(&exact));
            SqlValue { kinds: ValueKinds::INTEGER | other, exact: Some(exact), double, ..base }
        }
        xsd::DECIMAL => {
            let exact = format!("CAST({} AS {DECIMAL})", case(&decimal(text, dialect), None));
            let double = Some(dialect.text_as_double(&exact));
            SqlValue { kinds: ValueKinds::DECIMAL | other, exact: Some(exact), double, ..base }
        }
        xsd::DOUBLE => {
            let double = format!("CAST({} AS DOUBLE)", case(&floating(text, "DOUBLE", dialect), None));
            SqlValue { kinds: ValueKinds::DOUBLE | other, double: Some(double), ..base }
        }
        xsd::BOOLEAN => {
            let boolean = case(&boolean(text), Some("CAST(NULL AS BOOLEAN)"));
            SqlValue { kinds: ValueKinds::BOOLEAN | other, boolean: Some(boolean), ..base }
        }
        _ => SqlValue { kinds: other, ..base },
    }
}

fn number(
    kinds: ValueKinds,
    exact: Option<String>,
    double: Option<String>,
    datatype: NamedNodeRef<'_>,
    dialect: SqlDialect,
) -> SqlValue {
    let double = double.or_else(|| exact.as_ref().map(|exact| dialect.text_as_double(exact)));
    let type_name =
        typed(exact.as_ref().or(double.as_ref()).map_or("NULL", String::as_str), datatype, dialect);
    SqlValue::from_number(kinds, [exact, double], type_name, dialect)
}

/// The text of a string without a language, without surrounding blanks.
fn trimmed(value: &SqlValue, dialect: SqlDialect) -> String {
    let own = match value.kinds.may_be(ValueKinds::LANGUAGE) {
        false => text(value, dialect),
        true => {
            let string = dialect.text(xsd::STRING.as_str());
            format!("CASE WHEN {} = {string} THEN {} END", value.type_name, value.text)
        }
    };
    let name = if dialect == SqlDialect::DuckDb { "trim" } else { "btrim" };
    format!("{name}({own}, {BLANKS})")
}

fn of_numbers(value: &SqlValue, compute: impl Fn(&str) -> String) -> Vec<(String, String)> {
    let exact = value.exact.iter();
    exact.map(|exact| (format!("{exact} IS NOT NULL"), compute(exact))).collect()
}

fn of_boolean(value: &SqlValue, yes: &str, no: &str) -> Option<(String, String)> {
    let boolean = value.boolean.as_ref()?;
    Some((format!("{boolean} IS NOT NULL"), format!("CASE WHEN {boolean} THEN {yes} ELSE {no} END")))
}

/// The case of a text that has a form: its value.
fn digits(text: &str, form: &str, dialect: SqlDialect) -> (String, String) {
    (dialect.matches(text, form), format!("TRY_CAST({text} AS {DECIMAL})"))
}

fn decimal(text: &str, dialect: SqlDialect) -> Vec<(String, String)> {
    let is_fine =
        format!("{} AND {}", dialect.matches(text, DECIMAL_FORM), dialect.matches(text, FINE_DECIMAL));
    vec![(is_fine, "NULL".to_owned()), digits(text, DECIMAL_FORM, dialect)]
}

/// The cases of a text in a form of numbers: its value as a floating-point type.
fn floating(text: &str, sql_type: &str, dialect: SqlDialect) -> [(String, String); 4] {
    [
        (dialect.matches(text, DOUBLE_FORM), format!("CAST({text} AS {sql_type})")),
        (format!("{text} IN ('INF', '+INF')"), dialect.double("Infinity")),
        (format!("{text} = '-INF'"), dialect.double("-Infinity")),
        (format!("{text} = 'NaN'"), dialect.double("NaN")),
    ]
}

fn boolean(text: &str) -> Vec<(String, String)> {
    vec![
        (format!("{text} IN ('true', '1')"), "TRUE".to_owned()),
        (format!("{text} IN ('false', '0')"), "FALSE".to_owned()),
    ]
}

fn as_boolean(value: &SqlValue, text: &str, dialect: SqlDialect) -> String {
    let mut cases = Vec::new();
    if let Some(boolean) = &value.boolean {
        cases.push((format!("{boolean} IS NOT NULL"), boolean.clone()));
    }
    if let Some(double) = &value.double {
        let is_true = format!("({double} <> 0 AND NOT {})", dialect.is_nan(double));
        cases.push((format!("{double} IS NOT NULL"), is_true));
    }
    cases.extend(boolean(text));
    format!("({})", case(&cases, Some("CAST(NULL AS BOOLEAN)")))
}

/// The string of a value (Functions and Operators, section 17.1.2).
fn as_text(value: &SqlValue, dialect: SqlDialect) -> String {
    let own = &value.text;
    let mut cases = vec![(format!("{} = 'blank'", value.type_name), "NULL".to_owned())];
    if let Some(exact) = &value.exact {
        cases.push((format!("{exact} IS NOT NULL"), dialect.call("decimal_text", &[exact])));
    }
    if value.kinds.may_be(ValueKinds::FLOAT | ValueKinds::DOUBLE) {
        let double = value.double.clone().unwrap_or_default();
        let is_plain = format!(
            "{double} = 0 OR (abs({double}) >= 1e-6 AND abs({double}) < 1e6) OR {}",
            dialect.is_nan(&double)
        );
        let is_float = value.has_datatype(xsd::FLOAT, dialect);
        let plain = format!(
            "CASE WHEN {is_float} THEN {} ELSE {} END",
            dialect.call("float_text", &[&double]),
            dialect.call("double_text", &[&double])
        );
        cases.push((format!("{double} IS NOT NULL AND ({is_plain})"), plain));
        let refusal = dialect.refuse_text("a double is cast to a string that has an exponent");
        cases.push((format!("{double} IS NOT NULL"), refusal));
    }
    if let Some(boolean) = &value.boolean {
        let words = format!("CASE WHEN {boolean} THEN 'true' ELSE 'false' END");
        cases.push((format!("{boolean} IS NOT NULL"), words));
    }
    if value.kinds.may_be(ValueKinds::TIME | ValueKinds::OTHER) {
        // These are written as their values are, which may differ from how they are written.
        let is_usual = format!(
            "{} OR {} OR NOT ({})",
            is_plain_date(value, dialect),
            format_args!(
                "({} AND {} AND NOT {})",
                is_among(value, &[xsd::DATE_TIME], dialect),
                dialect.matches(own, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]*[1-9])?(Z|[+-][0-9]{2}:[0-9]{2})?\\z"),
                dialect.matches(own, "T24|[+-]00:00\\z")
            ),
            is_moment(value, dialect)
        );
        let refusal = dialect.refuse_text("a time or a duration in an unusual form is cast to a string");
        cases.push((format!("NOT ({is_usual})"), refusal));
    }
    case(&cases, Some(own))
}
