//! Random expressions: over each row beside oxigraph, and without another engine by what must agree whatever the value is. A row
//! is in one of three parts, in which a condition is true, false or fails, and an expression has one value wherever it stands:
//! in BIND over triples and over VALUES, with constants in the place of the variables, in FILTER, HAVING, ORDER BY and aggregates.

use crate::generated::data::Case;
use crate::generated::expressions::{VARIABLES, case};
use crate::random::engines::{Answer, Engine, Request};
use crate::random::work::{NOT_COUNTED, Work};
use crate::store::dataset::document;
use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph::store::{Dataset, DefaultGraph};
use oxrdf::Term;
use oxttl::NQuadsParser;
use spareval::QuerySolutionIter;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::str::FromStr;

pub(crate) const ROWS: &str =
    "?i <e:is> <e:row> . OPTIONAL { ?i <e:a> ?a } OPTIONAL { ?i <e:b> ?b } OPTIONAL { ?i <e:c> ?c }";

#[test]
fn random_expressions_have_the_values_of_another_engine() {
    let ours = |case: &Case| with_data(case, |asked| asked.answer(&bound(&case.text)));
    let work = Work { subject: "expression", few: 200, case, ours, theirs, unlike, shown };
    work.run(vec![Engine::Oxigraph]);
}

/// No decided difference covers a case here: what has to hold stands in the place of another engine.
#[test]
fn a_random_expression_has_one_value_everywhere() {
    let ours = |case: &Case| with_data(case, |asked| asked.agrees(case).map(|()| Answer::Boolean(true)));
    let theirs = |_: &mut Engine, _: &Case| Answer::Boolean(true);
    let unlike = |_: &Case, ours: &Answer, _: &Answer| match ours {
        Answer::None(reason) => Some(reason.clone()),
        _ => None,
    };
    let work = Work { subject: "expression in its places", few: 80, case, ours, theirs, unlike, shown };
    work.run(vec![Engine::Oxigraph]);
}

/// What random expressions have found, or hardly find.
#[test]
fn these_expressions_have_their_values() {
    let dataset = Dataset::from_documents(vec![document("urn:document", "")]);
    let asked = Asked { dataset: &dataset };
    for (expression, expected) in [
        ("<float> ( COALESCE ( \"1\" ) )", Some("\"1\"^^<float>")),
        ("<boolean> ( IF ( true , \"1\" , 2 ) )", Some("\"true\"^^<boolean>")),
        ("<integer> ( COALESCE ( \"1\"@en ) )", None),
        ("<integer> ( 123456789012345680e0 )", Some("\"123456789012345680\"^^<integer>")),
        ("<decimal> ( 1.1e0 )", Some("\"1.100000000000000089\"^^<decimal>")),
        ("<double> ( \"infinity\" )", None),
        ("<double> ( \" INF \" )", Some("\"INF\"^^<double>")),
        ("0.1234567890123 * 0.1234567890123", Some("\"0.015241578753227558\"^^<decimal>")),
        (
            "1000000000000000 / 3.000000000000000001",
            Some("\"333333333333333.333222222222222222\"^^<decimal>"),
        ),
        ("3 * 0.5", Some("\"1.5\"^^<decimal>")),
        ("0.5 / 0", None),
        ("\"x\"^^<integer> = \"x\"^^<integer>", Some("\"true\"^^<boolean>")),
        ("SUBSTR ( \"aé€𝄞b\" , 0 , 3 )", Some("\"aé\"")),
        ("YEAR ( \"2024-12-31T24:00:00Z\"^^<dateTime> )", Some("\"2025\"^^<integer>")),
    ] {
        let spelled = |text: &str| {
            ["boolean", "integer", "decimal", "double", "float", "dateTime"]
                .iter()
                .fold(text.to_owned(), |text, name| {
                    text.replace(&format!("<{name}>"), &format!("<{XSD}{name}>"))
                })
        };
        let rows = asked.rows(&format!("SELECT ?r {{ BIND ( {} AS ?r ) }}", spelled(expression)));
        let found = rows.expect("the query runs")[0][0].as_ref().map(Term::to_string);
        assert_eq!(found, expected.map(spelled), "{expression}");
    }
}

/// A query as the parser takes it: no blank stands between these two functions and their arguments.
pub(crate) fn spelled(query: &str) -> String {
    query.replace("COALESCE (", "COALESCE(").replace("CONCAT (", "CONCAT(")
}

/// The values of the expression in each row.
fn bound(expression: &str) -> String {
    spelled(&format!("SELECT ?i ?r {{ {ROWS} BIND ( {expression} AS ?r ) }}"))
}

fn shown(case: &Case) -> String {
    format!("{}\n{}", case.lines.join("\n"), case.text)
}

fn theirs(engine: &mut Engine, case: &Case) -> Answer {
    engine.answer(&case.lines.join("\n"), &bound(&case.text), Request::Query)
}

/// The answer to a question about the data of a case, if its expression is well formed.
fn with_data(case: &Case, question: impl FnOnce(&Asked<'_>) -> Result<Answer, String>) -> Answer {
    if spargebra::SparqlParser::new().parse_query(&bound(&case.text)).is_err() {
        return Answer::None(NOT_COUNTED.to_owned());
    }
    let dataset = Dataset::from_documents(vec![document("urn:document", &case.lines.join("\n"))]);
    question(&Asked { dataset: &dataset }).unwrap_or_else(Answer::None)
}

/// The value of each row, by the IRI of the row.
type Values = BTreeMap<String, Option<Term>>;

/// A dataset of which queries are asked.
struct Asked<'d> {
    dataset: &'d Dataset,
}

impl Asked<'_> {
    fn answer(&self, text: &str) -> Result<Answer, String> {
        let query = Query::parse_plain(&spelled(text), "query").map_err(|error| error.message.clone())?;
        let view = self.dataset.view(DefaultGraph::Union);
        let results =
            query.execute(view, ExecuteOptions::default()).map_err(|error| error.message.clone())?;
        let QueryResults::Solutions(solutions) = results else { panic!("SELECT has solutions") };
        let variables = solutions.variables().into();
        let rows: Result<Vec<_>, String> =
            solutions.map(|row| row.map_err(|error| error.message.clone())).collect();
        let rows: Vec<_> = rows?.into_iter().map(Ok).collect();
        Answer::of_results(QuerySolutionIter::new(variables, rows).into())
    }

    fn rows(&self, text: &str) -> Result<Vec<Vec<Option<Term>>>, String> {
        match self.answer(text)? {
            Answer::Rows { rows, .. } => Ok(rows),
            _ => Err(format!("SELECT has no rows: {text}")),
        }
    }

    fn values(&self, text: &str) -> Result<Values, String> {
        Ok(values(&self.rows(text)?))
    }

    /// The rows of a query in the order of the answer.
    fn names(&self, text: &str) -> Result<Vec<String>, String> {
        Ok(self.rows(text)?.iter().map(|row| name(row)).collect())
    }

    /// Fails where the expression has another value in another place.
    fn agrees(&self, case: &Case) -> Result<(), String> {
        let (expression, known) = (&case.text, self.values(&bound(&case.text))?);
        let alike = |place: &str, one: &str, other: &str| {
            if one == other { Ok(()) } else { Err(format!("{place} differs\n{one}\n{other}")) }
        };
        let with = |truth: Option<bool>| {
            let names = known.iter().filter(|(_, value)| truth_of(value.as_ref()) == truth);
            names.map(|(name, _)| name.clone()).collect::<BTreeSet<_>>()
        };
        for (place, truth, condition) in [
            ("FILTER", Some(true), expression.clone()),
            ("FILTER of the negation", Some(false), format!("! ( {expression} )")),
            ("FILTER of the error", None, format!("COALESCE ( IF ( {expression} , false , false ) , true )")),
        ] {
            let filtered = format!("SELECT ?i {{ {ROWS} FILTER ( {condition} ) }}");
            let names: BTreeSet<String> = self.names(&filtered)?.into_iter().collect();
            alike(place, &listed(&with(truth)), &listed(&names))?;
        }
        let having = format!("SELECT ?i {{ {ROWS} }} GROUP BY ?i ?a ?b ?c HAVING ( {expression} )");
        let names: BTreeSet<String> = self.names(&having)?.into_iter().collect();
        alike("HAVING", &listed(&with(Some(true))), &listed(&names))?;
        let by_value =
            self.names(&format!("SELECT ?i {{ {ROWS} BIND ( {expression} AS ?r ) }} ORDER BY ?r ?i"))?;
        let by_expression = self.names(&format!("SELECT ?i {{ {ROWS} }} ORDER BY ( {expression} ) ?i"))?;
        alike("ORDER BY", &listed(&by_value), &listed(&by_expression))?;
        let given = Given::of(case);
        let own: Values = known
            .iter()
            .filter(|(name, _)| given.has(name))
            .map(|(name, term)| (name.clone(), term.clone()))
            .collect();
        let values =
            self.values(&format!("SELECT ?i ?r {{ {} BIND ( {expression} AS ?r ) }}", given.values()))?;
        alike("VALUES", &listed_values(&own), &listed_values(&values))?;
        if !expression.contains("BOUND") {
            alike(
                "a constant",
                &listed_values(&own),
                &listed_values(&self.values(&given.constants(expression))?),
            )?;
        }
        for function in ["MIN", "SUM", "COUNT", "GROUP_CONCAT"] {
            let of_value = self.rows(&format!(
                "SELECT ( {function} ( ?r ) AS ?n ) {{ {{ SELECT ?i ?r {{ {ROWS} BIND ( {expression} AS ?r ) }} }} }}"
            ))?;
            let of_expression =
                self.rows(&format!("SELECT ( {function} ( {expression} ) AS ?n ) {{ {ROWS} }}"))?;
            alike(function, &format!("{of_value:?}"), &format!("{of_expression:?}"))?;
        }
        Ok(())
    }
}

fn name(row: &[Option<Term>]) -> String {
    row[0].as_ref().map_or_else(String::new, Term::to_string)
}

fn values(rows: &[Vec<Option<Term>>]) -> Values {
    rows.iter().map(|row| (name(row), row[1].clone())).collect()
}

/// The effective boolean value of a term (section 17.2.2).
fn truth_of(term: Option<&Term>) -> Option<bool> {
    let Term::Literal(literal) = term? else { return None };
    let text = literal.value();
    if literal.language().is_some() {
        return Some(!text.is_empty());
    }
    let name = literal.datatype().as_str().strip_prefix(XSD)?;
    if name == "string" {
        return Some(!text.is_empty());
    }
    match (name, value(name, text)) {
        ("boolean", value) => Some(value.as_deref() == Some("true")),
        (name, value) if is_number(name) => {
            Some(value.is_some_and(|value| !["0", "-0", "NaN"].contains(&value.as_str())))
        }
        _ => None,
    }
}

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

fn is_number(name: &str) -> bool {
    ["decimal", "double", "float"].contains(&name) || bounds(name).is_some()
}

/// The least and the greatest value of a type of integers.
fn bounds(name: &str) -> Option<[i128; 2]> {
    let (most, least) = (i128::MAX, i128::MIN);
    Some(match name {
        "integer" => [least, most],
        "byte" => [-128, 127],
        "short" => [-32_768, 32_767],
        "int" => [i32::MIN.into(), i32::MAX.into()],
        "long" => [i64::MIN.into(), i64::MAX.into()],
        "unsignedByte" => [0, 255],
        "nonNegativeInteger" => [0, most],
        "positiveInteger" => [1, most],
        "nonPositiveInteger" => [least, 0],
        "negativeInteger" => [least, -1],
        _ => return None,
    })
}

/// The value of a literal, written in one way; none where it has none.
fn value(name: &str, text: &str) -> Option<String> {
    fn written<T: FromStr + Display>(text: &str) -> Option<String> {
        text.parse::<T>().ok().map(|value| value.to_string())
    }
    if let Some([least, most]) = bounds(name) {
        return text
            .parse::<i128>()
            .ok()
            .filter(|value| (least..=most).contains(value))
            .map(|value| value.to_string());
    }
    let is_infinite = text.trim_start_matches(['+', '-']).eq_ignore_ascii_case("infinity");
    match name {
        "boolean" => written::<oxsdatatypes::Boolean>(text),
        "decimal" => written::<oxsdatatypes::Decimal>(text),
        "double" if !is_infinite => written::<oxsdatatypes::Double>(text),
        "float" if !is_infinite => written::<oxsdatatypes::Float>(text),
        "dateTime" => written::<oxsdatatypes::DateTime>(text),
        "date" => written::<oxsdatatypes::Date>(text),
        "time" => written::<oxsdatatypes::Time>(text),
        "gYear" => written::<oxsdatatypes::GYear>(text),
        "gYearMonth" => written::<oxsdatatypes::GYearMonth>(text),
        "gMonth" => written::<oxsdatatypes::GMonth>(text),
        "gMonthDay" => written::<oxsdatatypes::GMonthDay>(text),
        "gDay" => written::<oxsdatatypes::GDay>(text),
        "duration" | "dayTimeDuration" | "yearMonthDuration" => written::<oxsdatatypes::Duration>(text),
        _ => None,
    }
}

/// A term as both engines can give it: the other one has the values of literals only, and no types of integers.
fn by_value(term: &Term) -> String {
    let literal = match term {
        Term::Literal(literal) => literal,
        Term::BlankNode(_) => return "a blank node".to_owned(),
        Term::NamedNode(_) => return term.to_string(),
    };
    let datatype = literal.datatype();
    let Some(name) = datatype.as_str().strip_prefix(XSD) else { return term.to_string() };
    match value(name, literal.value()) {
        Some(value) if bounds(name).is_some() => format!("{value} integer"),
        Some(value) => format!("{value} {name}"),
        None => term.to_string(),
    }
}

fn unlike(_: &Case, ours: &Answer, theirs: &Answer) -> Option<String> {
    let ours = match ours {
        Answer::Rows { rows, .. } => values(rows),
        Answer::None(reason) => return Some(reason.clone()),
        _ => return None,
    };
    let Answer::Rows { rows, .. } = theirs else { return None };
    let theirs = values(rows);
    let is_same = |name: &String, value: &Option<Term>| {
        let other = theirs.get(name).and_then(Option::as_ref);
        value.as_ref().map(by_value) == other.map(by_value)
    };
    let differing = ours.iter().filter(|(name, value)| !is_same(name, value));
    let shown = |term: Option<&Term>| term.map_or_else(|| "error".to_owned(), Term::to_string);
    let lines: Vec<String> = differing
        .map(|(name, value)| {
            let other = theirs.get(name).and_then(Option::as_ref);
            format!("{name}: ours {}, theirs {}", shown(value.as_ref()), shown(other))
        })
        .collect();
    (!lines.is_empty()).then(|| format!("answers differ\n{}", lines.join("\n")))
}

fn listed<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    names.into_iter().map(|name| format!("{name} ")).collect()
}

fn listed_values(values: &Values) -> String {
    let text = |value: &Option<Term>| value.as_ref().map_or_else(|| "error".to_owned(), Term::to_string);
    values.iter().map(|(name, value)| format!("{name} {}; ", text(value))).collect()
}

/// The values of the variables in the rows that VALUES can have: no blank node is written there.
struct Given(BTreeMap<String, [Option<String>; 3]>);

impl Given {
    fn of(case: &Case) -> Self {
        let (mut rows, mut left_out) = (BTreeMap::<String, [Option<String>; 3]>::new(), BTreeSet::new());
        let text = case.lines.join("\n");
        for quad in NQuadsParser::new().for_slice(&text).map(|quad| quad.expect("good N-Quads")) {
            let name = quad.subject.to_string();
            if quad.object.is_blank_node() {
                left_out.insert(name.clone());
            }
            let row = rows.entry(name).or_default();
            let property = quad.predicate.as_str().trim_start_matches("e:");
            if let Some(place) = VARIABLES.iter().position(|variable| *variable == property) {
                row[place] = Some(quad.object.to_string());
            }
        }
        rows.retain(|name, _| !left_out.contains(name));
        Self(rows)
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn values(&self) -> String {
        let term = |term: &Option<String>| term.clone().unwrap_or_else(|| "UNDEF".to_owned());
        let rows =
            self.0.iter().map(|(name, row)| format!("( {name} {} )", row.each_ref().map(term).join(" ")));
        format!("VALUES ( ?i ?a ?b ?c ) {{ {} }}", rows.collect::<Vec<_>>().join(" "))
    }

    /// The expression in each row with the values in the place of the variables.
    fn constants(&self, expression: &str) -> String {
        let word = |word: &str, row: &[Option<String>; 3]| {
            let place = VARIABLES.iter().position(|name| word.strip_prefix('?') == Some(name));
            place.and_then(|place| row[place].clone()).unwrap_or_else(|| word.to_owned())
        };
        let parts = self.0.iter().map(|(name, row)| {
            let own: Vec<String> = expression.split(' ').map(|own| word(own, row)).collect();
            format!("{{ BIND ( {name} AS ?i ) BIND ( {} AS ?r ) }}", own.join(" "))
        });
        let parts: Vec<String> = parts.collect();
        let parts = if parts.is_empty() { "VALUES ( ?i ?r ) { }".to_owned() } else { parts.join(" UNION ") };
        format!("SELECT ?i ?r {{ {parts} }}")
    }
}
