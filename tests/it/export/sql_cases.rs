//! SPARQL as SQL over evaluation data, over known traps and over random queries.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use evalgraph::Loader;
use evalgraph::shacl::BUILT_IN;
use evalgraph::sparql::{NamedQueries, Query};
use evalgraph::sql::SqlDialect;
use oxrdf::{GraphName, NamedNode, Term};

use super::sql::{SqlOutcome, SqlOutcomes, asked, compared, ours, peer, without_labels};
use crate::answers::{unlike, without_slice};
use crate::cli::cross_queries::NAMES;
use crate::cli::input::run;
use crate::evaluation_runs::run_queries;
use crate::generated::data::Case;
use crate::generated::{expressions, queries};
use crate::random::engines::{Answer, Process};
use crate::random::expressions::{ROWS, spelled};
use crate::sparql::traps::{TRAPS, XSD, n_quads};

/// The fixtures of each system, and those that belong together.
const FOLDERS: [&str; 9] =
    ["karenina", "train", "kwanzaa", "rlcf", "chat", "every-eval-ever", "inspect", "lm-eval", "across"];

/// The values of the parameters that have no default.
const VALUES: [(&str, &str); 1] = [("keyword", "physics")];

fn fixtures() -> Vec<String> {
    let folders =
        FOLDERS.iter().map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name));
    let files = folders.flat_map(|folder| fs::read_dir(folder).expect("it is there"));
    let files = files.map(|entry| entry.expect("it can be read").path());
    let mut files: Vec<String> = files
        .filter(|file| {
            file.is_file()
                && ["json", "jsonld", "jsonl"].iter().any(|end| file.extension() == Some(end.as_ref()))
                && !file.ends_with("prompts.jsonl")
        })
        .map(|file| file.display().to_string())
        .collect();
    files.sort();
    files
}

fn export(folder: &Path, inputs: &[String], options: &[&str]) {
    let mut arguments = vec!["export", "parquet", "out", "--quiet", "--keep-going"];
    arguments.extend(options);
    arguments.extend(inputs.iter().map(String::as_str));
    let (status, _, stderr) = run(folder, &arguments);
    assert!(status < 2, "{stderr}");
}

/// The built-in named queries, and those of the built-in shapes, over all fixtures.
fn evaluation_queries() -> Vec<(String, Query)> {
    let mut found = Vec::new();
    for query in NamedQueries::built_in().expect("they are well formed").iter() {
        let given: Vec<_> = query
            .parameters
            .iter()
            .filter(|parameter| parameter.default.is_none())
            .filter_map(|parameter| VALUES.iter().find(|(name, _)| *name == parameter.name))
            .map(|(name, value)| {
                evalgraph::sparql::QueryParameter::parse(&format!("{name}={value}")).expect("a value")
            })
            .collect();
        let parsed = Query::parse(&query.text, &query.name).expect("it is a query");
        let parsed = parsed.with_parameters(&given, &query.parameters).expect("it has values");
        found.push((query.name.clone(), parsed));
    }
    for shapes in BUILT_IN {
        let (status, stdout, stderr) =
            run(Path::new("."), &["shapes", "sparql", shapes.name, "--format", "json"]);
        assert_eq!(status, 0, "{stderr}");
        let listed: serde_json::Value = serde_json::from_str(&stdout).expect("it is JSON");
        for (number, value) in listed.as_array().expect("a list").iter().enumerate() {
            let text = value["query"].as_str().expect("it has a query");
            let name = format!("{} {number}", shapes.name);
            found.push((name.clone(), Query::parse(text, &name).expect("it is a query")));
        }
    }
    found
}

#[test]
#[ignore = "needs DuckDB"]
fn duckdb_answers_the_named_queries_and_those_of_the_shapes() {
    let Some(mut process) = peer() else { return };
    over_fixtures(&mut process, SqlDialect::DuckDb);
}

#[test]
#[ignore = "needs DataFusion"]
fn datafusion_answers_the_named_queries_and_those_of_the_shapes() {
    let Some(mut process) = peer() else { return };
    over_fixtures(&mut process, SqlDialect::DataFusion);
}

#[test]
#[ignore = "needs Spark"]
fn spark_answers_queries_of_all_kinds() {
    // One session for all of them: it takes longer to start than to answer.
    let Some(mut process) = peer() else { return };
    over_fixtures(&mut process, SqlDialect::Spark);
    paths_with_and_without_closures(&mut process);
    random(&mut process, SqlDialect::Spark, 1);
}

/// Whether an engine is asked a query. DuckDB is asked all. The others need a tenth of a second or some seconds for each, so
/// they are asked the named queries, Spark only those across systems and those about runs, and some of the shapes;
/// `EVALGRAPH_SQL_QUERIES=named` asks all named queries, and `all` everything.
fn is_asked(dialect: SqlDialect, number: usize, name: &str) -> bool {
    let is_of_shapes = name.contains(' ');
    match (std::env::var("EVALGRAPH_SQL_QUERIES").as_deref(), dialect) {
        (Ok("all"), _) | (_, SqlDialect::DuckDb) => true,
        (Ok("named"), _) => !is_of_shapes,
        (_, SqlDialect::DataFusion) => !is_of_shapes || number.is_multiple_of(10),
        (_, SqlDialect::Spark) => {
            NAMES.contains(&name)
                || run_queries::NAMES.contains(&name)
                || is_of_shapes && number.is_multiple_of(100)
        }
    }
}

fn over_fixtures(process: &mut Process, dialect: SqlDialect) {
    let folder = tempfile::tempdir().expect("a folder");
    export(folder.path(), &fixtures(), &["--with", "catalog"]);
    let loaded = Loader::new().keep_going().load(fixtures()).expect("they can be read");
    let mut outcomes = SqlOutcomes::default();
    for (number, (name, query)) in evaluation_queries().into_iter().enumerate() {
        if !is_asked(dialect, number, &name) {
            continue;
        }
        let answer = loaded.execute(query.clone(), Default::default()).expect("it is answered");
        let answer = ours(answer).expect("it is answered");
        outcomes.add(&name, compared(process, &query, answer, &folder.path().join("out"), dialect));
    }
    outcomes.hold(&format!("named queries and shapes on {dialect}"));
}

#[test]
#[ignore = "needs DuckDB and DataFusion"]
fn engines_fall_into_no_trap() {
    let Some(mut process) = peer() else { return };
    for dialect in [SqlDialect::DuckDb, SqlDialect::DataFusion] {
        let mut outcomes = SqlOutcomes::default();
        for (name, documents, query, _) in TRAPS {
            let folder = tempfile::tempdir().expect("a folder");
            let files: Vec<String> = documents
                .iter()
                .enumerate()
                .map(|(number, lines)| {
                    let file = folder.path().join(format!("{number}.nq"));
                    fs::write(&file, n_quads(lines)).expect("the folder is ours");
                    file.display().to_string()
                })
                .collect();
            export(folder.path(), &files, &[]);
            let loaded = Loader::new().plain().load(files).expect("they can be read");
            let text = format!("PREFIX : <urn:> PREFIX xsd: <{XSD}> {query}");
            let query = Query::parse_plain(&text, name).expect("it is a query");
            let answer = loaded.execute(query.clone(), Default::default()).expect("it is answered");
            let answer = ours(answer).expect("it is answered");
            outcomes.add(name, compared(&mut process, &query, answer, &folder.path().join("out"), dialect));
        }
        outcomes.hold(&format!("traps on {dialect}"));
    }
}

/// A path of any length is refused if its closure is missing.
fn paths_with_and_without_closures(process: &mut Process) {
    let file = format!("{}/fixtures/karenina/p1-physics.jsonld", env!("CARGO_MANIFEST_DIR"));
    let loaded = Loader::new().load([file.as_str()]).expect("it can be read");
    let query = Query::parse("SELECT ?a ?b { ?a s:hasPart+ ?b }", "q").expect("it is a query");
    for (options, is_refused) in [(&[][..], true), (&["--closure", "http://schema.org/hasPart"][..], false)] {
        let folder = tempfile::tempdir().expect("a folder");
        export(folder.path(), std::slice::from_ref(&file), options);
        let answer = loaded.execute(query.clone(), Default::default()).expect("it is answered");
        let answer = ours(answer).expect("it is answered");
        let found = compared(process, &query, answer, &folder.path().join("out"), SqlDialect::Spark);
        match found {
            SqlOutcome::Equal => assert!(!is_refused),
            SqlOutcome::Refused(why) => assert!(is_refused && why.contains("closure"), "{why}"),
            SqlOutcome::Wrong(what) => panic!("{what}"),
        }
    }
}

/// What could end a literal, a name, a comment or a statement, and what engines do not take as it is.
const HOSTILE: [&str; 10] = [
    "'; DROP VIEW quads; --",
    "\\'; DROP VIEW quads; --",
    "\" FROM graphs; --",
    "` FROM graphs; --",
    "-- a comment\nSELECT 1;",
    "/* a comment */",
    "${quads} $1 %s {1}",
    "\u{0}NUL\u{0}",
    "\u{2019}\u{1F600}\u{feff}\u{202e}",
    "line\r\nline\ttab",
];

#[test]
#[ignore = "needs DuckDB and DataFusion"]
fn hostile_texts_are_only_texts() {
    let Some(mut process) = peer() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let long = "'\"--".repeat(1 << 18);
    let texts: Vec<&str> = HOSTILE.into_iter().chain([long.as_str()]).collect();
    let mut data = String::new();
    for (number, text) in texts.iter().enumerate() {
        let literal = oxrdf::Literal::new_simple_literal(*text);
        data.push_str(&format!("<urn:it's--{number};> <urn:p'p> {literal} .\n"));
    }
    let file = folder.path().join("da'ta;--.nt");
    fs::write(&file, data).expect("the folder is ours");
    let files = vec![file.display().to_string()];
    export(folder.path(), &files, &[]);
    let loaded = Loader::new().plain().load(files).expect("it can be read");
    for dialect in [SqlDialect::DuckDb, SqlDialect::DataFusion] {
        let mut outcomes = SqlOutcomes::default();
        for text in &texts {
            let literal = oxrdf::Literal::new_simple_literal(*text);
            for query in [
                format!("SELECT ?s {{ ?s <urn:p'p> {literal} }}"),
                format!("SELECT ?s ?o {{ ?s <urn:p'p> ?o FILTER(?o = {literal}) }}"),
                format!(
                    "SELECT ?s {{ ?s ?p ?o VALUES ?o {{ {literal} }} FILTER(STRSTARTS(?o, {literal})) }}"
                ),
                format!("SELECT ?n {{ BIND(CONCAT({literal}, {literal}) AS ?n) }}"),
                format!("SELECT ?s {{ ?s ?p ?o }} ORDER BY DESC(CONCAT(STR(?s), {literal}, ' ASC '))"),
                format!(
                    "SELECT ?n {{ BIND(COALESCE(<{XSD}float>(CONCAT({literal}, ' AS DOUBLE')), {literal}) AS ?n) }}"
                ),
            ] {
                let query = Query::parse_plain(&query, "q").expect("it is a query");
                let answer = loaded.execute(query.clone(), Default::default()).expect("it is answered");
                let answer = ours(answer).expect("it is answered");
                let name: String = text.chars().take(20).collect();
                outcomes
                    .add(&name, compared(&mut process, &query, answer, &folder.path().join("out"), dialect));
            }
        }
        outcomes.hold(&format!("hostile texts on {dialect}"));
    }
}

/// A statement without its literals and names between quotes.
fn skeleton(statement: &str, dialect: SqlDialect) -> String {
    let (mut skeleton, mut rest) = (String::new(), statement.chars().peekable());
    while let Some(character) = rest.next() {
        if !['\'', '"', '`'].contains(&character) {
            skeleton.push(character);
            continue;
        }
        loop {
            match rest.next().expect("the quote is closed") {
                '\\' if dialect == SqlDialect::Spark && character == '\'' => drop(rest.next()),
                end if end == character && rest.peek() == Some(&character) => drop(rest.next()),
                end if end == character => break,
                _ => {}
            }
        }
        skeleton.push('q');
    }
    skeleton
}

proptest::proptest! {
    #[test]
    fn no_text_changes_a_statement(text in "[a'\"`\\\\;\\-$\\{\\}/*\n\r]{0,12}") {
        for dialect in SqlDialect::ALL {
            let statement = |text: &str| {
                let literal = oxrdf::Literal::new_simple_literal(text);
                let query = format!("SELECT ?s {{ ?s <urn:p> {literal} . ?s ?p ?o FILTER(?o = {literal} || CONTAINS(STR(?o), {literal})) VALUES ?o {{ {literal} }} }}");
                let query = Query::parse_plain(&query, "q").expect("it is a query");
                let statement = evalgraph::sql::sql_of(&query, dialect).expect("it is written");
                let lines = statement.lines().filter(|line| !line.starts_with("-- ")).collect::<Vec<_>>().join("\n");
                // Numbers of terms follow from their texts.
                let mut skeleton = skeleton(&lines, dialect).replace(|c: char| c.is_ascii_digit(), "");
                while skeleton.contains("q || q") {
                    skeleton = skeleton.replace("q || q", "q");
                }
                let skeleton = skeleton.replace("(q)", "q");
                skeleton.replace("= -", "= ").replace("(-", "(").replace(", -", ", ")
            };
            proptest::prop_assert_eq!(statement(&text), statement("a"));
        }
    }
}

/// The outcome of a random case.
fn outcome(process: &mut Process, case: &Case, dialect: SqlDialect) -> Option<SqlOutcome> {
    // The grammar forbids some of the generated queries.
    spargebra::SparqlParser::new().parse_query(&case.text).ok()?;
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data.nq");
    let document = "urn:document";
    let graph_of = |line: &str| {
        let quad = oxttl::NQuadsParser::new().for_slice(line.as_bytes()).next()?.ok()?;
        Some(quad.graph_name)
    };
    let mut named = BTreeMap::new();
    let mut text = String::new();
    for line in &case.lines {
        match graph_of(line) {
            Some(GraphName::NamedNode(graph)) => {
                named.insert(graph.as_str().to_owned(), graph);
                text.push_str(&format!("{line}\n"));
            }
            Some(GraphName::DefaultGraph) => {
                text.push_str(&format!("{} <{document}> .\n", line.trim_end().trim_end_matches('.')));
            }
            // No query names a graph without an IRI.
            Some(GraphName::BlankNode(_)) | None => {}
        }
    }
    fs::write(&data, text).expect("the folder is ours");
    export(folder.path(), &["data.nq".to_owned()], &[]);
    let parse = |text: &str| {
        let query = Query::parse_plain(text, "query").ok()?;
        if case.union || query.algebra().dataset().is_some() {
            return Some(query);
        }
        let named = named.values().cloned().collect();
        Some(query.over_graphs(vec![NamedNode::new_unchecked(document)], named))
    };
    let loaded = Loader::new().plain().load([data.display().to_string()]).ok()?;
    let options = evalgraph::sparql::ExecuteOptions {
        timeout: Some(std::time::Duration::from_secs(4)),
        ..Default::default()
    };
    let whole = loaded.execute(parse(without_slice(&case.text))?, options).ok()?;
    let ours = without_labels(ours(whole).ok()?);
    if let Answer::None(why) = ours {
        return Some(SqlOutcome::Refused(why));
    }
    let query = parse(&case.text)?;
    Some(match asked(process, &query, &folder.path().join("out"), dialect) {
        Err(SqlOutcome::Wrong(what)) => {
            SqlOutcome::Wrong(format!("{what}\n{}\n{}", case.lines.join("\n"), case.text))
        }
        Err(outcome) => outcome,
        Ok(theirs) => match unlike(&ordered(&case.text, &ours), &theirs, &ours) {
            None => SqlOutcome::Equal,
            Some(what) => SqlOutcome::Wrong(format!("{what}\n{}\n{}", case.lines.join("\n"), case.text)),
        },
    })
}

/// A query without its order if the answer has blank nodes, among which there is none.
fn ordered(query: &str, answer: &Answer) -> String {
    let is_blank = |term: &Option<Term>| matches!(term, Some(Term::BlankNode(_)));
    let has_blanks = match answer {
        Answer::Rows { rows, .. } => rows.iter().flatten().any(is_blank),
        _ => false,
    };
    if has_blanks { query.replace("ORDER BY", "IN ANY ORDER") } else { query.to_owned() }
}

/// The queries of a random expression: its value in each row, and the rows in which it or its negation is true.
fn queries_of(case: Case) -> impl Iterator<Item = Case> {
    let queries = ["BIND ( {} AS ?n )", "FILTER ( {} )", "FILTER ( ! ( {} ) )"];
    queries.into_iter().map(move |part| {
        let columns = if part.starts_with("BIND") { "?i ?n" } else { "?i" };
        let text = format!("SELECT {columns} {{ {ROWS} {} }}", part.replace("{}", &case.text));
        Case { text: spelled(&text), lines: case.lines.clone(), union: true }
    })
}

/// Asks `few` random queries, and the queries of as many random expressions; `EVALGRAPH_SQL_CASES` asks others.
fn random(process: &mut Process, dialect: SqlDialect, few: u64) {
    let asked = std::env::var("EVALGRAPH_SQL_CASES").ok().and_then(|asked| asked.parse().ok());
    let most: u64 = asked.unwrap_or(few);
    let mut outcomes = SqlOutcomes::default();
    for number in 0..most {
        let expressions = queries_of(expressions::case(number)).map(|case| ("expression", case));
        for (kind, case) in std::iter::once(("query", queries::case(number))).chain(expressions) {
            if let Some(outcome) = outcome(process, &case, dialect) {
                outcomes.add(&format!("{kind} {number}"), outcome);
            }
            if outcomes.wrong.len() > 8 {
                outcomes.hold("random queries");
            }
        }
    }
    let all = outcomes.equal + outcomes.refused();
    println!("refused: {} %", 100 * outcomes.refused() / all.max(1));
    outcomes.hold(&format!("random queries on {dialect}"));
}

#[test]
#[ignore = "needs DuckDB"]
fn duckdb_answers_random_queries() {
    let Some(mut process) = peer() else { return };
    random(&mut process, SqlDialect::DuckDb, 100);
}
