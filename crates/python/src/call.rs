//! Work without the lock of the interpreter. Ctrl-C, a time limit and a memory limit end it.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use evalgraph::diagnostic::Diagnostic;
use evalgraph::sparql::CancellationToken;
use evalgraph::{Error, Evaluations};
use evalgraph_work::PerProcess;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::python_errors::raised;

/// How long the caller's thread waits before it looks for signals again.
const PAUSE: Duration = Duration::from_millis(20);

/// The evaluations of the process: their threads are not there in a process that was forked.
static EVALUATIONS: PerProcess<Evaluations> = PerProcess::new();

/// The limits of a call.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CallLimits {
    timeout: Option<Duration>,
    max_memory: Option<u64>,
}

impl CallLimits {
    /// Reads the limits as Python gives them: seconds, and bytes as a number or as a text such as `2GiB`.
    pub(crate) fn new(timeout: Option<f64>, max_memory: Option<MemorySize>) -> PyResult<Self> {
        let seconds = |seconds: f64| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| PyValueError::new_err(format!("timeout is a number of seconds, not {seconds}")))
        };
        let max_memory = max_memory.map(MemorySize::bytes).transpose()?;
        Ok(Self { timeout: timeout.map(seconds).transpose()?, max_memory })
    }
}

/// A size in bytes.
#[derive(Debug, FromPyObject)]
pub(crate) enum MemorySize {
    Bytes(u64),
    Text(String),
}

impl MemorySize {
    /// Returns the bytes.
    pub(crate) fn bytes(self) -> PyResult<u64> {
        let text = match self {
            Self::Bytes(bytes) => return Ok(bytes),
            Self::Text(text) => text,
        };
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let factor = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "b" => Some(1),
            "kb" => Some(1_000),
            "mb" => Some(1_000_000),
            "gb" => Some(1_000_000_000),
            "kib" => Some(1 << 10),
            "mib" => Some(1 << 20),
            "gib" => Some(1 << 30),
            _ => None,
        };
        let bytes = number
            .parse()
            .ok()
            .zip(factor)
            .and_then(|(number, factor): (u64, u64)| number.checked_mul(factor));
        bytes.ok_or_else(|| {
            PyValueError::new_err(format!(
                "a size is a number of bytes or a text such as `2GiB`, not `{text}`"
            ))
        })
    }
}

/// Does work on another thread, and returns its result.
///
/// # Errors
///
/// The error of the work; `Timeout` and `MemoryLimit`; and the exception of a signal, for example `KeyboardInterrupt`.
/// The work is then cancelled.
pub(crate) fn without_lock<T: Send + 'static>(
    py: Python<'_>,
    limits: CallLimits,
    work: impl FnOnce(CancellationToken) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let Some(evaluations) = EVALUATIONS.get_or_make(|| Evaluations::new().max_given_up(usize::MAX)) else {
        return Err(raised(py, &Error::from(Box::new(too_many_forks()))));
    };
    let mut evaluations = evaluations.clone();
    if let Some(timeout) = limits.timeout {
        evaluations = evaluations.timeout(timeout);
    }
    if let Some(bytes) = limits.max_memory {
        evaluations = evaluations.max_memory(bytes);
    }
    let (sender, mut receiver) = mpsc::channel();
    let on_give_up = sender.clone();
    let work = move |cancellation, running| {
        let done = work(cancellation);
        drop(running);
        // The receiver is gone if a signal has ended the call.
        let _ = sender.send(done);
    };
    let given_up = move |why: Diagnostic| {
        let _ = on_give_up.send(Err(Error::from(Box::new(why))));
    };
    let handle = evaluations.begin(work, given_up).map_err(|fault| raised(py, &Error::from(fault)))?;
    loop {
        let received;
        (receiver, received) = py.detach(move || {
            let received = receiver.recv_timeout(PAUSE);
            (receiver, received)
        });
        match received {
            Ok(done) => return done.map_err(|error| raised(py, &error)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let panicked = "the call ended because of a fault in the program";
                return Err(raised(py, &Error::from(Box::new(Diagnostic::error("limit::panic", panicked)))));
            }
        }
        if let Err(signal) = py.check_signals() {
            handle.cancel(Diagnostic::error("sparql::cancelled", "the call was interrupted"));
            return Err(signal);
        }
    }
}

fn too_many_forks() -> Diagnostic {
    let message = "too many processes have forked one from the other";
    Diagnostic::error("limit::busy", message).with_help("start the process anew instead of forking it")
}
