//! Metrics of the server, in Prometheus' text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use evalgraph_engine::api::Evaluations;
use evalgraph_engine::api::memory::ProcessMemory;

/// The metrics of a server.
#[derive(Debug, Default)]
pub(super) struct ServerMetrics {
    answered: Mutex<BTreeMap<(&'static str, u16), ResponseTally>>,
    sent: AtomicU64,
    pub(super) connections: AtomicU64,
}

/// The requests to one resource with one status.
#[derive(Debug, Default)]
struct ResponseTally {
    count: u64,
    time: Duration,
}

impl ServerMetrics {
    /// Counts a request that was answered.
    pub(super) fn count(&self, resource: &'static str, status: u16, sent: u64, time: Duration) {
        self.sent.fetch_add(sent, Ordering::Relaxed);
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let answered = answered.entry((resource, status)).or_default();
        answered.count += 1;
        answered.time += time;
    }

    /// Returns the current metrics.
    pub(super) fn text(&self, evaluations: &Evaluations, max_connections: usize) -> String {
        let mut text = String::new();
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        head(&mut text, "requests_total", "counter", "Requests that were answered.");
        for ((resource, status), answered) in &*answered {
            let labels = format!("{{resource=\"{resource}\",status=\"{status}\"}}");
            let _ = writeln!(text, "evalgraph_requests_total{labels} {}", answered.count);
        }
        head(
            &mut text,
            "request_seconds_total",
            "counter",
            "The time from each request to the end of its answer.",
        );
        for ((resource, status), answered) in &*answered {
            let labels = format!("{{resource=\"{resource}\",status=\"{status}\"}}");
            let _ =
                writeln!(text, "evalgraph_request_seconds_total{labels} {:.6}", answered.time.as_secs_f64());
        }
        drop(answered);
        let (running, given_up) = (evaluations.running() as u64, evaluations.given_up() as u64);
        let figures = [
            ("sent_bytes_total", "counter", "Bytes of answers.", self.sent.load(Ordering::Relaxed)),
            ("connections", "gauge", "Open connections.", self.connections.load(Ordering::Relaxed)),
            ("connections_most", "gauge", "The limit of open connections.", max_connections as u64),
            ("evaluations_running", "gauge", "Evaluations that have not ended.", running),
            (
                "evaluations_stalled",
                "gauge",
                "Evaluations that wait for a client that receives nothing.",
                evaluations.stalled() as u64,
            ),
            (
                "evaluations_given_up",
                "gauge",
                "Evaluations that were cancelled but have not ended.",
                given_up,
            ),
        ];
        for (name, kind, help, value) in figures {
            head(&mut text, name, kind, help);
            let _ = writeln!(text, "evalgraph_{name} {value}");
        }
        if let Some(bytes) = ProcessMemory::open().and_then(|mut memory| memory.bytes()) {
            head(&mut text, "memory_bytes", "gauge", "Memory of the process, without mapped files.");
            let _ = writeln!(text, "evalgraph_memory_bytes {bytes}");
        }
        text
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP evalgraph_{name} {help}\n# TYPE evalgraph_{name} {kind}");
}
