//! A recogniser for SPARQL 1.1 queries (section 19.8 of the recommendation). It finds the first token that breaks the
//! grammar, and guesses which one was meant.
//!
//! It runs only on texts that `spargebra` has refused or that contain `<?`. Patterns are recognised in
//! [`grammar_pattern`](crate::text::grammar_pattern), expressions in
//! [`grammar_expression`](crate::text::grammar_expression).

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::text::prefixes::QueryPrefixes;
use crate::text::query_text_fault::QueryTextFault;
use crate::text::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::nearest::nearest;

pub(crate) type GrammarResult = Result<(), QueryTextFault>;

const QUERY_FORMS: [&str; 6] = ["SELECT", "CONSTRUCT", "ASK", "DESCRIBE", "PREFIX", "BASE"];
pub(crate) const UPDATE_FORMS: [&str; 10] =
    ["INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"];
pub(crate) const MODIFIERS: [&str; 6] = ["GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"];

/// Finds the first fault of a query that may use `prefixes`. Returns `None` if the text follows the grammar.
pub(crate) fn first_fault(text: &str, prefixes: &QueryPrefixes) -> Option<QueryTextFault> {
    GrammarRecognizer::new(text, prefixes).query().err()
}

/// Reads the tokens of one query from left to right. Other methods are in `grammar_expression.rs`,
/// `grammar_pattern.rs` and `grammar_update.rs`.
pub(crate) struct GrammarRecognizer<'t> {
    text: &'t str,
    /// The kind of text in messages, `query` or `update`.
    what: &'static str,
    tokens: Vec<SparqlToken>,
    /// The number of the current token.
    pub(crate) at: usize,
    pub(crate) prefixes: QueryPrefixes,
    open: Vec<usize>,
    /// The variables that each open group binds, the innermost last.
    pub(crate) scopes: Vec<HashSet<&'t str>>,
    /// The labels of blank nodes, each with the number of the group that it occurs in.
    pub(crate) labels: HashMap<&'t str, usize>,
    pub(crate) groups: Vec<usize>,
    /// The labels of every INSERT DATA that has been read.
    pub(crate) data_labels: HashSet<&'t str>,
    /// `true` if FILTER or BIND is being read, where aggregates are not allowed.
    pub(crate) is_in_pattern: bool,
}

impl<'t> GrammarRecognizer<'t> {
    /// A recogniser of an update.
    pub(crate) fn of_update(text: &'t str, prefixes: &QueryPrefixes) -> Self {
        Self { what: "update", ..Self::new(text, prefixes) }
    }

    fn new(text: &'t str, prefixes: &QueryPrefixes) -> Self {
        let tokens = tokenize(text);
        Self {
            text,
            what: "query",
            tokens,
            at: 0,
            prefixes: prefixes.clone(),
            open: Vec::new(),
            scopes: Vec::new(),
            labels: HashMap::new(),
            groups: vec![0],
            data_labels: HashSet::new(),
            is_in_pattern: false,
        }
    }

    /// The labels of blank nodes among the tokens from `start` up to the current one, with their places.
    pub(crate) fn labels_from(&self, start: usize) -> Vec<(&'t str, Range<usize>)> {
        let labels =
            self.tokens[start..self.at].iter().filter(|token| token.kind == SparqlTokenKind::BlankNode);
        labels.map(|token| (&self.text[token.span.clone()], token.span.clone())).collect()
    }

    pub(crate) fn token(&self) -> Option<&SparqlToken> {
        self.tokens.get(self.at)
    }

    /// The kind, the text and the place of a token, by its number.
    pub(crate) fn token_at(&self, at: usize) -> Option<(SparqlTokenKind, &'t str, Range<usize>)> {
        let token = self.tokens.get(at)?;
        Some((token.kind, &self.text[token.span.clone()], token.span.clone()))
    }

    pub(crate) fn kind(&self) -> Option<SparqlTokenKind> {
        self.token().map(|token| token.kind)
    }

    pub(crate) fn here(&self) -> &'t str {
        self.token().map_or("", |token| &self.text[token.span.clone()])
    }

    /// Returns whether the token before the current one is exactly this word.
    pub(crate) fn follows_word(&self, word: &str) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| &self.text[token.span.clone()] == word)
    }

    /// Returns whether a bracket follows the current token, as after the name of a function.
    pub(crate) fn next_is_bracket(&self) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|token| &self.text[token.span.clone()] == "(")
    }

    /// The place of the current token, or the end of the text.
    pub(crate) fn span(&self) -> Range<usize> {
        self.token().map_or(self.text.len()..self.text.len(), |token| token.span.clone())
    }

    pub(crate) fn advance(&mut self) {
        self.at += 1;
    }

    pub(crate) fn is(&self, symbol: &str) -> bool {
        self.kind() == Some(SparqlTokenKind::Symbol) && self.here() == symbol
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind() == Some(SparqlTokenKind::Word) && self.here().eq_ignore_ascii_case(word)
    }

    pub(crate) fn is_word_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is_word(word))
    }

    pub(crate) fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    /// Reads an opening bracket and remembers its place.
    pub(crate) fn open(&mut self, bracket: &str, what_for: &str) -> GrammarResult {
        if !self.is(bracket) {
            return Err(self.unexpected(&format!("`{bracket}` {what_for}")));
        }
        self.open.push(self.span().start);
        self.advance();
        Ok(())
    }

    /// Reads a closing bracket. If it is missing, the fault points at the opening one.
    pub(crate) fn close(&mut self, bracket: &str) -> GrammarResult {
        if self.take(bracket) {
            self.open.pop();
            return Ok(());
        }
        Err(self.unclosed(bracket))
    }

    pub(crate) fn unclosed(&self, bracket: &str) -> QueryTextFault {
        let fault = if self.token().is_none() {
            QueryTextFault::syntax(
                self.span(),
                format!("the {} ends before a closing `{bracket}`", self.what),
            )
        } else {
            self.unexpected(&format!("`{bracket}`"))
        };
        match self.open.last() {
            Some(&start) => {
                let opened = &self.text[start..=start];
                fault
                    .with_related(start..start + 1, format!("`{opened}` was opened here"))
                    .with_help(format!("add the missing `{bracket}`"))
            }
            None => fault,
        }
    }

    /// A fault at the current token, with the token found and the one expected.
    pub(crate) fn unexpected(&self, expected: &str) -> QueryTextFault {
        let span = self.span();
        match self.kind() {
            None => {
                QueryTextFault::syntax(span, format!("the {} ends where {expected} is expected", self.what))
            }
            Some(SparqlTokenKind::UnclosedString) => {
                QueryTextFault::syntax(span, "a quoted string is not closed").with_help(
                    "close it with the quote it began with; a string over several lines needs `\"\"\"`",
                )
            }
            Some(SparqlTokenKind::Stray) => QueryTextFault::syntax(
                span,
                format!("`{}` does not belong to SPARQL", self.here().escape_debug()),
            )
            .with_suggestion(typographic(self.here())),
            Some(_) => QueryTextFault::syntax(
                span,
                format!("expected {expected}, found `{}`", shortened(self.here())),
            ),
        }
    }

    /// The word of `words` that was probably meant by the current word.
    pub(crate) fn meant(&self, words: &[&'static str]) -> Option<&'static str> {
        nearest(self.here(), words.iter().copied()).filter(|_| self.kind() == Some(SparqlTokenKind::Word))
    }

    pub(crate) fn query(&mut self) -> GrammarResult {
        self.prologue()?;
        if self.take_word("SELECT") {
            self.select_clause()?;
            self.dataset_clauses()?;
            self.where_clause()?;
        } else if self.take_word("CONSTRUCT") {
            self.construct()?;
        } else if self.take_word("DESCRIBE") {
            self.describe()?;
        } else if self.take_word("ASK") {
            self.dataset_clauses()?;
            self.where_clause()?;
        } else {
            return Err(self.no_query_form());
        }
        self.modifiers()?;
        self.end()
    }

    pub(crate) fn no_query_form(&self) -> QueryTextFault {
        if self.token().is_none() {
            return QueryTextFault::syntax(self.span(), "the query is empty")
                .with_help("write for example `SELECT ?question WHERE { ?question a s:Question }`");
        }
        if self.is_word_of(&UPDATE_FORMS) {
            return QueryTextFault::syntax(
                self.span(),
                format!("`{}` begins an update, not a query", self.here()),
            )
            .with_help(help![
                "run it with ",
                command("update"),
                "; a query begins with SELECT, CONSTRUCT, ASK or DESCRIBE"
            ]);
        }
        self.unexpected("SELECT, CONSTRUCT, ASK or DESCRIBE").with_suggestion(self.meant(&QUERY_FORMS))
    }

    pub(crate) fn prologue(&mut self) -> GrammarResult {
        loop {
            if self.take_word("BASE") {
                self.expect_kind(SparqlTokenKind::Iri, "an IRI in angle brackets")?;
            } else if self.take_word("PREFIX") {
                let name = self.here();
                if self.kind() != Some(SparqlTokenKind::PrefixedName) || !name.ends_with(':') {
                    return Err(self.unexpected("a prefix with a colon such as `ex:`"));
                }
                self.advance();
                let iri = self.here();
                self.expect_kind(SparqlTokenKind::Iri, "the IRI of the prefix in angle brackets")?;
                self.prefixes.declare(&name[..name.len() - 1], iri.trim_matches(['<', '>']));
            } else {
                return Ok(());
            }
        }
    }

    pub(crate) fn expect_kind(&mut self, kind: SparqlTokenKind, expected: &str) -> GrammarResult {
        if self.kind() == Some(kind) {
            self.advance();
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    pub(crate) fn select_clause(&mut self) -> GrammarResult {
        if !self.take_word("DISTINCT") {
            self.take_word("REDUCED");
        }
        if self.take("*") {
            return Ok(());
        }
        let start = self.at;
        loop {
            if self.kind() == Some(SparqlTokenKind::Variable) {
                self.advance();
            } else if self.is("(") {
                self.open("(", "")?;
                self.expression()?;
                self.alias()?;
                self.close(")")?;
            } else if self.is(",") {
                return Err(self
                    .unexpected("the next variable")
                    .with_help("variables of SELECT are separated by spaces; leave the `,` out"));
            } else if self.kind() == Some(SparqlTokenKind::Word) && self.next_is_bracket() {
                return Err(self
                    .unexpected("a variable")
                    .with_help(format!("write `({}(…) AS ?name)`", self.here())));
            } else if self.at == start {
                return Err(self.unexpected("`*` or a variable"));
            } else {
                return Ok(());
            }
        }
    }

    /// `AS ?name`.
    pub(crate) fn alias(&mut self) -> GrammarResult {
        if !self.take_word("AS") {
            return Err(self.unexpected("`AS` and a variable"));
        }
        // Section 10.1: the variable of BIND must not have a value in its group yet.
        if self.is_in_pattern && self.scopes.last().is_some_and(|scope| scope.contains(self.here())) {
            let message = format!("BIND gives a value to `{}`, which has one already", self.here());
            return Err(
                QueryTextFault::syntax(self.span(), message).with_help("choose another name after AS")
            );
        }
        self.bind_here();
        self.expect_kind(SparqlTokenKind::Variable, "a variable")
    }

    /// Records that the current variable has a value in the group that is being read.
    pub(crate) fn bind_here(&mut self) {
        let name = self.here();
        if self.kind() == Some(SparqlTokenKind::Variable)
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.insert(name);
        }
    }

    pub(crate) fn construct(&mut self) -> GrammarResult {
        if self.is("{") {
            self.open("{", "")?;
            self.triples_until_close()?;
            self.close("}")?;
        }
        self.dataset_clauses()?;
        self.where_clause()
    }

    pub(crate) fn describe(&mut self) -> GrammarResult {
        if !self.take("*") {
            if !self.is_name_or_variable() {
                return Err(self.unexpected("`*`, a variable or an IRI"));
            }
            while self.is_name_or_variable() {
                self.name_or_variable()?;
            }
        }
        self.dataset_clauses()?;
        if self.is("{") || self.is_word("WHERE") { self.where_clause() } else { Ok(()) }
    }

    pub(crate) fn dataset_clauses(&mut self) -> GrammarResult {
        while self.take_word("FROM") {
            self.take_word("NAMED");
            self.name("the IRI of a graph")?;
        }
        Ok(())
    }

    pub(crate) fn where_clause(&mut self) -> GrammarResult {
        if !self.take_word("WHERE") && !self.is("{") {
            return Err(self.unexpected("`WHERE` or `{`").with_suggestion(self.meant(&["WHERE", "FROM"])));
        }
        self.group_graph_pattern()
    }

    pub(crate) fn modifiers(&mut self) -> GrammarResult {
        if self.take_word("GROUP") {
            self.expect_by("GROUP")?;
            self.conditions("GROUP BY")?;
        }
        if self.take_word("HAVING") {
            self.conditions("HAVING")?;
        }
        if self.take_word("ORDER") {
            self.expect_by("ORDER")?;
            self.conditions("ORDER BY")?;
        }
        while self.is_word_of(&["LIMIT", "OFFSET"]) {
            let keyword = self.here().to_ascii_uppercase();
            self.advance();
            if !self.here().bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(self.unexpected(&format!("a whole number after {keyword}")));
            }
            self.expect_kind(SparqlTokenKind::Number, &format!("a whole number after {keyword}"))?;
        }
        if self.take_word("VALUES") {
            self.data_block()?;
        }
        Ok(())
    }

    pub(crate) fn expect_by(&mut self, keyword: &str) -> GrammarResult {
        if self.take_word("BY") { Ok(()) } else { Err(self.unexpected(&format!("`BY` after {keyword}"))) }
    }

    pub(crate) fn conditions(&mut self, clause: &str) -> GrammarResult {
        let start = self.at;
        loop {
            let is_direction = self.is_word_of(&["ASC", "DESC"]);
            if self.kind() == Some(SparqlTokenKind::Variable) {
                self.advance();
            } else if self.is("(") {
                self.open("(", "")?;
                self.expression()?;
                if self.is_word("AS") {
                    self.alias()?;
                }
                self.close(")")?;
            } else if is_direction {
                // The next round reads the bracket.
                self.advance();
                if !self.is("(") {
                    return Err(self.unexpected("`(`").with_help("write for example `DESC(?date)`"));
                }
            } else if self.starts_call() {
                self.constraint(clause)?;
            } else if self.at == start {
                return Err(self.unexpected(&format!("a variable or an expression after {clause}")));
            } else {
                return Ok(());
            }
        }
    }

    pub(crate) fn end(&self) -> GrammarResult {
        if self.token().is_none() {
            return Ok(());
        }
        let fault = self.unexpected("the end of the query");
        if self.is("}") {
            return Err(QueryTextFault::syntax(self.span(), "`}` closes a group that was never opened"));
        }
        if self.is_word_of(&MODIFIERS) {
            return Err(fault.with_help("the order is GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET, VALUES"));
        }
        Err(fault.with_suggestion(self.meant(&MODIFIERS)))
    }
}

/// A token as messages quote it: on one line, shortened if it is too long.
pub(crate) fn shortened(token: &str) -> String {
    const LONGEST: usize = 40;
    let line: String = token.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if token.chars().count() > LONGEST { format!("{line}…") } else { line }
}

/// The plain character that a word processor replaced.
fn typographic(stray: &str) -> Option<&'static str> {
    match stray {
        "“" | "”" | "„" | "«" | "»" => Some("\""),
        "‘" | "’" => Some("'"),
        "–" | "—" | "−" => Some("-"),
        "≤" => Some("<="),
        "≥" => Some(">="),
        "≠" => Some("!="),
        _ => None,
    }
}
