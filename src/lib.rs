//! evalgraph: an RDF and linked-data engine for evaluation datasets.
//!
//! One module per step of the data's way, from [`diagnostic`] and [`json`] over [`rdf`], [`jsonld`],
//! [`source`], [`store`] and [`sparql`] to [`cli`]; a module uses only those before it.
//!
//! A document becomes a graph, and a query is asked of it:
//!
//! ```
//! use evalgraph::json::{Limits, parse};
//! use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader};
//! use evalgraph::sparql::{ExecuteOptions, Query, QueryResults};
//! use evalgraph::store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};
//! use std::sync::Arc;
//!
//! let text = r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Question", "text": "Why?"}"#;
//! let document = Arc::new(parse("question.jsonld", text.to_owned(), Limits::default())?);
//! let mut builder = DocumentBuilder::new();
//! JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).to_rdf(&document, &mut builder)?;
//! let graph = "urn:example:graph".to_owned();
//! let dataset = Dataset::from_documents(vec![NamedDocument { graph, builder }]);
//!
//! let query = Query::parse("ASK { ?question a s:Question ; s:text 'Why?' }", "query")?;
//! let answer = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default())?;
//! assert!(matches!(answer, QueryResults::Boolean(true)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// So far the command line alone asks for what joins the modules.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(feature = "cli")]
pub mod cli;
mod convert;
pub mod diagnostic;
mod input;
pub mod json;
pub mod jsonld;
mod load;
#[cfg(feature = "net")]
pub mod net;
mod question;
pub mod rdf;
pub mod source;
pub mod sparql;
pub mod store;
mod validation;
mod workspace;
