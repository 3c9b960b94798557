//! The check of a document: a walk over its graph, node by node.
//!
//! [`values`](super::values) has the rules about values, [`document`](super::document) those about the document.

use super::code::Code;
use super::croissant::{CroissantDocument, Rules};
use super::document::Seen;
use super::finding::{Finding, Summary};
use super::lists::Lists;
use super::losses::Losses;
use super::lost_statements::tell_losses;
use super::namespace::SchemaIri;
use super::options::CheckOptions;
use super::predicates::{MeantProperty, PredicateMeaning, Predicates, Property, spellings};
use super::teller::{At, Fault, Teller, one_of, property_name};
use super::term_kind::TermKind;
use super::types::{NodeTypes, TypeMeaning, Types, Typing};
use super::values::{Subject, Values};
use super::vocabulary::{Vocabulary, VocabularyTerm};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{Dataset, DatasetView, DefaultGraph, Dictionary, Kind, TermId};

/// Checks a dataset as one document: the union of its graphs. Findings are handed on as they are found, and none is kept.
///
/// The dataset has to be loaded as the specification has it, or else all namespaces of schema.org look alike.
/// `losses` are those of [`LossCollector`](super::LossCollector); without them faulty IRIs and keys without a meaning
/// cannot be found.
///
/// The cost grows with the triples.
///
/// # Errors
///
/// Where the check is cancelled, and where a file of the dataset is damaged.
pub fn check(
    dataset: &Dataset,
    losses: Option<&Losses>,
    options: &CheckOptions,
    mut take: impl FnMut(Finding),
) -> Result<Summary, Box<Diagnostic>> {
    let (view, dictionary) = (dataset.view(DefaultGraph::Union), dataset.dictionary());
    let rdf_type = dictionary.find(oxrdf::NamedNodeRef::new_unchecked(rdf::TYPE).into());
    let vocabulary = options.vocabulary();
    let types = Types::new(vocabulary, &view, dictionary, rdf_type);
    let lists = Lists::new(&view, dictionary);
    let croissant = CroissantDocument::of(&view, dictionary);
    let croissant =
        croissant.as_ref().map(|document| Rules::new(document, vocabulary, &view, dictionary, losses));
    let mut walk = Walk {
        vocabulary,
        dictionary,
        view: &view,
        types: &types,
        lists: &lists,
        predicates: Predicates::new(vocabulary, dictionary, croissant.is_some()),
        values: Values::new(vocabulary, &view, dictionary, &types, &lists),
        croissant: croissant.as_ref(),
        seen: Seen::default(),
        teller: Teller::new(options, dictionary, losses, &mut take),
    };
    let mut node: Option<TermId> = None;
    let mut statements = Vec::new();
    for [subject, predicate, object] in view.default_triples(None, None, None) {
        if let Some(node) = node.replace(subject).filter(|node| *node != subject) {
            walk.node(node, &statements)?;
            statements.clear();
        }
        statements.push((predicate, object));
    }
    if let Some(node) = node {
        walk.node(node, &statements)?;
    }
    let Walk { mut seen, mut teller, .. } = walk;
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

struct Walk<'c> {
    vocabulary: &'c Vocabulary,
    dictionary: &'c Dictionary,
    view: &'c DatasetView<'c>,
    types: &'c Types<'c>,
    lists: &'c Lists<'c>,
    predicates: Predicates<'c>,
    values: Values<'c>,
    croissant: Option<&'c Rules<'c>>,
    seen: Seen,
    teller: Teller<'c>,
}

impl Walk<'_> {
    /// Checks a node with its statements, which are sorted by predicate.
    fn node(&mut self, node: TermId, statements: &[(TermId, TermId)]) -> Result<(), Box<Diagnostic>> {
        self.teller.go_on()?;
        self.teller.summary.nodes += 1;
        if self.dictionary.kind(node) == Kind::Iri {
            let at = At { node, predicate: None, value: None };
            self.seen.iri(self.dictionary.lexical(node), at);
        }
        let types = self.types.of_statements(statements);
        let mut has_property = false;
        for group in statements.chunk_by(|left, right| left.0 == right.0) {
            let predicate = group[0].0;
            let meaning = self.predicates.meaning(predicate);
            let at = At { node, predicate: Some(predicate), value: None };
            self.seen.namespace(self.dictionary.lexical(predicate), at);
            match &*meaning {
                PredicateMeaning::Type => {
                    group.iter().for_each(|(_, class)| self.class(At { value: Some(*class), ..at }));
                }
                PredicateMeaning::Foreign(prefix) => self.seen.prefix(*prefix, at),
                PredicateMeaning::Unknown(meant) => self.unknown_property(at, meant.as_ref()),
                PredicateMeaning::Property(property) => {
                    has_property = true;
                    self.property(at, property, &types);
                    let subject = Subject { node, predicate };
                    let name = property.term.name();
                    let is_own = self.croissant.is_some_and(|rules| rules.has_own_values(node, name));
                    for (_, value) in group.iter().filter(|_| !is_own) {
                        self.values.check(subject, property, *value, &mut self.seen, &mut self.teller)?;
                    }
                }
            }
            if !matches!(&*meaning, PredicateMeaning::Type) {
                group.iter().for_each(|(_, value)| self.any_value(At { value: Some(*value), ..at }));
            }
        }
        if has_property && types.typing == Typing::Untyped {
            let at = At { node, predicate: None, value: None };
            let fault = || Fault::new("the node has no type, so its properties cannot be checked");
            self.teller.tell(Code::NoType, at, fault);
        }
        if let Some(rules) = self.croissant {
            rules.node(node, statements, &mut self.teller)?;
        }
        Ok(())
    }

    /// Checks a type of a node.
    fn class(&mut self, at: At) {
        let Some(class) = at.value else { return };
        if self.dictionary.kind(class) != Kind::Iri {
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
                let message = || format!("`{}` is a datatype, and here the type of a node", term.name());
                let fault = || Fault::of_term(term.name(), None, message()).about(term.name());
                self.teller.tell(Code::DatatypeNode, at, fault);
            }
        }
    }

    fn unknown_type(&mut self, at: At, class: TermId) {
        let fault = || {
            let local = property_name(self.dictionary.lexical(class));
            let suggest = self.types.meant(class, &[TermKind::Class, TermKind::Datatype]);
            Fault::of_term(&local, suggest, format!("`{local}` is not a type of schema.org"))
        };
        self.teller.tell(Code::UnknownType, at, fault);
    }

    fn unknown_property(&mut self, at: At, meant: Option<&MeantProperty<'_>>) {
        let fault = || {
            let local =
                property_name(at.predicate.map_or("", |predicate| self.dictionary.lexical(predicate)));
            let suggest = meant.map(|meant| format!("{}{}", meant.name, meant.suffix));
            let message = format!("`{local}` is not a property of schema.org");
            let fault = Fault::of_term(&local, suggest.as_deref(), message);
            Fault { about: meant.map(|meant| meant.name.to_owned()), ..fault }
        };
        self.teller.tell(Code::UnknownProperty, at, fault);
    }

    /// Checks a property of a node with these types.
    fn property(&mut self, at: At, property: &Property<'_>, types: &NodeTypes) {
        self.current(at, property.term);
        if types.typing != Typing::Known || self.is_in_domain(at, property, types) {
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
            Fault::new(message).about(name)
        };
        self.teller.tell(Code::Domain, at, fault);
    }

    fn is_in_domain(&self, at: At, property: &Property<'_>, types: &NodeTypes) -> bool {
        if property.is_annotation {
            return types.is(self.vocabulary.id("Action"));
        }
        let domain = &property.term.facts.domain;
        domain.is_empty()
            || types.is_any_of(domain)
            || types.is(self.vocabulary.id("Role")) && self.is_value_of_predicate(at)
    }

    /// Tells whether some node has the node as a value of the predicate.
    fn is_value_of_predicate(&self, at: At) -> bool {
        let owners = self.lists.owners(at.node);
        let is_value = |predicate: TermId| {
            let mut direct = self.view.default_triples(None, Some(predicate), Some(at.node));
            direct.next().is_some() || owners.iter().any(|(_, of_list)| *of_list == predicate)
        };
        at.predicate.is_some_and(|predicate| spellings(self.dictionary, predicate).any(is_value))
    }

    /// Tells a term that is superseded, retired or pending.
    fn current(&mut self, at: At, term: VocabularyTerm<'_>) {
        self.values.current(at, term, &mut self.seen, &mut self.teller);
    }

    /// Checks a value as such, of whatever property.
    fn any_value(&mut self, at: At) {
        let Some(value) = at.value else { return };
        match self.dictionary.kind(value) {
            Kind::Iri => {
                let iri = self.dictionary.lexical(value);
                self.seen.iri(iri, at);
                let term = SchemaIri::of(iri).filter(SchemaIri::is_term);
                if term.is_some_and(|term| self.vocabulary.id(term.local).is_some()) {
                    self.seen.value(iri, at);
                }
            }
            Kind::OtherTyped => {
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

    fn unknown_datatype(&mut self, at: At, datatype: TermId) {
        let fault = || {
            let local = property_name(self.dictionary.lexical(datatype));
            let suggest = self.types.meant(datatype, &[TermKind::Datatype]);
            let message = format!("`{local}` is not a datatype of schema.org");
            Fault { property: Some("@type"), ..Fault::of_term(&local, suggest, message) }
        };
        self.teller.tell(Code::UnknownType, at, fault);
    }
}
