//! The files of the page (`src/page`), compressed by the build and sent as they are. They contain no data, so every
//! client of the server gets them. The page itself sends the token if the data need one.

use std::io::{self, Read};

use bytes::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH, VARY};
use hyper::{HeaderMap, StatusCode};

use super::head::ResponseHead;
use super::negotiation::{prefers_page, takes_gzip};
use super::problem::ProblemDetails;
use super::request_conditions::names;

/// The file that is shown at the root.
const INDEX: &str = "index.html";

/// The files, made by `build.rs`.
const ASSETS: &[PageAsset] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The media types by the extensions of names.
const MEDIA_TYPES: [(&str, &str); 8] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("webmanifest", "application/manifest+json"),
];

/// The length of the end of a gzip member: the checksum and the length of its content (RFC 1952).
const TRAILER: usize = 8;

/// A file of the page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PageAsset {
    name: &'static str,
    gzip: &'static [u8],
}

impl PageAsset {
    /// Returns the file with a name.
    pub(super) fn by_name(name: &str) -> Option<&'static Self> {
        ASSETS.iter().find(|asset| asset.name == name)
    }

    /// Returns the file for the root, for clients that prefer a page to a graph.
    pub(super) fn at_root(headers: &HeaderMap) -> Option<&'static Self> {
        prefers_page(headers).then(|| Self::by_name(INDEX)).flatten()
    }

    /// Returns the response to a request for the file.
    ///
    /// # Errors
    ///
    /// None; everything that the build has compressed can be read.
    pub(super) fn answer(&self, asked: &HeaderMap) -> Result<(ResponseHead, Bytes), ProblemDetails> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.media_type()));
        headers.append(VARY, HeaderValue::from_static("accept-encoding"));
        if self.name == INDEX {
            headers.append(VARY, HeaderValue::from_static("accept"));
        }
        // Another program at the same address may have other files with the same names, so they are requested each
        // time.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        let tag = self.tag();
        if let Ok(tag) = HeaderValue::from_str(&format!("W/\"{tag}\"")) {
            headers.insert(ETAG, tag);
        }
        if names(asked, &IF_NONE_MATCH, &tag).unwrap_or(false) {
            return Ok((ResponseHead { status: StatusCode::NOT_MODIFIED, headers }, Bytes::new()));
        }
        let body = if takes_gzip(asked) {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            Bytes::from_static(self.gzip)
        } else {
            self.plain().map_err(|_| ProblemDetails::panicked())?.into()
        };
        Ok((ResponseHead { status: StatusCode::OK, headers }, body))
    }

    /// Returns the name of the content: its checksum and length.
    fn tag(&self) -> String {
        let trailer = &self.gzip[self.gzip.len().saturating_sub(TRAILER)..];
        trailer.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn plain(&self) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(self.gzip).read_to_end(&mut plain)?;
        Ok(plain)
    }

    fn media_type(&self) -> &'static str {
        let extension = self.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let known = MEDIA_TYPES.iter().find(|(known, _)| *known == extension);
        known.map_or("application/octet-stream", |(_, media_type)| media_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most bytes of all files together, compressed.
    const MOST: usize = 120 << 10;

    #[test]
    fn the_page_is_small_and_each_file_has_a_type() {
        assert!(PageAsset::by_name(INDEX).is_some());
        let sum: usize = ASSETS.iter().map(|asset| asset.gzip.len()).sum();
        assert!(sum <= MOST, "{sum} bytes");
        for asset in ASSETS {
            assert_ne!(asset.media_type(), "application/octet-stream", "{}", asset.name);
            // The content is that of the file in the folder.
            let path = format!("{}/src/page/{}", env!("CARGO_MANIFEST_DIR"), asset.name);
            let plain = asset.plain().expect("the build has compressed it");
            assert!(plain == std::fs::read(&path).expect("it is there"), "{path}");
        }
    }
}
