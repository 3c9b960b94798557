//! Start tags with resolved names.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

/// A name with its namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::rdf) struct Name<'t> {
    /// None for a name without a namespace.
    pub(in crate::rdf) namespace: Option<Rc<str>>,
    /// Empty for a name without a prefix.
    pub(in crate::rdf) prefix: &'t str,
    pub(in crate::rdf) local: &'t str,
}

impl Name<'_> {
    /// The name as it is written.
    pub(in crate::rdf) fn written(&self) -> String {
        let colon = if self.prefix.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.prefix, self.local)
    }
}

/// An attribute other than a declaration of a namespace.
#[derive(Debug)]
pub(in crate::rdf) struct Attribute<'t> {
    pub(in crate::rdf) name: Name<'t>,
    pub(in crate::rdf) value: Cow<'t, str>,
    pub(in crate::rdf) bytes: Range<usize>,
}

/// A start tag.
#[derive(Debug)]
pub(in crate::rdf) struct Element<'t> {
    pub(in crate::rdf) name: Name<'t>,
    pub(in crate::rdf) attributes: Vec<Attribute<'t>>,
    pub(in crate::rdf) bytes: Range<usize>,
}
