//! A model of the Python library's loader, row by row of its fields, types and kinds: everything
//! that is written for it passes, whatever it was made of.

use crate::karenina::conversions::{checkpoints, parsed, read, written};
use evalgraph::source::checkpoint::writer::CheckpointForm;
use serde_json::{Map, Value};

/// The kinds of traits, by the end of `additionalType`.
const STEMS: [&str; 7] = [
    "RubricTrait",
    "LLMRubricTrait",
    "RegexTrait",
    "CallableTrait",
    "MetricRubricTrait",
    "AgenticRubricTrait",
    "DynamicRubricTrait",
];

/// A change that makes a good file bad.
type Edit<'e> = &'e dyn Fn(&mut Value);

/// What the library refuses, with the path.
#[derive(Default)]
pub(crate) struct Loader {
    pub(crate) faults: Vec<String>,
}

impl Loader {
    /// Loads the text of a file.
    pub(crate) fn load(text: &str) -> Self {
        let mut loader = Self::default();
        let root: Value = serde_json::from_str(text).expect("it is JSON");
        loader.checkpoint(&root);
        loader
    }

    fn wrong(&mut self, path: &str, what: &str) {
        self.faults.push(format!("{path}: {what}"));
    }

    fn object<'v>(&mut self, value: &'v Value, path: &str) -> Option<&'v Map<String, Value>> {
        if !value.is_object() {
            self.wrong(path, "an object is wanted");
        }
        value.as_object()
    }

    fn text(&mut self, object: &Map<String, Value>, key: &str, path: &str) -> Option<String> {
        let text = object.get(key).and_then(Value::as_str).map(str::to_owned);
        if text.is_none() {
            self.wrong(&format!("{path}/{key}"), "a string is wanted");
        }
        text
    }

    fn optional_text(&mut self, object: &Map<String, Value>, key: &str, path: &str) {
        if object.get(key).is_some_and(|value| !value.is_string()) {
            self.wrong(&format!("{path}/{key}"), "a string or nothing is wanted");
        }
    }

    /// `@type` is the class where it is there, and `@id` a string.
    fn head(&mut self, object: &Map<String, Value>, class: &str, path: &str) {
        if object.get("@type").is_some_and(|found| found != class) {
            self.wrong(path, &format!("`@type` is not `{class}`"));
        }
        self.optional_text(object, "@id", path);
    }

    fn list<'v>(&mut self, object: &'v Map<String, Value>, key: &str, path: &str) -> &'v [Value] {
        match object.get(key) {
            None => &[],
            Some(Value::Array(items)) => items,
            Some(_) => {
                self.wrong(&format!("{path}/{key}"), "a list is wanted");
                &[]
            }
        }
    }

    fn checkpoint(&mut self, root: &Value) {
        let Some(root) = self.object(root, "") else { return };
        self.head(root, "DataFeed", "");
        if !root.get("@context").is_some_and(Value::is_object) {
            self.wrong("/@context", "an object is wanted");
        }
        if self.text(root, "name", "").is_some_and(|name| name.is_empty()) {
            self.wrong("/name", "is empty");
        }
        for key in ["description", "version"] {
            self.optional_text(root, key, "");
        }
        match root.get("creator") {
            None | Some(Value::String(_)) => {}
            Some(creator) => {
                if let Some(person) = self.object(creator, "/creator") {
                    self.head(person, "Person", "/creator");
                    self.text(person, "name", "/creator");
                    self.optional_text(person, "url", "/creator");
                    self.optional_text(person, "email", "/creator");
                }
            }
        }
        self.text(root, "dateCreated", "");
        self.text(root, "dateModified", "");
        for (at, rating) in self.list(root, "rating", "").iter().enumerate() {
            self.rating(rating, "Global", &format!("/rating/{at}"));
        }
        if !root.get("dataFeedElement").is_some_and(Value::is_array) {
            self.wrong("/dataFeedElement", "a list is wanted");
        }
        for (at, item) in self.list(root, "dataFeedElement", "").iter().enumerate() {
            self.item(item, &format!("/dataFeedElement/{at}"));
        }
        if !self.list(root, "hasPart", "").is_empty() && !self.list(root, "dataFeedElement", "").is_empty() {
            self.wrong("/hasPart", "scenarios stand beside questions");
        }
        for (at, scenario) in self.list(root, "hasPart", "").iter().enumerate() {
            self.scenario(scenario, &format!("/hasPart/{at}"));
        }
        self.properties(root, "");
    }

    fn item(&mut self, item: &Value, path: &str) {
        let Some(item) = self.object(item, path) else { return };
        self.head(item, "DataFeedItem", path);
        self.text(item, "dateCreated", path);
        self.text(item, "dateModified", path);
        self.keywords(item, path);
        let question = item.get("item").cloned().unwrap_or_default();
        self.question(&question, &format!("{path}/item"));
    }

    fn question(&mut self, question: &Value, path: &str) {
        let Some(question) = self.object(question, path) else { return };
        self.head(question, "Question", path);
        if self.text(question, "text", path).is_some_and(|text| text.is_empty()) {
            self.wrong(&format!("{path}/text"), "is empty");
        }
        let answer = question.get("acceptedAnswer").cloned().unwrap_or_default();
        let answer_path = format!("{path}/acceptedAnswer");
        if let Some(answer) = self.object(&answer, &answer_path) {
            self.head(answer, "Answer", &answer_path);
            self.text(answer, "text", &answer_path);
        }
        let code = question.get("hasPart").cloned().unwrap_or_default();
        let code_path = format!("{path}/hasPart");
        if let Some(code) = self.object(&code, &code_path) {
            self.head(code, "SoftwareSourceCode", &code_path);
            self.text(code, "name", &code_path);
            self.text(code, "text", &code_path);
            if code.get("programmingLanguage").is_some_and(|language| language != "Python") {
                self.wrong(&code_path, "`programmingLanguage` is not `Python`");
            }
            self.optional_text(code, "codeRepository", &code_path);
        }
        for (at, rating) in self.list(question, "rating", path).iter().enumerate() {
            self.rating(rating, "QuestionSpecific", &format!("{path}/rating/{at}"));
        }
        self.properties(question, path);
        self.keywords(question, path);
    }

    fn keywords(&mut self, object: &Map<String, Value>, path: &str) {
        for keyword in self.list(object, "keywords", path) {
            if !keyword.is_string() {
                self.wrong(&format!("{path}/keywords"), "strings are wanted");
            }
        }
    }

    /// The properties by name; the last of a name counts, as in the library's loops.
    fn properties(&mut self, object: &Map<String, Value>, path: &str) -> Map<String, Value> {
        let mut found = Map::new();
        for (at, property) in self.list(object, "additionalProperty", path).iter().enumerate() {
            let path = format!("{path}/additionalProperty/{at}");
            let Some(property) = self.object(property, &path) else { continue };
            self.head(property, "PropertyValue", &path);
            if let Some(name) = self.text(property, "name", &path) {
                found.insert(name, property.get("value").cloned().unwrap_or_default());
            }
        }
        found
    }

    fn rating(&mut self, rating: &Value, scope: &str, path: &str) {
        let Some(rating) = self.object(rating, path) else { return };
        self.head(rating, "Rating", path);
        self.text(rating, "name", path);
        for key in ["description", "ratingExplanation"] {
            self.optional_text(rating, key, path);
        }
        for key in ["bestRating", "worstRating"] {
            if !rating.get(key).is_some_and(Value::is_f64) {
                self.wrong(&format!("{path}/{key}"), "a float is wanted");
            }
        }
        if rating.get("ratingValue").is_some_and(|value| !value.is_number()) {
            self.wrong(&format!("{path}/ratingValue"), "a number or nothing is wanted");
        }
        let kind = self.text(rating, "additionalType", path).unwrap_or_default();
        let stem = kind.strip_prefix("karenina:").and_then(|kind| kind.strip_prefix(scope));
        let Some(stem) = stem.filter(|stem| STEMS.contains(stem)) else {
            return self.wrong(path, &format!("`{kind}` is not a kind of trait of that place"));
        };
        let properties = self.properties(rating, path);
        let dynamic = match properties.get("dynamic_trait_type").and_then(Value::as_str) {
            Some("regex") => "RegexTrait",
            Some("callable") => "CallableTrait",
            Some("metric") => "MetricRubricTrait",
            Some("agentic") => "AgenticRubricTrait",
            _ => "LLMRubricTrait",
        };
        let stem = if stem == "DynamicRubricTrait" { dynamic } else { stem };
        let range = ["worstRating", "bestRating"].map(|key| rating.get(key).and_then(Value::as_f64));
        self.configuration(stem, &properties, range, path);
    }

    /// What the library's models of traits ask of the configuration.
    fn configuration(
        &mut self,
        stem: &str,
        properties: &Map<String, Value>,
        [worst, best]: [Option<f64>; 2],
        path: &str,
    ) {
        let is_flag =
            |name: &str| properties.get(name).is_none_or(|value| value.is_boolean() || value.is_null());
        for name in ["higher_is_better", "case_sensitive", "invert_result", "deep_judgment_enabled"] {
            if !is_flag(name) {
                self.wrong(path, &format!("`{name}` is not a boolean"));
            }
        }
        match stem {
            "RegexTrait" if properties.get("pattern").is_some_and(|pattern| !pattern.is_string()) => {
                self.wrong(path, "`pattern` is not a string");
            }
            "MetricRubricTrait" => self.metric(properties, path),
            "AgenticRubricTrait" => self.agentic(properties, path),
            "RubricTrait" | "LLMRubricTrait" => self.judged(properties, worst, best, path),
            _ => {}
        }
    }

    fn judged(&mut self, properties: &Map<String, Value>, worst: Option<f64>, best: Option<f64>, path: &str) {
        let kind = properties.get("kind").unwrap_or(&Value::Null);
        if kind.is_object() {
            if best != worst || properties.get("higher_is_better").is_some_and(|value| !value.is_null()) {
                self.wrong(path, "a template trait has no range and no direction");
            }
        } else if kind == "literal" {
            self.classes(properties, best, path);
        } else {
            let number = |name: &str| properties.get(name).and_then(Value::as_f64);
            let is_boolean = kind == "boolean" || (kind.is_null() && best == Some(1.0) && worst == Some(0.0));
            // The library reads the range of a score from the configuration, not from the rating.
            if !is_boolean && (number("min_score") != worst || number("max_score") != best) {
                self.wrong(path, "the range of the score is not in its configuration");
            }
            if worst > best {
                self.wrong(path, "the worst rating is above the best");
            }
        }
    }

    fn classes(&mut self, properties: &Map<String, Value>, best: Option<f64>, path: &str) {
        let Some(classes) = properties.get("classes").and_then(Value::as_object) else {
            return self.wrong(path, "a literal trait without classes");
        };
        let mut names: Vec<String> = classes.keys().map(|name| name.trim().to_lowercase()).collect();
        names.sort();
        names.dedup();
        if names.len() != classes.len() || !(2..=20).contains(&names.len()) || names[0].is_empty() {
            self.wrong(path, "2 to 20 classes with different names are wanted");
        }
        if best != Some((classes.len() - 1) as f64) {
            self.wrong(path, "the best rating is not that of the last class");
        }
    }

    fn metric(&mut self, properties: &Map<String, Value>, path: &str) {
        let texts = |name: &str| -> Vec<String> {
            let list = properties.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
            list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let full = match properties.get("evaluation_mode").and_then(Value::as_str) {
            Some("tp_only") => false,
            Some("full_matrix") => true,
            _ => return self.wrong(path, "no evaluation mode that the library knows"),
        };
        let known = ["precision", "recall", "f1", "specificity", "accuracy"];
        let known = &known[..if full { 5 } else { 3 }];
        let metrics = texts("metrics");
        if metrics.is_empty() || metrics.iter().any(|metric| !known.contains(&metric.as_str())) {
            self.wrong(path, "a metric that the mode does not have, or none");
        }
        if texts("tp_instructions").is_empty() || (full && texts("tn_instructions").is_empty()) {
            self.wrong(path, "instructions are missing");
        }
    }

    fn agentic(&mut self, properties: &Map<String, Value>, path: &str) {
        let mode = properties.get("context_mode").and_then(Value::as_str).unwrap_or("trace_and_workspace");
        if !["workspace_only", "trace_and_workspace", "trace_only"].contains(&mode) {
            self.wrong(path, "no context mode that the library knows");
        }
        let keeps = properties.get("materialize_trace") == Some(&Value::Bool(true));
        if mode == "workspace_only" && keeps {
            self.wrong(path, "a trace that is not there cannot be kept");
        }
        for name in ["max_turns", "timeout_seconds"] {
            if properties.get(name).and_then(Value::as_f64).is_some_and(|number| number <= 0.0) {
                self.wrong(path, &format!("`{name}` is not above zero"));
            }
        }
    }

    fn scenario(&mut self, scenario: &Value, path: &str) {
        let Some(scenario) = self.object(scenario, path) else { return };
        self.head(scenario, "karenina:Scenario", path);
        self.text(scenario, "name", path);
        self.text(scenario, "entryNode", path);
        let nodes = scenario.get("nodes").and_then(Value::as_object).cloned();
        if nodes.is_none() || !scenario.get("edges").is_some_and(Value::is_array) {
            self.wrong(path, "nodes and edges are wanted");
        }
        for (name, node) in nodes.unwrap_or_default() {
            let question = node.get("question").cloned().unwrap_or_default();
            self.question(&question, &format!("{path}/nodes/{name}/question"));
        }
    }
}

#[test]
fn the_library_loads_what_is_written_for_it() {
    for (name, document) in checkpoints() {
        let source = read(&document);
        let first = written(&source, CheckpointForm::Library).text;
        assert_eq!(Loader::load(&first).faults, [""; 0], "{name}");
        for form in crate::karenina::conversions::FORMS {
            let other = parsed(&name, written(&source, form).text);
            let text = written(&read(&other), CheckpointForm::Library).text;
            assert_eq!(Loader::load(&text).faults, [""; 0], "{name} by way of {form:?}");
        }
    }
}

#[test]
fn the_model_of_the_loader_refuses_what_the_library_refuses() {
    let good = |edit: &dyn Fn(&mut Value)| {
        let text = std::fs::read_to_string(crate::karenina::fixtures::path("karenina/p2-genomics.jsonld"))
            .expect("the fixture is there");
        let mut root: Value = serde_json::from_str(&text).expect("it is JSON");
        edit(&mut root);
        Loader::load(&root.to_string()).faults
    };
    assert_eq!(good(&|_| {}), [""; 0]);
    let cases: [(&str, Edit<'_>); 9] = [
        ("/@context: an object is wanted", &|root| root["@context"] = "https://schema.org".into()),
        ("/name: is empty", &|root| root["name"] = "".into()),
        ("/dateModified: a string is wanted", &|root| root["dateModified"] = Value::Null),
        ("/dataFeedElement/0/item/hasPart: an object is wanted", &|root| {
            let code = root["dataFeedElement"][0]["item"]["hasPart"].clone();
            root["dataFeedElement"][0]["item"]["hasPart"] = Value::Array(vec![code]);
        }),
        ("/rating/0/bestRating: a float is wanted", &|root| root["rating"][0]["bestRating"] = 1.into()),
        ("/rating/0: `GlobalRubricTrait` is not a kind of trait of that place", &|root| {
            root["rating"][0]["additionalType"] = "GlobalRubricTrait".into();
        }),
        ("/dataFeedElement/0/item/keywords: a list is wanted", &|root| {
            root["dataFeedElement"][0]["item"]["keywords"] = "one".into();
        }),
        ("/rating/2: a literal trait without classes", &|root| {
            root["rating"][2]["additionalProperty"].as_array_mut().expect("a list").pop();
        }),
        ("/rating/6: a metric that the mode does not have, or none", &|root| {
            root["rating"][6]["additionalProperty"][0]["value"] = "precision".into();
        }),
    ];
    for (fault, edit) in cases {
        assert_eq!(good(edit), [fault]);
    }
}
