//! How Karenina's programs lay out the objects of a checkpoint, for a file that has had none of their kind: one
//! without questions says nothing of how a question looks.

use super::context::RewritingContext;
use super::layout::PlaceLayout;

/// The keys of a class in their order.
const KEYS: [(&str, &[&str]); 6] = [
    ("DataFeedItem", &["@type", "@id", "dateCreated", "dateModified", "item", "keywords"]),
    (
        "Question",
        &["@type", "@id", "text", "acceptedAnswer", "hasPart", "rating", "additionalProperty", "keywords"],
    ),
    ("Answer", &["@type", "@id", "text"]),
    ("SoftwareSourceCode", &["@type", "@id", "name", "text", "programmingLanguage", "codeRepository"]),
    ("Rating", &["@type", "@id", "name", "description", "additionalType", "bestRating", "worstRating"]),
    ("PropertyValue", &["@type", "name", "value"]),
];

/// The key under which a question has its one template, which no program reads from an array.
const TEMPLATE: &str = "hasPart";

/// Returns what usually holds for objects of a class, by its name in the file.
pub(super) fn usual_place(class: &str, context: &RewritingContext) -> PlaceLayout {
    let keys = KEYS.iter().find(|(known, _)| *known == class).map_or(&[][..], |(_, keys)| keys);
    let is_turned = class == "Question" && context.is_set(TEMPLATE);
    PlaceLayout {
        keys: keys.iter().map(|&key| key.to_owned()).collect(),
        turned: is_turned.then(|| TEMPLATE.to_owned()).into_iter().collect(),
        ..PlaceLayout::default()
    }
}
