//! Remote Document and Context Retrieval (section 9.4 of the API): the options and the result of a loader, and how the
//! bytes of a media type become a document.

use crate::JsonLdErrorCode;
use crate::remote::html::{HtmlPage, ScriptSelection};
use crate::remote::media_type::{CONTEXT_PROFILE, MediaType};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_json::{JsonDocument, Limits, decode, parse};
use evalgraph_rdf::detect::is_html_page;
use evalgraph_rdf::iri::{percent_decode, resolve};
use std::sync::Arc;

/// `LoadDocumentOptions`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct LoadDocumentOptions {
    /// `extractAllScripts`: uses all scripts of a page, not only the first.
    pub extract_all_scripts: bool,
    /// `profile`: the preferred script of a page.
    pub profile: Option<String>,
    /// `requestProfile`: the profiles in the request.
    pub request_profile: Vec<String>,
}

impl LoadDocumentOptions {
    /// Returns the options for a document, asking for scripts and answers with this profile.
    pub fn for_profile(profile: &str) -> Self {
        Self {
            extract_all_scripts: false,
            profile: Some(profile.to_owned()),
            request_profile: vec![profile.to_owned()],
        }
    }

    /// Returns the options for contexts.
    pub fn for_context() -> Self {
        Self::for_profile(CONTEXT_PROFILE)
    }
}

/// A document that a loader found.
#[derive(Debug, Clone)]
pub struct RemoteDocument {
    /// `documentUrl`: the final URL; for a page, the base URL of its content.
    pub document_url: String,
    /// `contextUrl`: the context that the server names for a plain JSON document.
    pub context_url: Option<String>,
    /// `contentType`: without parameters, if it is known.
    pub content_type: Option<String>,
    /// `profile`: the profile of the media type.
    pub profile: Option<String>,
    /// The parsed document.
    pub document: Arc<JsonDocument>,
    /// The `href` of the page's `base` element, if it has one. It also applies together with the `base` option, and is
    /// then resolved against it.
    pub base_href: Option<String>,
}

impl RemoteDocument {
    /// Makes a document for which only the URL is known.
    pub fn new(document_url: impl Into<String>, document: Arc<JsonDocument>) -> Self {
        Self {
            document_url: document_url.into(),
            context_url: None,
            content_type: None,
            profile: None,
            document,
            base_href: None,
        }
    }

    /// Makes a document from the bytes at a URL. `media_type` is given if it is known; otherwise the content decides
    /// whether it is JSON or HTML. `name` is for messages.
    ///
    /// # Errors
    /// `loading document failed` for another media type and for a page without the selected script,
    /// `invalid script element` for a script that is not JSON, `json::…` for other text that is not JSON.
    pub fn from_bytes(
        name: &str,
        url: &str,
        bytes: Vec<u8>,
        media_type: Option<&MediaType>,
        options: &LoadDocumentOptions,
        limits: Limits,
    ) -> Result<Self, Box<Diagnostic>> {
        let (document_url, fragment) =
            url.split_once('#').map_or((url, None), |(url, fragment)| (url, Some(fragment)));
        let is_html = media_type.map_or_else(|| is_html_page(name, &bytes), MediaType::is_html);
        if let Some(media_type) = media_type.filter(|known| !is_html && !known.is_json()) {
            return Err(Box::new(wrong_media_type(name, media_type, options)));
        }
        let text = decode(name, bytes)?;
        let mut remote = if is_html {
            let fragment = fragment.filter(|fragment| !fragment.is_empty()).map(percent_decode);
            let selection = ScriptSelection {
                fragment: fragment.as_deref(),
                profile: options.profile.as_deref(),
                extract_all_scripts: options.extract_all_scripts,
            };
            let page = HtmlPage::parse(name, text, selection, limits)?;
            // Process HTML 1: the document base URL.
            let base = page.base_href.as_deref().and_then(|href| resolve(href, document_url));
            let document_url = base.unwrap_or_else(|| document_url.to_owned());
            Self { base_href: page.base_href, ..Self::new(document_url, page.document) }
        } else {
            Self::new(document_url, Arc::new(parse(name, text, limits)?))
        };
        remote.content_type = media_type.map(|media_type| media_type.essence().to_owned());
        remote.profile = media_type.and_then(MediaType::profile).map(str::to_owned);
        Ok(remote)
    }
}

/// Returns a diagnostic about a document that is neither JSON nor a page.
fn wrong_media_type(name: &str, media_type: &MediaType, options: &LoadDocumentOptions) -> Diagnostic {
    let message = match media_type.essence() {
        "" => format!("`{name}` comes without a media type"),
        essence => format!("`{name}` has the media type `{essence}`, which is neither JSON nor HTML"),
    };
    let is_context = options.profile.as_deref() == Some(CONTEXT_PROFILE);
    let help = match is_context {
        true => help!["save it and give the file with ", setting("map").to(format!("{name}=FILE"))],
        false => {
            help![setting("content-type").to("application/ld+json"), " reads it as JSON-LD anyway"]
        }
    };
    Diagnostic::error(JsonLdErrorCode::LoadingDocumentFailed.as_str(), message).with_help(help)
}
