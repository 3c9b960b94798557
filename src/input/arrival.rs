//! What comes with a document from a server.

use crate::jsonld::MediaType;

/// Holds what a server said of a document beside its content.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    /// The final URL, with the fragment that was asked for.
    pub(crate) url: String,
    /// The context that the server names for plain JSON.
    pub(crate) context_url: Option<String>,
    /// The media type; none where a file stands for the URL.
    pub(crate) media_type: Option<MediaType>,
}
