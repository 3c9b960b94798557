//! Cases beside other engines: each is answered here and by every engine, what differs is looked up in the table of
//! decided differences, and what is not there is made small and shown with its number.

use crate::generated::numbers;
use crate::generated::smaller::{Shrinkable, made_small};
use crate::random::decided::{Decided, decided};
use crate::random::engines::{Answer, Engine};
use std::collections::BTreeMap;
use std::io::Write as _;

/// After so many differences a run ends: most are one.
const MOST: usize = 100;

/// What is compared.
pub(crate) struct Work<C> {
    /// The subject, as the table of decided differences calls it.
    pub(crate) subject: &'static str,
    /// How many cases are compared unless the environment says more.
    pub(crate) few: u64,
    /// The case of a number.
    pub(crate) case: fn(u64) -> C,
    pub(crate) ours: fn(&C) -> Answer,
    pub(crate) theirs: fn(&mut Engine, &C) -> Answer,
    /// How two answers differ, where the specification has one answer.
    pub(crate) unlike: fn(&C, &Answer, &Answer) -> Option<String>,
    /// The case as a person reads it, and as the table looks at it.
    pub(crate) shown: fn(&C) -> String,
}

/// How many cases came to what.
#[derive(Default)]
struct Counts {
    /// By engine and outcome, or by engine and the sentence that decides.
    outcomes: BTreeMap<(&'static str, String), u64>,
    answered: u64,
    /// Cases of which something came.
    with_result: u64,
}

impl<C: Shrinkable> Work<C> {
    /// Compares all cases, and fails with those that differ.
    pub(crate) fn run(&self, mut engines: Vec<Engine>) {
        let table = decided(self.subject);
        let mut counts = Counts::default();
        let mut differences = Vec::new();
        for number in numbers(self.few) {
            let case = (self.case)(number);
            let ours = (self.ours)(&case);
            if matches!(&ours, Answer::None(reason) if reason == NOT_COUNTED) {
                continue;
            }
            counts.answered += 1;
            counts.with_result += u64::from(has_result(&ours));
            for engine in &mut engines {
                let outcome = match self.difference(&table, engine, &case, &ours) {
                    Outcome::Alike => "alike".to_owned(),
                    Outcome::NoAnswer => "no answer".to_owned(),
                    Outcome::Decided(sentence) => sentence,
                    Outcome::Differs(_) => {
                        let difference = self.made_small(&table, engine, number, case.clone());
                        let _ = writeln!(std::io::stderr(), "{difference}");
                        differences.push(difference);
                        "differs".to_owned()
                    }
                };
                *counts.outcomes.entry((engine.name(), outcome)).or_default() += 1;
            }
            if differences.len() >= MOST {
                break;
            }
        }
        self.say(&counts);
        assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
        let is_enough = counts.with_result * 4 > counts.answered || counts.answered < self.few;
        assert!(is_enough, "too few cases have a result");
    }

    fn difference(&self, table: &[Decided], engine: &mut Engine, case: &C, ours: &Answer) -> Outcome {
        if matches!(ours, Answer::None(reason) if reason == NOT_COUNTED) {
            return Outcome::NoAnswer;
        }
        let theirs = (self.theirs)(engine, case);
        if matches!(theirs, Answer::None(_)) {
            return Outcome::NoAnswer;
        }
        let Some(difference) = (self.unlike)(case, ours, &theirs) else { return Outcome::Alike };
        let shown = (self.shown)(case);
        match table.iter().find(|row| row.covers(engine.name(), &shown)) {
            Some(row) => Outcome::Decided(row.sentence.to_owned()),
            None => Outcome::Differs(difference),
        }
    }

    fn made_small(&self, table: &[Decided], engine: &mut Engine, number: u64, case: C) -> String {
        let mut said = String::new();
        // The first line says which kind of difference it is; another kind is another case.
        let kind = |difference: &str| difference.lines().next().map(str::to_owned);
        let mut wanted = None;
        let mut differs = |case: &C| match self.difference(table, engine, case, &(self.ours)(case)) {
            Outcome::Differs(difference) if wanted.is_none() || wanted == kind(&difference) => {
                wanted = kind(&difference);
                said = difference;
                true
            }
            _ => false,
        };
        differs(&case);
        let small = made_small(case, differs);
        let name = engine.name();
        format!("{} {number}, {name} differs:\n{}\n{said}", self.subject, (self.shown)(&small))
    }

    fn say(&self, counts: &Counts) {
        let mut text =
            format!("{}: {} cases, {} with a result", self.subject, counts.answered, counts.with_result);
        for ((engine, outcome), count) in &counts.outcomes {
            text += &format!("\n  {engine}: {count} {outcome}");
        }
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

/// The reason of an answer that nobody asks for: the case is not well formed, or takes too long.
pub(crate) const NOT_COUNTED: &str = "not counted";

enum Outcome {
    Alike,
    NoAnswer,
    Decided(String),
    Differs(String),
}

fn has_result(answer: &Answer) -> bool {
    match answer {
        Answer::Boolean(answer) => *answer,
        Answer::Rows { rows, .. } => !rows.is_empty(),
        Answer::Quads(quads) => !quads.is_empty(),
        Answer::Json(value) => value.as_array().is_none_or(|items| !items.is_empty()),
        Answer::None(_) => false,
    }
}
