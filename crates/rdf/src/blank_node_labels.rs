//! Labels for writing the blank nodes of a [`QuadBuffer`]: the labels of their document if it had any, so people can
//! find a node again.

use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashSet};

use super::quad_buffer::QuadBuffer;

/// A label for each blank node, without the `_:`; no two nodes share one.
#[derive(Debug)]
pub struct BlankNodeLabels<'q> {
    quads: &'q QuadBuffer,
    /// New labels of nodes without a label, or with a label that an earlier node has.
    new: HashMap<u32, Box<str>, RandomState>,
}

impl<'q> BlankNodeLabels<'q> {
    /// Labels the blank nodes of a buffer with the labels of their document, or else with `b0`, `b1`, …, skipping
    /// numbers in use.
    pub fn from_quads(quads: &'q QuadBuffer) -> Self {
        let mut new = HashMap::default();
        if quads.has_labels() {
            let mut taken: HashSet<&str, RandomState> = HashSet::default();
            // Two documents may use the same label for two nodes: the first keeps it.
            let numbers = 0..quads.blank_node_count() as u32;
            let without: Vec<u32> = numbers
                .filter(|&number| !quads.blank_node_label(number).is_some_and(|label| taken.insert(label)))
                .collect();
            let mut free =
                (0_u32..).map(|number| format!("b{number}")).filter(|label| !taken.contains(label.as_str()));
            new.extend(without.into_iter().zip(free.by_ref()).map(|(number, label)| (number, label.into())));
        }
        Self { quads, new }
    }

    /// Appends the label of the blank node with that number.
    pub fn write(&self, number: u32, text: &mut String) {
        if !self.new.is_empty()
            && let Some(label) = self.new.get(&number)
        {
            text.push_str(label);
        } else if let Some(label) = self.quads.blank_node_label(number) {
            text.push_str(label);
        } else {
            text.push('b');
            write_number(number, text);
        }
    }

    /// The label of the blank node with that number.
    pub fn label(&self, number: u32) -> String {
        let mut text = String::new();
        self.write(number, &mut text);
        text
    }
}

/// Appends a number in decimal digits. Each mention of a blank node needs this, and `write!` takes
/// several times as long.
pub fn write_number(mut number: u32, text: &mut String) {
    let mut digits = [0_u8; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.push_str(std::str::from_utf8(&digits[at..]).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::QuadSink;

    #[test]
    fn labels_of_documents_are_kept_and_the_others_get_free_ones() {
        let mut quads = QuadBuffer::new();
        for label in [Some("b1"), None, Some("x"), Some("x"), None] {
            match label {
                Some(label) => quads.labelled_blank_node(label),
                None => quads.blank_node(),
            };
        }
        let labels = BlankNodeLabels::from_quads(&quads);
        let labels: Vec<String> = (0..5).map(|number| labels.label(number)).collect();
        assert_eq!(labels, ["b1", "b0", "x", "b2", "b3"]);
    }

    #[test]
    fn without_labels_the_number_is_the_label() {
        let mut quads = QuadBuffer::new();
        quads.blank_node();
        let labels = BlankNodeLabels::from_quads(&quads);
        assert_eq!(
            (labels.label(0), labels.label(1_234_567_890)),
            ("b0".to_owned(), "b1234567890".to_owned())
        );
    }
}
