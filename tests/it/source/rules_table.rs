//! One table of the rules of all systems: each is kept by a good file and broken by a bad case,
//! which the tests of its system find at the place that stands here.

use crate::chat::rules as chat_rules;
use crate::evaluation_runs::{common_form_rules, harness_rules, log_rules, statistic_rules};
use crate::karenina::rules as karenina_rules;
use crate::kwanzaa::rules as kwanzaa_rules;
use crate::rlcf::rules as rlcf_rules;
use crate::train::rules as train_rules;
use evalgraph::diagnostic::validation::RuleReport;
use evalgraph::source::chat::rules::ChatProfile;
use evalgraph::source::checkpoint::CheckpointProfile;
use evalgraph::source::every_eval_ever::rules::EvaluationProfile;
use evalgraph::source::helm::rules::StatisticProfile;
use evalgraph::source::inspect::rules::LogProfile;
use evalgraph::source::kwanzaa::rules::KwanzaaProfile;
use evalgraph::source::lm_eval::rules::HarnessProfile;
use evalgraph::source::rlcf::rules::RlcfProfile;
use evalgraph::source::train::rules::TrainProfile;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A bad case: the profile, the rule that it breaks, and the place where that is found.
pub(crate) type BadCase = (String, &'static str, String);

/// What a profile says of a good file.
pub(crate) type GoodReport = (String, RuleReport);

struct System {
    name: &'static str,
    /// Profile and rule.
    rules: Vec<(String, &'static str)>,
    bad: Vec<BadCase>,
    good: Vec<GoodReport>,
}

fn systems() -> [System; 9] {
    macro_rules! system {
        ($system:ident, $profile:ident, $cases:ident) => {{
            let of = |profile: $profile| {
                profile.rules().into_iter().map(move |rule| (profile.to_string(), rule.id))
            };
            System {
                name: stringify!($system),
                rules: $profile::ALL.into_iter().flat_map(of).collect(),
                bad: $cases::bad_cases(),
                good: $cases::good_reports(),
            }
        }};
    }
    [
        system!(train, TrainProfile, train_rules),
        system!(kwanzaa, KwanzaaProfile, kwanzaa_rules),
        system!(rlcf, RlcfProfile, rlcf_rules),
        system!(karenina, CheckpointProfile, karenina_rules),
        system!(chat, ChatProfile, chat_rules),
        system!(every_eval_ever, EvaluationProfile, common_form_rules),
        system!(inspect, LogProfile, log_rules),
        system!(lm_eval, HarnessProfile, harness_rules),
        system!(helm, StatisticProfile, statistic_rules),
    ]
}

/// The files keep a rule that they give something to look at.
fn is_kept(good: &[GoodReport], rule: &str) -> bool {
    let mut of_rule = good.iter().flat_map(|(_, report)| &report.rules).filter(|known| known.id == rule);
    of_rule.any(|known| known.looked_at > 0 && known.results == 0)
}

#[test]
fn each_rule_has_a_good_file_and_a_bad_case_in_each_profile() {
    let mut faults = Vec::new();
    let mut table = String::new();
    for System { name, rules, bad, good } in systems() {
        let mut by_rule: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (profile, rule) in &rules {
            by_rule.entry(rule).or_default().insert(profile);
            // Advice on checkpoints is the same in all profiles.
            let is_shared = rule.starts_with("K-X");
            if !bad.iter().any(|(by, broken, _)| (by == profile || is_shared) && broken == rule) {
                faults.push(format!("{rule} of {profile} has no bad case"));
            }
        }
        for (profile, rule, _) in &bad {
            if !rules.contains(&(profile.clone(), rule)) {
                faults.push(format!("{rule} is not a rule of {profile}"));
            }
        }
        let mut ids: Vec<&str> = Vec::new();
        for (_, rule) in &rules {
            if !ids.contains(rule) {
                ids.push(rule);
            }
        }
        for rule in ids {
            if !is_kept(&good, rule) {
                faults.push(format!("{rule} is kept by no good file"));
            }
            let profiles: Vec<&str> = by_rule[rule].iter().copied().collect();
            let first = bad.iter().find(|(_, broken, _)| *broken == rule);
            let place = first.map_or("", |(_, _, place)| place);
            let shown = if place.is_empty() { "the file" } else { place };
            writeln!(table, "{name} {rule} ({}): {shown}", profiles.join(", ")).expect("a text takes it");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    insta::assert_snapshot!(table);
}

#[test]
fn the_numbered_rules_are_all_there() {
    let [train, kwanzaa, rlcf, _, chat, common, log, harness, statistic] = systems();
    let numbered = [
        (train, 'T', 18),
        (kwanzaa, 'W', 29),
        (rlcf, 'R', 19),
        (chat, 'C', 12),
        (common, 'E', 8),
        (log, 'I', 7),
        (harness, 'L', 5),
        (statistic, 'H', 4),
    ];
    for (system, letter, count) in numbered {
        for number in 1..=count {
            let id = format!("{letter}-{number}");
            assert!(system.rules.iter().any(|(_, rule)| *rule == id), "{id}");
        }
    }
}
