//! Responses that are read to their end, and are requested again if they are cut off.
//!
//! `HttpClient` is defined in `http_client.rs`.

use super::answer::ClientResponse;
use super::http_client::{ClientRequest, HttpClient};
use super::net_fault::BROKE_OFF;
use evalgraph_diagnostics::RunFailure;

impl HttpClient {
    /// Sends the request and reads the response. If the response is cut off and the request is safe to repeat, it is
    /// sent again as if there had been no response, and reading starts over.
    ///
    /// # Errors
    ///
    /// The errors of [`HttpClient::ask`], and the errors of `read`.
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
