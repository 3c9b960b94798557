//! Expressions of SPARQL over three variables, with rows of terms for these: every operator and function of SPARQL 1.1,
//! section 17, that has one value, most of them with operands that they have a value for.

use super::choices::{Choices, drawn_for};
use super::data::Case;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// The variables, and the properties that have their values.
pub(crate) const VARIABLES: [&str; 3] = ["a", "b", "c"];

/// How deep expressions nest at most.
const DEEPEST: usize = 3;

/// What an operand is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Truth,
    Number,
    Text,
    Time,
    Span,
    Other,
}

const SORTS: [Sort; 6] = [Sort::Truth, Sort::Number, Sort::Text, Sort::Time, Sort::Span, Sort::Other];

/// Lexical forms with their datatypes below `xsd:`; a tag of a language begins with `@`.
const TRUTHS: [(&str, &str); 5] =
    [("true", "boolean"), ("false", "boolean"), ("1", "boolean"), ("0", "boolean"), ("TRUE", "boolean")];
const NUMBERS: [(&str, &str); 40] = [
    ("0", "integer"),
    ("1", "integer"),
    ("2", "integer"),
    ("-7", "integer"),
    ("10", "integer"),
    ("007", "integer"),
    ("9223372036854775807", "integer"),
    ("-9223372036854775808", "integer"),
    ("9007199254740993", "integer"),
    ("x", "integer"),
    ("1.5", "integer"),
    ("7", "byte"),
    ("300", "byte"),
    ("-1", "short"),
    ("5", "int"),
    ("12", "long"),
    ("3", "nonNegativeInteger"),
    ("-3", "nonNegativeInteger"),
    ("0", "nonPositiveInteger"),
    ("-2", "negativeInteger"),
    ("4", "unsignedByte"),
    ("1.5", "decimal"),
    ("-2.5", "decimal"),
    ("0.5", "decimal"),
    ("1.10", "decimal"),
    ("0.1234567890123", "decimal"),
    ("1000000000000.000001", "decimal"),
    ("1e1", "decimal"),
    ("1.5E0", "double"),
    ("-0.5", "double"),
    ("1e300", "double"),
    ("0.1", "double"),
    ("-0", "double"),
    ("NaN", "double"),
    ("INF", "double"),
    ("-INF", "double"),
    ("infinity", "double"),
    ("0.1", "float"),
    ("16777217", "float"),
    ("NaN", "float"),
];
const TEXTS: [(&str, &str); 20] = [
    ("", ""),
    ("a", ""),
    ("b", ""),
    ("abc", ""),
    ("B c", ""),
    ("aé€𝄞b", ""),
    ("1", ""),
    ("-2.5", ""),
    (" 12 ", ""),
    ("1e3", ""),
    ("true", ""),
    ("2025-01-02", ""),
    ("2025-01-02T03:04:05Z", ""),
    ("P1D", ""),
    ("ß", ""),
    ("", "@en"),
    ("a", "@en"),
    ("abc", "@en"),
    ("abc", "@en-gb"),
    ("abc", "@fr"),
];
const TIMES: [(&str, &str); 20] = [
    ("2025-01-02T03:04:05Z", "dateTime"),
    ("2025-01-02T03:04:05", "dateTime"),
    ("2025-01-02T05:04:05+02:00", "dateTime"),
    ("2025-01-02T03:04:05.250-05:30", "dateTime"),
    ("2025-01-05T00:00:00", "dateTime"),
    ("2024-02-29T24:00:00Z", "dateTime"),
    ("2025-02-30T00:00:00Z", "dateTime"),
    ("-0044-03-15T12:00:00Z", "dateTime"),
    ("2025-01-02", "date"),
    ("2025-01-02Z", "date"),
    ("2025-01-03+14:00", "date"),
    ("2025-13-01", "date"),
    ("03:04:05", "time"),
    ("03:04:05Z", "time"),
    ("23:59:59.999+01:00", "time"),
    ("2025", "gYear"),
    ("2025-01", "gYearMonth"),
    ("--02", "gMonth"),
    ("--02-29", "gMonthDay"),
    ("---31Z", "gDay"),
];
const SPANS: [(&str, &str); 8] = [
    ("P1D", "dayTimeDuration"),
    ("PT36H", "dayTimeDuration"),
    ("-PT1.5S", "dayTimeDuration"),
    ("P1Y", "yearMonthDuration"),
    ("-P14M", "yearMonthDuration"),
    ("P1M", "duration"),
    ("P1Y2DT3H", "duration"),
    ("P", "duration"),
];
const OTHERS: [&str; 8] = [
    "<e:x>",
    "<e:y>",
    "<http://www.w3.org/2001/XMLSchema#integer>",
    "<e:%20é>",
    "\"x\"^^<e:datatype>",
    "\"y\"^^<e:datatype>",
    "_:x",
    "_:y",
];
const CASTS: [&str; 8] =
    ["integer", "decimal", "double", "float", "int", "byte", "nonNegativeInteger", "long"];

/// The case of a number: an expression, and lines of N-Quads with the values of the variables in each row.
pub(crate) fn case(number: u64) -> Case {
    let drawn = drawn_for("expression", number, 300);
    let mut choices = Choices::new(&drawn);
    let sorts: Vec<Sort> = VARIABLES.iter().map(|_| choices.pick(&SORTS)).collect();
    let mut lines = Vec::new();
    // One row tells what a difference comes from; of more rows some have the same values.
    for row in 0..choices.pick(&[1, 1, 1, 6]) {
        lines.push(format!("<e:{row}> <e:is> <e:row> ."));
        for (name, sort) in VARIABLES.iter().zip(&sorts) {
            let sort = if choices.once_in(6) { choices.pick(&SORTS) } else { *sort };
            let value = term(&mut choices, sort, true);
            if !choices.once_in(12) {
                lines.push(format!("<e:{row}> <e:{name}> {value} ."));
            }
        }
    }
    let sort = choices.pick(&SORTS);
    let text = Writer { choices, sorts }.expression(sort, 0);
    Case { lines, text, union: false }
}

fn literal((lexical, kind): (&str, &str)) -> String {
    match kind {
        "" => format!("\"{lexical}\""),
        tag if tag.starts_with('@') => format!("\"{lexical}\"{tag}"),
        datatype => format!("\"{lexical}\"^^<{XSD}{datatype}>"),
    }
}

fn term(choices: &mut Choices<'_>, sort: Sort, may_be_blank: bool) -> String {
    match sort {
        Sort::Truth => literal(choices.pick(&TRUTHS)),
        Sort::Number => literal(choices.pick(&NUMBERS)),
        Sort::Text => literal(choices.pick(&TEXTS)),
        Sort::Time => literal(choices.pick(&TIMES)),
        Sort::Span => literal(choices.pick(&SPANS)),
        Sort::Other => {
            let end = if may_be_blank { OTHERS.len() } else { OTHERS.len() - 2 };
            choices.pick(&OTHERS[..end]).to_owned()
        }
    }
}

/// Writes expressions with spaces between all words, so that they can be made smaller.
struct Writer<'c> {
    choices: Choices<'c>,
    /// What the variables are for the most part.
    sorts: Vec<Sort>,
}

impl Writer<'_> {
    /// An expression that is of a sort, most of the time.
    fn expression(&mut self, sort: Sort, level: usize) -> String {
        let sort = if self.choices.once_in(12) { self.choices.pick(&SORTS) } else { sort };
        let is_simple = level >= DEEPEST || level > 0 && self.choices.below(3) < level;
        if is_simple {
            return self.simple(sort);
        }
        let inner = level + 1;
        match self.choices.below(14) {
            0 => {
                let condition = self.expression(Sort::Truth, inner);
                let (then, otherwise) = (self.expression(sort, inner), self.expression(sort, inner));
                format!("IF ( {condition} , {then} , {otherwise} )")
            }
            1 => {
                let (one, other) = (self.expression(sort, inner), self.expression(sort, inner));
                format!("COALESCE ( {one} , {other} )")
            }
            _ => match sort {
                Sort::Truth => self.truth(inner),
                Sort::Number => self.number(inner),
                Sort::Text => self.text(inner),
                Sort::Time => self.time(inner),
                Sort::Span => self.span(inner),
                Sort::Other => self.other(inner),
            },
        }
    }

    /// A variable or a constant.
    fn simple(&mut self, sort: Sort) -> String {
        let of_sort: Vec<&str> = VARIABLES
            .iter()
            .zip(&self.sorts)
            .filter(|(_, own)| **own == sort)
            .map(|(name, _)| *name)
            .collect();
        match self.choices.below(4) {
            0 => term(&mut self.choices, sort, false),
            1 => format!("?{}", self.choices.pick(&VARIABLES)),
            _ if of_sort.is_empty() => term(&mut self.choices, sort, false),
            _ => format!("?{}", self.choices.pick(&of_sort)),
        }
    }

    fn called(&mut self, name: &str, sorts: &[Sort], level: usize) -> String {
        let arguments: Vec<String> = sorts.iter().map(|sort| self.expression(*sort, level)).collect();
        format!("{name} ( {} )", arguments.join(" , "))
    }

    fn cast(&mut self, datatype: &str, level: usize) -> String {
        let sort = self.choices.pick(&SORTS);
        self.called(&format!("<{XSD}{datatype}>"), &[sort], level)
    }

    fn truth(&mut self, level: usize) -> String {
        use Sort::{Other, Text, Truth};
        match self.choices.below(26) {
            0 | 1 => self.infix("&&", [Truth, Truth], level),
            2 | 3 => self.infix("||", [Truth, Truth], level),
            4 => format!("( ! {} )", self.expression(Truth, level)),
            5..13 => {
                let operator = self.choices.pick(&["=", "!=", "<", "<=", ">", ">="]);
                let sort = self.choices.pick(&SORTS);
                self.infix(operator, [sort, sort], level)
            }
            13 | 14 => {
                let sort = self.choices.pick(&SORTS);
                let operator = self.choices.pick(&["IN", "NOT IN"]);
                let [one, two, three] = [(); 3].map(|()| self.expression(sort, level));
                format!("( {one} {operator} ( {two} , {three} ) )")
            }
            15 => format!("BOUND ( ?{} )", self.choices.pick(&VARIABLES)),
            16 | 17 => {
                let name = self.choices.pick(&["isIRI", "isBlank", "isLiteral", "isNumeric"]);
                let sort = self.choices.pick(&SORTS);
                self.called(name, &[sort], level)
            }
            18 => {
                let sort = self.choices.pick(&[Other, Text, Sort::Number]);
                self.called("sameTerm", &[sort, sort], level)
            }
            19 => {
                let pattern =
                    self.choices.pick(&["\"b\"", "\"^a.\"", "\"[A-C]\" , \"i\"", "\"(\"", "\"a c\" , \"x\""]);
                format!("REGEX ( {} , {pattern} )", self.expression(Text, level))
            }
            20..23 => {
                let name = self.choices.pick(&["CONTAINS", "STRSTARTS", "STRENDS"]);
                self.called(name, &[Text, Text], level)
            }
            23 => {
                let range = self.choices.pick(&["\"*\"", "\"en\"", "\"EN-gb\"", "\"\""]);
                let sort = self.choices.pick(&[Text, Text, Other]);
                format!("LANGMATCHES ( LANG ( {} ) , {range} )", self.expression(sort, level))
            }
            _ => self.cast("boolean", level),
        }
    }

    fn infix(&mut self, operator: &str, sorts: [Sort; 2], level: usize) -> String {
        let [left, right] = sorts.map(|sort| self.expression(sort, level));
        format!("( {left} {operator} {right} )")
    }

    fn number(&mut self, level: usize) -> String {
        use Sort::{Number, Text, Time};
        match self.choices.below(14) {
            0..5 => {
                let operator = self.choices.pick(&["+", "-", "*", "/"]);
                self.infix(operator, [Number, Number], level)
            }
            5 => format!("( - {} )", self.expression(Number, level)),
            6 => format!("( + {} )", self.expression(Number, level)),
            7 | 8 => {
                let name = self.choices.pick(&["ABS", "CEIL", "FLOOR", "ROUND"]);
                self.called(name, &[Number], level)
            }
            9 => self.called("STRLEN", &[Text], level),
            10 => {
                let name = self.choices.pick(&["YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS"]);
                self.called(name, &[Time], level)
            }
            _ => {
                let datatype = self.choices.pick(&CASTS);
                self.cast(datatype, level)
            }
        }
    }

    fn text(&mut self, level: usize) -> String {
        use Sort::{Number, Other, Text, Time};
        match self.choices.below(16) {
            0 | 1 => {
                let sort = self.choices.pick(&SORTS);
                self.called("STR", &[sort], level)
            }
            2 => {
                let sort = self.choices.pick(&[Text, Other, Number]);
                self.called("LANG", &[sort], level)
            }
            3 => self.called("SUBSTR", &[Text, Number], level),
            4 => self.called("SUBSTR", &[Text, Number, Number], level),
            5 => {
                let name = self.choices.pick(&["UCASE", "LCASE"]);
                self.called(name, &[Text], level)
            }
            6 | 7 => {
                let name = self.choices.pick(&["STRBEFORE", "STRAFTER"]);
                self.called(name, &[Text, Text], level)
            }
            8 => self.called("ENCODE_FOR_URI", &[Text], level),
            9 | 10 => {
                let sorts = [Text, Text, Text];
                let count = self.choices.below(4);
                self.called("CONCAT", &sorts[..count], level)
            }
            11 => {
                let rest = self.choices.pick(&[
                    "\"b\" , \"Z\"",
                    "\"(a)(.)\" , \"$2$1\"",
                    "\"B\" , \"-\" , \"i\"",
                    "\"x*\" , \"-\"",
                ]);
                format!("REPLACE ( {} , {rest} )", self.expression(Text, level))
            }
            12 => {
                let name = self.choices.pick(&["MD5", "SHA1", "SHA256", "SHA384", "SHA512"]);
                self.called(name, &[Text], level)
            }
            13 => {
                let tag = self.choices.pick(&["\"en\"", "\"FR\"", "\"\"", "\"de-ch\""]);
                format!("STRLANG ( {} , {tag} )", self.expression(Text, level))
            }
            14 => self.called("TZ", &[Time], level),
            _ => self.cast("string", level),
        }
    }

    fn time(&mut self, level: usize) -> String {
        use Sort::{Span, Time};
        match self.choices.below(4) {
            0 => self.infix("+", [Time, Span], level),
            1 => self.infix("-", [Time, Span], level),
            _ => {
                let datatype = self.choices.pick(&[
                    "dateTime",
                    "date",
                    "time",
                    "gYear",
                    "gYearMonth",
                    "gMonth",
                    "gMonthDay",
                    "gDay",
                ]);
                let sort = self.choices.pick(&[Time, Time, Time, Sort::Text]);
                self.called(&format!("<{XSD}{datatype}>"), &[sort], level)
            }
        }
    }

    fn span(&mut self, level: usize) -> String {
        use Sort::{Span, Time};
        match self.choices.below(6) {
            0 => self.called("TIMEZONE", &[Time], level),
            1 => self.infix("-", [Time, Time], level),
            2 => {
                let operator = self.choices.pick(&["+", "-"]);
                self.infix(operator, [Span, Span], level)
            }
            3 => format!("( - {} )", self.expression(Span, level)),
            _ => {
                let datatype = self.choices.pick(&["duration", "dayTimeDuration", "yearMonthDuration"]);
                let sort = self.choices.pick(&[Span, Span, Sort::Text]);
                self.called(&format!("<{XSD}{datatype}>"), &[sort], level)
            }
        }
    }

    fn other(&mut self, level: usize) -> String {
        use Sort::{Other, Text};
        match self.choices.below(4) {
            0 => {
                let name = self.choices.pick(&["IRI", "URI"]);
                let sort = self.choices.pick(&[Text, Other]);
                self.called(name, &[sort], level)
            }
            1 | 2 => {
                let sort = self.choices.pick(&SORTS);
                self.called("DATATYPE", &[sort], level)
            }
            _ => {
                let datatype = self.choices.pick(&[
                    "e:datatype",
                    "http://www.w3.org/2001/XMLSchema#integer",
                    "http://www.w3.org/2001/XMLSchema#date",
                ]);
                format!("STRDT ( {} , <{datatype}> )", self.expression(Text, level))
            }
        }
    }
}
