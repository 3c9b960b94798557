//! The files of a corpus in the graph of its dataset. Each file is a download of the dataset, and a document that
//! contexts can name.

use super::corpus_files::{Corpus, CorpusFile, CorpusFileKind};
use evalgraph_rdf::QuadSink;
use evalgraph_rdf::iri::percent_encode_into;
use evalgraph_rdf::vocabulary::{SCHEMA_ORG, rdf};

/// The media types by extension.
const MEDIA_TYPES: [(&str, &str); 14] = [
    ("csv", "text/csv"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("epub", "application/epub+zip"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("pdf", "application/pdf"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("tsv", "text/tab-separated-values"),
    ("txt", "text/plain"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("xml", "application/xml"),
    ("zip", "application/zip"),
];

/// Passes the facts about the files of a corpus to a sink. `base` is the beginning of the IRIs of the dataset's nodes.
pub fn describe_corpus<S: QuadSink>(corpus: &Corpus, base: &str, sink: &mut S) {
    let mut term = |name: &str| sink.iri(&format!("{SCHEMA_ORG}{name}"));
    let [distribution, name, encoding_format, content_size] =
        ["distribution", "name", "encodingFormat", "contentSize"].map(&mut term);
    let classes = ["DigitalDocument", "DataDownload"].map(&mut term);
    let (rdf_type, dataset) = (sink.iri(rdf::TYPE), sink.iri(base.trim_end_matches(':')));
    for file in corpus.files() {
        let file_name = String::from_utf8_lossy(&file.name);
        let mut iri = format!("{base}file/");
        percent_encode_into(&file_name, &mut iri);
        let node = sink.iri(&iri);
        sink.quad(dataset, distribution, node, None);
        for class in classes {
            sink.quad(node, rdf_type, class, None);
        }
        let file_name = sink.string(&file_name);
        sink.quad(node, name, file_name, None);
        let size = sink.string(&format!("{} bytes", file.size));
        sink.quad(node, content_size, size, None);
        if let Some(media_type) = media_type(file) {
            let media_type = sink.string(media_type);
            sink.quad(node, encoding_format, media_type, None);
        }
    }
}

/// Returns the media type of a file, according to its name or, if they contradict the name, to its first bytes.
fn media_type(file: &CorpusFile) -> Option<&'static str> {
    match file.contradiction() {
        None => {
            let extension = file.extension();
            MEDIA_TYPES.iter().find(|(known, _)| *known == extension).map(|(_, media_type)| *media_type)
        }
        Some(CorpusFileKind::Pdf) => Some("application/pdf"),
        Some(CorpusFileKind::Html) => Some("text/html"),
        Some(CorpusFileKind::Zip) => Some("application/zip"),
        Some(CorpusFileKind::Text) => Some("text/plain"),
        Some(CorpusFileKind::Ole | CorpusFileKind::Image | CorpusFileKind::Binary) => None,
    }
}
