//! Where triples stand in a text: each span is the text of its term, for the triples that the reader yields and in
//! their order.

use crate::beside::suites;
use crate::generated::choices::{Choices, drawn_for};
use evalgraph::rdf::{self, QuadBuffer, QuadSink, RdfFormat, ReadOptions, TripleSpan, each_triple_span};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;

const BASE: &str = "http://base.example/folder/file";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

fn options(format: RdfFormat) -> ReadOptions<'static> {
    ReadOptions { format, base: Some(BASE) }
}

/// Keeps all quads in their order, terms as in N-Triples.
#[derive(Default)]
struct InOrder {
    terms: Vec<String>,
    quads: Vec<[usize; 3]>,
}

impl InOrder {
    fn of(text: &[u8], format: RdfFormat) -> Option<Self> {
        let mut quads = Self::default();
        rdf::read("test", text, options(format), &mut quads).ok()?;
        Some(quads)
    }

    fn add(&mut self, term: String) -> usize {
        self.terms.push(term);
        self.terms.len() - 1
    }

    fn triples(&self) -> impl Iterator<Item = [&str; 3]> {
        self.quads.iter().map(|quad| quad.map(|term| self.terms[term].as_str()))
    }
}

impl QuadSink for InOrder {
    type Term = usize;

    fn iri(&mut self, iri: &str) -> usize {
        self.add(format!("<{iri}>"))
    }

    fn blank_node(&mut self) -> usize {
        self.add(format!("_:{}", self.terms.len()))
    }

    fn string(&mut self, value: &str) -> usize {
        self.add(format!("{value:?}"))
    }

    fn typed_literal(&mut self, lexical: &str, datatype: usize) -> usize {
        self.add(format!("{lexical:?}^^{}", self.terms[datatype]))
    }

    fn language_string(&mut self, value: &str, language: &str) -> usize {
        self.add(format!("{value:?}@{language}"))
    }

    fn quad(&mut self, subject: usize, predicate: usize, object: usize, _graph: Option<usize>) {
        self.quads.push([subject, predicate, object]);
    }
}

/// The directives before a byte, if each is on a line of its own.
fn directives(text: &str, before: usize) -> String {
    let lines = text[..before].lines().map(str::trim);
    let is_directive = |line: &&str| {
        let word = line.trim_start_matches('@').split_whitespace().next().unwrap_or_default();
        word.eq_ignore_ascii_case("prefix") || word.eq_ignore_ascii_case("base")
    };
    lines.filter(is_directive).flat_map(|line| [line, "\n"]).collect()
}

/// Checks the spans of a document that the reader accepts, and returns how many terms were compared and how many not,
/// for want of their prefixes.
fn check(text: &str, format: RdfFormat) -> (usize, usize) {
    let quads = InOrder::of(text.as_bytes(), format).unwrap_or_else(|| {
        let errors = rdf::read("test", text.as_bytes(), options(format), &mut QuadBuffer::new());
        panic!("{}\n{text}", errors.expect_err("it is at fault")[0])
    });
    let mut spans = Vec::new();
    let count = each_triple_span(text.as_bytes(), options(format), |number, span| {
        assert_eq!(number, spans.len() as u64);
        spans.push(span);
    });
    assert_eq!(count, Some(quads.quads.len() as u64), "as many triples in\n{text}");
    let mut labels: HashMap<&str, &str> = HashMap::new();
    let (mut compared, mut left) = (0, 0);
    for (triple, TripleSpan { subject, predicate, object }) in quads.triples().zip(spans) {
        let is_cell = [format!("<{RDF}first>"), format!("<{RDF}rest>")].contains(&triple[1].to_owned());
        for (part, (term, span)) in triple.into_iter().zip([subject, predicate, object]).enumerate() {
            let written = &text[span.clone()];
            let is_short = is_cell && (part < 2 || triple[1].contains("rest"));
            match written {
                "[" => assert!(term.starts_with("_:") || is_short, "{term} at {span:?} in\n{text}"),
                "(" | ")" => {
                    let is_list = term.starts_with("_:") || term == format!("<{RDF}nil>");
                    assert!(is_list || is_short, "{term} at {span:?} in\n{text}");
                }
                label if label.starts_with("_:") && term.starts_with("_:") => {
                    // A node of a collection stands at its item.
                    if !is_short {
                        let known = *labels.entry(label).or_insert(term);
                        assert_eq!(known, term, "{label} in\n{text}");
                    }
                }
                "a" if part == 1 => assert_eq!(term, format!("<{RDF}type>")),
                written => match alone(text, written, part, span.start, format) {
                    Some(alone) => {
                        assert!(alone == term || is_short, "{written} is {alone}, not {term}, in\n{text}");
                    }
                    None => {
                        // A literal is not a subject of its own.
                        left += usize::from(!is_short);
                        continue;
                    }
                },
            }
            compared += 1;
        }
    }
    (compared, left)
}

/// The term that a text means in the place of a part of a triple.
fn alone(text: &str, written: &str, part: usize, at: usize, format: RdfFormat) -> Option<String> {
    let mut parts = ["<urn:s>", "<urn:p>", "<urn:o>"];
    parts[part] = written;
    let statement = format!("{} {} .\n", directives(text, at), parts.join(" "));
    let quads = InOrder::of(statement.as_bytes(), format)?;
    quads.triples().next().map(|triple| triple[part].to_owned())
}

const PROLOGUE: [&str; 4] = [
    "@prefix ex: <http://example.org/ns#> .\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n",
    "prefix p.q: <urn:pq:>\r\n@prefix :<urn:x:>.\n",
    "@base <http://other.example/a/b> .\n",
    "BASE <c/d>\n",
];
const IRIS: [&str; 16] = [
    "ex:a",
    "<http://example.org/é#x>",
    "<rel>",
    "<#f>",
    "<>",
    "<urn:x:\\u0061>",
    ":",
    "ex:",
    "ex:a.b",
    "ex:a:b",
    "ex:%20x",
    "ex:a\\,b\\.",
    "ex:é·1",
    ":9a",
    "p.q:x-1",
    "ex:a..b\\-",
];
const BLANK: [&str; 5] = ["_:b", "_:b.1", "_:é", "_:0", "_:b-1"];
const LITERALS: [&str; 26] = [
    "\"\"",
    "'x'",
    "\"a\\\"b\"",
    "'''a\n'b''\\''''",
    "\"\"\"x\"\"y\\\\\"\"\"",
    "\"é # <\"@en",
    "'x'@de-AT",
    "\"1\"^^xsd:integer",
    "'x' ^^ <urn:dt>",
    "\"]\"# (\n^^# [\r\nex:d",
    "1",
    "-1.5",
    "+.5",
    "1e3",
    "1.E-2",
    "1.0e+7",
    "true",
    "false",
    "\"\"\"\"é\n\r\n\"\"\"",
    "''''''",
    "'\\\\'",
    "\"\\u00e9\\U0001F600\"",
    "'''\\''''",
    "\"'\"",
    "0.0",
    "\"\"\"\\\"\"\"\"@en",
];

/// Makes a document in Turtle or TriG.
struct Writer<'c> {
    choices: Choices<'c>,
    text: String,
}

impl Writer<'_> {
    fn space(&mut self) {
        const SPACES: [&str; 6] = [" ", "\n", "\r\n", "\t", " # \"'<[ . ;\n", "#(\r\n "];
        self.text.push_str(self.choices.pick(&SPACES));
    }

    fn put(&mut self, token: &str) {
        self.text.push_str(token);
        if self.choices.once_in(3) {
            self.space();
        }
    }

    /// A term, which may begin what is written next.
    fn term(&mut self, terms: &[&str]) {
        let term = self.choices.pick(terms);
        self.text.push_str(term);
        self.space();
    }

    fn resource(&mut self) {
        let terms: &[&str] = if self.choices.once_in(4) { &BLANK } else { &IRIS };
        self.term(terms);
    }

    fn object(&mut self, depth: usize) {
        match self.choices.below(if depth < 4 { 8 } else { 5 }) {
            0..=2 => {
                let literal = self.choices.pick(&LITERALS);
                self.text.push_str(literal);
                // A dot behind a number could be part of it.
                self.space();
            }
            3 | 4 => self.resource(),
            5 => self.bracket(depth),
            _ => self.collection(depth),
        }
    }

    fn bracket(&mut self, depth: usize) {
        self.put("[");
        if self.choices.below(4) > 0 {
            self.properties(depth + 1);
        }
        self.put("]");
    }

    fn collection(&mut self, depth: usize) {
        self.put("(");
        for _ in 0..self.choices.below(4) {
            self.object(depth + 1);
        }
        self.put(")");
    }

    fn properties(&mut self, depth: usize) {
        for property in 0..=self.choices.below(3) {
            if property > 0 {
                self.put(";");
            }
            if self.choices.once_in(5) {
                self.term(&["a"]);
            } else {
                self.term(&IRIS);
            }
            for value in 0..=self.choices.below(3) {
                if value > 0 {
                    self.put(",");
                }
                self.object(depth);
            }
        }
        for _ in 0..self.choices.below(3) {
            self.put(";");
        }
    }

    fn triples(&mut self) {
        match self.choices.below(6) {
            0..=2 => self.resource(),
            3 => {
                self.put("[");
                self.properties(1);
                self.put("]");
                if self.choices.once_in(2) {
                    return;
                }
            }
            4 => self.collection(1),
            _ => {
                self.put("[");
                self.put("]");
            }
        }
        self.properties(0);
    }

    fn graph(&mut self) {
        match self.choices.below(5) {
            0 => {}
            1 => {
                self.term(&["GRAPH", "graph"]);
                self.resource();
            }
            2 => {
                self.put("[");
                self.put("]");
            }
            3 => {
                self.term(&["Graph"]);
                self.put("[");
                self.put("]");
            }
            _ => self.resource(),
        }
        self.put("{");
        let count = self.choices.below(4);
        for triples in 0..count {
            if triples > 0 {
                self.put(".");
            }
            self.triples();
        }
        if count > 0 && self.choices.once_in(2) {
            self.put(".");
        }
        self.put("}");
    }

    fn document(&mut self, has_graphs: bool) {
        let count = PROLOGUE.len() - self.choices.below(3);
        PROLOGUE[..count].iter().for_each(|directives| self.text.push_str(directives));
        // The names of the first directives are used.
        for _ in 0..self.choices.below(6) {
            if has_graphs && self.choices.once_in(2) {
                self.graph();
            } else {
                self.triples();
                self.put(".");
            }
        }
    }
}

#[test]
fn spans_are_those_of_the_triples_that_are_read() {
    let mut all = (0, 0);
    for case in 0..200 {
        let (name, format) = match case % 2 {
            0 => ("turtle", RdfFormat::Turtle),
            _ => ("trig", RdfFormat::TriG),
        };
        let numbers = drawn_for(name, case, 400);
        let mut writer = Writer { choices: Choices::new(&numbers), text: String::new() };
        writer.document(format == RdfFormat::TriG);
        let (compared, left) = check(&writer.text, format);
        all = (all.0 + compared, all.1 + left);
        let mut quads = QuadBuffer::new();
        rdf::read("test", writer.text.as_bytes(), options(format), &mut quads).expect("it was read before");
        let quads = quads.without_graph_names();
        for format in [RdfFormat::NTriples, RdfFormat::NQuads] {
            let mut lines = Vec::new();
            rdf::write(&quads, format, &mut lines).expect("memory takes it");
            check(&String::from_utf8(lines).expect("it is text"), format);
        }
    }
    assert!(all.0 > 10_000 && all.1 == 0, "{all:?}");
}

#[test]
fn brackets_and_items_stand_where_they_begin() {
    let text = "\u{feff}@prefix : <urn:x:> .\n:a :b [ :c ( \"x\"@en 1 ) ] .";
    let mut shown = String::new();
    let read = |span: Range<usize>| &text[span];
    each_triple_span(text.as_bytes(), options(RdfFormat::Turtle), |number, span| {
        let TripleSpan { subject, predicate, object } = span;
        let (at, end) = (subject.start, object.end);
        writeln!(shown, "{number} {at}..{end} {} {} {}", read(subject), read(predicate), read(object))
            .expect("a string takes everything");
    });
    insta::assert_snapshot!(shown, @r#"
0 30..36 [ :c (
1 35..43 ( ( "x"@en
2 44..45 1 1 1
3 35..45 ( ( 1
4 44..47 1 1 )
5 24..31 :a :b [
"#);
}

#[test]
fn terms_of_rdf_xml_stand_at_what_makes_them() {
    let text = r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="urn:s:">
<s:Q rdf:about="urn:q" s:t="x"><s:p rdf:ID="i"> y</s:p><s:r rdf:resource="urn:r"/><s:e/>
<s:n><rdf:Description s:t="z"/></s:n><s:m rdf:parseType="Resource"><s:k>1</s:k></s:m>
<s:c rdf:parseType="Collection"><rdf:Description rdf:about="urn:1"/><s:Q rdf:nodeID="n"/></s:c></s:Q></rdf:RDF>"#;
    let quads = InOrder::of(text.as_bytes(), RdfFormat::RdfXml).expect("it is RDF/XML");
    let mut spans = Vec::new();
    let count = each_triple_span(text.as_bytes(), options(RdfFormat::RdfXml), |_, span| spans.push(span));
    assert_eq!(count, Some(quads.quads.len() as u64));
    let mut shown = String::new();
    for (triple, TripleSpan { subject, predicate, object }) in quads.triples().zip(spans) {
        let terms = triple.map(|term| term.rsplit(['#', ':', '/', '<']).next().unwrap_or_default());
        let spans = [subject, predicate, object].map(|span| &text[span]);
        writeln!(shown, "{}: {}", terms.join(" "), spans.join(" | ")).expect("a string takes everything");
    }
    insta::assert_snapshot!(shown, @r#"
q> type> Q>: rdf:about="urn:q" | s:Q | s:Q
q> t> "x": rdf:about="urn:q" | s:t="x" | s:t="x"
i> type> Statement>: rdf:ID="i" | rdf:ID="i" | rdf:ID="i"
i> subject> q>: rdf:ID="i" | rdf:ID="i" | rdf:ID="i"
i> predicate> p>: rdf:ID="i" | rdf:ID="i" | rdf:ID="i"
i> object> " y": rdf:ID="i" | rdf:ID="i" | rdf:ID="i"
q> p> " y": rdf:about="urn:q" | s:p | y
q> r> r>: rdf:about="urn:q" | s:r | rdf:resource="urn:r"
q> e> "": rdf:about="urn:q" | s:e | s:e
21 t> "z": rdf:Description | s:t="z" | s:t="z"
q> n> 21: rdf:about="urn:q" | s:n | rdf:Description
q> m> 26: rdf:about="urn:q" | s:m | s:m
26 k> "1": s:m | s:k | 1
29 type> Q>: rdf:nodeID="n" | s:Q | s:Q
32 first> 29: rdf:nodeID="n" | rdf:nodeID="n" | rdf:nodeID="n"
32 rest> nil>: rdf:nodeID="n" | rdf:nodeID="n" | s:c
36 first> 1>: rdf:about="urn:1" | rdf:about="urn:1" | rdf:about="urn:1"
36 rest> 32: rdf:about="urn:1" | rdf:about="urn:1" | rdf:nodeID="n"
q> c> 36: rdf:about="urn:q" | s:c | rdf:about="urn:1"
"#);
}

#[test]
fn formats_without_places_say_so() {
    for format in [RdfFormat::N3, RdfFormat::JsonLd] {
        assert_eq!(each_triple_span(b"", options(format), |_, _| ()), None);
    }
    for text in ["<a> <b>", "<a> <b> <c> ; .. ]", "{ <a> <b> <c> }", "( <a>", "@prefix a:"] {
        assert_eq!(each_triple_span(text.as_bytes(), options(RdfFormat::Turtle), |_, _| ()), None, "{text}");
    }
}

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn spans_of_the_suites_are_those_of_the_triples_that_are_read() {
    let formats = [
        ("rdf-xml", "rdf", RdfFormat::RdfXml),
        ("rdf-n-triples", "nt", RdfFormat::NTriples),
        ("rdf-n-quads", "nq", RdfFormat::NQuads),
        ("rdf-turtle", "ttl", RdfFormat::Turtle),
        ("rdf-trig", "trig", RdfFormat::TriG),
    ];
    for (folder, ending, format) in formats {
        let folder = suites().join("rdf-tests/rdf/rdf11").join(folder);
        let entries = std::fs::read_dir(&folder).expect("the folder is there");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
        let folders: Vec<PathBuf> = files.iter().filter(|path| path.is_dir()).cloned().collect();
        for entry in folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("it can be read")) {
            files.push(entry.expect("it can be read").path());
        }
        files.retain(|file| file.extension().is_some_and(|found| found == ending));
        files.sort();
        let mut all = (0, 0);
        for file in &files {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            let Some(quads) = InOrder::of(text.as_bytes(), format) else { continue };
            if format == RdfFormat::RdfXml {
                let count = each_triple_span(text.as_bytes(), options(format), |_, span| {
                    assert!([span.subject, span.predicate, span.object].iter().all(|span| !span.is_empty()));
                });
                assert_eq!(count, Some(quads.quads.len() as u64), "{}", file.display());
                all.0 += quads.quads.len();
            } else {
                let (compared, left) = check(&text, format);
                all = (all.0 + compared, all.1 + left);
            }
        }
        assert!(all.0 > 100 && all.1 * 10 < all.0, "{}: {all:?}", folder.display());
    }
}
