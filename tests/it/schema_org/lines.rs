//! Each finding of `check` has a line, and the text that is marked there is the one at fault.

use crate::fixture_files::{files_below, short};
use evalgraph::Loader;
use evalgraph::diagnostic::SourcePlace;
use evalgraph::diagnostic::validation::RuleResult;
use evalgraph::schema_org::{CheckOptions, CheckRule};
use std::path::Path;

/// The results of a check of a file, with every rule.
fn results(path: &Path) -> Option<Vec<RuleResult>> {
    let options = CheckOptions { pending: true, ..CheckOptions::default() };
    let mut checked = Loader::new().check([path.display().to_string()], &options).ok()?;
    Some(checked.files.remove(0).report.results)
}

fn place(result: &RuleResult) -> &SourcePlace {
    result.place.as_deref().expect("each result has a place")
}

/// The text at fault; none where no text says what is.
fn at_fault(result: &RuleResult) -> Option<String> {
    match CheckRule::named(&result.rule).expect("it is a rule") {
        // Of records, the readers add the terms; and what is missing stands nowhere.
        CheckRule::Pending | CheckRule::CroissantMissingProperty => None,
        CheckRule::Domain => result.path.as_deref().map(str::to_owned),
        CheckRule::Datatype => {
            let text = result.message.strip_prefix('`')?.split('`').next()?;
            Some(text.trim_end_matches('…').to_owned())
        }
        _ => result.value.clone(),
    }
}

/// Returns whether the text at fault, or a short form of it, stands at the place of a result.
fn is_at_its_place(result: &RuleResult, text: &str) -> bool {
    let place = place(result);
    let written = &text[place.bytes.start as usize..place.bytes.end as usize];
    let line = text.lines().nth(place.line as usize - 1).expect("the line is there");
    let first = written.lines().next().unwrap_or_default();
    let read: String = serde_json::from_str(written).unwrap_or_else(|_| written.to_owned());
    let is_there = |fault: String| read.contains(&fault) || fault.ends_with(&read);
    !written.is_empty() && line.contains(first) && at_fault(result).is_none_or(is_there)
}

#[test]
fn each_finding_of_all_fixtures_stands_at_its_line() {
    let (mut seen, mut complaints) = (0, Vec::new());
    for path in files_below("") {
        // Version 2.0 is not JSON-LD: a document is made of the whole file.
        let is_version_2 = short(&path).starts_with("karenina/v2");
        let Some(results) = results(&path).filter(|_| !is_version_2) else { continue };
        let text = std::fs::read_to_string(&path).expect("it can be read");
        for result in results.iter().filter(|result| result.rule != CheckRule::NoSchemaOrg.name()) {
            seen += 1;
            if place(result).is_whole() || !is_at_its_place(result, &text) {
                complaints.push(format!("{} {result:?}", short(&path)));
            }
        }
    }
    assert!(seen > 500, "{seen} findings");
    assert!(complaints.is_empty(), "{} of {seen}:\n{}", complaints.len(), complaints.join("\n"));
}
