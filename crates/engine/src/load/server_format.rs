//! The format of a document by what its server says.

use crate::input::origin::DocumentOrigin;
use evalgraph_rdf::RdfFormat;

/// The format by the media type of the server; none for media types that servers give to any file.
pub(crate) fn format_of_server(origin: &DocumentOrigin) -> Option<RdfFormat> {
    let media_type = origin.media_type()?;
    match media_type.essence() {
        "text/plain" | "application/xml" | "text/xml" => None,
        _ if media_type.is_html() => Some(RdfFormat::JsonLd),
        essence => RdfFormat::from_media_type(essence),
    }
}
