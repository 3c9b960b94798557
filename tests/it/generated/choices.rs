//! What a case is made of: drawn numbers. Every list of numbers makes a case, and fewer numbers make a simpler one.

/// A list of drawn numbers, read from the front; what is beyond the end is 0, the simplest choice.
#[derive(Debug, Clone)]
pub(crate) struct Choices<'c> {
    drawn: std::slice::Iter<'c, u16>,
    /// How many names were given out.
    serial: usize,
}

impl<'c> Choices<'c> {
    pub(crate) fn new(drawn: &'c [u16]) -> Self {
        Self { drawn: drawn.iter(), serial: 0 }
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::from(self.drawn.next().copied().unwrap_or(0)) % end
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// One in `of` times.
    pub(crate) fn once_in(&mut self, of: usize) -> bool {
        self.below(of) == of - 1
    }

    /// A number that was not given before.
    pub(crate) fn fresh(&mut self) -> usize {
        self.serial += 1;
        self.serial
    }
}

/// Numbers to make a case of, always the same for a seed.
pub(crate) fn drawn(seed: u64, count: usize) -> Vec<u16> {
    let mut state = seed;
    let mut next = || {
        // The generator of Knuth's MMIX; its upper bits are the good ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 48) as u16
    };
    (0..count).map(|_| next()).collect()
}

/// The numbers of a case of a subject. Neighbours have nothing in common.
pub(crate) fn drawn_for(subject: &str, case: u64, count: usize) -> Vec<u16> {
    let subject =
        subject.bytes().fold(case, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    // The finalizer of SplitMix64.
    let mixed = (subject ^ (subject >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    drawn(mixed ^ (mixed >> 31), count)
}
