//! The rule that no file is contained in itself.

use std::collections::HashMap;

use super::croissant_graph::CroissantGraph;
use super::reporter::CroissantReporter;
use crate::code::CheckRule;
use crate::teller::{FaultDescription, StatementPart};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::TermId;

/// The progress of the walk for a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ContainmentProgress {
    OnTheWay,
    Done,
}

/// Reports each statement that closes a cycle of containers.
pub(super) fn check(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
) -> Result<(), Box<Diagnostic>> {
    let mut containers: HashMap<TermId, Vec<StatementPart>> = HashMap::new();
    for at in graph.statements("containedIn") {
        containers.entry(at.node).or_default().push(at);
    }
    let mut files: Vec<TermId> = containers.keys().copied().collect();
    files.sort_unstable();
    let mut walked: HashMap<TermId, ContainmentProgress> = HashMap::new();
    for file in files {
        walk(file, &containers, &mut walked, reporter)?;
    }
    Ok(())
}

fn walk(
    file: TermId,
    containers: &HashMap<TermId, Vec<StatementPart>>,
    walked: &mut HashMap<TermId, ContainmentProgress>,
    reporter: &mut CroissantReporter<'_, '_>,
) -> Result<(), Box<Diagnostic>> {
    let of = |file: TermId| containers.get(&file).map_or(&[][..], Vec::as_slice).iter();
    if walked.contains_key(&file) {
        return Ok(());
    }
    walked.insert(file, ContainmentProgress::OnTheWay);
    let mut way = vec![(file, of(file))];
    while let Some((file, open)) = way.last_mut() {
        reporter.go_on()?;
        let Some(at) = open.next() else {
            walked.insert(*file, ContainmentProgress::Done);
            way.pop();
            continue;
        };
        let Some(container) = at.value else { continue };
        match walked.get(&container) {
            Some(ContainmentProgress::Done) => {}
            Some(ContainmentProgress::OnTheWay) => {
                reporter.tell(CheckRule::CroissantContainment, *at, "resources", || {
                    FaultDescription::new("the file is contained in itself, through its containers")
                });
            }
            None => {
                walked.insert(container, ContainmentProgress::OnTheWay);
                way.push((container, of(container)));
            }
        }
    }
    Ok(())
}
