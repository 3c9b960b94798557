//! Object to RDF Conversion (section 8.2) for value objects.
//!
//! `ToRdf` is defined in `to_rdf/mod.rs`.

use crate::expanded_arena::{NO_DATATYPE, NONE, ValueExtra, ValueObject};
use crate::json_ld_options::RdfDirection;
use crate::name_interner::Keyword;
use crate::to_rdf::ToRdf;
use crate::to_rdf::scene::{ExpansionView, LossCause, QuadDestination};
use crate::warning::WarningCode;
use evalgraph_json::canonical::write_canonical;
use evalgraph_json::minified::write_minified;
use evalgraph_json::number::{RdfNumber, canonical_double, is_out_of_range, to_rdf};
use evalgraph_json::{JsonKind, TokenId};
use evalgraph_rdf::sink::QuadSink;
use evalgraph_rdf::vocabulary::{rdf, xsd};

/// The namespace of datatypes with language and direction.
pub(crate) const I18N: &str = "https://www.w3.org/ns/i18n#";

impl<S: QuadSink> ToRdf<'_, S> {
    /// Returns the literal of a value object under a property. A string with a direction becomes a node. Equal ones
    /// become one node, because the node map has equal values only once (Node Map Generation 4.1.2).
    pub(crate) fn merged_literal(
        &mut self,
        scene: &mut ExpansionView<'_>,
        subject: S::Term,
        predicate: S::Term,
        value: &ValueObject,
        target: QuadDestination<S::Term>,
    ) -> (S::Term, Option<LossCause>) {
        let ValueExtra { language, direction: Some(direction), index: None, .. } = scene.arena.extra(value)
        else {
            return self.literal(scene, value, target);
        };
        let text = self.document.string(value.token).unwrap_or_default().into_owned();
        let key = (target.graph, subject, predicate, text, language, direction);
        if let Some(&known) = self.compounds.get(&key) {
            return known;
        }
        let literal = self.literal(scene, value, target);
        self.compounds.insert(key, literal);
        literal
    }

    /// Returns the literal of a value object, and the number of the warning if it is dropped.
    #[inline]
    pub(crate) fn literal(
        &mut self,
        scene: &mut ExpansionView<'_>,
        value: &ValueObject,
        target: QuadDestination<S::Term>,
    ) -> (S::Term, Option<LossCause>) {
        if value.datatype == Keyword::Json.name() {
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            // If loading keeps a value whole, it also keeps its text.
            if self.mode.json_values.contains(&value.token) {
                write_minified(self.document, value.token, &mut buffer);
            } else {
                write_canonical(self.document, value.token, &mut buffer);
            }
            let term = self.sink.typed_literal(&buffer, self.terms.json);
            self.buffer = buffer;
            return (term, None);
        }
        match self.document.kind(value.token) {
            JsonKind::True => self.scalar(scene, "true", value, self.terms.boolean),
            JsonKind::False => self.scalar(scene, "false", value, self.terms.boolean),
            JsonKind::Number => self.number(scene, value),
            _ => self.string(scene, value, target),
        }
    }

    /// Returns a literal with the value's own datatype, or with the given one if it has none.
    fn scalar(
        &mut self,
        scene: &mut ExpansionView<'_>,
        lexical: &str,
        value: &ValueObject,
        default: S::Term,
    ) -> (S::Term, Option<LossCause>) {
        if value.datatype == NO_DATATYPE {
            return (self.sink.typed_literal(lexical, default), None);
        }
        match self.datatype(scene, value.datatype, value.token) {
            Ok(datatype) => (self.sink.typed_literal(lexical, datatype), None),
            Err(cause) => {
                // The literal is only counted. Its text distinguishes lost literals.
                let stand_in = format!("{lexical}^^{}", scene.names.text(value.datatype));
                (self.sink.string(&stand_in), Some(cause))
            }
        }
    }

    /// Object to RDF Conversion 10 and 11.
    fn number(&mut self, scene: &mut ExpansionView<'_>, value: &ValueObject) -> (S::Term, Option<LossCause>) {
        let document = self.document;
        let lexical = document.number(value.token).unwrap_or_default();
        if is_out_of_range(lexical) {
            self.warn(scene, WarningCode::NumberOutOfRange, value.token);
        }
        if value.datatype != NO_DATATYPE && scene.names.text(value.datatype) == xsd::DOUBLE {
            let double = canonical_double(lexical.parse().unwrap_or(f64::NAN));
            return self.scalar(scene, &double, value, self.terms.double);
        }
        match to_rdf(lexical) {
            RdfNumber::Integer(digits) => self.scalar(scene, &digits, value, self.terms.integer),
            RdfNumber::Double(double) => self.scalar(scene, &double, value, self.terms.double),
        }
    }

    #[inline]
    fn string(
        &mut self,
        scene: &mut ExpansionView<'_>,
        value: &ValueObject,
        target: QuadDestination<S::Term>,
    ) -> (S::Term, Option<LossCause>) {
        let document = self.document;
        if value.datatype == NO_DATATYPE
            && value.extra == NONE
            && let Some(text) = document.plain_string(value.token)
        {
            return (self.sink.string(text), None);
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = document.string_with(value.token, &mut buffer);
        let result = if value.datatype != NO_DATATYPE {
            self.scalar(scene, text, value, self.terms.json)
        } else {
            let extra = scene.arena.extra(value);
            let keeps_direction = self.options.rdf_direction.is_some();
            if extra.direction.is_some() && !keeps_direction {
                self.warn(scene, WarningCode::DroppedDirection, value.token);
            }
            if extra.language.is_none() && (extra.direction.is_none() || !keeps_direction) {
                (self.sink.string(text), None)
            } else {
                self.tagged(scene, text, value.token, extra, target)
            }
        };
        self.buffer = buffer;
        result
    }

    /// Object to RDF Conversion 7 and 13: a string with a language, a direction or both.
    fn tagged(
        &mut self,
        scene: &mut ExpansionView<'_>,
        text: &str,
        token: TokenId,
        extra: ValueExtra,
        target: QuadDestination<S::Term>,
    ) -> (S::Term, Option<LossCause>) {
        let names = scene.names;
        let language = extra.language.map(|language| names.text(language));
        let fault = language.filter(|tag| !is_language_tag(tag)).map(|_| {
            self.warn(scene, WarningCode::InvalidLanguageTag, extra.language_token.unwrap_or(token))
        });
        let term = match (extra.direction, self.options.rdf_direction) {
            (Some(direction), Some(RdfDirection::I18nDatatype)) => {
                let language = language.unwrap_or_default().to_ascii_lowercase();
                let datatype = self.sink.iri(&format!("{I18N}{language}_{}", direction.as_str()));
                self.sink.typed_literal(text, datatype)
            }
            (Some(direction), Some(RdfDirection::CompoundLiteral)) => {
                let node = self.sink.blank_node();
                let target = QuadDestination { lost: target.lost.or(fault), ..target };
                let value = self.sink.string(text);
                self.compound(node, rdf::VALUE, value, target);
                if let Some(language) = language {
                    let language = self.sink.string(&language.to_ascii_lowercase());
                    self.compound(node, rdf::LANGUAGE, language, target);
                }
                let direction = self.sink.string(direction.as_str());
                self.compound(node, rdf::DIRECTION, direction, target);
                node
            }
            _ if fault.is_some() => self.sink.string(&format!("{text}@{}", language.unwrap_or_default())),
            _ => self.sink.language_string(text, language.unwrap_or_default()),
        };
        (term, fault)
    }

    fn compound(
        &mut self,
        node: S::Term,
        predicate: &str,
        object: S::Term,
        target: QuadDestination<S::Term>,
    ) {
        let predicate = self.sink.iri(predicate);
        self.emit(node, predicate, object, target);
    }
}

/// Returns whether a language tag is well formed (BCP 47, section 2.1, without the registry's rules):
/// a subtag of one to eight letters, then subtags of one to eight letters and digits.
pub(crate) fn is_language_tag(tag: &str) -> bool {
    let mut subtags = tag.split('-');
    let is_subtag =
        |subtag: &str| (1..=8).contains(&subtag.len()) && subtag.bytes().all(|b| b.is_ascii_alphanumeric());
    subtags
        .next()
        .is_some_and(|first| is_subtag(first) && first.bytes().all(|byte| byte.is_ascii_alphabetic()))
        && subtags.all(is_subtag)
}
