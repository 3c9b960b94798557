//! The namespaces of prefixes, element by element (Namespaces in XML 1.0).
//!
//! Each prefix has its own list, so the time to resolve a name does not depend on the number of prefixes.

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::element::QualifiedName;
use super::xml_fault::{XmlFault, too_long};
use super::xml_names::is_nc_name;
use crate::iri::LONGEST_BASE;

/// The namespace of `xml:`.
pub(crate) const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace of `xmlns:`.
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The namespaces of prefixes at a place of a text.
#[derive(Default)]
pub(crate) struct InScopeNamespaces<'t> {
    /// The namespaces of each prefix with the depth of the element that declares each, the innermost last; none means
    /// the empty namespace.
    bound: HashMap<&'t str, Vec<(usize, Rc<str>)>, RandomState>,
    /// The prefixes of the declarations in scope, in order.
    declared: Vec<&'t str>,
    /// How many declarations were in scope before each element that has not ended.
    before: Vec<usize>,
    /// The first namespace of each prefix.
    first: Vec<(&'t str, Rc<str>)>,
}

impl<'t> InScopeNamespaces<'t> {
    /// Begins an element.
    pub(super) fn enter(&mut self) {
        self.before.push(self.declared.len());
    }

    /// Ends the innermost element.
    pub(super) fn leave(&mut self) {
        let before = self.before.pop().unwrap_or_default();
        for prefix in self.declared.drain(before..) {
            if let Some(namespaces) = self.bound.get_mut(prefix) {
                namespaces.pop();
            }
        }
    }

    /// Declares a prefix, or the namespace of names without one, for the innermost element.
    ///
    /// # Errors
    ///
    /// A declaration that is not allowed.
    pub(super) fn declare(
        &mut self,
        prefix: &'t str,
        namespace: &str,
        bytes: Range<usize>,
    ) -> Result<(), XmlFault> {
        let is_bad = match prefix {
            "" => namespace == XML || namespace == XMLNS,
            "xml" => namespace != XML,
            _ => !is_nc_name(prefix) || prefix == "xmlns" || ["", XML, XMLNS].contains(&namespace),
        };
        if is_bad {
            let message = format!("`{prefix}` cannot be bound to the namespace `{namespace}`");
            return Err(XmlFault::new(bytes, message));
        }
        if namespace.len() > LONGEST_BASE {
            return Err(too_long(bytes));
        }
        let namespace: Rc<str> = namespace.into();
        let namespaces = self.bound.entry(prefix).or_insert_with(|| {
            if !namespace.is_empty() {
                self.first.push((prefix, Rc::clone(&namespace)));
            }
            Vec::new()
        });
        let depth = self.before.len();
        if namespaces.last().is_some_and(|(declared, _)| *declared == depth) {
            return Err(XmlFault::new(bytes, format!("`{prefix}` is declared twice")));
        }
        namespaces.push((depth, namespace));
        self.declared.push(prefix);
        Ok(())
    }

    /// Returns the namespace of a prefix; none for an undeclared prefix.
    pub(super) fn get(&self, prefix: &str) -> Option<&Rc<str>> {
        self.bound
            .get(prefix)?
            .last()
            .map(|(_, namespace)| namespace)
            .filter(|namespace| !namespace.is_empty())
    }

    /// Resolves a name at a byte offset. Without a prefix, only the name of an element has a namespace.
    ///
    /// # Errors
    ///
    /// A prefix that is not declared; a name with more than one colon.
    pub(super) fn resolve(
        &self,
        written: &'t str,
        is_element: bool,
        at: usize,
    ) -> Result<QualifiedName<'t>, XmlFault> {
        let bytes = at..at + written.len();
        let Some((prefix, local)) = written.split_once(':') else {
            let namespace = self.get("").filter(|_| is_element).cloned();
            return Ok(QualifiedName { namespace, prefix: "", local: written });
        };
        if !is_nc_name(prefix) || !is_nc_name(local) {
            return Err(XmlFault::new(bytes, format!("`{written}` is not a name with one prefix")));
        }
        let namespace = match prefix {
            "xml" => XML.into(),
            _ => self.get(prefix).cloned().ok_or_else(|| {
                let message = format!("the prefix `{prefix}:` is not declared");
                XmlFault::new(bytes, message)
                    .with_help("declare it with `xmlns:` on this element or above it")
            })?,
        };
        Ok(QualifiedName { namespace: Some(namespace), prefix, local })
    }

    /// All declared prefixes, each with its first namespace.
    pub(crate) fn prefixes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.first.iter().map(|(prefix, namespace)| (*prefix, &**namespace))
    }
}
