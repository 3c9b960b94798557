//! Questions about paths, graphs, EXISTS, grouping and order to which the recommendation has one answer, and the suites
//! none.

use crate::sparql::answers::{Case, answers_as};

const PATHS: &[Case] = &[
    // 18.4: the ends of the steps of an alternative, however they are bound, are found as often as there are ways.
    (
        ":a :p :m . :a :p :n . :m :q :b . :n :q :b . :a :r :b",
        "SELECT (COUNT(*) AS ?n) { ?x (:p/:q|:r) ?y }",
        &["3"],
    ),
    (
        ":a :p :m . :a :p :n . :m :q :b . :n :q :b . :a :r :b",
        "SELECT (COUNT(*) AS ?n) { ?x :r ?y . ?x (:p/:q|:r) ?y }",
        &["3"],
    ),
    (":a :p :m . :a :p :n . :m :q :b . :n :q :b", "SELECT (COUNT(*) AS ?n) { :a (:p/:q|:r) :b }", &["2"]),
    (":a :p :m . :a :p :n . :m :q :b . :n :q :b", "SELECT (COUNT(*) AS ?n) { :a (:p/:q)+ :b }", &["1"]),
    (
        ":a :p :b . :a :q :b",
        "SELECT ?x { ?x :p ?y FILTER EXISTS { SELECT ?x { ?x (:p|:q) ?y } GROUP BY ?x HAVING (COUNT(*) = 2) } }",
        &["http://e/a"],
    ),
    (":a :p :b . :a :q :b", "SELECT DISTINCT ?x { ?x (:p|:q)/^(:p|:q) ?y }", &["http://e/a"]),
    (":a :p :b . :a :q :b", "SELECT (COUNT(*) AS ?n) { ?x :p ?y MINUS { ?x (:z|:q) ?y } }", &["0"]),
    // 18.4: a negated property set is a set, joined or not.
    (":d :q :a . :d :r :a", "SELECT (COUNT(*) AS ?n) { ?w !:p ?y }", &["1"]),
    (":d :q :a . :d :r :a", "SELECT (COUNT(*) AS ?n) { ?w !:p ?y . ?w :q ?y }", &["1"]),
    (":d :q :a . :d :r :a", "SELECT (COUNT(*) AS ?n) { ?w :q ?y OPTIONAL { ?w ^(!^:p) ?y } }", &["1"]),
    (":d :q :a . :d :r :a", "SELECT (COUNT(*) AS ?n) { ?w !(:p|^:p) ?y }", &["2"]),
    (
        ":d :q :a :g . :d :r :a :g",
        "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?w !:p ?y } } GROUP BY ?g",
        &["http://e/g,1"],
    ),
    // 18.4, ZeroLengthPath: a term is reached from itself, be it in the graph or not.
    ("", "SELECT ?y { :nowhere (:p*)+ ?y }", &["http://e/nowhere"]),
    ("", "SELECT ?y { :nowhere (:p?|:q)+ ?y }", &["http://e/nowhere"]),
    ("", "SELECT DISTINCT ?x { ?x (:r?|:q) :nowhere }", &["http://e/nowhere"]),
    (":a :p :b", "SELECT (COUNT(*) AS ?n) { [] :p* :nowhere }", &["1"]),
    (":a :p :b", "SELECT (COUNT(*) AS ?n) { _:b :p* :nowhere . _:b :q? :nowhere }", &["1"]),
    (":a :p :b", "SELECT (COUNT(*) AS ?n) { _:b :p* :nowhere . _:b :p ?x }", &["0"]),
    // Of a variable only the nodes of the graph are.
    (":a :p :b", "SELECT ?x { VALUES ?x { :m :a } ?x :q* ?z }", &["http://e/a"]),
    // 18.6: EXISTS puts terms in the place of variables.
    (":a :p :b", "SELECT ?x { ?s ?x ?o FILTER EXISTS { ?x :p* ?y } }", &["http://e/p"]),
    (":a :p :b", "SELECT ?x { ?s ?x ?o FILTER EXISTS { ?y :p? ?x } }", &["http://e/p"]),
    (":a :p :b", "SELECT ?x { ?s ?x ?o FILTER EXISTS { ?x :p* ?x } }", &["http://e/p"]),
    (":a :p :b", "SELECT ?x { ?s ?x ?o FILTER EXISTS { [] :p* ?x } }", &["http://e/p"]),
    (":a :p :b", "SELECT ?x { ?s ?x ?o FILTER EXISTS { ?x :p* ?y . ?y :p ?z } }", &[]),
    (":a :p :b", "SELECT ?x { ?s ?x ?o FILTER NOT EXISTS { ?x :p* :p } }", &[]),
    (
        "",
        "SELECT * { VALUES (?x ?z) { (:p UNDEF) (UNDEF :q) (:m :m) (:m :n) } FILTER EXISTS { ?x :p? ?z } }",
        &[",http://e/q", "http://e/m,http://e/m", "http://e/p,"],
    ),
    ("", "SELECT ?x { VALUES ?x { :m } FILTER EXISTS { ?x (:p|:q?) ?z } }", &["http://e/m"]),
    ("", "SELECT ?x { VALUES ?x { :m } FILTER EXISTS { { SELECT ?x { ?x :p* ?z } } } }", &["http://e/m"]),
    (
        ":a :p :b :g . :c :p :d :h",
        "SELECT ?x { ?x :p ?y FILTER EXISTS { GRAPH :g { ?x :p* ?z } } }",
        &["http://e/a", "http://e/c"],
    ),
];

#[test]
fn paths_lead_where_the_recommendation_has_them_lead() {
    answers_as(PATHS);
}

const GRAPHS: &[Case] = &[
    // 18.6: of a graph that is not there, the empty multiset.
    (":a :p :b", "SELECT * { GRAPH :nope { VALUES ?x { 1 } } }", &[]),
    (":a :p :b", "SELECT * { GRAPH :nope { { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } } } }", &[]),
    (":a :p :b :g", "SELECT * { GRAPH :nope { GRAPH :g { ?s :p ?o } } }", &[]),
    (":a :p :b :g", "SELECT * { GRAPH :nope { GRAPH ?g { ?s :p ?o } } }", &[]),
    (":a :p :b :g", "SELECT * { GRAPH ?g { GRAPH :nope { VALUES ?x { 1 } } } }", &[]),
    (
        ":a :p :b :g",
        "SELECT ?s { ?s :p ?o FILTER NOT EXISTS { GRAPH :nope { VALUES ?x { 1 } } } }",
        &["http://e/a"],
    ),
    (":a :p :b :g", "SELECT ?x FROM NAMED :h { GRAPH :g { VALUES ?x { 1 } } }", &[]),
    (":a :p :b :g", "SELECT ?x { GRAPH :g { VALUES ?x { 1 } } }", &["1"]),
    (
        ":a :p :b :g",
        "SELECT ?s ?n { ?s :p ?o OPTIONAL { GRAPH :nope { VALUES ?n { 1 } } } }",
        &["http://e/a,"],
    ),
];

const EXISTS: &[Case] = &[
    // 18.5, Minus: solutions that share no variable are left, whatever the solution outside has.
    (
        ":a :p :b . :a :q :b",
        "SELECT ?x { ?x :p ?y FILTER EXISTS { ?x :p ?z MINUS { ?a :q ?b } } }",
        &["http://e/a"],
    ),
    (":a :p :b . :a :q :b", "SELECT ?x { ?x :p ?y FILTER NOT EXISTS { ?x :p ?z MINUS { ?a :q ?b } } }", &[]),
    (":a :p :b . :a :q :b", "SELECT ?x { ?x :p ?y FILTER EXISTS { ?x :p ?z MINUS { ?a :q ?z } } }", &[]),
    (
        ":a :p :b . :a :q :b",
        "SELECT ?x { ?x :p ?y FILTER EXISTS { ?x :p ?z FILTER EXISTS { ?z ^:p ?k MINUS { ?a :q ?b } } } }",
        &["http://e/a"],
    ),
    (
        ":a :p :b . :a :q :b . :c :p :b . :c :r :d . :b :r :c",
        "SELECT ?x { ?x :p ?y FILTER EXISTS { ?x :p ?z OPTIONAL { ?x :r ?w } MINUS { ?w :r ?v . ?a :q ?b } } }",
        &["http://e/a", "http://e/c"],
    ),
    (
        ":a :p :b . :c :p :b . :c :r :d . :d :q :b",
        "SELECT ?x { ?x :p ?y FILTER EXISTS { ?x :p ?z OPTIONAL { ?x :r ?w } MINUS { ?w :q ?b } } }",
        &["http://e/a"],
    ),
    // Both sides name what the solution outside has: 18.6 replaces it by its value.
    (
        ":a :p :b . :a :q :b",
        "SELECT ?x { ?x :p ?y FILTER EXISTS { ?x :p ?z MINUS { ?x :q ?b } } }",
        &["http://e/a"],
    ),
];

/// EXISTS as a part of an expression, with what the solution outside has in the place of variables (18.6).
const EXISTS_IN_EXPRESSIONS: &[Case] = &[
    (
        ":a :p :b . :c :p :d . :b :q :e",
        "SELECT ?x { ?x :p ?y FILTER(?x = :c || EXISTS { ?y :q ?z }) }",
        &["http://e/a", "http://e/c"],
    ),
    (
        ":a :p :b . :c :p :d . :b :q :e",
        "SELECT ?x ?has { ?x :p ?y BIND(EXISTS { ?y :q ?z } AS ?has) }",
        &["http://e/a,true", "http://e/c,false"],
    ),
    (
        ":a :p :b . :c :p :d . :b :q :e",
        "SELECT ?x (IF(NOT EXISTS { ?y :q ?z }, 'no', 'yes') AS ?w) { ?x :p ?y } ORDER BY EXISTS { ?y :q ?z }",
        &["http://e/a,yes", "http://e/c,no"],
    ),
    (
        ":a :p :b . :c :p :d . :b :q :e",
        "SELECT ?x ?y { ?x :p ?z OPTIONAL { ?z ^:p ?y FILTER(?x = :c || EXISTS { ?z :q ?e }) } }",
        &["http://e/a,http://e/a", "http://e/c,http://e/c"],
    ),
    (
        ":a :p :b . :c :p :d . :b :q :e",
        "SELECT (COUNT(*) AS ?n) { ?x :p ?y } GROUP BY (EXISTS { ?y :q ?z } AS ?has) HAVING (!?has || EXISTS { :b :q :e })",
        &["1", "1"],
    ),
    // The filter inside looks at a value from outside.
    (
        ":a :n \"1\" . :b :n \"2\" . :c :n \"3\"",
        "SELECT ?x { ?x :n ?n FILTER NOT EXISTS { ?y :n ?m FILTER(?m > ?n) } }",
        &["http://e/c"],
    ),
    (
        ":a :n \"1\" . :b :n \"2\" . :c :n \"3\"",
        "SELECT ?x { ?x :n ?n FILTER EXISTS { ?y :n ?m FILTER(?m > ?n && NOT EXISTS { ?z :n ?k FILTER(?k > ?m || ?k = ?n && false) }) } }",
        &["http://e/a", "http://e/b"],
    ),
    // LIMIT and a count inside are those for the value from outside.
    (
        ":a :p :b . :a :p :c . :d :p :b",
        "SELECT DISTINCT ?x { ?x :p ?y FILTER EXISTS { SELECT ?x { ?x :p ?z } OFFSET 1 } }",
        &["http://e/a"],
    ),
    (
        ":a :p :b . :a :p :c . :d :p :b",
        "SELECT DISTINCT ?x { ?x :p ?y FILTER EXISTS { SELECT ?x (COUNT(?x) AS ?n) { ?x :p ?z } GROUP BY ?x HAVING (COUNT(?x) > 1) } }",
        &["http://e/a"],
    ),
    // A path of length zero leads from the term that is put in, whether the graph has it or not.
    ("", "SELECT ?x { VALUES ?x { 1 } FILTER EXISTS { ?x :p* ?y } }", &["1"]),
    (
        ":a :p :b :g . :c :p :d :h . :c :q :d :h",
        "SELECT ?g ?n { GRAPH ?g { { SELECT (COUNT(*) AS ?n) { ?x :p ?y FILTER(?x = :a || EXISTS { ?x :q ?y }) } } } }",
        &["http://e/g,1", "http://e/h,1"],
    ),
];

/// Comparisons of computed values (17.3; Functions and Operators, 6.3).
const COMPARISONS: &[Case] = &[
    (
        "",
        "SELECT (COALESCE(LONG ?a) > COALESCE(LONG ?b) AS ?x) { VALUES (?a ?b) { (true false) } }",
        &["true"],
    ),
    (
        "",
        "SELECT (COALESCE(LONG ?a) <= COALESCE(LONG ?b) AS ?x) { VALUES (?a ?b) { (true false) } }",
        &["false"],
    ),
    ("", "SELECT (COALESCE(LONG ?a) < ?b AS ?x) { VALUES (?a ?b) { (1 2) } }", &["true"]),
    ("", "SELECT (IF(EXISTS { ?p ?q ?r }, false, true) > EXISTS { ?p ?q ?r } AS ?x) {}", &["true"]),
    ("", "SELECT (?a + 0 <= ?a + 0 AS ?x) (!(?a * 1 >= ?a) AS ?y) { VALUES ?a { NAN } }", &["false,true"]),
    ("", "SELECT ?a { VALUES ?a { NAN 1 } FILTER(?a + 0 <= ?a + 0) }", &["1"]),
    ("", "SELECT (COALESCE(LONG ?a) <= COALESCE(LONG ?a) AS ?x) { VALUES ?a { NAN } }", &["false"]),
    // 17.4.2.5: "Returns the lexical form of ltrl", in the condition of an OPTIONAL, too.
    (
        "",
        "SELECT ?b { VALUES ?a { 01 } OPTIONAL { VALUES ?b { 2 } FILTER(STR(COALESCE(?a, ?b)) = '01') } }",
        &["2"],
    ),
    (
        "",
        "SELECT ?b { VALUES ?a { 01 } OPTIONAL { VALUES ?b { 2 } FILTER(STR(IF(?b = 2, ?a, ?b)) = '01') } }",
        &["2"],
    ),
    (
        "",
        "SELECT ?b { VALUES ?a { '01' } OPTIONAL { VALUES ?b { 2 }
         FILTER(STR(STRDT(?a, <http://www.w3.org/2001/XMLSchema#integer>)) = '01') } }",
        &["2"],
    ),
];

#[test]
fn exists_is_a_part_of_any_expression() {
    answers_as(EXISTS_IN_EXPRESSIONS);
}

#[test]
fn computed_values_are_compared_as_others() {
    let long: String = (0..30).map(|number| format!("?u{number}, ")).collect();
    for (data, query, expected) in COMPARISONS {
        let query =
            query.replace("LONG ", &long).replace("NAN", "'NaN'^^<http://www.w3.org/2001/XMLSchema#double>");
        answers_as(&[(*data, query.as_str(), *expected)]);
    }
}

#[test]
fn values_that_differ_in_each_solution_are_made_for_each() {
    for (query, expected) in [
        ("SELECT (COUNT(DISTINCT RAND()) AS ?n) { VALUES ?a { 1 1 1 } }", "3"),
        ("SELECT (COUNT(DISTINCT ?u) AS ?n) { VALUES ?a { 1 1 1 } BIND(UUID() AS ?u) }", "3"),
        ("SELECT (COUNT(DISTINCT CONCAT(STRUUID(), STR(?a))) AS ?n) { VALUES ?a { 1 1 1 } }", "3"),
        ("SELECT (COUNT(DISTINCT ?b) AS ?n) { VALUES ?a { 1 1 1 } BIND(BNODE() AS ?b) }", "3"),
        ("SELECT (COUNT(DISTINCT BNODE('a')) AS ?n) { VALUES ?a { 1 1 1 } }", "3"),
        ("SELECT (COUNT(DISTINCT NOW()) AS ?n) { VALUES ?a { 1 1 1 } }", "1"),
        (
            "SELECT (COUNT(*) AS ?n) { VALUES ?a { 1 1 1 } FILTER(BNODE('a') = BNODE('a') && BNODE() != BNODE()) }",
            "3",
        ),
        (
            "SELECT (COUNT(*) AS ?n) { VALUES ?a { 1 1 } OPTIONAL { VALUES ?b { 2 3 } FILTER(RAND() < 2) } }",
            "4",
        ),
    ] {
        answers_as(&[("", query, &[expected])]);
    }
    // A subquery has its solutions once, however many there are beside it.
    let data: String = (0..100).map(|number| format!(":a :p :b{number} . ")).collect();
    let data = data.trim_end_matches(" . ");
    for inner in ["SELECT (UUID() AS ?u) {}", "SELECT ?u { { SELECT (RAND() AS ?u) {} } FILTER(?u < 2) }"] {
        let query =
            format!("SELECT (COUNT(?b) AS ?n) (COUNT(DISTINCT ?u) AS ?m) {{ :a :p ?b {{ {inner} }} }}");
        answers_as(&[(data, query.as_str(), &["100,1"])]);
    }
}

const GROUPS: &[Case] = &[
    // 18.2.1: the blank nodes of a query are not part of its solutions.
    (":a :r :w . :b :r :w", "SELECT (COUNT(DISTINCT *) AS ?n) { [] :r ?w }", &["1"]),
    (
        ":a :r :w . :b :r :w",
        "SELECT ?w (COUNT(DISTINCT *) AS ?n) { [] :r ?w } GROUP BY ?w",
        &["http://e/w,1"],
    ),
    (":a :r :w . :b :r :v", "SELECT (COUNT(DISTINCT *) AS ?n) { ?s (:r|:s)/^(:r|:s) ?t }", &["2"]),
    (":a :r :w . :b :r :w", "SELECT (COUNT(DISTINCT *) AS ?n) (COUNT(1 / ?w) AS ?m) { [] :r ?w }", &["1,0"]),
    ("", "SELECT (COUNT(DISTINCT *) AS ?n) (COUNT(1 / ?x) AS ?m) { VALUES ?x { 0 1 1 } }", &["2,2"]),
    (
        ":a :r \"v\" . :b :r \"v\"",
        "SELECT (COUNT(DISTINCT *) AS ?n) (MAX(STR(?w)) AS ?m) { [] :r ?w }",
        &["1,v"],
    ),
];

#[test]
fn a_graph_that_is_not_there_has_no_solution() {
    answers_as(GRAPHS);
}

#[test]
fn minus_inside_of_exists_is_minus() {
    answers_as(EXISTS);
}

#[test]
fn distinct_solutions_are_counted_by_what_they_show() {
    answers_as(GROUPS);
}

/// Values of five kinds, and the texts of them in their order.
const MIXED: &str = ":r :p \"100\"^^<http://www.w3.org/2001/XMLSchema#integer> . \
                     :s :p \"2025-01-01T00:00:00Z\"^^<http://www.w3.org/2001/XMLSchema#dateTime> . \
                     :t :p \"50\"^^<http://www.w3.org/2001/XMLSchema#integer> . \
                     :u :p \"7e0\"^^<http://www.w3.org/2001/XMLSchema#double> . :v :p :a . :w :p \"z\"";
const ASCENDING: &str = "http://e/a 7e0 50 100 2025-01-01T00:00:00Z z";

const ORDERS: &[Case] = &[
    // 15.1: numbers are ordered by `<`, whatever stands among them.
    (
        MIXED,
        "SELECT (GROUP_CONCAT(?t; separator=' ') AS ?all) { { SELECT ?t { ?r :p ?a BIND(STR(?a) AS ?t) } ORDER BY ?a } }",
        &[ASCENDING],
    ),
    (
        MIXED,
        "SELECT (GROUP_CONCAT(?t; separator=' ') AS ?all)
         { { SELECT DISTINCT ?t { ?r :p ?a BIND(STR(?a) AS ?t) } ORDER BY DESC(?a) ?r } }",
        &["z 2025-01-01T00:00:00Z 100 50 7e0 http://e/a"],
    ),
    (MIXED, "SELECT ?a { { SELECT ?a { ?r :p ?a } ORDER BY ?a OFFSET 2 LIMIT 1 } }", &["50"]),
    (MIXED, "SELECT DISTINCT ?a { ?r :p ?a } ORDER BY ?a STR(?r) OFFSET 2 LIMIT 1", &["50"]),
    (
        MIXED,
        "SELECT ?r { ?r :p ?b FILTER EXISTS { { SELECT ?a { ?s :p ?a } ORDER BY ?a OFFSET 3 LIMIT 1 } FILTER(?a = ?b) } }",
        &["http://e/r"],
    ),
    // Nothing comes first, then blank nodes.
    (
        "_:b :p :a",
        "SELECT ?o { { SELECT ?x ?o { VALUES (?x ?o) { (1 3) (UNDEF 1) } } ORDER BY ?x LIMIT 1 } }",
        &["1"],
    ),
    // What COUNT and STR give is sorted as it is.
    (
        MIXED,
        "SELECT ?n { { SELECT (COUNT(*) AS ?n) { ?r :p ?a } GROUP BY (?r = :r) ORDER BY DESC(?n) LIMIT 1 } }",
        &["5"],
    ),
];

#[test]
fn whoever_sorts_numbers_stand_together() {
    answers_as(ORDERS);
}

const SPELLINGS: &[Case] = &[
    // 19.8: UnaryExpression and GroupCondition.
    (":a :p :b", "SELECT ?y { ?y :p ?z FILTER(!EXISTS { ?y :p _:b }) }", &[]),
    (":a :p :b", "SELECT ?y { ?y :p ?z FILTER(!EXISTS { ?y :q _:b . _:b :r ?z }) }", &["http://e/a"]),
    (":a :p :b", "SELECT ?y { ?y :p ?z FILTER(! NOT EXISTS { ?y :q _:b }) }", &[]),
    (":a :p :b", "SELECT ?y { ?y :p ?z FILTER(!(EXISTS { ?y :q _:b } || ?y = :b)) }", &["http://e/a"]),
    (":a :p :b", "SELECT ?y { ?y :p ?z FILTER(!COALESCE(!(!EXISTS { ?y :q _:b }), ?z)) }", &["http://e/a"]),
    (":a :p :b", "SELECT ?y { ?y !:q ([] _:c) FILTER(!EXISTS { ?y !(:q|^:q) _:b }) }", &[]),
    (":a :p :b . :c :p :b", "SELECT ?z { ?x :p ?y } GROUP BY (?y AS ?z)", &["http://e/b"]),
    (
        ":a :p :b . :c :p :b",
        "SELECT ?z ?s (COUNT(*) AS ?n) { { SELECT (?x AS ?k) ?y { ?x :p ?y } } OPTIONAL { ?k :q ?w } }
         GROUP BY (?y AS ?z) (STR(?k) AS ?s) (?w AS ?v) HAVING (?z = :b && !BOUND(?v))",
        &["http://e/b,http://e/a,1", "http://e/b,http://e/c,1"],
    ),
];

#[test]
fn whatever_follows_the_grammar_is_read() {
    answers_as(SPELLINGS);
    // Each of these `!` doubled the time.
    let query =
        format!("SELECT ?x {{ VALUES ?x {{ 1 }} FILTER({}false{}) }}", "!(".repeat(41), ")".repeat(41));
    answers_as(&[("", query.as_str(), &["1"])]);
}
