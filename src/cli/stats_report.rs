//! `evalgraph stats --report`: what Kwanzaa's datasets hold and what their rules find, as one text.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::output::Output;
use super::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Report, SourceText};
use crate::input::options::Inputs;
use crate::json::Document;
use crate::load::json_ld::JsonLd;
use crate::load::opened::{Content, Opened};
use crate::source::kwanzaa::report::Collected;
use crate::source::kwanzaa::{FileKind, Settings};
use crate::workspace::sources::sources;

/// Writes the report of the inputs.
pub(super) fn run(
    arguments: &Inputs,
    json_ld: &JsonLd,
    path: Option<&Path>,
    report: &mut Report,
) -> Result<Answer, Stop> {
    let mut collected = Collected::new(Settings::default());
    for source in sources(arguments, report)? {
        let Some(opened) = json_ld.open(&source, report) else { continue };
        match dataset(&opened) {
            Ok(document) => collected.add(&document),
            Err(fault) => report.add(&fault),
        }
    }
    arguments.check(report)?;
    let mut output = Output::open(path)?;
    output.write_all(collected.to_markdown().as_bytes()).map_err(|error| output.stop(&error))?;
    output.finish()?;
    Ok(Answer::Yes)
}

fn dataset(opened: &Opened) -> Result<Arc<Document>, Box<Diagnostic>> {
    let place = match &opened.content {
        Content::Records { file, .. } if FileKind::of(file) == Some(FileKind::Dataset) => {
            return Ok(Arc::clone(file));
        }
        Content::Records { file, .. } | Content::Json { file, .. } => file.place(file.root()),
        _ => SourceText::new(opened.origin.name.as_str(), b"").place(0..0),
    };
    let message = "not a Kwanzaa dataset, and a report is made of these";
    let fault = Diagnostic::error("stats::report", message).at(place);
    Err(Box::new(fault.with_help("`evalgraph stats` without `--report` takes every format")))
}
