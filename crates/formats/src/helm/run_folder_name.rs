//! The run and the task that the name of a folder says: `TASK:dataset=X,model=Y`. Some programs write `-` for `:`.

use crate::records::ComputedValue;
use evalgraph_json::JsonDocument;

/// What begins the part of the name that is the model.
const MODEL: &str = "model=";

/// Returns the name of the folder of a run, in which a file is.
pub(super) fn run_in(path: &str) -> Option<&str> {
    let (folder, _) = path.rsplit_once(['/', '\\'])?;
    let name = folder.rsplit(['/', '\\']).next().unwrap_or(folder);
    name.contains(MODEL).then_some(name)
}

/// Returns the task of a run: its name without the model.
pub(super) fn task_in(run: &str) -> Option<String> {
    let (before, after) = run.split_once(MODEL)?;
    let begin = before.trim_end_matches([',', ':', '-']);
    let task = match after.split_once(',') {
        // What separates the first argument from the name stays before the next one.
        Some((_, rest)) => format!("{begin}{}{rest}", &before[begin.len()..]),
        None => begin.to_owned(),
    };
    Some(task).filter(|task| !task.is_empty())
}

/// The run that the folder says.
pub(super) fn run_of_folder(document: &JsonDocument) -> Option<ComputedValue> {
    ComputedValue::text(run_in(document.name())?, document.root())
}

/// The task that the folder says.
pub(super) fn task_of_folder(document: &JsonDocument) -> Option<ComputedValue> {
    ComputedValue::text(task_in(run_in(document.name())?)?, document.root())
}

#[cfg(test)]
mod tests {
    use super::{run_in, task_in};

    #[test]
    fn folders_say_the_run_and_the_task() {
        let expected = [
            ("runs/a/boats:model=example_small/stats.json", Some("boats:model=example_small"), Some("boats")),
            ("boats-model=m/stats.json", Some("boats-model=m"), Some("boats")),
            ("boats:port=b,model=m/stats.json", Some("boats:port=b,model=m"), Some("boats:port=b")),
            ("boats:model=m,port=b/stats.json", Some("boats:model=m,port=b"), Some("boats:port=b")),
            ("model=m/stats.json", Some("model=m"), None),
            ("boats/stats.json", None, None),
            ("stats.json", None, None),
        ];
        for (path, run, task) in expected {
            let found = run_in(path);
            assert_eq!((found, found.and_then(task_in).as_deref()), (run, task), "{path}");
        }
    }
}
