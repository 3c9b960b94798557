//! The pieces in which a batch of graphs is sent to a server, one request each. Quads without blank nodes are split at
//! a fixed number, so a later run makes the same pieces. All quads with blank nodes come last, in one piece, since
//! their labels mean nothing in another request. A piece is generated while it is sent, and is never in memory as a
//! whole.

use std::io::{self, Read, Write};
use std::ops::Range;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::source_graph::{GraphSurvey, SourceGraph};
use evalgraph_sparql::CancellationToken;
use evalgraph_store::{EncodedQuad, TermDictionary};

/// How many quads a piece has.
const QUADS: u64 = 200_000;

/// How many bytes of text are compressed at a time.
const CHUNK: usize = 1 << 16;

/// A graph of a batch.
pub(super) struct StagedGraph<'b, 's> {
    pub(super) graph: &'b SourceGraph<'s>,
    pub(super) survey: &'b GraphSurvey,
    /// The name of its staging graph.
    pub(super) staging: String,
}

/// A piece of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BatchPiece {
    /// Quads without blank nodes: ranges of their numbers, per graph of the batch.
    Plain(Vec<(usize, Range<u64>)>),
    /// All quads with blank nodes of the batch.
    Nodes,
    /// All quads of the batch.
    All,
}

/// The pieces of a batch. `graphs` has the number of quads without and with blank nodes for each graph.
pub(super) fn pieces(graphs: &[(u64, u64)]) -> Vec<BatchPiece> {
    pieces_of(QUADS, graphs)
}

fn pieces_of(most: u64, graphs: &[(u64, u64)]) -> Vec<BatchPiece> {
    let (mut pieces, mut piece, mut room) = (Vec::new(), Vec::new(), most);
    for (at, (plain, _)) in graphs.iter().enumerate() {
        let mut from = 0;
        while from < *plain {
            let to = plain.min(&(from + room)).to_owned();
            piece.push((at, from..to));
            room -= to - from;
            from = to;
            if room == 0 {
                pieces.push(BatchPiece::Plain(std::mem::take(&mut piece)));
                room = most;
            }
        }
    }
    if !piece.is_empty() {
        pieces.push(BatchPiece::Plain(piece));
    }
    if graphs.iter().any(|(_, nodes)| *nodes > 0) {
        pieces.push(BatchPiece::Nodes);
    }
    pieces
}

/// How many pieces a server has received, given the number of quads `found` in each graph. `None` if that is not a
/// whole number of pieces.
pub(super) fn pieces_sent(pieces: &[BatchPiece], graphs: &[(u64, u64)], found: &[u64]) -> Option<usize> {
    let mut counts = vec![0; graphs.len()];
    if counts == found {
        return Some(0);
    }
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            BatchPiece::Plain(ranges) => {
                ranges.iter().for_each(|(graph, range)| counts[*graph] += range.end - range.start);
            }
            BatchPiece::Nodes => {
                counts.iter_mut().zip(graphs).for_each(|(count, (_, nodes))| *count += nodes);
            }
            BatchPiece::All => counts = graphs.iter().map(|(plain, nodes)| plain + nodes).collect(),
        }
        if counts == found {
            return Some(at + 1);
        }
    }
    None
}

impl BatchPiece {
    /// How many quads the piece has.
    pub(super) fn len(&self, graphs: &[(u64, u64)]) -> u64 {
        match self {
            Self::Plain(ranges) => ranges.iter().map(|(_, range)| range.end - range.start).sum(),
            Self::Nodes => graphs.iter().map(|(_, nodes)| nodes).sum(),
            Self::All => graphs.iter().map(|(plain, nodes)| plain + nodes).sum(),
        }
    }
}

/// Reads the bytes of a piece: N-Quads with the names of the staging graphs, or N-Triples, with or without gzip.
pub(super) struct PieceReader<'b, 's> {
    batch: &'b [StagedGraph<'b, 's>],
    /// The remaining parts of the piece, in reverse order.
    parts: Vec<BatchSection>,
    part: Option<(BatchSection, Box<dyn Iterator<Item = EncodedQuad> + 's>)>,
    form: BatchForm,
    cancellation: &'b CancellationToken,
    text: Vec<u8>,
    output: BatchOutput,
    read: usize,
}

/// A part of a piece.
struct BatchSection {
    graph: usize,
    quads: SectionQuads,
}

/// The quads of a part.
enum SectionQuads {
    /// Quads without blank nodes, by their numbers.
    Plain(Range<u64>),
    Nodes,
    All,
}

/// The format in which pieces are sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct BatchForm {
    pub(super) has_graph_names: bool,
    pub(super) is_compressed: bool,
}

enum BatchOutput {
    Plain(Vec<u8>),
    Gzip(Option<Box<GzEncoder<Vec<u8>>>>, Vec<u8>),
}

impl<'b, 's> PieceReader<'b, 's> {
    pub(super) fn new(
        batch: &'b [StagedGraph<'b, 's>],
        piece: &BatchPiece,
        form: BatchForm,
        cancellation: &'b CancellationToken,
    ) -> Self {
        let each = |quads: fn() -> SectionQuads| {
            (0..batch.len()).map(|graph| BatchSection { graph, quads: quads() }).collect()
        };
        let mut parts: Vec<BatchSection> = match piece {
            BatchPiece::Plain(ranges) => {
                let part = |(graph, range): &(usize, Range<u64>)| BatchSection {
                    graph: *graph,
                    quads: SectionQuads::Plain(range.clone()),
                };
                ranges.iter().map(part).collect()
            }
            BatchPiece::Nodes => each(|| SectionQuads::Nodes),
            BatchPiece::All => each(|| SectionQuads::All),
        };
        parts.reverse();
        let output = match form.is_compressed {
            true => {
                let encoder = GzEncoder::new(Vec::new(), Compression::fast());
                BatchOutput::Gzip(Some(Box::new(encoder)), Vec::new())
            }
            false => BatchOutput::Plain(Vec::new()),
        };
        Self { batch, parts, part: None, form, cancellation, text: Vec::new(), output, read: 0 }
    }

    /// Generates the next bytes. Returns `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        self.cancellation.check().map_err(io::Error::other)?;
        while self.text.len() < CHUNK {
            if self.part.is_none() {
                let Some(part) = self.parts.pop() else { break };
                let graph = self.batch[part.graph].graph;
                let quads = match &part.quads {
                    SectionQuads::Plain(range) => graph.plain_from(range.start),
                    SectionQuads::Nodes => graph.with_nodes(),
                    SectionQuads::All => graph.all(),
                };
                self.part = Some((part, quads));
            }
            self.quad();
        }
        let is_last = self.text.is_empty();
        self.read = 0;
        match &mut self.output {
            BatchOutput::Plain(bytes) => std::mem::swap(bytes, &mut self.text),
            BatchOutput::Gzip(encoder, bytes) => {
                bytes.clear();
                match encoder.as_mut().filter(|_| !is_last) {
                    Some(encoder) => {
                        encoder.write_all(&self.text)?;
                        std::mem::swap(encoder.get_mut(), bytes);
                    }
                    None => {
                        let finished = encoder.take().map(|encoder| encoder.finish()).transpose()?;
                        *bytes = finished.unwrap_or_default();
                    }
                }
            }
        }
        self.text.clear();
        Ok(!is_last || !self.output.bytes().is_empty())
    }

    /// Writes the next quad of the part, or ends the part.
    fn quad(&mut self) {
        let Some((part, quads)) = &mut self.part else { return };
        let staged = &self.batch[part.graph];
        let next = match &mut part.quads {
            SectionQuads::Plain(range) if range.is_empty() => None,
            SectionQuads::Plain(range) => {
                range.start += 1;
                quads.next()
            }
            SectionQuads::Nodes | SectionQuads::All => quads.next(),
        };
        if let Some(quad) = next {
            let graph = self.form.has_graph_names.then_some(staged.staging.as_str());
            staged.graph.with_terms(|terms| write_line(quad, graph, terms, &mut self.text));
            return;
        }
        if let Some((BatchSection { quads: SectionQuads::Plain(range), .. }, quads)) = self.part.take() {
            // The next piece continues with this iterator, so no quad is read twice to find the place.
            staged.graph.read_up_to(range.end, quads);
        }
    }
}

impl BatchOutput {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Plain(bytes) | Self::Gzip(_, bytes) => bytes,
        }
    }
}

impl Read for PieceReader<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.output.bytes().len() == self.read {
            if !self.fill()? {
                return Ok(0);
            }
        }
        let left = &self.output.bytes()[self.read..];
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.read += count;
        Ok(count)
    }
}

/// Appends a line of N-Quads, or of N-Triples if there is no graph.
fn write_line(quad: EncodedQuad, graph: Option<&str>, terms: &TermDictionary, text: &mut Vec<u8>) {
    for term in [quad.subject, quad.predicate, quad.object] {
        terms.write_n_triples(term, text);
        text.push(b' ');
    }
    if let Some(graph) = graph {
        text.push(b'<');
        text.extend_from_slice(graph.as_bytes());
        text.extend_from_slice(b"> ");
    }
    text.extend_from_slice(b".\n");
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use flate2::read::GzDecoder;

    use super::*;
    use crate::export::export_data::ExportTerms;
    use crate::export::server::source_graph::SourceGraphQuads;
    use evalgraph_rdf::QuadSink;
    use evalgraph_store::{Dataset, DocumentBuilder, NamedDocument};

    /// A document with some triples without blank nodes and some with one.
    fn document(graph: &str, plain: usize, with_node: usize) -> NamedDocument {
        let mut builder = DocumentBuilder::new();
        let (predicate, node) = (builder.iri("urn:p"), builder.blank_node());
        for at in 0..plain + with_node {
            let (subject, object) = (builder.iri(&format!("urn:s{at}")), builder.string("text"));
            builder.quad(subject, predicate, if at % 3 == 1 && with_node > 0 { node } else { object }, None);
        }
        NamedDocument { graph: graph.to_owned(), builder }
    }

    #[test]
    fn pieces_together_have_each_quad_once_and_can_be_read_again() {
        let dataset = Dataset::from_documents(vec![document("urn:a", 7, 0), document("urn:b", 4, 2)]);
        let texts = RefCell::new(ExportTerms::Loaded(dataset.dictionary()));
        let cancellation = CancellationToken::new();
        let sources: Vec<SourceGraph<'_>> = dataset
            .graphs()
            .map(|graph| {
                let name = dataset.dictionary().lexical(graph).to_owned();
                SourceGraph::new(name, SourceGraphQuads::Dataset(&dataset, graph), &texts)
            })
            .collect();
        let survey =
            |source: &SourceGraph<'_>| source.survey(|_, _| (), &cancellation).expect("the dataset is whole");
        let surveys: Vec<GraphSurvey> = sources.iter().map(survey).collect();
        let batch: Vec<StagedGraph<'_, '_>> = sources
            .iter()
            .zip(&surveys)
            .map(|(graph, survey)| StagedGraph { graph, survey, staging: format!("{}:staging", graph.name) })
            .collect();
        let sizes: Vec<(u64, u64)> =
            surveys.iter().map(|survey| (survey.quads - survey.with_nodes, survey.with_nodes)).collect();
        let text = |piece: &BatchPiece, is_compressed: bool| {
            let form = BatchForm { has_graph_names: true, is_compressed };
            let mut reader = PieceReader::new(&batch, piece, form, &cancellation);
            let mut text = String::new();
            match is_compressed {
                true => GzDecoder::new(reader).read_to_string(&mut text),
                false => reader.read_to_string(&mut text),
            }
            .expect("it is UTF-8");
            text
        };
        let all = pieces_of(3, &sizes);
        assert_eq!(all.len(), 5, "{all:?}");
        let mut lines: Vec<String> = Vec::new();
        for piece in &all {
            let sent = text(piece, true);
            assert_eq!(sent.lines().count() as u64, piece.len(&sizes));
            assert_eq!(text(piece, false), sent, "a second try");
            lines.extend(sent.lines().map(str::to_owned));
        }
        let whole = text(&BatchPiece::All, true);
        let mut expected: Vec<&str> = whole.lines().collect();
        lines.sort();
        expected.sort_unstable();
        assert_eq!(lines, expected);
        assert_eq!(whole.matches(" <urn:b:staging> .\n").count(), 6);
    }

    #[test]
    fn graphs_share_pieces_and_blank_nodes_come_last() {
        let graphs = [(QUADS + 10, 0), (20, 5)];
        let all = pieces(&graphs);
        let expected = [
            BatchPiece::Plain(vec![(0, 0..QUADS)]),
            BatchPiece::Plain(vec![(0, QUADS..QUADS + 10), (1, 0..20)]),
            BatchPiece::Nodes,
        ];
        assert_eq!(all, expected);
        assert_eq!(all.iter().map(|piece| piece.len(&graphs)).sum::<u64>(), QUADS + 35);
        let found = [[0, 0], [QUADS, 0], [QUADS + 10, 20], [QUADS + 10, 25]];
        for (sent, found) in found.iter().enumerate() {
            assert_eq!(pieces_sent(&all, &graphs, found), Some(sent));
        }
        for found in [[1, 0], [QUADS, 20], [QUADS + 10, 24], [QUADS + 11, 25]] {
            assert_eq!(pieces_sent(&all, &graphs, &found), None);
        }
    }

    #[test]
    fn a_full_piece_is_not_followed_by_an_empty_one() {
        assert_eq!(pieces(&[(QUADS, 0)]), [BatchPiece::Plain(vec![(0, 0..QUADS)])]);
        assert_eq!(pieces(&[(0, 3)]), [BatchPiece::Nodes]);
    }
}
