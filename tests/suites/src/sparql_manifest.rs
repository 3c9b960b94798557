//! The manifests of the W3C suites of SPARQL 1.0 and 1.1, read as Turtle and asked in SPARQL.

use evalgraph_rdf::{self as rdf, RdfFormat, ReadOptions};
use evalgraph_sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph_store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};
use oxrdf::Term;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A suite: its folder, and where it is published, which its relative IRIs are resolved against.
#[derive(Debug, Clone, Copy)]
pub struct SparqlSuite {
    pub folder: &'static str,
    pub base: &'static str,
    /// The manifests that include those of the single subjects.
    pub manifests: &'static [&'static str],
}

pub const SPARQL_1_0: SparqlSuite = SparqlSuite {
    folder: "sparql10",
    base: "http://www.w3.org/2001/sw/DataAccess/tests/data-r2/",
    manifests: &["manifest.ttl"],
};

pub const SPARQL_1_1: SparqlSuite = SparqlSuite {
    folder: "sparql11",
    base: "http://www.w3.org/2009/sparql/docs/tests/data-sparql11/",
    manifests: &[
        "manifest-sparql11-query.ttl",
        "manifest-sparql11-results.ttl",
        "manifest-sparql11-update.ttl",
        "manifest-sparql11-fed.ttl",
    ],
};

/// What a test looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SparqlTestKind {
    Query,
    Csv,
    Update,
    Syntax { of_update: bool, is_positive: bool },
}

/// The files of a dataset: of its default graph, and of its named graphs with their names.
#[derive(Debug, Clone, Default)]
pub struct DataFiles {
    pub default: Vec<PathBuf>,
    pub named: Vec<(String, PathBuf)>,
}

/// One test.
#[derive(Debug, Clone)]
pub struct SparqlTest {
    /// `aggregates/manifest#agg01`
    pub id: String,
    pub kind: SparqlTestKind,
    /// The query or the update.
    pub request: PathBuf,
    pub data: DataFiles,
    /// The data behind endpoints, by their URLs.
    pub services: Vec<(String, PathBuf)>,
    /// The file of the expected answer to a query.
    pub result: Option<PathBuf>,
    /// The dataset that an update has to leave.
    pub result_data: DataFiles,
    /// `true` if equal solutions may be fewer than expected.
    pub is_lax: bool,
}

const PREFIXES: &str = "\
PREFIX mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#>
PREFIX qt: <http://www.w3.org/2001/sw/DataAccess/tests/test-query#>
PREFIX ut: <http://www.w3.org/2009/sparql/tests/test-update#>
";

const INCLUDED: &str = "SELECT ?manifest { [] mf:include/rdf:rest*/rdf:first ?manifest }";

const TESTS: &str = "\
SELECT ?test ?kind ?action ?result ?lax {
  [] mf:entries/rdf:rest*/rdf:first ?test .
  ?test a ?kind ; mf:action ?action .
  OPTIONAL { ?test mf:result ?result }
  BIND(EXISTS { ?test mf:resultCardinality mf:LaxCardinality } AS ?lax)
}";

/// The files of actions and results with the part that each has; a graph or an endpoint has a name.
const FILES: &str = "\
SELECT DISTINCT ?test ?of ?part ?file ?name {
  ?test ?of ?files .
  VALUES ?of { mf:action mf:result }
  { ?files qt:query|ut:request ?file . BIND('request' AS ?part) }
  UNION { ?files qt:data|ut:data ?file . BIND('data' AS ?part) }
  UNION { ?files qt:graphData|ut:graphData ?graph .
          OPTIONAL { ?graph qt:graph|ut:graph ?labelled ; rdfs:label ?label }
          BIND(COALESCE(?labelled, ?graph) AS ?file)
          BIND(STR(COALESCE(?label, ?graph)) AS ?name)
          BIND('graph' AS ?part) }
  UNION { ?files qt:serviceData [ qt:endpoint ?endpoint ; qt:data ?file ] .
          BIND(STR(?endpoint) AS ?name) BIND('service' AS ?part) }
}";

/// Solutions as rows of texts by variable; what is unbound is missing.
pub type Row = BTreeMap<String, Term>;

impl SparqlSuite {
    /// All tests of the suite.
    pub fn tests(&self, suites: &Path) -> Vec<SparqlTest> {
        let root = suites.join("sparql").join(self.folder);
        let mut subjects = Vec::new();
        for manifest in self.manifests {
            let dataset = read_turtle(&root.join(manifest), &format!("{}{manifest}", self.base));
            subjects.extend(select(&dataset, INCLUDED).iter().map(|row| self.path(&root, row, "manifest")));
        }
        subjects.sort();
        subjects.dedup();
        subjects.into_iter().flat_map(|manifest| self.tests_of(&root, &manifest)).collect()
    }

    fn tests_of(&self, root: &Path, manifest: &Path) -> Vec<SparqlTest> {
        let dataset = read_turtle(manifest, &self.url(root, manifest));
        let mut tests = BTreeMap::new();
        for row in select(&dataset, TESTS) {
            let Some(kind) = kind(&text(&row, "kind")) else { continue };
            let id = text(&row, "test");
            let is_file = |name: &str| matches!(row.get(name), Some(Term::NamedNode(_)));
            let file = |name: &str| is_file(name).then(|| self.path(root, &row, name));
            let test = SparqlTest {
                id: id.strip_prefix(self.base).expect("ids are below the base").to_owned(),
                kind,
                request: file("action").unwrap_or_default(),
                data: DataFiles::default(),
                services: Vec::new(),
                result: file("result"),
                result_data: DataFiles::default(),
                is_lax: text(&row, "lax") == "true",
            };
            tests.insert(id, test);
        }
        for row in select(&dataset, FILES) {
            let Some(test) = tests.get_mut(&text(&row, "test")) else { continue };
            let file = self.path(root, &row, "file");
            let is_result = text(&row, "of").ends_with("result");
            let data = if is_result { &mut test.result_data } else { &mut test.data };
            match text(&row, "part").as_str() {
                "request" => test.request = file,
                "data" => data.default.push(file),
                "graph" => data.named.push((text(&row, "name"), file)),
                _ => test.services.push((text(&row, "name"), file)),
            }
        }
        tests.into_values().collect()
    }

    /// The URL that stands for a file.
    pub fn url(&self, root: &Path, file: &Path) -> String {
        let below = file.strip_prefix(root).expect("the file is in the suite");
        format!("{}{}", self.base, below.display())
    }

    /// The file that an IRI stands for.
    pub fn file(&self, root: &Path, iri: &str) -> Option<PathBuf> {
        iri.strip_prefix(self.base).map(|below| root.join(below))
    }

    fn path(&self, root: &Path, row: &Row, name: &str) -> PathBuf {
        self.file(root, &text(row, name)).expect("files are below the base")
    }
}

fn kind(iri: &str) -> Option<SparqlTestKind> {
    let syntax = |of_update, is_positive| SparqlTestKind::Syntax { of_update, is_positive };
    Some(match iri.rsplit('#').next()? {
        "QueryEvaluationTest" => SparqlTestKind::Query,
        "CSVResultFormatTest" => SparqlTestKind::Csv,
        "UpdateEvaluationTest" => SparqlTestKind::Update,
        "PositiveSyntaxTest" | "PositiveSyntaxTest11" => syntax(false, true),
        "NegativeSyntaxTest" | "NegativeSyntaxTest11" => syntax(false, false),
        "PositiveUpdateSyntaxTest11" => syntax(true, true),
        "NegativeUpdateSyntaxTest11" => syntax(true, false),
        _ => return None,
    })
}

pub fn text(row: &Row, name: &str) -> String {
    match row.get(name) {
        Some(Term::NamedNode(node)) => node.as_str().to_owned(),
        Some(Term::BlankNode(node)) => node.as_str().to_owned(),
        Some(Term::Literal(literal)) => literal.value().to_owned(),
        None => String::new(),
    }
}

/// A document of any RDF format as a dataset of its own.
pub fn read_turtle(path: &Path, base: &str) -> Dataset {
    let mut builder = DocumentBuilder::new();
    read_into(path, base, &mut builder).expect("the suite's data can be read");
    Dataset::from_documents(vec![NamedDocument { graph: "urn:example:document".to_owned(), builder }])
}

/// Reads a file of the suite into a sink.
pub fn read_into<S: rdf::QuadSink>(path: &Path, base: &str, sink: &mut S) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let name = path.display().to_string();
    let format = RdfFormat::from_file_name(&name).ok_or_else(|| format!("{name}: which format?"))?;
    let options = ReadOptions { format, base: Some(base) };
    rdf::read(&name, &bytes, options, sink).map_err(|errors| format!("{errors:?}"))?;
    Ok(())
}

/// The solutions of a query over the default graph.
pub fn select(dataset: &Dataset, query: &str) -> Vec<Row> {
    let text = format!("{PREFIXES}{query}");
    let query = Query::parse_plain(&text, "manifest.rq").expect("the query is well formed");
    let results = query.execute(dataset.view(DefaultGraph::Unnamed), ExecuteOptions::default());
    let Ok(QueryResults::Solutions(solutions)) = results else { panic!("SELECT gives solutions") };
    solutions
        .map(|solution| {
            let solution = solution.expect("the query can be evaluated");
            solution.iter().map(|(name, term)| (name.as_str().to_owned(), term.clone())).collect()
        })
        .collect()
}
