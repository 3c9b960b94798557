//! `evalgraph stats --report`: what Kwanzaa's datasets hold and what their rules find, as one text.

use std::io::Write;
use std::path::Path;

use super::arguments::InputArguments;
use super::documents;
use super::guard::Guard;
use super::input::{Input, InputSource};
use super::output::Output;
use super::report::Report;
use super::{Answer, Stop};
use crate::diagnostic::Diagnostic;
use crate::json::{Document, Limits, decode, parse};
use crate::source::kwanzaa::report::Collected;
use crate::source::kwanzaa::{FileKind, Settings};

/// Writes the report of the inputs.
pub(super) fn run(
    arguments: &InputArguments,
    path: Option<&Path>,
    report: &mut Report,
) -> Result<Answer, Stop> {
    let mut collected = Collected::new(Settings::default());
    for source in documents::sources(arguments, report)? {
        match read(&source, arguments, report) {
            Ok(document) => collected.add(&document),
            Err(fault) => report.add(&fault),
        }
    }
    documents::check(arguments, report)?;
    let mut output = Output::open(path)?;
    output.write_all(collected.to_markdown().as_bytes()).map_err(|error| output.stop(&error))?;
    output.finish()?;
    Ok(Answer::Yes)
}

fn read(
    source: &InputSource,
    arguments: &InputArguments,
    report: &mut Report,
) -> Result<Document, Box<Diagnostic>> {
    let limits = Limits { size: arguments.reading.max_size, depth: arguments.reading.max_depth };
    let Input { name, bytes, .. } = source.read(limits.size)?.decoded(arguments.reading.encoding)?;
    let guard = Guard::of(&bytes);
    let parsed = decode(&name, bytes).and_then(|text| parse(name.as_str(), text, limits));
    let mut document = guard.checked(parsed)?;
    guard.hide(&mut document, report);
    if FileKind::of(&document) == Some(FileKind::Dataset) {
        return Ok(document);
    }
    let message = "not a Kwanzaa dataset, and a report is made of these";
    let fault = Diagnostic::error("stats::report", message).at(document.place(document.root()));
    Err(Box::new(fault.with_help("`evalgraph stats` without `--report` takes every format")))
}
