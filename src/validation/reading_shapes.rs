//! Reads the shapes of a run: files, URLs and built-in ones, with what they import.

use std::collections::HashSet;

use oxrdf::{NamedNode, NamedNodeRef, NamedOrBlankNode, Quad, Term};

use super::places::{ReadDocuments, WantedTerm};
use crate::diagnostic::help::{help, setting};
use crate::diagnostic::nearest::nearest;
use crate::diagnostic::{Diagnostic, Failure, Report, Severity};
use crate::input::find::file_sources;
use crate::input::options::{Inputs, ReadingOptions};
use crate::load::json_ld::LoadOptions;
use crate::load::loading::{Wanted, load};
use crate::rdf::minted::{SHAPES_GRAPH, shapes_document};
use crate::rdf::{self, RdfFormat, ReadOptions};
use crate::shacl::{BUILT_IN, Shapes, ShapesFault, ShapesOptions, built_in};
use crate::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};

/// The most files that `owl:imports` adds.
const MOST_IMPORTS: usize = 1_000;

/// Shapes of a run.
pub(crate) struct RunShapes {
    pub(crate) shapes: Shapes,
    /// The names under which they were given.
    names: Vec<String>,
    /// The dataset of the shapes, where their queries ask for it.
    asked_for: Option<Dataset>,
}

/// Reads shapes: each name is a file, a URL or the name of built-in shapes.
///
/// # Errors
///
/// Where a file is at fault, and every fault of the shapes.
pub(crate) fn read_shapes(
    names: &[String],
    input: &Inputs,
    loading: &LoadOptions,
    report: &mut Report,
) -> Result<RunShapes, Failure> {
    let reading = &input.reading;
    let reading = ReadingOptions {
        limits: reading.limits,
        strictness: reading.strictness,
        files_read: reading.files_read.clone(),
        ..ReadingOptions::default()
    };
    let mut reader = Reader {
        input: Inputs { reading, ..Inputs::default() },
        loading: LoadOptions { plain: true, iris: loading.iris.clone(), ..LoadOptions::default() },
        documents: Vec::new(),
        read: ReadDocuments::default(),
    };
    for name in names {
        match built_in(name) {
            Some(shapes) => reader.add_text(shapes.name, shapes.text, report)?,
            None => reader.add_source(name, report)?,
        }
    }
    reader.add_imports(report)?;
    let Reader { documents, read, input, loading: plainly } = reader;
    let dataset = Dataset::from_documents(documents);
    let options = ShapesOptions {
        plain: loading.plain,
        graph_name: Some(NamedNode::new_unchecked(SHAPES_GRAPH)),
        with_catalog: names.iter().filter_map(|name| built_in(name)).any(|shapes| shapes.with_catalog),
    };
    let shapes = Shapes::compile(&dataset, &options)
        .map_err(|faults| report.ended_by(&placed(faults, &dataset, &read, &input, &plainly)))?;
    if shapes.mapped_iris() > 0 {
        let message = format!(
            "{} IRIs of schema.org in the shapes were moved to the namespace of the data",
            shapes.mapped_iris()
        );
        let note = Diagnostic::new(Severity::Note, "shacl::schema-org", message);
        report.add(&note.with_help(help![setting("plain"), " keeps them as they are"]));
    }
    let asked_for = shapes.asks_for_shapes_graph().then_some(dataset);
    Ok(RunShapes { shapes, names: names.to_vec(), asked_for })
}

/// The quads of shapes in the graph of shapes.
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

struct Reader {
    input: Inputs,
    loading: LoadOptions,
    documents: Vec<NamedDocument>,
    read: ReadDocuments,
}

impl Reader {
    fn add_text(&mut self, name: &str, text: &str, report: &mut Report) -> Result<(), Failure> {
        let mut builder = DocumentBuilder::new();
        let options = ReadOptions { format: RdfFormat::Turtle, base: None };
        if let Err(faults) = rdf::read(name, text.as_bytes(), options, &mut builder) {
            return Err(report.ended_by(&faults));
        }
        let document = self.named(builder);
        self.read.add_text(&document);
        self.documents.push(document);
        Ok(())
    }

    fn named(&self, builder: DocumentBuilder) -> NamedDocument {
        NamedDocument { graph: shapes_document(self.documents.len()), builder }
    }

    fn add_source(&mut self, name: &str, report: &mut Report) -> Result<(), Failure> {
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
        let loaded = load(sources.clone(), &self.input, &self.loading, Wanted::Quads, report)?;
        for (file, document) in loaded {
            let named = (file, self.named(document.builder));
            self.read.add(&sources, std::slice::from_ref(&named));
            self.documents.push(named.1);
        }
        Ok(())
    }

    /// Reads what the shapes import, unless they have it already (SHACL, section 3.1; OWL 2, section 3.4).
    fn add_imports(&mut self, report: &mut Report) -> Result<(), Failure> {
        let mut known: HashSet<String> = HashSet::new();
        let mut next = 0;
        while next < self.documents.len() {
            let imports = imports_of(&self.documents[next].builder);
            next += 1;
            for iri in imports {
                if !known.insert(iri.clone()) || self.has_ontology(&iri) {
                    continue;
                }
                if self.documents.len() > MOST_IMPORTS {
                    let message = format!("the shapes import more than {MOST_IMPORTS} files");
                    return Err(Diagnostic::error("shacl::import", message).into());
                }
                self.add_source(&iri, report).inspect_err(|_| {
                    let message = format!("the shapes import `{iri}`, which cannot be read");
                    let fault = Diagnostic::error("shacl::import", message);
                    let help = help!["say where it lies with ", setting("map").to(format!("{iri}=FILE"))];
                    report.add(&fault.with_help(help));
                })?;
            }
        }
        Ok(())
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

/// Faults of shapes with their places.
fn placed(
    faults: Vec<ShapesFault>,
    dataset: &Dataset,
    read: &ReadDocuments,
    input: &Inputs,
    loading: &LoadOptions,
) -> Vec<Diagnostic> {
    let wanted = faults.iter().map(|fault| {
        let predicate = match &fault.predicate {
            Some(Term::NamedNode(predicate)) => Some(predicate.clone()),
            _ => None,
        };
        WantedTerm { node: fault.subject.clone(), predicate, value: fault.object.clone() }
    });
    let wanted: Vec<WantedTerm> = wanted.collect();
    let places = read.places(dataset, &dataset.view(DefaultGraph::Union), input, loading, &wanted);
    let placed = faults.into_iter().zip(places).map(|(fault, place)| match place {
        Some(place) => fault.diagnostic.at(place),
        None => fault.diagnostic,
    });
    placed.collect()
}

impl RunShapes {
    /// The names under which the shapes were given.
    pub(super) fn names(&self) -> String {
        self.names.join(", ")
    }

    /// What is wanted of data.
    pub(super) fn wanted(&self) -> Wanted {
        if self.shapes.with_catalog() { Wanted::Catalog } else { Wanted::Quads }
    }

    /// The shapes as a graph beside the data, where their queries ask for it.
    pub(super) fn beside(&self) -> Option<NamedDocument> {
        self.asked_for
            .as_ref()
            .map(|shapes| NamedDocument { graph: shapes_document(0), builder: beside(shapes) })
    }
}
