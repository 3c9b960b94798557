//! Terms as values of Python: those with which queries compute.

use evalgraph::sparql::ColumnValue;
use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term};
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
    /// Reads the values for which Python's standard library has a class.
    standard_value: Py<PyAny>,
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
            standard_value: class("standard_value")?,
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
    const ONE: i128 = 1_000_000_000_000_000_000;
    let (text, datatype) = (literal.value(), literal.datatype());
    if datatype == xsd::STRING {
        return Ok(Some(text.into_pyobject(py)?.into_any()));
    }
    // Python's standard library holds these exactly.
    if [xsd::DECIMAL, xsd::DATE, xsd::DATE_TIME].contains(&datatype) {
        let value = classes.standard_value.bind(py).call1((text, datatype.as_str()))?;
        return Ok((!value.is_none()).then_some(value));
    }
    Ok(match ColumnValue::from_lexical_form(text, datatype.as_str()) {
        Some(ColumnValue::Boolean(value)) => Some(value.into_pyobject(py)?.to_owned().into_any()),
        // A datatype that is derived from integers.
        Some(ColumnValue::Exact { units, .. }) => Some((units / ONE).into_pyobject(py)?.into_any()),
        Some(ColumnValue::Floating(value)) => Some(value.into_pyobject(py)?.into_any()),
        Some(ColumnValue::Instant { .. }) | None => None,
    })
}
