//! What the literals of the cases are, as the specifications have it, by means of the tests' own.

const XSD: &str = "^^<http://www.w3.org/2001/XMLSchema#";

/// Lexical forms of the generator that are none of their datatypes, beside numbers.
const ILL_TYPED: [(&str, &str); 4] =
    [("2025-02-30", "date"), ("maybe", "boolean"), ("P1DT", "dayTimeDuration"), ("0F7", "hexBinary")];

/// The lexical form of a literal and its datatype below `xsd:`.
fn parts(literal: &str) -> Option<(&str, &str)> {
    let (lexical, datatype) = match literal.rsplit_once(XSD) {
        Some((lexical, datatype)) => (lexical, datatype.trim_end_matches('>')),
        None if literal.ends_with('"') && literal.len() > 1 => (literal, "string"),
        None => return None,
    };
    Some((lexical.strip_prefix('"')?.strip_suffix('"')?, datatype))
}

/// The least and the greatest value of a datatype derived from `xsd:integer`, as far as the generator has it.
fn range(datatype: &str) -> Option<(f64, f64)> {
    Some(match datatype {
        "integer" => (f64::NEG_INFINITY, f64::INFINITY),
        "nonNegativeInteger" => (0.0, f64::INFINITY),
        "byte" => (-128.0, 127.0),
        _ => return None,
    })
}

pub(crate) fn is_well_formed(literal: &str) -> bool {
    let Some((lexical, datatype)) = parts(literal) else { return true };
    let number = lexical.parse::<f64>();
    match (datatype, range(datatype)) {
        (_, Some((least, most))) => {
            !lexical.contains(['.', 'e']) && number.is_ok_and(|number| (least..=most).contains(&number))
        }
        ("decimal", _) => !lexical.contains('e') && number.is_ok(),
        ("double" | "float", _) => lexical != "inf" && number.is_ok(),
        ("dateTimeStamp", _) => lexical.ends_with('Z'),
        _ => !ILL_TYPED.contains(&(lexical, datatype)),
    }
}

pub(crate) fn is_infinite(literal: &str) -> bool {
    parts(literal)
        .is_some_and(|(lexical, datatype)| matches!(datatype, "double" | "float") && lexical.ends_with("INF"))
}

/// Returns whether a number has more digits than `xsd:double`.
pub(crate) fn is_long_number(literal: &str) -> bool {
    parts(literal).is_some_and(|(lexical, datatype)| {
        (datatype == "decimal" || range(datatype).is_some()) && lexical.len() > 15
    })
}

/// Returns whether rudof keeps the value of a literal instead of the literal.
pub(crate) fn is_rewritten_by_rudof(literal: &str) -> bool {
    parts(literal).is_some_and(|(lexical, datatype)| match datatype {
        "boolean" => matches!(lexical, "0" | "1"),
        "dateTime" => lexical.contains('.'),
        "dateTimeStamp" | "byte" => true,
        _ => false,
    })
}

/// Returns whether the operators of SPARQL compare two terms, and neither is not a number.
pub(crate) fn is_comparable(one: &str, other: &str) -> bool {
    let group = |term: &str| {
        let (lexical, datatype) = parts(term).filter(|_| is_well_formed(term))?;
        match datatype {
            "double" | "float" if lexical == "NaN" => None,
            "decimal" | "double" | "float" => Some("number".to_owned()),
            _ if range(datatype).is_some() => Some("number".to_owned()),
            "dateTimeStamp" => Some("dateTime".to_owned()),
            "string" | "boolean" | "dateTime" | "date" | "time" | "dayTimeDuration" | "yearMonthDuration"
            | "gYear" => Some(datatype.to_owned()),
            _ => None,
        }
    };
    group(one).is_some_and(|one| group(other) == Some(one))
}
