//! The properties that nodes must or should have, as a table.

use super::croissant_graph::CroissantGraph;
use super::croissant_terms::CroissantClass;
use super::reporter::CroissantReporter;
use super::version::KnownCroissantVersion;
use crate::code::CheckRule;
use crate::teller::{FaultDescription, StatementPart};
use evalgraph_store::{RdfTermKind, TermId};

/// A property that nodes of a class have.
struct RequiredProperty {
    class: CroissantClass,
    name: &'static str,
    /// The property that makes this one unnecessary.
    unless: Option<&'static str>,
    section: &'static str,
}

const fn required(class: CroissantClass, name: &'static str, section: &'static str) -> RequiredProperty {
    RequiredProperty { class, name, unless: None, section }
}

static REQUIREMENTS: [RequiredProperty; 11] = [
    required(CroissantClass::Dataset, "name", "required"),
    required(CroissantClass::Dataset, "description", "required"),
    required(CroissantClass::Dataset, "license", "required"),
    required(CroissantClass::Dataset, "url", "required"),
    required(CroissantClass::Dataset, "creator", "required"),
    required(CroissantClass::Dataset, "datePublished", "required"),
    required(CroissantClass::Dataset, "distribution", "modified-and-added-properties"),
    RequiredProperty {
        unless: Some("containedIn"),
        ..required(CroissantClass::FileObject, "contentUrl", "fileobject")
    },
    required(CroissantClass::FileObject, "encodingFormat", "fileobject"),
    required(CroissantClass::FileSet, "encodingFormat", "fileset"),
    required(CroissantClass::FileSet, "includes", "fileset"),
];

/// The properties that every dataset should have.
const RECOMMENDED: [&str; 8] =
    ["keywords", "publisher", "version", "dateCreated", "dateModified", "sameAs", "sdLicense", "inLanguage"];

/// The properties of schema.org that have one value, with the last version that requires that.
static ONCE: [(CroissantClass, &str, Option<KnownCroissantVersion>); 12] = [
    (CroissantClass::Dataset, "name", None),
    (CroissantClass::Dataset, "description", None),
    (CroissantClass::Dataset, "url", None),
    (CroissantClass::Dataset, "datePublished", None),
    (CroissantClass::Dataset, "version", None),
    (CroissantClass::Dataset, "dateCreated", None),
    (CroissantClass::Dataset, "dateModified", None),
    (CroissantClass::FileObject, "name", None),
    (CroissantClass::FileObject, "contentUrl", None),
    (CroissantClass::FileObject, "contentSize", None),
    (CroissantClass::FileObject, "sha256", None),
    (CroissantClass::FileObject, "encodingFormat", Some(KnownCroissantVersion::V1_0)),
];

/// Checks which properties a node of a class has.
pub(super) fn check(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    node: TermId,
    class: CroissantClass,
) {
    let at = StatementPart { node, predicate: None, value: None };
    for RequiredProperty { name, unless, section, .. } in REQUIREMENTS.iter().filter(|row| row.class == class)
    {
        if graph.has(node, name) || unless.is_some_and(|other| graph.has(node, other)) {
            continue;
        }
        reporter.tell(CheckRule::CroissantMissingProperty, at, section, || {
            let message = format!("the `{}` has no `{name}`", class.name());
            FaultDescription {
                term: Some((*name).to_owned()),
                property: Some(name),
                ..FaultDescription::new(message)
            }
        });
    }
    for (_, name, until) in ONCE.iter().filter(|(of, ..)| *of == class) {
        if until.is_none_or(|until| reporter.document.version == Some(until)) {
            once(graph, reporter, node, name);
        }
    }
    if class == CroissantClass::Dataset {
        recommended(graph, reporter, at);
    }
}

/// Reports a second value of a property; strings count once for each language.
fn once(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    node: TermId,
    name: &'static str,
) {
    let mut languages = Vec::new();
    for at in graph.values(node, name) {
        let language = at.value.filter(|value| graph.dictionary.kind(*value) == RdfTermKind::LangString);
        let language = language.and_then(|text| graph.dictionary.language(text));
        if languages.contains(&language) {
            return cardinality(reporter, at, name, "required");
        }
        languages.push(language);
    }
}

/// Reports a property that has more than one value.
pub(super) fn cardinality(
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
    name: &str,
    section: &str,
) {
    reporter.tell(CheckRule::CroissantCardinality, at, section, || {
        FaultDescription::new(format!("`{name}` has more than one value: two nodes may have one `@id`"))
    });
}

fn recommended(graph: &CroissantGraph<'_>, reporter: &mut CroissantReporter<'_, '_>, at: StatementPart) {
    let missing: Vec<String> =
        RECOMMENDED.iter().filter(|name| !graph.has(at.node, name)).map(|name| format!("`{name}`")).collect();
    if !missing.is_empty() {
        reporter.tell(CheckRule::CroissantRecommendedProperty, at, "recommended", || {
            FaultDescription::new(format!("recommended properties are missing: {}", missing.join(", ")))
        });
    }
}
