//! How files are read: the keyword arguments that all functions share.

use evalgraph::json::{Limits, TextEncoding};
use evalgraph::rdf::RdfFormat;
use evalgraph::{InputFormat, Loader};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::call::{CallLimits, MemorySize, unknown_argument};

/// Inputs, and how they are read.
pub(crate) struct InputsRead {
    pub(crate) loader: Loader,
    pub(crate) names: Vec<String>,
}

/// The names of the options, beside those of limits.
const NAMES: [&str; 10] = [
    "strict",
    "keep_going",
    "network",
    "plain",
    "dataset",
    "format",
    "encoding",
    "base",
    "max_size",
    "max_depth",
];

/// Returns a loader with the options of a call, and its limits.
///
/// # Errors
///
/// `TypeError` for an option that does not exist, and `ValueError` for a value that is not one.
pub(crate) fn loader_of(options: Option<&Bound<'_, PyDict>>) -> PyResult<(Loader, CallLimits)> {
    let (mut loader, mut limits, mut of_call) = (Loader::new(), Limits::default(), CallLimits::default());
    for (name, value) in options.into_iter().flatten() {
        let name: String = name.extract()?;
        if of_call.set(&name, &value)? {
            continue;
        }
        let is_true = || value.is_truthy();
        let not_one = |what: &str| PyValueError::new_err(format!("{value} is not {what}"));
        // None is the same as no option.
        loader = match name.as_str() {
            _ if !NAMES.contains(&name.as_str()) => {
                return Err(unknown_argument(&name, &[NAMES.as_slice(), &CallLimits::NAMES].concat()));
            }
            _ if value.is_none() => loader,
            "strict" if is_true()? => loader.strict(),
            "keep_going" if is_true()? => loader.keep_going(),
            "network" if is_true()? => loader.with_network(),
            "plain" if is_true()? => loader.plain(),
            "dataset" => loader.dataset(value.extract::<String>()?),
            "base" => loader.base(value.extract::<String>()?),
            "format" => {
                let format = rdf_format(value.extract()?);
                loader.format(InputFormat::Rdf(format.ok_or_else(|| not_one("a format of RDF"))?))
            }
            "encoding" => {
                let name: String = value.extract()?;
                let mut known = TextEncoding::COMMON.into_iter().chain(TextEncoding::others());
                let encoding = known.find(|known| known.name() == name);
                loader.encoding(encoding.ok_or_else(|| not_one("an encoding"))?)
            }
            "max_size" => {
                limits.size = value.extract::<MemorySize>()?.bytes()?;
                loader
            }
            "max_depth" => {
                limits.depth = value.extract()?;
                loader
            }
            _ => loader,
        };
    }
    Ok((loader.limits(limits), of_call))
}

/// Returns the format of RDF with a name, an extension or a media type.
pub(crate) fn rdf_format(name: &str) -> Option<RdfFormat> {
    RdfFormat::from_name(name)
        .or_else(|| RdfFormat::from_extension(name))
        .or_else(|| RdfFormat::from_media_type(name))
}

/// Returns the names of inputs: texts and paths.
pub(crate) fn names_of(inputs: &Bound<'_, PyTuple>) -> PyResult<Vec<String>> {
    let name = |input: Bound<'_, PyAny>| {
        let path = input.py().import("os")?.getattr("fspath")?.call1((input,))?;
        path.extract::<String>()
    };
    inputs.iter().map(name).collect()
}
