//! The formulas that score credentials: numbers, `+ - * / **`, brackets, `value`, and the functions `sqrt`, `min` and
//! `max`. The language has nothing else, so a formula cannot run other code.
//!
//! Precedence is Python's: `**` binds tighter than a sign before it and is read from the right.

use std::fmt;

/// The deepest nesting: formulas in use have three levels.
const DEEPEST: usize = 64;

/// A parsed formula.
#[derive(Debug, Clone, PartialEq)]
pub struct CredentialFormula(FormulaNode);

#[derive(Debug, Clone, PartialEq)]
enum FormulaNode {
    Number(f64),
    Value,
    Negative(Box<FormulaNode>),
    Binary(FormulaOperator, Box<FormulaNode>, Box<FormulaNode>),
    Call(FormulaFunction, Vec<FormulaNode>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormulaOperator {
    Plus,
    Minus,
    Times,
    Divide,
    Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormulaFunction {
    Sqrt,
    Min,
    Max,
}

/// The reason why a formula has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpressionError {
    /// The formula cannot be parsed.
    Syntax {
        /// The fault.
        message: String,
        /// The byte offset of the fault in the formula.
        at: usize,
    },
    /// The formula can be parsed, but has no value for this credential.
    NoNumber(&'static str),
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { message, at } => write!(formatter, "{message} at character {}", at + 1),
            Self::NoNumber(reason) => formatter.write_str(reason),
        }
    }
}

impl std::error::Error for ExpressionError {}

impl CredentialFormula {
    /// Reads a formula.
    ///
    /// # Errors
    /// [`ExpressionError::Syntax`] for any text that is not in the language above.
    ///
    /// ```
    /// use evalgraph_formats::rlcf::figures::CredentialFormula;
    ///
    /// let formula = CredentialFormula::parse("0.5 + 0.2 * sqrt(value)")?;
    /// assert_eq!(formula.evaluate(9.0)?, 1.1);
    /// assert!(CredentialFormula::parse("__import__('os')").is_err());
    /// # Ok::<(), evalgraph_formats::rlcf::figures::ExpressionError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let mut reader = FormulaParser { text, at: 0, depth: 0 };
        let node = reader.sum()?;
        match reader.peek() {
            None => Ok(Self(node)),
            Some(_) => Err(reader.fault("an operator is missing")),
        }
    }

    /// Returns the value of the formula for a credential's value.
    ///
    /// # Errors
    /// [`ExpressionError::NoNumber`] if there is no value: a division by zero, the root of a negative number, a result
    /// that does not fit into a float.
    pub fn evaluate(&self, value: f64) -> Result<f64, ExpressionError> {
        let result = evaluate(&self.0, value)?;
        if result.is_finite() {
            Ok(result)
        } else {
            Err(ExpressionError::NoNumber("the result does not fit into a float"))
        }
    }
}

fn evaluate(node: &FormulaNode, value: f64) -> Result<f64, ExpressionError> {
    Ok(match node {
        FormulaNode::Number(number) => *number,
        FormulaNode::Value => value,
        FormulaNode::Negative(inner) => -evaluate(inner, value)?,
        FormulaNode::Binary(operator, left, right) => {
            apply(*operator, evaluate(left, value)?, evaluate(right, value)?)?
        }
        FormulaNode::Call(FormulaFunction::Sqrt, arguments) => {
            let of = arguments.first().map_or(Ok(0.0), |argument| evaluate(argument, value))?;
            if of < 0.0 {
                return Err(ExpressionError::NoNumber("the root of a negative number"));
            }
            of.sqrt()
        }
        FormulaNode::Call(function, arguments) => {
            let mut chosen: Option<f64> = None;
            for argument in arguments {
                let next = evaluate(argument, value)?;
                // The first of equal values, as in Python.
                let is_better = chosen.is_none_or(|best| match function {
                    FormulaFunction::Min => next < best,
                    _ => next > best,
                });
                chosen = if is_better { Some(next) } else { chosen };
            }
            chosen.ok_or(ExpressionError::NoNumber("a function without arguments"))?
        }
    })
}

fn apply(operator: FormulaOperator, left: f64, right: f64) -> Result<f64, ExpressionError> {
    Ok(match operator {
        FormulaOperator::Plus => left + right,
        FormulaOperator::Minus => left - right,
        FormulaOperator::Times => left * right,
        FormulaOperator::Divide if right == 0.0 => {
            return Err(ExpressionError::NoNumber("a division by zero"));
        }
        FormulaOperator::Divide => left / right,
        FormulaOperator::Power if left == 0.0 && right < 0.0 => {
            return Err(ExpressionError::NoNumber("zero to a negative power"));
        }
        FormulaOperator::Power => {
            let power = left.powf(right);
            if power.is_nan() {
                return Err(ExpressionError::NoNumber("a negative number to a power that is not an integer"));
            }
            power
        }
    })
}

struct FormulaParser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl FormulaParser<'_> {
    /// The next byte that is not a space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, token: &str) -> bool {
        self.peek();
        let is_there = self.text.as_bytes()[self.at..].starts_with(token.as_bytes());
        self.at += if is_there { token.len() } else { 0 };
        is_there
    }

    fn fault(&self, message: &str) -> ExpressionError {
        ExpressionError::Syntax { message: message.to_owned(), at: self.at }
    }

    fn deeper(&mut self) -> Result<(), ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.fault("the formula nests too deep")) } else { Ok(()) }
    }

    fn sum(&mut self) -> Result<FormulaNode, ExpressionError> {
        self.deeper()?;
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                Some(b'+') => FormulaOperator::Plus,
                Some(b'-') => FormulaOperator::Minus,
                _ => break,
            };
            self.at += 1;
            left = self.binary(operator, left, Self::product)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<FormulaNode, ExpressionError> {
        let mut left = self.signed()?;
        loop {
            let operator = match self.peek() {
                Some(b'*') if !self.text[self.at..].starts_with("**") => FormulaOperator::Times,
                Some(b'/') if !self.text[self.at..].starts_with("//") => FormulaOperator::Divide,
                _ => return Ok(left),
            };
            self.at += 1;
            left = self.binary(operator, left, Self::signed)?;
        }
    }

    fn binary(
        &mut self,
        operator: FormulaOperator,
        left: FormulaNode,
        right: fn(&mut Self) -> Result<FormulaNode, ExpressionError>,
    ) -> Result<FormulaNode, ExpressionError> {
        // A long chain of operators is a tree that is deep on the left, and evaluation recurses into it.
        if depth_on_the_left(&left) > DEEPEST {
            return Err(self.fault("the formula has too many operators"));
        }
        Ok(FormulaNode::Binary(operator, Box::new(left), Box::new(right(self)?)))
    }

    fn signed(&mut self) -> Result<FormulaNode, ExpressionError> {
        let mut is_negative = false;
        loop {
            match self.peek() {
                Some(b'-') => is_negative = !is_negative,
                Some(b'+') => {}
                _ => break,
            }
            self.at += 1;
        }
        // As in Python, the sign applies after the power: `-2 ** 2` is -4.
        let node = self.power()?;
        Ok(if is_negative { FormulaNode::Negative(Box::new(node)) } else { node })
    }

    fn power(&mut self) -> Result<FormulaNode, ExpressionError> {
        let base = self.atom()?;
        if !self.take("**") {
            return Ok(base);
        }
        self.deeper()?;
        // The exponent may have a sign and a power itself, so `2 ** 3 ** 2` is `2 ** 9`, as in Python.
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(FormulaNode::Binary(FormulaOperator::Power, Box::new(base), Box::new(exponent)))
    }

    fn atom(&mut self) -> Result<FormulaNode, ExpressionError> {
        match self.peek() {
            Some(b'(') => {
                self.at += 1;
                let node = self.sum()?;
                self.close()?;
                Ok(node)
            }
            Some(b'0'..=b'9' | b'.') => self.number(),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.name(),
            Some(_) => Err(self.fault("a number, `value` or a function is missing")),
            None => Err(self.fault("the formula ends early")),
        }
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        if self.take(")") { Ok(()) } else { Err(self.fault("`)` is missing")) }
    }

    fn number(&mut self) -> Result<FormulaNode, ExpressionError> {
        let bytes = &self.text.as_bytes()[self.at..];
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits((end + 1 + sign).min(bytes.len()));
            end += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        let number = self.text[self.at..self.at + end].parse();
        let number = number.map_err(|_| self.fault("not a number"))?;
        self.at += end;
        Ok(FormulaNode::Number(number))
    }

    fn name(&mut self) -> Result<FormulaNode, ExpressionError> {
        let bytes = self.text.as_bytes()[self.at..].iter();
        let length = bytes.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let name = &self.text[self.at..self.at + length];
        let function = match name {
            "value" => {
                self.at += length;
                return Ok(FormulaNode::Value);
            }
            "sqrt" => FormulaFunction::Sqrt,
            "min" => FormulaFunction::Min,
            "max" => FormulaFunction::Max,
            _ => return Err(self.fault(&format!("`{name}` is not known"))),
        };
        let start = self.at;
        self.at += length;
        if !self.take("(") {
            return Err(self.fault("`(` is missing"));
        }
        let mut arguments = vec![self.sum()?];
        while self.take(",") {
            arguments.push(self.sum()?);
        }
        self.close()?;
        let is_right =
            if function == FormulaFunction::Sqrt { arguments.len() == 1 } else { arguments.len() > 1 };
        if !is_right {
            self.at = start;
            return Err(self.fault(&format!("`{name}` has the wrong number of arguments")));
        }
        Ok(FormulaNode::Call(function, arguments))
    }
}

fn depth_on_the_left(node: &FormulaNode) -> usize {
    let mut depth = 0;
    let mut node = node;
    while let FormulaNode::Binary(_, left, _) = node {
        depth += 1;
        node = left;
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_of(text: &str, value: f64) -> f64 {
        CredentialFormula::parse(text).and_then(|expression| expression.evaluate(value)).expect(text)
    }

    fn fault(text: &str, value: f64) -> String {
        let result = CredentialFormula::parse(text).and_then(|expression| expression.evaluate(value));
        result.expect_err(text).to_string()
    }

    #[test]
    fn formulas_of_the_documents_give_their_scores() {
        assert_eq!(value_of("0.5 + 0.2 * sqrt(value)", 16.0), 1.3);
        assert_eq!(value_of("min(0.8 + 0.1 * value, 1.4)", 12.0), 1.4);
        assert_eq!(value_of("max(value, 3, 2)", 1.0), 3.0);
    }

    #[test]
    fn precedence_is_that_of_python() {
        assert_eq!(value_of("-2 ** 2", 0.0), -4.0);
        assert_eq!(value_of("2 ** -1", 0.0), 0.5);
        assert_eq!(value_of("2 ** 3 ** 2", 0.0), 512.0);
        assert_eq!(value_of("8 / 4 / 2", 0.0), 1.0);
        assert_eq!(value_of("1 - 2 - 3", 0.0), -4.0);
        assert_eq!(value_of("--+value*2", 3.0), 6.0);
        assert_eq!(value_of("(1 + 2) * 3e0 - .5 - 1.", 0.0), 7.5);
    }

    #[test]
    fn what_has_no_value_says_why() {
        assert_eq!(fault("1 / (value - 1)", 1.0), "a division by zero");
        assert_eq!(fault("sqrt(value)", -1.0), "the root of a negative number");
        assert_eq!(fault("value ** 0.5", -8.0), "a negative number to a power that is not an integer");
        assert_eq!(fault("value ** -1", 0.0), "zero to a negative power");
        assert_eq!(fault("10 ** 400", 0.0), "the result does not fit into a float");
    }

    #[test]
    fn nothing_else_can_be_said() {
        assert_eq!(fault("__import__('os')", 0.0), "`__import__` is not known at character 1");
        assert_eq!(fault("value.real", 0.0), "an operator is missing at character 6");
        assert_eq!(fault("7 // 2", 0.0), "an operator is missing at character 3");
        assert_eq!(fault("min(1)", 0.0), "`min` has the wrong number of arguments at character 1");
        assert_eq!(fault("sqrt 4", 0.0), "`(` is missing at character 6");
        assert_eq!(fault("", 0.0), "the formula ends early at character 1");
        assert_eq!(fault("(1", 0.0), "`)` is missing at character 3");
        assert_eq!(fault("1 + é", 0.0), "a number, `value` or a function is missing at character 5");
        assert!(CredentialFormula::parse(&"(".repeat(100_000)).is_err());
        assert!(CredentialFormula::parse(&"2**".repeat(100_000)).is_err());
        assert!(CredentialFormula::parse(&"-".repeat(100_000)).is_err());
        assert!(CredentialFormula::parse(&"1+".repeat(100_000)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_much(text in "[-+*/().,0-9 a-zé_]{0,60}|(value|sqrt\\(|min\\(|\\)|,|\\*\\*|[0-9.e]| ){0,20}") {
            if let Ok(expression) = CredentialFormula::parse(&text) {
                let _ = expression.evaluate(2.0);
            }
        }
    }
}
