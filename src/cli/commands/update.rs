//! `evalgraph update`: a SPARQL update over the store, which is changed, or over files; what comes out of
//! these is written, the files stay as they are.

use crate::cli::ending::writer;
use crate::cli::output_folder::Destination;
use crate::cli::rdf_output::write_quads;
use crate::cli::request_text::UPDATE;
use crate::cli::same::write_same;
use crate::cli::update_arguments::{UpdateArguments, UpdateText};
use crate::cli::update_files::{UpdateForm, read_files, shape_of};
use crate::cli::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Report};
use crate::load::json_ld::JsonLd;
use crate::load::loader::Loader;
use crate::sparql::{Parameter, Update};
use crate::workspace::update::UpdateRun;

/// Runs `update`.
pub(super) fn run(arguments: &UpdateArguments, report: &mut Report) -> Result<Answer, Stop> {
    report.set_strictness(arguments.input.reading.strictness);
    let update = read_update(arguments)?;
    if update.mapped_iris() > 0 {
        report.add(&UPDATE.mapped_iris(update.mapped_iris()));
    }
    if arguments.input.inputs.is_empty() {
        return update_store(arguments, update, report);
    }
    update_files(arguments, update, report)
}

/// Writes what an update makes of files.
fn update_files(arguments: &UpdateArguments, update: Update, report: &mut Report) -> Result<Answer, Stop> {
    let (input, loading) = (&arguments.input, &arguments.loading);
    let mut json_ld = JsonLd::new(&loading.iris, &loading.json_ld, &input.reading)?;
    let (files, form) = read_files(arguments, &json_ld, report)?;
    let shape = shape_of(form, &arguments.shape, &mut json_ld)?;
    let environment = arguments.services.environment(input, loading, &json_ld, report)?;
    let update = update.with_environment(environment);
    let loader = Loader::new(input, &json_ld, loading.plain, report.shows_all());
    let run = UpdateRun { update: &update, graph: arguments.graph.as_deref(), loader: &loader };
    let revision = run.over_files(&files, report)?;
    if arguments.dry_run {
        return Ok(Answer::Yes);
    }
    let path = arguments.output.output.as_deref();
    match form {
        UpdateForm::Rdf(format) => {
            let quads = files.quads(&revision, &update.prefixes());
            write_quads(quads, format, path, (&json_ld, &shape), report)?;
        }
        UpdateForm::Same => {
            let destination = Destination { path, arguments: arguments.folder };
            write_same(&files.changed(&revision), destination, report)?;
        }
    }
    Ok(Answer::Yes)
}

/// Changes the store, all or nothing.
fn update_store(arguments: &UpdateArguments, update: Update, report: &mut Report) -> Result<Answer, Stop> {
    if arguments.output.output.is_some() {
        let message = "without INPUT the store is changed, and there is nothing to write to a file";
        let help = "leave `-o` out, or name the files that are to be read";
        return Err(Diagnostic::error("output::format", message).with_help(help).into());
    }
    let (input, loading) = (&arguments.input, &arguments.loading);
    let store = input.store.open()?;
    let json_ld = JsonLd::new(&loading.iris, &loading.json_ld, &input.reading)?;
    let environment = arguments.services.environment(input, loading, &json_ld, report)?;
    let update = update.with_environment(environment);
    let loader = Loader::new(input, &json_ld, loading.plain, report.shows_all());
    let run = UpdateRun { update: &update, graph: arguments.graph.as_deref(), loader: &loader };
    run.in_store(&store, &writer("update", arguments.dry_run), report)?;
    Ok(Answer::Yes)
}

fn read_update(arguments: &UpdateArguments) -> Result<Update, Stop> {
    let parsed: Vec<Parameter> =
        arguments.parameters.iter().map(|text| Parameter::parse(text)).collect::<Result<_, _>>()?;
    let UpdateText { query, file } = &arguments.text;
    let (name, text) = UPDATE.read(query.as_deref(), file.as_deref(), &arguments.input.inputs)?;
    let update = match arguments.loading.plain {
        true => Update::parse_plain(&text, &name),
        false => Update::parse(&text, &name),
    };
    Ok(update?.with_parameters(&parsed)?)
}
