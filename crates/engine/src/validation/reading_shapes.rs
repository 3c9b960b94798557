//! Reads the shapes of a run: files, URLs, graphs of the data and built-in ones, with their imports.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use oxrdf::{NamedNode, NamedNodeRef, NamedOrBlankNode, Quad, Term};

use super::document_places::ReadDocuments;
use super::shapes_read::ShapesRead;
use super::shapes_run_data::{FoundGraph, ShapesRunDocuments};
use crate::input::find::file_sources;
use crate::input::input_options::{ReadingOptions, RunInputs};
use crate::input::path_text::path_of_url;
use crate::load::load_purpose::{LoadPurpose, load};
use crate::load::read_session::LoadOptions;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_files as files;
use evalgraph_rdf::minted::{SHAPES_GRAPH, shapes_document};
use evalgraph_rdf::{self as rdf, RdfFormat, ReadOptions};
use evalgraph_shacl::{Shapes, ShapesOptions};
use evalgraph_shapes::{BUILT_IN, built_in};
use evalgraph_store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};

/// The maximum number of files that `owl:imports` adds.
const MOST_IMPORTS: usize = 1_000;

/// The shapes of a run.
pub struct RunShapes {
    /// The compiled shapes.
    pub shapes: Shapes,
    /// The names under which they were given.
    names: Vec<String>,
    /// The graphs of the data that contain shapes.
    pub(super) of_data: Vec<String>,
    /// The files of shapes, as they were read.
    pub(super) read: ShapesRead,
}

/// The choice of shapes.
#[derive(Clone, Copy)]
pub struct ShapesChoice<'r> {
    /// Names of files, of graphs of the data, of URLs, and of built-in shapes.
    pub names: &'r [String],
    /// `true` to add the shapes that the data name.
    pub named_by_data: bool,
}

impl ShapesChoice<'_> {
    /// Returns whether shapes may be among the data.
    pub(super) fn may_be_of_data(self) -> bool {
        let may_be_graph = |name: &String| {
            built_in(name).is_none() && NamedNode::new(name).is_ok() && !Path::new(name).exists()
        };
        self.named_by_data || self.names.iter().any(may_be_graph)
    }
}

/// Reads shapes. Some of them may be graphs of `data`.
///
/// # Errors
///
/// Fails if a file is faulty, or the data name no shapes; also returns every fault of the shapes.
pub fn read_shapes(
    choice: ShapesChoice<'_>,
    reading: &ReadingOptions,
    loading: &LoadOptions,
    data: Option<&ShapesRunDocuments>,
    report: &mut RunReport,
) -> Result<RunShapes, RunFailure> {
    let mut reader = ShapesSourceReader {
        input: RunInputs { reading: reading.clone(), ..RunInputs::default() },
        loading: LoadOptions { plain: true, iris: loading.iris.clone(), ..LoadOptions::default() },
        documents: Vec::new(),
        read: ReadDocuments::default(),
        data,
        of_data: Vec::new(),
        may_name_files: !choice.named_by_data,
    };
    for name in choice.names {
        match built_in(name) {
            Some(shapes) => reader.add_text(shapes.name, shapes.text, report)?,
            None if reader.add_graph(name) => {}
            None => reader.add_source(name, report)?,
        }
    }
    let mut names = choice.names.to_vec();
    if choice.named_by_data {
        names.extend(reader.add_named_by_data(report)?);
    }
    reader.add_imports(report)?;
    let ShapesSourceReader { documents, read, input, loading: plainly, of_data, .. } = reader;
    let dataset = Dataset::from_documents(documents);
    let options =
        ShapesOptions { plain: loading.plain, graph_name: Some(NamedNode::new_unchecked(SHAPES_GRAPH)) };
    let read = ShapesRead { dataset, documents: read, input, loading: plainly };
    let shapes =
        Shapes::compile(&read.dataset, &options).map_err(|faults| report.reported(&read.placed(faults)))?;
    if shapes.mapped_iris() > 0 {
        let message = format!(
            "{} IRIs of schema.org in the shapes were moved to the namespace of the data",
            shapes.mapped_iris()
        );
        let note = Diagnostic::new(FindingSeverity::Note, "shacl::schema-org", message);
        report.add(&note.with_help(help![setting("plain"), " keeps them as they are"]));
    }
    Ok(RunShapes { shapes, names, of_data, read })
}

/// The quads of shapes as a document for the graph of shapes.
fn beside(shapes: &Dataset) -> DocumentBuilder {
    let mut builder = DocumentBuilder::new();
    let graph = NamedNode::new_unchecked(SHAPES_GRAPH);
    let view = shapes.view(DefaultGraph::Union);
    for [subject, predicate, object] in view.default_triples(None, None, None) {
        let [subject, predicate, object] = [subject, predicate, object].map(|id| view.term(id));
        let subject = match subject {
            Term::NamedNode(node) => NamedOrBlankNode::from(node),
            Term::BlankNode(node) => node.into(),
            Term::Literal(_) => continue,
        };
        if let Term::NamedNode(predicate) = predicate {
            builder.extend_quads([Quad::new(subject, predicate, object, graph.clone())]);
        }
    }
    builder
}

struct ShapesSourceReader<'d> {
    input: RunInputs,
    loading: LoadOptions,
    documents: Vec<NamedDocument>,
    read: ReadDocuments<'static>,
    data: Option<&'d ShapesRunDocuments>,
    /// The graphs of the data that were added.
    of_data: Vec<String>,
    /// `true` if shapes may import local files. Shapes that come from the data or the network may not.
    may_name_files: bool,
}

impl ShapesSourceReader<'_> {
    fn add_text(&mut self, name: &str, text: &str, report: &mut RunReport) -> Result<(), RunFailure> {
        let mut builder = DocumentBuilder::new();
        let options = ReadOptions { format: RdfFormat::Turtle, base: None };
        if let Err(faults) = rdf::read(name, text.as_bytes(), options, &mut builder) {
            return Err(report.reported(&faults).into());
        }
        let document = self.named(builder);
        self.read.add_text(name, &document);
        self.documents.push(document);
        Ok(())
    }

    fn named(&self, builder: DocumentBuilder) -> NamedDocument {
        NamedDocument { graph: shapes_document(self.documents.len()), builder }
    }

    /// Adds a graph of the data. Returns whether there is one with this name.
    fn add_graph(&mut self, name: &str) -> bool {
        let graphs = self.data.map_or_else(Vec::new, |data| data.graphs(name));
        let is_there = !graphs.is_empty();
        for FoundGraph { builder, file } in graphs {
            let document = self.named(builder);
            match file {
                Some((source, dataset)) => self.read.add_graph(source, dataset, &document),
                None => self.read.add_text(name, &document),
            }
            self.documents.push(document);
        }
        if is_there {
            self.of_data.push(name.to_owned());
            self.may_name_files = false;
        }
        is_there
    }

    /// Adds the shapes graphs that the data name, and returns their names.
    fn add_named_by_data(&mut self, report: &mut RunReport) -> Result<BTreeSet<String>, RunFailure> {
        let names = self.data.map_or_else(BTreeSet::new, ShapesRunDocuments::shapes_graphs);
        if names.is_empty() {
            let fault = Diagnostic::error("shacl::no-shapes-graph", "the data name no shapes graph");
            let help = "they name one with `sh:shapesGraph` and its IRI";
            return Err(fault.with_help(help).into());
        }
        for name in &names {
            if self.add_graph(name) {
                continue;
            }
            self.add_named(name, report).inspect_err(|_| {
                let message = format!("the data name the shapes graph `{name}`, which cannot be read");
                let fault = Diagnostic::error("shacl::no-shapes-graph", message);
                let help = help!["give its location with ", setting("map").to(format!("{name}=FILE"))];
                report.add(&fault.with_help(help));
            })?;
        }
        Ok(names)
    }

    /// Adds a source that is named by data or shapes.
    fn add_named(&mut self, iri: &str, report: &mut RunReport) -> Result<(), RunFailure> {
        if is_of_web(iri) {
            return self.add_source(iri, report);
        }
        if self.may_name_files {
            check_is_regular(iri).map_err(|fault| report.reported(&[*fault]))?;
            return self.add_source(iri, report);
        }
        let message =
            format!("`{iri}` is not a web URL, and data and shapes from elsewhere must not name files");
        Err(report.reported(&[Diagnostic::error("shacl::import", message)]).into())
    }

    fn add_source(&mut self, name: &str, report: &mut RunReport) -> Result<(), RunFailure> {
        let sources = match file_sources(&[name.to_owned()], report) {
            Ok(sources) => sources,
            Err(failure) => {
                if let Some(meant) = nearest(name, BUILT_IN.iter().map(|shapes| shapes.name)) {
                    let message = format!("`{name}` is neither a file nor the name of built-in shapes");
                    let fault = Diagnostic::error("shacl::unknown-shapes", message);
                    report.add(&fault.with_help(format!("did you mean `{meant}`?")));
                }
                return Err(failure);
            }
        };
        self.may_name_files &= !is_of_web(name);
        let loaded = load(sources.clone(), &self.input, &self.loading, LoadPurpose::Quads, report)?;
        for (file, document) in loaded {
            let named = (file, self.named(document.builder));
            self.read.add(&sources, std::slice::from_ref(&named));
            self.documents.push(named.1);
        }
        Ok(())
    }

    /// Reads the imports of the shapes, unless they are already there (SHACL, section 3.1; OWL 2, section 3.4).
    fn add_imports(&mut self, report: &mut RunReport) -> Result<(), RunFailure> {
        let mut known: HashSet<String> = HashSet::new();
        let mut next = 0;
        while next < self.documents.len() {
            let imports = imports_of(&self.documents[next].builder);
            next += 1;
            for iri in imports {
                // Imports may form a cycle, so each IRI is read only once.
                if !known.insert(iri.clone()) || self.has_ontology(&iri) {
                    continue;
                }
                if self.documents.len() > MOST_IMPORTS {
                    let message = format!("the shapes import more than {MOST_IMPORTS} files");
                    return Err(Diagnostic::error("shacl::import", message).into());
                }
                if self.add_graph(&iri) {
                    continue;
                }
                if is_well_known(&iri) && !self.may_be_read(&iri) && !self.needs_dash(&iri) {
                    let message = format!("the import of `{iri}` is skipped: no shape needs its content");
                    let note = Diagnostic::new(FindingSeverity::Note, "shacl::import", message);
                    let help = help![
                        "to read it, give its location with ",
                        setting("map").to(format!("{iri}=FILE"))
                    ];
                    report.add(&note.with_help(help));
                    continue;
                }
                self.add_named(&iri, report).inspect_err(|_| {
                    let message = format!("the shapes import `{iri}`, which cannot be read");
                    let fault = Diagnostic::error("shacl::import", message);
                    let help = help!["give its location with ", setting("map").to(format!("{iri}=FILE"))];
                    report.add(&fault.with_help(help));
                })?;
            }
        }
        Ok(())
    }

    /// Returns whether an IRI is mapped to a local file, or may be requested from the network.
    fn may_be_read(&self, iri: &str) -> bool {
        let iris = &self.loading.iris;
        iris.net.is_allowed || iris.map.iter().any(|(mapped, _)| iri.starts_with(mapped.as_str()))
    }

    /// Returns whether an import defines constraint components that the shapes use. Of the well-known vocabularies,
    /// only DASH defines any.
    fn needs_dash(&self, iri: &str) -> bool {
        let is_used = |name: &&str| {
            let parameter = format!("{DASH}#{name}");
            let parameter = NamedNodeRef::new_unchecked(&parameter);
            self.documents.iter().any(|document| {
                let found = document.builder.dictionary().find(parameter.into());
                found.is_some_and(|id| document.builder.quads().any(|quad| quad.predicate == id))
            })
        };
        iri.starts_with(DASH) && OF_DASH.iter().any(is_used)
    }

    fn has_ontology(&self, iri: &str) -> bool {
        self.documents.iter().any(|document| {
            document
                .builder
                .dictionary()
                .find(NamedNodeRef::new_unchecked(iri).into())
                .is_some_and(|id| document.builder.quads().any(|quad| quad.subject == id))
        })
    }
}

const DASH: &str = "http://datashapes.org/dash";

/// The parameters of DASH's constraint components.
const OF_DASH: [&str; 14] = [
    "closedByTypes",
    "coExistsWith",
    "hasValueIn",
    "hasValueWithClass",
    "nonRecursive",
    "notExistsWith",
    "reifiableBy",
    "rootClass",
    "singleLine",
    "stem",
    "subSetOf",
    "symmetric",
    "uniqueValueForClass",
    "uriStart",
];

/// Vocabularies that shapes import out of habit. They define terms for people and editors. The engine knows those of
/// their terms that constrain anything, and rejects shapes with other ones.
const WELL_KNOWN: [&str; 12] = [
    DASH,
    "http://purl.org/dc/elements/1.1",
    "http://purl.org/dc/terms",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns",
    "http://www.w3.org/2000/01/rdf-schema",
    "http://www.w3.org/2001/XMLSchema",
    "http://www.w3.org/2002/07/owl",
    "http://www.w3.org/2004/02/skos/core",
    "http://www.w3.org/ns/prov",
    "http://www.w3.org/ns/shacl",
    "http://xmlns.com/foaf/0.1",
    "https://www.w3.org/ns/shacl",
];

fn is_well_known(iri: &str) -> bool {
    WELL_KNOWN.contains(&iri.trim_end_matches(['#', '/']))
}

/// Rejects pipes and devices that shapes name. Reading reports all other errors.
fn check_is_regular(iri: &str) -> Result<(), Box<Diagnostic>> {
    let path = path_of_url(iri).unwrap_or_else(|| iri.into());
    let metadata = std::fs::metadata(path).ok().filter(|metadata| !metadata.is_dir());
    metadata.map_or(Ok(()), |metadata| files::check(&metadata)).map_err(|error| {
        let message = format!("`{iri}` cannot be read: {error}");
        Box::new(Diagnostic::error("shacl::import", message))
    })
}

fn is_of_web(iri: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| iri.starts_with(scheme))
}

fn imports_of(builder: &DocumentBuilder) -> Vec<String> {
    let dictionary = builder.dictionary();
    let imports = NamedNodeRef::new_unchecked("http://www.w3.org/2002/07/owl#imports");
    let Some(imports) = dictionary.find(imports.into()) else { return Vec::new() };
    let quads = builder.quads().filter(|quad| quad.predicate == imports);
    quads
        .filter_map(|quad| match dictionary.term(quad.object) {
            Term::NamedNode(node) => Some(node.into_string()),
            _ => None,
        })
        .collect()
}

impl RunShapes {
    /// The parts of the data that must be loaded.
    pub(super) fn wanted(&self) -> LoadPurpose {
        if self.shapes.with_catalog() { LoadPurpose::Catalog } else { LoadPurpose::Quads }
    }

    /// The names under which the shapes were given.
    pub(super) fn names(&self) -> String {
        self.names.join(", ")
    }

    /// The shapes as a graph to add to the data, if their queries use it.
    pub(super) fn beside(&self) -> Option<NamedDocument> {
        let builder = || beside(&self.read.dataset);
        let is_asked_for = self.shapes.asks_for_shapes_graph();
        is_asked_for.then(|| NamedDocument { graph: shapes_document(0), builder: builder() })
    }
}
