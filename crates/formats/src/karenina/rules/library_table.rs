//! The rules of the Python library's loader.

use crate::checking::{FormatRule, PydanticVersion, rules, violation, warning};

/// The version of Pydantic that the library uses.
pub(super) const LIBRARY: PydanticVersion = PydanticVersion::Later;

rules! {
    RULES:
    ROOT = violation("K-P-DataFeed", "the fields of the checkpoint must have the types that the library reads");
    ITEM = violation("K-P-DataFeedItem", "the fields of an item must have the types that the library reads");
    QUESTION = violation("K-P-Question", "the fields of a question must have the types that the library reads");
    ANSWER = violation("K-P-Answer", "the fields of an answer must have the types that the library reads");
    TEMPLATE = violation("K-P-SoftwareSourceCode", "the fields of a template must have the types that the library reads");
    RATING = violation("K-P-Rating", "the fields of a trait must have the types that the library reads");
    PROPERTY = violation("K-P-PropertyValue", "the fields of a property must have the types that the library reads");
    SCENARIO_PARTS = violation("K-P-Scenario", "the parts of a scenario must have the types that the library reads");
    QUESTION_TYPE = violation("K-P1", "the `additionalType` of a question's trait must be one of the 14 names");
    GLOBAL_TYPE = violation(
        "K-P2",
        "the `additionalType` of the checkpoint's traits must be one of the 7 global names"
    );
    KIND = violation("K-P3", "a trait must have the fields that its kind requires");
    EITHER = violation("K-P4", "a checkpoint must have questions or scenarios, not both");
    NAMES = violation("K-P5", "the traits of a rubric must have distinct names, without a dot");
    FINISHED = violation("K-P6", "`finished` of a question must be true or false");
    READ = warning("K-P7", "a trait should be one that the library reads");
}
