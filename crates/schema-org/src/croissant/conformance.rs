//! The rule about the version to which a document claims conformance.

use super::croissant_document::version_of;
use super::reporter::CroissantReporter;
use super::version::KnownCroissantVersion;
use crate::code::CheckRule;
use crate::namespace::SchemaIri;
use crate::teller::{FaultDescription, StatementPart, shortened};
use evalgraph_store::TermDictionary;

/// Checks that the document names the version that it conforms to, with the IRI of a known version.
pub(super) fn check(dictionary: &TermDictionary, reporter: &mut CroissantReporter<'_, '_>) {
    let document = reporter.document;
    if let Some(first) = document.first().filter(|_| document.stated.is_empty()) {
        not_stated(first, reporter);
    }
    for at in &document.stated {
        let predicate = at.predicate.map_or("", |iri| dictionary.lexical(iri));
        if SchemaIri::from_iri(predicate).is_some() {
            reporter.tell(CheckRule::CroissantVersion, *at, "required", || {
                let message = "`conformsTo` is a term of DCMI: the context has to map it to `dct:conformsTo`";
                let [term, suggest] = ["conformsTo", "dct:conformsTo"].map(|name| Some(name.to_owned()));
                FaultDescription { term, suggest, ..FaultDescription::new(message) }
            });
        }
        let stated = at.value.map_or("", |value| dictionary.lexical(value));
        let version = version_of(dictionary, at);
        if version.is_none_or(|version| version.iri() != stated) {
            reporter.tell(CheckRule::CroissantVersion, *at, "required", || wrong_iri(stated, version));
        }
    }
}

/// Reports that no version is stated.
fn not_stated(first: StatementPart, reporter: &mut CroissantReporter<'_, '_>) {
    let is_old = reporter.document.is_old;
    let section = if is_old { "namespaces" } else { "required" };
    reporter.tell(CheckRule::CroissantVersion, first, section, || {
        if is_old {
            return FaultDescription::new("the terms are from before Croissant 1.0, which is not supported");
        }
        let newest = KnownCroissantVersion::V1_1.iri();
        let message = format!("no dataset states that it conforms to Croissant: add `conformsTo` `{newest}`");
        FaultDescription { suggest: Some(newest), ..FaultDescription::new(message) }
    });
}

/// The fault of a value of `conformsTo` that spells a version differently, or names an unknown one.
fn wrong_iri(stated: &str, version: Option<KnownCroissantVersion>) -> FaultDescription {
    let text = shortened(stated);
    let message = match version {
        Some(_) => format!("`{text}` is not the IRI of the version"),
        None => format!("`{text}` is not a supported version of Croissant: `1.0` or `1.1`"),
    };
    let (suggest, property) = (version.map(KnownCroissantVersion::iri), Some("conformsTo"));
    FaultDescription { term: Some(stated.to_owned()), suggest, property, ..FaultDescription::new(message) }
}
