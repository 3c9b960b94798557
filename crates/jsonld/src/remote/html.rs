//! HTML Content Algorithms (section 9.5 of the API): the JSON-LD scripts of a page.
//!
//! `html5gum` tokenizes as the HTML standard requires. Of tree construction, this module has only the parts that decide
//! where a script begins and ends, and whether it is one: raw text, foreign content (SVG and MathML have their own
//! scripts) and templates (which are not part of the document). Scripts keep their bytes, so every place refers to the
//! page.

use crate::JsonLdErrorCode;
use crate::remote::media_type::{JSON_LD, MediaType};
use evalgraph_diagnostics::{Diagnostic, SourceText, codes};
use evalgraph_json::{EmbeddedJson, JsonDocument, Limits, parse_embedded};
use evalgraph_rdf::detect::html_title;
use html5gum::emitters::ForwardingEmitter;
use html5gum::{DefaultEmitter, Emitter, StartTag, State, Token, Tokenizer};
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// Selects the scripts of a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScriptSelection<'s> {
    /// The `id` of the one selected script, percent-decoded: the fragment of the URL.
    pub fragment: Option<&'s str>,
    /// `profile`: a script with this profile is preferred to others.
    pub profile: Option<&'s str>,
    /// `extractAllScripts`: selects all scripts, as one array.
    pub extract_all_scripts: bool,
}

/// The scripts and facts found in a page.
#[derive(Debug, Clone)]
pub struct HtmlPage {
    /// The scripts as one document; its text is the whole page.
    pub document: Arc<JsonDocument>,
    /// The `href` of the page's first `base` element, as written.
    pub base_href: Option<String>,
    /// How many JSON-LD scripts the page has, selected or not.
    pub scripts: usize,
}

impl HtmlPage {
    /// Process HTML (9.5.1): parses the selected scripts.
    ///
    /// With several scripts, a script that is an array stays an inner array. After expansion, that is the same as
    /// merging it.
    ///
    /// ```
    /// use evalgraph_json::Limits;
    /// use evalgraph_jsonld::{HtmlPage, ScriptSelection};
    ///
    /// let page = r#"<base href="/data/"><script type="application/ld+json">{"@id": "a"}</script>"#;
    /// let page = HtmlPage::parse("page.html", page.to_owned(), ScriptSelection::default(), Limits::default())?;
    /// assert_eq!(page.base_href.as_deref(), Some("/data/"));
    /// assert_eq!(page.document.place(page.document.root()).column, 56);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `loading document failed` if the selected script is missing, `invalid script element` if a script is not JSON.
    pub fn parse(
        name: &str,
        page: String,
        selection: ScriptSelection<'_>,
        limits: Limits,
    ) -> Result<Self, Box<Diagnostic>> {
        // The HTML tokenizer does the same. Columns do not change, because they count characters.
        let page = if page.contains('\0') { page.replace('\0', "\u{fffd}") } else { page };
        let found = PageScripts::in_page(&page);
        let scripts = found.scripts().count();
        let parts = found.select(selection).map_err(|missing| Box::new(missing.diagnostic(name, &page)))?;
        let document = parse_embedded(name, page, parts, limits).map_err(invalid_script)?;
        Ok(Self { document: Arc::new(document), base_href: found.base_href, scripts })
    }
}

/// Extract Script Content (9.5.2) has a single error for all faults of the text.
fn invalid_script(mut fault: Box<Diagnostic>) -> Box<Diagnostic> {
    if fault.code == codes::JSON_EMPTY {
        fault.message = "the script is empty; JSON requires one value".to_owned();
    }
    fault.code = JsonLdErrorCode::InvalidScriptElement.as_str().into();
    fault
}

/// The reason why there is no selected script.
#[derive(Debug)]
enum MissingScript {
    /// The page has no scripts.
    Any,
    /// The element with the id is not a JSON-LD script.
    Targeted(String),
}

impl MissingScript {
    fn diagnostic(self, name: &str, page: &str) -> Diagnostic {
        let message = match self {
            Self::Any => {
                let title = html_title(page.as_bytes());
                let title = title.map_or_else(String::new, |title| format!("; its title is `{title}`"));
                format!("this is an HTML page without a script of the type `{JSON_LD}`{title}")
            }
            Self::Targeted(message) => message,
        };
        let place = SourceText::new(name, page.as_bytes()).place(0..0);
        Diagnostic::error(JsonLdErrorCode::LoadingDocumentFailed.as_str(), message).at(place)
    }
}

/// An element that a fragment may name.
struct ScriptCandidate {
    id: Option<String>,
    /// The bytes of its content, if it is a script.
    content: Option<Range<usize>>,
    media_type: MediaType,
}

/// The result of a walk through a page.
#[derive(Default)]
struct PageScripts {
    /// The scripts and, for messages, other elements with an `id`, in document order.
    candidates: Vec<ScriptCandidate>,
    base_href: Option<String>,
}

impl PageScripts {
    fn scripts(&self) -> impl Iterator<Item = (&ScriptCandidate, Range<usize>)> {
        self.candidates
            .iter()
            .filter(|candidate| candidate.media_type.is_json_ld())
            .filter_map(|candidate| candidate.content.clone().map(|content| (candidate, content)))
    }

    /// Process HTML 2 to 6: returns the selected scripts, or the reason why there are none.
    fn select(&self, selection: ScriptSelection<'_>) -> Result<EmbeddedJson, MissingScript> {
        if let Some(fragment) = selection.fragment {
            return self.targeted(fragment).map(EmbeddedJson::One).map_err(MissingScript::Targeted);
        }
        if let Some(profile) = selection.profile {
            let mut scripts = self.scripts();
            if let Some((_, content)) = scripts.find(|(script, _)| script.media_type.has_profile(profile)) {
                return Ok(EmbeddedJson::One(content));
            }
        }
        if selection.extract_all_scripts {
            return Ok(EmbeddedJson::Array(self.scripts().map(|(_, content)| content).collect()));
        }
        let first = self.scripts().next();
        first.map(|(_, content)| EmbeddedJson::One(content)).ok_or(MissingScript::Any)
    }

    fn targeted(&self, id: &str) -> Result<Range<usize>, String> {
        // If several elements have the id, the first counts.
        let named = self.candidates.iter().find(|candidate| candidate.id.as_deref() == Some(id));
        match named {
            Some(ScriptCandidate { content: Some(content), media_type, .. }) if media_type.is_json_ld() => {
                Ok(content.clone())
            }
            Some(ScriptCandidate { content: Some(_), media_type, .. }) => {
                let found = media_type.essence();
                Err(format!("the script with the id `{id}` has the type `{found}`, not `{JSON_LD}`"))
            }
            Some(_) => Err(format!("the element with the id `{id}` is not a script")),
            None => Err(format!("no element of the page has the id `{id}`")),
        }
    }

    fn in_page(page: &str) -> Self {
        let mut found = Self::default();
        let is_foreign = Cell::new(false);
        let emitter = PageEmitter { inner: DefaultEmitter::new_with_span(), is_foreign: &is_foreign };
        let mut tokens = Tokenizer::new_with_emitter(page, emitter);
        let mut tree = OpenElements::default();
        // The script whose end tag has not been found yet.
        let mut open_script: Option<usize> = None;
        while let Some(Ok(token)) = tokens.next() {
            match token {
                Token::StartTag(tag) => {
                    let place = tree.open(&tag);
                    if place == ElementNamespace::Html
                        && let Some(state) = text_state(&tag.name)
                    {
                        // The tokenizer knows no elements. Without this state, a `<` in a script would begin a tag.
                        tokens.set_state(state);
                        if tag.name.as_slice() == b"script" && tree.templates == 0 {
                            open_script = Some(tag.span.end);
                        }
                    }
                    if tree.templates == 0 {
                        found.take(&tag, place, open_script);
                    }
                }
                Token::EndTag(tag) => {
                    // In the text of a script, the tokenizer reports only the end tag of the script.
                    if open_script.take().is_some() {
                        found.close_script(tag.span.start);
                    } else {
                        tree.close(&tag.name);
                    }
                }
                _ => {}
            }
            is_foreign.set(tree.is_foreign());
        }
        if open_script.is_some() {
            found.close_script(page.len());
        }
        found
    }

    /// Notes a start tag: a script, the base, or an element with an `id`.
    fn take(&mut self, tag: &StartTag<usize>, place: ElementNamespace, script: Option<usize>) {
        let attribute = |name: &[u8]| {
            let value = tag.attributes.get(name)?;
            Some(String::from_utf8_lossy(&value.value).into_owned())
        };
        let is_script = place == ElementNamespace::Html && tag.name.as_slice() == b"script";
        let id = attribute(b"id");
        if is_script || id.is_some() {
            let content = script.filter(|_| is_script).map(|start| start..start);
            let media_type = MediaType::parse(&attribute(b"type").unwrap_or_default());
            self.candidates.push(ScriptCandidate { id, content, media_type });
        }
        if self.base_href.is_none() && place == ElementNamespace::Html && tag.name.as_slice() == b"base" {
            self.base_href = attribute(b"href").map(|href| href.trim_ascii().to_owned());
        }
    }

    fn close_script(&mut self, end: usize) {
        if let Some(ScriptCandidate { content: Some(content), .. }) = self.candidates.last_mut() {
            content.end = end;
        }
    }
}

/// Returns the tokenizer state for the text after a start tag, if that text is not markup (13.2.6.4 of the HTML
/// standard, scripting disabled).
fn text_state(name: &[u8]) -> Option<State> {
    match name {
        b"script" => Some(State::ScriptData),
        b"title" | b"textarea" => Some(State::RcData),
        b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Some(State::RawText),
        b"plaintext" => Some(State::PlainText),
        _ => None,
    }
}

/// The most levels of SVG or MathML that are distinguished, the same as in browsers.
const MOST_FOREIGN: usize = 512;

/// The namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementNamespace {
    Html,
    Foreign,
}

/// The open elements that change the meaning of tags.
#[derive(Default)]
struct OpenElements {
    /// The open SVG and MathML elements.
    foreign: Vec<ForeignElement>,
    /// How many templates are open.
    templates: usize,
}

struct ForeignElement {
    name: Vec<u8>,
    /// `true` if the contents are HTML again.
    is_integration_point: bool,
}

impl OpenElements {
    /// Returns whether the current element belongs to SVG or MathML.
    fn is_foreign(&self) -> bool {
        self.foreign.last().is_some_and(|element| !element.is_integration_point)
    }

    /// Takes a start tag, and returns the namespace of its element.
    fn open(&mut self, tag: &StartTag<usize>) -> ElementNamespace {
        let name = tag.name.as_slice();
        if self.is_foreign() && leaves_foreign_content(tag) {
            // The tag closes open elements up to the next HTML element.
            while self.is_foreign() {
                self.foreign.pop();
            }
        }
        if self.is_foreign() || matches!(name, b"svg" | b"math") {
            if !tag.self_closing && self.foreign.len() < MOST_FOREIGN {
                let is_integration_point = is_integration_point(tag);
                self.foreign.push(ForeignElement { name: name.to_vec(), is_integration_point });
            }
            return ElementNamespace::Foreign;
        }
        if name == b"template" {
            self.templates += 1;
        }
        ElementNamespace::Html
    }

    fn close(&mut self, name: &[u8]) {
        if let Some(at) = self.foreign.iter().rposition(|element| element.name == name) {
            self.foreign.truncate(at);
        } else if name == b"template" {
            self.templates = self.templates.saturating_sub(1);
        }
    }
}

/// The HTML and MathML text integration points (13.2.6 of the HTML standard).
fn is_integration_point(tag: &StartTag<usize>) -> bool {
    match tag.name.as_slice() {
        b"foreignobject" | b"desc" | b"title" | b"mi" | b"mo" | b"mn" | b"ms" | b"mtext" => true,
        b"annotation-xml" => tag.attributes.get(&b"encoding"[..]).is_some_and(|encoding| {
            ["text/html", "application/xhtml+xml"]
                .iter()
                .any(|html| encoding.value.eq_ignore_ascii_case(html.as_bytes()))
        }),
        _ => false,
    }
}

/// The start tags that end foreign content (13.2.6.5 of the HTML standard).
fn leaves_foreign_content(tag: &StartTag<usize>) -> bool {
    const LEAVING: [&str; 44] = [
        "b",
        "big",
        "blockquote",
        "body",
        "br",
        "center",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "embed",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "hr",
        "i",
        "img",
        "li",
        "listing",
        "menu",
        "meta",
        "nobr",
        "ol",
        "p",
        "pre",
        "ruby",
        "s",
        "small",
        "span",
        "strong",
        "strike",
        "sub",
        "sup",
        "table",
        "tt",
        "u",
        "ul",
        "var",
    ];
    let name = tag.name.as_slice();
    let has = |attribute: &[u8]| tag.attributes.contains_key(attribute);
    LEAVING.iter().any(|leaving| leaving.as_bytes() == name)
        || (name == b"font" && (has(b"color") || has(b"face") || has(b"size")))
}

/// Wraps the default emitter. It also knows whether the current element is foreign: only there, `<![CDATA[` is not a
/// comment.
struct PageEmitter<'c> {
    inner: DefaultEmitter<usize>,
    is_foreign: &'c Cell<bool>,
}

impl ForwardingEmitter for PageEmitter<'_> {
    type Token = Token<usize>;

    fn inner(&mut self) -> &mut impl Emitter<Token = Self::Token> {
        &mut self.inner
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.is_foreign.get()
    }
}
