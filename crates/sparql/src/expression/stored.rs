//! The values of the terms of a dataset, read where these lie.

use oxrdf::Term;
use oxrdf::vocab::xsd;

use super::numeral::Numeral;
use super::time::Moment;
use super::value::Value;
use evalgraph_store::{DatasetView, Kind, TermId};

impl Value {
    /// The value of a term of a dataset.
    pub(crate) fn stored(view: &DatasetView<'_>, id: TermId) -> Self {
        let value = |kind: Kind, text: &str| match kind {
            Kind::Iri => Some(Self::Iri(text.to_owned())),
            Kind::String => Some(Self::String(text.to_owned())),
            Kind::Integer | Kind::Decimal | Kind::Double | Kind::Float => {
                Numeral::parse(text, kind).map(Self::Number)
            }
            Kind::Boolean => Self::typed(text, xsd::BOOLEAN),
            Kind::DateTime => Moment::date_time(text).map(Self::Moment),
            Kind::Date => Self::typed(text, xsd::DATE),
            _ => None,
        };
        let stored = view.with_kind_and_text(id, value).flatten();
        stored.unwrap_or_else(|| Self::of(view.term(id)))
    }
}

impl Numeral {
    /// The number that a term is, if it is one.
    #[inline]
    pub(crate) fn stored(view: &DatasetView<'_>, id: TermId) -> Option<Self> {
        let kind = view.kind_of(id);
        let stored = match kind {
            Kind::Integer | Kind::Decimal | Kind::Double | Kind::Float => {
                view.with_text_of(id, kind, |text| Self::parse(text, kind))
            }
            // Of other datatypes, those derived from integers have numbers.
            Kind::OtherTyped => None,
            // Its text is not read.
            _ => return None,
        };
        stored.unwrap_or_else(|| Self::of_term(view.term(id)))
    }

    fn of_term(term: Term) -> Option<Self> {
        match Value::of(term) {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }
}
