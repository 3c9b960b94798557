//! The nodes that lead to each other over one or more steps of a predicate, for engines without recursion.

use std::collections::{BTreeMap, BTreeSet};

use super::row_texts::{RowObject, RowTexts};

/// The steps of a predicate, in the union of all graphs.
#[derive(Debug, Default)]
pub(super) struct PredicateSteps {
    /// The numbers of the terms that a node leads to in one step, by its number.
    steps: BTreeMap<i64, Vec<i64>>,
    terms: BTreeMap<i64, ReachedTerm>,
}

/// A term that a step begins or ends with.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ReachedTerm {
    Iri(Box<str>),
    BlankNode,
    Literal { lexical: Box<str>, datatype: Box<str>, language: Option<Box<str>> },
}

impl ReachedTerm {
    fn from_object(object: RowObject<'_>) -> Self {
        match object {
            RowObject::Iri(iri) => Self::Iri(iri.into()),
            RowObject::BlankNode => Self::BlankNode,
            RowObject::Literal { lexical, datatype, language } => Self::Literal {
                lexical: lexical.into(),
                datatype: datatype.into(),
                language: language.map(Into::into),
            },
        }
    }

    fn as_object(&self) -> RowObject<'_> {
        match self {
            Self::Iri(iri) => RowObject::Iri(iri),
            Self::BlankNode => RowObject::BlankNode,
            Self::Literal { lexical, datatype, language } => {
                RowObject::Literal { lexical, datatype, language: language.as_deref() }
            }
        }
    }
}

impl PredicateSteps {
    /// Adds the step of a row.
    pub(super) fn add(&mut self, subject: i64, object: i64, texts: &RowTexts<'_>) {
        self.steps.entry(subject).or_default().push(object);
        let of_subject = || texts.subject.map_or(ReachedTerm::BlankNode, |iri| ReachedTerm::Iri(iri.into()));
        self.terms.entry(subject).or_insert_with(of_subject);
        self.terms.entry(object).or_insert_with(|| ReachedTerm::from_object(texts.object));
    }

    /// Passes on each pair of a node and a term that it leads to, sorted by their numbers.
    ///
    /// # Errors
    ///
    /// The errors of `take`.
    pub(super) fn each_pair<E>(
        &self,
        mut take: impl FnMut([i64; 2], RowTexts<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for (subject, first) in &self.steps {
            let mut reached: BTreeSet<i64> = BTreeSet::new();
            let mut next: Vec<i64> = first.clone();
            while let Some(term) = next.pop() {
                if reached.insert(term) {
                    next.extend(self.steps.get(&term).into_iter().flatten());
                }
            }
            let subject_text = match self.terms.get(subject) {
                Some(ReachedTerm::Iri(iri)) => Some(&**iri),
                _ => None,
            };
            for term in reached {
                let Some(object) = self.terms.get(&term) else { continue };
                take([*subject, term], RowTexts { subject: subject_text, object: object.as_object() })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(steps: &[[i64; 2]]) -> Vec<[i64; 2]> {
        let mut of = PredicateSteps::default();
        for [subject, object] in steps {
            of.add(*subject, *object, &RowTexts { subject: Some("urn:a"), object: RowObject::BlankNode });
        }
        let mut pairs = Vec::new();
        let taken = of.each_pair(|pair, _| {
            pairs.push(pair);
            Ok::<(), ()>(())
        });
        assert_eq!(taken, Ok(()));
        pairs
    }

    #[test]
    fn steps_are_followed_to_their_ends_and_around_circles() {
        assert_eq!(pairs(&[]), [[0; 2]; 0]);
        assert_eq!(pairs(&[[1, 2], [2, 3]]), [[1, 2], [1, 3], [2, 3]]);
        assert_eq!(pairs(&[[1, 1]]), [[1, 1]]);
        assert_eq!(pairs(&[[1, 2], [2, 1], [2, 9]]), [[1, 1], [1, 2], [1, 9], [2, 1], [2, 2], [2, 9]]);
    }

    proptest::proptest! {
        #[test]
        fn pairs_are_those_of_repeated_joins(
            steps in proptest::collection::btree_set((0i64..7, 0i64..7), 0..20),
        ) {
            let mut expected: BTreeSet<[i64; 2]> = steps.iter().map(|(one, other)| [*one, *other]).collect();
            loop {
                let joined = expected.iter().flat_map(|[one, middle]| {
                    steps.iter().filter(move |(from, _)| from == middle).map(move |(_, to)| [*one, *to])
                });
                let joined: BTreeSet<[i64; 2]> = expected.iter().copied().chain(joined).collect();
                if joined.len() == expected.len() {
                    break;
                }
                expected = joined;
            }
            let steps: Vec<[i64; 2]> = steps.into_iter().map(|(one, other)| [one, other]).collect();
            proptest::prop_assert_eq!(pairs(&steps), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
