//! Web Linking (RFC 8288, section 3): the links in `Link` header fields.

use evalgraph_jsonld::{MediaType, parameters_of};

/// The link relation that names a context for plain JSON.
pub(super) const CONTEXT_RELATION: &str = "http://www.w3.org/ns/json-ld#context";

/// One link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LinkValue {
    /// The target: a reference, relative to the document.
    pub(super) href: String,
    relations: String,
    media_type: Option<MediaType>,
}

impl LinkValue {
    /// The links of a field's value; other parts are skipped.
    pub(super) fn parse(value: &str) -> Vec<Self> {
        let mut links = Vec::new();
        for link in split_outside_quotes(value) {
            let Some((href, parameters)) =
                link.trim().strip_prefix('<').and_then(|rest| rest.split_once('>'))
            else {
                continue;
            };
            let (mut relations, mut media_type) = (None, None);
            for (name, value) in parameters_of(parameters) {
                // The first of several equal parameters counts.
                if name.eq_ignore_ascii_case("rel") {
                    relations.get_or_insert(value);
                } else if name.eq_ignore_ascii_case("type") {
                    media_type.get_or_insert(MediaType::parse(&value));
                }
            }
            links.push(Self {
                href: href.trim().to_owned(),
                relations: relations.unwrap_or_default(),
                media_type,
            });
        }
        links
    }

    /// Returns whether the link names the context of its document.
    pub(super) fn is_context(&self) -> bool {
        self.has_relation(CONTEXT_RELATION)
    }

    /// Returns whether the link leads to the same content as JSON-LD.
    pub(super) fn is_json_ld_alternate(&self) -> bool {
        self.has_relation("alternate") && self.media_type.as_ref().is_some_and(MediaType::is_json_ld)
    }

    fn has_relation(&self, relation: &str) -> bool {
        self.relations.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(relation))
    }
}

/// Splits at commas outside of quotes and of `<` and `>`.
fn split_outside_quotes(value: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut in_quotes, mut in_target, mut escaped) = (0, false, false, false);
    for (at, byte) in value.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_quotes => escaped = true,
            b'"' if !in_target => in_quotes = !in_quotes,
            b'<' if !in_quotes => in_target = true,
            b'>' if !in_quotes => in_target = false,
            b',' if !in_quotes && !in_target => {
                parts.push(&value[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&value[start..]);
    parts
}

#[test]
fn links_are_read_with_commas_in_odd_places() {
    let links = LinkValue::parse(
        r#"<a,b.jsonld>; rel="alternate next"; type="application/ld+json", , x, <c>;title="d, <e>";REL=http://www.w3.org/ns/json-ld#context"#,
    );
    assert_eq!(links.iter().map(|link| link.href.as_str()).collect::<Vec<_>>(), ["a,b.jsonld", "c"]);
    assert!(links[0].is_json_ld_alternate() && !links[0].is_context());
    assert!(links[1].is_context() && !links[1].is_json_ld_alternate());
}
