//! How far judges agree: people, models and metrics that gave values to the same things.
//!
//! `LoadedData` is defined in `loaded_data.rs`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use evalgraph_sparql::QueryResults;
use evalgraph_statistics::{
    AgreementFigures, KappaWeights, MeasurementLevel, cohen_kappa, fleiss_kappa, krippendorff_alpha,
};
use oxrdf::Term;

use super::error::Error;
use super::loaded_data::LoadedData;

/// The ratings of one aspect: how far its judges agree.
#[derive(Debug, Clone)]
pub struct AspectAgreement {
    /// What was rated, such as `accuracy`.
    pub aspect: String,
    /// The judges, sorted by name.
    pub judges: Vec<String>,
    /// How many things at least two judges rated.
    pub units: usize,
    /// The ratings of these things.
    pub ratings: usize,
    /// `true` if all ratings are numbers. Otherwise only nominal figures are defined.
    pub is_numeric: bool,
    /// Fleiss' kappa, for the things that most judges rated.
    pub fleiss: Option<AgreementFigures>,
    /// Krippendorff's alpha for ratings that are equal or different.
    pub nominal: Option<AgreementFigures>,
    /// Krippendorff's alpha for ratings that have an order.
    pub ordinal: Option<AgreementFigures>,
    /// Krippendorff's alpha for ratings whose differences have a meaning.
    pub interval: Option<AgreementFigures>,
    /// Each two judges who rated the same things.
    pub pairs: Vec<JudgePair>,
}

/// Two judges who rated the same things.
#[derive(Debug, Clone)]
pub struct JudgePair {
    /// The first judge.
    pub first: String,
    /// The second judge.
    pub second: String,
    /// Cohen's kappa without weights.
    pub figures: AgreementFigures,
}

/// The ratings of one aspect: for each thing, the value of each judge. A judge who rated a thing twice counts with the
/// last value.
#[derive(Default)]
struct AspectRatings {
    things: BTreeMap<String, BTreeMap<String, String>>,
}

impl LoadedData {
    /// Returns how far judges agree, for each aspect that at least two of them rated, sorted by aspect. Ratings are those
    /// of the named query `ratings`, and the verdicts of the models that read answers, from `results`.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let loaded = evalgraph::Loader::new().load(["fixtures/across/review.json"])?;
    /// let agreement = loaded.agreement()?;
    /// assert_eq!(agreement[0].aspect, "accuracy");
    /// assert_eq!(agreement[0].judges, ["anna", "bruno", "carla"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a query fails.
    pub fn agreement(&self) -> Result<Vec<AspectAgreement>, Error> {
        let mut aspects: BTreeMap<String, AspectRatings> = BTreeMap::new();
        self.each_row(
            "ratings",
            &["aspect", "rated", "rater", "value", "file"],
            |[aspect, rated, rater, value, file]| {
                if !rated.is_empty() && !rater.is_empty() {
                    let things = &mut aspects.entry(aspect).or_default().things;
                    things.entry(format!("{file} {rated}")).or_default().insert(rater, value);
                }
            },
        )?;
        let columns = ["id", "question_text", "answering_model", "replicate", "parsing_model", "passed"];
        self.each_row("results", &columns, |[id, text, model, repeat, judge, passed]| {
            if !judge.is_empty() && !passed.is_empty() {
                let sample = if id.is_empty() { text } else { id };
                let things = &mut aspects.entry("verify_result".to_owned()).or_default().things;
                things.entry(format!("{sample} {model} {repeat}")).or_default().insert(judge, passed);
            }
        })?;
        let agreement = aspects.into_iter().filter_map(|(aspect, ratings)| ratings.agreement(aspect));
        Ok(agreement.collect())
    }

    /// Passes columns of the rows of a named query to `visit`; a column without a value is empty.
    fn each_row<const COLUMNS: usize>(
        &self,
        name: &str,
        columns: &[&str; COLUMNS],
        mut visit: impl FnMut([String; COLUMNS]),
    ) -> Result<(), Error> {
        let QueryResults::Solutions(rows) = self.named_query(name, &[])? else { return Ok(()) };
        for row in rows {
            let row = row?;
            visit(columns.map(|column| row.get(column).map(text_of).unwrap_or_default()));
        }
        Ok(())
    }
}

fn text_of(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => node.as_str().to_owned(),
        Term::Literal(literal) => literal.value().to_owned(),
        other => other.to_string(),
    }
}

impl AspectRatings {
    fn agreement(self, aspect: String) -> Option<AspectAgreement> {
        let things: Vec<BTreeMap<String, String>> =
            self.things.into_values().filter(|ratings| ratings.len() > 1).collect();
        let judges: BTreeSet<&str> = things.iter().flatten().map(|(judge, _)| judge.as_str()).collect();
        if judges.is_empty() {
            return None;
        }
        let judges: Vec<String> = judges.into_iter().map(ToOwned::to_owned).collect();
        let values: BTreeSet<&str> = things.iter().flatten().map(|(_, value)| value.as_str()).collect();
        let number = |value: &str| value.parse().ok().filter(|number: &f64| number.is_finite());
        let is_numeric = values.iter().all(|value| number(value).is_some());
        // Categories are numbered.
        let numbers: HashMap<&str, f64> = values
            .iter()
            .enumerate()
            .map(|(at, value)| (*value, number(value).filter(|_| is_numeric).unwrap_or(at as f64)))
            .collect();
        let of_judge = |judge: &String| {
            let rating =
                |ratings: &BTreeMap<String, String>| ratings.get(judge).map(|value| numbers[value.as_str()]);
            things.iter().map(rating).collect::<Vec<Option<f64>>>()
        };
        let by_judge: Vec<Vec<Option<f64>>> = judges.iter().map(of_judge).collect();
        let units: Vec<Vec<Option<f64>>> =
            (0..things.len()).map(|at| by_judge.iter().map(|ratings| ratings[at]).collect()).collect();
        let mut pairs = Vec::new();
        for (at, first) in judges.iter().enumerate() {
            for (other, second) in judges.iter().enumerate().skip(at + 1) {
                let figures = cohen_kappa(&by_judge[at], &by_judge[other], KappaWeights::Unweighted);
                let (first, second) = (first.clone(), second.clone());
                pairs.extend(figures.map(|figures| JudgePair { first, second, figures }));
            }
        }
        let alpha = |level| krippendorff_alpha(&units, level);
        Some(AspectAgreement {
            aspect,
            units: units.len(),
            ratings: things.iter().map(BTreeMap::len).sum(),
            is_numeric,
            fleiss: fleiss_kappa(&units),
            nominal: alpha(MeasurementLevel::Nominal),
            ordinal: alpha(MeasurementLevel::Ordinal).filter(|_| is_numeric),
            interval: alpha(MeasurementLevel::Interval).filter(|_| is_numeric),
            pairs,
            judges,
        })
    }
}
