//! REGEX and REPLACE (SPARQL 1.1, sections 17.4.3.14 and 17.4.3.15) with the regular expressions of XPath.
//!
//! Constant patterns of a query are compiled once. Other patterns are compiled when they occur and then kept. Invalid
//! patterns are reported.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use oxrdf::{Literal, Term, vocab::xsd};
use regex::{Regex, RegexBuilder};
use spargebra::algebra::{Expression, Function};

use crate::environment::EvaluationRemarks;
use crate::expression::functions::string;
use crate::expression::regular_expression::{TranslatedRegex, translate};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_work::CancellationToken;

/// The memory limit of a compiled expression, as in the evaluator.
const SIZE_LIMIT: usize = 1_000_000;

/// How many compiled expressions are kept: a query may try every pattern of a table on each string.
const MOST_KEPT: usize = 256;

/// A pattern with its flags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct RegexPattern {
    pattern: String,
    flags: String,
}

/// A pattern that is ready for use.
pub(crate) struct CompiledPattern {
    regex: Regex,
    translated: TranslatedRegex,
}

impl CompiledPattern {
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// A replacement of XPath in the syntax of [`Self::replaced`].
    ///
    /// # Errors
    ///
    /// The fault of the replacement.
    pub(crate) fn replacement(&self, replacement: &str) -> Result<String, String> {
        self.translated.replacement(replacement)
    }

    /// A string with all matches replaced. `None` if it exceeds the limit, which is reported, or if the evaluation is
    /// cancelled.
    pub(crate) fn replaced(
        &self,
        text: &str,
        replacement: &str,
        remarks: &EvaluationRemarks,
        cancellation: &CancellationToken,
    ) -> Option<String> {
        let (mut replaced, mut rest, mut count) = (String::new(), 0, 0_usize);
        let mut goes_on = |replaced: &str| {
            count += 1;
            if replaced.len() > LONGEST_TEXT {
                note_length(remarks);
                return false;
            }
            !(count.is_multiple_of(MATCHES_AT_ONCE) && cancellation.is_cancelled())
        };
        // A replacement without groups does not need to know what they match.
        if replacement.contains('$') {
            for captures in self.regex.captures_iter(text) {
                let matched = captures.get_match();
                replaced.push_str(&text[rest..matched.start()]);
                captures.expand(replacement, &mut replaced);
                rest = matched.end();
                if !goes_on(&replaced) {
                    return None;
                }
            }
        } else {
            for matched in self.regex.find_iter(text) {
                replaced.push_str(&text[rest..matched.start()]);
                replaced.push_str(replacement);
                rest = matched.end();
                if !goes_on(&replaced) {
                    return None;
                }
            }
        }
        replaced.push_str(&text[rest..]);
        Some(replaced)
    }
}

/// The longest string in bytes that a function may make.
pub(crate) const LONGEST_TEXT: usize = 64 << 20;

/// How many matches are replaced between two checks of the cancellation.
const MATCHES_AT_ONCE: usize = 1 << 10;

/// Reports that a function would have made a longer string.
pub(crate) fn note_length(remarks: &EvaluationRemarks) {
    let message = "a function would make a string of more than 64 MiB, so the expression has no value";
    remarks.add(Diagnostic::warning("sparql::long-text", message));
}

impl RegexPattern {
    /// The pattern of a call, if it is constant.
    pub(crate) fn from_call(function: &Function, arguments: &[Expression]) -> Option<Self> {
        let flags_at = if *function == Function::Regex { 2 } else { 3 };
        let flags = arguments.get(flags_at).map_or(Some(""), constant)?.to_owned();
        Some(Self { pattern: constant(arguments.get(1)?)?.to_owned(), flags })
    }

    fn compile(&self) -> Result<CompiledPattern, Box<Diagnostic>> {
        compile(&self.pattern, &self.flags).map_err(|fault| self.fault(&fault))
    }

    /// Like [`RegexPattern::compile`], but for REPLACE, whose pattern must not match the empty string.
    fn compile_for_replace(&self) -> Result<CompiledPattern, Box<Diagnostic>> {
        let compiled = self.compile()?;
        // An error of `fn:replace` (Functions and Operators, section 7.6.3).
        if compiled.regex.is_match("") {
            let Self { pattern, .. } = self;
            let message = format!("`{pattern}` matches the empty string, which REPLACE cannot replace");
            return Err(Box::new(Diagnostic::warning("sparql::pattern", message)));
        }
        Ok(compiled)
    }

    /// Compiles the pattern for one of the two functions.
    ///
    /// # Errors
    ///
    /// A warning about an invalid pattern. The function then has no value.
    pub(crate) fn compile_for(&self, function: &Function) -> Result<CompiledPattern, Box<Diagnostic>> {
        if *function == Function::Regex { self.compile() } else { self.compile_for_replace() }
    }

    fn fault(&self, fault: &str) -> Box<Diagnostic> {
        let Self { pattern, .. } = self;
        let message = format!("`{pattern}` is not a regular expression, so it matches nothing: {fault}");
        let warning = Diagnostic::warning("sparql::pattern", message);
        Box::new(
            warning.with_help(
                "put a backslash before a character with a meaning in patterns to match it itself",
            ),
        )
    }
}

/// Compiles a regular expression of XPath with the flags of REGEX.
///
/// # Errors
///
/// The fault of the pattern or of its flags.
pub fn xpath_regex(pattern: &str, flags: &str) -> Result<Regex, String> {
    compile(pattern, flags).map(|compiled| compiled.regex)
}

/// Translates a regular expression of XPath with the flags of REGEX to the syntax of the crate `regex`.
///
/// # Errors
///
/// The fault of the pattern or of its flags.
pub fn xpath_pattern(pattern: &str, flags: &str) -> Result<String, String> {
    compile(pattern, flags).map(|compiled| compiled.translated.text)
}

/// Translates a regular expression of XPath and a replacement for its matches to the syntax of the crate `regex`.
///
/// # Errors
///
/// The fault of the pattern, of its flags or of the replacement. A pattern must not match the empty string.
pub fn xpath_replacement(pattern: &str, replacement: &str, flags: &str) -> Result<(String, String), String> {
    let compiled =
        RegexPattern { pattern: pattern.to_owned(), flags: flags.to_owned() }.compile_for_replace();
    let compiled = compiled.map_err(|fault| fault.message)?;
    let replacement = compiled.replacement(replacement)?;
    Ok((compiled.translated.text, replacement))
}

/// A regular expression of XPath over the bytes of strings. `None` if [`xpath_regex`] fails.
pub(crate) fn bytes_regex(pattern: &str, flags: &str) -> Option<regex::bytes::Regex> {
    let translated = translate(pattern, flags).ok()?;
    regex::bytes::RegexBuilder::new(&translated.text).size_limit(SIZE_LIMIT).build().ok()
}

fn compile(pattern: &str, flags: &str) -> Result<CompiledPattern, String> {
    let translated = translate(pattern, flags)?;
    let regex = RegexBuilder::new(&translated.text).size_limit(SIZE_LIMIT).build();
    let regex = regex.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        error => error.to_string().lines().last().unwrap_or_default().to_owned(),
    })?;
    Ok(CompiledPattern { regex, translated })
}

/// The value of a constant string.
fn constant(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Literal(literal) if literal.datatype() == xsd::STRING => Some(literal.value()),
        _ => None,
    }
}

/// The patterns that one function has compiled.
pub(crate) struct CompiledPatterns {
    compiled: Mutex<HashMap<RegexPattern, Option<Arc<CompiledPattern>>>>,
    remarks: EvaluationRemarks,
}

impl CompiledPatterns {
    pub(crate) fn new(remarks: &EvaluationRemarks) -> Self {
        Self { compiled: Mutex::default(), remarks: remarks.clone() }
    }

    pub(crate) fn regex(&self, arguments: &[Term]) -> Option<Term> {
        let [text, pattern, flags @ ..] = arguments else { return None };
        let compiled = self.compiled(pattern, flags, RegexPattern::compile)?;
        Some(Literal::from(compiled.regex.is_match(string(text)?)).into())
    }

    pub(crate) fn replace(&self, arguments: &[Term], cancellation: &CancellationToken) -> Option<Term> {
        let [text, pattern, replacement, flags @ ..] = arguments else { return None };
        let compiled = self.compiled(pattern, flags, RegexPattern::compile_for_replace)?;
        let replacement = match compiled.translated.replacement(simple(replacement)?) {
            Ok(replacement) => replacement,
            Err(fault) => {
                let message = format!("{replacement} replaces nothing: {fault}");
                self.remarks.add(Diagnostic::warning("sparql::replacement", message));
                return None;
            }
        };
        let replaced = compiled.replaced(string(text)?, &replacement, &self.remarks, cancellation)?;
        let Term::Literal(text) = text else { return None };
        Some(match text.language() {
            Some(language) => Literal::new_language_tagged_literal_unchecked(replaced, language).into(),
            None => Literal::new_simple_literal(replaced).into(),
        })
    }

    fn compiled(
        &self,
        pattern: &Term,
        flags: &[Term],
        compile: fn(&RegexPattern) -> Result<CompiledPattern, Box<Diagnostic>>,
    ) -> Option<Arc<CompiledPattern>> {
        let flags = flags.first().map_or(Some(""), simple)?.to_owned();
        let pattern = RegexPattern { pattern: simple(pattern)?.to_owned(), flags };
        let mut known = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = known.get(&pattern) {
            return compiled.clone();
        }
        let compiled = match compile(&pattern) {
            Ok(compiled) => Some(Arc::new(compiled)),
            Err(fault) => {
                self.remarks.add(*fault);
                None
            }
        };
        if known.len() >= MOST_KEPT {
            known.clear();
        }
        known.insert(pattern, compiled.clone());
        compiled
    }
}

/// The value of a string literal without a language.
fn simple(term: &Term) -> Option<&str> {
    match term {
        Term::Literal(literal) if literal.datatype() == xsd::STRING => Some(literal.value()),
        _ => None,
    }
}
