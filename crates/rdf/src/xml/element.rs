//! Start tags with resolved names.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

/// A name with its namespace. Other methods are in `rdf_xml_parser/mod.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct QualifiedName<'t> {
    /// None for a name without a namespace.
    pub(crate) namespace: Option<Rc<str>>,
    /// Empty for a name without a prefix.
    pub(crate) prefix: &'t str,
    pub(crate) local: &'t str,
}

impl QualifiedName<'_> {
    /// The name as it is written.
    pub(crate) fn written(&self) -> String {
        let colon = if self.prefix.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.prefix, self.local)
    }
}

/// An attribute other than a declaration of a namespace.
#[derive(Debug)]
pub(crate) struct XmlAttribute<'t> {
    pub(crate) name: QualifiedName<'t>,
    pub(crate) value: Cow<'t, str>,
    pub(crate) bytes: Range<usize>,
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct XmlElement<'t> {
    pub(crate) name: QualifiedName<'t>,
    pub(crate) attributes: Vec<XmlAttribute<'t>>,
    pub(crate) bytes: Range<usize>,
}
