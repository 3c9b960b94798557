//! The two other JSON-LD processors for Rust, asked for the quads of a document.

use crate::rdf::isomorphism::{Quad, Term, from_oxrdf};
use json_ld::rdf_types::{Id, Literal, LiteralType, generator};
use json_ld::syntax::Parse as _;
use json_ld::{JsonLdProcessor as _, RemoteDocument, RemoteDocumentReference};
use oxjsonld::{JsonLdParser, JsonLdProcessingMode, JsonLdRemoteDocument};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A processor to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    Oxjsonld,
    JsonLdCrate,
}

/// What a peer is asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) base: Option<String>,
    pub(crate) document_url: Option<String>,
    /// The URL of `expandContext`.
    pub(crate) expand_context: Option<String>,
    pub(crate) is_1_0: bool,
    pub(crate) rdf_direction: Option<String>,
    pub(crate) produce_generalized_rdf: bool,
    /// A URL that ends in `/`, and the folder it stands for.
    pub(crate) mapped: Option<(String, PathBuf)>,
}

impl Peer {
    pub(crate) const ALL: [Self; 2] = [Self::Oxjsonld, Self::JsonLdCrate];

    /// The name of the crate.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Oxjsonld => "oxjsonld",
            Self::JsonLdCrate => "json-ld",
        }
    }

    /// The distinct quads of a document, or the peer's complaint.
    pub(crate) fn quads(self, question: &Question) -> Result<BTreeSet<Quad>, String> {
        match self {
            Self::Oxjsonld => oxjsonld(question),
            Self::JsonLdCrate => json_ld_crate(question),
        }
    }
}

fn oxjsonld(question: &Question) -> Result<BTreeSet<Quad>, String> {
    if question.expand_context.is_some()
        || question.rdf_direction.is_some()
        || question.produce_generalized_rdf
    {
        return Err("oxjsonld has no such option".to_owned());
    }
    let mode =
        if question.is_1_0 { JsonLdProcessingMode::JsonLd1_0 } else { JsonLdProcessingMode::JsonLd1_1 };
    let mut parser = JsonLdParser::new().with_processing_mode(mode);
    if let Some(base) = question.base.as_ref().or(question.document_url.as_ref()) {
        parser = parser.with_base_iri(base).map_err(|error| error.to_string())?;
    }
    let mapped = question.mapped.clone();
    parser
        .for_slice(&question.text)
        .with_load_document_callback(move |url, _| {
            let path = mapped
                .as_ref()
                .and_then(|(prefix, folder)| Some(folder.join(url.strip_prefix(prefix.as_str())?)))
                .ok_or("nothing is known under the URL")?;
            Ok(JsonLdRemoteDocument { document: std::fs::read(path)?, document_url: url.to_owned() })
        })
        .map(|quad| quad.map(|quad| from_oxrdf(&quad)).map_err(|error| error.to_string()))
        .collect()
}

fn json_ld_crate(question: &Question) -> Result<BTreeSet<Quad>, String> {
    let iri = |text: &String| json_ld::IriBuf::new(text.clone()).map_err(|error| error.to_string());
    let (value, _) = json_ld::syntax::Value::parse_str(&question.text).map_err(|error| error.to_string())?;
    let document = RemoteDocument::new(question.document_url.as_ref().map(iri).transpose()?, None, value);
    let mut loader = json_ld::FsLoader::default();
    if let Some((url, folder)) = &question.mapped {
        loader.mount(iri(url)?, folder);
    }
    let options = json_ld::Options {
        base: question.base.as_ref().map(iri).transpose()?,
        expand_context: question
            .expand_context
            .as_ref()
            .map(|url| iri(url).map(RemoteDocumentReference::Iri))
            .transpose()?,
        processing_mode: if question.is_1_0 {
            json_ld::ProcessingMode::JsonLd1_0
        } else {
            json_ld::ProcessingMode::JsonLd1_1
        },
        rdf_direction: question.rdf_direction.as_deref().map(|direction| match direction {
            "i18n-datatype" => json_ld::rdf::RdfDirection::I18nDatatype,
            _ => json_ld::rdf::RdfDirection::CompoundLiteral,
        }),
        produce_generalized_rdf: question.produce_generalized_rdf,
        ..json_ld::Options::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime without drivers");
    let mut answer = runtime
        .block_on(document.to_rdf_using(generator::Blank::new(), &loader, options))
        .map_err(|error| error.to_string())?;
    Ok(answer
        .cloned_quads()
        .map(|json_ld::rdf_types::Quad(subject, predicate, object, graph)| {
            let object = match object {
                json_ld::rdf_types::Term::Id(id) => node(&id),
                json_ld::rdf_types::Term::Literal(literal) => literal_term(&literal),
            };
            let graph = graph.map_or_else(|| Term::Ground(String::new()), |graph| node(&graph));
            [node(&subject), node(&predicate), object, graph]
        })
        .collect())
}

fn node(id: &Id) -> Term {
    match id {
        Id::Blank(label) => Term::Blank(label.suffix().to_owned()),
        Id::Iri(iri) => Term::Ground(format!("<{iri}>")),
    }
}

fn literal_term(literal: &Literal) -> Term {
    let value = literal.value.as_str();
    let literal = match &literal.type_ {
        LiteralType::LangString(tag) => {
            oxrdf::Literal::new_language_tagged_literal_unchecked(value, tag.as_str().to_ascii_lowercase())
        }
        LiteralType::Any(datatype) => {
            oxrdf::Literal::new_typed_literal(value, oxrdf::NamedNode::new_unchecked(datatype.as_str()))
        }
    };
    Term::Ground(literal.to_string())
}
