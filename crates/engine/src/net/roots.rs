//! Trusted certificates from a file.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ureq::tls::{PemItem, RootCerts, parse_pem};

use super::net_fault::CERTIFICATE;
use evalgraph_diagnostics::{Diagnostic, plain};

/// Reads the certificates of a file.
pub(super) fn roots(file: &Path) -> Result<RootCerts, Box<Diagnostic>> {
    let fault = |why: &str| {
        let message = format!("{}: {why}", file.display());
        Box::new(Diagnostic::error(CERTIFICATE, message))
    };
    let bytes = fs::read(file).map_err(|error| fault(&plain(&error)))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&bytes) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(_) => return Err(fault("the file is not in the format PEM")),
        }
    }
    if certificates.is_empty() {
        return Err(fault("the file has no certificate in the format PEM"));
    }
    Ok(RootCerts::Specific(Arc::new(certificates)))
}
