//! The chart for a named query's answer, requested by a line of its header: `# chart: bars LABEL VALUE`.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::nearest::{nearest, nearest_variable};
use evalgraph_sparql::variables_of;

/// The kind of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChartKind {
    /// A bar for each row, in row order.
    Bars,
    /// How often each value occurs. The labels are the numbers, in numeric order.
    Histogram,
}

impl ChartKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Bars, Self::Histogram];

    /// Returns the name that the header of a query uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bars => "bars",
            Self::Histogram => "histogram",
        }
    }
}

/// The chart for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryChart {
    /// Its kind.
    pub kind: ChartKind,
    /// The variable that names a bar, without `?`.
    pub label: String,
    /// The variable with the numbers, without `?`.
    pub value: String,
}

impl QueryChart {
    /// Reads `KIND LABEL VALUE` for a query with this text.
    pub(super) fn read(line: &str, query: &str) -> Result<Self, Box<Diagnostic>> {
        let refused = |message: String| Diagnostic::error("sparql::header", message);
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind, label, value] = words.as_slice() else {
            let fault = refused("a `chart` line needs a kind, a label and a value".to_owned());
            return Err(fault
                .with_help("write `# chart: bars LABEL VALUE`, with the names of variables")
                .into());
        };
        let names = ChartKind::ALL.map(ChartKind::name);
        let Some(kind) = ChartKind::ALL.into_iter().find(|known| known.name() == *kind) else {
            let fault = refused(format!("`{kind}` is not a kind of chart"));
            return Err(Box::new(match nearest(kind, names) {
                Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
                None => fault.with_help(format!("the kinds are {}", names.join(", "))),
            }));
        };
        let known = variables_of(query);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let variable = |word: &str| {
            let name = word.trim_start_matches('?');
            if known.contains(&name) {
                return Ok(name.to_owned());
            }
            let fault = refused(format!("the chart uses `?{name}`, which the query does not have"));
            Err(Box::new(match nearest_variable(name, &known) {
                Some(meant) => fault.with_help(format!("did you mean `?{meant}`?")),
                None => fault,
            }))
        };
        Ok(Self { kind, label: variable(label)?, value: variable(value)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named_queries::NamedQuery;

    #[test]
    fn a_chart_is_a_kind_and_two_variables() {
        let read = |line: &str| {
            let text = format!(
                "# title: T\n# chart: {line}\nSELECT ?file (COUNT(*) AS ?questions) {{ ?file ?p ?o }}"
            );
            NamedQuery::read("t", &text, "t.rq").map(|query| query.chart)
        };
        let chart =
            QueryChart { kind: ChartKind::Bars, label: "file".to_owned(), value: "questions".to_owned() };
        assert_eq!(read("bars file questions").expect("it is one"), Some(chart.clone()));
        assert_eq!(read(" bars  ?file ?questions ").expect("it is one"), Some(chart));
        assert_eq!(NamedQuery::read("t", "ASK {}", "t.rq").expect("it has no header").chart, None);
        for (wrong, message, help) in [
            ("", "a `chart` line needs a kind, a label and a value", ""),
            ("bars file", "a `chart` line needs a kind, a label and a value", ""),
            ("bars file questions more", "a `chart` line needs a kind, a label and a value", ""),
            ("bar file questions", "`bar` is not a kind of chart", "did you mean `bars`?"),
            ("pie file questions", "`pie` is not a kind of chart", "the kinds are bars, histogram"),
            (
                "bars fiel questions",
                "the chart uses `?fiel`, which the query does not have",
                "did you mean `?file`?",
            ),
            ("bars file count", "the chart uses `?count`, which the query does not have", ""),
        ] {
            let fault = read(wrong).expect_err(wrong);
            assert_eq!((&*fault.code, &*fault.message), ("sparql::header", message), "{wrong}");
            assert_eq!(fault.place.as_ref().map(|place| place.line), Some(2), "{wrong}");
            assert!(
                fault.help.iter().any(|line| line.to_string().contains(help)) || help.is_empty(),
                "{wrong}"
            );
        }
    }
}
