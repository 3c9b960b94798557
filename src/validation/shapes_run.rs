//! Holds inputs, or a store, against shapes.

use super::places::{ReadDocuments, WantedTerm};
use super::reading_shapes::RunShapes;
use super::shapes::name_of;
use crate::diagnostic::help::{help, setting};
use crate::diagnostic::{Diagnostic, Failure, Place, Report};
use crate::input::options::Inputs;
use crate::load::json_ld::LoadOptions;
use crate::load::loading::{Wanted, load};
use crate::rdf::minted::shapes_document;
use crate::shacl::{ValidationOptions, ValidationReport, ValidationResult};
use crate::sparql::Cancellation;
use crate::store::{Dataset, DefaultGraph, NamedDocument, Snapshot};
use crate::workspace::sources::sources;

/// The data of a run.
enum Data {
    Files(Box<Dataset>),
    Stored(Box<Snapshot>),
}

impl RunShapes {
    /// Loads the inputs, or opens the store, holds them against the shapes, and hands the report on.
    ///
    /// # Errors
    ///
    /// Where an input is at fault and the rest is not wanted, and where the validation fails.
    pub(crate) fn check<T>(
        self,
        input: &Inputs,
        loading: &LoadOptions,
        cancellation: Cancellation,
        report: &mut Report,
        take: impl FnOnce(&ValidationReport<'_, '_>, Vec<Option<Place>>) -> T,
    ) -> Result<T, Failure> {
        let mut read = ReadDocuments::default();
        let data = if input.inputs.is_empty() {
            Data::Stored(Box::new(input.store.open()?.snapshot()?))
        } else {
            let wanted = if self.shapes.with_catalog() { Wanted::Catalog } else { Wanted::Quads };
            let sources = sources(input, report)?;
            let loaded = load(sources.clone(), input, loading, wanted, report)?;
            read.add(&sources, &loaded);
            let mut documents: Vec<NamedDocument> =
                loaded.into_iter().map(|(_, document)| document).collect();
            if let Some(builder) = self.beside {
                documents.push(NamedDocument { graph: shapes_document(0), builder });
            }
            Data::Files(Box::new(Dataset::from_documents(documents)))
        };
        let dataset = match &data {
            Data::Files(dataset) => dataset,
            Data::Stored(snapshot) => snapshot.dataset(),
        };
        let options = ValidationOptions { cancellation, ..ValidationOptions::default() };
        let validated = self.shapes.validate(dataset, &options)?;
        let idle: Vec<String> = validated
            .looked_at()
            .filter(|(shape, nodes)| *nodes == 0 && shape.has_targets())
            .map(|(shape, _)| name_of(shape))
            .collect();
        if !idle.is_empty() {
            let of = validated.looked_at().filter(|(shape, _)| shape.has_targets()).count();
            report.add(&unmatched(&idle, of));
        }
        let places = match validated.results().len() {
            0 => Vec::new(),
            _ => {
                let wanted: Vec<WantedTerm> = validated.results().map(|result| wanted(&result)).collect();
                read.places(dataset, &dataset.view(DefaultGraph::Union), input, loading, &wanted)
            }
        };
        Ok(take(&validated, places))
    }
}

/// The most shapes that the warning about shapes without focus nodes names.
const MOST_NAMED: usize = 8;

/// The warning that some shapes have found no focus node.
fn unmatched(idle: &[String], of: usize) -> Diagnostic {
    let named = idle.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let more = idle.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message =
        format!("{} of {of} shapes with targets find no node to look at: {named}{more}", idle.len());
    let warning = Diagnostic::warning("shacl::unmatched", message);
    if idle.len() < of {
        return warning;
    }
    let help = help![
        "no shape looked at anything, so that conforming means nothing; ",
        setting("allow-unmatched"),
        " says that this is as it should be"
    ];
    warning.with_help(help)
}

/// Tells whether a shape with targets has looked at any node.
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
pub(crate) fn has_matched(validated: &ValidationReport<'_, '_>) -> bool {
    validated.looked_at().any(|(shape, nodes)| shape.has_targets() && nodes > 0)
}

/// The node and the value whose place a result has.
fn wanted(result: &ValidationResult<'_, '_, '_>) -> WantedTerm {
    let predicate = result.predicate();
    let value = predicate.as_ref().and_then(|_| result.value());
    WantedTerm { node: result.focus_node(), predicate, value }
}
