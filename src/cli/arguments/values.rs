//! Values of arguments: what text they have, and what is said of another.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::convert::output_form::OutputForm;
use crate::input::options::InputFormat;
use crate::json::Encoding;
use crate::jsonld::{MediaType, ProcessingMode, RdfDirection};
use crate::rdf::RdfFormat;
use crate::source::karenina::writer::Version2Shape;
use crate::source::system::System;

/// Accepts the names of what is read. Karenina's checkpoints are JSON-LD, or tell themselves.
pub(super) fn input_formats() -> impl TypedValueParser<Value = InputFormat> {
    let systems = System::ALL.into_iter().filter(|system| *system != System::JSON_LD);
    let all: Vec<InputFormat> =
        RdfFormat::ALL.into_iter().map(InputFormat::Rdf).chain(systems.map(InputFormat::Records)).collect();
    let names: Vec<&'static str> = all.iter().map(|format| format.name()).collect();
    PossibleValuesParser::new(names).try_map(move |name| {
        let format = all.iter().find(|format| format.name() == name).copied();
        format.ok_or_else(|| format!("`{name}` is no format"))
    })
}

/// Accepts the names of some formats.
pub(in crate::cli) fn rdf_formats(formats: &[RdfFormat]) -> impl TypedValueParser<Value = RdfFormat> + use<> {
    let names: Vec<&'static str> = formats.iter().map(|format| format.name()).collect();
    PossibleValuesParser::new(names)
        .try_map(|name| RdfFormat::from_name(&name).ok_or_else(|| format!("`{name}` is no format")))
}

pub(super) fn processing_modes() -> impl TypedValueParser<Value = ProcessingMode> {
    PossibleValuesParser::new(["json-ld-1.0", "json-ld-1.1"]).map(|name| match name.as_str() {
        "json-ld-1.0" => ProcessingMode::JsonLd1_0,
        _ => ProcessingMode::JsonLd1_1,
    })
}

/// Accepts the two values of the API's `rdfDirection`.
pub(in crate::cli) fn rdf_directions() -> impl TypedValueParser<Value = RdfDirection> {
    PossibleValuesParser::new(["i18n-datatype", "compound-literal"]).map(|name| match name.as_str() {
        "i18n-datatype" => RdfDirection::I18nDatatype,
        _ => RdfDirection::CompoundLiteral,
    })
}

pub(super) fn encodings() -> impl TypedValueParser<Value = Encoding> {
    PossibleValuesParser::new(Encoding::ALL.map(Encoding::name)).try_map(|name| {
        let encoding = Encoding::ALL.into_iter().find(|encoding| encoding.name() == name);
        encoding.ok_or_else(|| format!("`{name}` is no encoding"))
    })
}

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
    // A URL may hold `=` as well, a path rarely does: the last one counts, unless only an earlier
    // one leaves a path that exists.
    let splits = text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let parts: Vec<(&str, &str)> = splits.filter(|(url, path)| !url.is_empty() && !path.is_empty()).collect();
    let existing = parts.iter().find(|(_, path)| std::path::Path::new(path).exists());
    let (url, path) = existing.or(parts.last()).ok_or("expected `URL=PATH`")?;
    if !url.contains(':') {
        return Err(format!("`{url}` is not an absolute URL"));
    }
    Ok(((*url).to_owned(), PathBuf::from(path)))
}

/// The most levels that any input may ask for: the processor recurses, and its stack is bounded.
const DEEPEST: usize = 10_000;

pub(super) fn depth(text: &str) -> Result<usize, String> {
    let levels = text.parse().ok().filter(|levels| (1..=DEEPEST).contains(levels));
    levels.ok_or_else(|| format!("expected a number of levels from 1 to {DEEPEST}"))
}

/// A number of bytes with an optional unit: `500`, `64k`, `10MB`, `1GiB`.
pub(in crate::cli) fn size(text: &str) -> Result<u64, String> {
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
        unit => return Err(format!("`{unit}` is no unit; known are kB, MB, GB, TB, KiB, MiB, GiB, TiB")),
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
        unit => return Err(format!("`{unit}` is no unit; known are ms, s, m, h")),
    };
    Duration::try_from_secs_f64(number * unit).map_err(|_| "not a time that can be waited".to_owned())
}

/// Accepts the names of targets.
pub(in crate::cli) fn targets() -> impl TypedValueParser<Value = OutputForm> {
    let names: Vec<&'static str> = OutputForm::all().map(OutputForm::name).collect();
    PossibleValuesParser::new(names)
        .try_map(|name| OutputForm::from_name(&name).ok_or_else(|| format!("`{name}` is no format")))
}

/// Accepts the shapes of version 2.0.
pub(in crate::cli) fn shapes() -> impl TypedValueParser<Value = Version2Shape> {
    PossibleValuesParser::new(["a", "b", "c"]).map(|name| match name.as_str() {
        "a" => Version2Shape::A,
        "b" => Version2Shape::B,
        _ => Version2Shape::C,
    })
}

/// Accepts what an update of files writes. Other forms are made of that by `convert`.
pub(in crate::cli) fn update_targets() -> impl TypedValueParser<Value = OutputForm> {
    let targets = || RdfFormat::WRITTEN.into_iter().map(OutputForm::Rdf).chain([OutputForm::Same]);
    let names: Vec<&'static str> = targets().map(OutputForm::name).collect();
    PossibleValuesParser::new(names).try_map(move |name| {
        targets().find(|target| target.name() == name).ok_or_else(|| format!("`{name}` is no format"))
    })
}
