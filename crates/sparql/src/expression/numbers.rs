//! The numbers of expressions (SPARQL 1.1, sections 17.3 and 17.4.4): arithmetic reads numbers directly from the store,
//! without making other values. `RowExpression` and `ExpressionNode` are defined in `mod.rs`.

use spargebra::algebra::Function;

use super::cast::{cast, trimmed};
use super::date_time_parts::DateTimeParts;
use super::numeral::NumericValue;
use super::value::TermValue;
use super::{ArithmeticOperator, ExpressionNode, ExpressionResult, RowExpression};
use evalgraph_store::{RdfTermKind, TermId};

impl ExpressionNode<'_> {
    /// Returns whether each value is a computed number.
    pub(super) fn makes_number(&self) -> bool {
        match self {
            Self::Arithmetic(left, right, operator) => {
                let is_of_numbers =
                    matches!(operator, ArithmeticOperator::Multiply | ArithmeticOperator::Divide);
                is_of_numbers || left.is_number() || right.is_number()
            }
            Self::Plus(inner) | Self::Minus(inner) => inner.is_number(),
            Self::Call(function, _) => has_number(function),
            Self::Cast(_, _, kind) => kind.is_some(),
            _ => false,
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::Constant(_, TermValue::Number(_))) || self.makes_number()
    }
}

/// Returns whether each value of a function is a number (sections 17.4.3 to 17.4.5).
fn has_number(function: &Function) -> bool {
    use Function as F;
    matches!(
        function,
        F::Abs
            | F::Ceil
            | F::Floor
            | F::Round
            | F::StrLen
            | F::Year
            | F::Month
            | F::Day
            | F::Hours
            | F::Minutes
            | F::Seconds
    )
}

impl RowExpression<'_, '_> {
    /// Returns whether the value in a row is a number, or an error of an expression that computes numbers.
    pub(super) fn has_number(&self, node: &ExpressionNode<'_>, row: usize) -> bool {
        match node {
            ExpressionNode::Column(numbers) => TermId::of_number(numbers[row]).is_some_and(|id| {
                let kind = self.context.view.kind_of(id);
                matches!(
                    kind,
                    RdfTermKind::Integer | RdfTermKind::Decimal | RdfTermKind::Double | RdfTermKind::Float
                )
            }),
            node => node.is_number(),
        }
    }

    /// The numeric value in a row, or `None` for any other value. Only the common cases are here; the others are in a
    /// separate function, so that a step of arithmetic saves few registers.
    pub(super) fn number_in(&self, node: &ExpressionNode<'_>, row: usize) -> Option<NumericValue> {
        match node {
            ExpressionNode::Constant(_, TermValue::Number(number)) => Some(*number),
            ExpressionNode::Column(numbers) => {
                NumericValue::stored(self.context.view, TermId::of_number(numbers[row])?)
            }
            ExpressionNode::Arithmetic(left, right, operator) => {
                let (left, right) = (self.number_in(left, row)?, self.number_in(right, row)?);
                operator.of_numbers(left, right)
            }
            node => self.other_number_in(node, row),
        }
    }

    #[inline(never)]
    fn other_number_in(&self, node: &ExpressionNode<'_>, row: usize) -> Option<NumericValue> {
        match node {
            ExpressionNode::Plus(inner) => self.number_in(inner, row),
            ExpressionNode::Minus(inner) => self.number_in(inner, row)?.negated(),
            ExpressionNode::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                self.number_in(if self.truth_of(condition, row)? { then } else { otherwise }, row)
            }
            ExpressionNode::Coalesce(list) => list.iter().find_map(|node| {
                if node.makes_number() {
                    return self.number_in(node, row).map(Some);
                }
                self.item(node, row).map(|item| self.number_of(item))
            })?,
            ExpressionNode::Cast(inner, _, Some(kind)) if self.has_text(inner, row) => {
                self.with_text(inner, row, |text, language| match language {
                    None => NumericValue::parse(trimmed(text), *kind),
                    Some(_) => None,
                })?
            }
            ExpressionNode::Cast(inner, datatype, Some(_)) => {
                self.number_of(ExpressionResult::Made(cast(self.value_of(inner, row)?, *datatype)?))
            }
            ExpressionNode::Call(function, arguments) if has_number(function) => {
                self.called_number(function, arguments.first()?, row)
            }
            node => self.item(node, row).and_then(|item| self.number_of(item)),
        }
    }

    fn number_of(&self, item: ExpressionResult) -> Option<NumericValue> {
        match item {
            ExpressionResult::Known(id) => NumericValue::stored(self.context.view, id),
            item @ ExpressionResult::Made(_) => match self.value(item) {
                TermValue::Number(number) => Some(number),
                _ => None,
            },
        }
    }

    fn called_number(
        &self,
        function: &Function,
        argument: &ExpressionNode<'_>,
        row: usize,
    ) -> Option<NumericValue> {
        let whole = |value: i64| NumericValue::Integer(value.into());
        let number = || self.number_in(argument, row);
        match function {
            Function::Abs => number()?.absolute(),
            Function::Ceil => number()?.ceiling(),
            Function::Floor => number()?.floor(),
            Function::Round => number()?.rounded(),
            Function::StrLen => {
                let length = self.with_text(argument, row, |text, _| text.chars().count())?;
                i64::try_from(length).ok().map(whole)
            }
            _ if self.has_no_time(argument, row) => None,
            function => {
                if let Some(part) = self.fields(argument, row).and_then(|fields| part_of(function, fields)) {
                    return Some(whole(part));
                }
                let TermValue::Moment(moment) = self.value_of(argument, row)? else { return None };
                match function {
                    Function::Year => moment.year().map(whole),
                    Function::Month => moment.month().map(whole),
                    Function::Day => moment.day().map(whole),
                    Function::Hours => moment.hours().map(whole),
                    Function::Minutes => moment.minutes().map(whole),
                    _ => moment.seconds().map(NumericValue::Decimal),
                }
            }
        }
    }

    /// Returns whether the value of a variable, if it has one, is not a time.
    fn has_no_time(&self, node: &ExpressionNode<'_>, row: usize) -> bool {
        let ExpressionNode::Column(numbers) = node else { return false };
        TermId::of_number(numbers[row]).is_none_or(|id| {
            !matches!(
                self.context.view.kind_of(id),
                RdfTermKind::DateTime | RdfTermKind::Date | RdfTermKind::OtherTyped
            )
        })
    }

    /// The parts of a variable's value that is a time in the usual spelling.
    fn fields(&self, node: &ExpressionNode<'_>, row: usize) -> Option<DateTimeParts> {
        let ExpressionNode::Column(numbers) = node else { return None };
        let id = TermId::of_number(numbers[row])?;
        let fields = |kind: RdfTermKind, text: &str| {
            if kind == RdfTermKind::DateTime { DateTimeParts::from_lexical_form(text) } else { None }
        };
        self.context.view.with_kind_and_text(id, fields)?
    }

    /// The position on the timeline of a time with an offset, if it is a constant or has the usual spelling.
    pub(super) fn instant(&self, node: &ExpressionNode<'_>, row: usize) -> Option<i128> {
        match node {
            ExpressionNode::Constant(_, TermValue::Moment(moment)) => moment.instant(),
            node => self.fields(node, row)?.instant(),
        }
    }
}

fn part_of(function: &Function, fields: DateTimeParts) -> Option<i64> {
    Some(match function {
        Function::Year => fields.year.into(),
        Function::Month => fields.month.into(),
        Function::Day => fields.day.into(),
        Function::Hours => fields.hour.into(),
        Function::Minutes => fields.minute.into(),
        _ => return None,
    })
}
