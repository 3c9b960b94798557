//! The rules about values of a property: literals, nodes, terms of schema.org, and the items of lists.

use super::code::CheckRule;
use super::document_observations::DocumentObservations;
use super::lexical::{LexicalForm, is_url};
use super::literals::JsonLiteralKind;
use super::namespace::{SchemaIri, undeclared_prefix};
use super::predicates::{SchemaProperty, spellings};
use super::range::PropertyRange;
use super::rdf_lists::RdfLists;
use super::teller::{CheckTeller, FaultDescription, StatementPart, one_of, shortened};
use super::term_kind::VocabularyTermKind;
use super::types::{NodeTypeLookup, TypeKnowledge};
use super::vocabulary_terms::{SchemaOrgVocabulary, VocabularyNameId, VocabularyTerm};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::{DatasetView, RdfTermKind, TermDictionary, TermId};

/// A node and one of its properties.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeProperty {
    pub(super) node: TermId,
    pub(super) predicate: TermId,
}

pub(super) struct ValueRules<'c> {
    vocabulary: &'c SchemaOrgVocabulary,
    view: &'c DatasetView<'c>,
    dictionary: &'c TermDictionary,
    types: &'c NodeTypeLookup<'c>,
    lists: &'c RdfLists<'c>,
}

impl<'c> ValueRules<'c> {
    pub(super) fn new(
        vocabulary: &'c SchemaOrgVocabulary,
        view: &'c DatasetView<'c>,
        dictionary: &'c TermDictionary,
        types: &'c NodeTypeLookup<'c>,
        lists: &'c RdfLists<'c>,
    ) -> Self {
        Self { vocabulary, view, dictionary, types, lists }
    }

    /// Checks a value; for a list, its items.
    ///
    /// # Errors
    ///
    /// If the check is cancelled.
    pub(super) fn check(
        &self,
        subject: NodeProperty,
        property: &SchemaProperty<'_>,
        value: TermId,
        seen: &mut DocumentObservations,
        teller: &mut CheckTeller<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        teller.go_on()?;
        let items = if self.is_node(value) { self.lists.items(value) } else { None };
        let Some(items) = items else {
            self.check_item(subject, property, value, seen, teller);
            return Ok(());
        };
        for item in items {
            teller.go_on()?;
            self.check_item(subject, property, item, seen, teller);
        }
        Ok(())
    }

    fn check_item(
        &self,
        subject: NodeProperty,
        property: &SchemaProperty<'_>,
        value: TermId,
        seen: &mut DocumentObservations,
        teller: &mut CheckTeller<'_>,
    ) {
        let at = StatementPart { node: subject.node, predicate: Some(subject.predicate), value: Some(value) };
        let term = self.schema_iri(value).filter(SchemaIri::is_term);
        let known = term.and_then(|iri| self.term(iri.local));
        if let Some(known) = known {
            self.current(at, known, seen, teller);
        }
        let is_lost = teller.is_lost(value);
        let is_told = is_lost && !self.is_described(value);
        if is_told || property.is_annotation || property.range.all.is_empty() {
            return;
        }
        let range = &property.range;
        let found = match (self.is_node(value), known, term) {
            (false, ..) => self.literal(range, value),
            (true, Some(known), _) if !self.is_typed(value) => self.known_term(range, known),
            (true, None, Some(iri)) if !self.is_typed(value) => self.unknown_term(range, iri.local),
            (true, ..) => self.node(range, at, value, is_lost),
        };
        if let Some((code, fault)) = found {
            let about = fault.about.is_none().then(|| property.term.name().to_owned());
            teller.tell(code, at, || FaultDescription { about: fault.about.or(about), ..fault });
        }
    }

    /// Reports a term that is superseded or retired, and records one that is pending.
    pub(super) fn current(
        &self,
        at: StatementPart,
        term: VocabularyTerm<'_>,
        seen: &mut DocumentObservations,
        teller: &mut CheckTeller<'_>,
    ) {
        seen.pending(term, at);
        let name = term.name();
        if let Some(successor) = term.successor() {
            let successor = successor.name();
            let message = || format!("`{name}` is superseded by `{successor}`");
            teller.tell(CheckRule::Superseded, at, || {
                FaultDescription::of_term(name, Some(successor), message())
            });
        } else if term.is_retired() {
            let message = || format!("schema.org has retired `{name}` without a replacement");
            teller.tell(CheckRule::Retired, at, || {
                FaultDescription::of_term(name, None, message()).about(name)
            });
        }
    }

    fn is_node(&self, value: TermId) -> bool {
        matches!(self.dictionary.kind(value), RdfTermKind::Iri | RdfTermKind::BlankNode)
    }

    fn is_typed(&self, node: TermId) -> bool {
        self.types.of_node(node).typing != TypeKnowledge::Untyped
    }

    fn schema_iri(&self, value: TermId) -> Option<SchemaIri<'c>> {
        let is_iri = self.dictionary.kind(value) == RdfTermKind::Iri;
        is_iri.then(|| SchemaIri::from_iri(self.dictionary.lexical(value))).flatten()
    }

    /// The term with a name that a value most likely means: a member before all others.
    fn term(&self, name: &str) -> Option<VocabularyTerm<'c>> {
        let id = self.vocabulary.id(name)?;
        let kinds = [
            VocabularyTermKind::Member,
            VocabularyTermKind::Class,
            VocabularyTermKind::Datatype,
            VocabularyTermKind::Property,
        ];
        kinds.into_iter().find_map(|kind| self.vocabulary.term_of(id, kind))
    }

    /// A term of schema.org as a value. A class may be used in place of its instances.
    fn known_term(
        &self,
        range: &PropertyRange<'_>,
        term: VocabularyTerm<'_>,
    ) -> Option<(CheckRule, FaultDescription)> {
        let mut classes: Vec<VocabularyNameId> = match term.kind() {
            VocabularyTermKind::Member => term.facts.up.to_vec(),
            VocabularyTermKind::Class | VocabularyTermKind::Datatype => {
                self.vocabulary.id("Class").into_iter().chain([term.id]).collect()
            }
            VocabularyTermKind::Property => self.vocabulary.id("Property").into_iter().collect(),
        };
        // `Dermatology` is a member and a class.
        classes.extend(self.vocabulary.type_of(term.id).map(|class| class.id));
        let closure = self.vocabulary.closure(&classes);
        if range.all.iter().any(|expected| closure.binary_search(expected).is_ok()) {
            return None;
        }
        self.undescribed_iri(range).or_else(|| {
            let is_other = !range.has_only_datatypes() && !range.has(LexicalForm::Url);
            let message =
                || format!("`{}` is used where {} is expected", term.name(), one_of(&range.names()));
            is_other.then(|| (CheckRule::Range, FaultDescription::new(message())))
        })
    }

    fn unknown_term(&self, range: &PropertyRange<'_>, local: &str) -> Option<(CheckRule, FaultDescription)> {
        if !range.expects_term || range.has(LexicalForm::Url) {
            return self.undescribed_iri(range);
        }
        let member = range.members().nearest(local, &[VocabularyTermKind::Member]);
        let suggest = member.or_else(|| self.vocabulary.nearest(local, &range.expected_kinds));
        let message = format!("`{}` is not defined by schema.org", shortened(local));
        Some((CheckRule::UnknownTerm, FaultDescription::of_term(local, suggest, message)))
    }

    /// An IRI that has no statements in the data.
    fn undescribed_iri(&self, range: &PropertyRange<'_>) -> Option<(CheckRule, FaultDescription)> {
        let stands_for_value = range.has_only_datatypes() && !range.has(LexicalForm::Url);
        let message = || format!("an IRI is used where {} is expected", one_of(&range.names()));
        stands_for_value.then(|| (CheckRule::UrlForValue, FaultDescription::new(message())))
    }

    /// A node that is not a term of schema.org; `is_lost` means that its IRI is invalid.
    fn node(
        &self,
        range: &PropertyRange<'_>,
        at: StatementPart,
        value: TermId,
        is_lost: bool,
    ) -> Option<(CheckRule, FaultDescription)> {
        let types = self.types.of_node(value);
        let is_iri = is_lost || self.dictionary.kind(value) == RdfTermKind::Iri;
        let out_of_range = |what: &str| {
            let message = format!("{what} is used where {} is expected", one_of(&range.names()));
            Some((CheckRule::Range, FaultDescription::new(message)))
        };
        // The address of a page may be used in place of its description.
        let has_address = is_lost || self.dictionary.lexical(value).starts_with("http");
        let is_address = range.has_only_datatypes() && has_address;
        match types.typing {
            TypeKnowledge::Unclear => None,
            TypeKnowledge::Untyped | TypeKnowledge::Foreign if is_iri && range.has(LexicalForm::Url) => None,
            TypeKnowledge::Untyped if is_iri && !self.is_described(value) => self.undescribed_iri(range),
            TypeKnowledge::Untyped | TypeKnowledge::Foreign => {
                let takes_nodes = !range.has_only_datatypes() || range.has_quantity();
                if takes_nodes { None } else { out_of_range("a node") }
            }
            TypeKnowledge::Known if types.is_any_of(range.all) => None,
            TypeKnowledge::Known if types.is(self.vocabulary.id("Role")) => self.role(at, value),
            TypeKnowledge::Known if is_address && range.has(LexicalForm::Url) => None,
            TypeKnowledge::Known => out_of_range(&one_of(&types.names(self.vocabulary))),
        }
    }

    /// A role is placed between a node and the value of a property, and has to repeat the property.
    fn role(&self, at: StatementPart, role: TermId) -> Option<(CheckRule, FaultDescription)> {
        let is_there =
            |predicate| self.view.default_triples(Some(role), Some(predicate), None).next().is_some();
        let repeats =
            at.predicate.is_some_and(|predicate| spellings(self.dictionary, predicate).any(is_there));
        let message = "the role does not repeat the property, so it is unclear whose role it is";
        (!repeats).then(|| (CheckRule::RoleUnpropagated, FaultDescription::new(message)))
    }

    fn is_described(&self, node: TermId) -> bool {
        self.view.default_triples(Some(node), None, None).next().is_some()
    }

    fn literal(&self, range: &PropertyRange<'_>, value: TermId) -> Option<(CheckRule, FaultDescription)> {
        let kind = JsonLiteralKind::from_literal(self.dictionary, value);
        // The IRI of a member means the member, even if a string or a URL is expected as well.
        let named = self.dictionary.lexical(value);
        if kind == JsonLiteralKind::Text
            && SchemaIri::from_iri(named).is_some()
            && self.member(range, named).is_some()
        {
            return self.text_for_node(range, named);
        }
        if kind == JsonLiteralKind::Json || kind == JsonLiteralKind::Text && range.has(LexicalForm::Text) {
            return None;
        }
        let lexical = self.dictionary.lexical(value);
        match kind {
            JsonLiteralKind::Text if range.has_no_datatype() => self.text_for_node(range, lexical),
            _ if range.has_no_datatype() => {
                let message = format!("{} is used where {} is expected", kind.name(), one_of(&range.names()));
                Some((CheckRule::Range, FaultDescription::new(message)))
            }
            _ if range.admits(lexical) => None,
            JsonLiteralKind::Number | JsonLiteralKind::Boolean if range.has(LexicalForm::Text) => Some((
                CheckRule::LiteralKind,
                FaultDescription::new(format!("{} is used where a string is expected", kind.name())),
            )),
            JsonLiteralKind::Text if self.member(range, lexical).is_some() => {
                self.text_for_node(range, lexical)
            }
            _ => {
                let message = format!("`{}` is not a valid {}", shortened(lexical), one_of(&range.names()));
                Some((CheckRule::Datatype, FaultDescription::new(message)))
            }
        }
    }

    /// A string where only classes are expected.
    fn text_for_node(&self, range: &PropertyRange<'_>, text: &str) -> Option<(CheckRule, FaultDescription)> {
        if let Some(member) = self.member(range, text) {
            let name = member.name();
            let message = format!("`{name}` is a string here, not the IRI of the member");
            return Some((CheckRule::EnumAsText, FaultDescription::new(message).about(name)));
        }
        let local = local_name(text);
        if range.has_only_enumerations() && local.is_none() && is_url(text) {
            return None;
        }
        if !range.has_only_enumerations() || range.members().is_empty() {
            let message = format!("a string is used where {} is expected", one_of(&range.names()));
            return Some((CheckRule::TextForObject, FaultDescription::new(message)));
        }
        let local = local.unwrap_or(text);
        let suggest = range.members().nearest(local, &[VocabularyTermKind::Member]);
        let message = format!("`{}` is not a member of {}", shortened(text), one_of(&range.names()));
        Some((CheckRule::EnumValue, FaultDescription::of_term(local, suggest, message)))
    }

    /// The member of the range's enumerations that a string names, directly or as an IRI. The names of some members
    /// begin with the name of their enumeration, which people leave out: `TaxCredit` for `IncentiveTypeTaxCredit`.
    fn member(&self, range: &PropertyRange<'_>, text: &str) -> Option<VocabularyTerm<'c>> {
        let name = local_name(text).unwrap_or(text);
        let member = |name: &str| self.vocabulary.member(name).filter(|member| range.has_member(*member));
        let with_enumeration =
            |class: &VocabularyNameId| member(&format!("{}{name}", self.vocabulary.name(*class)));
        member(name).or_else(|| range.enumerations.iter().find_map(with_enumeration))
    }
}

/// The name of a term in a string: the part after the namespace, or after a prefix that people expect to mean it.
fn local_name(text: &str) -> Option<&str> {
    match SchemaIri::from_iri(text) {
        Some(iri) => Some(iri.local),
        None => undeclared_prefix(text).map(|prefix| &text[prefix.len() + 1..]),
    }
}
