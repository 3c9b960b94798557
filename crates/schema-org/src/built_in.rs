//! The vocabulary that is part of the program.
//!
//! `SchemaOrgVocabulary` is defined in `vocabulary_terms.rs`.

use std::sync::OnceLock;

use super::vocabulary_terms::SchemaOrgVocabulary;
use evalgraph_contexts::SCHEMA_ORG_FACTS;

static BUILT_IN: OnceLock<SchemaOrgVocabulary> = OnceLock::new();

impl SchemaOrgVocabulary {
    /// The terms of release 30.0 (19 March 2026). They are read on first use.
    pub fn built_in() -> &'static Self {
        BUILT_IN.get_or_init(|| {
            Self::from_table("schema.org", SCHEMA_ORG_FACTS).expect("the built-in table is well formed")
        })
    }
}
