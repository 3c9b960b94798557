//! Decides which documents use Croissant, and in which version: those that claim conformance to it, or have its nodes
//! as parts.

use super::croissant_iri::{OLD_NAMESPACE, schema_spellings, spellings};
use super::croissant_terms::CroissantClass;
use super::version::{KnownCroissantVersion, stated_number};
use crate::teller::StatementPart;
use evalgraph_rdf::vocabulary::{dcterms, rdf};
use evalgraph_store::{Dataset, DatasetView, DefaultGraph, TermDictionary, TermId};

/// A document that uses Croissant, or tries to.
#[derive(Debug)]
pub(crate) struct CroissantDocument {
    /// The statements that name a version.
    pub(super) stated: Vec<StatementPart>,
    /// The latest known version among them.
    pub(super) version: Option<KnownCroissantVersion>,
    /// The first node of Croissant.
    first: Option<StatementPart>,
    /// `true` if that node is from before version 1.0.
    pub(super) is_old: bool,
}

/// Returns whether a dataset is Croissant metadata, or tries to be.
pub fn is_croissant(dataset: &Dataset) -> bool {
    CroissantDocument::from_view(&dataset.view(DefaultGraph::Union), dataset.dictionary()).is_some()
}

impl CroissantDocument {
    /// Returns the facts if a document uses Croissant.
    pub(crate) fn from_view(view: &DatasetView<'_>, dictionary: &TermDictionary) -> Option<Self> {
        let find = |iri: &str| dictionary.find(oxrdf::NamedNodeRef::new_unchecked(iri).into());
        let mut stated = Vec::new();
        let conforms_to =
            std::iter::once(dcterms::CONFORMS_TO.to_owned()).chain(schema_spellings("conformsTo"));
        for predicate in conforms_to.filter_map(|iri| find(&iri)) {
            for [node, predicate, value] in view.default_triples(None, Some(predicate), None) {
                if stated_number(dictionary.lexical(value)).is_some() {
                    stated.push(StatementPart { node, predicate: Some(predicate), value: Some(value) });
                }
            }
        }
        let versions = stated.iter().filter_map(|at| version_of(dictionary, at)).collect::<Vec<_>>();
        let first_of = |iri: &str| {
            let (rdf_type, class) = (find(rdf::TYPE)?, find(iri)?);
            let mut nodes = view.default_triples(None, Some(rdf_type), Some(class));
            let [node, predicate, value] = nodes.find(|[node, ..]| is_part(view, dictionary, *node))?;
            Some(StatementPart { node, predicate: Some(predicate), value: Some(value) })
        };
        let first = CroissantClass::CROISSANT
            .iter()
            .flat_map(|class| spellings(class.name()))
            .find_map(|iri| first_of(&iri));
        let old = || {
            let names =
                CroissantClass::CROISSANT.iter().map(|class| format!("{OLD_NAMESPACE}{}", class.name()));
            names.filter_map(|iri| first_of(&iri)).next()
        };
        let (first, is_old) = match first {
            None if stated.is_empty() => (Some(old()?), true),
            first => (first, false),
        };
        Some(Self { stated, version: versions.into_iter().max(), first, is_old })
    }

    /// The first statement that shows that the document uses Croissant.
    pub(super) fn first(&self) -> Option<StatementPart> {
        self.stated.first().copied().or(self.first)
    }

    /// The page of a section of the specification, in the version of the document.
    pub(super) fn page(&self, section: &str) -> String {
        self.version.unwrap_or(KnownCroissantVersion::V1_1).page(section)
    }

    /// Returns whether the document has a version that includes what came with this one. If its version is unknown, the
    /// answer is yes.
    pub(super) fn has_version(&self, since: KnownCroissantVersion) -> bool {
        self.version.is_none_or(|version| version >= since)
    }
}

/// The version that a statement names.
pub(super) fn version_of(dictionary: &TermDictionary, at: &StatementPart) -> Option<KnownCroissantVersion> {
    let number = stated_number(dictionary.lexical(at.value?))?;
    KnownCroissantVersion::ALL.into_iter().find(|version| version.number() == number)
}

/// Returns whether a node is a part of a dataset. Other specifications use classes of Croissant, too.
fn is_part(view: &DatasetView<'_>, dictionary: &TermDictionary, node: TermId) -> bool {
    let properties = ["distribution", "recordSet"].into_iter();
    let names = properties.flat_map(|name| schema_spellings(name).into_iter().chain(spellings(name)));
    let mut names = names.chain([format!("{OLD_NAMESPACE}recordSet")]);
    names.any(|iri| {
        let predicate = dictionary.find(oxrdf::NamedNodeRef::new_unchecked(&iri).into());
        predicate
            .is_some_and(|predicate| view.default_triples(None, Some(predicate), Some(node)).next().is_some())
    })
}
