//! Random numbers for resampling: the same sequence for the same seed, on every platform.

/// The generator xoshiro256++ (Blackman and Vigna 2021, "Scrambled Linear Pseudorandom Number Generators"), with its
/// state from SplitMix64 (Steele, Lea and Flood 2014) as its authors recommend.
pub(crate) struct RandomNumbers {
    state: [u64; 4],
}

impl RandomNumbers {
    pub(crate) fn new(seed: u64) -> Self {
        let mut counter = seed;
        let mut next = || {
            counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = counter;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        };
        Self { state: [next(), next(), next(), next()] }
    }

    /// The next 64 bits.
    pub(crate) fn next_bits(&mut self) -> u64 {
        let [first, second, third, fourth] = self.state;
        let result = first.wrapping_add(fourth).rotate_left(23).wrapping_add(first);
        let third = third ^ first;
        let fourth = fourth ^ second;
        self.state = [first ^ fourth, second ^ third, third ^ (second << 17), fourth.rotate_left(45)];
        result
    }

    /// A number from 0 to below a bound, or 0 if the bound is 0. A number is more probable than another by at most the
    /// bound divided by 2^64.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.next_bits()) * bound as u128;
        // The upper half is below the bound.
        (product >> 64) as usize
    }
}
