//! The documents of a request as quads: its body, or the parts of the body (`multipart/form-data`, RFC 7578).

use hyper::StatusCode;
use hyper::header::CONTENT_TYPE;
use memchr::memmem;

use super::problem::ProblemDetails;
use super::received_request::ReceivedRequest;
use evalgraph_engine::api::Loader;
use evalgraph_engine::input::origin::StoredName;
use evalgraph_engine::input::source::{InputSource, StoredText};
use evalgraph_json::Limits;
use evalgraph_jsonld::MediaType;
use evalgraph_rdf::minted::dataset_and_part;
use evalgraph_rdf::{QuadBuffer, RdfFormat};
use evalgraph_sparql::CancellationToken;

/// The media type of a body with several parts.
const MULTIPART: &str = "multipart/form-data";
/// The most parts of a body.
const MOST_PARTS: usize = 1_000;

/// Reads the documents of a request. Relative IRIs are resolved against the name of the graph.
///
/// # Errors
///
/// `serve::media-type`, `serve::body`, and the errors of the documents, with their places.
pub(super) fn documents(
    asked: &ReceivedRequest,
    graph: &str,
    cancellation: &CancellationToken,
) -> Result<Vec<QuadBuffer>, ProblemDetails> {
    let read = |media_type: &str, content: Vec<u8>| {
        let limits = Limits { size: asked.max_body, ..Limits::default() };
        let loader = Loader::new().base(graph).limits(limits);
        let quads = read(&loader, media_type, content, graph, cancellation);
        // A cancelled result may be incomplete.
        cancellation.check()?;
        quads
    };
    let media_type = asked.header(&CONTENT_TYPE).unwrap_or_default().to_owned();
    let content = asked.content()?;
    if asked.media_type().as_deref() != Some(MULTIPART) {
        return Ok(vec![read(&media_type, content)?]);
    }
    let boundary = media_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let boundary = boundary.map(|(name, value)| (name.trim(), value.trim().trim_matches('"')));
    let boundary = boundary.filter(|(name, _)| name.eq_ignore_ascii_case("boundary")).map(|(_, value)| value);
    let boundary = boundary.last().filter(|boundary| !boundary.is_empty());
    let boundary = boundary.ok_or_else(|| {
        ProblemDetails::bad("serve::body", "the Content-Type of the body names no boundary for its parts")
    })?;
    let parts = parts(&content, boundary).ok_or_else(|| {
        ProblemDetails::bad(
            "serve::body",
            "the body does not consist of parts, or its last part is incomplete",
        )
    })?;
    parts.into_iter().map(|(media_type, content)| read(&media_type, content.to_vec())).collect()
}

/// Returns the parts of a body with their media types; `None` if the body is incomplete.
fn parts<'b>(body: &'b [u8], boundary: &str) -> Option<Vec<(String, &'b [u8])>> {
    let delimiter = format!("--{boundary}");
    let mut rest = body.get(memmem::find(body, delimiter.as_bytes())? + delimiter.len()..)?;
    let mut parts = Vec::new();
    while !rest.starts_with(b"--") {
        let end = memmem::find(rest, format!("\n{delimiter}").as_bytes())?;
        let part = rest.get(..end)?;
        // Lines should end with both characters, but some clients write only one.
        let part = part.strip_suffix(b"\r").unwrap_or(part);
        let (head, content) = head_and_content(part)?;
        parts.push((head, content));
        rest = rest.get(end + 1 + delimiter.len()..)?;
        if parts.len() > MOST_PARTS {
            return None;
        }
    }
    Some(parts)
}

/// Returns the media type of a part, and its content.
fn head_and_content(part: &[u8]) -> Option<(String, &[u8])> {
    let mut media_type = String::new();
    let mut rest = &part[memchr::memchr(b'\n', part)? + 1..];
    loop {
        let end = memchr::memchr(b'\n', rest)?;
        let line = std::str::from_utf8(&rest[..end]).ok()?.trim();
        rest = &rest[end + 1..];
        if line.is_empty() {
            return Some((media_type, rest));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-type")
        {
            media_type = value.trim().to_owned();
        }
    }
}

/// Reads one document with the rules of loading.
fn read(
    loader: &Loader,
    media_type: &str,
    content: Vec<u8>,
    graph: &str,
    cancellation: &CancellationToken,
) -> Result<QuadBuffer, ProblemDetails> {
    let named = MediaType::parse(media_type);
    let essence = named.essence();
    if !essence.is_empty() && RdfFormat::from_media_type(essence).is_none() {
        let known: Vec<&str> = RdfFormat::ALL.iter().map(|format| format.media_type()).collect();
        let message = format!("`{essence}` is not a media type of graphs; known types: {}", known.join(", "));
        return Err(ProblemDetails::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "serve::media-type", message));
    }
    let media_type = (!essence.is_empty()).then_some(named);
    let (dataset, part) = dataset_and_part(graph).unwrap_or_else(|| (graph.to_owned(), None));
    let text = StoredText {
        name: "body".to_owned(),
        bytes: content.into(),
        dataset: Some(StoredName { dataset, part, system: None }),
        is_graph: false,
        // It must not read other files.
        is_elsewhere: true,
    };
    let given_up = cancellation.clone();
    let quads = QuadBuffer::new().until(move || given_up.check().is_err());
    Ok(loader.quads_of(&InputSource::Stored(text), media_type, quads)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_apart() {
        let body =
            "--X\r\nContent-Type: text/turtle\r\n\r\n<a> <b> 1 .\r\n--X\nA: b\n\nsecond\nline\n--X--\n";
        let parts = parts(body.as_bytes(), "X").expect("it is whole");
        assert_eq!(
            parts,
            [("text/turtle".to_owned(), &b"<a> <b> 1 ."[..]), (String::new(), &b"second\nline"[..])]
        );
        for torn in ["", "--X", "--X\r\n\r\nno end", "--X\r\nno head\r\n--X--", "--Y\r\n\r\n--Y--"] {
            assert_eq!(super::parts(torn.as_bytes(), "X"), None, "{torn:?}");
        }
        assert_eq!(super::parts(b"--X--", "X"), Some(Vec::new()));
    }
}
