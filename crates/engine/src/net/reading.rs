//! Answers that are read to their end, and are asked for again where they break off on the way.

use super::answer::Answer;
use super::fault::BROKE_OFF;
use super::server::{Question, Server};
use evalgraph_diagnostics::Failure;

impl Server {
    /// Asks, and reads the answer. Where the answer breaks off, the question is sent again if it may be, as if there had been
    /// no answer, and all is read from the beginning.
    ///
    /// # Errors
    ///
    /// As [`Server::ask`], and the errors of `read`.
    pub fn read<T>(
        &self,
        question: &Question<'_>,
        mut read: impl FnMut(Answer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut pauses = self.pauses();
        loop {
            let mut fault = match read(self.ask_within(question, &mut pauses)?) {
                Err(Failure::Fault(fault)) if fault.code == BROKE_OFF && question.repeats => fault,
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
