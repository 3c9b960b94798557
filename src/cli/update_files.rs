//! The files of `evalgraph update`: the dataset that they make, and what is written of it afterwards, in an RDF
//! format or as the files that they were.

use oxrdf::{NamedNode, Term};

use super::Stop;
use super::output_folder::Destination;
use super::output_form::{UPDATE, known_extension};
use super::rdf_output::write_quads;
use super::same::write_same;
use super::update_arguments::UpdateArguments;
use crate::convert::json_ld::Shape;
use crate::convert::output_form::OutputForm;
use crate::diagnostic::{Diagnostic, Report};
use crate::input::syntax::Syntax;
use crate::load::dataset_names::StoredNames;
use crate::load::json_ld::JsonLd;
use crate::load::loader::Loader;
use crate::load::loading::{Wanted, load};
use crate::load::named::Named;
use crate::load::opened::Content;
use crate::load::quads::{With, load_named};
use crate::rdf::vocabulary::EVALGRAPH_GRAPH;
use crate::rdf::{QuadBuffer, RdfFormat};
use crate::source::catalog::CATALOG;
use crate::source::sidecar::sidecar_graph;
use crate::sparql::Update;
use crate::store::{Dataset, DocumentBuilder, NamedDocument, Revision};
use crate::workspace::revision_quads::{added, copy_graphs};
use crate::workspace::sources::sources;

/// Files that were read.
pub(super) struct UpdateFiles {
    pub(super) dataset: Dataset,
    /// The names of their graphs.
    pub(super) documents: Vec<String>,
    form: UpdateForm,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UpdateForm {
    /// All quads in one format.
    Rdf(RdfFormat),
    /// Each file as it was read.
    Same,
}

/// What is written, as far as the arguments alone tell.
enum Goal {
    Known(UpdateForm),
    /// As the file, if the output has the name of such a file.
    ByName,
}

impl UpdateFiles {
    /// Reads the inputs, with what is needed to write them back where that is wanted.
    ///
    /// # Errors
    ///
    /// Where the output can have no such form, and where an input is at fault.
    pub(super) fn read(
        arguments: &UpdateArguments,
        json_ld: &JsonLd,
        report: &mut Report,
    ) -> Result<Self, Stop> {
        let (input, loading) = (&arguments.input, &arguments.loading);
        let goal = goal_of(arguments, report)?;
        if let Goal::Known(form @ UpdateForm::Rdf(_)) = goal {
            let loaded = load(sources(input, report)?, (input, loading), Wanted::Quads, report)?;
            let documents = loaded.iter().map(|(_, document)| document.graph.clone()).collect();
            let dataset = Dataset::from_documents(loaded.into_iter().map(|(_, document)| document).collect());
            return Ok(Self { dataset, documents, form });
        }
        let loader = Loader::new(input, json_ld, loading.plain, report.shows_all());
        let (named, _progress) = loader.open_sources(
            sources(input, report)?,
            loading.dataset.as_deref(),
            &StoredNames::default(),
            report,
        );
        input.check(report)?;
        let form = match goal {
            Goal::Known(form) => form,
            Goal::ByName => form_by_name(arguments, &named, report)?,
        };
        // The catalog has the names of the files, which only a folder needs.
        let with: &[With] = if form == UpdateForm::Same { &[With::Sidecar, With::Catalog] } else { &[] };
        let quads = load_named(&loader, &named, with, report)?;
        let documents: Vec<String> = named.iter().map(Named::graph).collect();
        let mut builder = DocumentBuilder::new();
        quads.copy_into(&mut builder);
        let graph = documents.first().cloned().unwrap_or_else(|| EVALGRAPH_GRAPH.to_owned());
        let dataset = Dataset::from_documents(vec![NamedDocument { graph, builder }]);
        Ok(Self { dataset, documents, form })
    }

    /// The shape of the JSON-LD that is written.
    ///
    /// # Errors
    ///
    /// Where a shape was asked for, and what is written is no JSON-LD made of RDF.
    pub(super) fn shape(&self, arguments: &UpdateArguments, json_ld: &mut JsonLd) -> Result<Shape, Stop> {
        match (self.form, arguments.shape.flag()) {
            (UpdateForm::Rdf(format), _) => arguments.shape.shape(format, json_ld),
            (UpdateForm::Same, None) => Ok(Shape::Expanded),
            (UpdateForm::Same, Some(flag)) => {
                let message =
                    format!("`{flag}` is for JSON-LD made of RDF, and the output is as the file was");
                Err(Diagnostic::error("output::format", message).with_help("add `--to jsonld`").into())
            }
        }
    }

    /// Writes what a revision of the files has become.
    ///
    /// # Errors
    ///
    /// Those of the output, and where no file can be made of what is left.
    pub(super) fn write(
        &self,
        revision: &Revision<'_>,
        (arguments, update): (&UpdateArguments, &Update),
        json_ld: (&JsonLd, &Shape),
        report: &mut Report,
    ) -> Result<(), Stop> {
        let path = arguments.output.output.as_deref();
        match self.form {
            UpdateForm::Rdf(format) => {
                write_quads(quads_of(revision, update, &self.documents), (format, path), json_ld, report)
            }
            UpdateForm::Same => {
                let destination = Destination { path, arguments: arguments.folder };
                write_same((&self.quads_with_sidecars(revision), &added(revision)), destination, report)
            }
        }
    }

    /// The graphs of a revision under their names, with what is kept beside those of the documents.
    fn quads_with_sidecars(&self, revision: &Revision<'_>) -> QuadBuffer {
        let sidecars = self.documents.iter().filter_map(|graph| sidecar_graph(graph));
        let beside = sidecars.chain([format!("{EVALGRAPH_GRAPH}{CATALOG}")]);
        let beside = beside.map(|name| revision.intern(NamedNode::new_unchecked(name).into()));
        let graphs: Vec<_> = revision.graphs().into_iter().chain(beside).collect();
        let mut quads = QuadBuffer::new();
        copy_graphs(revision, graphs.into_iter().map(|graph| (graph, true)), &mut quads);
        quads
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
    named: &[Named],
    report: &mut Report,
) -> Result<UpdateForm, Stop> {
    let path = arguments.output.output.as_deref();
    let extension = path.and_then(known_extension).unwrap_or_default();
    if let [named] = named
        && extensions_of(named).contains(&extension.as_str())
    {
        return Ok(UpdateForm::Same);
    }
    let format = UPDATE.rdf(path, None, report)?;
    Ok(UpdateForm::Rdf(format.unwrap_or(RdfFormat::NQuads)))
}

/// The extensions that go with a file which can be written back; none of another.
fn extensions_of(named: &Named) -> &'static [&'static str] {
    match &named.opened.content {
        Content::Json { detection, .. } if detection.dialect.is_version_2() => &["json"],
        Content::Json { .. } => &["jsonld", "json", "json-ld"],
        Content::Records { syntax, .. } => match syntax {
            Syntax::Json => &["json"],
            Syntax::JsonLines => &["jsonl", "ndjson"],
            Syntax::Csv => &["csv", "tsv"],
            Syntax::Yaml => &["yaml", "yml"],
        },
        Content::Large(_) | Content::LargeCheckpoint(_) | Content::Other(_) => &[],
    }
}

/// The quads of a revision. The graph of the only document is the default graph of what is written,
/// as it was of what was read.
fn quads_of(revision: &Revision<'_>, update: &Update, documents: &[String]) -> QuadBuffer {
    let mut quads = QuadBuffer::new();
    for (name, namespace) in update.prefixes().iter() {
        quads.declare_prefix(name, namespace);
    }
    let named = revision.graphs().into_iter().map(|graph| {
        let is_default = matches!(
            (revision.term(graph), documents),
            (Term::NamedNode(node), [only]) if node.as_str() == only.as_str()
        );
        (graph, !is_default)
    });
    copy_graphs(revision, named, &mut quads);
    quads
}
