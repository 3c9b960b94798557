//! The rules about a dataset as a whole: its own fields, unique ids, correct statistics, and samples of every kind.

use super::class_rules::{ANSWER_JSON, DATASET};
use super::kwanzaa_profile::KwanzaaProfile;
use super::string_forms::{CODE, is_sample_id};
use crate::catalog::text_key;
use crate::checking::schema::{CoercionMode, check_object};
use crate::checking::{FindingCollector, FormatRule, info, violation, warning};
use crate::kwanzaa::dataset_fields::{CODE_DATASET, SEED_DATASET};
use crate::kwanzaa::samples::{is_digits, number, samples};
use crate::kwanzaa::statistics::{KnownValueCounts, SampleStatistics};
use crate::kwanzaa::{CATEGORIES, KwanzaaSettings, PERSONAS};
use evalgraph_diagnostics::validation::{CappedDetails, FocusNode, ResultSeverity, RuleReport, RuleResult};
use evalgraph_json::TokenId;
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

const UNIQUE: FormatRule = violation("W-1", "`sample_id` must be unique in all files");
const STATISTICS: FormatRule = warning("W-20", "`statistics` should say what the samples are");
const CONVENTION: FormatRule = info("W-24", "`sample_id` should follow {category}_{persona}_{number}");
const COVERAGE: FormatRule = warning(
    "W-25",
    "there should be all categories and personas, several difficulties, all seven principles",
);
const ASKED_ONCE: FormatRule = warning("W-27", "no two samples of all files should ask the same question");
const DIVERSITY: FormatRule = info("W-29", "questions, types of sources and periods should vary");
const SIZE: FormatRule =
    info("W-26", "there should be at least 5 samples a category and 40 in all; for production 20 to 50");

/// The rules of this file that a profile has.
pub(super) fn rules(profile: KwanzaaProfile) -> &'static [FormatRule] {
    match profile {
        KwanzaaProfile::Seed => &[UNIQUE, STATISTICS, CONVENTION, COVERAGE, SIZE, ASKED_ONCE, DIVERSITY],
        KwanzaaProfile::Code | KwanzaaProfile::Contract => &[UNIQUE],
    }
}

/// The values seen so far, each with the file and the index of its first sample.
#[derive(Debug, Default)]
struct FirstOccurrences {
    files: Vec<String>,
    seen: HashMap<String, (usize, usize)>,
}

/// The values that must not recur in any sample of any file.
#[derive(Debug, Default)]
pub(super) struct SeenOnce {
    ids: FirstOccurrences,
    questions: FirstOccurrences,
}

pub(super) fn check_dataset(
    checker: &mut FindingCollector<'_>,
    profile: KwanzaaProfile,
    once: &mut SeenOnce,
) {
    let document = checker.document();
    let root = document.root();
    if profile != KwanzaaProfile::Contract && document.is_object(root) {
        let (class, mode) = match profile {
            KwanzaaProfile::Code => (&CODE_DATASET, CODE),
            _ => (&SEED_DATASET, CoercionMode::Schema),
        };
        check_object(checker, root, class, mode);
    }
    check_list(checker, profile, root);
    let own_id = |id: &str| id.to_owned();
    check_once(checker, &mut once.ids, &UNIQUE, "sample_id", own_id);
    if profile == KwanzaaProfile::Seed {
        check_once(checker, &mut once.questions, &ASKED_ONCE, "user_query", text_key);
        check_statistics(checker, root);
        check_convention(checker);
    }
}

/// Checks that there is a list of samples, which every profile requires.
fn check_list(checker: &mut FindingCollector<'_>, profile: KwanzaaProfile, root: TokenId) {
    let rule = if profile == KwanzaaProfile::Contract { ANSWER_JSON } else { DATASET };
    let document = checker.document();
    if !document.is_object(root) {
        checker.look(&rule);
        checker.found(&rule, root, None, None, "the dataset is not an object");
        return;
    }
    let message = match document.get(root, "samples") {
        None => "`samples` is missing",
        Some(list) if !document.is_array(list) => "`samples` is not an array",
        Some(list) if document.items(list).next().is_none() => {
            "`samples` is an array of 0, but must have at least 1"
        }
        Some(_) => return,
    };
    checker.found(&rule, root, Some("samples"), document.get(root, "samples"), message);
}

/// Checks that no earlier sample has the same string at a key. `identity` maps strings that count as equal to the same
/// value.
fn check_once(
    checker: &mut FindingCollector<'_>,
    once: &mut FirstOccurrences,
    rule: &'static FormatRule,
    key: &'static str,
    identity: impl Fn(&str) -> String,
) {
    let file = once.files.len();
    once.files.push(checker.document().name().to_string());
    let mut own: HashMap<usize, TokenId> = HashMap::new();
    for (index, sample) in samples(checker.document()).enumerate() {
        let (Some(text), Some(value)) = (sample.text(&[key]), sample.at(&[key])) else { continue };
        checker.look(rule);
        match once.seen.entry(identity(&text)) {
            Entry::Vacant(entry) => {
                entry.insert((file, index));
                own.insert(index, value);
            }
            Entry::Occupied(entry) => {
                let (earlier, at) = *entry.get();
                let where_it_is = match &once.files[earlier] {
                    _ if earlier == file => format!("/samples/{at}"),
                    name => format!("/samples/{at} of {name}"),
                };
                let message = match rule.id == UNIQUE.id {
                    true => format!("`{text}` is also the id of {where_it_is}"),
                    false => format!("the question of {where_it_is} is the same"),
                };
                checker.found(rule, sample.token, Some(key), Some(value), message);
                if earlier == file
                    && let Some(&first) = own.get(&at)
                {
                    checker.relate(first, "the first one");
                }
            }
        }
    }
}

/// Compares the statistics that a file states with its samples.
pub(super) fn check_statistics(checker: &mut FindingCollector<'_>, root: TokenId) {
    let document = checker.document();
    let given = document.is_object(root).then(|| checker.present(root, "statistics")).flatten();
    let Some(given) = given.filter(|&given| document.is_object(given)) else { return };
    checker.look(&STATISTICS);
    let mut counted = SampleStatistics::new(KwanzaaSettings::default());
    counted.add(document);
    compare_count(checker, given, "total_samples", "samples", counted.samples);
    for (key, counts) in counted.tables() {
        // A sample with an unknown or missing value would be missing from the counts.
        if counts.known() == counted.samples {
            compare_table(checker, given, key, counts);
        }
    }
}

fn compare_count(
    checker: &mut FindingCollector<'_>,
    given: TokenId,
    key: &'static str,
    what: &str,
    counted: u64,
) {
    let document = checker.document();
    let Some(value) = document.get(given, key) else { return };
    if number(document, value).is_some_and(|said| said != counted as f64) {
        let message = format!("`{key}` is {}, but there are {counted} {what}", checker.show(value));
        checker.found(&STATISTICS, given, Some(key), Some(value), message);
    }
}

fn compare_table(
    checker: &mut FindingCollector<'_>,
    given: TokenId,
    key: &'static str,
    counts: &KnownValueCounts,
) {
    let document = checker.document();
    let Some(table) = document.get(given, key).filter(|&table| document.is_object(table)) else { return };
    for member in document.members(table) {
        let value = document.symbol_text(member.symbol);
        let counted = counts.get(value);
        if number(document, member.value).is_none_or(|said| said != counted as f64) {
            let said = checker.show(member.value);
            let message = format!("`{value}` is {said} in `{key}`, but there are {counted}");
            checker.found(&STATISTICS, given, Some(key), Some(member.value), message);
        }
    }
    for (value, counted) in counts.counted() {
        if document.get(table, value).is_none() {
            let message = format!("`{value}` is missing in `{key}`, but there are {counted}");
            checker.found(&STATISTICS, given, Some(key), Some(table), message);
        }
    }
}

fn check_convention(checker: &mut FindingCollector<'_>) {
    for sample in samples(checker.document()) {
        let parts = (sample.text(&["sample_id"]), sample.category(), sample.text(&["persona"]));
        let (Some(id), Some(category), Some(persona)) = parts else { continue };
        let is_known = CATEGORIES.contains(&&*category) && PERSONAS.contains(&&*persona);
        if !is_known || !is_sample_id(&id) {
            continue;
        }
        checker.look(&CONVENTION);
        let number = id.strip_prefix(&format!("{category}_{persona}_"));
        if !number.is_some_and(is_digits) {
            let message = format!("`{id}` is not `{category}_{persona}_` and a number");
            sample.found(checker, &CONVENTION, &["sample_id"], message);
        }
    }
}

/// Checks a single file by the rules about all files together.
pub(super) fn check_coverage(
    checker: &mut FindingCollector<'_>,
    profile: KwanzaaProfile,
    statistics: &SampleStatistics,
    settings: &KwanzaaSettings,
) {
    if profile != KwanzaaProfile::Seed || statistics.samples == 0 {
        return;
    }
    checker.look(&COVERAGE);
    checker.look(&SIZE);
    checker.look(&DIVERSITY);
    let document = checker.document();
    let root = document.root();
    let list = document.get(root, "samples");
    for (rule, message) in coverage(statistics, settings) {
        checker.found(&rule, root, Some("samples"), list, message);
    }
}

/// Returns the report about all files together.
pub(super) fn coverage_report(
    profile: KwanzaaProfile,
    statistics: &SampleStatistics,
    settings: &KwanzaaSettings,
) -> RuleReport {
    let is_asked = profile == KwanzaaProfile::Seed && statistics.samples > 0;
    let found = if is_asked { coverage(statistics, settings) } else { Vec::new() };
    let rules: &[FormatRule] =
        if profile == KwanzaaProfile::Seed { &[COVERAGE, SIZE, DIVERSITY] } else { &[] };
    let count = |rule: &FormatRule| found.iter().filter(|(found, _)| found.id == rule.id).count() as u64;
    let summary = |rule: &FormatRule| rule.summary(u64::from(is_asked), count(rule));
    let result = |(rule, message): &(FormatRule, String)| RuleResult {
        rule: Cow::Borrowed(rule.id),
        severity: rule.severity,
        component: None,
        focus: FocusNode::Pointer(String::new()),
        path: Some(Cow::Borrowed("samples")),
        value: None,
        message: message.clone(),
        place: None,
        related: None,
        details: CappedDetails::default(),
        advice: None,
    };
    RuleReport {
        profile: Cow::Borrowed(profile.name()),
        rules: rules.iter().map(summary).collect(),
        results: found.iter().map(result).collect(),
        against: ResultSeverity::Violation,
        fails_unseen: false,
        subjects: statistics.samples,
    }
}

/// Returns the findings of the rules about all files together.
fn coverage(statistics: &SampleStatistics, settings: &KwanzaaSettings) -> Vec<(FormatRule, String)> {
    let mut found = Vec::new();
    let tables = [
        ("category", &statistics.categories),
        ("persona", &statistics.personas),
        ("principle", &statistics.principles),
    ];
    for (what, counts) in tables {
        let missing = counts.missing();
        if !missing.is_empty() {
            found.push((COVERAGE, format!("there is no sample of {what} {missing}")));
        }
    }
    if let [(only, _)] = statistics.difficulties.counted().collect::<Vec<_>>()[..] {
        found.push((COVERAGE, format!("every sample is {only}")));
    }
    for (category, count) in statistics.categories.iter() {
        if (1..settings.samples_of_category).contains(&count) {
            let least = settings.samples_of_category;
            found.push((SIZE, format!("category {category} has fewer than {least} samples: {count}")));
        }
    }
    if statistics.samples < settings.samples_in_all {
        let (all, least) = (statistics.samples, settings.samples_in_all);
        found.push((SIZE, format!("there are fewer than {least} samples in all: {all}")));
    }
    found.extend(uniform(statistics, settings).map(|message| (DIVERSITY, message)));
    found
}

/// Lists what all samples have in common (section "Diversity Requirements"). A number of samples that is too small
/// for a category may be alike.
fn uniform(statistics: &SampleStatistics, settings: &KwanzaaSettings) -> impl Iterator<Item = String> {
    let tables = [
        ("every question begins with", &statistics.first_words),
        ("every source is of the type", &statistics.content_types),
        ("every source is of the decade from", &statistics.decades),
    ];
    let least = settings.samples_of_category;
    tables.into_iter().filter_map(move |(what, counts)| match counts.counted().collect::<Vec<_>>()[..] {
        [(only, count)] if count >= least => Some(format!("{what} `{only}`")),
        _ => None,
    })
}
