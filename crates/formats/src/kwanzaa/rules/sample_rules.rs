//! The rules about one sample: its fields, and the relations between its parts.
//!
//! The rules about fields report a value of a wrong type. The rules about relations skip it.

use super::answer_rules::check_answer;
use super::class_rules::{ANSWER_JSON, SAMPLE};
use super::kwanzaa_profile::KwanzaaProfile;
use super::string_forms::CODE;
use crate::checking::schema::{CoercionMode, check_object};
use crate::checking::{FindingCollector, FormatRule, info, rules, violation, warning};
use crate::kwanzaa::answer_fields::CONTRACT_ANSWER_JSON;
use crate::kwanzaa::dataset_fields::{CODE_SAMPLE, SEED_SAMPLE};
use crate::kwanzaa::samples::{TrainingSample, citations, samples};
use crate::kwanzaa::{KwanzaaSettings, PERSONAS};
use evalgraph_json::TokenId;

rules! {
    /// The rules of this file.
    RULES:
    PERSONA = violation("W-2", "a sample and its answer must have the same persona");
    CITATION_SCORE = violation("W-3", "a citation must have a result with a high score");
    CITATION_SOURCES = violation("W-4", "a citation must have sources");
    CITATION_PROVIDED = violation("W-5", "a citation must say that citations are provided");
    CITATION_CONFIDENCE = violation("W-6", "the retrieval of a citation must be of high or medium confidence");
    REFUSAL_SCORES = violation("W-7", "a refusal must not have a result with a high score");
    REFUSAL_SOURCES = violation("W-8", "a refusal must not have sources");
    REFUSAL_PROVIDED = violation("W-9", "a refusal must say that no citations are provided");
    REFUSAL_FALLBACK = violation("W-10", "a refusal must refuse or ask back");
    REFUSAL_UNKNOWNS = violation("W-11", "a refusal must say what is unknown");
    GROUNDED_RESULTS = violation("W-13", "a grounded answer must have several results");
    GROUNDED_SOURCES = violation("W-14", "a grounded answer must have several sources");
    GROUNDED_INLINE = violation("W-15", "a grounded answer must cite in its text, as `[1]`");
    REQUIRED_SOURCES = violation("W-16", "where citations are required there must be sources");
    ALIGNMENT = violation("W-17", "`results` of the answer must be those of the sample");
    QUALITY = warning("W-22", "the quality should be good enough to keep the sample");
    RANKS = warning("W-23", "ranks should count from 1, and scores should not rise");
    GROUNDED_CONFIDENCE = info("W-28", "the retrieval of a grounded answer should be of high confidence");
}

/// The rules of this file that a profile has.
pub(super) fn rules(profile: KwanzaaProfile) -> &'static [FormatRule] {
    match profile {
        KwanzaaProfile::Seed => RULES,
        KwanzaaProfile::Code => &[PERSONA, CITATION_SCORE, REFUSAL_SCORES],
        KwanzaaProfile::Contract => &[PERSONA],
    }
}

/// The path of a sample's retrieved results.
const RESULTS: &[&str] = &["retrieved_context"];
/// The path of the sources that a sample's answer cites.
const SOURCES: &[&str] = &["expected_output", "sources"];

/// Checks every sample.
pub(super) fn check(checker: &mut FindingCollector<'_>, profile: KwanzaaProfile, settings: &KwanzaaSettings) {
    for sample in samples(checker.document()) {
        checker.subjects += 1;
        if checker.document().is_object(sample.token) {
            check_sample(checker, &sample, profile, settings);
        } else {
            let rule = if profile == KwanzaaProfile::Contract { ANSWER_JSON } else { SAMPLE };
            checker.look(&rule);
            checker.found(&rule, sample.token, None, None, "the sample is not an object");
        }
    }
}

fn check_sample(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    profile: KwanzaaProfile,
    settings: &KwanzaaSettings,
) {
    match profile {
        KwanzaaProfile::Seed => {
            check_object(checker, sample.token, &SEED_SAMPLE, CoercionMode::Schema);
            check_persona(checker, sample, profile);
            check_category(checker, sample, settings);
            check_required_sources(checker, sample);
            check_alignment(checker, sample);
            check_quality(checker, sample, settings);
            check_ranks(checker, sample);
        }
        KwanzaaProfile::Code => {
            check_object(checker, sample.token, &CODE_SAMPLE, CODE);
            check_persona(checker, sample, profile);
            check_scores_of_code(checker, sample, settings);
        }
        KwanzaaProfile::Contract => {
            let answer = sample.at(&["expected_output"]);
            match answer.filter(|&answer| checker.document().is_object(answer)) {
                Some(answer) => {
                    check_object(checker, answer, &CONTRACT_ANSWER_JSON, CoercionMode::Schema);
                    check_persona(checker, sample, profile);
                    let is_refusal = sample.category().is_some_and(|category| category == "refusal");
                    let document = checker.document();
                    check_answer(checker, &TrainingSample { document, token: answer }, is_refusal);
                }
                None => {
                    let fault = match answer {
                        None => "`expected_output` is missing",
                        Some(_) => "`expected_output` is not an object",
                    };
                    sample.check(checker, &ANSWER_JSON, &["expected_output"], Some(fault));
                }
            }
        }
    }
}

/// Checks the persona. The contract requires the persona of an answer; the shipped code compares any string given as a
/// persona.
fn check_persona(checker: &mut FindingCollector<'_>, sample: &TrainingSample<'_>, profile: KwanzaaProfile) {
    let (Some(own), Some(answer)) = (sample.text(&["persona"]), sample.at(&["expected_output"])) else {
        return;
    };
    let path = &["expected_output", "persona"];
    let is_known = |persona: &str| PERSONAS.contains(&persona);
    match (sample.at(path), sample.text(path)) {
        (None, _) if profile == KwanzaaProfile::Contract && checker.document().is_object(answer) => {
            let fault = format!("the answer has no `persona`, but the sample is for `{own}`");
            sample.check(checker, &PERSONA, path, Some(fault));
        }
        (Some(_), Some(other))
            if is_known(&own)
                && (is_known(&other) || profile == KwanzaaProfile::Code && !other.is_empty()) =>
        {
            let fault = || format!("the answer is for `{other}`, but the sample is for `{own}`");
            sample.check(checker, &PERSONA, path, (own != other).then(fault));
        }
        _ => {}
    }
}

fn check_category(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    settings: &KwanzaaSettings,
) {
    match sample.category().as_deref() {
        Some("citation") => check_citation(checker, sample, settings),
        Some("refusal") => check_refusal(checker, sample, settings),
        Some("grounded_answer") => check_grounded(checker, sample, settings),
        _ => {}
    }
}

/// Checks the scores of citations and refusals as the shipped code does.
fn check_scores_of_code(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    settings: &KwanzaaSettings,
) {
    match sample.category().as_deref() {
        Some("citation") => check_citation_score(checker, sample, settings, CODE),
        Some("refusal") => {
            let most = settings.refusal_score_of_code;
            let message = move |score: &str| format!("the score {score} of a refusal is above {most}");
            check_refusal_scores(checker, sample, |score| score <= most, CODE, message);
        }
        _ => {}
    }
}

/// Checks that a citation has a result with a high score. The shipped code treats an absent list as empty.
fn check_citation_score(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    settings: &KwanzaaSettings,
    mode: CoercionMode,
) {
    let list = sample.at(RESULTS);
    let is_array = list.is_some_and(|list| checker.document().is_array(list));
    if !is_array && (mode == CoercionMode::Schema || list.is_some()) {
        return;
    }
    let least = settings.citation_score;
    let is_high = |found| {
        let score = checker.document().get(found, "score");
        score.and_then(|score| mode.number(checker.document(), score)).is_some_and(|score| score > least)
    };
    let is_low = !sample.items(RESULTS).any(is_high);
    let fault = is_low.then(|| format!("no result has a score above {least}"));
    sample.check(checker, &CITATION_SCORE, RESULTS, fault);
}

fn check_citation(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    settings: &KwanzaaSettings,
) {
    check_citation_score(checker, sample, settings, CoercionMode::Schema);
    if let Some(count) = sample.count(SOURCES) {
        let fault = (count == 0).then_some("a citation without a source");
        sample.check(checker, &CITATION_SOURCES, SOURCES, fault);
    }
    check_flag(checker, sample, &CITATION_PROVIDED, "citation", true);
    let allowed = &["high", "medium"];
    check_word(checker, sample, &CITATION_CONFIDENCE, "citation", "retrieval_confidence", allowed);
}

fn check_refusal(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    settings: &KwanzaaSettings,
) {
    let least = settings.refusal_score;
    let message = |score: &str| format!("the score {score} of a refusal is not below {least}");
    check_refusal_scores(checker, sample, |score| score < least, CoercionMode::Schema, message);
    if let Some(count) = sample.count(SOURCES) {
        let fault = (count > 0).then(|| format!("a refusal with sources: {count}"));
        sample.check(checker, &REFUSAL_SOURCES, SOURCES, fault);
    }
    check_flag(checker, sample, &REFUSAL_PROVIDED, "refusal", false);
    let allowed = &["refusal", "clarification_requested"];
    check_word(checker, sample, &REFUSAL_FALLBACK, "refusal", "fallback_behavior", allowed);
    let path = &["expected_output", "unknowns"];
    if sample.at(path).is_some() {
        let keys = ["unsupported_claims", "missing_context", "clarifying_questions", "out_of_scope"];
        let count = |key| sample.count(&["expected_output", "unknowns", key]).unwrap_or(0);
        let is_empty = keys.into_iter().all(|key| count(key) == 0);
        let fault = is_empty.then_some("a refusal without anything in `unknowns`");
        sample.check(checker, &REFUSAL_UNKNOWNS, path, fault);
    }
}

/// Checks that every score of a refusal meets `fits`. The message contains the score as it is written.
fn check_refusal_scores(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    fits: impl Fn(f64) -> bool,
    mode: CoercionMode,
    message: impl Fn(&str) -> String,
) {
    checker.look(&REFUSAL_SCORES);
    let document = checker.document();
    for found in sample.items(RESULTS) {
        let Some(value) = document.get(found, "score") else { continue };
        if mode.number(document, value).is_some_and(|score| !fits(score)) {
            let shown = checker.show(value);
            checker.found(&REFUSAL_SCORES, found, Some("score"), Some(value), message(&shown));
        }
    }
}

/// Checks that `citations_provided` has the value that the category requires.
fn check_flag(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    rule: &'static FormatRule,
    category: &str,
    wanted: bool,
) {
    let path = &["expected_output", "integrity", "citations_provided"];
    if sample.at(&path[..1]).is_none() {
        return;
    }
    checker.look(rule);
    if sample.at(path).is_none() {
        let message = format!("a {category} that does not say whether citations are provided");
        sample.found(checker, rule, path, message);
    } else if sample.boolean(path) == Some(!wanted) {
        sample.found(checker, rule, path, format!("`citations_provided` of a {category} is {}", !wanted));
    }
}

/// Checks that a word in `integrity` is one of the words that the category allows.
fn check_word(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    rule: &'static FormatRule,
    category: &str,
    key: &'static str,
    allowed: &[&str],
) {
    let path = &["expected_output", "integrity", key];
    if sample.at(&path[..1]).is_none() {
        return;
    }
    checker.look(rule);
    if sample.at(path).is_none() {
        sample.found(checker, rule, path, format!("a {category} without `{key}`"));
    } else if let Some(word) = sample.text(path)
        && !allowed.contains(&word.as_ref())
    {
        let message = format!("`{key}` of a {category} is `{word}`, not {}", allowed.join(" or "));
        sample.found(checker, rule, path, message);
    }
}

fn check_grounded(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    settings: &KwanzaaSettings,
) {
    let least = settings.grounded_sources;
    for (rule, path) in [(&GROUNDED_RESULTS, RESULTS), (&GROUNDED_SOURCES, SOURCES)] {
        let Some(count) = sample.count(path) else { continue };
        let key = path[path.len() - 1];
        let fault = || format!("a grounded answer with {count} in `{key}`, not {least} at least");
        sample.check(checker, rule, path, ((count as u64) < least).then(fault));
    }
    let path = &["expected_output", "answer", "text"];
    if let Some(text) = sample.text(path) {
        let fault = "a grounded answer that cites nothing in its text";
        sample.check(checker, &GROUNDED_INLINE, path, citations(&text).is_empty().then_some(fault));
    }
    let path = &["expected_output", "integrity", "retrieval_confidence"];
    if let Some(confidence) = sample.text(path) {
        let fault =
            || format!("`retrieval_confidence` of a grounded answer is `{confidence}`, usually `high`");
        sample.check(checker, &GROUNDED_CONFIDENCE, path, (confidence != "high").then(fault));
    }
}

fn check_required_sources(checker: &mut FindingCollector<'_>, sample: &TrainingSample<'_>) {
    let is_required = sample.boolean(&["expected_output", "toggles", "require_citations"]) == Some(true);
    let is_refusal = sample.category().is_some_and(|category| category == "refusal");
    if is_required && !is_refusal {
        let fault = "`require_citations` is true, and there is no source";
        let fault = (sample.count(SOURCES) == Some(0)).then_some(fault);
        sample.check(checker, &REQUIRED_SOURCES, SOURCES, fault);
    }
}

/// Checks that the answer has the results of the sample: the same number, each with the same rank, chunk, document and
/// score. Only the chunk is required; other missing values are not compared.
fn check_alignment(checker: &mut FindingCollector<'_>, sample: &TrainingSample<'_>) {
    let path = &["expected_output", "retrieval_summary", "results"];
    let (Some(_), Some(_)) = (sample.array(RESULTS), sample.array(path)) else { return };
    checker.look(&ALIGNMENT);
    let own: Vec<TokenId> = sample.items(RESULTS).collect();
    let results: Vec<TokenId> = sample.items(path).collect();
    if own.len() != results.len() {
        let (there, here) = (own.len(), results.len());
        let message = format!("the answer has {here} results, but the sample has {there}");
        sample.found(checker, &ALIGNMENT, path, message);
        return;
    }
    for (own, result) in own.into_iter().zip(results) {
        check_aligned(checker, sample, own, result);
    }
}

fn check_aligned(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    own: TokenId,
    result: TokenId,
) {
    let document = checker.document();
    if document.get(result, "chunk_id").is_none() {
        let message = "a result without `chunk_id` does not say which result of the sample it is";
        checker.found(&ALIGNMENT, result, Some("chunk_id"), None, message);
        return;
    }
    for key in ["rank", "chunk_id", "doc_id", "score"] {
        let (Some(there), Some(here)) = (document.get(own, key), document.get(result, key)) else { continue };
        let texts = (document.string(there), document.string(here));
        let numbers = (sample.number_of(own, key), sample.number_of(result, key));
        let differs = match (texts, numbers) {
            ((Some(there), Some(here)), _) => there != here,
            (_, (Some(there), Some(here))) => there != here,
            _ => false,
        };
        if differs {
            let (here_shown, there_shown) = (checker.show(here), checker.show(there));
            let message = format!("`{key}` is {here_shown}, but {there_shown} in `retrieved_context`");
            checker.found(&ALIGNMENT, result, Some(key), Some(here), message);
        }
    }
}

fn check_quality(
    checker: &mut FindingCollector<'_>,
    sample: &TrainingSample<'_>,
    settings: &KwanzaaSettings,
) {
    let path = &["metadata", "quality_score"];
    let Some(quality) = sample.number(path) else { return };
    let least = settings.acceptable_quality;
    let fault = || format!("a quality below {least}: revise or remove the sample");
    sample.check(checker, &QUALITY, path, (0.0..least).contains(&quality).then(fault));
}

fn check_ranks(checker: &mut FindingCollector<'_>, sample: &TrainingSample<'_>) {
    checker.look(&RANKS);
    let mut earlier: Option<f64> = None;
    for (at, found) in sample.items(RESULTS).enumerate() {
        let (rank, score) = (sample.number_of(found, "rank"), sample.number_of(found, "score"));
        let document = checker.document();
        if let Some(rank) = rank.filter(|rank| rank.fract() == 0.0 && *rank >= 1.0)
            && rank != (at + 1) as f64
        {
            let value = document.get(found, "rank");
            checker.found(
                &RANKS,
                found,
                Some("rank"),
                value,
                format!("rank {rank} is at position {}", at + 1),
            );
        }
        if let (Some(earlier), Some(score)) = (earlier, score)
            && score > earlier
        {
            let value = document.get(found, "score");
            let message = format!("the score {score} is above {earlier} of the rank before");
            checker.found(&RANKS, found, Some("score"), value, message);
        }
        earlier = score;
    }
}
