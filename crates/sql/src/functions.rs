//! Function calls as SQL (SPARQL 1.1, section 17.4).

use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term};
use spargebra::algebra::{Expression, Function};

use super::casts;
use super::comparisons::is_numeric_type;
use super::date_parts;
use super::dialect::SqlDialect;
use super::patterns_of_text::{sql_pattern, sql_replacement};
use super::sql_refusal::SqlRefusal;
use super::sql_value::{DECIMAL, SolutionScope, SqlValue, case};
use super::strings::{
    around, concatenated, datatype, in_same_language, language, language_matches, of_text_type, simple,
    substring, text,
};
use super::translator::SqlTranslator;
use super::value_kinds::ValueKinds;
use evalgraph_rdf::minted::GRAPHS;
use evalgraph_rdf::vocabulary::EVALGRAPH_FUNCTION;

/// Characters whose upper case is more than one character, or which not every engine knows.
const UNLIKE_UPPER: &str = "[\\x{df}\\x{149}\\x{1f0}\\x{345}\\x{390}\\x{3b0}\\x{587}\\x{10d0}-\\x{10ff}\\x{1e96}-\\x{1e9e}\\x{1f50}-\\x{1f56}\\x{1f80}-\\x{1fff}\\x{fb00}-\\x{fb17}";
/// Characters whose lower case depends on their place or is more than one character, or which not every engine knows.
const UNLIKE_LOWER: &str = "[\\x{130}\\x{3a3}\\x{1c90}-\\x{1cbf}";
/// Letters that are younger than some engines.
const YOUNG: &str = "\\x{19b}\\x{264}\\x{1c80}-\\x{1c8a}\\x{2c2f}\\x{2c5f}\\x{a7ae}-\\x{a7ff}\\x{10570}-\\x{105bf}\\x{10d50}-\\x{10d85}\\x{16e40}-\\x{16ebf}]";

/// The beginning of a text that may be a JSON object.
const OBJECT: &str = "^[\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}]*\\{";

impl SqlTranslator<'_> {
    /// Returns the result of a function.
    pub(crate) fn call(
        &mut self,
        function: &Function,
        arguments: &[Expression],
        scope: &SolutionScope,
    ) -> Result<SqlValue, SqlRefusal> {
        use Function as F;
        let dialect = self.dialect;
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.value(argument, scope)?);
        }
        let absent = SqlValue::absent(dialect);
        let first = values.first().unwrap_or(&absent);
        match function {
            F::Regex => self.regex(&values, arguments),
            F::Replace => self.replace(&values, arguments),
            F::StrLang => self.with_language(first, arguments),
            F::StrDt => match arguments.get(1) {
                Some(Expression::NamedNode(datatype)) => {
                    Ok(casts::typed_text(&simple(first, dialect), datatype.as_ref(), dialect))
                }
                _ => Err(SqlRefusal::from_function("STRDT", "its datatype is not a constant")),
            },
            F::Abs | F::Ceil | F::Floor | F::Round => Ok(self.of_number(function, first)),
            F::Year | F::Month | F::Day | F::Hours | F::Minutes | F::Seconds | F::Tz | F::Timezone => {
                Ok(date_parts::date_part(function, first, dialect))
            }
            F::Md5 | F::Sha1 | F::Sha256 | F::Sha384 | F::Sha512 => digest(function, first, dialect),
            F::Custom(name) => match name.as_str().strip_prefix(EVALGRAPH_FUNCTION) {
                Some(own) => self.own_function(own, first, arguments),
                None => casts::cast(first, name.as_ref(), dialect),
            },
            F::BNode | F::Rand | F::Uuid | F::StrUuid | F::Now => {
                Err(SqlRefusal::from_function(&function.to_string(), "each engine would give other values"))
            }
            function => match of_term(function, first, values.get(1).unwrap_or(&absent), dialect)? {
                Some(value) => Ok(value),
                None => of_string(function, &values, dialect),
            },
        }
    }

    fn of_number(&self, function: &Function, value: &SqlValue) -> SqlValue {
        let whole = |name: &str, number: &str, is_exact: bool| match (is_exact, self.dialect) {
            (true, _) => format!("CAST({name}({number}) AS {DECIMAL})"),
            // Those of Spark make integers of 64 bits.
            (false, SqlDialect::Spark) => format!("sparql_{name}({number})"),
            (false, _) => format!("{name}({number})"),
        };
        match function {
            Function::Abs => self.numeric(value, |number, _| format!("abs({number})")),
            Function::Ceil => self.numeric(value, |number, is_exact| whole("ceil", number, is_exact)),
            Function::Floor => self.numeric(value, |number, is_exact| whole("floor", number, is_exact)),
            _ => self.numeric(value, |number, is_exact| match is_exact {
                // Halves are rounded up.
                true => format!("CAST(floor({number} + 0.5) AS {DECIMAL})"),
                false => {
                    let [floor, ceil] = ["floor", "ceil"].map(|name| whole(name, number, false));
                    format!("CASE WHEN {number} - {floor} < 0.5 THEN {floor} ELSE {ceil} END")
                }
            }),
        }
    }

    /// Functions of evalgraph.
    fn own_function(
        &self,
        name: &str,
        value: &SqlValue,
        arguments: &[Expression],
    ) -> Result<SqlValue, SqlRefusal> {
        let dialect = self.dialect;
        let refusal = |why: &str| SqlRefusal::from_function(&format!("<{EVALGRAPH_FUNCTION}{name}>"), why);
        match (name, arguments) {
            ("file", [_]) => {
                let file = format!("(SELECT min(f.file) FROM graphs AS f WHERE f.g = {})", value.text);
                // A graph without a file has a name, which SQL does not decode.
                let has_name = dialect.starts_with(&value.text, &dialect.text(GRAPHS));
                let refusal = dialect.refuse_text("the file of a graph is not in the export");
                let cases = [
                    (format!("{} <> 'iri'", value.type_name), "NULL".to_owned()),
                    (format!("{file} IS NOT NULL"), file),
                    (has_name, refusal),
                ];
                Ok(SqlValue::from_text(case(&cases, None), dialect))
            }
            ("member", [_, key]) => {
                let key = constant(Some(key)).ok_or_else(|| refusal("its key is not a constant"))?;
                let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
                if key.is_empty() || !key.chars().all(is_plain) {
                    return Err(refusal("its key has other characters than letters and digits"));
                }
                let own = match value.kinds.may_be(ValueKinds::IRI | ValueKinds::BLANK) {
                    true => format!(
                        "CASE WHEN {} NOT IN ('iri', 'blank') THEN {} END",
                        value.type_name, value.text
                    ),
                    false => value.text.clone(),
                };
                let found = match dialect {
                    SqlDialect::DuckDb => format!("sparql_member({own}, '{key}')"),
                    SqlDialect::Spark | SqlDialect::DataFusion => flat_member(&own, key, dialect),
                };
                let found = format!("CASE WHEN {} THEN {found} END", dialect.matches(&own, OBJECT));
                Ok(SqlValue::from_text(found, dialect))
            }
            _ => Err(refusal("the engines have no such function")),
        }
    }

    fn regex(&self, values: &[SqlValue], arguments: &[Expression]) -> Result<SqlValue, SqlRefusal> {
        let dialect = self.dialect;
        let own = values.first().map(|value| text(value, dialect)).unwrap_or_default();
        let (pattern, flags) = match (values, constant(arguments.get(1)), flags(arguments.get(2))) {
            ([_, pattern], None, _) => {
                let condition = computed_pattern(&own, &simple(pattern, dialect), dialect);
                return Ok(SqlValue::from_boolean(&condition, dialect));
            }
            (_, Some(pattern), Some(flags)) => (pattern, flags),
            _ => return Err(SqlRefusal::from_function("REGEX", "its flags are not constant")),
        };
        let Some(pattern) = sql_pattern(pattern, flags)? else {
            // An invalid pattern is an error.
            return Ok(SqlValue::from_boolean("CAST(NULL AS BOOLEAN)", dialect));
        };
        Ok(SqlValue::from_boolean(&dialect.matches(&own, &pattern), dialect))
    }

    fn replace(&self, values: &[SqlValue], arguments: &[Expression]) -> Result<SqlValue, SqlRefusal> {
        let dialect = self.dialect;
        let (Some(pattern), Some(replacement), Some(flags)) =
            (constant(arguments.get(1)), constant(arguments.get(2)), flags(arguments.get(3)))
        else {
            return Err(SqlRefusal::from_function("REPLACE", "its pattern or replacement is not a constant"));
        };
        let Some(first) = values.first() else { return Ok(SqlValue::absent(dialect)) };
        let Some((pattern, replacement)) = sql_replacement(pattern, replacement, flags, dialect)? else {
            return Ok(SqlValue::absent(dialect));
        };
        let own = text(first, dialect);
        let (pattern, replacement) = (dialect.text(&pattern), dialect.text(&replacement));
        let replaced = match dialect {
            SqlDialect::Spark => format!("regexp_replace({own}, {pattern}, {replacement})"),
            _ => format!("regexp_replace({own}, {pattern}, {replacement}, 'g')"),
        };
        Ok(of_text_type(replaced, first, dialect))
    }

    fn with_language(&self, value: &SqlValue, arguments: &[Expression]) -> Result<SqlValue, SqlRefusal> {
        let dialect = self.dialect;
        let Some(language) = constant(arguments.get(1)) else {
            return Err(SqlRefusal::from_function("STRLANG", "its language is not a constant"));
        };
        let Ok(literal) = Literal::new_language_tagged_literal("", language) else {
            return Ok(SqlValue::absent(dialect));
        };
        let constant = SqlValue::from_term(&Term::from(literal), dialect)?;
        Ok(SqlValue::from_text_of_type(
            simple(value, dialect),
            &constant.type_name,
            ValueKinds::LANGUAGE,
            dialect,
        ))
    }
}

/// Functions on terms (section 17.4.2). `None` for any other function.
fn of_term(
    function: &Function,
    first: &SqlValue,
    second: &SqlValue,
    dialect: SqlDialect,
) -> Result<Option<SqlValue>, SqlRefusal> {
    let type_name = &first.type_name;
    let truth = |condition: &str| SqlValue::from_boolean(condition, dialect);
    let if_there = |condition: String| truth(&format!("CASE WHEN {} THEN {condition} END", first.is_there()));
    Ok(Some(match function {
        Function::Str => SqlValue::from_text(written(first), dialect),
        Function::Lang => SqlValue::from_text(language(first, dialect), dialect),
        Function::Datatype => SqlValue::from_iri(datatype(first, dialect), dialect),
        Function::LangMatches => truth(&language_matches(first, second, dialect)),
        Function::IsIri => if_there(format!("{type_name} = 'iri'")),
        Function::IsBlank => if_there(format!("{type_name} = 'blank'")),
        Function::IsLiteral => if_there(format!("{type_name} NOT IN ('iri', 'blank')")),
        Function::IsNumeric => if_there(is_numeric(first, dialect)),
        Function::Iri if first.kinds.are(ValueKinds::IRI) => first.clone(),
        Function::Iri => return Err(SqlRefusal::from_function("IRI", "SQL does not resolve IRIs")),
        _ => return Ok(None),
    }))
}

/// Functions on strings (section 17.4.3).
fn of_string(function: &Function, values: &[SqlValue], dialect: SqlDialect) -> Result<SqlValue, SqlRefusal> {
    let absent = SqlValue::absent(dialect);
    let [first, second] = [0, 1].map(|at: usize| values.get(at).unwrap_or(&absent));
    let own = text(first, dialect);
    let condition = |condition: String| {
        SqlValue::from_boolean(&in_same_language(first, second, condition, dialect), dialect)
    };
    Ok(match function {
        Function::StrLen => SqlValue::from_integer(&dialect.length(&own), dialect),
        Function::SubStr => substring(values, dialect),
        Function::UCase => in_case(first, "upper", UNLIKE_UPPER, dialect),
        Function::LCase => in_case(first, "lower", UNLIKE_LOWER, dialect),
        Function::Contains => condition(format!("{} > 0", dialect.place_of(&own, &text(second, dialect)))),
        Function::StrStarts => condition(dialect.starts_with(&own, &text(second, dialect))),
        Function::StrEnds => condition(dialect.ends_with(&own, &text(second, dialect))),
        Function::StrBefore => around(first, second, true, dialect),
        Function::StrAfter => around(first, second, false, dialect),
        Function::Concat => concatenated(values, dialect),
        Function::EncodeForUri if dialect == SqlDialect::DuckDb => {
            SqlValue::from_text(format!("url_encode({own})"), dialect)
        }
        Function::EncodeForUri => {
            return Err(SqlRefusal::from_function("ENCODE_FOR_URI", "the engine has none"));
        }
        other => return Err(SqlRefusal::from_function(&other.to_string(), "it is not part of SPARQL 1.1")),
    })
}

/// UCASE and LCASE.
fn in_case(value: &SqlValue, name: &str, unlike: &str, dialect: SqlDialect) -> SqlValue {
    let own = text(value, dialect);
    let is_unlike = dialect.matches(&own, &format!("{unlike}{YOUNG}"));
    let refusal = dialect.refuse_text("UCASE or LCASE of a letter on which engines differ");
    of_text_type(case(&[(is_unlike, refusal)], Some(&format!("{name}({own})"))), value, dialect)
}

/// STR: the text of any term except a blank node.
fn written(value: &SqlValue) -> String {
    match value.kinds.may_be(ValueKinds::BLANK) {
        true => format!("CASE WHEN {} <> 'blank' THEN {} END", value.type_name, value.text),
        false => value.text.clone(),
    }
}

/// A JSON object whose members are not objects or arrays, and whose strings have no escapes.
const FLAT_OBJECT: &str = "^[ \\x{9}\\x{a}\\x{d}]*\\x{7b}[ \\x{9}\\x{a}\\x{d}]*(\\x{22}[^\\x{0}-\\x{1f}\\x{22}\\x{5c}]*\\x{22}[ \\x{9}\\x{a}\\x{d}]*:[ \\x{9}\\x{a}\\x{d}]*(\\x{22}[^\\x{0}-\\x{1f}\\x{22}\\x{5c}]*\\x{22}|-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?|true|false|null)[ \\x{9}\\x{a}\\x{d}]*(,[ \\x{9}\\x{a}\\x{d}]*\\x{22}[^\\x{0}-\\x{1f}\\x{22}\\x{5c}]*\\x{22}[ \\x{9}\\x{a}\\x{d}]*:[ \\x{9}\\x{a}\\x{d}]*(\\x{22}[^\\x{0}-\\x{1f}\\x{22}\\x{5c}]*\\x{22}|-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?|true|false|null)[ \\x{9}\\x{a}\\x{d}]*)*)?\\x{7d}[ \\x{9}\\x{a}\\x{d}]*\\z";

/// The string under a key of a flat JSON object.
fn flat_member(text: &str, key: &str, dialect: SqlDialect) -> String {
    let name = format!("\\x{{22}}{key}\\x{{22}}[ \\x{{9}}\\x{{a}}\\x{{d}}]*:[ \\x{{9}}\\x{{a}}\\x{{d}}]*");
    let string = dialect.text(&format!("{name}\\x{{22}}([^\\x{{22}}]*)\\x{{22}}"));
    let found = match dialect {
        SqlDialect::DataFusion => format!("regexp_match({text}, {string})[1]"),
        SqlDialect::DuckDb | SqlDialect::Spark => format!("regexp_extract({text}, {string}, 1)"),
    };
    let refusal =
        dialect.refuse_text("a JSON object with members that the engine does not read as evalgraph does");
    case(
        &[
            (format!("NOT {}", dialect.matches(text, FLAT_OBJECT)), refusal.clone()),
            (dialect.matches(text, &format!("{name}.*{name}")), refusal),
            (dialect.matches(text, &format!("{name}\\x{{22}}")), found),
        ],
        None,
    )
}

/// Characters that all engines read in the same way in a pattern, and sequences of them that they do not.
const PLAIN_PATTERN: &str =
    "^[A-Za-z0-9_ /@:,;#~\\x{5e}\\x{24}\\x{5b}\\x{5d}\\x{2b}\\x{2a}\\x{28}\\x{29}\\x{7c}\\x{2d}]*\\z";
const UNLIKE_PATTERN: &str =
    "[\\x{2b}\\x{2a}][\\x{2b}\\x{2a}]|\\x{5b}\\x{5e}?\\x{5d}|\\x{5b}[^\\x{5d}]*\\x{5b}|\\x{2d}\\x{2d}|~~";

/// REGEX with a pattern that is computed, if the pattern has no more than common syntax.
fn computed_pattern(text: &str, pattern: &str, dialect: SqlDialect) -> String {
    let matched = dialect.matches_computed(text, pattern);
    let mut is_plain = format!(
        "{} AND NOT {}",
        dialect.matches(pattern, PLAIN_PATTERN),
        dialect.matches(pattern, UNLIKE_PATTERN)
    );
    if dialect == SqlDialect::Spark {
        // In Java, `$` also matches before a line feed at the end.
        is_plain = format!("{is_plain} AND NOT {}", dialect.matches(text, "\\x{a}\\z"));
    }
    let refusal =
        dialect.refuse_truth("a regular expression is computed that engines may read in different ways");
    format!(
        "CASE WHEN {text} IS NULL OR {pattern} IS NULL THEN NULL WHEN {is_plain} THEN {matched} ELSE {refusal} END"
    )
}

/// The value of a constant string.
fn constant(argument: Option<&Expression>) -> Option<&str> {
    match argument {
        Some(Expression::Literal(literal)) if literal.datatype() == xsd::STRING => Some(literal.value()),
        _ => None,
    }
}

fn flags(argument: Option<&Expression>) -> Option<&str> {
    if argument.is_none() { Some("") } else { constant(argument) }
}

fn is_numeric(value: &SqlValue, dialect: SqlDialect) -> String {
    let mut cases = Vec::new();
    if let Some(double) = &value.double {
        cases.push((format!("{double} IS NOT NULL"), "TRUE".to_owned()));
    }
    if value.kinds.may_be(ValueKinds::OTHER) {
        let has_form = dialect.matches(&value.text, "^[+-]?[0-9]+\\z");
        let numeric = is_numeric_type(value, dialect);
        let refusal = dialect.refuse_truth("an integer is too large, or is not of its datatype");
        cases.push((format!("{numeric} AND {has_form}"), refusal));
    }
    case(&cases, Some("FALSE"))
}

fn digest(function: &Function, value: &SqlValue, dialect: SqlDialect) -> Result<SqlValue, SqlRefusal> {
    let own = simple(value, dialect);
    let sql = match (function, dialect) {
        (Function::Md5, _) => format!("md5({own})"),
        (Function::Sha1, SqlDialect::DuckDb | SqlDialect::Spark) => format!("sha1({own})"),
        (Function::Sha256, SqlDialect::DuckDb) => format!("sha256({own})"),
        (Function::Sha256, SqlDialect::Spark) => format!("sha2({own}, 256)"),
        (Function::Sha384, SqlDialect::Spark) => format!("sha2({own}, 384)"),
        (Function::Sha512, SqlDialect::Spark) => format!("sha2({own}, 512)"),
        _ => return Err(SqlRefusal::from_function(&function.to_string(), "the engine has no such digest")),
    };
    Ok(SqlValue::from_text(sql, dialect))
}
