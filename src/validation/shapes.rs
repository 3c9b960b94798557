//! Holds inputs against shapes: reads the shapes, loads the data, and reports in the words of the rules.

use std::collections::{HashMap, HashSet};

use oxrdf::{Literal, NamedNode, NamedNodeRef, NamedOrBlankNode, Quad, Term};

use super::files::{ALL_FILES, Checked, What};
use super::places::{ReadDocuments, WantedTerm};
use crate::diagnostic::help::{help, setting};
use crate::diagnostic::nearest::nearest;
use crate::diagnostic::validation::{
    FocusNode, ResultSeverity, RuleSummary, ValidationReport, ValidationResult,
};
use crate::diagnostic::{Diagnostic, Failure, Place, Report, Severity as DiagnosticSeverity};
use crate::input::find::file_sources;
use crate::input::options::{Inputs, ReadingOptions};
use crate::load::json_ld::LoadOptions;
use crate::load::loading::{Wanted, load};
use crate::rdf::minted::{SHAPES_GRAPH, shapes_document};
use crate::rdf::{self, RdfFormat, ReadOptions};
use crate::shacl::{
    self, BUILT_IN, ResultPath, Severity, Shape, Shapes, ShapesFault, ShapesOptions, ValidationOptions,
    built_in,
};
use crate::sparql::Cancellation;
use crate::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument, Snapshot};
use crate::workspace::sources::sources;

/// The most files that `owl:imports` adds.
const MOST_IMPORTS: usize = 1_000;

/// Shapes of a run.
pub(crate) struct RunShapes {
    pub(crate) shapes: Shapes,
    /// The names under which they were given.
    names: Vec<String>,
    /// The shapes as a graph beside the data, where their queries ask for it.
    beside: Option<DocumentBuilder>,
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
        let note = Diagnostic::new(DiagnosticSeverity::Note, "shacl::schema-org", message);
        report.add(&note.with_help(help![setting("plain"), " keeps them as they are"]));
    }
    let beside = shapes.asks_for_shapes_graph().then(|| beside(&dataset));
    Ok(RunShapes { shapes, names: names.to_vec(), beside })
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
        take: impl FnOnce(&shacl::ValidationReport<'_, '_>, Vec<Option<Place>>) -> T,
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

    /// The names under which the shapes were given.
    pub(crate) fn names(&self) -> String {
        self.names.join(", ")
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
pub(crate) fn has_matched(validated: &shacl::ValidationReport<'_, '_>) -> bool {
    validated.looked_at().any(|(shape, nodes)| shape.has_targets() && nodes > 0)
}

/// The node and the value whose place a result has.
fn wanted(result: &shacl::ValidationResult<'_, '_, '_>) -> WantedTerm {
    let predicate = result.predicate();
    let value = predicate.as_ref().and_then(|_| result.value());
    WantedTerm { node: result.focus_node(), predicate, value }
}

/// The report of shapes in the words of rules: a shape is a rule. `places` has the place of each result.
pub(crate) fn checked(
    validated: &shacl::ValidationReport<'_, '_>,
    places_of_results: Vec<Option<Place>>,
    names: &str,
) -> Checked {
    let mut rules: Vec<RuleSummary> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut told: HashSet<String> = HashSet::new();
    for (shape, looked_at) in validated.looked_at() {
        let id = name_of(shape);
        if shape.has_targets() || !shape.node.is_blank_node() {
            told.insert(id.clone());
        }
        match places.get(&id) {
            Some(place) => rules[*place].looked_at += looked_at,
            None => {
                places.insert(id.clone(), rules.len());
                rules.push(RuleSummary {
                    id: id.into(),
                    severity: severity_of(&shape.severity),
                    title: title_of(shape).into(),
                    looked_at,
                    results: 0,
                });
            }
        }
    }
    let mut results = Vec::with_capacity(validated.results().len());
    let found = places_of_results.into_iter().chain(std::iter::repeat(None));
    for (result, place) in validated.results().zip(found) {
        let shape = result.shape();
        let id = name_of(shape);
        if let Some(place) = places.get(&id) {
            rules[*place].results += 1;
        }
        results.push(ValidationResult {
            rule: id.into(),
            severity: severity_of(&shape.severity),
            component: Some(text_of(&result.source_constraint_component()).into()),
            focus: focus_of(&result.focus_node(), place.as_ref()),
            path: result.path().map(|path| path_text(&path).into()),
            value: result.value().map(|value| text_of(&value)),
            message: message_of(&result.messages()),
            place: place.map(Box::new),
            related: None,
        });
    }
    // A shape without a name that has found nothing is a part of others.
    rules.retain(|rule| rule.results > 0 || (rule.looked_at > 0 && told.contains(&*rule.id)));
    let targeted = validated.looked_at().filter(|(shape, _)| shape.has_targets());
    let subjects = targeted.map(|(_, nodes)| nodes).sum();
    // Results of `sh:Debug` and `sh:Trace` are info that does not stand against conformance.
    let has_weak = validated.results().any(|result| !result.severity().disallows_conformance());
    let against =
        if has_weak && validated.conforms() { ResultSeverity::Warning } else { ResultSeverity::Info };
    let report = ValidationReport {
        profile: names.to_owned().into(),
        rules,
        results,
        against,
        fails_unseen: false,
        subjects,
    };
    Checked { name: ALL_FILES.to_owned(), what: What::Records("shapes".to_owned()), report }
}

/// A blank node has no name that would outlast the run: where it has a place in JSON, it goes by that.
fn focus_of(node: &Term, place: Option<&Place>) -> FocusNode {
    match place.and_then(|place| place.pointer.clone()) {
        Some(pointer) if node.is_blank_node() => FocusNode::Pointer(pointer),
        _ => FocusNode::Iri(text_of(node)),
    }
}

fn severity_of(severity: &Severity) -> ResultSeverity {
    match severity {
        Severity::Trace | Severity::Debug | Severity::Info => ResultSeverity::Info,
        Severity::Warning => ResultSeverity::Warning,
        Severity::Other(_) | Severity::Violation => ResultSeverity::Violation,
    }
}

/// The name of a shape; one without a name goes by the shape that refers to it and its path.
fn name_of(shape: &Shape) -> String {
    match (&shape.node, &shape.parent, shape.path()) {
        (Term::BlankNode(_), Some(parent), Some(path)) => format!("{} {path}", text_of(parent)),
        (Term::BlankNode(_), Some(parent), None) => format!("{} (inner shape)", text_of(parent)),
        (node, ..) => text_of(node),
    }
}

/// What a shape asks for: its message, else the names of its constraints.
fn title_of(shape: &Shape) -> String {
    match shape.messages.as_slice() {
        [] => shape.parameters().join(", "),
        messages => message_of(messages),
    }
}

/// The message without a language or in English, else the first.
fn message_of(messages: &[Literal]) -> String {
    let is_preferred = |message: &&Literal| message.language().is_none_or(|tag| tag.starts_with("en"));
    let message = messages.iter().find(is_preferred).or(messages.first());
    message.map_or_else(String::new, |message| message.value().to_owned())
}

fn path_text(path: &ResultPath<'_>) -> String {
    match path {
        ResultPath::OfShape(path) => match path.as_predicate() {
            Some(predicate) => predicate.as_str().to_owned(),
            None => path.to_string(),
        },
        ResultPath::Predicate(predicate) => predicate.as_str().to_owned(),
    }
}

/// An IRI as it is, another term as N-Triples have it.
fn text_of(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => node.as_str().to_owned(),
        other => other.to_string(),
    }
}
