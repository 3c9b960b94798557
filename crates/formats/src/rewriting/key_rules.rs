//! The rules of the places of a document while it is written, with keys given by number.

use super::compaction_forms::{CompactionForms, KeyId};
use super::layout::{DocumentLayout, PlaceLayout, place_name};
use super::rewriting_context::RewritingContext;
use evalgraph_rdf::quad_buffer::BufferTermId;
use hashbrown::{HashMap, HashSet};

/// The rank of a key that is in no order.
pub(crate) const UNRANKED: u32 = u32::MAX;

type KeySet = HashSet<KeyId, foldhash::fast::FixedState>;

/// The rules for the objects of a place.
#[derive(Debug, Default)]
pub(crate) struct KeyRules {
    /// The rank of each key, by its number.
    pub(super) ranks: HashMap<KeyId, u32, foldhash::fast::FixedState>,
    /// The keys with a single value whose use of an array differs from the context.
    pub(super) turned: KeySet,
    /// The keys whose whole numbers are written with `.0`.
    pub(super) decimal: KeySet,
    names: HashMap<String, u32, foldhash::fast::FixedState>,
}

impl KeyRules {
    /// Returns the rules for objects of a class under a key.
    pub(crate) fn of_place(
        layout: &DocumentLayout,
        forms: &mut CompactionForms<'_>,
        key: KeyId,
        class: Option<BufferTermId>,
    ) -> Self {
        let class = class.map(|class| forms.type_text(class));
        match layout.places.get(&place_name(forms.key_text(key), class.as_deref())) {
            Some(place) => Self::new(place, forms),
            // The file has a layout, but not for this place: its new objects are laid out as in other files of their
            // kind.
            None if !layout.places.is_empty() => {
                let usual = usual_place(class.as_deref().unwrap_or_default(), &forms.context);
                Self::new(&usual, forms)
            }
            None => Self::default(),
        }
    }

    fn new(layout: &PlaceLayout, forms: &mut CompactionForms<'_>) -> Self {
        let mut numbered =
            |keys: &[String]| -> Vec<KeyId> { keys.iter().map(|key| forms.key(key)).collect() };
        Self {
            ranks: numbered(&layout.keys).into_iter().zip(0..).collect(),
            turned: numbered(&layout.turned).into_iter().collect(),
            decimal: numbered(&layout.decimal).into_iter().collect(),
            names: layout.names.iter().cloned().zip(0..).collect(),
        }
    }

    /// Returns the rank of a key.
    #[inline]
    pub(crate) fn rank(&self, key: KeyId) -> u32 {
        self.ranks.get(&key).copied().unwrap_or(UNRANKED)
    }

    /// Returns the rank of an object of that name in its array.
    #[inline]
    pub(crate) fn name_rank(&self, name: &str) -> u32 {
        if self.names.is_empty() { UNRANKED } else { self.names.get(name).copied().unwrap_or(UNRANKED) }
    }
}

/// The keys of a class, in order.
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

/// The key of a question's only template, which no program reads from an array.
const TEMPLATE: &str = "hasPart";

/// Returns how Karenina's programs lay out the objects of a class, given its name in the file. It is for files that
/// have no object of the class and therefore no layout for it.
fn usual_place(class: &str, context: &RewritingContext) -> PlaceLayout {
    let keys = KEYS.iter().find(|(known, _)| *known == class).map_or(&[][..], |(_, keys)| keys);
    let is_turned = class == "Question" && context.is_set(TEMPLATE);
    PlaceLayout {
        keys: keys.iter().map(|&key| key.to_owned()).collect(),
        turned: is_turned.then(|| TEMPLATE.to_owned()).into_iter().collect(),
        ..PlaceLayout::default()
    }
}
