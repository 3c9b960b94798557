//! The values of the terms of a dataset, read directly in the store. `TermValue` is defined in `value.rs`.
//! `NumericValue` is defined in `numeral.rs`.

use oxrdf::Term;
use oxrdf::vocab::xsd;

use super::numeral::NumericValue;
use super::time::TemporalValue;
use super::value::TermValue;
use evalgraph_store::{DatasetView, RdfTermKind, TermId};

impl TermValue {
    /// The value of a term of a dataset.
    pub(crate) fn stored(view: &DatasetView<'_>, id: TermId) -> Self {
        let value = |kind: RdfTermKind, text: &str| match kind {
            RdfTermKind::Iri => Some(Self::Iri(text.to_owned())),
            RdfTermKind::String => Some(Self::String(text.to_owned())),
            RdfTermKind::Integer | RdfTermKind::Decimal | RdfTermKind::Double | RdfTermKind::Float => {
                NumericValue::parse(text, kind).map(Self::Number)
            }
            RdfTermKind::Boolean => Self::typed(text, xsd::BOOLEAN),
            RdfTermKind::DateTime => TemporalValue::date_time(text).map(Self::Moment),
            RdfTermKind::Date => Self::typed(text, xsd::DATE),
            _ => None,
        };
        let stored = view.with_kind_and_text(id, value).flatten();
        stored.unwrap_or_else(|| Self::from_term(view.term(id)))
    }
}

impl NumericValue {
    /// The numeric value of a term, if it has one.
    #[inline]
    pub(crate) fn stored(view: &DatasetView<'_>, id: TermId) -> Option<Self> {
        let kind = view.kind_of(id);
        let stored = match kind {
            RdfTermKind::Integer | RdfTermKind::Decimal | RdfTermKind::Double | RdfTermKind::Float => {
                view.with_text_of(id, kind, |text| Self::parse(text, kind))
            }
            // The numeric ones among the other datatypes are derived from integers.
            RdfTermKind::OtherTyped => None,
            // No number, so the string is not read.
            _ => return None,
        };
        stored.unwrap_or_else(|| Self::of_term(view.term(id)))
    }

    fn of_term(term: Term) -> Option<Self> {
        match TermValue::from_term(term) {
            TermValue::Number(number) => Some(number),
            _ => None,
        }
    }
}
