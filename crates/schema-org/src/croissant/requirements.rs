//! The properties that nodes have to have or should have, as a table.

use super::graph::Graph;
use super::reporter::Reporter;
use super::terms::Class;
use super::version::Version;
use crate::code::Code;
use crate::teller::{At, Fault};
use evalgraph_store::{Kind, TermId};

/// A property that nodes of a class have.
struct Requirement {
    class: Class,
    name: &'static str,
    /// The property in whose presence this one is not needed.
    unless: Option<&'static str>,
    section: &'static str,
}

const fn required(class: Class, name: &'static str, section: &'static str) -> Requirement {
    Requirement { class, name, unless: None, section }
}

static REQUIREMENTS: [Requirement; 11] = [
    required(Class::Dataset, "name", "required"),
    required(Class::Dataset, "description", "required"),
    required(Class::Dataset, "license", "required"),
    required(Class::Dataset, "url", "required"),
    required(Class::Dataset, "creator", "required"),
    required(Class::Dataset, "datePublished", "required"),
    required(Class::Dataset, "distribution", "modified-and-added-properties"),
    Requirement { unless: Some("containedIn"), ..required(Class::FileObject, "contentUrl", "fileobject") },
    required(Class::FileObject, "encodingFormat", "fileobject"),
    required(Class::FileSet, "encodingFormat", "fileset"),
    required(Class::FileSet, "includes", "fileset"),
];

/// The properties that every dataset should have.
const RECOMMENDED: [&str; 8] =
    ["keywords", "publisher", "version", "dateCreated", "dateModified", "sameAs", "sdLicense", "inLanguage"];

/// The properties of schema.org that have one value, with the last version that says so.
static ONCE: [(Class, &str, Option<Version>); 12] = [
    (Class::Dataset, "name", None),
    (Class::Dataset, "description", None),
    (Class::Dataset, "url", None),
    (Class::Dataset, "datePublished", None),
    (Class::Dataset, "version", None),
    (Class::Dataset, "dateCreated", None),
    (Class::Dataset, "dateModified", None),
    (Class::FileObject, "name", None),
    (Class::FileObject, "contentUrl", None),
    (Class::FileObject, "contentSize", None),
    (Class::FileObject, "sha256", None),
    (Class::FileObject, "encodingFormat", Some(Version::V1_0)),
];

/// Checks which properties a node of a class has.
pub(super) fn check(graph: &Graph<'_>, reporter: &mut Reporter<'_, '_>, node: TermId, class: Class) {
    let at = At { node, predicate: None, value: None };
    for Requirement { name, unless, section, .. } in REQUIREMENTS.iter().filter(|row| row.class == class) {
        if graph.has(node, name) || unless.is_some_and(|other| graph.has(node, other)) {
            continue;
        }
        reporter.tell(Code::CroissantMissingProperty, at, section, || {
            let message = format!("the `{}` has no `{name}`", class.name());
            Fault { term: Some((*name).to_owned()), property: Some(name), ..Fault::new(message) }
        });
    }
    for (_, name, until) in ONCE.iter().filter(|(of, ..)| *of == class) {
        if until.is_none_or(|until| reporter.document.version == Some(until)) {
            once(graph, reporter, node, name);
        }
    }
    if class == Class::Dataset {
        recommended(graph, reporter, at);
    }
}

/// Tells a second value of a property, texts of one language as of one thing.
fn once(graph: &Graph<'_>, reporter: &mut Reporter<'_, '_>, node: TermId, name: &'static str) {
    let mut languages = Vec::new();
    for at in graph.values(node, name) {
        let language = at.value.filter(|value| graph.dictionary.kind(*value) == Kind::LangString);
        let language = language.and_then(|text| graph.dictionary.language(text));
        if languages.contains(&language) {
            return cardinality(reporter, at, name, "required");
        }
        languages.push(language);
    }
}

/// Tells a property that has more values than one.
pub(super) fn cardinality(reporter: &mut Reporter<'_, '_>, at: At, name: &str, section: &str) {
    reporter.tell(Code::CroissantCardinality, at, section, || {
        Fault::new(format!("`{name}` has more than one value: two nodes may have one `@id`"))
    });
}

fn recommended(graph: &Graph<'_>, reporter: &mut Reporter<'_, '_>, at: At) {
    let missing: Vec<String> =
        RECOMMENDED.iter().filter(|name| !graph.has(at.node, name)).map(|name| format!("`{name}`")).collect();
    if !missing.is_empty() {
        reporter.tell(Code::CroissantRecommendedProperty, at, "recommended", || {
            Fault::new(format!("recommended, and not there: {}", missing.join(", ")))
        });
    }
}
