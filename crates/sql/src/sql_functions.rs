//! Functions that the statements call. For DuckDB and Spark they are defined beside the views of an export; DataFusion has
//! no functions of its users in SQL, so that their bodies are written into the statement.

use super::dialect::SqlDialect;

impl SqlDialect {
    /// The statements that define the functions, which have to run before a query. Each ends with a semicolon at the end
    /// of its line.
    pub fn functions(self) -> &'static str {
        match self {
            Self::DuckDb => include_str!("functions/duckdb.sql"),
            Self::Spark => include_str!("functions/spark.sql"),
            Self::DataFusion => "",
        }
    }

    /// A call of a function.
    pub(crate) fn call(self, name: &str, arguments: &[&str]) -> String {
        let body = match self {
            Self::DuckDb | Self::Spark => None,
            Self::DataFusion => BODIES.iter().find(|(known, _)| *known == name).map(|(_, body)| *body),
        };
        let Some(body) = body else { return format!("sparql_{name}({})", arguments.join(", ")) };
        // In one pass, so that an argument may contain what looks like a place for another one.
        let mut text = String::new();
        let mut rest = body;
        while let Some((before, (place, behind))) =
            rest.split_once('{').and_then(|(before, from)| Some((before, from.split_once('}')?)))
        {
            let argument = place.parse().ok().and_then(|place: usize| arguments.get(place.checked_sub(1)?));
            text.push_str(&format!("{before}({})", argument.copied().unwrap_or("NULL")));
            rest = behind;
        }
        text.push_str(rest);
        format!("({text})")
    }
}

/// The bodies of functions for DataFusion, with `{1}` and so on for the arguments.
const BODIES: [(&str, &str); 11] = [
    ("exact", "CASE WHEN {1} OR {2} BETWEEN -9223372036854775808 AND 9223372036854775807 THEN {2} END"),
    ("decimal_text", "regexp_replace(CAST({1} AS VARCHAR), '[.]?0+$', '')"),
    (
        "double_text",
        "CASE WHEN isnan({1}) THEN 'NaN' WHEN {1} = CAST('Infinity' AS DOUBLE) THEN 'INF' \
         WHEN {1} = CAST('-Infinity' AS DOUBLE) THEN '-INF' \
         WHEN strpos(CAST({1} AS VARCHAR), 'e-') > 0 THEN CASE WHEN {1} < 0 THEN '-' ELSE '' END || '0.' \
         || repeat('0', TRY_CAST(split_part(CAST({1} AS VARCHAR), 'e-', 2) AS BIGINT) - 1) \
         || replace(replace(split_part(CAST({1} AS VARCHAR), 'e', 1), '.', ''), '-', '') \
         WHEN strpos(CAST({1} AS VARCHAR), 'e') > 0 THEN \
         rpad(replace(split_part(CAST({1} AS VARCHAR), 'e', 1), '.', ''), \
         TRY_CAST(split_part(CAST({1} AS VARCHAR), 'e', 2) AS BIGINT) + 1 + CASE WHEN {1} < 0 THEN 1 ELSE 0 END, '0') \
         ELSE regexp_replace(CAST({1} AS VARCHAR), '[.]0$', '') END",
    ),
    (
        "float_text",
        "CASE WHEN isnan({1}) THEN 'NaN' WHEN {1} = CAST('Infinity' AS DOUBLE) THEN 'INF' \
         WHEN {1} = CAST('-Infinity' AS DOUBLE) THEN '-INF' \
         WHEN strpos(CAST(CAST({1} AS FLOAT) AS VARCHAR), 'e') > 0 THEN \
         CAST(CAST('sql::unsupported: a float has an exponent' || CAST(random() AS VARCHAR) AS BIGINT) AS VARCHAR) \
         ELSE regexp_replace(CAST(CAST({1} AS FLOAT) AS VARCHAR), '[.]0$', '') END",
    ),
    (
        "product",
        "arrow_cast(trunc(arrow_cast({1}, 'Decimal256(76, 18)') * arrow_cast({2}, 'Decimal256(76, 18)'), 18), 'Decimal128(38, 18)')",
    ),
    ("quotient", QUOTIENT),
    ("average", QUOTIENT),
    ("truncated", "trunc({1})"),
    // Its timestamps have nanoseconds, and therefore only some centuries.
    (
        "time",
        "CASE WHEN substr({1}, 1, 4) BETWEEN '1700' AND '2200' THEN CAST(TRY_CAST({1} AS TIMESTAMP) AS BIGINT) / 1000 \
         ELSE CAST('sql::unsupported: a time before 1700 or after 2200 is cast' || CAST(random() AS VARCHAR) AS BIGINT) END",
    ),
    (
        "double_as_integer",
        "CASE WHEN isnan({1}) THEN NULL WHEN {1} >= -9223372036854775808e0 AND {1} < 9223372036854775808e0 \
         THEN CAST(CAST(trunc({1}) AS BIGINT) AS DECIMAL(38,18)) END",
    ),
    (
        "double_as_decimal",
        "CASE WHEN isnan({1}) OR abs({1}) = CAST('Infinity' AS DOUBLE) THEN NULL \
         WHEN (abs({1}) < 1e5 AND {1} * 1024 = floor({1} * 1024)) OR (abs({1}) < 1e15 AND {1} = floor({1})) \
         THEN CAST(CAST({1} AS VARCHAR) AS DECIMAL(38,18)) \
         ELSE CAST(CAST('sql::unsupported: a double with many digits is cast to a decimal' \
         || CAST(random() AS VARCHAR) AS BIGINT) AS DECIMAL(38,18)) END",
    ),
];

/// Numerator and divisor are integers of up to 76 digits; the rest of the division is taken off before it, so that the
/// division has none.
const QUOTIENT: &str = "arrow_cast(arrow_cast(\
     (arrow_cast(arrow_cast({1}, 'Decimal256(76, 18)') * arrow_cast('1000000000000000000000000000000000000', 'Decimal256(76, 0)'), 'Decimal256(76, 0)') \
     - arrow_cast(arrow_cast({1}, 'Decimal256(76, 18)') * arrow_cast('1000000000000000000000000000000000000', 'Decimal256(76, 0)'), 'Decimal256(76, 0)') \
     % nullif(arrow_cast(arrow_cast({2}, 'Decimal256(76, 18)') * arrow_cast('1000000000000000000', 'Decimal256(76, 0)'), 'Decimal256(76, 0)'), arrow_cast('0', 'Decimal256(76, 0)'))) \
     / nullif(arrow_cast(arrow_cast({2}, 'Decimal256(76, 18)') * arrow_cast('1000000000000000000', 'Decimal256(76, 0)'), 'Decimal256(76, 0)'), arrow_cast('0', 'Decimal256(76, 0)')), \
     'Decimal256(76, 0)') * arrow_cast('0.000000000000000001', 'Decimal256(76, 18)'), 'Decimal128(38, 18)')";
