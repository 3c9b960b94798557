//! The vocabulary in a release of schema.org, which describes itself in RDF.
//!
//! `SchemaOrgVocabulary` is defined in `vocabulary_terms.rs`.

use std::collections::{BTreeMap, BTreeSet};

use super::namespace::SchemaIri;
use super::term_kind::VocabularyTermKind;
use super::vocabulary_terms::{SchemaOrgVocabulary, VocabularyTermFacts};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{Dataset, DefaultGraph, RdfTermKind};

const RDFS_CLASS: &str = "http://www.w3.org/2000/01/rdf-schema#Class";
const RDFS_SUB_CLASS_OF: &str = "http://www.w3.org/2000/01/rdf-schema#subClassOf";
const RDFS_SUB_PROPERTY_OF: &str = "http://www.w3.org/2000/01/rdf-schema#subPropertyOf";
const RDF_PROPERTY: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#Property";

/// The class of datatypes, which is itself treated as one.
const DATA_TYPE: &str = "DataType";

/// Names, in order.
type ReleaseNames<'d> = BTreeSet<&'d str>;

/// All facts about a term.
#[derive(Debug, Default)]
struct TermDescription<'d> {
    is_class: bool,
    is_property: bool,
    types: ReleaseNames<'d>,
    superclasses: ReleaseNames<'d>,
    superproperties: ReleaseNames<'d>,
    domain: ReleaseNames<'d>,
    range: ReleaseNames<'d>,
    superseded_by: ReleaseNames<'d>,
    inverse_of: ReleaseNames<'d>,
    layers: ReleaseNames<'d>,
}

impl SchemaOrgVocabulary {
    /// The vocabulary that a dataset describes: a release of schema.org or an extension, in either namespace.
    ///
    /// # Errors
    ///
    /// `schema-org::release` if it describes no term; the fault of its files if there is one.
    pub fn from_dataset(dataset: &Dataset) -> Result<Self, Box<Diagnostic>> {
        let mut descriptions: BTreeMap<&str, TermDescription<'_>> = BTreeMap::new();
        let dictionary = dataset.dictionary();
        let iri = |id| if dictionary.kind(id) == RdfTermKind::Iri { dictionary.lexical(id) } else { "" };
        for [subject, predicate, object] in
            dataset.view(DefaultGraph::Union).default_triples(None, None, None)
        {
            let term = SchemaIri::from_iri(iri(subject)).filter(SchemaIri::is_term);
            if let Some(term) = term {
                descriptions.entry(term.local).or_default().add(iri(predicate), iri(object));
            }
        }
        if let Some(fault) = dataset.fault() {
            return Err(Box::new(fault.clone()));
        }
        let datatypes = datatypes(&descriptions);
        let mut vocabulary = Self::default();
        for (name, description) in &descriptions {
            for kind in description.kinds(datatypes.contains(name)) {
                let facts = description.facts(kind, &mut vocabulary);
                vocabulary.add(name, facts);
            }
        }
        if vocabulary.terms().next().is_none() {
            let message = "the data describe no class and no property in the namespace of schema.org";
            return Err(Box::new(Diagnostic::error("schema-org::release", message)));
        }
        Ok(vocabulary)
    }
}

impl<'d> TermDescription<'d> {
    fn add(&mut self, predicate: &str, object: &'d str) {
        let names = match (predicate, SchemaIri::from_iri(predicate).map(|iri| iri.local)) {
            (rdf::TYPE, _) => {
                self.is_class |= object == RDFS_CLASS;
                self.is_property |= object == RDF_PROPERTY;
                &mut self.types
            }
            (RDFS_SUB_CLASS_OF, _) => {
                self.is_class = true;
                &mut self.superclasses
            }
            (RDFS_SUB_PROPERTY_OF, _) => &mut self.superproperties,
            (_, Some("domainIncludes")) => &mut self.domain,
            (_, Some("rangeIncludes")) => &mut self.range,
            (_, Some("supersededBy")) => &mut self.superseded_by,
            (_, Some("inverseOf")) => &mut self.inverse_of,
            (_, Some("isPartOf")) => {
                self.layers.extend(layer(object));
                return;
            }
            _ => return,
        };
        names.extend(SchemaIri::from_iri(object).filter(SchemaIri::is_term).map(|iri| iri.local));
    }

    /// The kinds of the term. A class may also be a member.
    fn kinds(&self, is_datatype: bool) -> impl Iterator<Item = VocabularyTermKind> {
        let is_member = !is_datatype && self.types.iter().any(|name| *name != DATA_TYPE);
        let kinds = [
            (self.is_class && !is_datatype, VocabularyTermKind::Class),
            (is_datatype, VocabularyTermKind::Datatype),
            (is_member, VocabularyTermKind::Member),
            (self.is_property, VocabularyTermKind::Property),
        ];
        kinds.into_iter().filter(|(is_of_kind, _)| *is_of_kind).map(|(_, kind)| kind)
    }

    fn facts(&self, kind: VocabularyTermKind, vocabulary: &mut SchemaOrgVocabulary) -> VocabularyTermFacts {
        let up = match kind {
            VocabularyTermKind::Class | VocabularyTermKind::Datatype => &self.superclasses,
            VocabularyTermKind::Member => &self.types,
            VocabularyTermKind::Property => &self.superproperties,
        };
        let layer = vocabulary.intern(self.layers.first().copied().unwrap_or("core"));
        let mut ids = |names: &ReleaseNames<'_>| names.iter().map(|name| vocabulary.intern(name)).collect();
        let (up, domain, range) = (ids(up), ids(&self.domain), ids(&self.range));
        let (superseded_by, inverse_of) = (ids(&self.superseded_by), ids(&self.inverse_of));
        VocabularyTermFacts { kind, up, domain, range, superseded_by, inverse_of, layer }
    }
}

/// The datatypes: the class of datatypes, its instances, and their subtypes.
fn datatypes<'d>(descriptions: &BTreeMap<&'d str, TermDescription<'d>>) -> ReleaseNames<'d> {
    let mut below: BTreeMap<&str, Vec<&'d str>> = BTreeMap::new();
    let mut waiting = Vec::new();
    for (name, description) in descriptions {
        if *name == DATA_TYPE || description.types.contains(DATA_TYPE) {
            waiting.push(*name);
        }
        for above in &description.superclasses {
            below.entry(above).or_default().push(name);
        }
    }
    let mut found = ReleaseNames::new();
    while let Some(name) = waiting.pop() {
        if found.insert(name) {
            waiting.extend(below.get(name).into_iter().flatten());
        }
    }
    found
}

/// The layer that an IRI such as `https://pending.schema.org` means.
fn layer(iri: &str) -> Option<&str> {
    let host = iri.strip_prefix("https://").or_else(|| iri.strip_prefix("http://"))?;
    host.trim_end_matches('/').strip_suffix(".schema.org").filter(|name| !name.contains(['/', '\t', ' ']))
}
