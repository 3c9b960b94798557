//! A threshold that a project sets for its data, such as `>= 80 %` or `= 0`.

use std::fmt;

/// How the actual number has to compare with that of a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThresholdComparison {
    /// It is the same or larger.
    AtLeast,
    /// It is the same or smaller.
    AtMost,
    /// It is larger.
    MoreThan,
    /// It is smaller.
    LessThan,
    /// It is the same.
    Equal,
}

impl ThresholdComparison {
    /// All comparisons, by how they are written. One that begins with another comes first.
    const ALL: [(&'static str, Self); 5] = [
        (">=", Self::AtLeast),
        ("<=", Self::AtMost),
        (">", Self::MoreThan),
        ("<", Self::LessThan),
        ("=", Self::Equal),
    ];

    fn is_met(self, actual: u128, threshold: u128) -> bool {
        match self {
            Self::AtLeast => actual >= threshold,
            Self::AtMost => actual <= threshold,
            Self::MoreThan => actual > threshold,
            Self::LessThan => actual < threshold,
            Self::Equal => actual == threshold,
        }
    }
}

impl fmt::Display for ThresholdComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = Self::ALL.iter().find(|(_, comparison)| comparison == self);
        f.write_str(written.map_or("", |(written, _)| written))
    }
}

/// What is compared with a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThresholdNumber {
    /// A number of rows.
    Count(u64),
    /// A share of questions, in thousandths of a per cent.
    Share(u64),
}

/// How many of the questions have something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuestionShare {
    /// How many have it.
    pub having: u64,
    /// How many questions there are. It is not 0.
    pub questions: u64,
}

/// A threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedThreshold {
    /// How the actual number has to compare with the number.
    pub comparison: ThresholdComparison,
    /// The number.
    pub number: ThresholdNumber,
}

/// The decimals that a share may have.
const DECIMALS: usize = 3;
/// A per cent, in the unit of shares.
const PER_CENT: u64 = 1000;

impl ExpectedThreshold {
    /// Reads a threshold: a comparison, a number, and `%` for a share. Blanks do not matter.
    ///
    /// ```
    /// use evalgraph_engine::workspace::expected_threshold::ExpectedThreshold;
    ///
    /// let threshold = ExpectedThreshold::parse(">=80%").expect("it is a share");
    /// assert_eq!(threshold.to_string(), ">= 80 %");
    /// assert!(ExpectedThreshold::parse("80").is_none() && ExpectedThreshold::parse("< 0.5").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let mut comparisons = ThresholdComparison::ALL.into_iter();
        let (comparison, number) =
            comparisons.find_map(|(written, comparison)| Some((comparison, text.strip_prefix(written)?)))?;
        let number = number.trim();
        let number = match number.strip_suffix('%') {
            Some(share) => ThresholdNumber::Share(thousandths(share.trim())?),
            None => ThresholdNumber::Count(digits(number)?),
        };
        Some(Self { comparison, number })
    }

    /// Returns whether a number of rows meets the threshold. A threshold for shares is met by no number of rows.
    pub fn is_met_by_count(&self, count: u64) -> bool {
        match self.number {
            ThresholdNumber::Count(number) => self.comparison.is_met(count.into(), number.into()),
            ThresholdNumber::Share(_) => false,
        }
    }

    /// Returns whether a share meets the threshold, without rounding. A threshold for rows is met by no share.
    pub fn is_met_by_share(&self, share: QuestionShare) -> bool {
        match self.number {
            ThresholdNumber::Share(number) => {
                let actual = u128::from(share.having) * u128::from(100 * PER_CENT);
                self.comparison.is_met(actual, u128::from(number) * u128::from(share.questions))
            }
            ThresholdNumber::Count(_) => false,
        }
    }

    /// Returns a share for people, with as few decimals as show on which side of the threshold it is: 79.6 % does not
    /// become 80 % if 80 % are expected.
    pub fn shown(&self, share: QuestionShare) -> String {
        let per_cent = share.having as f64 * 100.0 / share.questions as f64;
        let is_met = self.is_met_by_share(share);
        let shown = |decimals: usize| format!("{per_cent:.decimals$}");
        let is_right = |text: &String| {
            let rounded = thousandths(text).unwrap_or_default();
            let rounded = QuestionShare { having: rounded, questions: 100 * PER_CENT };
            self.is_met_by_share(rounded) == is_met
        };
        let shortest = (0..=DECIMALS).map(shown).find(is_right);
        format!("{} %", shortest.unwrap_or_else(|| shown(2 * DECIMALS)))
    }
}

impl fmt::Display for ExpectedThreshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { comparison, number } = self;
        match number {
            ThresholdNumber::Count(count) => write!(f, "{comparison} {count}"),
            ThresholdNumber::Share(share) => {
                let (whole, rest) = (share / PER_CENT, share % PER_CENT);
                let decimals = format!(".{rest:03}");
                write!(f, "{comparison} {whole}{} %", decimals.trim_end_matches('0').trim_end_matches('.'))
            }
        }
    }
}

fn digits(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// Reads a number of per cent, 0 to 100.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let written = decimals.len();
    if written > DECIMALS {
        return None;
    }
    let decimals = digits(decimals)? * 10_u64.pow((DECIMALS - written) as u32);
    let share = digits(whole)?.checked_mul(PER_CENT)?.checked_add(decimals)?;
    (share <= 100 * PER_CENT).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threshold(text: &str) -> ExpectedThreshold {
        ExpectedThreshold::parse(text).unwrap_or_else(|| panic!("`{text}` is a threshold"))
    }

    #[test]
    fn thresholds_are_read_with_or_without_blanks() {
        for (text, written) in [
            (">=80%", ">= 80 %"),
            (" <  12.50 % ", "< 12.5 %"),
            ("= 0", "= 0"),
            ("<=5", "<= 5"),
            ("> 0.125 %", "> 0.125 %"),
        ] {
            assert_eq!(threshold(text).to_string(), written);
        }
        let wrong =
            ["", "80 %", "~ 80 %", ">= %", ">= 80 percent", ">= 101 %", ">= 1.5", "= -1", "== 1", ">= 1e2"];
        for text in wrong {
            assert_eq!(ExpectedThreshold::parse(text), None, "{text}");
        }
    }

    #[test]
    fn shares_are_compared_without_rounding_and_shown_on_their_side() {
        let share = |having, questions| QuestionShare { having, questions };
        assert!(threshold(">= 80 %").is_met_by_share(share(4, 5)));
        assert!(!threshold(">= 80 %").is_met_by_share(share(7999, 10_000)));
        assert_eq!(threshold(">= 80 %").shown(share(74, 120)), "62 %");
        assert_eq!(threshold(">= 80 %").shown(share(7999, 10_000)), "79.99 %");
        assert_eq!(threshold("< 100 %").shown(share(999_999, 1_000_000)), "99.999900 %");
        assert_eq!(threshold("= 33.333 %").shown(share(1, 3)), "33 %");
        assert_eq!(threshold("= 33 %").shown(share(1, 3)), "33.3 %");
    }

    #[test]
    fn counts_are_compared() {
        for (text, met, missed) in
            [(">= 3", 3, 2), ("<= 3", 3, 4), ("> 3", 4, 3), ("< 3", 2, 3), ("= 3", 3, 4)]
        {
            assert!(
                threshold(text).is_met_by_count(met) && !threshold(text).is_met_by_count(missed),
                "{text}"
            );
        }
    }
}
