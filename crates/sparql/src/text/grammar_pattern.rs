//! Groups, triples, property paths and VALUES of the recogniser (productions 53 to 106 of the
//! SPARQL 1.1 grammar). `GrammarRecognizer` is defined in `grammar.rs`.

use std::collections::HashSet;

use crate::text::grammar::{GrammarRecognizer, GrammarResult, MODIFIERS, shortened};
use crate::text::grammar_expression::is_function;
use crate::text::query_text_fault::QueryTextFault;
use crate::text::tokens::SparqlTokenKind;
use evalgraph_diagnostics::nearest::nearest;

const PATTERN_KEYWORDS: [&str; 10] =
    ["FILTER", "OPTIONAL", "MINUS", "GRAPH", "SERVICE", "BIND", "VALUES", "UNION", "SELECT", "LATERAL"];

impl GrammarRecognizer<'_> {
    /// `{ … }`, a group or a subquery.
    pub(crate) fn group_graph_pattern(&mut self) -> GrammarResult {
        self.open("{", "")?;
        // EXISTS inside FILTER has a group, which may be a subquery with aggregates.
        let was_in_pattern = std::mem::replace(&mut self.is_in_pattern, false);
        // The first entry counts all groups, so each group has its own number.
        let group = self.groups[0] + 1;
        self.groups[0] = group;
        self.groups.push(group);
        self.scopes.push(HashSet::new());
        if self.take_word("SELECT") {
            self.subquery()?;
        } else {
            while !self.is("}") {
                self.group_element()?;
            }
        }
        self.groups.pop();
        let bound = self.scopes.pop().unwrap_or_default();
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(bound);
        }
        self.is_in_pattern = was_in_pattern;
        self.close("}")
    }

    /// A subquery after SELECT. Only its projected variables are visible outside.
    fn subquery(&mut self) -> GrammarResult {
        self.scopes.push(HashSet::new());
        self.select_clause()?;
        self.where_clause()?;
        self.modifiers()?;
        self.scopes.pop();
        Ok(())
    }

    pub(crate) fn group_element(&mut self) -> GrammarResult {
        if self.token().is_none() {
            return Err(self.unclosed("}"));
        }
        if self.is("{") {
            self.group_graph_pattern()?;
            while self.take_word("UNION") {
                self.group_graph_pattern()?;
            }
        } else if self.is_word_of(&PATTERN_KEYWORDS) {
            self.keyword_pattern()?;
        } else if self.starts_term() {
            return self.triples_block();
        } else {
            return Err(self.not_a_pattern());
        }
        self.take(".");
        Ok(())
    }

    pub(crate) fn not_a_pattern(&self) -> QueryTextFault {
        if self.kind() != Some(SparqlTokenKind::Word) {
            return self.unexpected("a triple, FILTER, OPTIONAL or `}`");
        }
        if self.is_word_of(&MODIFIERS) {
            return self.unclosed("}");
        }
        if is_function(self.here()) {
            let call = self.here();
            return self
                .unexpected("a triple, FILTER, OPTIONAL or `}`")
                .with_help(format!("put the condition into FILTER: `FILTER({call}(…))`"));
        }
        self.unexpected("a triple, FILTER, OPTIONAL or `}`").with_suggestion(self.meant(&PATTERN_KEYWORDS))
    }

    pub(crate) fn keyword_pattern(&mut self) -> GrammarResult {
        if self.take_word("FILTER") {
            self.is_in_pattern = true;
            self.constraint("FILTER")?;
            self.is_in_pattern = false;
            Ok(())
        } else if self.take_word("BIND") {
            self.is_in_pattern = true;
            self.open("(", "after BIND")?;
            self.expression()?;
            self.alias()?;
            self.is_in_pattern = false;
            self.close(")")
        } else if self.take_word("VALUES") {
            self.data_block()
        } else if self.is_word("UNION") {
            Err(self
                .unexpected("a triple, FILTER, OPTIONAL or `}`")
                .with_help("UNION must be between two groups: `{ … } UNION { … }`"))
        } else if self.is_word("SELECT") {
            Err(self
                .unexpected("a triple, FILTER, OPTIONAL or `}`")
                .with_help("a subquery needs its own braces: `{ SELECT … }`"))
        } else {
            let has_name = self.is_word("GRAPH") || self.is_word("SERVICE");
            let is_minus = self.is_word("MINUS");
            self.advance();
            if has_name {
                self.take_word("SILENT");
                self.bind_here();
                self.name_or_variable()?;
            }
            if is_minus { self.group_that_binds_nothing() } else { self.group_graph_pattern() }
        }
    }

    /// A group that binds no variables for the patterns around it.
    pub(crate) fn group_that_binds_nothing(&mut self) -> GrammarResult {
        let bound = self.scopes.last().cloned();
        self.group_graph_pattern()?;
        if let (Some(scope), Some(bound)) = (self.scopes.last_mut(), bound) {
            *scope = bound;
        }
        Ok(())
    }

    pub(crate) fn data_block(&mut self) -> GrammarResult {
        if self.is("(") {
            self.open("(", "")?;
            let mut width = 0usize;
            while self.kind() == Some(SparqlTokenKind::Variable) {
                self.bind_here();
                self.advance();
                width += 1;
            }
            self.close(")")?;
            self.open("{", "before the rows of VALUES")?;
            while self.is("(") {
                self.data_row(width)?;
            }
        } else {
            self.bind_here();
            self.expect_kind(SparqlTokenKind::Variable, "a variable after VALUES")?;
            self.open("{", "before the values")?;
            while !self.is("}") {
                self.data_value()?;
            }
        }
        self.close("}")
    }

    fn data_row(&mut self, width: usize) -> GrammarResult {
        let start = self.span().start;
        self.open("(", "")?;
        let mut values = 0usize;
        while !self.is(")") {
            self.data_value()?;
            values += 1;
        }
        let end = self.span().end;
        if values != width {
            let message = format!("the row has {values} values for {width} variables");
            return Err(
                QueryTextFault::syntax(start..end, message).with_help("write UNDEF where a value is missing")
            );
        }
        self.close(")")
    }

    pub(crate) fn data_value(&mut self) -> GrammarResult {
        if self.take_word("UNDEF") {
            return Ok(());
        }
        if self.token().is_none() {
            return Err(self.unclosed("}"));
        }
        if self.kind() == Some(SparqlTokenKind::Variable) || !self.starts_term() && !self.is_sign() {
            let fault = self.unexpected("a value or UNDEF");
            return Err(if self.is(",") { fault.with_help("values are separated by spaces") } else { fault });
        }
        self.term()
    }

    pub(crate) fn triples_block(&mut self) -> GrammarResult {
        self.triples_same_subject()?;
        if self.take(".") || self.is("}") || self.is("{") || self.token().is_none() {
            return Ok(());
        }
        if self.starts_term() {
            return Err(QueryTextFault::syntax(
                self.span(),
                format!("a new triple begins at `{}`", shortened(self.here())),
            )
            .with_help("end the triple before it: add `.`, or `;` to add more about the same subject"));
        }
        Ok(())
    }

    pub(crate) fn triples_until_close(&mut self) -> GrammarResult {
        while !self.is("}") {
            if self.token().is_none() {
                return Err(self.unclosed("}"));
            }
            if !self.starts_term() {
                return Err(self.unexpected("a triple or `}`"));
            }
            self.triples_block()?;
        }
        Ok(())
    }

    pub(crate) fn triples_same_subject(&mut self) -> GrammarResult {
        let says_something = self.is("[") || self.is("(");
        self.term()?;
        if says_something && !self.starts_verb() {
            return Ok(());
        }
        self.property_list()
    }

    pub(crate) fn property_list(&mut self) -> GrammarResult {
        loop {
            if !self.starts_verb() {
                return Err(self.not_a_verb());
            }
            self.verb()?;
            self.object_list()?;
            if !self.is(";") {
                return Ok(());
            }
            // The grammar allows several `;` in a row, also at the end.
            while self.take(";") {}
            if !self.starts_verb() {
                return Ok(());
            }
        }
    }

    pub(crate) fn not_a_verb(&self) -> QueryTextFault {
        self.unexpected("a property").with_suggestion(self.meant(&PATTERN_KEYWORDS))
    }

    pub(crate) fn object_list(&mut self) -> GrammarResult {
        loop {
            if !self.starts_term() && !self.is_sign() {
                let fault = self.unexpected("a value for the property");
                let is_bare =
                    self.kind() == Some(SparqlTokenKind::Word) && !self.is_word_of(&PATTERN_KEYWORDS);
                return Err(match is_bare {
                    true if self.follows_word("a") => {
                        fault.with_help(format!("a class has a prefix: `s:{}`", shortened(self.here())))
                    }
                    true => fault.with_help("put a string into quotes; a variable begins with `?`"),
                    false => fault,
                });
            }
            self.term()?;
            if !self.take(",") {
                return Ok(());
            }
        }
    }

    pub(crate) fn is_sign(&self) -> bool {
        self.is("+") || self.is("-")
    }

    pub(crate) fn starts_verb(&self) -> bool {
        self.kind() == Some(SparqlTokenKind::Variable)
            || self.is_name()
            || self.is_word("a")
            || ["^", "(", "!"].iter().any(|symbol| self.is(symbol))
    }

    pub(crate) fn verb(&mut self) -> GrammarResult {
        if self.kind() == Some(SparqlTokenKind::Variable) {
            self.bind_here();
            self.advance();
            return Ok(());
        }
        self.path()
    }

    pub(crate) fn path(&mut self) -> GrammarResult {
        loop {
            self.take("^");
            if self.take("!") {
                self.take("^");
            }
            if self.is("(") {
                self.open("(", "")?;
                if !self.is(")") {
                    self.path()?;
                }
                self.close(")")?;
            } else if !self.take_word("a") {
                self.name("a property")?;
            }
            while self.is("*") || self.is("?") || self.is("+") || self.is("**") {
                self.advance();
            }
            if !self.take("/") && !self.take("|") {
                return Ok(());
            }
        }
    }

    pub(crate) fn is_name(&self) -> bool {
        matches!(self.kind(), Some(SparqlTokenKind::Iri | SparqlTokenKind::PrefixedName)) || self.is("<>")
    }

    pub(crate) fn is_name_or_variable(&self) -> bool {
        self.is_name() || self.kind() == Some(SparqlTokenKind::Variable)
    }

    pub(crate) fn name_or_variable(&mut self) -> GrammarResult {
        if self.kind() == Some(SparqlTokenKind::Variable) {
            self.advance();
            return Ok(());
        }
        self.name("an IRI or a variable")
    }

    /// An IRI, written in full or with a prefix that must be known.
    pub(crate) fn name(&mut self, expected: &str) -> GrammarResult {
        if !self.is_name() {
            return Err(self.unexpected(expected));
        }
        if self.kind() == Some(SparqlTokenKind::PrefixedName) {
            let prefix = self.here().split(':').next().unwrap_or_default();
            if self.prefixes.namespace(prefix).is_none() {
                return Err(self.undeclared_prefix(prefix));
            }
        }
        self.advance();
        Ok(())
    }

    pub(crate) fn undeclared_prefix(&self, prefix: &str) -> QueryTextFault {
        let message = format!("the prefix `{prefix}:` is not declared");
        let fault = QueryTextFault::new("sparql::undeclared-prefix", self.span(), message);
        match nearest(prefix, self.prefixes.iter().map(|(known, _)| known)) {
            Some(name) => fault.with_help(format!("did you mean `{name}:`?")),
            None => fault.with_help(format!("declare it first: `PREFIX {prefix}: <…>`")),
        }
    }

    /// Returns whether a term can begin here: a variable, a name, a literal, a blank node or a list.
    pub(crate) fn starts_term(&self) -> bool {
        matches!(
            self.kind(),
            Some(
                SparqlTokenKind::Variable
                    | SparqlTokenKind::Iri
                    | SparqlTokenKind::PrefixedName
                    | SparqlTokenKind::BlankNode
                    | SparqlTokenKind::String
                    | SparqlTokenKind::UnclosedString
                    | SparqlTokenKind::Number
            )
        ) || self.is("[")
            || self.is("(")
            || self.is("<>")
            || self.is_word_of(&["true", "false"])
    }

    /// One term, with its language or datatype if it is a literal.
    pub(crate) fn term(&mut self) -> GrammarResult {
        if self.is_sign() {
            self.advance();
            return self.expect_kind(SparqlTokenKind::Number, "a number");
        }
        match self.kind() {
            Some(SparqlTokenKind::String) => self.literal(),
            Some(SparqlTokenKind::Iri | SparqlTokenKind::PrefixedName) => self.name("a term"),
            Some(SparqlTokenKind::UnclosedString) => Err(self.unexpected("a term")),
            _ if self.is("[") => self.blank_node_property_list(),
            _ if self.is("(") => self.collection(),
            Some(SparqlTokenKind::BlankNode) => self.blank_node(),
            _ if self.starts_term() => {
                self.bind_here();
                self.advance();
                Ok(())
            }
            _ => Err(self.unexpected("a term")),
        }
    }

    /// A blank node, whose label may occur in one group only.
    fn blank_node(&mut self) -> GrammarResult {
        let label = self.here();
        let group = self.groups[self.groups.len() - 1];
        let first = *self.labels.entry(label).or_insert(group);
        if first != group {
            let message = format!("the blank node `{label}` is used in another group already");
            return Err(QueryTextFault::syntax(self.span(), message).with_help("use a variable in its place"));
        }
        self.advance();
        Ok(())
    }

    pub(crate) fn literal(&mut self) -> GrammarResult {
        let mut characters = self.here().chars();
        while let Some(c) = characters.next() {
            if c == '\\' && characters.next().is_none_or(|escaped| !"tbnrf\"'\\uU".contains(escaped)) {
                return Err(QueryTextFault::syntax(self.span(), "the string has an invalid escape sequence")
                    .with_help("a backslash is written `\\\\`"));
            }
        }
        self.advance();
        if self.kind() == Some(SparqlTokenKind::LanguageTag) {
            self.advance();
        } else if self.take("^^") {
            self.name("the IRI of a datatype")?;
        }
        Ok(())
    }

    pub(crate) fn blank_node_property_list(&mut self) -> GrammarResult {
        self.open("[", "")?;
        if !self.is("]") {
            self.property_list()?;
        }
        self.close("]")
    }

    pub(crate) fn collection(&mut self) -> GrammarResult {
        self.open("(", "")?;
        while !self.is(")") {
            if self.token().is_none() {
                return Err(self.unclosed(")"));
            }
            self.term()?;
        }
        self.close(")")
    }
}
