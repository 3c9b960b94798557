//! The answer of a query as a chart or as a network.

use oxrdf::Term;

use super::CommandStop;
use super::drawn_chart::DrawnChart;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::drawing::chart_number::ChartBar;
use evalgraph_engine::drawing::column_chart::{CountedNumber, histogram};
use evalgraph_engine::drawing::network::StatementNetwork;
use evalgraph_engine::drawing::network_files::NetworkFormat;
use evalgraph_engine::drawing::network_picture::{MOST_NODES, network_picture};
use evalgraph_engine::drawing::picture::DrawnPicture;
use evalgraph_engine::drawing::picture_files::PictureFormat;
use evalgraph_engine::named_queries::{ChartKind, QueryChart};
use evalgraph_rdf::QuadBuffer;
use evalgraph_sparql::{QueryPrefixes, SolutionSequence};

/// A form in which a query can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DrawingForm {
    /// A picture.
    Picture(PictureFormat),
    /// A file for a program that draws networks.
    Network(NetworkFormat),
}

impl DrawingForm {
    /// All forms.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let pictures = PictureFormat::ALL.into_iter().map(Self::Picture);
        pictures.chain(NetworkFormat::ALL.into_iter().map(Self::Network))
    }

    /// The name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Picture(format) => format.name(),
            Self::Network(format) => format.name(),
        }
    }
}

/// How solutions become a chart.
#[derive(Debug)]
pub(super) struct SolutionsChart<'c> {
    /// The title of the picture. By default the names of the columns.
    pub(super) title: Option<&'c str>,
    /// The kind that the user names.
    pub(super) kind: Option<DrawnChart>,
    /// The chart that the query declares.
    pub(super) declared: Option<&'c QueryChart>,
    /// The prefixes by which IRIs are shortened.
    pub(super) prefixes: &'c QueryPrefixes,
}

impl SolutionsChart<'_> {
    /// Draws solutions, and returns the picture with the number of rows.
    ///
    /// # Errors
    ///
    /// `query::chart` if no column has numbers; errors of the evaluation.
    pub(super) fn draw(&self, solutions: SolutionSequence<'_>) -> Result<(DrawnPicture, u64), CommandStop> {
        let variables: Vec<String> =
            solutions.variables().iter().map(|variable| variable.as_str().to_owned()).collect();
        let mut rows: Vec<Vec<Option<Term>>> = Vec::new();
        for solution in solutions {
            let solution = solution?;
            rows.push(variables.iter().map(|name| solution.get(&**name).cloned()).collect());
        }
        let numbers = |column: usize| rows.iter().filter_map(move |row| row[column].as_ref());
        let is_number = |column: &usize| {
            numbers(*column).next().is_some() && numbers(*column).all(|term| number_of(term).is_some())
        };
        let column_of = |name: &str| variables.iter().position(|variable| variable == name);
        let declared = |name: fn(&QueryChart) -> &str| self.declared.and_then(|chart| column_of(name(chart)));
        let columns = 0..variables.len();
        let label = declared(|chart| &chart.label)
            .or_else(|| columns.clone().find(|column| !is_number(column)))
            .unwrap_or(0);
        let value = declared(|chart| &chart.value)
            .or_else(|| columns.clone().find(|column| *column != label && is_number(column)))
            .or_else(|| columns.clone().find(is_number));
        let Some(value) = value else {
            let fault = Diagnostic::error("query::chart", "no column of the answer has numbers only");
            return Err(fault.with_help("count or average something: `(COUNT(*) AS ?count)`").into());
        };
        let bars = rows.iter().filter_map(|row| {
            let value = number_of(row[value].as_ref()?)?;
            let label = row[label].as_ref().map(|term| self.shown(term)).unwrap_or_default();
            Some(ChartBar { label, value })
        });
        let bars: Vec<ChartBar> = bars.collect();
        let kind = self.kind.unwrap_or(match self.declared.map(|chart| chart.kind) {
            Some(ChartKind::Histogram) => DrawnChart::Hist,
            _ => DrawnChart::Bar,
        });
        let title = match (self.title, kind) {
            (Some(title), _) => title.to_owned(),
            (None, DrawnChart::Hist) => variables[value].clone(),
            (None, _) => format!("{} by {}", variables[value], variables[label]),
        };
        let picture = match self.declared_counts(&bars).filter(|_| kind == DrawnChart::Hist) {
            Some(counted) => histogram(&title, &counted),
            None => kind.draw(&title, &bars),
        };
        Ok((picture, rows.len() as u64))
    }

    /// The numbers of the histogram that the query declares: the labels, with their counts.
    fn declared_counts(&self, bars: &[ChartBar]) -> Option<Vec<CountedNumber>> {
        self.declared.filter(|chart| chart.kind == ChartKind::Histogram)?;
        let counted = bars.iter().filter_map(|bar| {
            let number = bar.label.parse().ok().filter(|number: &f64| number.is_finite())?;
            Some(CountedNumber { number, count: bar.value })
        });
        Some(counted.collect())
    }

    fn shown(&self, term: &Term) -> String {
        match term {
            Term::NamedNode(iri) => {
                self.prefixes.shorten(iri.as_str()).unwrap_or_else(|| iri.as_str().to_owned())
            }
            Term::Literal(literal) => literal.value().to_owned(),
            _ => String::new(),
        }
    }
}

/// The finite number that a literal of a numeric datatype is.
fn number_of(term: &Term) -> Option<f64> {
    let Term::Literal(literal) = term else { return None };
    let datatype = literal.datatype().as_str();
    let is_text = datatype.ends_with("#string") || literal.language().is_some();
    let number: f64 = if is_text { return None } else { literal.value().parse().ok()? };
    number.is_finite().then_some(number)
}

/// Returns the network of a graph in a form, with a note if not all statements are in it.
pub(super) fn drawn_network(
    quads: &QuadBuffer,
    title: &str,
    form: DrawingForm,
    prefixes: &QueryPrefixes,
) -> std::io::Result<(Vec<u8>, Option<Diagnostic>)> {
    let most = if matches!(form, DrawingForm::Picture(_)) { MOST_NODES } else { usize::MAX };
    // The neighbourhood of a node is asked with this node as the title.
    let network = StatementNetwork::from_quads(quads, Some(title), most, &|iri| prefixes.shorten(iri));
    let left_out = (network.left_out > 0).then(|| {
        let message =
            format!("the picture has {MOST_NODES} nodes; {} statements are left out", network.left_out);
        Diagnostic::warning("query::picture", message).with_help("`--format dot` and graphml have all")
    });
    let bytes = match form {
        DrawingForm::Picture(format) => format.bytes_of(&network_picture(title, &network))?,
        DrawingForm::Network(format) => network.to_text(format).into_bytes(),
    };
    Ok((bytes, left_out))
}
