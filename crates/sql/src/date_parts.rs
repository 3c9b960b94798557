//! The parts of times as SQL (SPARQL 1.1, section 17.4.5), read from lexical forms.

use oxrdf::vocab::xsd;
use spargebra::algebra::Function;

use super::comparisons::{is_moment, is_plain_date};
use super::dialect::SqlDialect;
use super::sql_value::{DECIMAL, SqlValue, case};
use super::value_kinds::ValueKinds;

/// The end of a time: the offset of its zone.
const OFFSET: &str = "(Z|[+-][0-9]{2}:[0-9]{2})\\z";

/// Returns a part of a time.
pub(crate) fn date_part(function: &Function, value: &SqlValue, dialect: SqlDialect) -> SqlValue {
    if !value.kinds.may_be(ValueKinds::TIME | ValueKinds::OTHER) {
        return SqlValue::absent(dialect);
    }
    let own = &value.text;
    let name = if dialect == SqlDialect::DataFusion { "substr" } else { "substring" };
    let part = |from: usize, length: usize| format!("CAST({name}({own}, {from}, {length}) AS BIGINT)");
    let is_usual = dialect.matches(own, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):");
    let is_time = match &value.time {
        Some(time) => format!("{time} IS NOT NULL AND {is_usual}"),
        None => "FALSE".to_owned(),
    };
    let has_offset = dialect.matches(own, OFFSET);
    let offset = format!("CASE WHEN {own} LIKE '%Z' THEN 'Z' ELSE {} END", right(own, 6));
    let of_time = match function {
        Function::Year => part(1, 4),
        Function::Month => part(6, 2),
        Function::Day => part(9, 2),
        Function::Hours => part(12, 2),
        Function::Minutes => part(15, 2),
        Function::Seconds => {
            let end = match dialect {
                SqlDialect::DuckDb => {
                    format!("regexp_extract({own}, ':([0-9]{{2}}([.][0-9]+)?)(Z|[+-]|\\z)', 1)")
                }
                // A time ends at its zone.
                _ => format!("regexp_replace({name}({own}, 18), '(Z|[+-].*)', '')"),
            };
            format!("CAST({end} AS {DECIMAL})")
        }
        Function::Tz => format!("CASE WHEN {has_offset} THEN {offset} ELSE '' END"),
        _ => {
            let sign = format!("CASE WHEN {} = '-' THEN '-' ELSE '' END", left(&right(own, 6), 1));
            let hours = format!("CAST({name}({}, 2, 2) AS BIGINT)", right(own, 6));
            let minutes = format!("CAST({} AS BIGINT)", right(own, 2));
            let text = dialect.text_type();
            let of_hours = format!("CASE WHEN {hours} > 0 THEN CAST({hours} AS {text}) || 'H' ELSE '' END");
            let of_minutes =
                format!("CASE WHEN {minutes} > 0 THEN CAST({minutes} AS {text}) || 'M' ELSE '' END");
            format!(
                "CASE WHEN NOT {has_offset} THEN NULL WHEN {own} LIKE '%Z' OR {own} LIKE '%00:00' THEN 'PT0S' ELSE {sign} || 'PT' || {of_hours} || {of_minutes} END"
            )
        }
    };
    let mut cases = vec![(is_time, of_time.clone())];
    let date = is_plain_date(value, dialect);
    if matches!(function, Function::Year | Function::Month | Function::Day) {
        cases.push((date, of_time));
    } else if *function == Function::Tz {
        cases.push((date, "''".to_owned()));
    } else {
        cases.push((date, "NULL".to_owned()));
    }
    if value.kinds.may_be(ValueKinds::OTHER) {
        let why = "a part of a time or date in an unusual form";
        let refusal = match function {
            Function::Tz | Function::Timezone => dialect.refuse_text(why),
            _ => dialect.refuse(why),
        };
        cases.push((is_moment(value, dialect), refusal));
    }
    let found = case(&cases, None);
    match function {
        Function::Seconds => {
            let type_name = super::sql_value::typed(&found, xsd::DECIMAL, dialect);
            let double = dialect.text_as_double(&found);
            SqlValue::from_number(ValueKinds::DECIMAL, [Some(found), Some(double)], type_name, dialect)
        }
        Function::Tz => SqlValue::from_text(found, dialect),
        Function::Timezone => {
            let type_name = super::sql_value::typed(&found, xsd::DAY_TIME_DURATION, dialect);
            SqlValue { kinds: ValueKinds::OTHER, text: found, type_name, ..SqlValue::absent(dialect) }
        }
        _ => SqlValue::from_integer(&found, dialect),
    }
}

fn right(text: &str, length: usize) -> String {
    format!("right({text}, {length})")
}

fn left(text: &str, length: usize) -> String {
    format!("left({text}, {length})")
}
