//! Timestamps in the forms of ISO 8601 that checkpoints use: a date, or a date and a time, with or without a time
//! zone.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};

/// A date or time as a checkpoint gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IsoTimestamp {
    /// A day.
    Date(NaiveDate),
    /// A time without a zone, as Python's `datetime.now().isoformat()` writes it.
    Naive(NaiveDateTime),
    /// A time with its offset from UTC.
    Zoned(NaiveDateTime, FixedOffset),
}

impl IsoTimestamp {
    /// Reads the extended form (`2026-04-11T10:00:00.5Z`). Seconds and their fraction are optional.
    ///
    /// ```
    /// use evalgraph_formats::checking::IsoTimestamp;
    ///
    /// assert!(matches!(IsoTimestamp::parse("2026-04-11T10:00:00.500000"), Some(IsoTimestamp::Naive(_))));
    /// assert!(matches!(IsoTimestamp::parse("2026-04-11T10:00:00+02:00"), Some(IsoTimestamp::Zoned(..))));
    /// assert_eq!(IsoTimestamp::parse("11 April 2026"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let date = text.get(..10).and_then(parse_date)?;
        let rest = &text[10..];
        if rest.is_empty() {
            return Some(Self::Date(date));
        }
        let rest = rest.strip_prefix('T')?;
        let zone = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
        let (time, zone) = rest.split_at(zone);
        let moment = date.and_time(parse_time(time)?);
        if zone.is_empty() { Some(Self::Naive(moment)) } else { Some(Self::Zoned(moment, parse_zone(zone)?)) }
    }

    /// Writes a time in the form of another timestamp: with as many fractional digits, and in the same zone, or in UTC
    /// if that timestamp has no zone. Returns `None` if `text` is not a timestamp.
    ///
    /// ```
    /// use evalgraph_formats::checking::IsoTimestamp;
    ///
    /// let now = chrono::DateTime::from_timestamp_millis(1_766_000_000_250).unwrap();
    /// let spelled = |like| IsoTimestamp::spelled_like(like, now);
    /// assert_eq!(spelled("2026-04-11T10:00:00.5Z").as_deref(), Some("2025-12-17T19:33:20.2Z"));
    /// assert_eq!(spelled("2026-04-11T10:00:00+02:00").as_deref(), Some("2025-12-17T21:33:20+02:00"));
    /// assert_eq!(spelled("2026-04-11").as_deref(), Some("2025-12-17"));
    /// assert_eq!(spelled("spring"), None);
    /// ```
    pub fn spelled_like(text: &str, now: DateTime<Utc>) -> Option<String> {
        let zone = match Self::parse(text)? {
            Self::Date(_) => return Some(now.format("%Y-%m-%d").to_string()),
            Self::Naive(_) => FixedOffset::east_opt(0)?,
            Self::Zoned(_, zone) => zone,
        };
        let time = now.with_timezone(&zone).format("%Y-%m-%dT%H:%M:%S.%f").to_string();
        let (seconds, fraction) = time.split_once('.')?;
        let (_, rest) = text.split_once('T')?;
        let (written, zone) = rest.split_at(rest.find(['Z', '+', '-']).unwrap_or(rest.len()));
        let digits = written.split_once(['.', ',']).map_or(0, |(_, digits)| digits.len());
        let point = if digits == 0 { "" } else { "." };
        Some(format!("{seconds}{point}{}{zone}", fraction.get(..digits).unwrap_or(fraction)))
    }
}

fn parse_date(text: &str) -> Option<NaiveDate> {
    has_shape(text, b"dddd-dd-dd").then(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok())?
}

fn parse_time(text: &str) -> Option<NaiveTime> {
    if has_shape(text, b"dd:dd") {
        return NaiveTime::parse_from_str(text, "%H:%M").ok();
    }
    let (seconds, fraction) = text.split_at_checked(8)?;
    let digits = fraction.strip_prefix(['.', ',']);
    let is_fraction = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !has_shape(seconds, b"dd:dd:dd") || !(fraction.is_empty() || digits.is_some_and(is_fraction)) {
        return None;
    }
    NaiveTime::parse_from_str(&text.replace(',', "."), "%H:%M:%S%.f").ok()
}

fn parse_zone(text: &str) -> Option<FixedOffset> {
    if text == "Z" {
        return FixedOffset::east_opt(0);
    }
    let (sign, rest) = text.split_at_checked(1)?;
    let shapes: [&[u8]; 3] = [b"dd:dd", b"dddd", b"dd"];
    if !shapes.iter().any(|shape| has_shape(rest, shape)) {
        return None;
    }
    let hours: i32 = rest[..2].parse().ok()?;
    let minutes: i32 = rest[2..].trim_start_matches(':').parse().unwrap_or(0);
    let seconds = (hours * 60 + minutes) * 60;
    let is_time = hours < 24 && minutes < 60;
    let east = if sign == "-" { -seconds } else { seconds };
    is_time.then(|| FixedOffset::east_opt(east))?
}

/// Returns whether a string has digits where the shape has `d`, and the bytes of the shape elsewhere.
fn has_shape(text: &str, shape: &[u8]) -> bool {
    let fits = |(byte, shape): (u8, u8)| if shape == b'd' { byte.is_ascii_digit() } else { byte == shape };
    text.len() == shape.len() && text.bytes().zip(shape.iter().copied()).all(fits)
}
