//! Regular expressions of traits, checked against Python's module `re`, which the programs ask.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use evalgraph::json::{Limits, parse};
use evalgraph::source::checkpoint::{CheckpointProfile, ContextMeaning};
use evalgraph::source::karenina::rules::validate;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};

/// A checkpoint that the library takes, with a trait that has a pattern.
const CHECKPOINT: &str = include_str!("../../judges/seeds/p2-traits.jsonld");
const RATINGS: &str = "/dataFeedElement/0/item/rating";
const WITH_PATTERN: usize = 5;

/// Pieces of patterns, of which some mean nothing, or nothing at their place.
const PIECES: &[&str] = &[
    "a",
    "b",
    "-",
    "]",
    "}",
    "{",
    ",",
    "1",
    "9",
    " ",
    "#",
    "\n",
    ".",
    "^",
    "$",
    "|",
    "|",
    "*",
    "+",
    "?",
    "{2}",
    "{,3}",
    "{1,}",
    "{3,1}",
    "{2,2}",
    "{4294967295}",
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    ")",
    "[",
    "[^",
    "[]",
    "a-z",
    "z-a",
    "(?:",
    "(?>",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?#",
    "(?P<n>",
    "(?P<m>",
    "(?P=n)",
    "(?P<1>",
    "(?P>",
    "(?(1)",
    "(?(n)",
    "(?(0)",
    "(?i)",
    "(?x)",
    "(?a)",
    "(?u)",
    "(?i:",
    "(?-i:",
    "(?x-i:",
    "(?-x:",
    "(?i-i:",
    "(?L)",
    "(?au:",
    "(?z",
    "(?-",
    "(?",
    "\\",
    "\\\\",
    "\\1",
    "\\2",
    "\\07",
    "\\400",
    "\\12",
    "\\b",
    "\\A",
    "\\Z",
    "\\d",
    "\\W",
    "\\q",
    "\\n",
    "\\x4",
    "\\x41",
    "\\u0041",
    "\\U00110000",
    "\\N",
    "\\N{",
    "\\N{SOFT HYPHEN}",
    "é",
];

/// Says of each pattern of a list whether Python takes it.
const PYTHON: &str = "
import json, re, sys, warnings
warnings.simplefilter('ignore')
def takes(pattern):
    try:
        re.compile(pattern)
        return True
    except Exception:
        return False
json.dump([takes(pattern) for pattern in json.load(sys.stdin)], sys.stdout)
";

fn taken_by_python(patterns: &[String]) -> Vec<bool> {
    let mut python = Command::new("python3")
        .args(["-c", PYTHON])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 can be run");
    let input = json!(patterns).to_string();
    python.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("python3 reads");
    let output = python.wait_with_output().expect("it is our child");
    assert!(output.status.success(), "python3 failed");
    serde_json::from_slice(&output.stdout).expect("a list in JSON")
}

/// Returns whether the rules of the library take each pattern, in a checkpoint that has a trait for each.
fn taken_by_rules(patterns: &[String]) -> Vec<bool> {
    let mut checkpoint: Value = serde_json::from_str(CHECKPOINT).expect("it is JSON");
    let ratings = checkpoint.pointer_mut(RATINGS).expect("there are ratings");
    let model = ratings[WITH_PATTERN].clone();
    let with_pattern = |(at, pattern): (usize, &String)| {
        let mut rating = model.clone();
        rating["name"] = format!("trait {at}").into();
        assert_eq!(rating["additionalProperty"][0]["name"], "pattern");
        rating["additionalProperty"][0]["value"] = pattern.as_str().into();
        rating
    };
    *ratings = patterns.iter().enumerate().map(with_pattern).collect();
    let document = parse("patterns.jsonld", checkpoint.to_string(), Limits::default()).expect("it is JSON");
    let report = validate(&document, CheckpointProfile::Library, &ContextMeaning::SchemaOrg);
    let refused: BTreeSet<usize> = report
        .results
        .iter()
        .filter(|result| result.rule == "K-P3")
        .filter_map(|result| {
            result.place.as_ref()?.pointer.as_ref()?.strip_prefix(RATINGS)?.split('/').nth(1)?.parse().ok()
        })
        .collect();
    (0..patterns.len()).map(|at| !refused.contains(&at)).collect()
}

#[test]
#[ignore = "needs python3, 3.11 or newer"]
fn patterns_are_refused_where_python_refuses_them() {
    let mut random = StdRng::seed_from_u64(1);
    let piece = |random: &mut StdRng| *PIECES.choose(random).expect("there are pieces");
    let patterns: Vec<String> = (0..20_000)
        .map(|_| {
            let pieces = random.random_range(1..8);
            (0..pieces).map(|_| piece(&mut random)).collect()
        })
        .collect();
    let (python, rules) = (taken_by_python(&patterns), taken_by_rules(&patterns));
    let taken = python.iter().filter(|taken| **taken).count();
    assert!((patterns.len() / 20..patterns.len() / 2).contains(&taken), "{taken} of them say something");
    let differing: Vec<_> = patterns
        .iter()
        .zip(python.iter().zip(&rules))
        .filter(|(_, (python, rules))| python != rules)
        .collect();
    assert!(
        differing.is_empty(),
        "{} differ (pattern, Python, rules): {:?}",
        differing.len(),
        &differing[..differing.len().min(20)]
    );
}
