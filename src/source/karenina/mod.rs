//! Karenina checkpoints: dialects, identifiers, hashes, figures.
