//! The embedded RDF dataset: dictionary-encoded terms, immutable sorted graphs.
