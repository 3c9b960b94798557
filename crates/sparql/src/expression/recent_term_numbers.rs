//! The numbers of terms that an expression makes. Equal ones are looked up by their values, which is faster than by
//! their terms.

use std::cell::RefCell;

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use oxrdf::Literal;

use super::numeral::NumericValue;
use super::text::in_language;
use super::value::TermValue;
use evalgraph_store::DatasetView;

/// The most numbers that are kept.
const MOST: usize = 1 << 16;

/// The numbers of the terms that were made most recently.
#[derive(Default)]
pub(super) struct RecentTermNumbers {
    truths: RefCell<[u32; 2]>,
    numbers: RefCell<HashMap<(u8, i128), u32, RandomState>>,
    texts: RefCell<HashMap<String, u32, RandomState>>,
}

impl RecentTermNumbers {
    pub(super) fn value(&self, value: TermValue, view: &DatasetView<'_>) -> u32 {
        match value {
            TermValue::Boolean(truth) => {
                let known = &mut self.truths.borrow_mut()[usize::from(truth)];
                if *known == 0 {
                    *known = view.intern(Literal::from(truth).into()).number();
                }
                *known
            }
            TermValue::Number(number) => {
                let mut numbers = self.numbers.borrow_mut();
                if numbers.len() >= MOST {
                    numbers.clear();
                }
                let new = || view.intern(number.into_term()).number();
                *numbers.entry(key_of(number)).or_insert_with(new)
            }
            value => view.intern(value.into_term()).number(),
        }
    }

    pub(super) fn text(&self, text: &str, language: Option<&str>, view: &DatasetView<'_>) -> u32 {
        let new = || view.intern(in_language(text, language).into_term()).number();
        if language.is_some() {
            return new();
        }
        let mut texts = self.texts.borrow_mut();
        if let Some(known) = texts.get(text) {
            return *known;
        }
        if texts.len() >= MOST {
            texts.clear();
        }
        *texts.entry_ref(text).or_insert_with(new)
    }
}

/// Numbers with the same spelling have the same key.
fn key_of(number: NumericValue) -> (u8, i128) {
    match number {
        NumericValue::Integer(value) => (0, i64::from(value).into()),
        NumericValue::Decimal(value) => (1, super::decimal::units(value)),
        NumericValue::Float(value) => (2, f32::from(value).to_bits().into()),
        NumericValue::Double(value) => (3, f64::from(value).to_bits().into()),
    }
}
