//! Reads results of models by the table of a file.

use std::borrow::Cow;

use super::record_plan::{FilePlan, RecordPlan};
use super::result_members::{
    InnerObjects, METRIC_CLASSES, MetricPlaces, ObjectAt, RESULT_CLASSES, ResultFact, ResultPlaceFinder,
    ResultPlaces, ScorePlaces, SlotKeys, first_number, first_text,
};
use super::shape::{FileShape, RecordPlacement};
use crate::runs::{MetricFacts, RunFacts, RunReader, SampleResult, SampleScore, ScoreScale};
use evalgraph_json::JsonDocument;

/// Reads results by the table of a file.
#[derive(Debug)]
pub struct TableRunReader {
    shape: FileShape,
    /// The facts of the object around the results.
    root: ResultPlaces,
    /// What is in the root, and in each of the records that the root's table does not mention.
    in_root: ObjectReader,
    in_record: Option<ObjectReader>,
}

/// What an object of a file is, and which objects in it are results or metrics, or lead to them.
#[derive(Debug)]
struct ObjectReader {
    result: Option<ResultPlaces>,
    metric: Option<MetricPlaces>,
    inner: Vec<(InnerObjects, Self)>,
}

impl TableRunReader {
    /// Creates the reader for files of a shape, or `None` if its records are not results and it describes no run.
    pub fn from_shape(shape: &FileShape) -> Option<Self> {
        let plan = FilePlan::from_shape(shape);
        let finder = ResultPlaceFinder { names: &plan.names };
        let in_root = ObjectReader::new(&plan.root, &finder);
        let in_record = plan.items.as_ref().map(|(_, record)| ObjectReader::new(record, &finder));
        let root = finder.result_places(&plan.root);
        // The results of a run may be in another file than its model.
        let names = |fact| root.facts.iter().any(|(known, _)| *known == fact);
        let names_model = names(ResultFact::Run) && names(ResultFact::Model);
        let is_of_runs =
            names_model || in_root.is_needed() || in_record.as_ref().is_some_and(ObjectReader::is_needed);
        is_of_runs.then_some(Self { shape: *shape, root, in_root, in_record })
    }

    /// Passes each object that is a result or a metric to `visit`.
    fn each<'d>(&self, document: &'d JsonDocument, visit: &mut dyn FnMut(&ObjectReader, ObjectAt<'d>)) {
        let root = ObjectAt::root(document);
        match (self.shape.records, &self.in_record) {
            (RecordPlacement::Items(..), Some(reader)) => {
                for item in document.items(document.root()).filter(|&item| document.is_object(item)) {
                    reader.each(ObjectAt { value: item, ..root }, visit);
                }
            }
            (RecordPlacement::One(..), Some(reader)) => reader.each(root, visit),
            _ => self.in_root.each(root, visit),
        }
    }
}

impl RunReader for TableRunReader {
    fn results<'d>(&self, document: &'d JsonDocument, visit: &mut dyn FnMut(SampleResult<'d>)) {
        self.each(document, &mut |reader, object| {
            if let Some(places) = &reader.result {
                visit(result(places, &object));
            }
        });
    }

    fn facts(&self, document: &JsonDocument) -> RunFacts {
        let root = ObjectAt::root(document);
        let owned = |fact| {
            let mut places = self.root.facts.iter().filter(|(known, _)| *known == fact);
            places.find_map(|(_, place)| place.text(&root)).map(Cow::into_owned)
        };
        let mut facts = RunFacts {
            run: owned(ResultFact::Run),
            model: owned(ResultFact::Model),
            task: owned(ResultFact::Task),
            metrics: Vec::new(),
        };
        self.each(document, &mut |reader, object| {
            facts.metrics.extend(reader.metric.as_ref().and_then(|places| metric(places, &object)));
        });
        facts
    }
}

impl ObjectReader {
    fn new(plan: &RecordPlan, finder: &ResultPlaceFinder<'_>) -> Self {
        let is_result = finder.has_class(&plan.node, RESULT_CLASSES);
        let is_metric = finder.has_class(&plan.node, METRIC_CLASSES);
        let mut reader = Self {
            result: is_result.then(|| finder.result_places(plan)),
            metric: is_metric.then(|| finder.metric_places(plan)),
            inner: Vec::new(),
        };
        // A result has no other results in it.
        if !is_result {
            let keys = SlotKeys::new(plan);
            for (slot, row) in plan.slots.iter().enumerate() {
                let Some(inner) = row.inner.as_deref().map(|inner| Self::new(inner, finder)) else {
                    continue;
                };
                let objects = InnerObjects::from_slot(plan, slot, &keys).filter(|_| inner.is_needed());
                reader.inner.extend(objects.map(|objects| (objects, inner)));
            }
        }
        reader
    }

    fn is_needed(&self) -> bool {
        self.result.is_some() || self.metric.is_some() || !self.inner.is_empty()
    }

    fn each<'d>(&self, object: ObjectAt<'d>, visit: &mut dyn FnMut(&Self, ObjectAt<'d>)) {
        if self.result.is_some() || self.metric.is_some() {
            visit(self, object);
        }
        for (objects, inner) in &self.inner {
            objects.each(&object, &mut |object| inner.each(object, visit));
        }
    }
}

fn result<'d>(places: &ResultPlaces, object: &ObjectAt<'d>) -> SampleResult<'d> {
    let document = object.document;
    let mut result = SampleResult::new(object.value);
    for (fact, place) in &places.facts {
        match fact {
            ResultFact::Keywords => {
                let list = place.token(object);
                let items = list.into_iter().flat_map(|list| document.items(list));
                result.keywords.extend(items.filter_map(|item| document.string(item)));
            }
            ResultFact::Verdict => {
                // A verdict that is computed from the scores says nothing new.
                let is_own = place.token(object).is_some_and(|value| document.is_scalar(value));
                let metric = place.keys.last().copied().filter(|key| is_own && !key.is_empty());
                if let Some((metric, value)) = metric.zip(place.number(object)) {
                    let scale = Some(ScoreScale { worst: 0.0, best: 1.0 });
                    result.scores.push(SampleScore { metric: metric.into(), value, scale });
                }
            }
            _ => {
                let field = field(&mut result, *fact);
                if field.is_none() {
                    *field = place.text(object);
                }
            }
        }
    }
    result.scores.extend(places.scores.iter().filter_map(|places| score(places, object)));
    for (objects, places) in &places.ratings {
        objects.each(object, &mut |object| result.scores.extend(score(places, &object)));
    }
    result
}

/// The field of a fact that is one text.
fn field<'r, 'd>(result: &'r mut SampleResult<'d>, fact: ResultFact) -> &'r mut Option<Cow<'d, str>> {
    match fact {
        ResultFact::Sample => &mut result.sample,
        ResultFact::Question => &mut result.question,
        ResultFact::Task => &mut result.task,
        ResultFact::Model => &mut result.model,
        ResultFact::Run => &mut result.run,
        ResultFact::Repeat => &mut result.repeat,
        ResultFact::Group | ResultFact::Keywords | ResultFact::Verdict => &mut result.group,
    }
}

fn score<'d>(places: &ScorePlaces, object: &ObjectAt<'d>) -> Option<SampleScore<'d>> {
    let value = first_number(&places.value, object)?;
    let own_key = || places.value.first().and_then(|place| place.keys.last().copied());
    let metric =
        first_text(&places.aspect, object).or_else(|| places.metric.or_else(own_key).map(Cow::Borrowed))?;
    let end = |found: Option<f64>, constant: Option<&str>| found.or_else(|| constant?.parse().ok());
    let worst = end(first_number(&places.worst, object), places.constant_worst);
    let best = end(first_number(&places.best, object), places.constant_best);
    let scale = worst.zip(best).map(|(worst, best)| ScoreScale { worst, best });
    Some(SampleScore { metric, value, scale })
}

fn metric(places: &MetricPlaces, object: &ObjectAt<'_>) -> Option<MetricFacts> {
    let text = |places| first_text(places, object).map(Cow::into_owned);
    let scale = first_number(&places.worst, object).zip(first_number(&places.best, object));
    Some(MetricFacts {
        task: text(&places.task),
        metric: text(&places.metric)?,
        result: text(&places.result),
        lower_is_better: first_number(&places.lower_is_better, object).map(|value| value > 0.0),
        scale: scale.map(|(worst, best)| ScoreScale { worst, best }),
    })
}
