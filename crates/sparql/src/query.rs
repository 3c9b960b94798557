//! A query from its text to its answer: parsing with the built-in prefixes, parameters, warnings,
//! evaluation and explanation.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use oxrdf::vocab::rdf;
use oxrdf::{NamedNode, Term, Variable};
use spargebra::algebra::{GraphPattern, QueryDataset};
use spargebra::{SparqlParser, SparqlSyntaxError};

use super::algebra::prebound_values::{put_in_template, put_values};
use super::algebra::substitution::{SubstitutionError, TermSubstitutions, substitute};
use super::algebra::{calls, columns_mut, for_each_iri, pattern_of, pattern_of_mut};
use super::engine;
use super::environment::EvaluationEnvironment;
use super::evaluate::{EvaluationError, ExecuteOptions, QueryResults, execute_point};
use super::explain;
use super::query_parameters::{ParameterType, QueryParameter};
use super::sparql_dataset::SparqlDataset;
use super::text::diagnosis::{diagnose, unbound_in_having, unbound_variables};
use super::text::grammar::first_fault;
use super::text::grouped_forms::parse_grouped;
use super::text::prefixes::{QueryPrefixes, move_to_store_namespace};
use super::text::query_respelling::{as_parsed, is_quickly_read};
use super::text::query_text_fault::QueryTextFault;
use super::text::size::{check_joins, check_size, is_small};
use super::text::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use evalgraph_diagnostics::SourcePlace;
use evalgraph_diagnostics::nearest::nearest_variable;
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_store::StoreDamage;

/// The form of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryForm {
    /// SELECT: a table.
    Select,
    /// ASK: yes or no.
    Ask,
    /// CONSTRUCT: a graph made by a template.
    Construct,
    /// DESCRIBE: a graph of the triples of resources.
    Describe,
}

impl QueryForm {
    /// The keyword, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Ask => "ask",
            Self::Construct => "construct",
            Self::Describe => "describe",
        }
    }
}

impl QueryForm {
    pub(super) fn from_algebra(algebra: &spargebra::Query) -> Self {
        match algebra {
            spargebra::Query::Select { .. } => Self::Select,
            spargebra::Query::Ask { .. } => Self::Ask,
            spargebra::Query::Construct { .. } => Self::Construct,
            spargebra::Query::Describe { .. } => Self::Describe,
        }
    }
}

/// A parameter as a named query declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterDeclaration {
    /// The name of the variable, without `?`.
    pub name: String,
    /// The type of its values.
    pub parameter_type: ParameterType,
    /// The value that is used if none is given, as written.
    pub default: Option<String>,
    /// One line on the meaning of the parameter.
    pub description: Option<String>,
}

/// The implicit prologue of a query or an update (SPARQL 1.1, section 4.1).
#[derive(Debug, Clone, Default)]
pub struct Prologue<'b> {
    /// The base of relative IRIs.
    pub base: Option<&'b str>,
    /// The prefixes that need no declaration.
    pub prefixes: QueryPrefixes,
    /// `true` if IRIs of schema.org are not moved into the namespace of the store, for a dataset that does not move
    /// them either.
    pub keeps_iris: bool,
}

/// A parsed query with its text. Other methods are in `text/hints.rs`.
#[derive(Debug, Clone)]
pub struct Query {
    name: Arc<str>,
    text: Arc<str>,
    algebra: spargebra::Query,
    around: QueryPrefixes,
    prefixes: OnceLock<QueryPrefixes>,
    given: HashSet<String>,
    moves_iris: bool,
    mapped_iris: usize,
    environment: EvaluationEnvironment,
}

impl Query {
    /// Returns whether the query mentions an IRI.
    pub fn mentions(&self, iri: &str) -> bool {
        // The text of the algebra has every IRI in full, regardless of the prefixes of the query.
        self.algebra.to_string().contains(&format!("<{iri}>"))
    }

    /// Returns whether the query calls a function.
    pub fn calls(&self, function: &str) -> bool {
        calls(pattern_of(&self.algebra), function)
    }

    /// Parses a query. `name` is the source of the text, as messages show it.
    ///
    /// The [built-in prefixes](super::BUILT_IN_PREFIXES) need no declaration. IRIs of schema.org
    /// are moved into the namespace of the store; see [`Query::mapped_iris`].
    ///
    /// # Errors
    ///
    /// If the text is not a SPARQL 1.1 query: one finding at the first token that is not allowed in its place.
    pub fn parse(text: &str, name: &str) -> Result<Self, Box<Diagnostic>> {
        Self::parse_in(text, name, &Prologue::default())
    }

    /// Like [`Query::parse`], but for a dataset that keeps IRIs as they were written: the IRIs of the query and of its
    /// parameters are also kept.
    ///
    /// # Errors
    ///
    /// The errors of [`Query::parse`].
    pub fn parse_plain(text: &str, name: &str) -> Result<Self, Box<Diagnostic>> {
        Self::parse_in(text, name, &Prologue { keeps_iris: true, ..Prologue::default() })
    }

    /// Like [`Query::parse`], but for a query with an implicit base or further implicit prefixes.
    ///
    /// # Errors
    ///
    /// The errors of [`Query::parse`].
    pub fn parse_in(text: &str, name: &str, prologue: &Prologue<'_>) -> Result<Self, Box<Diagnostic>> {
        let Prologue { base, ref prefixes, keeps_iris } = *prologue;
        let parse = |parser: SparqlParser, text: &str| {
            let parser = with_base(parser, base);
            let parse = |text: &str| parser.clone().parse_query(text);
            parse(text).or_else(|refusal| parse_grouped(text, &parse).ok_or(refusal))
        };
        let algebra = parse_text(text, name, prefixes, parse, first_fault)?;
        check_joins(text, name, pattern_of(&algebra))?;
        let mut query = Self::new(name.into(), text.into(), algebra, !keeps_iris);
        query.around = prefixes.clone();
        query.move_iris();
        if text.contains('*') {
            query.order_star();
        }
        Ok(query)
    }

    /// A query made from an algebra, whose text is written from the algebra.
    pub(super) fn from_algebra(algebra: spargebra::Query) -> Self {
        let text = algebra.to_string().into();
        Self::new("algebra".into(), text, algebra, false)
    }

    fn new(name: Arc<str>, text: Arc<str>, algebra: spargebra::Query, moves_iris: bool) -> Self {
        let (around, prefixes, given, environment) = Default::default();
        Self { name, text, algebra, around, prefixes, given, moves_iris, mapped_iris: 0, environment }
    }

    /// Puts the columns of `SELECT *` into the order in which the text names them.
    fn order_star(&mut self) {
        let tokens = tokenize(&self.text);
        let mut words = tokens.iter().map(|token| &self.text[token.span.clone()]);
        let is_select = words.any(|word| word.eq_ignore_ascii_case("select"));
        let is_option = |word: &str| ["distinct", "reduced"].iter().any(|one| word.eq_ignore_ascii_case(one));
        let is_star = words.find(|word| !is_option(word)) == Some("*");
        if is_select && is_star && self.form() == QueryForm::Select {
            let names = self.variables();
            let place = |variable: &Variable| names.iter().position(|name| *name == variable.as_str());
            if let Some(columns) = columns_mut(pattern_of_mut(&mut self.algebra)) {
                columns.sort_by_key(place);
            }
        }
    }

    fn move_iris(&mut self) {
        if !self.moves_iris {
            return;
        }
        let moved = &mut self.mapped_iris;
        for_each_iri(&mut self.algebra, &mut |node| *moved += usize::from(move_to_store_namespace(node)));
    }

    /// Replaces variables with values. Declared parameters without a given value take their default.
    ///
    /// # Errors
    ///
    /// A name that the query does not have, a declared parameter without a value, or a value that cannot be read or
    /// cannot replace the variable.
    pub fn with_parameters(
        mut self,
        given: &[QueryParameter],
        declared: &[ParameterDeclaration],
    ) -> Result<Self, Box<Diagnostic>> {
        let known = self.variables();
        let mut terms = TermSubstitutions::new();
        for parameter in given {
            let declaration = declared.iter().find(|declaration| declaration.name == parameter.name);
            if declaration.is_none() && !known.contains(&parameter.name) {
                return Err(Box::new(unknown_parameter("query", &parameter.name, &known, declared)));
            }
            let parameter_type = declaration.map(|declaration| declaration.parameter_type);
            let term = parameter.term(parameter_type, self.prefixes())?;
            substitute_once(parameter, term, &mut terms)?;
        }
        for declaration in declared {
            let variable = Variable::new_unchecked(&declaration.name);
            if terms.contains_key(&variable) {
                continue;
            }
            let Some(default) = &declaration.default else {
                return Err(Box::new(missing_parameter(declaration)));
            };
            let parameter = QueryParameter { name: declaration.name.clone(), text: default.clone() };
            let term = parameter.term(Some(declaration.parameter_type), self.prefixes())?;
            terms.insert(variable, term);
        }
        substitute(&mut self.algebra, &terms)
            .map_err(|error| Box::new(not_substitutable("query", &error)))?;
        self.given.extend(terms.into_keys().map(|variable| variable.as_str().to_owned()));
        self.move_iris();
        Ok(self)
    }

    /// Replaces variables with terms, as if they had been bound from the start. A blank node is a node of the dataset,
    /// identified by the label that its view gives it. Variables that the query does not have are ignored.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use evalgraph_sparql::Query;
    /// use oxrdf::{BlankNode, Variable};
    ///
    /// let query = Query::parse("SELECT ?s { ?s ?p ?o }", "query")?;
    /// let values = HashMap::from([(Variable::new_unchecked("o"), BlankNode::new_unchecked("b7").into())]);
    /// assert!(query.with_values(&values)?.mentions("_:b7"));
    /// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A variable that the query computes.
    pub fn with_values(mut self, values: &HashMap<Variable, Term>) -> Result<Self, Box<Diagnostic>> {
        if let spargebra::Query::Construct { template, .. } = &mut self.algebra {
            put_in_template(template, values);
        }
        put_values(pattern_of_mut(&mut self.algebra), values);
        substitute(&mut self.algebra, values)
            .map_err(|error| Box::new(not_substitutable("query", &error)))?;
        self.given.extend(values.keys().map(|variable| variable.as_str().to_owned()));
        self.move_iris();
        Ok(self)
    }

    /// Replaces the dataset that FROM and FROM NAMED name: the default graph is the union of the `default` graphs, and
    /// `named` are the named graphs (SPARQL 1.1 Protocol, 2.1.4).
    #[must_use]
    pub fn over_graphs(mut self, default: Vec<NamedNode>, named: Vec<NamedNode>) -> Self {
        let graphs = Some(QueryDataset { default, named: Some(named) });
        match &mut self.algebra {
            spargebra::Query::Select { dataset, .. }
            | spargebra::Query::Ask { dataset, .. }
            | spargebra::Query::Construct { dataset, .. }
            | spargebra::Query::Describe { dataset, .. } => *dataset = graphs,
        }
        self.move_iris();
        self
    }

    /// Sets the environment of the evaluation, such as its services and its cancellation.
    pub fn with_environment(mut self, environment: EvaluationEnvironment) -> Self {
        self.environment = environment;
        self
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the variables in the text, each once, in the order of the text.
    pub fn variables(&self) -> Vec<String> {
        variables_of(&self.text)
    }

    /// The columns of the answer of SELECT, in order. Queries of other forms have none.
    pub fn columns(&self) -> Vec<String> {
        let spargebra::Query::Select { pattern, .. } = &self.algebra else { return Vec::new() };
        let mut pattern = pattern;
        loop {
            pattern = match pattern {
                GraphPattern::Slice { inner, .. }
                | GraphPattern::Distinct { inner }
                | GraphPattern::Reduced { inner } => inner,
                GraphPattern::Project { variables, .. } => {
                    return variables.iter().map(|variable| variable.as_str().to_owned()).collect();
                }
                _ => return Vec::new(),
            };
        }
    }

    /// Warns of variables that nothing binds. The parameters must be in place before.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let source = SourceText::new(Arc::clone(&self.name), self.text.as_bytes());
        let mut warnings = unbound_variables(&self.text, &self.algebra, &self.given, &source);
        warnings.extend(unbound_in_having(&self.text, &self.algebra, &source));
        warnings
    }

    /// The first place in the text where an IRI is written, in full or with a prefix.
    pub(super) fn place_of(&self, iri: &str) -> Option<SourcePlace> {
        let is_it = |token: &SparqlToken| self.is_iri_token(token, iri);
        let token = tokenize(&self.text).into_iter().find(is_it)?;
        Some(SourceText::new(Arc::clone(&self.name), self.text.as_bytes()).place(token.span))
    }

    /// The first place in the text where a word is written: a keyword, the name of a function, a variable, an IRI or a
    /// number.
    pub fn place_of_word(&self, word: &str) -> Option<SourcePlace> {
        self.places_of_word(word).into_iter().next()
    }

    /// The places in the text where a word is written, in order. Keywords may be in upper or lower case. An IRI in angle
    /// brackets is also found where it is written with a prefix.
    pub fn places_of_word(&self, word: &str) -> Vec<SourcePlace> {
        let source = SourceText::new(Arc::clone(&self.name), self.text.as_bytes());
        let iri = word.strip_prefix('<').and_then(|iri| iri.strip_suffix('>'));
        let is_it = |token: &SparqlToken| match iri {
            Some(iri) => self.is_iri_token(token, iri),
            None => self.text[token.span.clone()].eq_ignore_ascii_case(word),
        };
        let tokens = tokenize(&self.text).into_iter().filter(is_it);
        tokens.map(|token| source.place(token.span)).collect()
    }

    /// Returns whether a token is an IRI, written in full, with a prefix, or as `a`.
    fn is_iri_token(&self, token: &SparqlToken, iri: &str) -> bool {
        let word = &self.text[token.span.clone()];
        let written = match token.kind {
            SparqlTokenKind::Iri => word.trim_matches(['<', '>']).to_owned(),
            SparqlTokenKind::PrefixedName => {
                let (prefix, name) = word.split_once(':').unwrap_or_default();
                format!("{}{name}", self.prefixes().namespace(prefix).unwrap_or_default())
            }
            SparqlTokenKind::Word if word == "a" => rdf::TYPE.as_str().to_owned(),
            _ => return false,
        };
        let mut node = NamedNode::new_unchecked(written);
        if self.moves_iris {
            move_to_store_namespace(&mut node);
        }
        node.as_str() == iri
    }

    /// The form of the query.
    pub fn form(&self) -> QueryForm {
        QueryForm::from_algebra(&self.algebra)
    }

    /// The prefixes that the query declares, and the built-in ones.
    pub fn prefixes(&self) -> &QueryPrefixes {
        self.prefixes.get_or_init(|| declared_prefixes(&self.text, &tokenize(&self.text), &self.around))
    }

    /// Returns how many IRIs were written in a form of the schema.org namespace other than the store's.
    pub fn mapped_iris(&self) -> usize {
        self.mapped_iris
    }

    /// The algebra as it was written, with parameters, before any rewrite.
    pub fn algebra(&self) -> &spargebra::Query {
        &self.algebra
    }

    /// Evaluates the query.
    ///
    /// # Errors
    ///
    /// An unknown function or service, the time limit, or an error of the dataset. The iterators of the results may
    /// also return errors.
    pub fn execute<'a>(
        &self,
        dataset: impl Into<SparqlDataset<'a>>,
        options: ExecuteOptions,
    ) -> Result<QueryResults<'a>, EvaluationError> {
        evaluate(&self.algebra, dataset, options, &self.environment)
    }

    /// Evaluates the query to its end and explains how: the steps of the plan with their solutions and times.
    ///
    /// # Errors
    ///
    /// The errors of [`Query::execute`].
    pub fn explain<'a>(
        &self,
        dataset: impl Into<SparqlDataset<'a>>,
        options: ExecuteOptions,
    ) -> Result<String, EvaluationError> {
        let dataset = dataset.into();
        let damage = dataset.view.damage();
        let plan = explain::explain(&self.algebra, dataset, options, &self.environment)?;
        damage.as_ref().map_or(Ok(()), StoreDamage::check)?;
        Ok(explain::shortened(&plan, self.prefixes()))
    }
}

/// Evaluates a query over a dataset: as a lookup, or over columns.
pub(super) fn evaluate<'a>(
    algebra: &spargebra::Query,
    dataset: impl Into<SparqlDataset<'a>>,
    options: ExecuteOptions,
    environment: &EvaluationEnvironment,
) -> Result<QueryResults<'a>, EvaluationError> {
    let dataset = dataset.into();
    let damage = dataset.view.damage();
    let looked_up = match dataset.changed {
        None => execute_point(algebra, &dataset.view, options, environment),
        Some(_) => None,
    };
    let results = match looked_up {
        Some(results) => results,
        None => engine::execute(algebra, dataset, options, environment)?,
    };
    results.unless_damaged(damage)
}

/// The names of the variables in a text, each once, in the order of the text.
pub fn variables_of(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for token in tokenize(text).into_iter().filter(|token| token.kind == SparqlTokenKind::Variable) {
        let name = &text[token.span.start + 1..token.span.end];
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Adds the term of a parameter. A second term for the same parameter is an error.
pub(super) fn substitute_once(
    parameter: &QueryParameter,
    term: Term,
    terms: &mut TermSubstitutions,
) -> Result<(), Box<Diagnostic>> {
    if terms.insert(Variable::new_unchecked(&parameter.name), term).is_some() {
        let message = format!("the parameter `{}` is given twice", parameter.name);
        return Err(Box::new(Diagnostic::error("sparql::parameter", message)));
    }
    Ok(())
}

/// A parser that resolves relative IRIs against `base`, if it is an IRI.
pub(super) fn with_base(parser: SparqlParser, base: Option<&str>) -> SparqlParser {
    match base {
        Some(base) => parser.clone().with_base_iri(base).unwrap_or(parser),
        None => parser,
    }
}

/// Parses a query or an update, first without the implicit prefixes, so that only texts that need them pay for the
/// search. `first_fault` finds the first token of a text that breaks the grammar.
pub(super) fn parse_text<T>(
    text: &str,
    name: &str,
    around: &QueryPrefixes,
    parse: impl Fn(SparqlParser, &str) -> Result<T, SparqlSyntaxError>,
    first_fault: fn(&str, &QueryPrefixes) -> Option<QueryTextFault>,
) -> Result<T, Box<Diagnostic>> {
    let source = || SourceText::new(name, text.as_bytes());
    let first_fault = |text: &str| first_fault(text, around);
    let spelled = as_parsed(text);
    let spelled = spelled.as_deref().unwrap_or(text);
    if is_small(text)
        && let Ok(algebra) = parse(SparqlParser::new(), spelled)
    {
        return match text.contains("<?").then(|| first_fault(text)).flatten() {
            // The longest token counts: `<?a&&?b>` is an IRI everywhere.
            Some(fault) if has_iri_of_variables(text) => Err(Box::new(fault.into_diagnostic(&source()))),
            _ => Ok(algebra),
        };
    }
    let tokens = tokenize(text);
    check_size(text, &tokens).map_err(|fault| Box::new(fault.into_diagnostic(&source())))?;
    let prefixes = declared_prefixes(text, &tokens, around);
    let parser = || {
        let mut parser = SparqlParser::new();
        for (prefix, namespace) in used_undeclared_prefixes(text, &tokens, &prefixes) {
            // A namespace that is not an IRI is left out, so a text that uses its prefix is refused.
            parser = parser.clone().with_prefix(prefix, namespace).unwrap_or(parser);
        }
        parser
    };
    read_spelled(text, spelled, |text| parse(parser(), text))
        .map_err(|refusal| Box::new(diagnose(text, &source(), &refusal, first_fault)))
}

/// Parses a text, trying each spelling that the parser may accept. The error is the message of the parser.
pub(super) fn read_spelled<T>(
    text: &str,
    spelled: &str,
    parse: impl Fn(&str) -> Result<T, SparqlSyntaxError>,
) -> Result<T, String> {
    // The original spelling comes last, since its error message has the place of the fault.
    let mut refusal = String::new();
    for read in [spelled, text].into_iter().take(if is_quickly_read(text) { 2 } else { 1 }) {
        match parse(read) {
            Ok(algebra) => return Ok(algebra),
            Err(error) => refusal = error.to_string(),
        }
    }
    match with_lower_case_booleans(spelled).map(|lowered| parse(&lowered)) {
        Some(Ok(algebra)) => Ok(algebra),
        _ => Err(refusal),
    }
}

/// Returns whether an IRI in angle brackets begins like a variable.
pub(super) fn has_iri_of_variables(text: &str) -> bool {
    let is_of_variables = |token: &SparqlToken| {
        token.kind == SparqlTokenKind::Iri && text[token.span.clone()].starts_with("<?")
    };
    tokenize(text).iter().any(is_of_variables)
}

/// The text with `TRUE` and `False` in lower case, as the parser requires: keywords are case-insensitive (section
/// 19.8).
fn with_lower_case_booleans(text: &str) -> Option<String> {
    let mut lowered = text.to_owned();
    for token in tokenize(text).iter().filter(|token| token.kind == SparqlTokenKind::Word) {
        let word = &text[token.span.clone()];
        if ["true", "false"].iter().any(|keyword| word.eq_ignore_ascii_case(keyword)) {
            lowered.replace_range(token.span.clone(), &word.to_ascii_lowercase());
        }
    }
    (lowered != text).then_some(lowered)
}

/// The prefixes that a text declares, and those that it may use without declaring them.
pub(super) fn declared_prefixes(text: &str, tokens: &[SparqlToken], around: &QueryPrefixes) -> QueryPrefixes {
    let mut prefixes = around.clone();
    for window in tokens.windows(3) {
        let [keyword, name, iri] = [0, 1, 2].map(|at: usize| &text[window[at].span.clone()]);
        if keyword.eq_ignore_ascii_case("prefix") && name.ends_with(':') && iri.starts_with('<') {
            prefixes.declare(&name[..name.len() - 1], iri.trim_matches(['<', '>']));
        }
    }
    prefixes
}

/// The prefixes that the query uses without declaring them. Each prefix that is passed to the parser costs about as
/// much as a part of a small query.
pub(super) fn used_undeclared_prefixes<'p>(
    text: &str,
    tokens: &[SparqlToken],
    prefixes: &'p QueryPrefixes,
) -> Vec<(&'p str, &'p str)> {
    let mut used: Vec<(&str, &str)> = Vec::new();
    for token in tokens.iter().filter(|token| token.kind == SparqlTokenKind::PrefixedName) {
        let name = text[token.span.clone()].split(':').next().unwrap_or_default();
        if !prefixes.is_declared(name)
            && !used.iter().any(|(known, _)| *known == name)
            && let Some(found) = prefixes.iter().find(|(known, _)| *known == name)
        {
            used.push(found);
        }
    }
    used
}

pub(super) fn unknown_parameter(
    of: &str,
    name: &str,
    known: &[String],
    declared: &[ParameterDeclaration],
) -> Diagnostic {
    let message = format!("the {of} has no parameter `{name}`");
    let error = Diagnostic::error("sparql::unknown-parameter", message);
    let mut offered: Vec<&str> = declared.iter().map(|declaration| declaration.name.as_str()).collect();
    if offered.is_empty() {
        offered = known.iter().map(String::as_str).collect();
    }
    match nearest_variable(name, &offered) {
        Some(meant) => error.with_help(format!("did you mean `{meant}`?")),
        None if offered.is_empty() => error.with_help("it takes no parameters"),
        None => error.with_help(format!("it has: {}", offered.join(", "))),
    }
}

fn missing_parameter(declaration: &ParameterDeclaration) -> Diagnostic {
    let ParameterDeclaration { name, parameter_type, .. } = declaration;
    let message = format!("the query needs a value for its parameter `{name}` of type {parameter_type}");
    Diagnostic::error("sparql::missing-parameter", message).with_help(format!("give it with `-p {name}=…`"))
}

pub(super) fn not_substitutable(of: &str, error: &SubstitutionError) -> Diagnostic {
    match error {
        SubstitutionError::NeedsIri(variable) => {
            let name = variable.as_str();
            let message = format!("the parameter `{name}` is used where only an IRI is allowed");
            Diagnostic::error("sparql::parameter-type", message)
                .with_help(format!("write for example `-p {name}=<http://example.org/1>`"))
        }
        SubstitutionError::IsComputed(variable) => {
            let name = variable.as_str();
            let message = format!("`{name}` cannot be a parameter: the {of} computes it");
            Diagnostic::error("sparql::parameter", message)
        }
    }
}
