//! The faults that a server plays, and when.

use crate::http_server::{Answer, Request};

/// What goes wrong.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// This answer comes at once: the body of the request is not read.
    Refuses(Answer),
    /// So many bytes of the request's body are read, and the connection is closed.
    Leaves(usize),
    /// This answer comes, and nothing is done.
    Instead(Answer),
    /// So many operations of an update are done, if it comes in a form, as to Virtuoso, and the connection is closed.
    Stops(usize),
    /// All is done, and the connection is closed without an answer.
    Forgets,
    /// All is done, and the answer ends after so many bytes of its body.
    Cuts(usize),
    /// All is done, and the answer, in chunks, ends within the second chunk.
    CutsChunks,
    /// All is done, and the answer stops after so many bytes of its body, but does not end.
    Stalls(usize),
    /// All is done, and the answer says that its body is shorter than it is, by so many bytes.
    Understates(usize),
    /// All is done, and the answer has another body.
    Edits(fn(&str) -> String),
}

impl Fault {
    /// Returns whether it is played before the body of the request is read.
    pub(super) fn is_early(&self) -> bool {
        matches!(self, Self::Refuses(_) | Self::Leaves(_))
    }

    /// What becomes of the right answer.
    pub(super) fn of(&self, right: &Answer) -> Answer {
        let (head, body) = right.parts(false);
        let begin = |count: usize| [&head[..], &body[..count.min(body.len())]].concat();
        match self {
            Self::Cuts(count) => Answer::Raw(begin(*count)),
            Self::Stalls(count) => Answer::Stalled(begin(*count)),
            Self::CutsChunks => {
                let head = String::from_utf8_lossy(&head)
                    .replace("Content-Length", "Transfer-Encoding: chunked\r\nX-Was");
                let first = body.len() / 2;
                let size = format!("{first:x}\r\n");
                let more = format!("\r\n{:x}\r\n", body.len());
                let parts =
                    [head.as_bytes(), size.as_bytes(), &body[..first], more.as_bytes(), &body[first..]];
                Answer::Raw(parts.concat())
            }
            Self::Understates(count) => {
                let length = |less: usize| format!("Content-Length: {}\r\n", body.len().saturating_sub(less));
                let head = String::from_utf8_lossy(&head).replace(&length(0), &length(*count));
                Answer::Raw([head.as_bytes(), &body].concat())
            }
            Self::Edits(edit) => {
                let Answer::Whole { status, fields, body } = right else { return right.clone() };
                let body = edit(&String::from_utf8_lossy(body)).into_bytes();
                Answer::Whole { status: *status, fields: fields.clone(), body }
            }
            _ => Answer::Raw(Vec::new()),
        }
    }
}

/// A fault, and the requests that it is played for.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(super) fault: Fault,
    /// Of the requests whose method and path, one blank between, hold this text.
    of: &'static str,
    /// How many of them are well at first.
    spared: usize,
    /// How many of them are not, then.
    most: usize,
    seen: usize,
}

impl Plan {
    /// The fault for all requests whose method and path, one blank between, hold a text.
    pub(crate) fn of(of: &'static str, fault: Fault) -> Self {
        Self { fault, of, spared: 0, most: usize::MAX, seen: 0 }
    }

    /// Spares the first ones.
    pub(crate) fn after(mut self, spared: usize) -> Self {
        self.spared = spared;
        self
    }

    /// Plays the fault so many times, and no more.
    pub(crate) fn times(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    pub(super) fn played(&self) -> usize {
        self.seen.saturating_sub(self.spared).min(self.most)
    }

    /// Counts a request, and returns the fault if it is for it.
    pub(super) fn play(&mut self, request: &Request) -> Option<Fault> {
        if !format!("{} {}", request.method, request.path).contains(self.of) {
            return None;
        }
        let before = self.played();
        self.seen += 1;
        (self.played() > before).then(|| self.fault.clone())
    }
}
