//! The bytes of a connection, plain or within TLS.

use std::io::{BufReader, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// What a server reads from and writes to.
pub(super) type Connection = BufReader<Box<dyn Stream>>;

pub(super) trait Stream: Read + Write + Send {
    fn socket(&self) -> &TcpStream;
}

impl Stream for TcpStream {
    fn socket(&self) -> &TcpStream {
        self
    }
}

impl Stream for StreamOwned<ServerConnection, TcpStream> {
    fn socket(&self) -> &TcpStream {
        &self.sock
    }
}

/// The certificate of `localhost` and 127.0.0.1 that only the root beside it vouches for.
pub(super) fn tls() -> Arc<ServerConfig> {
    let chain = CertificateDer::from_pem_slice(include_bytes!("tls/localhost.pem")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/localhost.key")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![chain], key));
    Arc::new(config.expect("the key belongs to the certificate"))
}

/// Ends the answer, and takes what the client still sends: a connection that is closed before it is read empty is reset, and
/// the answer is lost.
pub(super) fn linger(connection: &mut Connection) -> Result<()> {
    let socket = connection.get_ref().socket();
    socket.shutdown(Shutdown::Write)?;
    socket.set_read_timeout(Some(Duration::from_secs(1)))?;
    std::io::copy(connection, &mut std::io::sink()).map(drop)
}

/// Waits until the client goes away or the server is over.
pub(super) fn silence(connection: &mut Connection, over: &AtomicBool) -> Result<()> {
    connection.get_ref().socket().set_read_timeout(Some(Duration::from_millis(50)))?;
    let mut byte = [0];
    while !over.load(Ordering::SeqCst) {
        match connection.read(&mut byte) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
