//! The table of figures: ours, the peer's, their ratio and the bar it is held to.

use std::time::Duration;

/// How a ratio is judged.
#[derive(Clone, Copy)]
pub(crate) enum Bar {
    /// The peer needs at least that many times our time.
    TimesLess(f64),
    /// Our time is at most that part of the peer's.
    AtMost(f64),
}

struct Row {
    what: String,
    peer: String,
    ours: Duration,
    theirs: Duration,
    bar: Bar,
}

/// Figures to print.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// Adds a comparison.
    pub(crate) fn row(&mut self, what: &str, peer: &str, times: (Duration, Duration), bar: Bar) {
        let (ours, theirs) = times;
        self.rows.push(Row { what: what.to_owned(), peer: peer.to_owned(), ours, theirs, bar });
    }

    /// Prints all rows; whether every bar holds.
    pub(crate) fn print(&self) -> bool {
        println!(
            "{:<44} {:<26} {:>10} {:>10} {:>8} {:>12}",
            "what (CPU time)", "peer", "ours", "peer's", "ratio", "bar"
        );
        let mut all_hold = true;
        for row in &self.rows {
            let (ours, theirs) = (row.ours.as_secs_f64(), row.theirs.as_secs_f64());
            let (ratio, bar, holds) = match row.bar {
                Bar::TimesLess(least) => (theirs / ours, format!(">= {least}"), theirs / ours >= least),
                Bar::AtMost(most) => (ours / theirs, format!("<= {most}"), ours / theirs <= most),
            };
            all_hold &= holds;
            println!(
                "{:<44} {:<26} {:>7.1} ms {:>7.1} ms {ratio:>8.2} {bar:>8} {}",
                row.what,
                row.peer,
                ours * 1e3,
                theirs * 1e3,
                if holds { "ok" } else { "MISSED" }
            );
        }
        all_hold
    }
}
