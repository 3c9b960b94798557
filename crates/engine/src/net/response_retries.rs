//! Answers that are read to their end, and are asked for again where they break off on the way.

use super::answer::ClientResponse;
use super::http_client::{ClientRequest, HttpClient};
use super::net_fault::BROKE_OFF;
use evalgraph_diagnostics::RunFailure;

impl HttpClient {
    /// Asks, and reads the answer. Where the answer breaks off, the question is sent again if it may be, as if there had been
    /// no answer, and all is read from the beginning.
    ///
    /// # Errors
    ///
    /// As [`HttpClient::ask`], and the errors of `read`.
    pub fn read<T>(
        &self,
        question: &ClientRequest<'_>,
        mut read: impl FnMut(ClientResponse) -> Result<T, RunFailure>,
    ) -> Result<T, RunFailure> {
        let mut pauses = self.pauses();
        loop {
            let mut fault = match read(self.ask_within(question, &mut pauses)?) {
                Err(RunFailure::Fault(fault)) if fault.code == BROKE_OFF && question.repeats => fault,
                other => return other,
            };
            let Some(pause) = pauses.next(None) else {
                fault.message.push_str(&pauses.tries());
                return Err(fault.into());
            };
            self.wait(pause)?;
        }
    }
}
