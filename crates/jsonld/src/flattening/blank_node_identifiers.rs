//! Generate Blank Node Identifier (section 7.4): fresh identifiers, and new identifiers for old ones.

use crate::name_interner::{InternedName, NameInterner};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::fmt::Write as _;

/// The identifier map of one algorithm: `_:b0`, `_:b1` and so on, in the order in which they are requested.
#[derive(Default)]
pub(crate) struct BlankNodeIdentifiers {
    issued: HashMap<InternedName, InternedName, FixedState>,
    count: u64,
    buffer: String,
}

/// Returns whether a text is a blank node identifier.
pub(crate) fn is_blank(text: &str) -> bool {
    text.starts_with("_:")
}

impl BlankNodeIdentifiers {
    /// Returns the new identifier for one of the document. Equal identifiers get the same one.
    pub(crate) fn relabel(&mut self, names: &mut NameInterner, identifier: InternedName) -> InternedName {
        if let Some(&issued) = self.issued.get(&identifier) {
            return issued;
        }
        let fresh = self.fresh(names);
        self.issued.insert(identifier, fresh);
        fresh
    }

    /// Returns a new identifier for a node that has none.
    pub(crate) fn fresh(&mut self, names: &mut NameInterner) -> InternedName {
        self.buffer.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.buffer, "_:b{}", self.count);
        self.count += 1;
        names.intern(&self.buffer)
    }
}
