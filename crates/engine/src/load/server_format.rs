//! The format of a document according to its server.

use crate::input::origin::DocumentOrigin;
use evalgraph_rdf::RdfFormat;

/// Returns the format for the server's media type, or `None` for media types that servers use for any file.
pub(crate) fn format_of_server(origin: &DocumentOrigin) -> Option<RdfFormat> {
    let media_type = origin.media_type()?;
    match media_type.essence() {
        "text/plain" | "application/xml" | "text/xml" => None,
        _ if media_type.is_html() => Some(RdfFormat::JsonLd),
        essence => RdfFormat::from_media_type(essence),
    }
}
