//! Intervals that contain the truth with a given confidence.

/// An interval, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfidenceInterval {
    /// The lower end.
    pub low: f64,
    /// The upper end, never below the lower one.
    pub high: f64,
}

impl ConfidenceInterval {
    /// The interval of the negated value.
    pub(crate) fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }

    /// An interval as long, whose middle is 0.
    pub(crate) fn around_zero(self) -> Self {
        let reach = (self.high - self.low) / 2.0;
        Self { low: -reach, high: reach }
    }
}
