//! Terms as objects of the classes that a program in Python brings along, such as those of rdflib.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::collected_terms::{CollectedKey, CollectedTerm};

/// The classes of terms. IRIs and blank nodes are strings; a literal is a string with `language` and `datatype`.
pub(crate) struct PythonTermClasses {
    iri: Py<PyType>,
    blank_node: Py<PyType>,
    literal: Py<PyType>,
    /// `str.__new__`: it makes an IRI or a blank node from its text, as it is.
    new_string: Py<PyAny>,
}

impl PythonTermClasses {
    /// The classes.
    pub(crate) fn new(
        iri: &Bound<'_, PyType>,
        blank_node: &Bound<'_, PyType>,
        literal: &Bound<'_, PyType>,
    ) -> PyResult<Self> {
        let new_string = iri.py().get_type::<PyString>().getattr("__new__")?.unbind();
        let [iri, blank_node, literal] = [iri, blank_node, literal].map(|class| class.clone().unbind());
        Ok(Self { iri, blank_node, literal, new_string })
    }

    /// The same classes again.
    pub(crate) fn shared(&self, py: Python<'_>) -> Self {
        Self {
            iri: self.iri.clone_ref(py),
            blank_node: self.blank_node.clone_ref(py),
            literal: self.literal.clone_ref(py),
            new_string: self.new_string.clone_ref(py),
        }
    }

    /// Returns the term of an object, or `None` for an object of another class.
    pub(crate) fn key_of(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<CollectedKey>> {
        let py = object.py();
        let Ok(text) = object.cast::<PyString>() else { return Ok(None) };
        let is = |class: &Py<PyType>| object.is_instance(class.bind(py));
        let text = text.to_str()?;
        Ok(if is(&self.iri)? {
            Some(CollectedKey::new(CollectedTerm::Iri(text)))
        } else if is(&self.literal)? {
            let attribute = |name| object.getattr(name)?.extract::<Option<String>>();
            let language: Option<String> = attribute("language")?;
            let datatype: Option<String> = attribute("datatype")?;
            Some(CollectedKey::new(CollectedTerm::literal(text, language.as_deref(), datatype.as_deref())))
        } else if is(&self.blank_node)? {
            Some(CollectedKey::new(CollectedTerm::BlankNode(text)))
        } else {
            None
        })
    }

    /// Returns whether an object is of one of the classes and not of a subclass, so that it can be returned later.
    pub(crate) fn is_plain(&self, object: &Bound<'_, PyAny>) -> bool {
        let class = object.get_type();
        [&self.iri, &self.literal, &self.blank_node].iter().any(|known| class.is(known.bind(object.py())))
    }

    /// Returns the object of a term.
    pub(crate) fn object_of(&self, py: Python<'_>, term: CollectedTerm<'_>) -> PyResult<Py<PyAny>> {
        let literal = |value: &str, language: Option<&str>, datatype: Option<&str>| {
            // The lexical form stays as it is.
            let normalize = false;
            self.literal.bind(py).call1((value, language, datatype, normalize))
        };
        let object = match term {
            CollectedTerm::Iri(iri) => self.new_string.bind(py).call1((&self.iri, iri)),
            CollectedTerm::BlankNode(label) => self.new_string.bind(py).call1((&self.blank_node, label)),
            CollectedTerm::String(value) => literal(value, None, None),
            CollectedTerm::Language(value, language) => literal(value, Some(language), None),
            CollectedTerm::Typed(value, datatype) => literal(value, None, Some(datatype)),
        };
        object.map(Bound::unbind)
    }
}

/// Returns the error of an object that is not a term, or not one for its place in a quad.
pub(crate) fn unsuitable(object: &Bound<'_, PyAny>, [place, wanted]: [&str; 2]) -> PyErr {
    let shown = object.repr().map_or_else(|_| "an object".to_owned(), |text| text.to_string());
    PyTypeError::new_err(format!("{place} of a quad is {wanted}, not {shown}"))
}
