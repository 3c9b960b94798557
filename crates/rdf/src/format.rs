//! The RDF formats: their names on the command line, file extensions and media types.
//! Recognising a format by its content is left to [`detect`](super::detect()).

use std::fmt;

/// A syntax for RDF data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RdfFormat {
    /// JSON-LD 1.1.
    JsonLd,
    /// RDF 1.1 N-Triples.
    NTriples,
    /// RDF 1.1 N-Quads.
    NQuads,
    /// RDF 1.1 Turtle.
    Turtle,
    /// RDF 1.1 TriG.
    TriG,
    /// RDF 1.1 XML Syntax.
    RdfXml,
    /// Notation3, restricted to RDF.
    N3,
}

struct RdfFormatFacts {
    name: &'static str,
    title: &'static str,
    media_types: &'static [&'static str],
    extensions: &'static [&'static str],
}

const fn facts(
    name: &'static str,
    title: &'static str,
    media_types: &'static [&'static str],
    extensions: &'static [&'static str],
) -> RdfFormatFacts {
    RdfFormatFacts { name, title, media_types, extensions }
}

/// The facts of each format, in the order of [`RdfFormat::ALL`].
const FACTS: [RdfFormatFacts; 7] = [
    facts("jsonld", "JSON-LD", &["application/ld+json", "application/json"], &["jsonld", "json", "json-ld"]),
    facts("nt", "N-Triples", &["application/n-triples", "text/plain"], &["nt"]),
    facts("nq", "N-Quads", &["application/n-quads", "text/x-nquads"], &["nq", "nquads"]),
    facts("ttl", "Turtle", &["text/turtle", "application/x-turtle"], &["ttl", "turtle"]),
    facts("trig", "TriG", &["application/trig", "application/x-trig"], &["trig"]),
    facts(
        "rdfxml",
        "RDF/XML",
        &["application/rdf+xml", "application/xml", "text/xml"],
        &["rdf", "owl", "rdfxml", "xml"],
    ),
    facts("n3", "N3", &["text/n3", "text/rdf+n3"], &["n3"]),
];

impl RdfFormat {
    /// Every format.
    pub const ALL: [Self; 7] =
        [Self::JsonLd, Self::NTriples, Self::NQuads, Self::Turtle, Self::TriG, Self::RdfXml, Self::N3];

    /// The formats that can be written.
    pub const WRITTEN: [Self; 6] =
        [Self::NTriples, Self::NQuads, Self::Turtle, Self::TriG, Self::RdfXml, Self::JsonLd];

    fn facts(self) -> &'static RdfFormatFacts {
        &FACTS[self as usize]
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The name to show to people.
    pub fn title(self) -> &'static str {
        self.facts().title
    }

    /// The registered media type.
    pub fn media_type(self) -> &'static str {
        self.facts().media_types[0]
    }

    /// The media types, the registered one first.
    pub fn media_types(self) -> &'static [&'static str] {
        self.facts().media_types
    }

    /// The file extensions, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        self.facts().extensions
    }

    /// The format with this name on the command line.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format of a file extension without its dot; upper and lower case are equal.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let is_it = |known: &&str| known.eq_ignore_ascii_case(extension);
        let has_it = |format: &Self| format.extensions().iter().any(is_it);
        Self::ALL.into_iter().find(has_it)
    }

    /// The format of a media type; parameters are ignored, any `…+json` type is JSON-LD.
    pub fn from_media_type(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let known = Self::ALL.into_iter().find(|format| format.facts().media_types.contains(&&*essence));
        known.or_else(|| essence.ends_with("+json").then_some(Self::JsonLd))
    }

    /// The format that the extension of a file name suggests; compression extensions are skipped.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let lower = name.to_ascii_lowercase();
        let plain = [".gz", ".zst"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
        let (_, extension) = plain.rsplit_once('.')?;
        Self::from_extension(extension)
    }

    /// Returns whether the format can have named graphs.
    pub fn has_graph_names(self) -> bool {
        matches!(self, Self::JsonLd | Self::NQuads | Self::TriG)
    }

    /// Returns whether every document of `other` is also a document of this format with the same meaning.
    pub fn includes(self, other: Self) -> bool {
        self == other
            || match other {
                Self::NTriples => matches!(self, Self::NQuads | Self::Turtle | Self::TriG | Self::N3),
                Self::Turtle => matches!(self, Self::TriG | Self::N3),
                // A `{` in N3 opens a formula, which looks like TriG.
                Self::TriG => self == Self::N3,
                _ => false,
            }
    }
}

impl fmt::Display for RdfFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}
