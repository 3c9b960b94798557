//! Points in time in the usual spelling, `2025-01-02T03:04:05.5+01:00`, read without calendar arithmetic. Other
//! spellings are left to the general parser.

use oxsdatatypes::DateTime;

/// The parts of an `xsd:dateTime`.
#[derive(Debug, Clone, Copy)]
pub(super) struct DateTimeParts {
    pub(super) year: u16,
    pub(super) month: u8,
    pub(super) day: u8,
    pub(super) hour: u8,
    pub(super) minute: u8,
    second: u8,
    /// In parts of 10⁻¹⁸ of a second.
    fraction: u64,
    /// In minutes.
    offset: Option<i16>,
}

impl DateTimeParts {
    /// The parts of a lexical form, or `None` if it is ill-formed or has another spelling.
    pub(super) fn from_lexical_form(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (begin, rest) = bytes.split_first_chunk::<19>()?;
        const MARKS: [(usize, u8); 5] = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
        const PAIRS: [usize; 7] = [0, 2, 5, 8, 11, 14, 17];
        // All characters are checked without branches, and one branch decides at the end.
        let mut is_right =
            MARKS.iter().fold(true, |is_right, (place, mark)| is_right & (begin[*place] == *mark));
        let numbers = PAIRS.map(|place| {
            let (one, two) = (begin[place].wrapping_sub(b'0'), begin[place + 1].wrapping_sub(b'0'));
            is_right &= (one < 10) & (two < 10);
            one.wrapping_mul(10).wrapping_add(two)
        });
        let [century, of_century, month, day, hour, minute, second] = numbers;
        is_right &= (month.wrapping_sub(1) < 12) & (hour < 24) & (minute < 60) & (second < 60);
        let year = u16::from(century) * 100 + u16::from(of_century);
        if !is_right || day == 0 || day > days_of(year, month) {
            return None;
        }
        let (fraction, rest) = fraction(rest)?;
        let offset = match rest {
            [] => None,
            b"Z" => Some(0),
            [sign @ (b'+' | b'-'), one, two, b':', three, four] => {
                let (hours, minutes) = (pair(*one, *two)?, pair(*three, *four)?);
                if hours > 13 || minutes > 59 {
                    return None;
                }
                let size = i16::from(hours) * 60 + i16::from(minutes);
                // An offset of minus one minute would be all ones in bytes, which means that there is no offset.
                Some(if *sign == b'-' { -size } else { size }).filter(|offset| *offset != -1).map(Some)?
            }
            _ => return None,
        };
        Some(Self { year, month, day, hour, minute, second, fraction, offset })
    }

    /// The position on the timeline in units of 10⁻¹⁸ s, or `None` without an offset.
    pub(super) fn instant(self) -> Option<i128> {
        self.offset.map(|_| self.units())
    }

    pub(super) fn date_time(self) -> DateTime {
        // All ones mean that there is no offset.
        let mut bytes = [u8::MAX; 18];
        bytes[..16].copy_from_slice(&self.units().to_be_bytes());
        if let Some(offset) = self.offset {
            bytes[16..].copy_from_slice(&offset.to_be_bytes());
        }
        DateTime::from_be_bytes(bytes)
    }

    fn units(self) -> i128 {
        const UNITS: i128 = 1_000_000_000_000_000_000;
        let year = i64::from(self.year) - 1;
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        let month = usize::from(self.month.saturating_sub(1)) % DAYS_BEFORE.len();
        let is_late = self.month > 2 && is_leap(self.year);
        let days = year * 365 + leap_days + DAYS_BEFORE[month] + i64::from(is_late) + i64::from(self.day) - 1;
        let offset = i64::from(self.offset.unwrap_or(0));
        let minutes = (days * 24 + i64::from(self.hour)) * 60 + i64::from(self.minute) - offset;
        i128::from(minutes * 60 + i64::from(self.second)) * UNITS + i128::from(self.fraction)
    }
}

/// The days of a common year before each month.
const DAYS_BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

fn days_of(year: u16, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn digit(byte: u8) -> Option<u8> {
    let digit = byte.wrapping_sub(b'0');
    (digit < 10).then_some(digit)
}

fn pair(one: u8, two: u8) -> Option<u8> {
    Some(digit(one)? * 10 + digit(two)?)
}

/// The fraction after the point, if there is one, and the rest. `None` if the fraction has too many digits.
fn fraction(text: &[u8]) -> Option<(u64, &[u8])> {
    const DIGITS: u32 = 18;
    let Some(digits) = text.strip_prefix(b".") else { return Some((0, text)) };
    let (mut fraction, mut count, mut rest) = (0_u64, 0, digits);
    while let Some((digit, others)) =
        rest.split_first().and_then(|(first, others)| Some((digit(*first)?, others)))
    {
        (fraction, count, rest) = (fraction * 10 + u64::from(digit), count + 1, others);
        if count > DIGITS {
            return None;
        }
    }
    (count > 0).then(|| (fraction * 10_u64.pow(DIGITS - count), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_the_parser_of_all_reads() {
        for text in [
            "2025-01-02T03:04:05Z",
            "2025-01-02T03:04:05",
            "0000-02-29T00:00:00Z",
            "0000-12-31T00:00:00",
            "0001-01-01T00:00:00Z",
            "2024-02-29T23:59:59.999+14:00",
            "2000-12-31T12:00:00.000000000000000001-13:59",
            "1900-03-01T00:00:00.5+05:30",
            "1899-12-31T00:00:00-00:00",
            "2400-02-29T00:00:00-00:02",
            "9999-12-31T23:59:59",
        ] {
            let expected: DateTime = text.parse().expect("a dateTime");
            let Some(fields) = DateTimeParts::from_lexical_form(text) else {
                assert!(text.ends_with("14:00"), "{text}");
                continue;
            };
            let read = fields.date_time();
            assert_eq!(read.to_be_bytes(), expected.to_be_bytes(), "{text}");
            let parts = [i64::from(fields.year), fields.month.into(), fields.day.into(), fields.hour.into()];
            let others = [read.year(), read.month().into(), read.day().into(), read.hour().into()];
            assert_eq!((parts, fields.minute), (others, read.minute()), "{text}");
        }
    }

    #[test]
    fn other_spellings_are_left_to_the_parser_of_all() {
        for text in [
            "2025-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2025-01-01T24:00:00Z",
            "2025-13-01T00:00:00Z",
            "2025-00-01T00:00:00Z",
            "2025-01-00T00:00:00Z",
            "2025-01-01T00:00:60Z",
            "2025-01-01T00:00:00.Z",
            "2025-01-01T00:00:00.1234567890123456789Z",
            "2025-01-01T00:00:00z",
            "2025-01-01T00:00:00-00:01",
            "12025-01-01T00:00:00",
            "-2025-01-01T00:00:00",
            "2025-01-01",
            "",
            "2025-01-01T00:00:0é",
        ] {
            assert!(DateTimeParts::from_lexical_form(text).is_none(), "{text}");
        }
    }
}
