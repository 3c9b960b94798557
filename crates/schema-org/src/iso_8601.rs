//! Dates, times and durations of ISO 8601, in the forms that schema.org accepts.

use chrono::NaiveDate;

/// Returns whether a string is a date: of the calendar in any precision, of a week, or of a day of the year; in the
/// long or the short form, with or without a time of day.
pub(super) fn is_date(text: &str) -> bool {
    is_date_time(text) || is_day(text) || is_part_of_date(text)
}

/// Returns whether a string is a day with a time of day.
pub(super) fn is_date_time(text: &str) -> bool {
    text.split_once('T').is_some_and(|(day, time)| is_day(day) && is_time_of_day(time, true))
}

/// Returns whether a string is a time of day: hours and minutes, and optional parts after them.
pub(super) fn is_time(text: &str) -> bool {
    is_time_of_day(text, false)
}

/// Returns whether a string is a duration: `P`, years to days or weeks, and after `T` hours to seconds.
pub(super) fn is_duration(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let Some(parts) = text.strip_prefix('P') else { return false };
    let (date, time) = parts.split_once('T').map_or((parts, None), |(date, time)| (date, Some(time)));
    let has_date = !date.is_empty();
    (has_date || time.is_some())
        && (!has_date || is_amounts(date, "YMWD"))
        && time.is_none_or(|time| !time.is_empty() && is_amounts(time, "HMS"))
}

/// Returns whether a string consists of amounts with these units, each at most once and in this order.
fn is_amounts(text: &str, units: &str) -> bool {
    let (mut rest, mut left) = (text, units);
    while !rest.is_empty() {
        let Some(end) = rest.find(|c: char| c.is_ascii_alphabetic()) else { return false };
        let Some(unit) = left.find(&rest[end..=end]) else { return false };
        if !is_decimal(&rest[..end]) {
            return false;
        }
        (rest, left) = (&rest[end + 1..], &left[unit + 1..]);
    }
    true
}

fn is_decimal(text: &str) -> bool {
    match text.split_once(['.', ',']) {
        Some((whole, fraction)) => is_digits(whole) && is_digits(fraction),
        None => is_digits(text),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number with that many digits, from `least` to `most`.
fn number(text: &str, digits: usize, least: u32, most: u32) -> Option<u32> {
    let number = (text.len() == digits && is_digits(text)).then(|| text.parse().ok())??;
    (least..=most).contains(&number).then_some(number)
}

/// Splits the year off the beginning of a string: four digits, or a sign and four or more.
fn year(text: &str) -> Option<(i32, &str)> {
    let signed = text.strip_prefix(['-', '+']);
    let digits = signed.unwrap_or(text);
    let count = match signed {
        // Without a hyphen after it, the end of a longer year is unclear.
        Some(digits) => digits.find('-').unwrap_or(digits.len()),
        None => 4,
    };
    let (year, rest) = digits.split_at_checked(count)?;
    // `chrono` supports fewer than six digits.
    let is_year = is_digits(year) && (4..=6).contains(&count);
    let year: i32 = is_year.then(|| year.parse().ok())??;
    Some((if text.starts_with('-') { -year } else { year }, rest))
}

/// A year, or a month or week of one. A month in the short form would look like a day.
fn is_part_of_date(text: &str) -> bool {
    let Some((year, rest)) = year(text) else { return false };
    let month = |rest: &str| number(rest, 2, 1, 12).is_some();
    let week = |rest: &str| week(year, rest, Some("1")).is_some();
    rest.is_empty()
        || rest.strip_prefix('-').is_some_and(|rest| month(rest) || rest.strip_prefix('W').is_some_and(week))
        || rest.strip_prefix('W').is_some_and(week)
}

/// A day, with the zone that XML Schema allows after it.
fn is_day(text: &str) -> bool {
    let zone = text.find('Z').or_else(|| text.find('+').filter(|at| *at > 0));
    let zone = zone.or_else(|| text.rfind('-').filter(|at| *at > 7 && text[*at..].contains(':')));
    let (day, zone) = text.split_at(zone.unwrap_or(text.len()));
    let Some((year, rest)) = year(day) else { return false };
    let found = match rest.strip_prefix('-') {
        Some(rest) => match rest.split_once('-') {
            Some((week_number, day)) if week_number.starts_with('W') => {
                week(year, &week_number[1..], Some(day))
            }
            Some((month, day)) => day_of_month(year, month, day),
            None => number(rest, 3, 1, 366).and_then(|day| NaiveDate::from_yo_opt(year, day)),
        },
        None => match rest.strip_prefix('W') {
            Some(rest) => rest.split_at_checked(2).and_then(|(number, day)| week(year, number, Some(day))),
            None if rest.len() == 4 && rest.is_ascii() => day_of_month(year, &rest[..2], &rest[2..]),
            None => number(rest, 3, 1, 366).and_then(|day| NaiveDate::from_yo_opt(year, day)),
        },
    };
    found.is_some() && is_zone(zone)
}

fn day_of_month(year: i32, month: &str, day: &str) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, number(month, 2, 1, 12)?, number(day, 2, 1, 31)?)
}

/// The day of a week in a year.
fn week(year: i32, week: &str, day: Option<&str>) -> Option<NaiveDate> {
    let day = number(day?, 1, 1, 7)?;
    let weekday = chrono::Weekday::try_from(u8::try_from(day - 1).ok()?).ok()?;
    NaiveDate::from_isoywd_opt(year, number(week, 2, 1, 53)?, weekday)
}

/// A time of day and its zone. `is_behind_day` allows the short form and hours without minutes.
fn is_time_of_day(text: &str, is_behind_day: bool) -> bool {
    let zone = text.find(['Z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(zone);
    let (whole, fraction) =
        time.split_once(['.', ',']).map_or((time, None), |(whole, fraction)| (whole, Some(fraction)));
    let parts: Vec<&str> = match whole.contains(':') || !whole.is_ascii() {
        true => whole.split(':').collect(),
        false if is_behind_day => {
            whole.as_bytes().chunks(2).filter_map(|part| str::from_utf8(part).ok()).collect()
        }
        false => return false,
    };
    let is_in_day = match parts[..] {
        [hours] => number(hours, 2, 0, 24).is_some() && is_behind_day,
        [hours, minutes] => is_clock(hours, minutes, "00"),
        [hours, minutes, seconds] => is_clock(hours, minutes, seconds),
        _ => false,
    };
    is_in_day && fraction.is_none_or(is_digits) && is_zone(zone)
}

/// Hours, minutes and seconds. A day may end with 24:00:00, and may have a leap second.
fn is_clock(hours: &str, minutes: &str, seconds: &str) -> bool {
    let clock = (number(hours, 2, 0, 24), number(minutes, 2, 0, 59), number(seconds, 2, 0, 60));
    matches!(clock, (Some(0..=23), Some(_), Some(_)) | (Some(24), Some(0), Some(0)))
}

/// An empty string, `Z`, or an offset of hours and minutes.
fn is_zone(zone: &str) -> bool {
    let Some(offset) = zone.strip_prefix(['+', '-']) else { return zone.is_empty() || zone == "Z" };
    let (hours, minutes) = match offset.split_once(':') {
        Some(parts) => parts,
        None if offset.len() == 4 && offset.is_ascii() => offset.split_at(2),
        None => (offset, "00"),
    };
    number(hours, 2, 0, 14).is_some() && number(minutes, 2, 0, 59).is_some()
}
