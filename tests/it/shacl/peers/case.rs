//! A case: data and shapes in N-Triples, which are made smaller line by line, and shown in Turtle.

use crate::generated::smaller::Shrinkable;
use crate::generated::{choices, shaped_data, shapes};
use evalgraph::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};

/// How many numbers a case is drawn from; beyond them everything is as simple as can be.
const NUMBERS: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) data: Vec<String>,
    pub(crate) shapes: Vec<String>,
}

impl Case {
    /// The generated case of a number.
    pub(crate) fn of(number: u64) -> Self {
        let drawn = choices::drawn_for("shacl data", number, NUMBERS);
        let data = shaped_data::lines(&mut choices::Choices::new(&drawn));
        let drawn = choices::drawn_for("shacl shapes", number, NUMBERS);
        Self { data, shapes: shapes::lines(&mut choices::Choices::new(&drawn)) }
    }

    /// The case without constraints in SPARQL, for a peer that has none.
    pub(crate) fn without_sparql(&self) -> Self {
        let mut shapes = self.shapes.clone();
        shapes.retain(|line| !line.contains(" <http://www.w3.org/ns/shacl#sparql> "));
        Self { data: self.data.clone(), shapes }
    }

    pub(crate) fn shown(&self) -> String {
        format!("data\n{}\nshapes\n{}", turtle(&self.data), turtle(&self.shapes))
    }
}

fn turtle(lines: &[String]) -> String {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::NTriples, base: None };
    rdf::read("case.nt", lines.join("\n").as_bytes(), options, &mut quads).expect("a case is N-Triples");
    let mut text = Vec::new();
    rdf::write::write(&quads, RdfFormat::Turtle, &mut text).expect("memory takes it");
    String::from_utf8(text).expect("the text is UTF-8")
}

impl Shrinkable for Case {
    /// Leaves out a half of the lines of data or shapes, a quarter, and so on down to a single line.
    fn smaller(&self, number: usize) -> Option<Self> {
        let (data, shapes) = (spans(self.data.len()), spans(self.shapes.len()));
        let without = |lines: &[String], span: &std::ops::Range<usize>| {
            let mut lines = lines.to_vec();
            lines.drain(span.clone());
            lines
        };
        if let Some(span) = data.get(number) {
            return Some(Self { data: without(&self.data, span), ..self.clone() });
        }
        let span = shapes.get(number - data.len())?;
        Some(Self { shapes: without(&self.shapes, span), ..self.clone() })
    }
}

/// The halves of a range, its quarters, and so on.
fn spans(count: usize) -> Vec<std::ops::Range<usize>> {
    let mut spans = Vec::new();
    let mut width = count.div_ceil(2);
    while width > 0 {
        spans.extend((0..count).step_by(width).map(|start| start..count.min(start + width)));
        width = if width == 1 { 0 } else { width.div_ceil(2) };
    }
    spans
}
