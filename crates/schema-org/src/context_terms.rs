//! The terms of a context that is written after another one: those that get another meaning.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::inline_context::InlineContext;
use evalgraph_json::{JsonDocument, StyledJson, TokenId};
use evalgraph_rdf::iri::percent_encode_into;
use evalgraph_rdf::vocabulary::CHECKPOINT;

/// The coercion of values that stay JSON.
pub(super) const JSON: &str = "@json";

/// The IRI of a term.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ComplyingIri<'d> {
    /// The IRI that it has already.
    #[default]
    Kept,
    /// A term of schema.org.
    SchemaOrg(Cow<'d, str>),
    /// Its name in Karenina's namespace.
    Own,
}

/// The meaning of a key on nodes of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ClassKeyMeaning<'d> {
    pub(super) iri: ComplyingIri<'d>,
    /// The datatype, or `@id`.
    pub(super) coercion: Option<Cow<'d, str>>,
}

#[derive(Debug, Default)]
struct ComplyingKey<'d> {
    /// By class; the empty one is for nodes without a class that a context can name.
    of_classes: BTreeMap<&'d str, ClassKeyMeaning<'d>>,
    /// The classes that have nodes on which some value is not an array.
    single: BTreeSet<&'d str>,
}

/// The keys and classes of a document.
#[derive(Debug, Default)]
pub(super) struct ComplyingTerms<'d> {
    keys: BTreeMap<&'d str, ComplyingKey<'d>>,
    /// The classes with another IRI.
    classes: BTreeMap<&'d str, ComplyingIri<'d>>,
}

/// Keys with their meanings.
type ClassKeyMeanings<'t, 'd> = BTreeMap<&'d str, &'t ClassKeyMeaning<'d>>;

impl<'d> ComplyingTerms<'d> {
    /// Records a key of a node. If its values differ, the meaning that fits all of them is used.
    pub(super) fn add(&mut self, class: &'d str, key: &'d str, meaning: ClassKeyMeaning<'d>, is_array: bool) {
        let key = self.keys.entry(key).or_default();
        if !is_array {
            key.single.insert(class);
        }
        let known = key.of_classes.entry(class).or_insert_with(|| meaning.clone());
        // The variants are ordered: a later one fits all values that an earlier one fits.
        if known.iri < meaning.iri {
            *known = meaning;
        }
    }

    /// Sets another IRI for a class.
    pub(super) fn set_class(&mut self, class: &'d str, iri: ComplyingIri<'d>) {
        self.classes.insert(class, iri);
    }

    /// Writes the parts of a context, and after them the terms with another meaning, if there are any. A context that
    /// is a single object stays one, with these terms replacing its own: some programs read it as an object.
    pub(super) fn write_behind(
        &self,
        document: &JsonDocument,
        context: &InlineContext<'d>,
        json: &mut StyledJson,
    ) {
        let (everywhere, scoped) = self.by_class();
        if everywhere.is_empty() && scoped.is_empty() && self.classes.is_empty() {
            return match context.value {
                Some(value) => json.json(document, value),
                None => json.scalar("{}"),
            };
        }
        let classes: BTreeSet<&str> = self.classes.keys().chain(scoped.keys()).copied().collect();
        let replaced: BTreeSet<&str> = classes.iter().chain(everywhere.keys()).copied().collect();
        let only = context.value.filter(|&only| can_be_merged(document, only, &replaced));
        if let Some(only) = only {
            json.open('{');
            json.key("@version").scalar("1.1");
            let is_kept = |key: &str| key != "@version" && !replaced.contains(key);
            let members =
                document.members(only).map(|member| (document.symbol_text(member.symbol), member.value));
            for (key, value) in members.filter(|(key, _)| is_kept(key)) {
                json.key(key).json(document, value);
            }
        } else {
            json.open('[');
            for part in context.parts() {
                json.item();
                json.json(document, part);
            }
            json.item();
            json.open('{');
            json.key("@version").scalar("1.1");
        }
        let mut writer = ContextTermsWriter { terms: self, context, json };
        for class in classes {
            writer.class(class, scoped.get(class));
        }
        writer.keys("", &everywhere);
        json.close('}');
        if only.is_none() {
            json.close(']');
        }
    }

    /// The meanings that keys have everywhere, and those that they have only on nodes of some classes.
    fn by_class(&self) -> (ClassKeyMeanings<'_, 'd>, BTreeMap<&'d str, ClassKeyMeanings<'_, 'd>>) {
        let (mut everywhere, mut scoped) =
            (ClassKeyMeanings::new(), BTreeMap::<_, ClassKeyMeanings<'_, '_>>::new());
        for (name, key) in &self.keys {
            let mut meanings = key.of_classes.values();
            let first = meanings.next();
            let usual = first.filter(|first| meanings.all(|meaning| meaning == *first));
            let usual =
                usual.or_else(|| key.of_classes.get("")).filter(|usual| usual.iri != ComplyingIri::Kept);
            everywhere.extend(usual.map(|usual| (*name, usual)));
            for (class, meaning) in &key.of_classes {
                let is_usual = usual.map_or(meaning.iri == ComplyingIri::Kept, |usual| usual == meaning);
                if !is_usual && !class.is_empty() {
                    scoped.entry(*class).or_default().insert(name, meaning);
                }
            }
        }
        (everywhere, scoped)
    }
}

/// Returns whether terms can replace those of a context: the context is an object, and none of its other terms is
/// defined in terms of a replaced one.
fn can_be_merged(document: &JsonDocument, context: TokenId, replaced: &BTreeSet<&str>) -> bool {
    let names_one = |value: TokenId| {
        let id = document.get(value, "@id").unwrap_or(value);
        document.string(id).is_some_and(|iri| {
            let prefix = iri.split_once(':').map_or(&*iri, |(prefix, _)| prefix);
            replaced.contains(prefix)
        })
    };
    let is_other = |key: &str| !key.starts_with('@') && !replaced.contains(key);
    let mut members = document.members(context);
    document.is_object(context)
        && !members.any(|member| is_other(document.symbol_text(member.symbol)) && names_one(member.value))
}

struct ContextTermsWriter<'w, 'd> {
    terms: &'w ComplyingTerms<'d>,
    context: &'w InlineContext<'d>,
    json: &'w mut StyledJson,
}

impl<'d> ContextTermsWriter<'_, 'd> {
    /// Writes a class, with the keys that have another meaning on its nodes.
    fn class(&mut self, class: &str, keys: Option<&ClassKeyMeanings<'_, 'd>>) {
        let iri = self.iri(self.terms.classes.get(class).unwrap_or(&ComplyingIri::Kept), "", class);
        self.json.key(class);
        let Some(keys) = keys else { return self.json.string(&iri) };
        self.json.open('{');
        self.json.key("@id").string(&iri);
        self.json.key("@context").open('{');
        self.keys(class, keys);
        self.json.close('}');
        self.json.close('}');
    }

    fn keys(&mut self, class: &str, keys: &ClassKeyMeanings<'_, 'd>) {
        for (key, meaning) in keys {
            let iri = self.iri(&meaning.iri, class, key);
            let single = &self.terms.keys[key].single;
            let is_single = if class.is_empty() { !single.is_empty() } else { single.contains(class) };
            let is_set = !is_single && meaning.coercion.as_deref() != Some(JSON);
            self.json.key(key);
            if meaning.coercion.is_none() && !is_set {
                self.json.string(&iri);
                continue;
            }
            self.json.open('{');
            self.json.key("@id").string(&iri);
            if let Some(coercion) = &meaning.coercion {
                self.json.key("@type").string(coercion);
            }
            if is_set {
                self.json.key("@container").string("@set");
            }
            self.json.close('}');
        }
    }

    /// The IRI of a term in full, so that it does not depend on other contexts.
    fn iri(&self, iri: &ComplyingIri<'_>, class: &str, term: &str) -> String {
        match iri {
            ComplyingIri::SchemaOrg(name) => format!("{}{name}", self.context.namespace()),
            ComplyingIri::Kept => {
                let name = self.context.name(class, term).unwrap_or(Cow::Borrowed(term));
                format!("{}{name}", self.context.namespace())
            }
            ComplyingIri::Own => {
                let mut iri = CHECKPOINT.to_owned();
                percent_encode_into(term, &mut iri);
                iri
            }
        }
    }
}
