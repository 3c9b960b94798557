//! What a person is told about a query that is wrong: place, text and the way out.

use evalgraph::diagnostic::{Diagnostic, FindingSeverity};
use evalgraph::sparql::Query;

fn refusal(text: &str) -> Diagnostic {
    *Query::parse(text, "q.rq").expect_err("the query is wrong")
}

/// Place, code, message, help and related places on one line each.
fn shown(finding: &Diagnostic) -> String {
    let mut text = finding.to_string();
    for (place, label) in &finding.related {
        text.push_str(&format!("\n  {place}: {label}"));
    }
    for help in &finding.help {
        text.push_str(&format!("\n  help: {help}"));
    }
    text
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(shown(&refusal(text)), expected, "for the query {text}");
}

#[track_caller]
fn accepted(text: &str) {
    if let Err(error) = Query::parse(text, "q.rq") {
        panic!("{text}\n{}", shown(&error));
    }
}

#[test]
fn missing_comma_is_offered() {
    refused(
        r#"SELECT ?q WHERE { ?q a s:Question ; s:text ?t FILTER(CONTAINS(?t "sum")) }"#,
        "q.rq:1:66: sparql::syntax: a comma is missing before `\"sum\"`\n  \
         help: arguments are separated by commas: add `,`",
    );
}

#[test]
fn misspelt_keywords_are_named() {
    refused(
        "SELCT ?q WHERE { ?q a s:Question }",
        "q.rq:1:1: sparql::syntax: expected SELECT, CONSTRUCT, ASK or DESCRIBE, found `SELCT`\n  \
         help: did you mean `SELECT`?",
    );
    refused(
        "SELECT ?q WHERE { ?q a s:Question } LIMT 5",
        "q.rq:1:37: sparql::syntax: expected the end of the query, found `LIMT`\n  \
         help: did you mean `LIMIT`?",
    );
    refused(
        "SELECT ?q WHERE { ?q a s:Question . FILER(?q = 1) }",
        "q.rq:1:37: sparql::syntax: expected a triple, FILTER, OPTIONAL or `}`, found `FILER`\n  \
         help: did you mean `FILTER`?",
    );
    refused(
        "SELECT ?q WERE { ?q a s:Question }",
        "q.rq:1:11: sparql::syntax: expected `WHERE` or `{`, found `WERE`\n  \
         help: did you mean `WHERE`?",
    );
}

#[test]
fn undeclared_prefix_names_the_nearest() {
    refused(
        "SELECT ?q WHERE { ?q a schemaa:Question }",
        "q.rq:1:24: sparql::undeclared-prefix: the prefix `schemaa:` is not declared\n  \
         help: did you mean `schema:`?",
    );
    refused(
        "PREFIX zoo: <http://z/> SELECT ?q WHERE { ?q a zooo:Question }",
        "q.rq:1:48: sparql::undeclared-prefix: the prefix `zooo:` is not declared\n  \
         help: did you mean `zoo:`?",
    );
}

#[test]
fn unclosed_brace_says_where_it_was_opened() {
    refused(
        "SELECT ?q WHERE { ?q a s:Question ",
        "q.rq:1:35: sparql::syntax: the query ends before a closing `}`\n  \
         q.rq:1:17: `{` was opened here\n  help: add the missing `}`",
    );
    refused(
        "SELECT ?q WHERE {\n  ?q a s:Question\nLIMIT 5",
        "q.rq:3:1: sparql::syntax: expected `}`, found `LIMIT`\n  \
         q.rq:1:17: `{` was opened here\n  help: add the missing `}`",
    );
}

#[test]
fn unknown_function_names_the_nearest() {
    refused(
        r#"SELECT ?q WHERE { ?q s:text ?t FILTER(CONTAIN(?t, "sum")) }"#,
        "q.rq:1:39: sparql::unknown-function: `CONTAIN` is not a function of SPARQL\n  \
         help: did you mean `CONTAINS`?",
    );
}

#[test]
fn missing_dot_offers_dot_and_semicolon() {
    refused(
        "SELECT ?q WHERE {\n  ?q a s:Question\n  ?q s:text ?t\n}",
        "q.rq:3:3: sparql::syntax: a new triple begins at `?q`\n  \
         help: end the triple before it: add `.`, or `;` to add more about the same subject",
    );
}

#[test]
fn operators_of_other_languages_are_translated() {
    refused(
        r#"SELECT ?q WHERE { ?q s:text ?t FILTER(?t == "x") }"#,
        "q.rq:1:42: sparql::syntax: `==` is not an operator of SPARQL\n  \
         help: SPARQL compares with `=`: did you mean `=`?",
    );
    refused(
        r#"SELECT ?q WHERE { ?q s:text ?t FILTER(?t <> "x") }"#,
        "q.rq:1:42: sparql::syntax: `<>` is not an operator of SPARQL\n  help: did you mean `!=`?",
    );
    refused(
        "SELECT ?q WHERE { ?q s:text ?t FILTER(?t = 1 AND ?q = 2) }",
        "q.rq:1:46: sparql::syntax: `AND` is not an operator of SPARQL\n  help: did you mean `&&`?",
    );
    refused(
        "SELECT ?q WHERE { ?q s:position ?t FILTER(?t =< 1) }",
        "q.rq:1:46: sparql::syntax: `=<` is not an operator of SPARQL\n  help: did you mean `<=`?",
    );
}

#[test]
fn filter_needs_brackets() {
    refused(
        "SELECT ?q WHERE { ?q s:position ?t FILTER ?t > 3 }",
        "q.rq:1:43: sparql::syntax: expected `(`, found `?t`\n  \
         help: put the condition into brackets: `FILTER(…)`",
    );
}

#[test]
fn aggregate_without_brackets_shows_the_form() {
    refused(
        "SELECT COUNT(?q) WHERE { ?q a s:Question }",
        "q.rq:1:8: sparql::syntax: expected a variable, found `COUNT`\n  \
         help: write `(COUNT(…) AS ?name)`",
    );
    refused(
        "SELECT ?q (COUNT(?r) AS ?n) WHERE { ?q s:rating ?r }",
        "q.rq:1:8: sparql::not-grouped: `?q` is neither grouped nor inside an aggregate\n  \
         help: add it to GROUP BY, or select `(SAMPLE(?q) AS ?any)`",
    );
}

#[test]
fn a_variable_that_is_not_grouped_is_named_wherever_it_stands() {
    let not_grouped = "is neither grouped nor inside an aggregate";
    let by_expression = |name: &str| {
        format!(
            "GROUP BY groups by an expression of `{name}`: name its value, `GROUP BY (… AS ?value)`, and select `?value`"
        )
    };
    refused(
        "SELECT (STR(?t) AS ?x) { ?s s:text ?t } GROUP BY STR(?t)",
        &format!("q.rq:1:13: sparql::not-grouped: `?t` {not_grouped}\n  help: {}", by_expression("?t")),
    );
    refused(
        "SELECT ?t { ?s s:text ?t } GROUP BY (STR(?t) AS ?x) ORDER BY ?t",
        &format!("q.rq:1:8: sparql::not-grouped: `?t` {not_grouped}\n  help: {}", by_expression("?t")),
    );
    refused(
        "SELECT (COUNT(?t) AS ?n) (2 + STRLEN(?t) AS ?m) { ?s s:text ?t } GROUP BY ?s",
        &format!(
            "q.rq:1:38: sparql::not-grouped: `?t` {not_grouped}\n  \
             help: add it to GROUP BY, or write `SAMPLE(?t)` in its place"
        ),
    );
    // The SELECT that is at fault is the one inside, whatever the other names.
    refused(
        "SELECT ?x { { SELECT (STR(?t) AS ?x) { ?s s:text ?t } GROUP BY ?s } }",
        &format!(
            "q.rq:1:27: sparql::not-grouped: `?t` {not_grouped}\n  \
             help: add it to GROUP BY, or write `SAMPLE(?t)` in its place"
        ),
    );
    accepted("SELECT ?x (MAX(STRLEN(?t)) AS ?n) { ?s s:text ?t } GROUP BY (STR(?t) AS ?x)");
    refused(
        "SELECT (COUNT(?t) AS ?n) (?n * 2 AS ?m) { ?s s:text ?t } GROUP BY ?s",
        "q.rq:1:27: sparql::not-grouped: a grouped SELECT gives `?n` a value and cannot use it in another expression\n  \
         help: write the expression again, or select from a subquery that gives the value",
    );
}

#[test]
fn rules_beyond_the_grammar_are_explained() {
    refused(
        "SELECT ?q WHERE { <q> a s:Question }",
        "q.rq:1:19: sparql::invalid-iri: `<q>` is not an absolute IRI\n  \
         help: write it in full, or declare `BASE <…>`",
    );
    refused(
        "SELECT * WHERE { ?q a ?t BIND(1 AS ?t) }",
        "q.rq:1:36: sparql::syntax: BIND gives a value to `?t`, which has one already\n  \
         help: choose another name after AS",
    );
    refused(
        "SELECT ?a ?a WHERE { ?a ?b ?c }",
        "q.rq:1:1: sparql::syntax: SELECT names a variable twice\n  help: name it once",
    );
    refused(
        "SELECT * WHERE { VALUES (?a ?b) { (1) } }",
        "q.rq:1:35: sparql::syntax: the row has 1 values for 2 variables\n  \
         help: write UNDEF where a value is missing",
    );
    refused(
        "SELECT * WHERE { ?a ?b ?c FILTER(COUNT(?a) > 1) }",
        "q.rq:1:34: sparql::syntax: `COUNT` is not allowed in FILTER or BIND\n  \
         help: put a condition on a group into HAVING, after GROUP BY",
    );
    refused(
        "SELECT * WHERE { _:a ?b ?c { _:a ?b ?c } }",
        "q.rq:1:30: sparql::syntax: the blank node `_:a` is used in another group already\n  \
         help: use a variable in its place",
    );
    refused(
        "SELECT * WHERE { ?a ?b ?c } LIMIT 1.5",
        "q.rq:1:35: sparql::syntax: expected a whole number after LIMIT, found `1.5`",
    );
    refused(
        r#"SELECT * WHERE { ?a ?b "a\q" }"#,
        "q.rq:1:24: sparql::syntax: the string has an invalid escape sequence\n  \
         help: a backslash is written `\\\\`",
    );
    refused(
        "INSERT DATA { <http://a> <http://b> 1 }",
        "q.rq:1:1: sparql::syntax: `INSERT` begins an update, not a query\n  \
         help: run it with `update`; a query begins with SELECT, CONSTRUCT, ASK or DESCRIBE",
    );
    refused(
        " \n# nothing\n",
        "q.rq:3:1: sparql::syntax: the query is empty\n  \
         help: write for example `SELECT ?question WHERE { ?question a s:Question }`",
    );
}

#[test]
fn quotes_are_checked() {
    refused(
        "SELECT ?q WHERE { ?q s:text \"abc }\n}",
        "q.rq:1:29: sparql::syntax: a quoted string is not closed\n  \
         help: close it with the quote it began with; a string over several lines needs `\"\"\"`",
    );
    refused(
        "SELECT ?q WHERE { ?q s:text “abc” }",
        "q.rq:1:29: sparql::syntax: `“` does not belong to SPARQL\n  help: did you mean `\"`?",
    );
}

#[test]
fn columns_are_counted_in_code_points() {
    let error = refusal("SELECT ?q WHERE { ?q s:text \"äöü😀\" ; s:name == }");
    let place = error.place.expect("the fault has a place");
    assert_eq!((place.line, place.column), (1, 45));
}

#[test]
fn deep_nesting_is_refused_and_not_a_crash() {
    let text =
        format!("SELECT * WHERE {{ ?s ?p ?o FILTER({}1{}) }}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(refusal(&text).code, "sparql::too-deep");
    let text = format!("SELECT * WHERE {{ ?s ?p ?o FILTER({}1{}) }}", "(".repeat(60), ")".repeat(60));
    accepted(&text);
}

#[test]
fn projected_variable_that_nothing_binds_is_a_warning() {
    let query = Query::parse("SELECT ?question WHERE { ?q a s:Question }", "q.rq").expect("it is a query");
    let warnings = query.warnings();
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].severity, FindingSeverity::Warning);
    assert_eq!(
        shown(&warnings[0]),
        "q.rq:1:8: sparql::unbound-variable: `?question` is never bound in the query\n  \
         help: did you mean `?q`?"
    );
}

#[test]
fn variable_of_having_that_select_binds_later_is_a_warning() {
    let text = "SELECT ?q (SUM(?v) AS ?t) WHERE { ?q s:value ?v } GROUP BY ?q HAVING (?t > 1 && ?q != 2)";
    let warnings = Query::parse(text, "q.rq").expect("it is a query").warnings();
    assert_eq!(
        warnings.iter().map(shown).collect::<Vec<_>>(),
        [
            "q.rq:1:71: sparql::unbound-variable: `?t` has no value in HAVING, since SELECT gives it one later\n  \
          help: write the expression of `?t` in its place"
        ]
    );
}

#[test]
fn bound_variables_are_not_warned_of() {
    for text in [
        "SELECT ?q (COUNT(*) AS ?n) WHERE { ?q a s:Question } GROUP BY ?q HAVING(COUNT(*) > 1) ORDER BY ?n",
        "SELECT ?g ?x WHERE { GRAPH ?g { ?q a s:Question } VALUES ?x { 1 } }",
        "SELECT ?y WHERE { ?x s:rating+/s:name ?y . FILTER EXISTS { ?x a ?z FILTER(?z = 1) } }",
        "SELECT ?k (SUM(?v) AS ?s) WHERE { ?q s:value ?v } GROUP BY (STR(?q) AS ?k)",
        "SELECT * WHERE { { SELECT ?a WHERE { ?a ?b ?c } } }",
    ] {
        let query = Query::parse(text, "q.rq").expect("it is a query");
        assert!(query.warnings().is_empty(), "{text}: {:?}", query.warnings());
    }
}

#[test]
fn every_fault_has_a_place_and_stays_short() {
    let text = r#"PREFIX ex: <http://example.org/>
SELECT DISTINCT ?q (COUNT(DISTINCT ?r) AS ?n) (GROUP_CONCAT(?x; SEPARATOR=", ") AS ?all)
WHERE {
  ?q a s:Question ; s:rating/s:name ?x , "a"@en ; ^s:item [ s:name "b"^^xsd:string ] .
  OPTIONAL { ?q (s:rating|!(s:a|^s:b))* ?r FILTER(?r > -1.5e3 && NOT EXISTS { ?r s:name (1 2) }) }
  { ?q ex:a true } UNION { ?q ex:b false } MINUS { ?q ex:c <http://c> }
  BIND(IF(BOUND(?r), STRLEN(STR(?r)) * 2, 1) AS ?len)
  VALUES (?a ?b) { (1 UNDEF) ("x" ex:y) }
  FILTER(?a IN (1, 2) || REGEX(?x, "a.b", "i"))
}
GROUP BY ?q HAVING (COUNT(?r) > 1) ORDER BY DESC(?n) LIMIT 5 OFFSET 2"#;
    accepted(text);
    let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for &at in &boundaries {
        // One character left out, and the text cut off: each must be accepted or explained.
        let mut without = text.to_owned();
        without.remove(at);
        for broken in [without.as_str(), &text[..at]] {
            if let Err(error) = Query::parse(broken, "q.rq") {
                assert!(error.place.is_some(), "no place: {}\n{broken}", shown(&error));
                assert!(shown(&error).lines().count() < 15);
                assert!(!shown(&error).contains("cannot be read from"), "{}\n{broken}", shown(&error));
            }
        }
    }
}
