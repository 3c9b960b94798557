//! The ratings of one question, and expert reviews of its answers.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::node_lookup::NodeLookup;
use super::shown_question::{MOST, ShownQuestion};

use super::rating_tally::{ANSWERS, RATINGS, VERDICT};
use evalgraph_store::TermId;

/// The reviews of a question and of its answers, in any graph.
pub(super) struct QuestionReviews(BTreeSet<TermId>);

/// The property of an expert that weighs the expert's opinion.
const AUTHORITY: &str = "authority_score";

impl QuestionReviews {
    pub(super) fn new(asked: &ShownQuestion<'_>) -> Self {
        let nodes = asked.nodes.everywhere();
        let mut reviewed = BTreeSet::from([asked.question]);
        reviewed.extend(nodes.objects_of(asked.question, &ANSWERS));
        reviewed.extend(nodes.subjects("parentItem", asked.question));
        let mut reviews = BTreeSet::new();
        for what in reviewed {
            reviews.extend(nodes.objects(what, "review"));
            reviews.extend(nodes.subjects("itemReviewed", what));
        }
        Self(reviews)
    }

    /// Returns the feedback in reviews that have an author.
    pub(super) fn feedback(&self, asked: &ShownQuestion<'_>) -> Value {
        let nodes = asked.nodes.everywhere();
        let told = |review: TermId| {
            let by = nodes.name_at(review, "author")?;
            let validated = || {
                let answers = nodes.objects(review, "eg:validatedAnswer").into_iter();
                answers.filter_map(|answer| nodes.text(answer, "text")).next()
            };
            let value = nodes.text(review, "eg:feedbackPosition").or_else(validated);
            let value = value.or_else(|| nodes.text(review, "eg:rating"));
            let text = nodes.text(review, "reviewBody");
            // Ratings are returned separately.
            if value.is_none() && text.is_none() {
                return None;
            }
            let authority = authority(nodes, review);
            Some(json!({
                "by": by,
                "level": authority.as_ref().map(|authority| format!("authority {authority}")),
                "value": value,
                "text": text,
                "at": nodes.text(review, "dateCreated"),
            }))
        };
        self.0.iter().filter_map(|review| told(*review)).take(MOST).collect()
    }
}

/// Returns the authority of a review's author.
fn authority(nodes: NodeLookup<'_>, review: TermId) -> Option<Value> {
    let figures = nodes.path(review, &["author", "eg:observation"]);
    let is_authority =
        |figure: &TermId| nodes.text(*figure, "variableMeasured").is_some_and(|name| name == AUTHORITY);
    let figure = figures.into_iter().find(is_authority)?;
    nodes.value(figure, "value")
}

/// Returns the ratings of a question: its own, and those in reviews.
pub(super) fn ratings(asked: &ShownQuestion<'_>, reviews: &QuestionReviews) -> Value {
    let (own, everywhere) = (asked.nodes, asked.nodes.everywhere());
    let mut ratings: Vec<Value> = Vec::new();
    for rating in own.objects_of(asked.question, &RATINGS) {
        for value in values(own, rating, "ratingValue") {
            if ratings.len() == MOST {
                return ratings.into();
            }
            ratings.push(json!({
                "trait": own.text(rating, "name"),
                "value": value,
                "by": own.name_at(rating, "author"),
                "explanation": own.text(rating, "ratingExplanation"),
                "at": own.text(rating, "dateCreated"),
            }));
        }
    }
    for review in &reviews.0 {
        let by = everywhere.name_at(*review, "author");
        let mut add = |aspect: Option<String>, value: Value, by: Option<String>| {
            let aspect = aspect.or_else(|| everywhere.text(*review, "reviewAspect"));
            ratings.push(json!({
                "trait": aspect,
                "value": value,
                "by": by,
                "explanation": everywhere.text(*review, "reviewBody"),
                "at": everywhere.text(*review, "dateCreated"),
            }));
        };
        for rating in everywhere.objects(*review, "reviewRating") {
            for value in values(everywhere, rating, "ratingValue") {
                add(everywhere.text(rating, "reviewAspect"), value, by.clone());
            }
        }
        for value in values(everywhere, *review, VERDICT) {
            let judge = everywhere.text(*review, "eg:parsingModel");
            add(Some("verification".to_owned()), value, judge.or_else(|| by.clone()));
        }
        if ratings.len() >= MOST {
            ratings.truncate(MOST);
            break;
        }
    }
    ratings.into()
}

/// Returns the numbers and booleans of a property.
fn values(nodes: NodeLookup<'_>, node: TermId, property: &str) -> Vec<Value> {
    let objects = nodes.objects(node, property).into_iter();
    objects.filter_map(|object| nodes.names.json_number(object)).collect()
}
