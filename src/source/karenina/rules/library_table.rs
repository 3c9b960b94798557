//! The rules of the Python library's loader.

use crate::source::checking::{Pydantic, Rule, violation, warning};

/// What the library reads with.
pub(super) const LIBRARY: Pydantic = Pydantic::Later;

pub(super) const ROOT: Rule =
    violation("K-P-DataFeed", "the fields of the checkpoint have the types that are read");
pub(super) const ITEM: Rule =
    violation("K-P-DataFeedItem", "the fields of an item have the types that are read");
pub(super) const QUESTION: Rule =
    violation("K-P-Question", "the fields of a question have the types that are read");
pub(super) const ANSWER: Rule =
    violation("K-P-Answer", "the fields of an answer have the types that are read");
pub(super) const TEMPLATE: Rule =
    violation("K-P-SoftwareSourceCode", "the fields of a template have the types that are read");
pub(super) const RATING: Rule = violation("K-P-Rating", "the fields of a trait have the types that are read");
pub(super) const PROPERTY: Rule =
    violation("K-P-PropertyValue", "the fields of a property have the types that are read");
pub(super) const SCENARIO_PARTS: Rule =
    violation("K-P-Scenario", "the parts of a scenario have the types that are read");
pub(super) const QUESTION_TYPE: Rule =
    violation("K-P1", "the `additionalType` of a question's trait is one of the 14 names");
pub(super) const GLOBAL_TYPE: Rule =
    violation("K-P2", "the `additionalType` of the checkpoint's traits is one of the 7 global names");
pub(super) const KIND: Rule = violation("K-P3", "a trait has what its kind needs when it is used");
pub(super) const EITHER: Rule = violation("K-P4", "a checkpoint has questions or scenarios, not both");
pub(super) const NAMES: Rule =
    violation("K-P5", "the traits of a rubric have names of their own, without a dot");
pub(super) const FINISHED: Rule = violation("K-P6", "`finished` of a question is true or false");
pub(super) const READ: Rule = warning("K-P7", "the library reads every trait that is there");

pub(super) const RULES: [Rule; 15] = [
    ROOT,
    ITEM,
    QUESTION,
    ANSWER,
    TEMPLATE,
    RATING,
    PROPERTY,
    SCENARIO_PARTS,
    QUESTION_TYPE,
    GLOBAL_TYPE,
    KIND,
    EITHER,
    NAMES,
    FINISHED,
    READ,
];
