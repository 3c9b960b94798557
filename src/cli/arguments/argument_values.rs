//! Values of arguments. Each is parsed from its text, and the error for an invalid text says what is expected.

use std::path::PathBuf;
use std::time::Duration;

use evalgraph_jsonld::MediaType;
use evalgraph_rdf::RdfFormat;

pub(super) fn column(text: &str) -> Result<(String, String), String> {
    let (key, column) = text.split_once('=').ok_or("expected `KEY=COLUMN`")?;
    if key.is_empty() || column.is_empty() {
        return Err("expected `KEY=COLUMN`".to_owned());
    }
    Ok((key.to_owned(), column.to_owned()))
}

pub(super) fn separator(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" | b"tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("expected one character, such as ; or \\t".to_owned()),
    }
}

pub(super) fn media_type(text: &str) -> Result<MediaType, String> {
    let media_type = MediaType::parse(text);
    if media_type.is_html() || RdfFormat::from_media_type(media_type.essence()).is_some() {
        return Ok(media_type);
    }
    let known: Vec<&str> = RdfFormat::ALL.iter().map(|format| format.media_type()).collect();
    Err(format!("not a media type of an RDF format; known are {}, text/html", known.join(", ")))
}

pub(in crate::cli) fn mapping(text: &str) -> Result<(String, PathBuf), String> {
    // A URL may also contain `=`, a path rarely does. So the last `=` is the separator, unless only an earlier one
    // leaves a path that exists.
    let splits = text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let parts: Vec<(&str, &str)> = splits.filter(|(url, path)| !url.is_empty() && !path.is_empty()).collect();
    let existing = parts.iter().find(|(_, path)| std::path::Path::new(path).exists());
    let (url, path) = existing.or(parts.last()).ok_or("expected `URL=PATH`")?;
    if !url.contains(':') {
        return Err(format!("`{url}` is not an absolute URL"));
    }
    Ok(((*url).to_owned(), PathBuf::from(path)))
}

/// The maximum that `--max-depth` may allow: the processor recurses, and its stack is bounded.
const DEEPEST: usize = 10_000;

pub(super) fn depth(text: &str) -> Result<usize, String> {
    let levels = text.parse().ok().filter(|levels| (1..=DEEPEST).contains(levels));
    levels.ok_or_else(|| format!("expected a number of levels from 1 to {DEEPEST}"))
}

/// A number of bytes with an optional unit: `500`, `64k`, `10MB`, `1GiB`.
pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: u64 =
        text[..digits].parse().map_err(|_| "expected a number of bytes, such as 64MiB".to_owned())?;
    let unit: u64 = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        unit => return Err(format!("`{unit}` is not a unit; known are kB, MB, GB, TB, KiB, MiB, GiB, TiB")),
    };
    number.checked_mul(unit).ok_or_else(|| "more bytes than any machine has".to_owned())
}

/// A time with an optional unit: `10`, `10s`, `500ms`, `2m`.
pub(in crate::cli) fn duration(text: &str) -> Result<Duration, String> {
    let end = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let number: f64 = text[..end].parse().map_err(|_| "expected a time, such as 10s".to_owned())?;
    let unit = match text[end..].trim() {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        unit => return Err(format!("`{unit}` is not a unit; known are ms, s, m, h")),
    };
    Duration::try_from_secs_f64(number * unit).map_err(|_| "not a time that can be waited".to_owned())
}
