//! The task and the run that the name of a file says: `samples_TASK_TIME.jsonl` and `results_TIME.json`.

use crate::records::ComputedValue;
use evalgraph_json::JsonDocument;

/// What the name of a file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HarnessFileName<'n> {
    pub(super) task: Option<&'n str>,
    /// The time of the run, which is its name.
    pub(super) run: Option<&'n str>,
}

impl<'n> HarnessFileName<'n> {
    /// Reads a path or the name of a file.
    pub(super) fn from_path(path: &'n str) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let end = [".jsonl", ".json"].iter().filter_map(|extension| name.find(extension)).min();
        let stem = &name[..end.unwrap_or(name.len())];
        if let Some(rest) = stem.strip_prefix("samples_") {
            return match rest.rsplit_once('_').filter(|(_, time)| is_time(time)) {
                Some((task, time)) => Self { task: Some(task), run: Some(time) },
                None => Self { task: Some(rest).filter(|task| !task.is_empty()), run: None },
            };
        }
        let run = stem.strip_prefix("results_").filter(|time| is_time(time));
        Self { task: None, run }
    }
}

/// Returns whether a text begins like `2026-01-21T03-44-18.458309`.
fn is_time(text: &str) -> bool {
    let form = b"0000-00-00T00-00-00";
    let fits = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
    text.len() >= form.len() && text.as_bytes().iter().zip(form).all(fits)
}

/// The task that the name of the file says.
pub(super) fn task_of_name(document: &JsonDocument) -> Option<ComputedValue> {
    ComputedValue::text(HarnessFileName::from_path(document.name()).task?, document.root())
}

/// The run that the name of the file says.
pub(super) fn run_of_name(document: &JsonDocument) -> Option<ComputedValue> {
    ComputedValue::text(HarnessFileName::from_path(document.name()).run?, document.root())
}

#[cfg(test)]
mod tests {
    use super::HarnessFileName;

    #[test]
    fn names_say_the_task_and_the_run() {
        let time = "2026-01-21T03-44-18.458309";
        let expected = [
            (format!("a/b/samples_math_full_{time}.jsonl"), Some("math_full"), Some(time)),
            (format!("samples_boats_{time}.jsonl.gz"), Some("boats"), Some(time)),
            (format!("results_{time}.json"), None, Some(time)),
            ("samples_boats.jsonl".to_owned(), Some("boats"), None),
            ("samples_.jsonl".to_owned(), None, None),
            ("results.json".to_owned(), None, None),
            ("-".to_owned(), None, None),
        ];
        for (name, task, run) in expected {
            assert_eq!(HarnessFileName::from_path(&name), HarnessFileName { task, run }, "{name}");
        }
    }
}
