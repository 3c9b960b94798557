//! Media types (RFC 9110, section 8.3.1), as far as the API needs them: whether a type is JSON or HTML, and which
//! profile it names.

/// The profile of documents that are contexts.
pub const CONTEXT_PROFILE: &str = "http://www.w3.org/ns/json-ld#context";

/// The profile of documents that are frames.
pub const FRAME_PROFILE: &str = "http://www.w3.org/ns/json-ld#frame";

/// The media type of JSON-LD.
pub const JSON_LD: &str = "application/ld+json";

/// A media type with its parameters.
///
/// ```
/// use evalgraph_jsonld::MediaType;
///
/// let media_type = MediaType::parse("Application/LD+JSON; profile=\"http://www.w3.org/ns/json-ld#context\"");
/// assert_eq!(media_type.essence(), "application/ld+json");
/// assert!(media_type.has_profile("http://www.w3.org/ns/json-ld#context"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaType {
    essence: String,
    profile: Option<String>,
}

impl MediaType {
    /// Reads a media type as in `Content-Type` or in an attribute. Any string can be read; one that is not a media type
    /// equals no known one.
    pub fn parse(text: &str) -> Self {
        let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
        let profile = parameters_of(parameters).find_map(|(name, value)| {
            // If a parameter occurs twice, the first value counts.
            name.eq_ignore_ascii_case("profile").then_some(value)
        });
        Self { essence: essence.trim().to_ascii_lowercase(), profile }
    }

    /// Returns type and subtype in lower case, without parameters.
    pub fn essence(&self) -> &str {
        &self.essence
    }

    /// Returns the `profile` parameter: IRIs separated by spaces.
    pub fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// Returns whether the profile names this IRI.
    pub fn has_profile(&self, iri: &str) -> bool {
        self.profile.as_deref().is_some_and(|profile| profile.split_ascii_whitespace().any(|one| one == iri))
    }

    /// Returns whether the media type is JSON-LD's own.
    pub fn is_json_ld(&self) -> bool {
        self.essence == JSON_LD
    }

    /// Returns whether the media type is `application/json` or ends in `+json` (RFC 6839).
    pub fn is_json(&self) -> bool {
        self.essence == "application/json" || self.essence.ends_with("+json")
    }

    /// Returns whether the media type is that of an HTML page, which can have scripts.
    pub fn is_html(&self) -> bool {
        matches!(self.essence.as_str(), "text/html" | "application/xhtml+xml")
    }
}

/// Returns the parameters after the first `;`. A value without quotes may contain characters that the grammar requires
/// to be quoted, because most IRIs are written that way.
pub fn parameters_of(text: &str) -> impl Iterator<Item = (&str, String)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches([';', ' ', '\t', '\n', '\r', '\u{c}']);
            if rest.is_empty() {
                return None;
            }
            let end = rest.find(['=', ';']).unwrap_or(rest.len());
            let name = rest[..end].trim();
            rest = &rest[end..];
            let value = match rest.strip_prefix('=') {
                Some(after) => {
                    let (value, after) = parameter_value(after.trim_start());
                    rest = after;
                    value
                }
                None => String::new(),
            };
            if !name.is_empty() {
                return Some((name, value));
            }
        }
    })
}

/// Returns the value at the beginning of a string, and the rest.
fn parameter_value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(';').unwrap_or(text.len());
        return (text[..end].trim_end().to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                let rest = &quoted[at + 1..];
                return (value, &rest[rest.find(';').unwrap_or(rest.len())..]);
            }
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            _ => value.push(character),
        }
    }
    (value, "")
}
