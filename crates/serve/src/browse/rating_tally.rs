//! The ratings of questions: their number and their mean. A question can have its own ratings. Reviews are about the
//! question or about an answer to it, and may be in other graphs than the question.

use std::collections::HashMap;

use super::links::{RowLink, RowLinkList, anywhere, in_graph};
use super::name_lookup::{NameLookup, PropertyStatement};
use super::question_table::QuestionRow;
use evalgraph_store::TermId;

/// The properties that point from a question to an answer.
pub(super) const ANSWERS: [&str; 2] = ["acceptedAnswer", "suggestedAnswer"];
/// The properties that point from a question to a rating.
pub(super) const RATINGS: [&str; 2] = ["rating", "contentRating"];
/// The verdict of a review, which is not a rating: whether the reviewed answer is right.
pub(super) const VERDICT: &str = "eg:verifyResult";

/// Reads the ratings of rows, which are found by graph and node, or by node.
pub(super) fn read_ratings(
    names: &NameLookup<'_>,
    rows: &mut [QuestionRow],
    keys: &RowLinkList,
    nodes: &RowLinkList,
) {
    let mut tally = RatingTally { names, numbers: HashMap::new(), rows };
    let mut own = Vec::new();
    for property in RATINGS {
        let mut walk = keys.walk();
        for PropertyStatement { graph, subject, object } in names.quads(property) {
            let links = walk.links_of(in_graph(graph, subject)).iter();
            own.extend(links.map(|link| RowLink { key: in_graph(graph, object), row: link.row }));
        }
    }
    let own: RowLinkList = own.into_iter().collect();
    if !own.is_empty() {
        let mut walk = own.walk();
        for PropertyStatement { graph, subject, object } in names.quads("ratingValue") {
            tally.add(walk.links_of(in_graph(graph, subject)), object);
        }
    }
    let reviews = reviews(names, nodes);
    if !reviews.is_empty() {
        let mut of_reviews = Vec::new();
        let mut walk = reviews.walk();
        for (subject, object) in names.union("reviewRating") {
            let links = walk.links_of(anywhere(subject)).iter();
            of_reviews.extend(links.map(|link| RowLink { key: anywhere(object), row: link.row }));
        }
        let of_reviews: RowLinkList = of_reviews.into_iter().collect();
        let mut walk = of_reviews.walk();
        for (subject, object) in names.union("ratingValue") {
            tally.add(walk.links_of(anywhere(subject)), object);
        }
        let mut walk = reviews.walk();
        for (subject, object) in names.union(VERDICT) {
            tally.add(walk.links_of(anywhere(subject)), object);
        }
    }
    for row in rows.iter_mut().filter(|row| row.ratings > 0) {
        row.rating /= f64::from(row.ratings);
    }
}

/// Returns the reviews of questions and of their answers, with the rows of the questions.
fn reviews(names: &NameLookup<'_>, nodes: &RowLinkList) -> RowLinkList {
    let has_reviews = ["reviewRating", VERDICT].iter().any(|property| !names.name(property).is_empty());
    if !has_reviews {
        return RowLinkList::default();
    }
    let mut reviewed: Vec<RowLink> = nodes.iter().collect();
    for property in ANSWERS {
        let mut walk = nodes.walk();
        for (subject, object) in names.union(property) {
            let links = walk.links_of(anywhere(subject)).iter();
            reviewed.extend(links.map(|link| RowLink { key: anywhere(object), row: link.row }));
        }
    }
    for (answer, question) in names.everywhere("parentItem") {
        let links = nodes.links_of(anywhere(question)).iter();
        reviewed.extend(links.map(|link| RowLink { key: anywhere(answer), row: link.row }));
    }
    let reviewed: RowLinkList = reviewed.into_iter().collect();
    let mut reviews = Vec::new();
    let mut walk = reviewed.walk();
    for (subject, object) in names.union("review") {
        let links = walk.links_of(anywhere(subject)).iter();
        reviews.extend(links.map(|link| RowLink { key: anywhere(object), row: link.row }));
    }
    for (review, what) in names.everywhere("itemReviewed") {
        let links = reviewed.links_of(anywhere(what)).iter();
        reviews.extend(links.map(|link| RowLink { key: anywhere(review), row: link.row }));
    }
    reviews.into_iter().collect()
}

struct RatingTally<'t> {
    names: &'t NameLookup<'t>,
    /// The numbers of literals; there are few distinct ones.
    numbers: HashMap<TermId, Option<f64>>,
    rows: &'t mut [QuestionRow],
}

impl RatingTally<'_> {
    /// Adds a value to rows, if it is a number or a boolean.
    fn add(&mut self, links: &[RowLink], value: TermId) {
        if links.is_empty() {
            return;
        }
        let Self { names, numbers, rows } = self;
        let Some(number) = *numbers.entry(value).or_insert_with(|| names.number(value)) else { return };
        for link in links {
            let row = &mut rows[link.row as usize];
            row.ratings += 1;
            row.rating += number;
        }
    }
}
