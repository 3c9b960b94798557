//! Terms as values of Python, and values of Python as terms.

use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNodeRef, Term};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// How terms become values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TermValueForm {
    /// Strings, numbers, booleans and times become values of Python; other terms stay terms.
    Plain,
    /// Every term stays one.
    Exact,
}

/// The classes of terms, which `python/evalgraph/_terms.py` defines.
struct TermClasses {
    iri: Py<PyAny>,
    blank_node: Py<PyAny>,
    literal: Py<PyAny>,
    /// Reads the values for which Python's own library has a class.
    library_value: Py<PyAny>,
}

static CLASSES: PyOnceLock<TermClasses> = PyOnceLock::new();

fn classes(py: Python<'_>) -> PyResult<&TermClasses> {
    CLASSES.get_or_try_init(py, || {
        let terms = py.import("evalgraph._terms")?;
        let class = |name: &str| Ok::<_, PyErr>(terms.getattr(name)?.unbind());
        Ok(TermClasses {
            iri: class("Iri")?,
            blank_node: class("BNode")?,
            literal: class("Literal")?,
            library_value: class("library_value")?,
        })
    })
}

/// Returns a term as a value; None for no term.
pub(crate) fn python_value<'py>(
    py: Python<'py>,
    term: Option<&Term>,
    form: TermValueForm,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(term) = term else { return Ok(py.None().into_bound(py)) };
    let classes = classes(py)?;
    let literal = match term {
        Term::NamedNode(node) => return classes.iri.bind(py).call1((node.as_str(),)),
        Term::BlankNode(node) => return classes.blank_node.bind(py).call1((node.as_str(),)),
        Term::Literal(literal) => literal,
    };
    if form == TermValueForm::Plain
        && literal.language().is_none()
        && let Some(value) = plain_value(py, literal, classes)?
    {
        return Ok(value);
    }
    let arguments = (literal.value(), literal.datatype().as_str(), literal.language());
    classes.literal.bind(py).call1(arguments)
}

/// Returns the value of a literal without a language. `None` if Python has none for it, or it is malformed.
fn plain_value<'py>(
    py: Python<'py>,
    literal: &Literal,
    classes: &TermClasses,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let text = literal.value();
    Ok(Some(match literal.datatype() {
        xsd::STRING => text.into_pyobject(py)?.into_any(),
        xsd::BOOLEAN => match text {
            "true" | "1" => true.into_pyobject(py)?.to_owned().into_any(),
            "false" | "0" => false.into_pyobject(py)?.to_owned().into_any(),
            _ => return Ok(None),
        },
        xsd::INTEGER
        | xsd::INT
        | xsd::LONG
        | xsd::SHORT
        | xsd::BYTE
        | xsd::NON_NEGATIVE_INTEGER
        | xsd::POSITIVE_INTEGER
        | xsd::UNSIGNED_INT
        | xsd::UNSIGNED_LONG => match text.parse::<i64>() {
            Ok(value) => value.into_pyobject(py)?.into_any(),
            Err(_) => return Ok(None),
        },
        xsd::DOUBLE | xsd::FLOAT => match floating(text) {
            Some(value) => value.into_pyobject(py)?.into_any(),
            None => return Ok(None),
        },
        datatype if has_library_value(datatype) => {
            let value = classes.library_value.bind(py).call1((text, datatype.as_str()))?;
            if value.is_none() {
                return Ok(None);
            }
            value
        }
        _ => return Ok(None),
    }))
}

fn has_library_value(datatype: NamedNodeRef<'_>) -> bool {
    [xsd::DECIMAL, xsd::DATE, xsd::DATE_TIME].contains(&datatype)
}

/// Reads a number as XML Schema writes it.
fn floating(text: &str) -> Option<f64> {
    match text {
        "INF" | "+INF" => Some(f64::INFINITY),
        "-INF" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        // Rust also reads names that XML Schema does not have.
        _ if text.bytes().any(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}
