//! Expressions as SQL (SPARQL 1.1, section 17). An error of an expression is NULL in every part of its value.

use oxrdf::Variable;
use oxrdf::vocab::xsd;
use spargebra::algebra::Expression;

use super::comparisons::{TruthUse, as_float, equality, is_moment, ordering, truth};
use super::sql_refusal::SqlRefusal;
use super::sql_relation::SqlRelation;
use super::sql_value::{SolutionScope, SqlValue, case};
use super::translator::SqlTranslator;
use super::value_kinds::ValueKinds;
use evalgraph_sparql::operands_of_mut;

/// The largest text of one expression: parts of values repeat the texts of their operands.
const LONGEST: usize = 1 << 23;

impl SqlTranslator<'_> {
    /// Returns a condition in SQL.
    pub(crate) fn truth(
        &mut self,
        expression: &Expression,
        scope: &SolutionScope,
        mode: TruthUse,
    ) -> Result<String, SqlRefusal> {
        let dialect = self.dialect;
        let mut of_both =
            |left: &Expression, right: &Expression, operator: &str| -> Result<String, SqlRefusal> {
                let (left, right) = (self.truth(left, scope, mode)?, self.truth(right, scope, mode)?);
                Ok(format!("({left} {operator} {right})"))
            };
        let text = match expression {
            Expression::And(left, right) => of_both(left, right, "AND")?,
            Expression::Or(left, right) => of_both(left, right, "OR")?,
            Expression::Not(inner) => format!("(NOT {})", self.truth(inner, scope, TruthUse::Exact)?),
            Expression::Equal(left, right) => {
                let (left, right) = (self.value(left, scope)?, self.value(right, scope)?);
                equality(&left, &right, mode, dialect)
            }
            Expression::SameTerm(left, right) => {
                let (left, right) = (self.value(left, scope)?, self.value(right, scope)?);
                format!("({} = {} AND {} = {})", left.text, right.text, left.type_name, right.type_name)
            }
            Expression::Less(left, right) => self.ordering("<", left, right, scope)?,
            Expression::LessOrEqual(left, right) => self.ordering("<=", left, right, scope)?,
            Expression::Greater(left, right) => self.ordering(">", left, right, scope)?,
            Expression::GreaterOrEqual(left, right) => self.ordering(">=", left, right, scope)?,
            Expression::In(value, list) => {
                let value = self.value(value, scope)?;
                let mut parts = Vec::new();
                for member in list {
                    let member = self.value(member, scope)?;
                    parts.push(equality(&value, &member, mode, dialect));
                }
                match parts.is_empty() {
                    // An empty list has no member, whatever the value is.
                    true if value.is_certain => "FALSE".to_owned(),
                    true => format!("CASE WHEN {} THEN FALSE END", value.is_there()),
                    false => format!("({})", parts.join(" OR ")),
                }
            }
            Expression::Bound(variable) => {
                scope.get(variable.as_str()).map_or_else(|| "FALSE".to_owned(), SqlValue::is_there)
            }
            Expression::Exists(pattern) => self.exists(pattern, scope)?,
            expression => truth(&self.value(expression, scope)?, dialect),
        };
        bounded(text)
    }

    /// Adds columns for the operands of an expression that are themselves computed: their texts would otherwise be
    /// repeated. Returns the table with these columns, and the expression over them.
    pub(crate) fn with_operands(
        &mut self,
        relation: SqlRelation,
        expression: &Expression,
    ) -> Result<(SqlRelation, Expression), SqlRefusal> {
        let (mut relation, mut rewritten) = (relation, expression.clone());
        self.hoist(&mut relation, &mut rewritten)?;
        Ok((relation, rewritten))
    }

    fn hoist(&mut self, relation: &mut SqlRelation, expression: &mut Expression) -> Result<(), SqlRefusal> {
        // The operands of these conditions are not repeated.
        let is_plain = matches!(expression, Expression::And(..) | Expression::Or(..) | Expression::Not(_));
        for operand in operands_of_mut(expression) {
            self.hoist(relation, operand)?;
            if is_plain || !is_computed(operand) {
                continue;
            }
            let name = format!("operand:{}", self.fresh());
            self.uses.add_computed(&name);
            let variable = Variable::new_unchecked(name);
            let computed = std::mem::replace(operand, Expression::Variable(variable.clone()));
            *relation = self.extended(relation, &variable, &computed, None)?;
        }
        Ok(())
    }

    fn ordering(
        &mut self,
        operator: &str,
        left: &Expression,
        right: &Expression,
        scope: &SolutionScope,
    ) -> Result<String, SqlRefusal> {
        let (left, right) = (self.value(left, scope)?, self.value(right, scope)?);
        Ok(ordering(operator, &left, &right, self.dialect))
    }

    /// Returns the value of an expression.
    pub(crate) fn value(
        &mut self,
        expression: &Expression,
        scope: &SolutionScope,
    ) -> Result<SqlValue, SqlRefusal> {
        let dialect = self.dialect;
        let value = match expression {
            Expression::NamedNode(node) => SqlValue::from_term(&node.clone().into(), dialect)?,
            Expression::Literal(literal) => SqlValue::from_term(&literal.clone().into(), dialect)?,
            Expression::Variable(variable) => {
                scope.get(variable.as_str()).cloned().unwrap_or_else(|| SqlValue::absent(dialect))
            }
            Expression::Add(left, right) => self.arithmetic("+", left, right, scope)?,
            Expression::Subtract(left, right) => self.arithmetic("-", left, right, scope)?,
            Expression::Multiply(left, right) => self.arithmetic("*", left, right, scope)?,
            Expression::Divide(left, right) => self.arithmetic("/", left, right, scope)?,
            Expression::UnaryPlus(inner) => {
                let value = self.value(inner, scope)?;
                self.numeric(&value, |number, _| number.to_owned())
            }
            Expression::UnaryMinus(inner) => {
                let value = self.value(inner, scope)?;
                self.numeric(&value, |number, _| format!("(-{number})"))
            }
            Expression::If(condition, then, otherwise) => {
                let condition = self.truth(condition, scope, TruthUse::Exact)?;
                let parts = [self.value(then, scope)?, self.value(otherwise, scope)?];
                SqlValue::combined(&parts, dialect, |parts| {
                    let [then, otherwise] = [parts[0], parts[1]];
                    format!("CASE WHEN {condition} THEN {then} WHEN NOT {condition} THEN {otherwise} END")
                })
            }
            Expression::Coalesce(list) if list.is_empty() => SqlValue::absent(dialect),
            Expression::Coalesce(list) => {
                let mut values = Vec::new();
                for member in list {
                    values.push(self.value(member, scope)?);
                }
                let conditions: Vec<String> = values.iter().map(SqlValue::is_there).collect();
                let mut value = SqlValue::combined(&values, dialect, |parts| {
                    let parts = parts.iter().map(|part| (*part).to_owned());
                    case(&conditions.iter().cloned().zip(parts).collect::<Vec<_>>(), None)
                });
                value.is_certain = values.iter().any(|value| value.is_certain);
                value
            }
            Expression::FunctionCall(function, arguments) => self.call(function, arguments, scope)?,
            condition => SqlValue::from_boolean(&self.truth(condition, scope, TruthUse::Exact)?, dialect),
        };
        if value.text.len() > LONGEST || value.type_name.len() > LONGEST {
            return Err(too_long());
        }
        Ok(value)
    }

    /// The result of an operator or function that gives a number of the type of its operand. The second argument of
    /// `compute` tells exact numbers apart.
    pub(crate) fn numeric(&self, value: &SqlValue, compute: impl Fn(&str, bool) -> String) -> SqlValue {
        let dialect = self.dialect;
        let exact = value.exact.as_ref().map(|exact| {
            let computed = compute(exact, true);
            if value.kinds.may_be(ValueKinds::DECIMAL) {
                let is_decimal = value.has_datatype(xsd::DECIMAL, dialect);
                dialect.call("exact", &[&is_decimal, &computed])
            } else {
                dialect.call("exact", &["FALSE", &computed])
            }
        });
        let is_exact = value.kinds.are(ValueKinds::EXACT);
        let double = match (&value.double, &exact) {
            (Some(_), Some(exact)) if is_exact => Some(dialect.text_as_double(exact)),
            (Some(double), Some(exact)) => Some(format!(
                "CASE WHEN {exact} IS NOT NULL THEN {} ELSE {} END",
                dialect.text_as_double(exact),
                compute(double, false)
            )),
            (Some(double), None) => Some(compute(double, false)),
            (None, _) => None,
        };
        let is_number = match (&exact, &double) {
            (Some(exact), _) if is_exact => format!("{exact} IS NOT NULL"),
            (_, Some(double)) => format!("{double} IS NOT NULL"),
            _ => "FALSE".to_owned(),
        };
        // A type derived from xsd:integer has integers as results.
        let names = [
            (ValueKinds::DOUBLE, xsd::DOUBLE),
            (ValueKinds::FLOAT, xsd::FLOAT),
            (ValueKinds::DECIMAL, xsd::DECIMAL),
        ];
        let known = names.into_iter().filter(|(kind, _)| value.kinds.may_be(*kind));
        let known: Vec<(String, String)> =
            known.map(|(_, name)| (value.has_datatype(name, dialect), dialect.text(name.as_str()))).collect();
        let type_name = case(&known, Some(&dialect.text(xsd::INTEGER.as_str())));
        let mut cases = vec![(is_number, type_name)];
        let mut kinds = value.kinds & ValueKinds::NUMBER;
        if value.kinds.may_be(ValueKinds::OTHER) {
            // A duration has a negative, for example.
            let refusal = dialect.refuse_text("an operation with a duration has no column");
            cases.push((is_moment(value, dialect), refusal));
            kinds = kinds | ValueKinds::OTHER;
        }
        let type_name = case(&cases, Some(&format!("CAST(NULL AS {})", dialect.text_type())));
        SqlValue::from_number(kinds, [exact, double], type_name, dialect)
    }

    fn arithmetic(
        &mut self,
        operator: &str,
        left: &Expression,
        right: &Expression,
        scope: &SolutionScope,
    ) -> Result<SqlValue, SqlRefusal> {
        let dialect = self.dialect;
        let (left, right) = (self.value(left, scope)?, self.value(right, scope)?);
        let kinds = [left.kinds, right.kinds].map(|kinds| kinds & ValueKinds::NUMBER);
        let either = |kind: ValueKinds| kinds.iter().any(|kinds| kinds.may_be(kind));
        let is_of = |kind: ValueKinds, datatype| -> String {
            let of = [&left, &right].into_iter().filter(|value| value.kinds.may_be(kind));
            let of: Vec<String> = of.map(|value| value.has_datatype(datatype, dialect)).collect();
            if of.is_empty() { "FALSE".to_owned() } else { format!("({})", of.join(" OR ")) }
        };
        let is_double = is_of(ValueKinds::DOUBLE, xsd::DOUBLE);
        let is_float = is_of(ValueKinds::FLOAT, xsd::FLOAT);
        let is_decimal = is_of(ValueKinds::DECIMAL, xsd::DECIMAL);
        let exact = left.exact.as_ref().zip(right.exact.as_ref()).map(|(one, other)| {
            let result = match operator {
                "*" => dialect.call("product", &[one, other]),
                "/" => dialect.call("quotient", &[one, other]),
                operator => format!("({one} {operator} {other})"),
            };
            if operator == "/" { result } else { dialect.call("exact", &[&is_decimal, &result]) }
        });
        let mut doubles = Vec::new();
        if let Some(exact) = &exact {
            doubles.push((format!("{exact} IS NOT NULL"), dialect.text_as_double(exact)));
        }
        if let (Some(one), Some(other)) = (&left.double, &right.double) {
            if is_double != "FALSE" {
                doubles.push((is_double.clone(), format!("({one} {operator} {other})")));
            }
            if is_float != "FALSE" {
                let (one, other) = (as_float(&left, dialect), as_float(&right, dialect));
                doubles.push((is_float.clone(), format!("CAST(({one} {operator} {other}) AS DOUBLE)")));
            }
        }
        let double = (!doubles.is_empty()).then(|| case(&doubles, None));
        let mut result = ValueKinds::NONE;
        let mut types = Vec::new();
        for (kind, condition, name) in [
            (ValueKinds::DOUBLE, &is_double, xsd::DOUBLE),
            (ValueKinds::FLOAT, &is_float, xsd::FLOAT),
            (ValueKinds::DECIMAL, &is_decimal, xsd::DECIMAL),
        ] {
            if either(kind) {
                result = result | kind;
                types.push((condition.clone(), dialect.text(name.as_str())));
            }
        }
        let of_integers = if operator == "/" { xsd::DECIMAL } else { xsd::INTEGER };
        if kinds.iter().all(|kinds| kinds.may_be(ValueKinds::INTEGER)) {
            result = result | if operator == "/" { ValueKinds::DECIMAL } else { ValueKinds::INTEGER };
        }
        if kinds.contains(&ValueKinds::NONE) {
            return self.without_moments(&left, &right, operator);
        }
        let type_name = case(&types, Some(&dialect.text(of_integers.as_str())));
        let is_number = double.as_ref().map_or("FALSE".to_owned(), |double| format!("{double} IS NOT NULL"));
        let mut cases = vec![(is_number, type_name)];
        if left.kinds.may_be(ValueKinds::TIME | ValueKinds::OTHER)
            && right.kinds.may_be(ValueKinds::TIME | ValueKinds::OTHER)
        {
            let of_moments = [&left, &right].map(|value| is_moment(value, dialect));
            let refusal = dialect.refuse_text("the sum or difference of times and durations has no column");
            cases.push((of_moments.join(" AND "), refusal));
            result = result | ValueKinds::OTHER;
        }
        let type_name = case(&cases, None);
        Ok(SqlValue::from_number(result, [exact, double], type_name, dialect))
    }

    /// The result of an operator one of whose operands is not a number.
    fn without_moments(
        &self,
        left: &SqlValue,
        right: &SqlValue,
        operator: &str,
    ) -> Result<SqlValue, SqlRefusal> {
        let moments = ValueKinds::TIME | ValueKinds::OTHER;
        if left.kinds.may_be(moments) && right.kinds.may_be(moments) {
            let message = "the sum or difference of times and durations is not written as SQL";
            return Err(SqlRefusal::new(message, "compare the times instead").at(operator));
        }
        Ok(SqlValue::absent(self.dialect))
    }
}

/// Returns whether an expression is made of operands that it may repeat.
fn is_computed(expression: &Expression) -> bool {
    !matches!(
        expression,
        Expression::NamedNode(_)
            | Expression::Literal(_)
            | Expression::Variable(_)
            | Expression::Bound(_)
            | Expression::Exists(_)
            | Expression::Equal(..)
            | Expression::SameTerm(..)
            | Expression::And(..)
            | Expression::Or(..)
            | Expression::Not(_)
    )
}

fn bounded(text: String) -> Result<String, SqlRefusal> {
    if text.len() > LONGEST { Err(too_long()) } else { Ok(text) }
}

fn too_long() -> SqlRefusal {
    SqlRefusal::new(
        "an expression becomes too long as SQL",
        "split it with BIND, so that each part is computed once",
    )
}
