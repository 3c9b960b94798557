//! Updates of the recogniser (productions 29 to 52 of the SPARQL 1.1 grammar). `GrammarRecognizer` is defined in
//! `grammar.rs`.

use crate::text::grammar::{GrammarRecognizer, GrammarResult, UPDATE_FORMS};
use crate::text::prefixes::QueryPrefixes;
use crate::text::query_text_fault::QueryTextFault;
use crate::text::tokens::SparqlTokenKind;
use evalgraph_diagnostics::help::{command, help};

/// Finds the first fault of an update that may use `prefixes`. Returns `None` if the text follows the grammar.
pub(crate) fn first_fault_of_update(text: &str, prefixes: &QueryPrefixes) -> Option<QueryTextFault> {
    GrammarRecognizer::of_update(text, prefixes).update().err()
}

const QUERY_FORMS: [&str; 4] = ["SELECT", "CONSTRUCT", "ASK", "DESCRIBE"];

/// The kinds of terms that the quads of an operation may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct QuadTermKinds {
    operation: &'static str,
    variables: bool,
    blank_nodes: bool,
}

impl GrammarRecognizer<'_> {
    fn update(&mut self) -> GrammarResult {
        let mut is_first = true;
        loop {
            self.prologue()?;
            if self.token().is_none() && !is_first {
                return Ok(());
            }
            self.operation()?;
            is_first = false;
            // The labels of blank nodes are local to one operation.
            self.labels.clear();
            if self.token().is_none() {
                return Ok(());
            }
            if !self.take(";") {
                return Err(self.no_separator());
            }
        }
    }

    fn no_separator(&self) -> QueryTextFault {
        if self.is("}") {
            return QueryTextFault::syntax(self.span(), "`}` closes a group that was never opened");
        }
        let fault = self.unexpected("`;` or the end of the update");
        if self.is_word_of(&UPDATE_FORMS) {
            return fault.with_help("operations are separated by `;`");
        }
        fault
    }

    fn operation(&mut self) -> GrammarResult {
        let start = self.here().to_ascii_uppercase();
        match start.as_str() {
            "INSERT" => self.insert(),
            "DELETE" => self.delete(),
            "WITH" => {
                self.advance();
                self.name("the IRI of a graph after WITH")?;
                if self.is_word("INSERT") {
                    return self.insert();
                }
                if self.is_word("DELETE") { self.delete() } else { Err(self.unexpected("INSERT or DELETE")) }
            }
            "LOAD" => {
                self.advance();
                self.take_word("SILENT");
                self.name("the IRI of a document after LOAD")?;
                if self.take_word("INTO") { self.graph_ref("INTO") } else { Ok(()) }
            }
            "CLEAR" | "DROP" => {
                self.advance();
                self.take_word("SILENT");
                if self.is_word_of(&["DEFAULT", "NAMED", "ALL"]) {
                    self.advance();
                    return Ok(());
                }
                if !self.is_word("GRAPH") {
                    let fault = self.unexpected("`GRAPH`, DEFAULT, NAMED or ALL");
                    return Err(if self.is_name() {
                        fault.with_help(format!("write `{start} GRAPH <…>`"))
                    } else {
                        fault
                    });
                }
                self.graph_ref(&start)
            }
            "CREATE" => {
                self.advance();
                self.take_word("SILENT");
                self.graph_ref("CREATE")
            }
            "ADD" | "MOVE" | "COPY" => {
                self.advance();
                self.take_word("SILENT");
                self.graph_or_default(&start)?;
                if !self.take_word("TO") {
                    return Err(self.unexpected("`TO`").with_help(format!("write `{start} <from> TO <to>`")));
                }
                self.graph_or_default("TO")
            }
            _ => Err(self.no_operation()),
        }
    }

    /// `GRAPH <iri>`.
    fn graph_ref(&mut self, after: &str) -> GrammarResult {
        if !self.take_word("GRAPH") {
            return Err(self.unexpected(&format!("`GRAPH` after {after}")));
        }
        self.name("the IRI of a graph")
    }

    fn graph_or_default(&mut self, after: &str) -> GrammarResult {
        if self.take_word("DEFAULT") {
            return Ok(());
        }
        self.take_word("GRAPH");
        self.name(&format!("DEFAULT or the IRI of a graph after {after}"))
    }

    fn insert(&mut self) -> GrammarResult {
        self.advance();
        if self.take_word("DATA") {
            let start = self.at;
            self.quads(QuadTermKinds { operation: "INSERT DATA", variables: false, blank_nodes: true })?;
            return self.labels_of_data(start);
        }
        self.quads(QuadTermKinds { operation: "INSERT", variables: true, blank_nodes: true })?;
        self.where_of_update("INSERT")
    }

    fn delete(&mut self) -> GrammarResult {
        self.advance();
        if self.take_word("DATA") {
            return self.quads(QuadTermKinds {
                operation: "DELETE DATA",
                variables: false,
                blank_nodes: false,
            });
        }
        if self.take_word("WHERE") {
            return self.quads(QuadTermKinds {
                operation: "DELETE WHERE",
                variables: true,
                blank_nodes: false,
            });
        }
        self.quads(QuadTermKinds { operation: "DELETE", variables: true, blank_nodes: false })?;
        if self.take_word("INSERT") {
            self.quads(QuadTermKinds { operation: "INSERT", variables: true, blank_nodes: true })?;
        }
        self.where_of_update("DELETE")
    }

    /// A label names a blank node of one INSERT DATA only (section 3.1.1 of the update language).
    fn labels_of_data(&mut self, start: usize) -> GrammarResult {
        for (label, span) in self.labels_from(start) {
            if self.data_labels.contains(label) {
                let message = format!("the blank node `{label}` is used in another INSERT DATA already");
                let help = "put both into one INSERT DATA, or give it another label";
                return Err(QueryTextFault::syntax(span, message).with_help(help));
            }
        }
        let labels = self.labels_from(start);
        self.data_labels.extend(labels.into_iter().map(|(label, _)| label));
        Ok(())
    }

    fn where_of_update(&mut self, operation: &str) -> GrammarResult {
        while self.take_word("USING") {
            self.take_word("NAMED");
            self.name("the IRI of a graph after USING")?;
        }
        if !self.take_word("WHERE") {
            let fault = self.unexpected("`WHERE`");
            return Err(fault.with_help(format!(
                "{operation} takes a template and then `WHERE {{ … }}`; without variables write `{operation} DATA {{ … }}`"
            )));
        }
        self.labels.clear();
        self.group_graph_pattern()?;
        self.labels.clear();
        Ok(())
    }

    /// `{ triples GRAPH name { triples } … }`.
    fn quads(&mut self, allowed: QuadTermKinds) -> GrammarResult {
        self.open("{", &format!("after {}", allowed.operation))?;
        let start = self.at;
        while !self.is("}") {
            if self.take_word("GRAPH") {
                if !allowed.variables && self.kind() == Some(SparqlTokenKind::Variable) {
                    break;
                }
                self.name_or_variable()?;
                self.open("{", "after the name of the graph")?;
                self.triples_until_close()?;
                self.close("}")?;
                self.take(".");
                continue;
            }
            if self.token().is_none() {
                return Err(self.unclosed("}"));
            }
            if !self.starts_term() {
                return Err(self.unexpected("a triple, GRAPH or `}`"));
            }
            self.triples_block()?;
        }
        self.check_terms(start, allowed)?;
        self.close("}")
    }

    /// Refuses terms that the operation does not allow, among the tokens from `start` up to the current one.
    fn check_terms(&self, start: usize, allowed: QuadTermKinds) -> GrammarResult {
        let operation = allowed.operation;
        for at in start..=self.at {
            let Some((kind, word, span)) = self.token_at(at) else { break };
            if kind == SparqlTokenKind::Variable && !allowed.variables {
                let other = operation.trim_end_matches(" DATA");
                return Err(QueryTextFault::syntax(
                    span,
                    format!("{operation} cannot have the variable `{word}`"),
                )
                .with_help(format!("write `{other} {{ … }} WHERE {{ … }}`")));
            }
            let is_blank = kind == SparqlTokenKind::BlankNode || word == "[";
            if is_blank && !allowed.blank_nodes {
                return Err(QueryTextFault::syntax(span, format!("{operation} cannot have blank nodes"))
                    .with_help("a blank node matches any node: use a variable that WHERE binds"));
            }
        }
        Ok(())
    }

    fn no_operation(&self) -> QueryTextFault {
        if self.token().is_none() {
            return QueryTextFault::syntax(self.span(), "the update is empty")
                .with_help("write for example `DELETE WHERE { ?question s:keywords \"draft\" }`");
        }
        if self.is_word_of(&QUERY_FORMS) {
            return QueryTextFault::syntax(
                self.span(),
                format!("`{}` begins a query, not an update", self.here()),
            )
            .with_help(help!["run it with ", command("query")]);
        }
        self.unexpected("INSERT, DELETE, WITH, LOAD, CLEAR, DROP, CREATE, ADD, MOVE or COPY")
            .with_suggestion(self.meant(&UPDATE_FORMS))
    }
}
