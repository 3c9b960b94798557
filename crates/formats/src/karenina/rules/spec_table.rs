//! The table of the rules of the specification, 3.0.0-jsonld.

use crate::checking::{FormatRule, info, rules, violation};

rules! {
    RULES:
    ROOT = violation("K-S1", "the checkpoint must be a `Dataset` with a context");
    VERSION = violation("K-S2", "`version` must contain \"jsonld\"");
    LIST = violation("K-S3", "`hasPart` must be an array of `DataFeedItem`s");
    ITEM = violation("K-S4", "an item must have `dateModified` and a `Question`");
    QUESTION = violation("K-S5", "a question must have a text, an answer and a template in Python");
    RATING = violation("K-S6", "a rating must have a name and three numbers");
    IN_RANGE = violation("K-S7", "`ratingValue` must lie in its range");
    BOOLEAN = violation("K-S8", "`ratingValue` of a boolean trait must be 0 or 1");
    ORDER = violation("K-S9", "`bestRating` must be above `worstRating`");
    AUTHOR = violation("K-S10", "`author` of a rating must be one of the two strings");
    DATE = violation("K-S11", "timestamps must be in ISO 8601");
    CONTEXT = violation("K-S12", "the context must make the names those of schema.org");
    ID = info("K-S13", "an `@id` should have the pattern of its class");
    MEMBERS = violation("K-S14", "answers, ratings and properties must have their `@type`, properties a name and a value");
    PROPERTY = violation("K-S15", "the standard properties must have the values of the specification");
    ZERO_ONE = violation("K-S16", "a trait that `global_rubric_traits` calls boolean must run from 0 to 1");
    OTHER_RANGE = info("K-S17", "a trait of a question should not have the name of a boolean global trait and another range");
}
