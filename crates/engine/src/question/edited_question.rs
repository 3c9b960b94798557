//! A row of a table that says what one question should be.

use evalgraph_diagnostics::SourcePlace;

/// The values of a question in a row of a table. `None` and an empty cell leave a value as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedQuestion {
    /// The question: its IRI or that of its item, its id in the file, or its exact text.
    pub question: String,
    /// The place of the name in the table.
    pub place: SourcePlace,
    /// The text of the accepted answer.
    pub answer: Option<String>,
    /// `true` if it is finished.
    pub finished: Option<bool>,
    /// All keywords of the question, as the cell has them.
    pub keywords: Option<String>,
    /// The text of the question.
    pub text: Option<String>,
}
