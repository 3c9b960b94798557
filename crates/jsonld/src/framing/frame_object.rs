//! Reads frames from their expanded form: the patterns for nodes, the defaults for missing values, and the flags
//! (Framing, section 4.1, steps 1 and 2).

use crate::expanded_arena::{ExpandedArena, ExpandedElement, NO_DATATYPE, NONE, PropertyEntry, ValueObject};
use crate::json_ld_options::JsonLdEmbed;
use crate::name_interner::{InternedName, Keyword, NameInterner};
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use evalgraph_rdf::iri;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::sync::Arc;

/// What a frame requires of an id, a type, or an entry of a value.
#[derive(Debug, Clone, Default)]
pub(crate) enum FrameDemand<T> {
    /// No requirement.
    #[default]
    Unsaid,
    /// Match none: `[]`.
    Nothing,
    /// The wildcard: `{}`.
    Anything,
    /// One of these.
    OneOf(Vec<T>),
}

impl<T> FrameDemand<T> {
    pub(crate) fn is_unsaid(&self) -> bool {
        matches!(self, Self::Unsaid)
    }
}

/// A value pattern; the tokens are those of the frame.
#[derive(Debug, Default)]
pub(crate) struct ValuePattern {
    pub(crate) values: FrameDemand<TokenId>,
    pub(crate) datatypes: FrameDemand<InternedName>,
    /// The languages, in lower case.
    pub(crate) languages: FrameDemand<String>,
    pub(crate) directions: FrameDemand<String>,
}

/// The part of a frame about one property.
#[derive(Debug)]
pub(crate) struct PropertyFrame {
    pub(crate) name: InternedName,
    pub(crate) key: TokenId,
    /// The numbers of the frames for its values; empty for match none.
    pub(crate) frames: Vec<u32>,
}

/// A frame object. There is one for the document, and one for each value of each property in it.
#[derive(Debug, Default)]
pub(crate) struct FrameObject {
    pub(crate) ids: FrameDemand<InternedName>,
    pub(crate) types: FrameDemand<InternedName>,
    /// The default of `@type` for a node without types: a name, or null.
    pub(crate) default_type: Option<ExpandedElement>,
    /// The numbers of its properties.
    pub(crate) properties: Vec<u32>,
    by_name: HashMap<InternedName, u32, FixedState>,
    pub(crate) has_graph: bool,
    pub(crate) graph: Option<u32>,
    pub(crate) included: Option<u32>,
    /// The reverse properties, each with the frame for its subjects.
    pub(crate) reverse: Vec<(InternedName, TokenId, Option<u32>)>,
    /// The frames for the items, if it is a list object.
    pub(crate) list: Option<Vec<u32>>,
    /// The pattern, if it is a value object.
    pub(crate) value: Option<ValuePattern>,
    /// `@default`: elements in the arena of the frame.
    pub(crate) default: Option<Vec<ExpandedElement>>,
    pub(crate) embed: Option<JsonLdEmbed>,
    pub(crate) explicit: Option<bool>,
    pub(crate) require_all: Option<bool>,
    pub(crate) omit_default: Option<bool>,
}

impl FrameObject {
    /// Returns the number of its part about a property.
    #[inline]
    pub(crate) fn property(&self, name: InternedName) -> Option<u32> {
        self.by_name.get(&name).copied()
    }

    /// Returns whether it admits all values of a property to the result.
    pub(crate) fn lets_all_through(&self) -> bool {
        self.value.is_none()
            && matches!(self.types, FrameDemand::Unsaid | FrameDemand::Nothing)
            && self.default_type.is_none()
    }

    /// Returns whether it requires nothing of a node.
    pub(crate) fn is_wildcard(&self) -> bool {
        self.ids.is_unsaid() && self.types.is_unsaid() && self.properties.is_empty()
    }
}

/// The frames of a document.
pub(crate) struct DocumentFrames {
    pub(crate) objects: Vec<FrameObject>,
    pub(crate) properties: Vec<PropertyFrame>,
    /// The elements of defaults.
    pub(crate) arena: ExpandedArena,
    /// The number of the outermost frame.
    pub(crate) root: u32,
    /// `frameDefault`: `true` if the frame has `@graph` at its top. Then the default graph is framed instead of the
    /// merged graph.
    pub(crate) is_of_default_graph: bool,
}

/// Reads the frames of an expanded frame document. Recurses by level of that document.
///
/// # Errors
/// `invalid frame` and `invalid @embed value`.
pub(crate) fn read(
    arena: ExpandedArena,
    document: &Arc<JsonDocument>,
    names: &NameInterner,
    allow_last: bool,
) -> JsonLdOutcome<DocumentFrames> {
    let top = only_object(&arena, &arena.top, document, document.root())?;
    let properties = arena.properties(top);
    let kept: Vec<&PropertyEntry> = properties.iter().filter(|property| property.lost == NONE).collect();
    let graph = kept.iter().find(|property| property.name == Keyword::Graph.name()).copied().copied();
    // If a frame has only `@graph`, the contents of `@graph` replace it.
    let frame = match graph {
        Some(graph) if kept.len() == 1 => only_object(&arena, arena.values(&graph), document, graph.key)?,
        _ => top,
    };
    let mut reader = FrameReader {
        arena: &arena,
        document,
        names,
        allow_last,
        objects: Vec::new(),
        properties: Vec::new(),
    };
    let root = reader.node(frame)?;
    let (objects, properties) = (reader.objects, reader.properties);
    Ok(DocumentFrames { objects, properties, arena, root, is_of_default_graph: graph.is_some() })
}

/// Returns the single object of a frame, which may be in an array.
fn only_object(
    arena: &ExpandedArena,
    elements: &[ExpandedElement],
    document: &Arc<JsonDocument>,
    place: TokenId,
) -> JsonLdOutcome<u32> {
    let mut nodes = elements.iter().filter_map(|element| match element {
        ExpandedElement::Node(node) => Some(*node),
        _ => None,
    });
    let invalid =
        |message: &str, token| Err(JsonLdError::new(JsonLdErrorCode::InvalidFrame, message, document, token));
    let Some(first) = nodes.next() else {
        return invalid("a frame must be an object, and this is not one", place);
    };
    match nodes.next() {
        Some(second) => {
            invalid("a frame must be one object, and this is a second one", arena.node(second).token)
        }
        None => Ok(first),
    }
}

struct FrameReader<'r> {
    arena: &'r ExpandedArena,
    document: &'r Arc<JsonDocument>,
    names: &'r NameInterner,
    /// `@last` and `@first` were values of `@embed` in JSON-LD 1.0.
    allow_last: bool,
    objects: Vec<FrameObject>,
    properties: Vec<PropertyFrame>,
}

impl FrameReader<'_> {
    fn add(&mut self, object: FrameObject) -> u32 {
        self.objects.push(object);
        // A frame has fewer objects than its document has bytes, which are below 4 GiB.
        (self.objects.len() - 1) as u32
    }

    fn invalid<T>(&self, token: TokenId, message: String) -> JsonLdOutcome<T> {
        Err(JsonLdError::new(JsonLdErrorCode::InvalidFrame, message, self.document, token))
    }

    fn elements(&mut self, elements: &[ExpandedElement]) -> JsonLdOutcome<Vec<u32>> {
        let mut frames = Vec::new();
        for &element in elements {
            match element {
                ExpandedElement::Node(node) => frames.push(self.node(node)?),
                ExpandedElement::Value(value) => {
                    let value = self.value_of(&value);
                    let types = value.datatypes.clone();
                    frames.push(self.add(FrameObject {
                        value: Some(value),
                        types,
                        ..FrameObject::default()
                    }));
                }
                ExpandedElement::List(list) => {
                    let items = self.elements(self.arena.items(self.arena.list(list)))?;
                    frames.push(self.add(FrameObject { list: Some(items), ..FrameObject::default() }));
                }
                _ => {}
            }
        }
        Ok(frames)
    }

    /// Returns a value object as a pattern for equal values. `{}` under a term with the type `@json` is the wildcard of
    /// value patterns: it matches all JSON literals.
    fn value_of(&self, value: &ValueObject) -> ValuePattern {
        let language = self.arena.extra(value).language;
        let is_wildcard = value.datatype == Keyword::Json.name() && self.is_wildcard(value.token);
        ValuePattern {
            values: if is_wildcard { FrameDemand::Anything } else { FrameDemand::OneOf(vec![value.token]) },
            datatypes: match value.datatype {
                NO_DATATYPE => FrameDemand::Unsaid,
                datatype => FrameDemand::OneOf(vec![datatype]),
            },
            languages: match language {
                Some(language) => FrameDemand::OneOf(vec![self.names.text(language).to_lowercase()]),
                None => FrameDemand::Unsaid,
            },
            directions: FrameDemand::Unsaid,
        }
    }

    /// Returns whether a JSON literal is an empty object, or an array with only that.
    fn is_wildcard(&self, token: TokenId) -> bool {
        let document = self.document;
        let mut items = document.items(token);
        let only = items.next().filter(|_| items.next().is_none()).unwrap_or(token);
        document.is_object(only) && document.members(only).next().is_none()
    }

    /// Framing 1 and 2 for one frame object.
    fn node(&mut self, node: u32) -> JsonLdOutcome<u32> {
        let mut object = FrameObject::default();
        let mut value = ValuePattern::default();
        let mut is_value = false;
        if let Some(id) = self.arena.node(node).id {
            object.ids = FrameDemand::OneOf(vec![self.iri(id.name, id.token, "@id")?]);
        }
        for property in self.arena.properties(node).iter().filter(|property| property.lost == NONE) {
            let values = self.arena.values(property);
            if property.reverse {
                let frame = self.elements(values)?.first().copied();
                object.reverse.push((property.name, property.key, frame));
                continue;
            }
            let Some(keyword) = self.names.keyword(property.name) else {
                self.property(&mut object, property)?;
                continue;
            };
            match keyword {
                Keyword::Id => object.ids = self.iris(values, "@id")?,
                Keyword::Type => self.types(&mut object, values)?,
                Keyword::Value => (value.values, is_value) = (self.scalars(values, |token| token), true),
                Keyword::Language => {
                    let document = self.document;
                    let text = |token| document.string(token).unwrap_or_default().to_lowercase();
                    (value.languages, is_value) = (self.scalars(values, text), true);
                }
                Keyword::Direction => {
                    let document = self.document;
                    let text = |token| document.string(token).unwrap_or_default().into_owned();
                    (value.directions, is_value) = (self.scalars(values, text), true);
                }
                Keyword::Graph => {
                    object.has_graph = true;
                    object.graph = self.elements(values)?.first().copied();
                }
                Keyword::Included => object.included = self.elements(values)?.first().copied(),
                Keyword::Default => object.default = Some(values.to_vec()),
                Keyword::Embed => object.embed = Some(self.embed(property)?),
                Keyword::Explicit => object.explicit = Some(self.flag(property)?),
                Keyword::RequireAll => object.require_all = Some(self.flag(property)?),
                Keyword::OmitDefault => object.omit_default = Some(self.flag(property)?),
                _ => {}
            }
        }
        if is_value {
            // The types also stay those of the frame, because a node instead of a value has to match them.
            value.datatypes = object.types.clone();
            object.value = Some(value);
        }
        Ok(self.add(object))
    }

    fn property(&mut self, object: &mut FrameObject, property: &PropertyEntry) -> JsonLdOutcome {
        let frames = self.elements(self.arena.values(property))?;
        // A frame has fewer properties than its document has bytes, which are below 4 GiB.
        let number = self.properties.len() as u32;
        self.properties.push(PropertyFrame { name: property.name, key: property.key, frames });
        object.properties.push(number);
        object.by_name.insert(property.name, number);
        Ok(())
    }

    /// Returns an IRI of `@id` or `@type`. It must be absolute, and not a blank node.
    fn iri(&self, name: Option<InternedName>, token: TokenId, keyword: &str) -> JsonLdOutcome<InternedName> {
        let text = name.map(|name| self.names.text(name)).unwrap_or_default();
        match name {
            Some(name) if name == Keyword::Json.name() => Ok(name),
            Some(_) if text.starts_with("_:") => self.invalid(
                token,
                format!("`{text}` is a blank node, and blank nodes have other labels in every document"),
            ),
            Some(name) if iri::scheme_length(text.as_bytes()).is_some() => Ok(name),
            _ => self
                .invalid(token, format!("`{text}` is not an IRI, but `{keyword}` of a frame requires one")),
        }
    }

    fn iris(&self, values: &[ExpandedElement], keyword: &str) -> JsonLdOutcome<FrameDemand<InternedName>> {
        let mut wanted = Vec::new();
        for element in values {
            match element {
                ExpandedElement::Type { name, token } => {
                    wanted.push(self.iri(Some(*name), *token, keyword)?);
                }
                _ => return Ok(FrameDemand::Anything),
            }
        }
        Ok(if wanted.is_empty() { FrameDemand::Nothing } else { FrameDemand::OneOf(wanted) })
    }

    /// `@type`: IRIs, the wildcard, or a default object, which every node matches.
    fn types(&self, object: &mut FrameObject, values: &[ExpandedElement]) -> JsonLdOutcome {
        let default = values.iter().find_map(|element| match element {
            ExpandedElement::Node(node) => self.arena.properties(*node).first(),
            _ => None,
        });
        let Some(default) = default else {
            object.types = self.iris(values, "@type")?;
            return Ok(());
        };
        let defaults = self.arena.values(default);
        for element in defaults {
            if let ExpandedElement::Type { name, token } = element {
                self.iri(Some(*name), *token, "@type")?;
            }
        }
        object.default_type = defaults.first().copied();
        Ok(())
    }

    fn scalars<S>(&self, values: &[ExpandedElement], read: impl Fn(TokenId) -> S) -> FrameDemand<S> {
        let mut wanted = Vec::new();
        for element in values {
            match element {
                ExpandedElement::Value(value) => wanted.push(read(value.token)),
                _ => return FrameDemand::Anything,
            }
        }
        if wanted.is_empty() { FrameDemand::Nothing } else { FrameDemand::OneOf(wanted) }
    }

    fn scalar(&self, property: &PropertyEntry) -> TokenId {
        match self.arena.values(property) {
            [ExpandedElement::Value(value)] => value.token,
            _ => property.key,
        }
    }

    fn embed(&self, property: &PropertyEntry) -> JsonLdOutcome<JsonLdEmbed> {
        let token = self.scalar(property);
        let text = self.document.string(token);
        match (text.as_deref(), self.document.kind(token)) {
            (Some("@once"), _) | (_, JsonKind::True) => Ok(JsonLdEmbed::Once),
            (Some("@always"), _) => Ok(JsonLdEmbed::Always),
            (Some("@never"), _) | (_, JsonKind::False) => Ok(JsonLdEmbed::Never),
            (Some("@first"), _) if self.allow_last => Ok(JsonLdEmbed::Once),
            (Some("@last"), _) if self.allow_last => Ok(JsonLdEmbed::Last),
            _ => {
                let shown = crate::warning::shorten(self.document.raw(token));
                let message = format!("`{shown}` is not `@once`, `@always` or `@never`");
                Err(JsonLdError::new(JsonLdErrorCode::InvalidEmbedValue, message, self.document, token))
            }
        }
    }

    fn flag(&self, property: &PropertyEntry) -> JsonLdOutcome<bool> {
        let token = self.scalar(property);
        let text = self.document.string(token);
        match (self.document.kind(token), text.as_deref()) {
            // Existing frames, such as the specification's tests, write these as strings.
            (JsonKind::True, _) | (_, Some("true")) => Ok(true),
            (JsonKind::False, _) | (_, Some("false")) => Ok(false),
            _ => {
                let shown = crate::warning::shorten(self.document.raw(token));
                let key = self.names.text(property.name);
                self.invalid(token, format!("`{shown}` must be true or false, as the value of `{key}`"))
            }
        }
    }
}
