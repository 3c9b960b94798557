//! The W3C suites of SPARQL 1.0 and 1.1: queries, result formats, updates, syntax, federation.

mod results;

use evalgraph_rdf::InGraph;
use evalgraph_sparql::{
    CancellationToken, DatasetServices, EvaluationEnvironment, ExecuteOptions, Query, QueryPrefixes,
    QueryResults, ResultFormat, ServerQuery, TableLayout, Update, UpdateOptions, write_solutions,
};
use evalgraph_store::{Dataset, DatasetRevision, DefaultGraph, DocumentBuilder, NamedDocument};
use evalgraph_suites::beside::suites;
use evalgraph_suites::earl;
use evalgraph_suites::isomorphism::{Quad, read_n_quads};
use evalgraph_suites::sparql_manifest::{
    SPARQL_1_0, SPARQL_1_1, SparqlSuite, SparqlTest, SparqlTestKind, read_into, read_turtle,
};
use evalgraph_suites::suite::{expected_failures, hold, in_parallel};
use oxrdf::NamedNode;
use results::{SuiteAnswer, collect, compare, read};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many tests of each kind SPARQL 1.1 has at least: queries, CSV, updates, syntax.
const RECORDED_1_1: [usize; 4] = [239, 3, 94, 169];
const RECORDED_1_0: usize = 482;

/// The document whose default graph is the default graph of a test.
const DOCUMENT: &str = "urn:evalgraph:graph:test";

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn answers_as_the_suite_of_sparql_1_1_expects() {
    let suites = suites();
    let tests = SPARQL_1_1.tests(&suites);
    let count = |is_of: &dyn Fn(SparqlTestKind) -> bool| tests.iter().filter(|test| is_of(test.kind)).count();
    let counted = [
        count(&|kind| kind == SparqlTestKind::Query),
        count(&|kind| kind == SparqlTestKind::Csv),
        count(&|kind| kind == SparqlTestKind::Update),
        count(&|kind| matches!(kind, SparqlTestKind::Syntax { .. })),
    ];
    assert!(counted.iter().zip(RECORDED_1_1).all(|(counted, recorded)| *counted >= recorded), "{counted:?}");
    judge(&SPARQL_1_1, &suites, &tests, RECORDED_1_1.iter().sum());
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn answers_as_the_suite_of_sparql_1_0_expects() {
    let suites = suites();
    judge(&SPARQL_1_0, &suites, &SPARQL_1_0.tests(&suites), RECORDED_1_0);
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn queries_as_servers_are_sent_them_have_the_answers_of_the_suites() {
    let (suites, mut wrong) = (suites(), Vec::new());
    for (suite, least) in [(&SPARQL_1_1, 230), (&SPARQL_1_0, 200)] {
        let tests: Vec<SparqlTest> =
            suite.tests(&suites).into_iter().filter(|test| test.kind == SparqlTestKind::Query).collect();
        let run = Run { suite, root: suites.join("sparql").join(suite.folder) };
        let sent = |test: &SparqlTest| run.query(test, |query| as_sent(&query));
        let results = in_parallel(&tests, |test| test.id.clone(), &sent);
        assert!(results.len() >= least, "{}", results.len());
        let known = expected_failures(suite.folder);
        wrong.extend(results.into_iter().filter(|(id, result)| result.is_err() && !known.contains_key(id)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The query that a server reads.
fn as_sent(query: &Query) -> Result<Query, String> {
    let sent = ServerQuery::new(query, || Ok(HashMap::new())).and_then(|query| query.text());
    let text = sent.map_err(|error| error.to_string())?;
    Query::parse_plain(&text, "sent").map_err(|error| format!("{error}\n{text}"))
}

fn judge(suite: &SparqlSuite, suites: &Path, tests: &[SparqlTest], recorded: usize) {
    let root = suites.join("sparql").join(suite.folder);
    let run = Run { suite, root };
    let results = in_parallel(tests, |test| test.id.clone(), &|test| run.test(test));
    if let Some(folder) = earl::folder() {
        let results = results.iter().map(|(id, result)| (id.as_str(), result.is_ok()));
        earl::write(&folder, suite.folder, suite.base, results);
    }
    hold(suite.folder, recorded, &results);
}

struct Run<'s> {
    suite: &'s SparqlSuite,
    root: PathBuf,
}

impl Run<'_> {
    fn test(&self, test: &SparqlTest) -> Result<(), String> {
        match test.kind {
            SparqlTestKind::Query => self.query(test, Ok),
            SparqlTestKind::Csv => self.csv(test),
            SparqlTestKind::Update => self.update(test),
            SparqlTestKind::Syntax { of_update, is_positive } => {
                let parsed = match of_update {
                    false => self.parse(test).map(|_| ()),
                    true => self.parse_update(test).map(|_| ()),
                };
                match (parsed, is_positive) {
                    (Err(error), true) => Err(error),
                    (Ok(()), false) => Err("accepted".to_owned()),
                    _ => Ok(()),
                }
            }
        }
    }

    /// The text of a request, its relative IRIs resolved against its own URL.
    fn request(&self, test: &SparqlTest) -> Result<String, String> {
        let text = std::fs::read_to_string(&test.request).map_err(|error| error.to_string())?;
        Ok(format!("BASE <{}> {text}", self.suite.url(&self.root, &test.request)))
    }

    fn parse(&self, test: &SparqlTest) -> Result<Query, String> {
        let name = test.request.display().to_string();
        Query::parse_plain(&self.request(test)?, &name).map_err(|error| error.to_string())
    }

    /// Runs the query of a test, rewritten by `changed`.
    fn query(
        &self,
        test: &SparqlTest,
        changed: impl Fn(Query) -> Result<Query, String>,
    ) -> Result<(), String> {
        let query = changed(self.parse(test)?)?;
        let result = test.result.as_deref().ok_or("no expected result")?;
        let mut expected = read(result, &self.suite.url(&self.root, result))?;
        // Only RDF files record the order of solutions. For others, the query determines it.
        let sparql = query.algebra().to_string();
        if let SuiteAnswer::Solutions { is_ordered, .. } = &mut expected
            && sparql.contains("ORDER BY")
            && !sparql.contains("{ SELECT")
        {
            *is_ordered = true;
        }
        let dataset = self.dataset(test, Some(&query))?;
        let query = query.with_environment(self.services(test)?);
        let options = ExecuteOptions::default();
        let results = query.execute(dataset.view(DefaultGraph::Unnamed), options);
        let answer = results.and_then(collect).map_err(|error| error.to_string())?;
        compare(&answer, &expected, test.is_lax)
    }

    fn csv(&self, test: &SparqlTest) -> Result<(), String> {
        let query = self.parse(test)?;
        let dataset = self.dataset(test, None)?;
        let results = query.execute(dataset.view(DefaultGraph::Unnamed), ExecuteOptions::default());
        let QueryResults::Solutions(solutions) = results.map_err(|error| error.to_string())? else {
            return Err("no solutions".to_owned());
        };
        let mut csv = Vec::new();
        let prefixes = QueryPrefixes::new();
        let layout = TableLayout::new(&prefixes);
        write_solutions(solutions, ResultFormat::Csv, &layout, &mut csv)
            .map_err(|error| error.to_string())?;
        let expected = std::fs::read_to_string(test.result.as_deref().ok_or("no expected result")?)
            .map_err(|error| error.to_string())?;
        let ours = String::from_utf8(csv).map_err(|error| error.to_string())?;
        compare(&csv_answer(&ours), &csv_answer(&expected), false)
    }

    fn parse_update(&self, test: &SparqlTest) -> Result<Update, String> {
        let name = test.request.display().to_string();
        Update::parse_plain(&self.request(test)?, &name).map_err(|error| error.to_string())
    }

    fn update(&self, test: &SparqlTest) -> Result<(), String> {
        let update = self.parse_update(test)?;
        let dataset = self.dataset_of(&test.data.default, &test.data.named.iter().cloned().collect())?;
        let mut revision = DatasetRevision::new(&dataset, DefaultGraph::Unnamed);
        let execute = ExecuteOptions::default();
        let options = UpdateOptions { execute, default_target: Some(DOCUMENT), loader: None };
        update.apply(&mut revision, options).map_err(|error| error.to_string())?;
        let result = &test.result_data;
        let expected = self.dataset_of(&result.default, &result.named.iter().cloned().collect())?;
        let (ours, expected) = (quads_of_dataset(&revision.to_dataset()), quads_of_dataset(&expected));
        compare(&SuiteAnswer::Graph(ours), &SuiteAnswer::Graph(expected), false)
    }

    /// The services of a test.
    fn services(&self, test: &SparqlTest) -> Result<EvaluationEnvironment, String> {
        let mut datasets = HashMap::new();
        for (service, file) in &test.services {
            datasets.insert(service.clone(), read_turtle(file, &self.suite.url(&self.root, file)));
        }
        let services = DatasetServices::new(datasets, None, CancellationToken::new());
        Ok(EvaluationEnvironment { services: Some(Arc::new(services)), ..EvaluationEnvironment::default() })
    }

    /// The dataset of a test: the files that the manifest names, or those that the query names with FROM.
    fn dataset(&self, test: &SparqlTest, query: Option<&Query>) -> Result<Dataset, String> {
        let mut named: BTreeMap<String, PathBuf> = test.data.named.iter().cloned().collect();
        if let Some(from) = query.and_then(|query| query.algebra().dataset()) {
            let graphs: Vec<&NamedNode> = from.default.iter().chain(from.named.iter().flatten()).collect();
            for graph in graphs {
                if let Some(file) = self.suite.file(&self.root, graph.as_str()) {
                    named.insert(graph.as_str().to_owned(), file);
                }
            }
        }
        self.dataset_of(&test.data.default, &named)
    }

    fn dataset_of(&self, default: &[PathBuf], named: &BTreeMap<String, PathBuf>) -> Result<Dataset, String> {
        let mut builder = DocumentBuilder::new();
        for file in default {
            read_into(file, &self.suite.url(&self.root, file), &mut builder)?;
        }
        for (name, file) in named {
            let base = self.suite.url(&self.root, file);
            read_into(file, &base, &mut InGraph::new(&mut builder, name))?;
        }
        Ok(Dataset::from_documents(vec![NamedDocument { graph: DOCUMENT.to_owned(), builder }]))
    }
}

fn quads_of_dataset(dataset: &Dataset) -> BTreeSet<Quad> {
    let mut text = Vec::new();
    for quad in dataset.quads() {
        dataset.dictionary().write_n_quad(quad, &mut text);
    }
    read_n_quads(&String::from_utf8(text).expect("N-Quads are UTF-8"))
}

/// The table of a CSV file. A value that begins with `_:` is a blank node.
fn csv_answer(text: &str) -> SuiteAnswer {
    let mut lines = text.lines().map(|line| line.trim_end_matches('\r').split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap_or_default();
    let rows = lines.map(|cells| {
        let term = |cell: &str| match cell.strip_prefix("_:") {
            Some(label) => oxrdf::Term::from(oxrdf::BlankNode::new_unchecked(label)),
            None => oxrdf::Literal::new_simple_literal(cell).into(),
        };
        header.iter().zip(cells).map(|(name, cell)| ((*name).to_owned(), term(cell))).collect()
    });
    let variables = header.iter().map(|name| (*name).to_owned()).collect();
    SuiteAnswer::Solutions { variables, rows: rows.collect(), is_ordered: false }
}
