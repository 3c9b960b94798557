//! Work without the lock of the interpreter. Ctrl-C, a time limit and a memory limit end it.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use evalgraph::cli::size;
use evalgraph::diagnostic::Diagnostic;
use evalgraph::sparql::CancellationToken;
use evalgraph::{Error, Evaluations};
use evalgraph_work::PerProcess;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

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
    /// The names of the limits among keyword arguments.
    pub(crate) const NAMES: [&str; 2] = ["timeout", "max_memory"];

    /// Reads the limits from keyword arguments that may have nothing else.
    pub(crate) fn from_arguments(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut limits = Self::default();
        for (name, value) in arguments.into_iter().flatten() {
            let name: String = name.extract()?;
            if !limits.set(&name, &value)? {
                return Err(unknown_argument(&name, &Self::NAMES));
            }
        }
        Ok(limits)
    }

    /// Returns the limits of a request that may have both.
    pub(crate) fn from_request(timeout: Option<f64>, max_memory: Option<MemorySize>) -> PyResult<Self> {
        let timeout = timeout.map(duration).transpose()?;
        Ok(Self { timeout, max_memory: max_memory.map(MemorySize::bytes).transpose()? })
    }

    /// Sets a limit: seconds, or bytes as a number or a text such as `2GiB`. None means unlimited. Returns `false` for another
    /// name.
    pub(crate) fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        match name {
            "timeout" => self.timeout = value.extract::<Option<f64>>()?.map(duration).transpose()?,
            "max_memory" => {
                let size = value.extract::<Option<MemorySize>>()?;
                self.max_memory = size.map(MemorySize::bytes).transpose()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn duration(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("timeout is a number of seconds, not {seconds}")))
}

/// The exception of a keyword argument that a function does not have.
pub(crate) fn unknown_argument(name: &str, known: &[&str]) -> PyErr {
    PyTypeError::new_err(format!("the option `{name}` does not exist; the options are {}", known.join(", ")))
}

/// A size in bytes.
#[derive(Debug, Clone, FromPyObject)]
pub(crate) enum MemorySize {
    Bytes(u64),
    Text(String),
}

impl MemorySize {
    /// Returns the bytes.
    pub(crate) fn bytes(self) -> PyResult<u64> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Text(text) => size(&text).map_err(PyValueError::new_err),
        }
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
