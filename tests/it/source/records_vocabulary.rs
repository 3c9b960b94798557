//! Every document that the readers of records make, by the vocabularies it is written in: nothing is
//! lost on the way to the graph, and each term is used as schema.org or our own vocabulary has it.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::schema_org::CheckedText;
use evalgraph::rdf::RdfFormat;
use evalgraph::schema_org::{CheckLevel, CheckOptions};
use oxrdf::vocab::{rdf, rdfs, xsd};
use oxrdf::{Literal, NamedNode, NamedOrBlankNode, Term, Triple};
use oxttl::{NTriplesParser, TurtleParser};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const EVALGRAPH: &str = "urn:evalgraph:vocab:";
const SCHEMA_ORG: &str = "http://schema.org/";

/// Findings that are about the file, and no fault of the tables.
const OF_THE_FILE: [&str; 4] =
    ["records::unknown-key", "records::misplaced", "json::duplicate-key", "input::secret"];

/// Bad files of which nothing can be read.
const UNREADABLE: [&str; 2] = ["train/bad/latin1.json", "train/bad/object.json"];

/// The shapes that no fixture has: one answer, and an export under the other names of its arrays.
const MORE: [(&str, &str, &str); 3] = [
    ("rlcf", "task_distribution.json", r#"{"QA": 4, "NLI": 2}"#),
    ("kwanzaa", "answer.json", r#"{"version": "kwanzaa.answer.v1", "answer": {"text": "In 1966."}}"#),
    (
        "rlcf",
        "export.json",
        r#"{"legal_tasks": [{"id": 1, "task_type": "QA", "input_data": {"question": "Why?"}}],
            "feedback_ratings": [{"id": 1, "feedback_id": 1, "helpfulness_score": 4}],
            "task_assignments": [{"id": 1, "task_id": 1, "user_id": 1, "role": "evaluator"}],
            "devils_advocate_assignments": [{"id": 1, "task_id": 1, "user_id": 1}],
            "ai_model_configs": [{"name": "a", "temperature": 0.5}],
            "ai_model_config": {"name": "b", "max_tokens": 100},
            "system_metrics": {"totalTasks": 1}}"#,
    ),
];

struct Made {
    name: String,
    text: String,
    triples: Vec<Triple>,
}

/// What is not kept to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Misuse {
    /// The vocabulary lacks the term.
    Term,
    /// The property is none of a node of these classes.
    Domain,
    /// The value is none of the property.
    Range,
}

/// The classes of every node.
type Classes = HashMap<NamedOrBlankNode, BTreeSet<String>>;

fn classes_of(triples: &[Triple]) -> Classes {
    let mut classes = Classes::new();
    for triple in triples {
        if let (true, Term::NamedNode(class)) = (triple.predicate == rdf::TYPE, &triple.object) {
            classes.entry(triple.subject.clone()).or_default().insert(class.as_str().to_owned());
        }
    }
    classes
}

/// The node that a value is, if it is one.
fn node(value: &Term) -> Option<NamedOrBlankNode> {
    match value {
        Term::NamedNode(node) => Some(node.clone().into()),
        Term::BlankNode(node) => Some(node.clone().into()),
        Term::Literal(_) => None,
    }
}

/// The graphs of all fixtures of the four systems, and of what no fixture has.
static GRAPHS: LazyLock<Vec<Made>> = LazyLock::new(|| {
    let root = path("");
    let mut made: Vec<Made> =
        ["train", "kwanzaa", "rlcf", "chat", "every-eval-ever", "inspect", "lm-eval", "helm"]
            .into_iter()
            .flat_map(|system| files(&root.join(system)).into_iter().map(move |file| (system, file)))
            .filter_map(|(system, file)| {
                let name =
                    file.strip_prefix(&root).expect("it is a fixture").to_str().expect("names are UTF-8");
                made(&root, system, name)
            })
            .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (system, name, text) in MORE {
        std::fs::write(folder.path().join(name), text).expect("the folder is ours");
        made.extend(self::made(folder.path(), system, name));
    }
    made
});

/// The files of a folder of fixtures that hold records.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    let is_records = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        // The figures that were worked out by hand are not records.
        ["json", "jsonl", "yaml", "csv"].map(Some).contains(&extension)
            && !path.ends_with("worked/figures.json")
    };
    let below = |path: PathBuf| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path].into_iter().filter(|path| is_records(path)).collect()
        }
    };
    paths.into_iter().filter(|path| !path.ends_with("corpus")).flat_map(below).collect()
}

/// The graph of a file; none of one that is bad because nothing can be read of it.
fn made(folder: &Path, system: &str, name: &str) -> Option<Made> {
    let (status, text, stderr) = run(folder, &["convert", name, "--from", system, "--to", "nt"]);
    if status != 0 {
        assert!(UNREADABLE.contains(&name), "{name}: {stderr}");
        return None;
    }
    for finding in stderr.lines().filter(|line| line.contains("]: ") && line.contains("::")) {
        let is_of_the_file = OF_THE_FILE.iter().any(|code| finding.contains(&format!("[{code}]: ")));
        assert!(is_of_the_file, "{finding}");
    }
    let triples: Result<Vec<Triple>, _> = NTriplesParser::new().for_slice(&text).collect();
    let triples = triples.expect("it is N-Triples");
    Some(Made { name: name.to_owned(), text, triples })
}

/// Our own vocabulary, and the terms of it that the four systems brought.
struct Vocabulary {
    triples: HashMap<NamedOrBlankNode, Vec<(NamedNode, Term)>>,
    of_systems: BTreeSet<String>,
}

impl Vocabulary {
    fn read() -> Self {
        let text =
            std::fs::read_to_string(path("../shapes/vocabulary.ttl")).expect("the vocabulary is there");
        let mut triples: HashMap<_, Vec<_>> = HashMap::new();
        for triple in TurtleParser::new().for_slice(&text) {
            let Triple { subject, predicate, object } = triple.expect("the vocabulary is Turtle");
            triples.entry(subject).or_default().push((predicate, object));
        }
        let mut of_systems = BTreeSet::new();
        let mut is_of_a_system = false;
        for line in text.lines() {
            if let Some(heading) = line.strip_prefix("# ") {
                is_of_a_system = ["train.json", "RLCF", "Kwanzaa", "Chat", "Evaluation runs"]
                    .iter()
                    .any(|name| heading.starts_with(name));
            }
            let term = line.strip_prefix("eg:").filter(|_| is_of_a_system);
            of_systems.extend(term.map(str::to_owned));
        }
        Self { triples, of_systems }
    }

    fn said<'v>(&'v self, term: &NamedNode, of: oxrdf::NamedNodeRef<'_>) -> Vec<&'v Term> {
        let said = self.triples.get(&NamedOrBlankNode::from(term.clone())).into_iter().flatten();
        said.filter(|(predicate, _)| *predicate == of).map(|(_, object)| object).collect()
    }

    /// Where triples do not keep to the vocabulary.
    fn misuses(&self, triples: &[Triple]) -> BTreeSet<(Misuse, String)> {
        let classes = classes_of(triples);
        let mut found = BTreeSet::new();
        let mut expect = |term: &NamedNode, kind| {
            let is_explained = [rdfs::LABEL, rdfs::COMMENT].iter().all(|of| !self.said(term, *of).is_empty());
            let is_of_kind = self.said(term, rdf::TYPE).contains(&&Term::from(kind));
            if !is_explained || !is_of_kind {
                found.insert((Misuse::Term, term.to_string()));
            }
        };
        for Triple { predicate, object, .. } in triples {
            match object {
                Term::NamedNode(class)
                    if *predicate == rdf::TYPE && class.as_str().starts_with(EVALGRAPH) =>
                {
                    expect(class, rdfs::CLASS);
                }
                _ if predicate.as_str().starts_with(EVALGRAPH) => expect(predicate, rdf::PROPERTY),
                _ => {}
            }
        }
        for Triple { subject, predicate, object } in triples {
            let is_of = |classes: Option<&BTreeSet<String>>, class: &Term| {
                let Term::NamedNode(class) = class else { return false };
                classes.is_some_and(|classes| classes.contains(class.as_str()))
            };
            let domains = self.said(predicate, rdfs::DOMAIN);
            if !domains.iter().all(|domain| is_of(classes.get(subject), domain)) {
                found.insert((Misuse::Domain, format!("{predicate} of {:?}", classes.get(subject))));
            }
            for range in self.said(predicate, rdfs::RANGE) {
                if !is_in_range(object, range, &classes) {
                    found.insert((Misuse::Range, format!("{predicate} to {object}")));
                }
            }
        }
        found
    }
}

/// Returns whether a value is in a range of our vocabulary. An integer is a decimal.
fn is_in_range(value: &Term, range: &Term, classes: &Classes) -> bool {
    let Term::NamedNode(range) = range else { return false };
    match (value, node(value)) {
        (Term::Literal(literal), _) => {
            let datatype = Literal::datatype(literal);
            datatype == *range || datatype == xsd::INTEGER && *range == xsd::DECIMAL
        }
        (_, Some(node)) => classes.get(&node).is_some_and(|classes| classes.contains(range.as_str())),
        (_, None) => false,
    }
}

/// Values of wrong types, which these files are for: they stay what they are, and so are misused.
const WRONG_BY_SCHEMA_ORG: [&str; 2] =
    ["train/bad/mixed.json: datatype isBasedOn", "rlcf/bad/r-11-times.json: datatype startTime"];
/// The same by our own vocabulary.
const WRONG_BY_OURS: [&str; 3] = [
    r#"train/bad/mixed.json: Range: eg:isImpossible to "no""#,
    r#"train/wrong-types.json: Range: eg:isImpossible to "0"^^xsd:integer"#,
    r#"train/wrong-types.json: Range: eg:isImpossible to "false""#,
];

/// The terms of vocabularies by their prefixes.
fn shortened(what: &str) -> String {
    let own = what.replace(&format!("<{EVALGRAPH}isImpossible>"), "eg:isImpossible");
    own.replace(&xsd::INTEGER.to_string(), "xsd:integer")
}

#[test]
fn the_graphs_are_there() {
    assert!(GRAPHS.len() > 75, "{}", GRAPHS.len());
    for Made { name, triples, .. } in GRAPHS.iter() {
        let is_schema_org = |Triple { predicate, object, .. }: &Triple| {
            let class = matches!(object, Term::NamedNode(class) if class.as_str().starts_with(SCHEMA_ORG));
            class || predicate.as_str().starts_with(SCHEMA_ORG)
        };
        assert!(triples.iter().any(is_schema_org), "{name} says nothing in words of schema.org");
    }
}

#[test]
fn terms_of_schema_org_are_used_as_it_says() {
    let mut found = Vec::new();
    for Made { name, text, .. } in GRAPHS.iter() {
        let findings = CheckedText::of_rdf(text, RdfFormat::NTriples).findings(&CheckOptions::default());
        let faults = findings.iter().filter(|finding| finding.level >= CheckLevel::Warning);
        found.extend(faults.map(|finding| format!("{name}: {} {}", finding.code.name(), finding.property)));
    }
    assert_eq!(found, WRONG_BY_SCHEMA_ORG);
}

#[test]
fn our_own_terms_are_used_as_the_vocabulary_says() {
    let vocabulary = Vocabulary::read();
    let mut found = Vec::new();
    for Made { name, triples, .. } in GRAPHS.iter() {
        let misuses = vocabulary.misuses(triples).into_iter();
        found.extend(misuses.map(|(misuse, what)| format!("{name}: {misuse:?}: {}", shortened(&what))));
    }
    assert_eq!(found, WRONG_BY_OURS);
}

#[test]
fn no_term_of_the_systems_is_without_use() {
    let mut unused = Vocabulary::read().of_systems;
    assert!(unused.len() > 150, "{}", unused.len());
    for Triple { predicate, object, .. } in GRAPHS.iter().flat_map(|made| &made.triples) {
        let class = match object {
            Term::NamedNode(class) if *predicate == rdf::TYPE => class,
            _ => predicate,
        };
        if let Some(term) = class.as_str().strip_prefix(EVALGRAPH) {
            unused.remove(term);
        }
    }
    assert_eq!(unused, BTreeSet::new());
}
