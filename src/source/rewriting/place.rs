//! The places of a document while it is written: what their layouts say, by number.

use super::forms::{Forms, KeyId};
use super::layout::{Layout, PlaceLayout, place_name};
use super::usual_places::usual_place;
use crate::rdf::quad_buffer::TermId;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// The rank of a key that no order knows.
pub(crate) const UNRANKED: u32 = u32::MAX;

type KeySet = HashSet<KeyId, foldhash::fast::FixedState>;

/// Holds what holds for the objects of a place.
#[derive(Debug, Default)]
pub(crate) struct KeyRules {
    /// By the number of the key.
    ranks: HashMap<KeyId, u32, foldhash::fast::FixedState>,
    turned: KeySet,
    decimal: KeySet,
    names: HashMap<String, u32, foldhash::fast::FixedState>,
}

impl KeyRules {
    fn new(layout: &PlaceLayout, forms: &mut Forms<'_>) -> Self {
        let mut numbered =
            |keys: &[String]| -> Vec<KeyId> { keys.iter().map(|key| forms.key(key)).collect() };
        Self {
            ranks: numbered(&layout.keys).into_iter().zip(0..).collect(),
            turned: numbered(&layout.turned).into_iter().collect(),
            decimal: numbered(&layout.decimal).into_iter().collect(),
            names: layout.names.iter().cloned().zip(0..).collect(),
        }
    }

    /// Tells where a key stands among the others.
    #[inline]
    pub(crate) fn rank(&self, key: KeyId) -> u32 {
        self.ranks.get(&key).copied().unwrap_or(UNRANKED)
    }

    /// The keys of the file, in no order.
    pub(crate) fn keys(&self) -> Vec<KeyId> {
        self.ranks.keys().copied().collect()
    }

    /// Tells whether the single value of a key stands in an array against the context, or alone.
    #[inline]
    pub(crate) fn is_turned(&self, key: KeyId) -> bool {
        self.turned.contains(&key)
    }

    /// Tells whether the whole numbers of a key are written with `.0`.
    #[inline]
    pub(crate) fn is_decimal(&self, key: KeyId) -> bool {
        self.decimal.contains(&key)
    }

    /// Tells where an object of that name stands in its array.
    #[inline]
    pub(crate) fn name_rank(&self, name: &str) -> u32 {
        if self.names.is_empty() { UNRANKED } else { self.names.get(name).copied().unwrap_or(UNRANKED) }
    }
}

/// The places met so far.
#[derive(Debug, Default)]
pub(crate) struct Places {
    known: HashMap<(KeyId, Option<TermId>), Rc<KeyRules>, foldhash::fast::FixedState>,
}

impl Places {
    /// The place of an object of that class under a key.
    pub(crate) fn get(
        &mut self,
        layout: &Layout,
        forms: &mut Forms<'_>,
        key: KeyId,
        class: Option<TermId>,
    ) -> Rc<KeyRules> {
        if let Some(known) = self.known.get(&(key, class)) {
            return Rc::clone(known);
        }
        let class_text = class.map(|class| forms.type_text(class));
        let name = place_name(forms.key_text(key), class_text.as_deref());
        let place = match layout.places.get(&name) {
            Some(place) => KeyRules::new(place, forms),
            // Of a file something is known: what is new in it looks as it does in others of its kind.
            None if !layout.places.is_empty() => {
                let usual = usual_place(class_text.as_deref().unwrap_or_default(), &forms.context);
                KeyRules::new(&usual, forms)
            }
            None => KeyRules::default(),
        };
        let place = Rc::new(place);
        self.known.insert((key, class), Rc::clone(&place));
        place
    }
}
