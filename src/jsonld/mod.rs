//! The JSON-LD 1.1 processor, one file per algorithm of the specification.
