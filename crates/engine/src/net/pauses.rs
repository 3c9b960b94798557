//! The pauses before a request is repeated.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::net_fault::NetFault;

/// The longest pause. If a server asks for a longer one, the user has to decide.
const LONGEST: Duration = Duration::from_secs(120);

/// The pauses of one request.
pub(super) struct RetryPauses {
    left: u32,
    taken: u32,
    next: Duration,
}

impl RetryPauses {
    pub(super) fn new(retries: u32, first: Duration) -> Self {
        Self { left: retries, taken: 0, next: first }
    }

    /// The next pause, at least as long as the server asks for in `Retry-After`. `None` after the last one, or if the
    /// server asks for too long a pause.
    pub(super) fn next(&mut self, retry_after: Option<&str>) -> Option<Duration> {
        let wanted = retry_after.and_then(wanted).unwrap_or_default();
        if wanted > LONGEST {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        self.taken += 1;
        let pause = self.next;
        self.next = pause.saturating_mul(2);
        Some(wanted.max(pause.min(LONGEST)))
    }

    /// How often the request was sent, in words. Empty if it was sent once.
    pub(super) fn tries(&self) -> String {
        if self.taken > 0 { format!(", after {} tries", self.taken + 1) } else { String::new() }
    }

    /// Adds to a fault the number of attempts, if there were several, and the pause that the server asks for.
    pub(super) fn told(&self, mut fault: NetFault, retry_after: Option<&str>) -> NetFault {
        fault.message.push_str(&self.tries());
        match retry_after.and_then(wanted) {
            Some(wanted) => {
                fault.with_help(format!("the server wants a pause of {} seconds", wanted.as_secs()))
            }
            None => fault,
        }
    }
}

/// A number of seconds or a date (RFC 9110, section 10.2.3).
fn wanted(value: &str) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = DateTime::parse_from_rfc2822(value.trim()).ok()?;
    (date.with_timezone(&Utc) - Utc::now()).to_std().ok()
}

#[test]
fn pauses_grow_and_heed_the_server() {
    let mut pauses = RetryPauses::new(4, Duration::from_millis(500));
    assert_eq!(pauses.next(None), Some(Duration::from_millis(500)));
    assert_eq!(pauses.next(Some("7")), Some(Duration::from_secs(7)));
    assert_eq!(pauses.next(Some("Fri, 31 Dec 1999 23:59:59 GMT")), Some(Duration::from_secs(2)));
    assert_eq!(pauses.next(None), Some(Duration::from_secs(4)));
    assert_eq!(pauses.next(None), None);
    assert_eq!(RetryPauses::new(4, Duration::ZERO).next(Some("121")), None);
}
