//! The account of a failed export: what was done, what was not, and how to continue.

use evalgraph_diagnostics::FindingHelp;
use evalgraph_diagnostics::help::{help, setting};

/// How many graphs are listed by name.
pub(super) const NAMED: usize = 3;

const UNCHANGED: &str = "no graph on the server has changed";

/// An export that has failed.
#[derive(Debug, Default)]
pub(super) struct FailedExport<'a> {
    /// The graphs that are in place.
    pub(super) placed: Vec<&'a str>,
    /// The graphs that may or may not be in place yet.
    pub(super) moving: Vec<&'a str>,
    /// How many graphs the export has, as far as that is known.
    pub(super) total: usize,
    /// `true` if quads were sent.
    pub(super) has_sent: bool,
    /// `true` if the server may have received some of them.
    pub(super) has_arrived: bool,
    /// `true` if graphs are added to existing ones.
    pub(super) extends: bool,
    /// `true` if a later run can learn from the server which graphs are in place.
    pub(super) is_registered: bool,
}

impl FailedExport<'_> {
    /// The account in words.
    pub(super) fn words(&self) -> Vec<FindingHelp> {
        let Self { placed, moving, total, .. } = self;
        let is_changed = !(placed.is_empty() && moving.is_empty());
        if !self.has_arrived && !is_changed {
            return vec![if self.has_sent { UNCHANGED } else { "nothing was sent" }.into()];
        }
        let is_all = placed.len() == *total;
        let next = if self.extends && is_all {
            "sending them again would duplicate their blank nodes".into()
        } else if self.extends && is_changed && !self.is_registered {
            help![
                setting("graph"),
                " limits the next run to the other graphs: these would get their blank nodes twice"
            ]
        } else if is_all {
            help![setting("resume"), " removes what is left of the transfer on the server"]
        } else {
            help![setting("resume"), " continues from what was sent so far"]
        };
        vec![self.state().into(), next]
    }

    /// The state of the graphs on the server.
    fn state(&self) -> String {
        let Self { placed, moving, total, .. } = self;
        let mut words = Vec::new();
        if !placed.is_empty() {
            words.push(in_place(placed, *total));
        }
        if !moving.is_empty() {
            words.push(unknown(moving));
        }
        match total.saturating_sub(placed.len() + moving.len()) {
            _ if words.is_empty() => words.push(UNCHANGED.to_owned()),
            0 => {}
            1 => words.push("the other one has not changed".to_owned()),
            _ => words.push("the others have not changed".to_owned()),
        }
        words.join("; ")
    }
}

fn in_place(placed: &[&str], total: usize) -> String {
    let graphs = named(placed, NAMED);
    match placed.len() {
        1 if total == 1 => format!("{graphs} is in place"),
        1 => format!("1 of {total} graphs is in place: {graphs}"),
        count if count == total => format!("all {total} graphs are in place"),
        count => format!("{count} of {total} graphs are in place: {graphs}"),
    }
}

fn unknown(moving: &[&str]) -> String {
    let graphs = named(moving, NAMED);
    match moving.len() {
        1 => format!("it is not known whether {graphs} is in place: it is either unchanged or complete"),
        _ => format!("it is not known whether {graphs} are in place: each is either unchanged or complete"),
    }
}

/// The names of graphs. If there are many, only the first ones.
pub(super) fn named(graphs: &[&str], most: usize) -> String {
    let names: Vec<String> = graphs.iter().take(most).map(|graph| format!("`{graph}`")).collect();
    match graphs.len().saturating_sub(most) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

#[test]
fn an_account_says_what_was_done_and_what_was_not() {
    let told = |account: FailedExport<'_>| -> Vec<String> {
        account.words().iter().map(ToString::to_string).collect()
    };
    let account = || FailedExport { total: 5, has_sent: true, has_arrived: true, ..FailedExport::default() };
    let resume = "`resume` continues from what was sent so far";
    assert_eq!(told(FailedExport { total: 5, ..FailedExport::default() }), ["nothing was sent"]);
    assert_eq!(told(FailedExport { has_arrived: false, ..account() }), [UNCHANGED]);
    assert_eq!(told(account()), [UNCHANGED, resume]);
    let some = FailedExport { placed: vec!["a", "b", "c", "d"], ..account() };
    let placed = "4 of 5 graphs are in place: `a`, `b`, `c` and 1 more; the other one has not changed";
    assert_eq!(told(some), [placed, resume]);
    let some =
        || FailedExport { placed: vec!["a"], moving: vec!["b", "c"], is_registered: true, ..account() };
    let state = "1 of 5 graphs is in place: `a`; it is not known whether `b`, `c` are in place: \
                 each is either unchanged or complete; the others have not changed";
    assert_eq!(told(some()), [state, resume]);
    assert_eq!(told(FailedExport { extends: true, ..some() }), [state, resume]);
    let twice = "`graph` limits the next run to the other graphs: these would get their blank nodes twice";
    assert_eq!(told(FailedExport { extends: true, is_registered: false, ..some() }), [state, twice]);
    let all = || FailedExport { placed: vec!["a", "b"], total: 2, ..account() };
    let rest = "`resume` removes what is left of the transfer on the server";
    assert_eq!(told(all()), ["all 2 graphs are in place", rest]);
    let twice = "sending them again would duplicate their blank nodes";
    assert_eq!(told(FailedExport { extends: true, ..all() }), ["all 2 graphs are in place", twice]);
    let one = FailedExport { moving: vec!["a"], total: 1, ..account() };
    let state = "it is not known whether `a` is in place: it is either unchanged or complete";
    assert_eq!(told(one), [state, resume]);
}
