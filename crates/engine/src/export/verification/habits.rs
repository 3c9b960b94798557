//! How servers rewrite literals, one row per habit. Each was observed on the releases that the tests install.
//! `docs/servers.md` has the same table for people.
//!
//! A value that a server has not kept is a difference, not a habit. The case of language tags, which many servers
//! change, is never compared: in RDF 1.1 it is the same tag.

use oxsdatatypes::{Date, DateTime, DayTimeDuration, Duration, GYear, GYearMonth, Time, YearMonthDuration};

use self::ServerProduct::{Jena, Oxigraph, Virtuoso};
use super::normal_forms;
use crate::export::hashed_triple::LiteralText;
use evalgraph_rdf::vocabulary::xsd::{BOOLEAN, DATE, DATE_TIME, DECIMAL, DOUBLE, FLOAT, INTEGER};

/// A product whose habits are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerProduct {
    /// Apache Jena, in memory and TDB2.
    Jena,
    Rdf4j,
    Oxigraph,
    Virtuoso,
    /// Any other product, which may have each of the habits.
    Other,
}

/// A habit.
struct ProductHabit {
    of: &'static [ServerProduct],
    datatypes: &'static [&'static str],
    /// One lexical form for all literals that the product treats as equal. `None` leaves the literal unchanged.
    form: fn(&str) -> Option<String>,
    /// The datatype that the literal changes to.
    becomes: Option<&'static str>,
}

/// The form that all literals have in common which a product treats as equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NormalLiteral<'t> {
    lexical: String,
    datatype: &'t str,
}

const TIME: &str = "http://www.w3.org/2001/XMLSchema#time";
const DATE_TIME_STAMP: &str = "http://www.w3.org/2001/XMLSchema#dateTimeStamp";

/// The datatypes derived from `xsd:integer`.
const DERIVED: &[&str] = &[
    "http://www.w3.org/2001/XMLSchema#nonNegativeInteger",
    "http://www.w3.org/2001/XMLSchema#positiveInteger",
    "http://www.w3.org/2001/XMLSchema#nonPositiveInteger",
    "http://www.w3.org/2001/XMLSchema#negativeInteger",
    "http://www.w3.org/2001/XMLSchema#long",
    "http://www.w3.org/2001/XMLSchema#int",
    "http://www.w3.org/2001/XMLSchema#short",
    "http://www.w3.org/2001/XMLSchema#byte",
    "http://www.w3.org/2001/XMLSchema#unsignedLong",
    "http://www.w3.org/2001/XMLSchema#unsignedInt",
    "http://www.w3.org/2001/XMLSchema#unsignedShort",
    "http://www.w3.org/2001/XMLSchema#unsignedByte",
];

/// The products that keep the value of a number or a time, but write it in their own form. RDF4J keeps the form.
const WRITE_VALUES: &[ServerProduct] = &[Jena, Oxigraph, Virtuoso];

const HABITS: &[ProductHabit] = &[
    // "01" becomes "1".
    row(WRITE_VALUES, &[INTEGER], normal_forms::integer),
    row(WRITE_VALUES, DERIVED, normal_forms::integer),
    // "1.50" becomes "1.5"; "1" and "1.0" become the same.
    row(WRITE_VALUES, &[DECIMAL], normal_forms::decimal),
    // "1.0E2" becomes "100" or "100.0e0".
    row(WRITE_VALUES, &[DOUBLE], normal_forms::double),
    row(WRITE_VALUES, &[FLOAT], normal_forms::float),
    // "1" becomes "true".
    row(WRITE_VALUES, &[BOOLEAN], normal_forms::boolean),
    // Virtuoso drops digits of a second beyond microseconds, and digits of a decimal beyond the fifteenth after the
    // point. It writes only six digits of a double, although it stores all of them.
    row(&[Virtuoso], &[DATE_TIME, TIME], normal_forms::cut_second),
    row(&[Virtuoso], &[DECIMAL], normal_forms::decimal_of_virtuoso),
    row(&[Virtuoso], &[DOUBLE], normal_forms::double_of_virtuoso),
    row(&[Virtuoso], &[FLOAT], normal_forms::float_of_virtuoso),
    // "…:00.250+00:00" becomes "…:00.25Z".
    row(WRITE_VALUES, &[DATE_TIME, DATE_TIME_STAMP], normal_forms::canonical::<DateTime>),
    row(WRITE_VALUES, &[DATE], normal_forms::canonical::<Date>),
    row(WRITE_VALUES, &[TIME], normal_forms::canonical::<Time>),
    row(&[Oxigraph, Virtuoso], &["http://www.w3.org/2001/XMLSchema#gYear"], normal_forms::canonical::<GYear>),
    row(&[Oxigraph], &["http://www.w3.org/2001/XMLSchema#gYearMonth"], normal_forms::canonical::<GYearMonth>),
    // "PT24H" becomes "P1D".
    row(&[Oxigraph], &["http://www.w3.org/2001/XMLSchema#duration"], normal_forms::canonical::<Duration>),
    row(
        &[Oxigraph],
        &["http://www.w3.org/2001/XMLSchema#dayTimeDuration"],
        normal_forms::canonical::<DayTimeDuration>,
    ),
    row(
        &[Oxigraph],
        &["http://www.w3.org/2001/XMLSchema#yearMonthDuration"],
        normal_forms::canonical::<YearMonthDuration>,
    ),
    // "1"^^xsd:nonNegativeInteger becomes "1"^^xsd:integer.
    ProductHabit { of: &[Oxigraph], datatypes: DERIVED, form: normal_forms::integer, becomes: Some(INTEGER) },
    ProductHabit {
        of: &[Oxigraph],
        datatypes: &[DATE_TIME_STAMP],
        form: normal_forms::canonical::<DateTime>,
        becomes: Some(DATE_TIME),
    },
    // An integer beyond 32 bits becomes a decimal.
    ProductHabit {
        of: &[Virtuoso],
        datatypes: &[INTEGER],
        form: normal_forms::large_integer,
        becomes: Some(DECIMAL),
    },
];

/// A habit that keeps the datatype.
const fn row(
    of: &'static [ServerProduct],
    datatypes: &'static [&'static str],
    form: fn(&str) -> Option<String>,
) -> ProductHabit {
    ProductHabit { of, datatypes, form, becomes: None }
}

impl ServerProduct {
    /// The normal form of a literal. `None` if the product keeps literals of its datatype unchanged.
    pub(super) fn normal<'t>(self, literal: LiteralText<'t>) -> Option<NormalLiteral<'t>> {
        let mut normal: Option<NormalLiteral<'t>> = None;
        // The order of the table matters: after a change of the datatype, later rows for the new one apply.
        for habit in HABITS.iter().filter(|habit| self == Self::Other || habit.of.contains(&self)) {
            let datatype = normal.as_ref().map_or(literal.datatype, |normal| normal.datatype);
            if habit.datatypes.contains(&datatype) {
                let lexical = normal.map_or_else(|| literal.lexical.to_owned(), |normal| normal.lexical);
                normal = Some(match (habit.form)(&lexical) {
                    Some(lexical) => NormalLiteral { lexical, datatype: habit.becomes.unwrap_or(datatype) },
                    None => NormalLiteral { lexical, datatype },
                });
            }
        }
        normal
    }

    /// Returns whether the product returns the literal unchanged at first, from a cache, but another value later: TDB2
    /// truncates integers to 64 bits.
    pub(super) fn may_lose(self, literal: LiteralText<'_>) -> bool {
        self == Jena
            && literal.datatype == INTEGER
            && normal_forms::integer(literal.lexical).is_some_and(|number| number.parse::<i64>().is_err())
    }
}

impl NormalLiteral<'_> {
    /// The texts.
    pub(super) fn text(&self) -> LiteralText<'_> {
        LiteralText { lexical: &self.lexical, datatype: self.datatype, language: "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The normal form of a literal of a datatype of XML Schema.
    fn normal(product: ServerProduct, lexical: &str, name: &str) -> String {
        let datatype = format!("http://www.w3.org/2001/XMLSchema#{name}");
        let literal = LiteralText { lexical, datatype: &datatype, language: "" };
        let normal = product.normal(literal);
        let text = normal.as_ref().map_or(literal, NormalLiteral::text);
        format!("{} {}", text.lexical, text.datatype.rsplit('#').next().unwrap_or_default())
    }

    #[test]
    fn each_product_has_its_own_habits() {
        let large = "12345678901234567890";
        assert_eq!(normal(Jena, "01", "integer"), "1 integer");
        assert_eq!(normal(ServerProduct::Rdf4j, "01", "integer"), "01 integer");
        assert_eq!(normal(Jena, "1", "nonNegativeInteger"), "1 nonNegativeInteger");
        assert_eq!(normal(Oxigraph, "1", "nonNegativeInteger"), "1 integer");
        assert_eq!(normal(Virtuoso, large, "integer"), format!("{large} decimal"));
        assert_eq!(normal(Jena, large, "integer"), format!("{large} integer"));
        assert_eq!(normal(ServerProduct::Other, large, "nonNegativeInteger"), format!("{large} decimal"));
        assert_eq!(
            normal(Jena, "2024-01-01T00:00:00.250+00:00", "dateTime"),
            "2024-01-01T00:00:00.25Z dateTime"
        );
        assert_eq!(normal(Virtuoso, "0.1234567", "double"), "1.23457e-1 double");
        assert_eq!(normal(Jena, "0.1234567", "double"), "1.234567e-1 double");
        assert_eq!(normal(Jena, "no number", "integer"), "no number integer");
        assert_eq!(normal(ServerProduct::Other, "text", "string"), "text string");
        let may_lose = |lexical| Jena.may_lose(LiteralText { lexical, datatype: INTEGER, language: "" });
        assert_eq!([large, "-9223372036854775808", "no number"].map(may_lose), [true, false, false]);
    }
}
