//! The rule that no file lies in itself.

use std::collections::HashMap;

use super::graph::Graph;
use super::reporter::Reporter;
use crate::code::Code;
use crate::teller::{At, Fault};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::TermId;

/// How far a walk has come with a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walked {
    OnTheWay,
    Done,
}

/// Tells each statement that closes a circle of containers.
pub(super) fn check(graph: &Graph<'_>, reporter: &mut Reporter<'_, '_>) -> Result<(), Box<Diagnostic>> {
    let mut containers: HashMap<TermId, Vec<At>> = HashMap::new();
    for at in graph.statements("containedIn") {
        containers.entry(at.node).or_default().push(at);
    }
    let mut files: Vec<TermId> = containers.keys().copied().collect();
    files.sort_unstable();
    let mut walked: HashMap<TermId, Walked> = HashMap::new();
    for file in files {
        walk(file, &containers, &mut walked, reporter)?;
    }
    Ok(())
}

fn walk(
    file: TermId,
    containers: &HashMap<TermId, Vec<At>>,
    walked: &mut HashMap<TermId, Walked>,
    reporter: &mut Reporter<'_, '_>,
) -> Result<(), Box<Diagnostic>> {
    let of = |file: TermId| containers.get(&file).map_or(&[][..], Vec::as_slice).iter();
    if walked.contains_key(&file) {
        return Ok(());
    }
    walked.insert(file, Walked::OnTheWay);
    let mut way = vec![(file, of(file))];
    while let Some((file, open)) = way.last_mut() {
        reporter.go_on()?;
        let Some(at) = open.next() else {
            walked.insert(*file, Walked::Done);
            way.pop();
            continue;
        };
        let Some(container) = at.value else { continue };
        match walked.get(&container) {
            Some(Walked::Done) => {}
            Some(Walked::OnTheWay) => reporter.tell(Code::CroissantContainment, *at, "resources", || {
                Fault::new("the file lies in itself, by way of its containers")
            }),
            None => {
                walked.insert(container, Walked::OnTheWay);
                way.push((container, of(container)));
            }
        }
    }
    Ok(())
}
