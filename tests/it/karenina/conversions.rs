//! Conversions between the forms: what is read back differs from what was written in exactly what
//! was reported, and in nothing else.

use crate::beside::karenina_files;
use crate::karenina::comparison::{differences, differences_but_for_made_ids};
use crate::karenina::fixtures::{fixtures_in, path};
use chrono::{DateTime, Utc};
use evalgraph::diagnostic::FindingSeverity;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::source::checkpoint::model::Checkpoint;
use evalgraph::source::checkpoint::writer::{
    ChangeKind, CheckpointForm, CheckpointWriteOptions, PartChange, Version2Shape, WritePurpose,
    WrittenCheckpoint, write,
};
use evalgraph::source::registry::checkpoint_programs;
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) const FORMS: [CheckpointForm; 6] = [
    CheckpointForm::Library,
    CheckpointForm::Specification,
    CheckpointForm::Interface,
    CheckpointForm::Version2(Version2Shape::A),
    CheckpointForm::Version2(Version2Shape::B),
    CheckpointForm::Version2(Version2Shape::C),
];

/// The time of every run.
pub(crate) fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000, 123_456_000).expect("a time")
}

pub(crate) fn options() -> CheckpointWriteOptions<'static> {
    CheckpointWriteOptions {
        dataset: "dataset",
        now: now(),
        touch: false,
        purpose: WritePurpose::File(checkpoint_programs()),
    }
}

pub(crate) fn parsed(name: &str, text: String) -> JsonDocument {
    parse(name, text, Limits::default()).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// Every checkpoint: the fixtures, and the samples of the shared folder where it is there.
pub(crate) fn checkpoints() -> Vec<(String, JsonDocument)> {
    let mut paths: Vec<(String, std::path::PathBuf)> = Vec::new();
    // One of the hostile files is at fault, with two answers among other things.
    let fixtures = ["karenina", "revisions", "hostile"].into_iter().flat_map(fixtures_in);
    for name in fixtures.filter(|name| !name.ends_with("p2-hostile.jsonld")) {
        paths.push((name.clone(), path(&name)));
    }
    let name = |file: &Path| file.file_name().expect("a name").display().to_string();
    paths.extend(karenina_files().into_iter().map(|file| (name(&file), file)));
    let read = |(name, path): (String, std::path::PathBuf)| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let document = parsed(&name, text);
        (name, document)
    };
    paths.into_iter().map(read).collect()
}

pub(crate) fn read(document: &JsonDocument) -> Checkpoint<'_> {
    let reading = Checkpoint::read(document).expect("it is a checkpoint");
    let errors: Vec<String> = reading
        .findings
        .iter()
        .filter(|finding| finding.severity == FindingSeverity::Error)
        .map(ToString::to_string)
        .collect();
    assert!(errors.is_empty(), "{}: {errors:#?}", document.name());
    reading.checkpoint
}

pub(crate) fn written<'d>(checkpoint: &Checkpoint<'d>, form: CheckpointForm) -> WrittenCheckpoint<'d> {
    write(checkpoint, form, &options()).unwrap_or_else(|faults| panic!("{form:?}: {faults:#?}"))
}

fn covers(change: &PartChange<'_>, path: &str) -> bool {
    // A score that has become a boolean has lost its range with its kind.
    if let Some(rating) = change.part.strip_suffix("/kind")
        && ["/best", "/worst"].iter().any(|end| path.strip_suffix(end) == Some(rating))
    {
        return true;
    }
    path.strip_prefix(change.part.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[test]
fn what_is_written_differs_in_what_was_reported_and_in_nothing_else() {
    let mut wrong = Vec::new();
    for (name, document) in checkpoints() {
        let source = read(&document);
        for form in FORMS {
            let WrittenCheckpoint { text, changes } = written(&source, form);
            let back_document = parsed(&format!("{name} as {form:?}"), text);
            let back = read(&back_document);
            let found = differences(&source, &back);
            for path in &found {
                if !changes.iter().any(|change| covers(change, path)) {
                    wrong.push(format!("{name} as {form:?}: {path} differs and was not reported"));
                }
            }
            for change in &changes {
                if !found.iter().any(|path| covers(change, path)) {
                    wrong.push(format!("{name} as {form:?}: {} was reported and is the same", change.part));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults: {:#?}", wrong.len(), &wrong[..wrong.len().min(60)]);
}

#[test]
fn there_and_back_loses_what_was_reported_on_either_way() {
    for (name, document) in checkpoints() {
        let source = read(&document);
        for form in FORMS {
            let first = written(&source, form);
            let first_document = parsed(&name, first.text);
            let first_checkpoint = read(&first_document);
            for back in FORMS {
                let second = written(&first_checkpoint, back);
                let second_document = parsed(&name, second.text);
                let second_checkpoint = read(&second_document);
                // What the form of the last file would have changed in the first in any case.
                let direct = written(&source, back);
                let direct_document = parsed(&name, direct.text);
                let found = differences_but_for_made_ids(&read(&direct_document), &second_checkpoint);
                let reported: Vec<&PartChange<'_>> =
                    first.changes.iter().chain(&second.changes).chain(&direct.changes).collect();
                // The first specification has the value of a global trait on its copies only, where
                // its loss is reported.
                let on_copies = |path: &str| {
                    let name = path.strip_prefix("/global_traits/")?.strip_suffix("/rating_value")?;
                    let copy = format!("/copies/{name}/rating_value");
                    reported.iter().find(|change| change.part.ends_with(&copy))
                };
                let is_reported = |path: &str| {
                    reported.iter().any(|change| covers(change, path)) || on_copies(path).is_some()
                };
                let silent: BTreeSet<&String> = found.iter().filter(|path| !is_reported(path)).collect();
                assert!(silent.is_empty(), "{name} as {form:?}, then {back:?}: {silent:#?}");
            }
        }
    }
}

#[test]
fn a_form_read_and_written_again_is_the_same_text() {
    for (name, document) in checkpoints() {
        let source = read(&document);
        for form in FORMS {
            let first = written(&source, form).text;
            let again_document = parsed(&name, first.clone());
            let again = written(&read(&again_document), form);
            let losses: Vec<&PartChange<'_>> =
                again.changes.iter().filter(|change| change.kind == ChangeKind::Loss).collect();
            assert!(losses.is_empty(), "{name} as {form:?}: {losses:#?}");
            assert_eq!(first, again.text, "{name} as {form:?}");
        }
    }
}
