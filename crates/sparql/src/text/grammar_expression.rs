//! The expressions of the recogniser (productions 110 to 128 of the SPARQL 1.1 grammar). `GrammarRecognizer` is
//! defined in `grammar.rs`.

use crate::text::grammar::{GrammarRecognizer, GrammarResult, shortened};
use crate::text::query_text_fault::QueryTextFault;
use crate::text::tokens::SparqlTokenKind;
use evalgraph_diagnostics::nearest::nearest;

/// The functions and aggregates of SPARQL 1.1.
pub(crate) const FUNCTIONS: [&str; 60] = [
    "STR",
    "LANG",
    "LANGMATCHES",
    "DATATYPE",
    "BOUND",
    "IRI",
    "URI",
    "BNODE",
    "RAND",
    "ABS",
    "CEIL",
    "FLOOR",
    "ROUND",
    "CONCAT",
    "SUBSTR",
    "STRLEN",
    "REPLACE",
    "UCASE",
    "LCASE",
    "ENCODE_FOR_URI",
    "CONTAINS",
    "STRSTARTS",
    "STRENDS",
    "STRBEFORE",
    "STRAFTER",
    "YEAR",
    "MONTH",
    "DAY",
    "HOURS",
    "MINUTES",
    "SECONDS",
    "TIMEZONE",
    "TZ",
    "NOW",
    "UUID",
    "STRUUID",
    "MD5",
    "SHA1",
    "SHA256",
    "SHA384",
    "SHA512",
    "COALESCE",
    "IF",
    "STRLANG",
    "STRDT",
    "SAMETERM",
    "ISIRI",
    "ISURI",
    "ISBLANK",
    "ISLITERAL",
    "ISNUMERIC",
    "REGEX",
    "COUNT",
    "SUM",
    "MIN",
    "MAX",
    "AVG",
    "SAMPLE",
    "GROUP_CONCAT",
    "ADJUST",
];

/// The functions that are computed from all values of a group: aggregates.
pub(crate) const AGGREGATES: [&str; 7] = ["COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"];
const COMPARISONS: [&str; 6] = ["=", "!=", "<", ">", "<=", ">="];

/// Returns whether a word begins a call: the name of a function, EXISTS or NOT EXISTS.
pub(crate) fn is_function(word: &str) -> bool {
    FUNCTIONS.iter().chain(&["EXISTS", "NOT"]).any(|name| name.eq_ignore_ascii_case(word))
}

impl GrammarRecognizer<'_> {
    /// Reads the condition after FILTER, HAVING and similar keywords: brackets or a call.
    pub(crate) fn constraint(&mut self, keyword: &str) -> GrammarResult {
        if self.is("(") {
            return self.bracketed();
        }
        if self.starts_call() {
            return self.primary();
        }
        let fault = self.unexpected("`(`");
        Err(if self.kind() == Some(SparqlTokenKind::Variable) || self.is("!") {
            fault.with_help(format!("put the condition into brackets: `{keyword}(…)`"))
        } else {
            fault.with_suggestion(self.meant(&FUNCTIONS))
        })
    }

    /// Returns whether a call can begin here: a function by its word or by its IRI.
    pub(crate) fn starts_call(&self) -> bool {
        match self.kind() {
            Some(SparqlTokenKind::Word) => is_function(self.here()) || self.next_is_bracket(),
            Some(SparqlTokenKind::Iri | SparqlTokenKind::PrefixedName) => true,
            _ => false,
        }
    }

    pub(crate) fn bracketed(&mut self) -> GrammarResult {
        self.open("(", "")?;
        self.expression()?;
        self.after_operand("an operator")?;
        self.close(")")
    }

    /// Refuses a second operand or an unknown operator after an operand. `missing` is what should be between operands.
    pub(crate) fn after_operand(&self, missing: &str) -> GrammarResult {
        if self.is("==") {
            return Err(QueryTextFault::syntax(self.span(), "`==` is not an operator of SPARQL")
                .with_help("SPARQL compares with `=`: did you mean `=`?"));
        }
        if self.is("<>") {
            return Err(QueryTextFault::syntax(self.span(), "`<>` is not an operator of SPARQL")
                .with_help("did you mean `!=`?"));
        }
        if self.is("&") || self.is("|") || self.is_word_of(&["AND", "OR"]) {
            let meant = if self.is("&") || self.is_word("AND") { "&&" } else { "||" };
            return Err(QueryTextFault::syntax(
                self.span(),
                format!("`{}` is not an operator of SPARQL", self.here()),
            )
            .with_help(format!("did you mean `{meant}`?")));
        }
        if self.is_word("LIKE") {
            return Err(QueryTextFault::syntax(self.span(), "`LIKE` is not an operator of SPARQL")
                .with_help("write `CONTAINS(?text, \"part\")`, or `REGEX(?text, \"pattern\", \"i\")`"));
        }
        if self.starts_operand() {
            let here = shortened(self.here());
            return Err(QueryTextFault::syntax(self.span(), format!("{missing} is missing before `{here}`")));
        }
        Ok(())
    }

    pub(crate) fn starts_operand(&self) -> bool {
        self.starts_term()
            || self.kind() == Some(SparqlTokenKind::Word) && !self.is_word_of(&["AS", "IN", "NOT"])
    }

    /// One expression.
    pub(crate) fn expression(&mut self) -> GrammarResult {
        loop {
            // No tree is built, so operators need no precedence.
            self.relation()?;
            if !self.take("||") && !self.take("&&") {
                return Ok(());
            }
        }
    }

    pub(crate) fn relation(&mut self) -> GrammarResult {
        self.sum()?;
        if self.is_word("NOT") || self.is_word("IN") {
            if self.take_word("NOT") && !self.is_word("IN") {
                return Err(self.unexpected("`IN`"));
            }
            self.advance();
            return self.arguments("IN");
        }
        if COMPARISONS.iter().any(|operator| self.is(operator)) {
            let equals = self.is("=");
            self.advance();
            // `=<` and `=>` are two tokens, and the first one is an operator.
            if equals && (self.is("<") || self.is(">") || self.is("=")) {
                let wrong = format!("={}", self.here());
                let meant = match self.here() {
                    "=" => "=".to_owned(),
                    other => format!("{other}="),
                };
                let span = self.span().start - 1..self.span().end;
                return Err(QueryTextFault::syntax(span, format!("`{wrong}` is not an operator of SPARQL"))
                    .with_help(format!("did you mean `{meant}`?")));
            }
            self.sum()?;
        }
        Ok(())
    }

    pub(crate) fn sum(&mut self) -> GrammarResult {
        loop {
            self.operand()?;
            if !["+", "-", "*", "/"].iter().any(|operator| self.is(operator)) {
                return Ok(());
            }
            self.advance();
        }
    }

    pub(crate) fn operand(&mut self) -> GrammarResult {
        while self.is("!") || self.is_sign() {
            self.advance();
        }
        self.primary()
    }

    pub(crate) fn primary(&mut self) -> GrammarResult {
        if self.is("(") {
            return self.bracketed();
        }
        match self.kind() {
            Some(SparqlTokenKind::Word) => self.word_in_expression(),
            Some(SparqlTokenKind::Iri | SparqlTokenKind::PrefixedName) => {
                self.name("a value")?;
                if self.is("(") { self.arguments("the function") } else { Ok(()) }
            }
            Some(SparqlTokenKind::String) => self.literal(),
            Some(SparqlTokenKind::Variable | SparqlTokenKind::Number) => {
                self.advance();
                Ok(())
            }
            _ => {
                self.after_operand("a value")?;
                Err(self.unexpected("a value"))
            }
        }
    }

    pub(crate) fn word_in_expression(&mut self) -> GrammarResult {
        if self.is_word_of(&["true", "false"]) {
            self.advance();
            return Ok(());
        }
        if self.is_word("NOT") || self.is_word("EXISTS") {
            if self.take_word("NOT") && !self.is_word("EXISTS") {
                return Err(self
                    .unexpected("`EXISTS`")
                    .with_help("the negation of a condition is written `!`: `!(…)`"));
            }
            self.advance();
            return self.group_that_binds_nothing();
        }
        let name = self.here();
        if self.next_is_bracket() {
            if !is_function(name) {
                let message = format!("`{name}` is not a function of SPARQL");
                return Err(QueryTextFault::new("sparql::unknown-function", self.span(), message)
                    .with_suggestion(nearest(name, FUNCTIONS)));
            }
            if self.is_in_pattern && AGGREGATES.iter().any(|aggregate| self.is_word(aggregate)) {
                let message = format!("`{name}` is not allowed in FILTER or BIND");
                return Err(QueryTextFault::syntax(self.span(), message)
                    .with_help("put a condition on a group into HAVING, after GROUP BY"));
            }
            self.advance();
            return self.arguments(name);
        }
        if is_function(name) {
            self.advance();
            return Err(self.unexpected(&format!("`(` after {}", name.to_ascii_uppercase())));
        }
        Err(self.unexpected("a value").with_help("put a string into quotes; a variable begins with `?`"))
    }

    pub(crate) fn arguments(&mut self, function: &str) -> GrammarResult {
        self.open("(", &format!("after {function}"))?;
        self.take_word("DISTINCT");
        if self.take("*") || self.is(")") {
            return self.close(")");
        }
        loop {
            self.expression()?;
            if self.take(";") {
                return self.separator();
            }
            if !self.take(",") {
                break;
            }
        }
        if self.is_word("LIKE") {
            return Err(QueryTextFault::syntax(self.span(), "`LIKE` is not an operator of SPARQL")
                .with_help("write `CONTAINS(?text, \"part\")`, or `REGEX(?text, \"pattern\", \"i\")`"));
        }
        if self.starts_operand() {
            let here = shortened(self.here());
            return Err(QueryTextFault::syntax(self.span(), format!("a comma is missing before `{here}`"))
                .with_help("arguments are separated by commas: add `,`"));
        }
        self.after_operand("an operator")?;
        self.close(")")
    }

    pub(crate) fn separator(&mut self) -> GrammarResult {
        if !self.take_word("SEPARATOR") || !self.take("=") || self.kind() != Some(SparqlTokenKind::String) {
            return Err(self.unexpected("`SEPARATOR = \"…\"`"));
        }
        self.advance();
        self.close(")")
    }
}
