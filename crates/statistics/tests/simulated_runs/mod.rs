//! Simulated pairs of runs whose true difference is known.

/// What the scores of two runs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RunKind {
    /// Right or wrong: a fifth of the pairs is discordant, 12.5 % wins and 7.5 % losses.
    Outcomes,
    /// Right or wrong: 40 % wins, 20 % losses.
    OutcomesOftenDifferent,
    /// The difference is normal, with mean 0.05 and deviation 0.25.
    Normal,
    /// Scores of both runs are shares, the cube and the root of a uniform number: the difference is skewed.
    SkewedShares,
    /// Scores from 1 to 5, of which the second is one higher in 30 % and two lower in 10 %.
    FivePoints,
}

impl RunKind {
    #[allow(dead_code, reason = "only one of the tests needs it")]
    pub(crate) const ALL: [Self; 5] =
        [Self::Outcomes, Self::OutcomesOftenDifferent, Self::Normal, Self::SkewedShares, Self::FivePoints];

    pub(crate) fn is_binary(self) -> bool {
        matches!(self, Self::Outcomes | Self::OutcomesOftenDifferent)
    }

    #[allow(dead_code, reason = "only one of the tests needs it")]
    pub(crate) fn mean_difference(self) -> f64 {
        match self {
            Self::Outcomes | Self::Normal => 0.05,
            Self::OutcomesOftenDifferent => 0.2,
            Self::SkewedShares => 2.0 / 3.0 - 0.25,
            Self::FivePoints => 0.1,
        }
    }
}

/// Random numbers by SplitMix64.
pub(crate) struct Simulation {
    counter: u64,
}

impl Simulation {
    pub(crate) fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// A number from 0 to below 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.counter;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / 2_f64.powi(53)
    }

    /// A standard normal number (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// One of several values, each with the share of cases in which it comes; the rest are 0.
    fn chosen(&mut self, values: [f64; 2], shares: [f64; 2]) -> f64 {
        let uniform = self.uniform();
        if uniform < shares[0] {
            values[0]
        } else if uniform < shares[0] + shares[1] {
            values[1]
        } else {
            0.0
        }
    }

    pub(crate) fn difference(&mut self, kind: RunKind) -> f64 {
        match kind {
            RunKind::Outcomes => self.chosen([1.0, -1.0], [0.125, 0.075]),
            RunKind::OutcomesOftenDifferent => self.chosen([1.0, -1.0], [0.4, 0.2]),
            RunKind::Normal => 0.05 + 0.25 * self.normal(),
            RunKind::SkewedShares => self.uniform().sqrt() - self.uniform().powi(3),
            RunKind::FivePoints => self.chosen([1.0, -2.0], [0.3, 0.1]),
        }
    }
}
