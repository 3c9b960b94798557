//! The rules of the Python library's loader.

use crate::source::checking::{Pydantic, Rule, rules, violation, warning};

/// The version of Pydantic with which the library reads.
pub(super) const LIBRARY: Pydantic = Pydantic::Later;

rules! {
    RULES:
    ROOT = violation("K-P-DataFeed", "the fields of the checkpoint have the types that are read");
    ITEM = violation("K-P-DataFeedItem", "the fields of an item have the types that are read");
    QUESTION = violation("K-P-Question", "the fields of a question have the types that are read");
    ANSWER = violation("K-P-Answer", "the fields of an answer have the types that are read");
    TEMPLATE = violation("K-P-SoftwareSourceCode", "the fields of a template have the types that are read");
    RATING = violation("K-P-Rating", "the fields of a trait have the types that are read");
    PROPERTY = violation("K-P-PropertyValue", "the fields of a property have the types that are read");
    SCENARIO_PARTS = violation("K-P-Scenario", "the parts of a scenario have the types that are read");
    QUESTION_TYPE = violation("K-P1", "the `additionalType` of a question's trait is one of the 14 names");
    GLOBAL_TYPE = violation(
        "K-P2",
        "the `additionalType` of the checkpoint's traits is one of the 7 global names"
    );
    KIND = violation("K-P3", "a trait has the fields that its kind requires");
    EITHER = violation("K-P4", "a checkpoint has questions or scenarios, not both");
    NAMES = violation("K-P5", "the traits of a rubric have names of their own, without a dot");
    FINISHED = violation("K-P6", "`finished` of a question is true or false");
    READ = warning("K-P7", "the library reads every trait that is there");
}
