//! Counts votes by weight, in the order of first occurrence. Among equal weights the first wins, as with a Python
//! dictionary or counter.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use super::arithmetic::sum;

/// The weight of each choice.
#[derive(Debug, Clone)]
pub(super) struct ChoiceWeights<K> {
    entries: Vec<(K, f64)>,
    places: HashMap<K, usize>,
}

impl<K: Clone + Eq + Hash> Default for ChoiceWeights<K> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: HashMap::new() }
    }
}

impl<K: Clone + Eq + Hash> ChoiceWeights<K> {
    /// Adds to the weight of a choice, and returns its index among the entries.
    pub(super) fn add(&mut self, choice: K, weight: f64) -> usize {
        let entries = &mut self.entries;
        let place = *self.places.entry(choice).or_insert_with_key(|choice| {
            entries.push((choice.clone(), 0.0));
            entries.len() - 1
        });
        self.entries[place].1 += weight;
        place
    }

    /// Returns the choices with their weights, in the order of their first votes.
    pub(super) fn entries(&self) -> &[(K, f64)] {
        &self.entries
    }

    /// Returns the index of a choice among the entries.
    pub(super) fn place<Q: Eq + Hash + ?Sized>(&self, choice: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.places.get(choice).copied()
    }

    /// Returns whether there are no votes.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the weight of one choice.
    pub(super) fn weight_of<Q: Eq + Hash + ?Sized>(&self, choice: &Q) -> f64
    where
        K: Borrow<Q>,
    {
        self.place(choice).map_or(0.0, |place| self.entries[place].1)
    }

    /// Returns the weight of all choices together.
    pub(super) fn total(&self) -> f64 {
        sum(self.entries.iter().map(|entry| entry.1))
    }

    /// Returns only the weights.
    pub(super) fn values(&self) -> Vec<f64> {
        self.entries.iter().map(|entry| entry.1).collect()
    }

    /// Returns the choices by descending weight. Equal ones keep their order.
    pub(super) fn descending(&self) -> Vec<&(K, f64)> {
        let mut entries: Vec<&(K, f64)> = self.entries.iter().collect();
        entries.sort_by(|a, b| b.1.total_cmp(&a.1));
        entries
    }

    /// Returns the heaviest choice, or the first of equally heavy ones.
    pub(super) fn heaviest(&self) -> Option<&(K, f64)> {
        self.descending().first().copied()
    }
}
