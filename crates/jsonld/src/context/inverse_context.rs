//! Inverse Context Creation (section 4.3): maps IRIs back to the terms for them.

use crate::context::{ActiveContext, BaseDirection, ContainerMapping, TermDefinition, TypeMapping};
use crate::name_interner::{InternedName, Keyword, NameInterner};
use hashbrown::HashMap;

/// The map of the inverse context in which a term is looked up (`type/language`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TypeOrLanguage {
    /// By its type mapping.
    Type,
    /// By its language and direction.
    Language,
    /// The first term with the container, whatever its type or language.
    Any,
}

/// A path through the specification's maps below an IRI: container, type/language, value.
type TermPath = (ContainerMapping, TypeOrLanguage, InternedName);

/// The part of an inverse context for one IRI. Each part is made on first use, because a document uses few of the terms
/// of a long context, and each context within a term has its own inverse context.
#[derive(Debug, Default)]
pub(crate) struct InverseEntry {
    terms: HashMap<TermPath, InternedName, foldhash::fast::FixedState>,
}

/// Keys of inverse contexts that look like keywords but are not keywords.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InverseKeys {
    /// `@any`
    pub(crate) any: InternedName,
    /// `@null`
    pub(crate) null: InternedName,
}

impl InverseKeys {
    pub(crate) fn new(names: &mut NameInterner) -> Self {
        Self { any: names.intern("@any"), null: names.intern("@null") }
    }

    /// Returns the key of a language and direction: `en`, `en_ltr`, `_ltr`, `@null`.
    pub(crate) fn language(
        self,
        names: &mut NameInterner,
        language: Option<InternedName>,
        direction: Option<BaseDirection>,
    ) -> InternedName {
        let language = language.map(|language| names.text(language).to_lowercase());
        match (language, direction) {
            (None, None) => self.null,
            (Some(language), None) => names.intern(&language),
            (language, Some(direction)) => {
                names.intern(&format!("{}_{}", language.unwrap_or_default(), direction.as_str()))
            }
        }
    }
}

impl InverseEntry {
    /// The Inverse Context Creation algorithm, for the terms of an IRI.
    pub(crate) fn new(
        active: &ActiveContext,
        iri: InternedName,
        keys: InverseKeys,
        names: &mut NameInterner,
    ) -> Self {
        // Inverse Context Creation 2.
        let default_language = match (active.language, active.direction) {
            (None, None) => Keyword::None.name(),
            (None, Some(direction)) => names.intern(&format!("@none_{}", direction.as_str())),
            (language, direction) => keys.language(names, language, direction),
        };
        // Inverse Context Creation 3: the shortest term first, then in code point order.
        let mut terms: Vec<(InternedName, &TermDefinition)> = active.terms_of(iri).collect();
        terms.sort_by_cached_key(|(term, _)| {
            let text = names.text(*term);
            (text.chars().count(), text.to_owned())
        });
        let mut inverse = Self::default();
        for (term, definition) in terms {
            let mut add = |by: TypeOrLanguage, value: InternedName| {
                inverse.terms.entry((definition.container, by, value)).or_insert(term);
            };
            add(TypeOrLanguage::Any, Keyword::None.name());
            add_by_value(&mut add, definition, default_language, keys, names);
        }
        inverse
    }

    /// Returns the term at the end of a path.
    pub(crate) fn term(&self, path: TermPath) -> Option<InternedName> {
        self.terms.get(&path).copied()
    }
}

/// Inverse Context Creation 3.10 to 3.16.
fn add_by_value(
    add: &mut impl FnMut(TypeOrLanguage, InternedName),
    definition: &TermDefinition,
    default_language: InternedName,
    keys: InverseKeys,
    names: &mut NameInterner,
) {
    let none = Keyword::None.name();
    if definition.reverse {
        add(TypeOrLanguage::Type, Keyword::Reverse.name());
        return;
    }
    match (definition.type_mapping, definition.language, definition.direction) {
        (Some(TypeMapping::None), ..) => {
            add(TypeOrLanguage::Language, keys.any);
            add(TypeOrLanguage::Type, keys.any);
        }
        (Some(TypeMapping::Id), ..) => add(TypeOrLanguage::Type, Keyword::Id.name()),
        (Some(TypeMapping::Vocab), ..) => add(TypeOrLanguage::Type, Keyword::Vocab.name()),
        (Some(TypeMapping::Json), ..) => add(TypeOrLanguage::Type, Keyword::Json.name()),
        (Some(TypeMapping::Iri(iri)), ..) => add(TypeOrLanguage::Type, iri),
        (None, Some(language), direction) => {
            let key = keys.language(names, language, direction.unwrap_or_default());
            add(TypeOrLanguage::Language, key);
        }
        (None, None, Some(None)) => add(TypeOrLanguage::Language, none),
        (None, None, Some(direction)) => {
            let key = keys.language(names, None, direction);
            add(TypeOrLanguage::Language, key);
        }
        (None, None, None) => {
            add(TypeOrLanguage::Language, default_language);
            add(TypeOrLanguage::Language, none);
            add(TypeOrLanguage::Type, none);
        }
    }
}
