//! The statements of a graph about results of models on samples, in the terms that all systems share, and which of them were
//! read.

use crate::records::{TrackedGraph, UnreadStatements};
use crate::rewriting::IndexedGraph;
use evalgraph_json::{JsonKind, Limits, parse};
use evalgraph_rdf::quad_buffer::BufferTermId;
use evalgraph_rdf::vocabulary::EVALGRAPH;
use std::collections::HashSet;

/// The classes of results.
const RESULT_CLASSES: [&str; 3] = ["SampleResult", "VerificationResult", "VerificationRow"];

/// The statements about results.
pub(super) struct ResultStatements<'g> {
    graph: &'g IndexedGraph<'g>,
    reading: TrackedGraph<'g>,
}

/// What the statements of a graph say about a result.
pub(super) struct StatedResult<'g> {
    pub(super) run: Option<&'g str>,
    pub(super) model: Option<&'g str>,
    pub(super) task: Option<&'g str>,
    pub(super) sample: Option<&'g str>,
    pub(super) question: Option<&'g str>,
    pub(super) references: Vec<&'g str>,
    pub(super) choices: Option<&'g str>,
    pub(super) answers: Vec<&'g str>,
    pub(super) verdict: Option<bool>,
    pub(super) scores: Vec<StatedScore<'g>>,
    /// Counts of tokens, by the keys of the form.
    pub(super) tokens: Vec<(&'static str, &'g str)>,
    pub(super) seconds: Option<f64>,
    pub(super) failure: Option<&'g str>,
    /// The attempt and the group, by the keys of `metadata`.
    pub(super) metadata: Vec<(&'static str, &'g str)>,
}

/// A score of a result.
pub(super) struct StatedScore<'g> {
    /// The metric, trait or scorer.
    pub(super) aspect: Option<&'g str>,
    /// The score, as the graph spells it.
    pub(super) value: &'g str,
    worst: Option<f64>,
    best: Option<f64>,
}

impl StatedScore<'_> {
    /// Returns whether the score is the best one; `None` if it is between the best and the worst. Without a scale, 1 is the
    /// best and 0 the worst.
    pub(super) fn is_right(&self) -> Option<bool> {
        let value: f64 = self.value.parse().ok()?;
        match () {
            () if value == self.best.unwrap_or(1.0) => Some(true),
            () if value == self.worst.unwrap_or(0.0) => Some(false),
            () => None,
        }
    }
}

impl<'g> ResultStatements<'g> {
    pub(super) fn new(graph: &'g IndexedGraph<'g>) -> Self {
        Self { graph, reading: TrackedGraph::new(graph) }
    }

    /// Returns the results, in the order in which they appeared. The statements that list them count as read.
    pub(super) fn results(&mut self) -> Vec<BufferTermId> {
        let graph = self.graph;
        let classes: Vec<BufferTermId> = RESULT_CLASSES
            .iter()
            .filter_map(|class| graph.quads().find_iri(&format!("{EVALGRAPH}{class}")))
            .collect();
        let is_result = |node: &BufferTermId| {
            let mut types = graph.rdf_type().into_iter().flat_map(|rdf_type| graph.objects(*node, rdf_type));
            types.any(|class| classes.contains(&class))
        };
        let results: Vec<BufferTermId> = graph.subjects().iter().copied().filter(is_result).collect();
        let known: HashSet<BufferTermId> = results.iter().copied().collect();
        for &node in graph.subjects() {
            for number in graph.statement_numbers(node) {
                if known.contains(&graph.statement(number).1) {
                    self.reading.read(number);
                }
            }
        }
        results
    }

    /// Returns the statements that were not read.
    pub(super) fn unread(&self) -> Vec<UnreadStatements> {
        self.reading.unread()
    }

    /// Reads the statements about a result.
    pub(super) fn result(&mut self, result: BufferTermId) -> StatedResult<'g> {
        let answer = self.nodes(result, "itemReviewed").into_iter().next();
        let question = answer.and_then(|answer| self.nodes(answer, "parentItem").into_iter().next());
        let accepted =
            question.and_then(|question| self.nodes(question, "acceptedAnswer").into_iter().next());
        let mut scores = Vec::new();
        for rating in self.nodes(result, "reviewRating") {
            let number = |text: Option<&str>| text.and_then(|text| text.parse().ok());
            let (aspect, value) = (self.first(rating, "reviewAspect"), self.first(rating, "ratingValue"));
            let (worst, best) = (self.first(rating, "worstRating"), self.first(rating, "bestRating"));
            let (worst, best) = (number(worst), number(best));
            scores.extend(value.map(|value| StatedScore { aspect, value, worst, best }));
        }
        let verdict = self.first(result, "eg:verifyResult").and_then(|verdict| match verdict {
            "true" | "True" => Some(true),
            "false" | "False" => Some(false),
            _ => None,
        });
        self.read_nothing_more(result, ["position", "identifier"]);
        question.into_iter().for_each(|question| self.read_nothing_more(question, ["position"]));
        let mut named = |keys: &[(&'static str, &str)]| {
            let mut found = Vec::new();
            for (key, property) in keys {
                found.extend(self.first(result, property).map(|value| (*key, value)));
            }
            found
        };
        let tokens = named(&[
            ("input_tokens", "eg:inputTokens"),
            ("output_tokens", "eg:outputTokens"),
            ("total_tokens", "eg:totalTokens"),
        ]);
        let metadata = named(&[("replicate", "eg:replicate"), ("group", "eg:sampleGroup")]);
        StatedResult {
            run: self.first(result, "eg:runName"),
            model: self.first(result, "eg:answeringModel"),
            task: self.first(result, "eg:task"),
            sample: question.and_then(|question| self.first(question, "identifier")),
            question: question.and_then(|question| self.first(question, "text")),
            references: accepted.map_or_else(Vec::new, |accepted| self.texts(accepted, "text")),
            choices: self.first(result, "eg:choices").filter(|choices| is_list_of_texts(choices)),
            answers: answer.map_or_else(Vec::new, |answer| self.texts(answer, "text")),
            verdict,
            scores,
            tokens,
            seconds: self.first(result, "eg:executionTime").and_then(|seconds| seconds.parse().ok()),
            failure: self.first(result, "eg:failureReason"),
            metadata,
        }
    }

    /// Returns the objects of a property that are nodes, whose classes count as read.
    fn nodes(&mut self, node: BufferTermId, property: &str) -> Vec<BufferTermId> {
        self.reading.read_classes(node, |_| true);
        let mut objects = self.objects(node, property);
        objects.retain(|&object| self.graph.is_subject(object));
        objects.iter().for_each(|&object| self.reading.read_classes(object, |_| true));
        objects
    }

    fn first(&mut self, node: BufferTermId, property: &str) -> Option<&'g str> {
        self.texts(node, property).into_iter().next()
    }

    fn texts(&mut self, node: BufferTermId, property: &str) -> Vec<&'g str> {
        let objects = self.objects(node, property);
        objects.into_iter().filter_map(|object| self.graph.lexical(object)).collect()
    }

    /// Counts properties as read that say nothing which a sample lacks.
    fn read_nothing_more<const COUNT: usize>(&mut self, node: BufferTermId, properties: [&str; COUNT]) {
        for property in properties {
            self.objects(node, property);
        }
    }

    /// Returns the objects of a property, which count as read.
    fn objects(&mut self, node: BufferTermId, property: &str) -> Vec<BufferTermId> {
        let predicates = match property.strip_prefix("eg:") {
            Some(local) => self.graph.quads().find_iri(&format!("{EVALGRAPH}{local}")).into_iter().collect(),
            None => self.graph.schema_org(property),
        };
        let mut objects = Vec::new();
        for number in self.graph.statement_numbers(node) {
            let (predicate, object) = self.graph.statement(number);
            if predicates.contains(&predicate) {
                self.reading.read(number);
                objects.push(object);
            }
        }
        objects
    }
}

/// Returns the models that a graph names for whole runs, by the names of the runs.
pub(super) fn models_of_runs(graph: &IndexedGraph<'_>) -> Vec<(String, String)> {
    let property = |local: &str| graph.quads().find_iri(&format!("{EVALGRAPH}{local}"));
    let (Some(run), Some(model), Some(class), Some(rdf_type)) =
        (property("runName"), property("answeringModel"), property("EvaluationRun"), graph.rdf_type())
    else {
        return Vec::new();
    };
    let text = |node, property| graph.objects(node, property).find_map(|object| graph.lexical(object));
    let of_runs =
        graph.subjects().iter().filter(|node| graph.objects(**node, rdf_type).any(|found| found == class));
    of_runs.filter_map(|node| Some((text(*node, run)?.to_owned(), text(*node, model)?.to_owned()))).collect()
}

/// Returns whether a JSON text is a list of strings.
fn is_list_of_texts(json: &str) -> bool {
    let Ok(document) = parse("choices", json.to_owned(), Limits::default()) else { return false };
    let is_text = |item| matches!(document.kind(item), JsonKind::String | JsonKind::EscapedString);
    document.is_array(document.root()) && document.items(document.root()).all(is_text)
}
