//! The form in which `evalgraph update` writes what becomes of files, and the files read for that form.

use super::Stop;
use super::arguments::ShapeArguments;
use super::output_form::{UPDATE, known_extension};
use super::update_arguments::UpdateArguments;
use crate::convert::json_ld::JsonLdShape;
use crate::convert::output_form::OutputForm;
use crate::diagnostic::{Diagnostic, Report};
use crate::load::json_ld::JsonLd;
use crate::load::loader::Loader;
use crate::rdf::RdfFormat;
use crate::workspace::updated_files::{OpenedFiles, UpdatedFiles};

/// Tells what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UpdateForm {
    /// All quads in one format.
    Rdf(RdfFormat),
    /// Each file as it was read.
    Same,
}

/// Tells what is written, as far as the arguments alone tell.
enum Goal {
    Known(UpdateForm),
    /// As the file, if the output has the name of such a file.
    ByName,
}

/// Reads the inputs, with what is needed to write them back where that is wanted.
///
/// # Errors
///
/// Where the output can have no such form, and where an input is at fault.
pub(super) fn read_files(
    arguments: &UpdateArguments,
    json_ld: &JsonLd,
    report: &mut Report,
) -> Result<(UpdatedFiles, UpdateForm), Stop> {
    let (input, loading) = (&arguments.input, &arguments.loading);
    let goal = goal_of(arguments, report)?;
    if let Goal::Known(form @ UpdateForm::Rdf(_)) = goal {
        return Ok((UpdatedFiles::read((input, loading), report)?, form));
    }
    let loader = Loader::new(input, json_ld, loading.plain, report.shows_all());
    let opened = OpenedFiles::open(&loader, loading.dataset.as_deref(), report)?;
    let form = match goal {
        Goal::Known(form) => form,
        Goal::ByName => form_by_name(arguments, &opened, report)?,
    };
    Ok((opened.read(form == UpdateForm::Same, report)?, form))
}

/// The shape of the JSON-LD that is written.
///
/// # Errors
///
/// Where a shape was asked for, and what is written is no JSON-LD made of RDF.
pub(super) fn shape_of(
    form: UpdateForm,
    arguments: &ShapeArguments,
    json_ld: &mut JsonLd,
) -> Result<JsonLdShape, Stop> {
    match (form, arguments.flag()) {
        (UpdateForm::Rdf(format), _) => arguments.shape(format, json_ld),
        (UpdateForm::Same, None) => Ok(JsonLdShape::Expanded),
        (UpdateForm::Same, Some(flag)) => {
            let message = format!("`{flag}` is for JSON-LD made of RDF, and the output is as the file was");
            Err(Diagnostic::error("output::format", message).with_help("add `--to jsonld`").into())
        }
    }
}

fn goal_of(arguments: &UpdateArguments, report: &mut Report) -> Result<Goal, Stop> {
    let path = arguments.output.output.as_deref();
    let is_free = arguments.to.is_none() && arguments.shape.flag().is_none() && !arguments.loading.plain;
    if is_free && path.is_some_and(|path| UPDATE.may_be_asked(path)) {
        return Ok(Goal::ByName);
    }
    let chosen = UPDATE.chosen(path, arguments.to.map(OutputForm::name), report)?;
    if chosen == Some(OutputForm::Same.name()) {
        if arguments.loading.plain {
            let message = "`--plain` loads what the specification yields, and no file comes back from that";
            let help = "leave `--plain` or `--to same` out";
            return Err(Diagnostic::error("output::format", message).with_help(help).into());
        }
        return Ok(Goal::Known(UpdateForm::Same));
    }
    let format = chosen.and_then(RdfFormat::from_name).unwrap_or(RdfFormat::NQuads);
    Ok(Goal::Known(UpdateForm::Rdf(format)))
}

/// One file under a name that goes with it is written as it was; anything else in the RDF format of the name.
fn form_by_name(
    arguments: &UpdateArguments,
    opened: &OpenedFiles<'_>,
    report: &mut Report,
) -> Result<UpdateForm, Stop> {
    let path = arguments.output.output.as_deref();
    if opened.are_one_of(&path.and_then(known_extension).unwrap_or_default()) {
        return Ok(UpdateForm::Same);
    }
    let format = UPDATE.rdf(path, None, report)?;
    Ok(UpdateForm::Rdf(format.unwrap_or(RdfFormat::NQuads)))
}
