//! The check of a document: a walk over its graph, node by node.
//!
//! `value_rules.rs` has the rules about values, `document_observations.rs` those about the document.

use super::check_options::CheckOptions;
use super::code::CheckRule;
use super::croissant::{CroissantDocument, CroissantRules};
use super::document_observations::DocumentObservations;
use super::losses::DocumentLosses;
use super::lost_statements::tell_losses;
use super::namespace::SchemaIri;
use super::predicates::{MeantProperty, PredicateLookup, PredicateMeaning, SchemaProperty, spellings};
use super::rdf_lists::RdfLists;
use super::schema_org_finding::{CheckSummary, SchemaOrgFinding};
use super::teller::{CheckTeller, FaultDescription, StatementPart, one_of, property_name};
use super::term_kind::VocabularyTermKind;
use super::types::{NodeTypeLookup, NodeTypes, TypeKnowledge, TypeMeaning};
use super::value_rules::{NodeProperty, ValueRules};
use super::vocabulary_terms::{SchemaOrgVocabulary, VocabularyTerm};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{Dataset, DatasetView, DefaultGraph, RdfTermKind, TermDictionary, TermId};

/// Checks a dataset as one document: the union of its graphs. Findings are passed on as they are found, and none is
/// kept.
///
/// The dataset must be loaded according to the specification, or all namespaces of schema.org look alike. `losses` come
/// from [`LossCollector`](super::LossCollector); without them, faulty IRIs and keys without a meaning cannot be found.
///
/// The cost grows with the number of triples.
///
/// # Errors
///
/// If the check is cancelled, or a file of the dataset is damaged.
pub fn check(
    dataset: &Dataset,
    losses: Option<&DocumentLosses>,
    options: &CheckOptions,
    mut take: impl FnMut(SchemaOrgFinding),
) -> Result<CheckSummary, Box<Diagnostic>> {
    let (view, dictionary) = (dataset.view(DefaultGraph::Union), dataset.dictionary());
    let rdf_type = dictionary.find(oxrdf::NamedNodeRef::new_unchecked(rdf::TYPE).into());
    let vocabulary = options.vocabulary();
    let types = NodeTypeLookup::new(vocabulary, &view, dictionary, rdf_type);
    let lists = RdfLists::new(&view, dictionary);
    let croissant = CroissantDocument::from_view(&view, dictionary);
    let croissant = croissant
        .as_ref()
        .map(|document| CroissantRules::new(document, vocabulary, &view, dictionary, losses));
    let mut walk = CheckWalk {
        vocabulary,
        dictionary,
        view: &view,
        types: &types,
        lists: &lists,
        predicates: PredicateLookup::new(vocabulary, dictionary, croissant.is_some()),
        values: ValueRules::new(vocabulary, &view, dictionary, &types, &lists),
        croissant: croissant.as_ref(),
        seen: DocumentObservations::default(),
        teller: CheckTeller::new(options, dictionary, losses, &mut take),
    };
    let mut node: Option<TermId> = None;
    let mut statements = Vec::new();
    for [subject, predicate, object] in view.default_triples(None, None, None) {
        // The triples of a subject come together, so a node is complete when the next subject begins.
        if let Some(node) = node.replace(subject).filter(|node| *node != subject) {
            walk.node(node, &statements)?;
            statements.clear();
        }
        statements.push((predicate, object));
    }
    if let Some(node) = node {
        walk.node(node, &statements)?;
    }
    let CheckWalk { mut seen, mut teller, .. } = walk;
    if let Some(rules) = &croissant {
        teller.summary.croissant = true;
        rules.version(&mut teller);
        rules.end(&mut teller)?;
    }
    if let Some(losses) = losses {
        tell_losses(losses, dictionary, &lists, &mut seen, &mut teller)?;
    }
    seen.tell(&mut teller);
    match dataset.fault() {
        Some(fault) => Err(Box::new(fault.clone())),
        None => Ok(teller.summary),
    }
}

struct CheckWalk<'c> {
    vocabulary: &'c SchemaOrgVocabulary,
    dictionary: &'c TermDictionary,
    view: &'c DatasetView<'c>,
    types: &'c NodeTypeLookup<'c>,
    lists: &'c RdfLists<'c>,
    predicates: PredicateLookup<'c>,
    values: ValueRules<'c>,
    croissant: Option<&'c CroissantRules<'c>>,
    seen: DocumentObservations,
    teller: CheckTeller<'c>,
}

impl CheckWalk<'_> {
    /// Checks a node with its statements, which are sorted by predicate.
    fn node(&mut self, node: TermId, statements: &[(TermId, TermId)]) -> Result<(), Box<Diagnostic>> {
        self.teller.go_on()?;
        self.teller.summary.nodes += 1;
        if self.dictionary.kind(node) == RdfTermKind::Iri {
            let at = StatementPart { node, predicate: None, value: None };
            self.seen.iri(self.dictionary.lexical(node), at);
        }
        let types = self.types.of_statements(statements);
        let mut has_property = false;
        for group in statements.chunk_by(|left, right| left.0 == right.0) {
            let predicate = group[0].0;
            let meaning = self.predicates.meaning(predicate);
            let at = StatementPart { node, predicate: Some(predicate), value: None };
            self.seen.namespace(self.dictionary.lexical(predicate), at);
            match &*meaning {
                PredicateMeaning::Type => {
                    group
                        .iter()
                        .for_each(|(_, class)| self.class(StatementPart { value: Some(*class), ..at }));
                }
                PredicateMeaning::Foreign(prefix) => self.seen.prefix(*prefix, at),
                PredicateMeaning::Unknown(meant) => self.unknown_property(at, meant.as_ref()),
                PredicateMeaning::Property(property) => {
                    has_property = true;
                    self.property(at, property, &types);
                    let subject = NodeProperty { node, predicate };
                    let name = property.term.name();
                    let is_own = self.croissant.is_some_and(|rules| rules.has_own_values(node, name));
                    for (_, value) in group.iter().filter(|_| !is_own) {
                        self.values.check(subject, property, *value, &mut self.seen, &mut self.teller)?;
                    }
                }
            }
            if !matches!(&*meaning, PredicateMeaning::Type) {
                group
                    .iter()
                    .for_each(|(_, value)| self.any_value(StatementPart { value: Some(*value), ..at }));
            }
        }
        if has_property && types.typing == TypeKnowledge::Untyped {
            let at = StatementPart { node, predicate: None, value: None };
            let fault = || FaultDescription::new("the node has no type, so its properties cannot be checked");
            self.teller.tell(CheckRule::NoType, at, fault);
        }
        if let Some(rules) = self.croissant {
            rules.node(node, statements, &mut self.teller)?;
        }
        Ok(())
    }

    /// Checks a type of a node.
    fn class(&mut self, at: StatementPart) {
        let Some(class) = at.value else { return };
        if self.dictionary.kind(class) != RdfTermKind::Iri {
            return;
        }
        let iri = self.dictionary.lexical(class);
        self.seen.iri(iri, at);
        self.seen.namespace(iri, at);
        match self.types.meaning(class) {
            TypeMeaning::Foreign => {}
            TypeMeaning::Unknown => self.unknown_type(at, class),
            TypeMeaning::Class(term) => self.current(at, term),
            TypeMeaning::Datatype(term) => {
                self.seen.pending(term, at);
                let message = || format!("`{}` is a datatype, but used as the type of a node", term.name());
                let fault = || FaultDescription::of_term(term.name(), None, message()).about(term.name());
                self.teller.tell(CheckRule::DatatypeNode, at, fault);
            }
        }
    }

    fn unknown_type(&mut self, at: StatementPart, class: TermId) {
        let fault = || {
            let local = property_name(self.dictionary.lexical(class));
            let suggest = self.types.meant(class, &[VocabularyTermKind::Class, VocabularyTermKind::Datatype]);
            FaultDescription::of_term(&local, suggest, format!("`{local}` is not a type of schema.org"))
        };
        self.teller.tell(CheckRule::UnknownType, at, fault);
    }

    fn unknown_property(&mut self, at: StatementPart, meant: Option<&MeantProperty<'_>>) {
        let fault = || {
            let local =
                property_name(at.predicate.map_or("", |predicate| self.dictionary.lexical(predicate)));
            let suggest = meant.map(|meant| format!("{}{}", meant.name, meant.suffix));
            let message = format!("`{local}` is not a property of schema.org");
            let fault = FaultDescription::of_term(&local, suggest.as_deref(), message);
            FaultDescription { about: meant.map(|meant| meant.name.to_owned()), ..fault }
        };
        self.teller.tell(CheckRule::UnknownProperty, at, fault);
    }

    /// Checks a property of a node with these types.
    fn property(&mut self, at: StatementPart, property: &SchemaProperty<'_>, types: &NodeTypes) {
        self.current(at, property.term);
        if types.typing != TypeKnowledge::Known || self.is_in_domain(at, property, types) {
            return;
        }
        let fault = || {
            let has = types.names(self.vocabulary);
            let expected: Vec<&str> = match property.is_annotation {
                true => vec!["Action"],
                false => property.term.domain().collect(),
            };
            let name = property.term.name();
            let message = format!("`{name}` is a property of {}, not of {}", one_of(&expected), one_of(&has));
            FaultDescription::new(message).about(name)
        };
        self.teller.tell(CheckRule::Domain, at, fault);
    }

    fn is_in_domain(&self, at: StatementPart, property: &SchemaProperty<'_>, types: &NodeTypes) -> bool {
        if property.is_annotation {
            return types.is(self.vocabulary.id("Action"));
        }
        let domain = &property.term.facts.domain;
        domain.is_empty()
            || types.is_any_of(domain)
            || types.is(self.vocabulary.id("Role")) && self.is_value_of_predicate(at)
    }

    /// Returns whether the node is a value of the predicate.
    fn is_value_of_predicate(&self, at: StatementPart) -> bool {
        let owners = self.lists.owners(at.node);
        let is_value = |predicate: TermId| {
            let mut direct = self.view.default_triples(None, Some(predicate), Some(at.node));
            direct.next().is_some() || owners.iter().any(|(_, of_list)| *of_list == predicate)
        };
        at.predicate.is_some_and(|predicate| spellings(self.dictionary, predicate).any(is_value))
    }

    /// Reports a term that is superseded, retired or pending.
    fn current(&mut self, at: StatementPart, term: VocabularyTerm<'_>) {
        self.values.current(at, term, &mut self.seen, &mut self.teller);
    }

    /// Checks a value regardless of its property.
    fn any_value(&mut self, at: StatementPart) {
        let Some(value) = at.value else { return };
        match self.dictionary.kind(value) {
            RdfTermKind::Iri => {
                let iri = self.dictionary.lexical(value);
                self.seen.iri(iri, at);
                let term = SchemaIri::from_iri(iri).filter(SchemaIri::is_term);
                if term.is_some_and(|term| self.vocabulary.id(term.local).is_some()) {
                    self.seen.value(iri, at);
                }
            }
            RdfTermKind::OtherTyped => {
                let Some(datatype) = self.dictionary.datatype(value) else { return };
                let iri = self.dictionary.lexical(datatype);
                self.seen.iri(iri, at);
                self.seen.namespace(iri, at);
                match self.types.meaning(datatype) {
                    TypeMeaning::Foreign => {}
                    TypeMeaning::Unknown => self.unknown_datatype(at, datatype),
                    TypeMeaning::Class(term) | TypeMeaning::Datatype(term) => self.current(at, term),
                }
            }
            _ => {}
        }
    }

    fn unknown_datatype(&mut self, at: StatementPart, datatype: TermId) {
        let fault = || {
            let local = property_name(self.dictionary.lexical(datatype));
            let suggest = self.types.meant(datatype, &[VocabularyTermKind::Datatype]);
            let message = format!("`{local}` is not a datatype of schema.org");
            FaultDescription {
                property: Some("@type"),
                ..FaultDescription::of_term(&local, suggest, message)
            }
        };
        self.teller.tell(CheckRule::UnknownType, at, fault);
    }
}
